// Where MicroPython would run a file it found, or ask a person what to do next, a Dovetail image does this.

#include <string.h>

#include "py/runtime.h"
#include "py/builtin.h"
#include "py/gc.h"
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

// What the collector frees is overwritten: the interpreter's frames of a deck that was shuffled tell where every card went.
// And what is allocated next is looked for behind what stays for ever: from the heap's beginning a search takes 0.3 ms,
// again and again. Small gaps before that place are used when memory is short.
#define ROOM (1024)   // bytes of a gap that is no small one
#define AMPLE (65536) // bytes free from there on, or the search begins at the beginning

void __real_gc_collect_end(void);

void __wrap_gc_collect_end(void) {
    __real_gc_collect_end();
    mp_state_mem_area_t *area = &MP_STATE_MEM(area);
    byte *block = area->gc_pool_start;
    byte *room = NULL;   // the first gap that is no small one
    size_t run = 0, all = 0; // bytes that are free just before this block, and from the room on
    for (size_t i = 0; i <= area->gc_alloc_table_byte_len; i++) {
        // two bits a block, the first lowest; 0: free. Behind the last there is something.
        unsigned four = i < area->gc_alloc_table_byte_len ? area->gc_alloc_table_start[i] : 1;
        if (four == 0) {
            run += 4 * MICROPY_BYTES_PER_GC_BLOCK;
            block += 4 * MICROPY_BYTES_PER_GC_BLOCK;
            continue;
        }
        for (unsigned kinds = 0x100 | four; kinds != 1; kinds >>= 2) {
            if ((kinds & 3) == 0) {
                run += MICROPY_BYTES_PER_GC_BLOCK;
            } else if (run) {
                memset(block - run, 0, run);
                if (room == NULL && run >= ROOM) {
                    room = block - run;
                }
                all += room == NULL ? 0 : run;
                run = 0;
            }
            block += MICROPY_BYTES_PER_GC_BLOCK;
        }
    }
    if (all >= AMPLE) {
        area->gc_last_free_atb_index = (room - area->gc_pool_start) / MICROPY_BYTES_PER_GC_BLOCK / 4;
    }
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
