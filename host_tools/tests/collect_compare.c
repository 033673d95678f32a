// The image's collector beside MicroPython's own, on heaps that chance has made: what both leave is compared.
// collect_compare SEED ROUNDS: prints what was met; or what differs, and ends with 1. test_collect.py builds it.

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "py/gc.h"
#include "py/runtime.h"

#define MOST (1 << 19) // bytes of a heap
#define ROOTS (64)
#define BLOCK MICROPY_BYTES_PER_GC_BLOCK
enum { FREE, HEAD, TAIL, MARK };

void __real_gc_collect_end(void);
#if MARKS // its marks are its own too
void __real_gc_collect_start(void);
void __real_gc_collect_root(void **from, size_t count);
#else
#define __real_gc_collect_start gc_collect_start
#define __real_gc_collect_root gc_collect_root
#endif

typedef struct {
    byte bytes[MOST];
    mp_state_ctx_t state;
    unsigned finalised;
} heap_t;

static _Alignas(64) byte memory[MOST];
static heap_t before, theirs, ours;
static void *roots[ROOTS];
static unsigned seed, finalised, last;
static size_t size;
static mp_obj_base_t type_with_del;

mp_state_ctx_t mp_state_ctx;

// ---- what a collection calls

void mp_load_method_maybe(mp_obj_t object, qstr attribute, mp_obj_t *dest) {
    (void)attribute;
    dest[0] = (mp_obj_t)&type_with_del;
    dest[1] = object;
}

// A finaliser reads its object, gets no memory, and frees what it has: the second word of it, if that is a block.
mp_obj_t mp_call_function_1_protected(mp_obj_t function, mp_obj_t object) {
    (void)function;
    finalised = finalised * 31 + ((byte *)object - memory) + (gc_alloc(1, 0) != NULL);
    void *has = ((void **)object)[1];
    if (has != NULL && gc_nbytes(has)) {
        gc_free(has);
    }
    return MP_OBJ_NULL;
}

static unsigned below(unsigned n) {
    seed = seed * 1103515245 + 12345;
    return (seed >> 8 & 0x7fffff) % n;
}

static void collect_theirs(void) {
    __real_gc_collect_start();
    __real_gc_collect_root(roots, ROOTS);
    __real_gc_collect_end();
}

static void collect_ours(void) {
    gc_collect_start();
    gc_collect_root(roots, ROOTS);
    gc_collect_end();
}

static void (*collector)(void) = collect_theirs;

void gc_collect(void) {
    collector();
}

// ---- a heap that chance has made

static mp_state_mem_area_t *area(void) {
    return &MP_STATE_MEM(area);
}

static size_t blocks(void) {
    return area()->gc_alloc_table_byte_len * 4;
}

static unsigned kind(size_t block) {
    return area()->gc_alloc_table_start[block / 4] >> (block % 4 * 2) & 3;
}

static void *any(void) {
    byte *at = area()->gc_pool_start + below(blocks()) * BLOCK;
    for (size_t block = (at - area()->gc_pool_start) / BLOCK; kind(block) == TAIL; block--) {
        at -= BLOCK;
    }
    switch (below(12)) {
        case 0:
            return at + 1 + below(BLOCK - 1); // not the beginning of a block
        case 1:
            return area()->gc_pool_end;
        case 2:
            return area()->gc_pool_start - BLOCK;
        case 3:
            return NULL;
        default:
            return at;
    }
}

static void fill(void *at, size_t bytes, unsigned links, bool finaliser) {
    void **words = at;
    for (size_t i = 0; i < bytes / sizeof(void *); i++) {
        words[i] = below(100) < links ? any() : (void *)((uintptr_t)-1 - 2 * below(1 << 20));
    }
    if (finaliser) {
        words[0] = below(4) ? &type_with_del : NULL;
        words[1] = below(4) ? NULL : words[1];
    }
}

static size_t some_size(void) {
    switch (below(20)) {
        case 0:
            return 1 + below(20000);
        case 1:
        case 2:
        case 3:
            return 1 + below(600);
        default:
            return 1 + below(100);
    }
}

static void make(void) {
    memset(memory, 0, sizeof(memory));
    memset(&mp_state_ctx, 0, sizeof(mp_state_ctx));
    memset(roots, 0, sizeof(roots));
    size = below(4) ? 70000 + below(MOST - 70000) : 1500 + below(9000);
    gc_init(memory, memory + size); // of any number of blocks, so the table ends anywhere
    unsigned links = below(3) ? below(30) : 60, finalisers = below(3) ? 0 : 1 + below(20);
    collector = collect_theirs;
    MP_STATE_MEM(gc_auto_collect_enabled) = 0;
    unsigned steps = below(blocks() / 2 + 4), frees = below(60);
    for (unsigned i = 0; i < steps; i++) {
        size_t bytes = some_size();
        bool finaliser = below(100) < finalisers && bytes >= 2 * sizeof(void *);
        void *made = gc_alloc(bytes, finaliser ? GC_ALLOC_FLAG_HAS_FINALISER : 0);
        if (made == NULL) {
            break;
        }
        fill(made, bytes, links, finaliser);
        if (below(100) < frees) {
            void *old = any();
            size_t there = old && (uintptr_t)old % BLOCK == 0 ? gc_nbytes(old) : 0;
            if (there && below(2)) {
                gc_free(old);
            } else if (there) {
                gc_realloc(old, 1 + below(2 * there), true);
            }
        }
        if (below(30) == 0) {
            roots[below(ROOTS)] = below(8) ? made : any();
        }
        if (below(400) == 0) {
            gc_collect();
        }
    }
    MP_STATE_THREAD(dict_locals) = below(2) ? any() : NULL; // a root of MicroPython's own
    if (below(8) == 0) {
        memset(roots, 0, sizeof(roots)); // all is garbage, but what dict_locals has
    }
    MP_STATE_MEM(gc_auto_collect_enabled) = 1;
    MP_STATE_MEM(gc_alloc_threshold) = (size_t)-1;
}

// ---- both

static void keep(heap_t *heap) {
    memcpy(heap->bytes, memory, MOST);
    heap->state = mp_state_ctx;
    heap->finalised = finalised;
}

static void take(const heap_t *heap) {
    memcpy(memory, heap->bytes, MOST);
    mp_state_ctx = heap->state;
    finalised = heap->finalised;
}

static void differ(unsigned round, const char *what, size_t where) {
    printf("seed %u, round %u, heap of %zu bytes: %s, %zu\n", last, round, size, what, where);
    exit(1);
}

// Whether so many bytes can be had, from a heap as it was left.
static bool room(const heap_t *heap, void (*with)(void), size_t bytes) {
    take(heap);
    collector = with;
    return gc_alloc(bytes, 0) != NULL;
}

static void compare(unsigned round) {
    const byte *pool = area()->gc_pool_start;
    for (const byte *at = memory; at < pool; at++) { // both tables
        if (theirs.bytes[at - memory] != ours.bytes[at - memory]) {
            differ(round, "the tables differ at", at - memory);
        }
    }
    if (theirs.finalised != ours.finalised) {
        differ(round, "finalisers differ", 0);
    }
    const mp_state_mem_area_t *a = &theirs.state.mem.area, *b = &ours.state.mem.area;
    if (a->gc_last_used_block != b->gc_last_used_block) {
        differ(round, "the last block that is used differs", b->gc_last_used_block);
    }
    if (b->gc_last_free_atb_index > a->gc_alloc_table_byte_len) {
        differ(round, "the search begins behind the heap", b->gc_last_free_atb_index);
    }
    if (theirs.state.thread.gc_lock_depth != ours.state.thread.gc_lock_depth) {
        differ(round, "the lock differs", ours.state.thread.gc_lock_depth);
    }
    if (theirs.state.mem.gc_alloc_amount != ours.state.mem.gc_alloc_amount) {
        differ(round, "the threshold's count differs", ours.state.mem.gc_alloc_amount);
    }
    for (size_t block = 0; block < blocks(); block++) {
        const byte *at = ours.bytes + (pool - memory) + block * BLOCK;
        if (kind(block) == FREE) {
            for (size_t i = 0; i < BLOCK; i++) {
                if (at[i]) {
                    differ(round, "not overwritten: byte of free block", block);
                }
            }
        } else if (memcmp(at, theirs.bytes + (at - ours.bytes), BLOCK) != 0) {
            differ(round, "overwritten: block in use", block);
        }
    }
    if (memcmp(ours.bytes + size, before.bytes + size, MOST - size) != 0) {
        differ(round, "overwritten: what is behind the heap", size);
    }
}

int main(int count, char **words) {
    seed = count > 1 ? atoi(words[1]) : 1;
    unsigned rounds = count > 2 ? atoi(words[2]) : 100;
    unsigned overflows = 0, finalisers = 0, ahead = 0, rooms = 0;
    for (unsigned round = 0; round < rounds; round++) {
        last = seed;
        make();
        keep(&before);
        __real_gc_collect_start();
        __real_gc_collect_root(roots, ROOTS);
        overflows += MP_STATE_MEM(gc_stack_overflow);
        __real_gc_collect_end();
        keep(&theirs);
        take(&before);
        collect_ours();
        keep(&ours);
        compare(round);
        finalisers += ours.finalised != before.finalised;
        ahead += ours.state.mem.area.gc_last_free_atb_index != 0;
        for (unsigned i = 0; i < 12; i++) {
            size_t bytes = i < 6 ? some_size() : 1 + below(MOST);
            bool there = room(&theirs, collect_theirs, bytes);
            rooms += there;
            if (there != room(&ours, collect_ours, bytes)) {
                differ(round, "had from one of them only: bytes", bytes);
            }
        }
    }
    printf("%u rounds: %u stacks too small, %u with finalisers, %u searches begin further on, %u rooms found\n",
        rounds, overflows, finalisers, ahead, rooms);
    return 0;
}
