// The collector of garbage, where a request would wait for it: the same marks in the same table as MicroPython's own
// (py/gc.c), found in half the time. What it finds is what MicroPython's would find.

#include <string.h>

#include "py/runtime.h"
#include "py/gc.h"

enum { FREE, HEAD, TAIL, MARK }; // what the two bits of a block say, the first block's lowest
#define TAILS (0xAA)  // four blocks in the middle of something long
#define HEADS (0x55)
#define BLOCK MICROPY_BYTES_PER_GC_BLOCK
#define ROOM (1024)   // bytes of a gap that is no small one
#define AMPLE (65536) // bytes free from there on, or the search begins at the beginning

static unsigned kind_of(const byte *table, size_t block) {
    return table[block / 4] >> (block % 4 * 2) & 3;
}

// ---- mark ---------------------------------------------------------------------------------------

// What begins at a block is looked at, and all that it leads to. A word that points to the beginning of something that is
// not marked yet: that is marked, and waits on the stack to be looked through. What does it stands once, out of the way of
// the many words that point nowhere, and goes back to where it was called from: the processor has few registers.
static void mark(byte *const table, const uintptr_t pool, const size_t size, size_t block) {
    MICROPY_GC_STACK_ENTRY_TYPE *const bottom = MP_STATE_MEM(gc_block_stack), *top = bottom;
    const MICROPY_GC_STACK_ENTRY_TYPE *const full = bottom + MICROPY_ALLOC_GC_STACK_SIZE;
    for (;;) {
        const uintptr_t *words = (const uintptr_t *)(pool + block * BLOCK);
        const void *back;
        size_t at;
        do { // a block has four words
            #define LOOK(i, next) \
                at = words[i] - pool; \
                if (at < size && at % BLOCK == 0) { \
                    back = &&next; \
                    goto found; \
                } \
            next:
            LOOK(0, first)
            LOOK(1, second)
            LOOK(2, third)
            LOOK(3, fourth)
            words += 4;
            block++;
        } while (kind_of(table, block) == TAIL); // behind the last one the table has a byte of zeros
        if (top == bottom) {
            return;
        }
        block = *--top;
        continue;

    found:
        at /= BLOCK;
        byte *four = table + at / 4;
        unsigned shift = at % 4 * 2, kinds = *four;
        if ((kinds >> shift & 3) == HEAD) {
            *four = kinds | MARK << shift;
            if (top == full) {
                MP_STATE_MEM(gc_stack_overflow) = 1;
            } else {
                *top++ = at;
            }
        }
        goto *back;
    }
}

void __wrap_gc_collect_root(void **from, size_t count) {
    const mp_state_mem_area_t *area = &MP_STATE_MEM(area);
    byte *const table = area->gc_alloc_table_start;
    const uintptr_t pool = (uintptr_t)area->gc_pool_start;
    const size_t size = (uintptr_t)area->gc_pool_end - pool;
    for (size_t i = 0; i < count; i++) {
        size_t at = (uintptr_t)from[i] - pool, block = at / BLOCK;
        if (at < size && at % BLOCK == 0 && kind_of(table, block) == HEAD) {
            table[block / 4] |= MARK << block % 4 * 2;
            mark(table, pool, size, block);
        }
    }
}

// The roots are what MicroPython's state names as such.
void __wrap_gc_collect_start(void) {
    MP_STATE_THREAD(gc_lock_depth) |= GC_COLLECT_FLAG;
    MP_STATE_MEM(gc_stack_overflow) = 0;
    #if MICROPY_GC_ALLOC_THRESHOLD
    MP_STATE_MEM(gc_alloc_amount) = 0;
    #endif
    const size_t first = offsetof(mp_state_ctx_t, thread.dict_locals), end = offsetof(mp_state_ctx_t, vm.qstr_last_chunk);
    __wrap_gc_collect_root((void **)((byte *)&mp_state_ctx + first), (end - first) / sizeof(void *));
}

// ---- sweep --------------------------------------------------------------------------------------

// What the collector frees is overwritten: the interpreter's frames of a deck that was shuffled tell where every card went.
// And what is allocated next is looked for behind what stays for ever: from the heap's beginning a search takes 0.3 ms,
// again and again. Small gaps before that place are used when memory is short.
// All that takes one look at each block that is in use. The collector's own sweep looks at free ones too, for half the time
// of a collection, and a request may wait for all of it: so it is left the first block only, unless its stack was too small
// or garbage may have a finaliser.

static bool simple(const mp_state_mem_area_t *area) {
    if (MP_STATE_MEM(gc_stack_overflow)) {
        return false;
    }
    const byte *table = area->gc_finaliser_table_start, *end = table + area->gc_last_used_block / 8;
    for (const byte *at = table; at <= end; at++) {
        unsigned eight = *at;
        if (eight == 0) {
            continue;
        }
        for (size_t block = 8 * (at - table); eight; block++, eight >>= 1) {
            if ((eight & 1) && kind_of(area->gc_alloc_table_start, block) == HEAD) {
                return false;
            }
        }
    }
    return true;
}

typedef struct {
    byte *room; // the first gap that is no small one
    size_t all; // bytes that are free from the room on
} gaps_t;

// Overwrites the gap of so many bytes that ends here.
static void close_gap(gaps_t *gaps, byte *end, size_t bytes) {
    if (bytes <= 4 * BLOCK) {
        for (uint32_t *word = (uint32_t *)(end - bytes); word < (uint32_t *)end; word += 4) {
            word[0] = word[1] = word[2] = word[3] = 0;
        }
    } else {
        memset(end - bytes, 0, bytes);
    }
    if (gaps->room == NULL && bytes >= ROOM) {
        gaps->room = end - bytes;
    }
    gaps->all += gaps->room == NULL ? 0 : bytes;
}

void __real_gc_collect_end(void);

void __wrap_gc_collect_end(void) {
    mp_state_mem_area_t *area = &MP_STATE_MEM(area);
    byte *table = area->gc_alloc_table_start;
    const size_t count = area->gc_alloc_table_byte_len;
    size_t used = 0;         // the last block that is
    unsigned live = HEAD;    // how a block begins that is not garbage
    bool garbage = false;    // the tails that come now are
    if (simple(area)) {
        garbage = kind_of(table, 0) == HEAD;
        area->gc_last_used_block = 0;
        __real_gc_collect_end();
        live = MARK;
        table[0] |= table[0] & 1 ? MARK : FREE; // the first block is done already
    } else {
        __real_gc_collect_end();
    }
    byte *block = area->gc_pool_start;
    gaps_t gaps = { NULL, 0 };
    size_t run = 0;          // bytes that are free just before this block
    for (size_t i = 0; i < count; i++) {
        while (i % 4 == 0 && i + 4 <= count && *(const uint32_t *)(table + i) == 0) { // it lies on whole words
            run += 16 * BLOCK;
            block += 16 * BLOCK;
            i += 4;
        }
        if (i >= count) {
            break;
        }
        unsigned four = table[i];
        if ((four & TAILS) == TAILS && !garbage) { // all four live: marks become heads again
            if (run) {
                close_gap(&gaps, block, run);
                run = 0;
            }
            table[i] = four ^ (four & HEADS) << 1;
            used = 4 * i + 3;
            block += 4 * BLOCK;
            continue;
        }
        if (live == MARK && (four & four >> 1 & HEADS) == 0 && (garbage || (four & 3) != TAIL)) { // all four free
            garbage = garbage || (four & HEADS);
            table[i] = 0;
            run += 4 * BLOCK;
            block += 4 * BLOCK;
            continue;
        }
        unsigned left = 0;
        for (unsigned shift = 0; shift < 8; shift += 2, four >>= 2) {
            unsigned kind = four & 3;
            if (kind == live || (kind == TAIL && !garbage)) {
                garbage = false;
                left |= (kind == TAIL ? TAIL : HEAD) << shift;
                if (run) {
                    close_gap(&gaps, block, run);
                    run = 0;
                }
                used = 4 * i + shift / 2;
            } else {
                garbage = garbage || kind == HEAD;
                run += BLOCK;
            }
            block += BLOCK;
        }
        table[i] = left;
    }
    if (run) {
        close_gap(&gaps, block, run);
    }
    area->gc_last_used_block = used;
    if (gaps.all >= AMPLE) {
        area->gc_last_free_atb_index = (gaps.room - area->gc_pool_start) / BLOCK / 4;
    }
}
