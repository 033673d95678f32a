// Settings of MicroPython that both boards share. Flash, from its start:
// program, journal (JOURNAL_BYTES of board.py), file system (bench images only).
#define DOVETAIL_PROGRAM_BYTES (0x100000) // from hal/rp2_store.py: PROGRAM
#define MICROPY_HW_FLASH_STORAGE_BYTES (PICO_FLASH_SIZE_BYTES - DOVETAIL_PROGRAM_BYTES)

// The firmware runs on one core. The second would run without a lock on anything.
#define MICROPY_PY_THREAD (0)

// An attribute or a global is found at once where it was found before; by its name's number, so most names need a place
// of their own. The port's 128 are too few.
#define MICROPY_OPT_MAP_LOOKUP_CACHE_SIZE (512)

// UART0 belongs to the table.
#define MICROPY_HW_ENABLE_UART_REPL (0)

#if DOVETAIL_PRODUCTION
#define MICROPY_HW_ENABLE_USBDEV (0)    // no USB device at all
#define MICROPY_PY_OS_DUPTERM (0)       // no second terminal either
#define MICROPY_KBD_EXCEPTION (0)       // no byte stops the program
#define MICROPY_ENABLE_COMPILER (0)     // only what is frozen runs
#define MICROPY_PY_BUILTINS_INPUT (0)   // nobody is there to answer
#endif

// Deep enough that a collection of garbage never has to go over the whole heap again.
#define MICROPY_ALLOC_GC_STACK_SIZE (256)

// Beside the heap, for what lasts: boards/heap.c. What is taken of it is a row of `dovetail figures`.
#define DOVETAIL_LASTING_BYTES (26 * 1024)
void heap_anew(void);
#define MICROPY_BOARD_END_SOFT_RESET() heap_anew()
