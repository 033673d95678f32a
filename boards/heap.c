// The module `heap`: how much of the heap is free, soon enough to ask before every answer, as gc.mem_free() takes 6 ms;
// and room beside the heap for what lasts as long as the program. The collector reads every word of everything in the
// heap, also of ramps and buffers, which point to nothing: here it does not look.

#include <string.h>

#include "py/runtime.h"
#include "py/binary.h"
#include "py/gc.h"
#include "py/objarray.h"
#include "rings.h"

#define WORD (4)

static uint32_t lasting[DOVETAIL_LASTING_BYTES / WORD];
static size_t taken;   // words of it
static size_t refused; // bytes that it had no room for: those went to the heap

// At the end of a soft reset: nothing that was there lasts any more.
void heap_anew(void) {
    memset(lasting, 0, sizeof(lasting));
    taken = refused = 0;
}

static void *take(size_t bytes) {
    size_t words = (bytes + WORD - 1) / WORD;
    if (words > MP_ARRAY_SIZE(lasting) - taken) {
        refused += bytes;
        byte *items = m_new(byte, bytes);
        memset(items, 0, bytes);
        return items;
    }
    void *items = &lasting[taken];
    taken += words;
    return items;
}

// A bytearray of n zeros, or with a typecode an array. Its length never changes: what would resize it would give to the
// heap what is not the heap's.
static mp_obj_t heap_lasting(size_t n_args, const mp_obj_t *args) {
    mp_int_t n = mp_obj_get_int(args[0]);
    char typecode = n_args > 1 ? mp_obj_str_get_str(args[1])[0] : BYTEARRAY_TYPECODE;
    size_t size = mp_binary_get_size('@', typecode, NULL);
    if (n < 0 || (size_t)n > sizeof(lasting) / size) {
        mp_raise_ValueError(MP_ERROR_TEXT("lasting"));
    }
    mp_obj_array_t *array = mp_obj_malloc(mp_obj_array_t, n_args > 1 ? &mp_type_array : &mp_type_bytearray);
    array->typecode = typecode;
    array->free = 0;
    array->len = n;
    array->items = take(n * size);
    return MP_OBJ_FROM_PTR(array);
}
static MP_DEFINE_CONST_FUN_OBJ_VAR_BETWEEN(heap_lasting_obj, 1, 2, heap_lasting);

// Bytes of that room: taken, all, and what it had no place for.
static mp_obj_t heap_room(void) {
    mp_obj_t room[] = {
        mp_obj_new_int_from_uint(taken * WORD), mp_obj_new_int_from_uint(sizeof(lasting)), mp_obj_new_int_from_uint(refused),
    };
    return mp_obj_new_tuple(MP_ARRAY_SIZE(room), room);
}
static MP_DEFINE_CONST_FUN_OBJ_0(heap_room_obj, heap_room);

// The rings of the link's UART last too. Whoever makes another UART later takes the heap's when the room is full.
void heap_ring(ringbuf_t *ring, size_t size) {
    ring->buf = take(size);
    ring->size = size;
    ring->iget = ring->iput = 0;
}

static mp_obj_t heap_free(void) {
    const mp_state_mem_area_t *area = &MP_STATE_MEM(area);
    const uint32_t *kinds = (const uint32_t *)area->gc_alloc_table_start; // two bits a block, 0: free
    size_t used = 0;
    for (size_t i = 0; i < area->gc_alloc_table_byte_len / 4; i++) { // the few behind the last word count as free
        uint32_t bits = kinds[i];
        if (bits) {
            bits = (bits | bits >> 1) & 0x55555555;
            bits = (bits & 0x33333333) + (bits >> 2 & 0x33333333);
            bits = (bits + (bits >> 4)) & 0x0f0f0f0f;
            used += (bits * 0x01010101) >> 24;
        }
    }
    size_t blocks = (area->gc_pool_end - area->gc_pool_start) / MICROPY_BYTES_PER_GC_BLOCK;
    return mp_obj_new_int_from_uint((blocks - used) * MICROPY_BYTES_PER_GC_BLOCK);
}
static MP_DEFINE_CONST_FUN_OBJ_0(heap_free_obj, heap_free);

static const mp_rom_map_elem_t heap_table[] = {
    { MP_ROM_QSTR(MP_QSTR___name__), MP_ROM_QSTR(MP_QSTR_heap) },
    { MP_ROM_QSTR(MP_QSTR_free), MP_ROM_PTR(&heap_free_obj) },
    { MP_ROM_QSTR(MP_QSTR_lasting), MP_ROM_PTR(&heap_lasting_obj) },
    { MP_ROM_QSTR(MP_QSTR_room), MP_ROM_PTR(&heap_room_obj) },
};
static MP_DEFINE_CONST_DICT(heap_globals, heap_table);

const mp_obj_module_t heap_module = {
    .base = { &mp_type_module },
    .globals = (mp_obj_dict_t *)&heap_globals,
};
MP_REGISTER_MODULE(MP_QSTR_heap, heap_module);
