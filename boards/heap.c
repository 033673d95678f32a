// The module `heap`: how much of it is free, soon enough to ask before every answer. gc.mem_free() takes 6 ms.

#include "py/runtime.h"
#include "py/gc.h"

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
};
static MP_DEFINE_CONST_DICT(heap_globals, heap_table);

const mp_obj_module_t heap_module = {
    .base = { &mp_type_module },
    .globals = (mp_obj_dict_t *)&heap_globals,
};
MP_REGISTER_MODULE(MP_QSTR_heap, heap_module);
