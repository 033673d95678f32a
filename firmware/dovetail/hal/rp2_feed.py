# Feeds one axis: two DMA channels bring step periods to a PIO state machine. Only viper code on registers is in here.
#
# A word in the state machine's FIFO is one step: the pulse at once, then the rest of the period. Word 0 is the end
# mark. A move is a row of up to four control blocks: up table, cruise word (read again and again), tail of the down
# table, end mark. The control channel copies a block into the data channel's registers; the data channel feeds that
# many words to the FIFO, then triggers the control channel again. So a move of any length is planned in the same time,
# and the position is the words planned, less those that the DMA and the FIFO still hold.

import micropython
from machine import disable_irq, enable_irq
from micropython import const

# The state of an axis: an array of words.
CTL = const(0)  # registers of the control channel, the data channel, the PIO block, the state machine
DAT = const(1)
PIO = const(2)
REG = const(3)
SM = const(4)  # the state machine's number in its block
FIRST = const(5)  # address of the program's first instruction
ABORT = const(6)  # register and busy bit: they differ between the chips
BUSY = const(7)
GO = const(8)  # DMA control words: control channel; data channel over a table, over one word, over the end mark
TABLE = const(9)
HOLD = const(10)
LAST = const(11)
BLOCKS = const(12)  # addresses: control blocks, up table, end of the down table, cruise word, end mark, FIFO
UP = const(13)
DOWN = const(14)
CRUISE = const(15)
END = const(16)
FIFO = const(17)
MOVING = const(18)
PLAN = const(19)  # steps of the whole move
DONE = const(20)  # steps made, once the axis is still
RAMP = const(21)  # steps of the up ramp of this move
REST = const(22)  # words in the blocks that are not loaded, after 0, 1, 2, 3, 4 loads
SIZE = const(27)

# Registers as word offsets. A channel: 0 read, 1 write, 2 count, 3 control with trigger, 4 control. A state machine:
# 2 SHIFTCTRL, 3 ADDR, 4 INSTR. A PIO block: 0 CTRL, 3 FLEVEL. Aliases of all: 0x1000 xor, 0x2000 set, 0x3000 clear.


@micropython.viper
def position(state) -> int:
    # Steps made, also while moving and in interrupts. The registers are read until they agree with themselves, because
    # a word on its way from memory to the FIFO is in neither of the two counts.
    s = ptr32(state)
    ctl = ptr32(s[CTL])
    dat = ptr32(s[DAT])
    pio = ptr32(s[PIO])
    reg = ptr32(s[REG])
    shift = s[SM] << 3
    while s[MOVING]:
        read = ctl[0]
        left = dat[2]
        level = (pio[3] >> shift) & 15
        pc = reg[3] - s[FIRST]
        if ctl[4] & s[BUSY]:
            continue  # a block is being loaded: that takes some cycles
        if read != ctl[0] or left != dat[2] or level != (pio[3] >> shift) & 15:
            continue
        loads = (read - s[BLOCKS]) >> 4
        done = s[PLAN] + 1 - s[REST + loads] - level
        if loads:
            done -= left
        if pc > 0 and pc < 4:
            done -= 1  # this word is taken, but its pulse has not begun
        return done if done < s[PLAN] else s[PLAN]
    return s[DONE]


@micropython.viper
def _pause(state) -> int:
    # Stops the feed and gives the words fed. The control channel first: then the data channel's end triggers nothing.
    s = ptr32(state)
    ctl = ptr32(s[CTL])
    dat = ptr32(s[DAT])
    ptr32(s[CTL] + 0x3000)[4] = 1
    read = 0
    while read != ctl[0]:  # what is in flight arrives
        read = ctl[0]
    ptr32(s[DAT] + 0x3000)[4] = 1
    left = -1
    while left != dat[2]:
        left = dat[2]
    loads = (read - s[BLOCKS]) >> 4
    if loads == 0 or ctl[4] & s[BUSY]:
        left = 0  # the next block was not loaded to its end, so the data channel had nothing left
    return s[PLAN] + 1 - s[REST + loads] - left


@micropython.viper
def _abort(state):
    # Both channels at once and not enabled, so that neither triggers the other (RP2350-E5). The completion interrupt
    # that may follow (RP2040-E13) reaches nobody: it is not enabled for these channels.
    s = ptr32(state)
    abort = ptr32(s[ABORT])
    abort[0] = (1 << ((s[CTL] >> 6) & 15)) | (1 << ((s[DAT] >> 6) & 15))
    while abort[0]:
        pass


@micropython.viper
def _feed(state, fed: int, up: int, k: int, down: int):
    # Writes the blocks of what comes after `fed` words and starts the DMA. A block of no words is left out.
    s = ptr32(state)
    rest = up + k + down + 1
    s[PLAN] = fed + rest - 1
    at = s[BLOCKS]
    n = REST
    s[n] = rest
    for part in range(4):
        if part == 0:
            read, count, control = s[UP] + (fed << 2), up, s[TABLE]
        elif part == 1:
            read, count, control = s[CRUISE], k, s[HOLD]
        elif part == 2:
            read, count, control = s[DOWN] - (down << 2), down, s[TABLE]
        else:
            read, count, control = s[END], 1, s[LAST]
        if count:
            b = ptr32(at)
            b[0] = read
            b[1] = s[FIFO]
            b[2] = count
            b[3] = control
            at += 16
            n += 1
            rest -= count
            s[n] = rest
    ctl = ptr32(s[CTL])
    ctl[0] = s[BLOCKS]
    ctl[1] = s[DAT]
    ctl[2] = 4
    s[MOVING] = 1
    ctl[3] = s[GO]


@micropython.viper
def start(state, m: int, k: int):
    s = ptr32(state)
    s[RAMP] = m
    ptr32(s[PIO] + 0x2000)[0] = 1 << s[SM]
    _feed(state, 0, m, k, m)


@micropython.viper
def extend(state, m: int, k: int) -> bool:
    # The move goes on up its ramp to another end; False when it comes down already, and then it goes on as it was.
    s = ptr32(state)
    irq = disable_irq()
    longer = False
    if s[MOVING]:
        fed = int(_pause(state))
        down = s[PLAN] - fed
        if down >= 0:  # otherwise all is fed, the end mark too
            _abort(state)
            longer = fed <= s[RAMP]
            if longer:
                s[RAMP] = m
                _feed(state, fed, m - fed, k, m)
            else:
                _feed(state, fed, 0, 0, down)
    enable_irq(irq)
    return longer


@micropython.viper
def _still(state, done: int):
    # The state machine stops and is put back to its first instruction: FIFO empty, step pin low.
    s = ptr32(state)
    bit = 1
    ptr32(s[PIO] + 0x3000)[0] = bit << s[SM]
    s[DONE] = done
    s[MOVING] = 0
    join = ptr32(s[REG] + 0x1000)
    join[2] = bit << 31  # a change of how the FIFOs are joined empties them
    join[2] = bit << 31
    ptr32(s[PIO] + 0x2000)[0] = bit << s[SM] + 4  # restart
    ptr32(s[REG])[4] = s[FIRST]  # as an instruction this is a jump there, with the pin low


@micropython.viper
def ended(state) -> bool:
    # At the end mark. It may have come while halt() had interrupts off; then there is nothing left to do.
    s = ptr32(state)
    if not s[MOVING]:
        return False
    _still(state, s[PLAN])
    return True


@micropython.viper
def halt(state):
    s = ptr32(state)
    irq = disable_irq()
    if s[MOVING]:
        ptr32(s[PIO] + 0x3000)[0] = 1 << s[SM]
        done = int(_pause(state)) - ((ptr32(s[PIO])[3] >> (s[SM] << 3)) & 15)
        pc = ptr32(s[REG])[3] - s[FIRST]
        if pc > 0 and pc < 4:
            done -= 1
        if done > s[PLAN]:
            done = s[PLAN]
        _abort(state)
        _still(state, done)
    enable_irq(irq)


@micropython.viper
def brake(state):
    # What the FIFO holds goes on while the rest of the move is replaced, so that no period is stretched.
    s = ptr32(state)
    irq = disable_irq()
    if s[MOVING]:
        fed = int(_pause(state))
        down = s[PLAN] - fed
        if down >= 0:  # otherwise all is fed, the end mark too
            if down > s[RAMP]:
                down = s[RAMP]
            if down > fed:
                down = fed
            _abort(state)
            _feed(state, fed, 0, 0, down)
    enable_irq(irq)
