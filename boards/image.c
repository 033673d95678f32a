// Where MicroPython would run a file it found, or ask a person what to do next, a Dovetail image does this.

#include "py/runtime.h"
#include "py/builtin.h"
#include "py/frozenmod.h"
#include "py/ringbuf.h"
#include "shared/runtime/pyexec.h"
#include "hardware/watchdog.h"

// A reset lets go of every pin: ENABLE and the lamps fall back to their resistors.
static NORETURN void reset(void) {
    watchdog_reboot(0, 0, 0);
    for (;;) {
    }
}

// Only what is frozen starts. A main.py or boot.py on a file system is never run.
int __wrap_pyexec_file_if_exists(const char *name) {
    if (mp_find_frozen_module(name, NULL, NULL) != MP_IMPORT_STAT_FILE) {
        return 1; // as for a file that ran and did nothing
    }
    int result = pyexec_frozen_module(name, !DOVETAIL_PRODUCTION);
    #if DOVETAIL_PRODUCTION
    reset(); // main.py must never end
    #endif
    return result;
}

// An exception that nothing caught, and a fault of the processor: stopped is not safe, reset is.
void __wrap_nlr_jump_fail(void *value) {
    (void)value;
    reset();
}

void isr_hardfault(void) {
    reset();
}

#if DOVETAIL_PRODUCTION

int __wrap_pyexec_friendly_repl(void) {
    reset();
}

int __wrap_pyexec_raw_repl(void) {
    reset();
}

// MicroPython tells the console which byte interrupts; there is no console.
void mp_hal_set_interrupt_char(int c) {
    (void)c;
}

// Nothing ever feeds standard input, but sys.stdin needs a buffer to find empty.
static uint8_t stdin_bytes[1];
ringbuf_t stdin_ringbuf = { stdin_bytes, sizeof(stdin_bytes), 0, 0 };

#endif
