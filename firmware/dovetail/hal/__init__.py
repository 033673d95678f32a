# The one interface to hardware. Two implementations: hal/rp2.py on the chip, sim/inprocess.py on the simulated machine.
#
# hal.board                 the board module (pins, multiplexer, identity); hal.mechanics the mechanics module
# hal.stepper(name, up, down) -> Stepper for one of the axes "pick feed wheel eject deal"
#     up, down: array('H'|'I') of step periods in us: from rest to full speed, and back to rest
#   .run(reverse, m, k, period_us)   m periods of `up`, k steps of period_us, the last m periods of `down`.
#                          Raises RuntimeError when busy. Returns at once; the hardware does the rest by itself
#   .extend(m, k, period_us)  another end for a move of 2 ramps that is still on its way up; False, and nothing is
#                          changed, when it comes down already
#   .halt()                no further step, at once. .steps() is exact afterwards
#   .brake()               ramp down from now, by the shortest ramp the table allows
#   .steps()               steps made since run() began (a count, not signed), also while moving
#   .busy()
#   .flag                  clock.Flag, set when the move has ended, by itself, by brake() or by halt()
# hal.edge(name, stepper) -> Edge for one of the inputs "entry count home tick exit deal"
#   .dark()                1 while the beam is blocked (home, tick: while the mark is there)
#   .reset()               forgets the edges and clears the flag; .n edges since then, .level[i] (1 dark), .at[i]
#                          stepper.steps() at the edge, .us[i] its time; edge n is kept in place n % EDGES
#   .keep(n)               only n edges count any more; no edge may come meanwhile
#   .flag                  clock.Flag, set at every edge
# hal.switch(name)          1 when "lid", "door" or "mount" is safe (closed, mounted)
# hal.interlock             clock.Flag, set at every change of a switch
# hal.level(channel)        0..4095 of a multiplexer channel, by its name in board.MUX
# hal.enable(on)            all motor drivers
# hal.lamp(name, on)        "green" "amber" "red"; hal.buzzer(on)
# hal.uart                  .read(buf) -> n, .write(buf, n), .set_baud(baud) when all has left: coroutines; .baud;
#                           .take(buf) -> n, what is there already, without a wait
# hal.noise                 .bits(buf): raw noise, one bit a byte, at least 10 us apart
# hal.store                 .read(offset, buf), .erase(sector), .program(offset, buf); SECTOR 4096, PAGE 256, .size;
#                          .view is all of it, to read as it lies there
# hal.program(offset, n)    n bytes of program flash where they lie, of hal.program_size
# hal.unique_id             bytes; hal.reset_cause: "power" "watchdog" "reset", a soft reset too
# hal.watch(ms)             starts the watchdog (on a board only); hal.feed() feeds it, if it was started
# hal.free()                bytes of heap; hal.collect() frees garbage and overwrites it
# hal.wipe(secret)          overwrites a bytes object in place

from micropython import const

EDGES = const(8)
