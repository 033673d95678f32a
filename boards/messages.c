// Protocol Buffers to and from dicts, by the tables that link.proto makes. What encode() and decode() do stands in
// firmware/dovetail/hal/message_twin.py, which does the same in Python; a test on the emulated board compares the two.

#include "py/runtime.h"
#include "py/objint.h"
#include "py/objlist.h"
#include "py/objstr.h"
#include "py/stackctrl.h"
#include "py/unicode.h"
#include "messages.h"

// Kinds of a field
enum {
    UINT = 0, // from hal/message_twin.py: _UINT
    BOOL = 1, // from hal/message_twin.py: _BOOL
    ENUM = 2, // from hal/message_twin.py: _ENUM
    TEXT = 3, // from hal/message_twin.py: _TEXT
    BYTES = 4, // from hal/message_twin.py: _BYTES
    MESSAGE = 5, // from hal/message_twin.py: _MESSAGE
    KIND = 7, // from hal/message_twin.py: _KIND
    MANY = 8, // from hal/message_twin.py: _MANY
    ONEOF = 16, // from hal/message_twin.py: _ONEOF
};


// ---- encode ---------------------------------------------------------------------------------------

static void put_varint(vstr_t *out, uint32_t value) {
    while (value > 127) {
        vstr_add_byte(out, value | 128);
        value >>= 7;
    }
    vstr_add_byte(out, value);
}

static void put_message(vstr_t *out, mp_obj_t tables, mp_obj_t message, mp_obj_t values);

static void put(vstr_t *out, mp_obj_t tables, const mp_obj_t *field, int kind, mp_obj_t value) {
    uint32_t number = mp_obj_get_int(field[0]);
    if (kind <= ENUM) {
        if (value != mp_const_true && !mp_obj_is_int(value)) {
            mp_raise_TypeError(NULL);
        }
        mp_uint_t plain = value == mp_const_true ? 1 : mp_obj_int_get_uint_checked(value);
        put_varint(out, number << 3);
        put_varint(out, plain);
        return;
    }
    put_varint(out, number << 3 | 2);
    if (kind == MESSAGE) {
        vstr_add_byte(out, 0);
        size_t at = out->len;
        put_message(out, tables, field[3], value);
        size_t n = out->len - at;
        if (n > 1023) { // a body is never so long that its length takes three bytes
            mp_raise_ValueError(MP_ERROR_TEXT("message too long"));
        }
        if (n > 127) {
            vstr_ins_byte(out, at, n >> 7);
            n |= 128;
        }
        out->buf[at - 1] = n;
        return;
    }
    mp_buffer_info_t data;
    if (mp_obj_is_str(value) != (kind == TEXT)) {
        mp_raise_TypeError(NULL);
    }
    mp_get_buffer_raise(value, &data, MP_BUFFER_READ);
    put_varint(out, data.len);
    vstr_add_strn(out, data.buf, data.len);
}

static void put_message(vstr_t *out, mp_obj_t tables, mp_obj_t message, mp_obj_t values) {
    MP_STACK_CHECK();
    if (!mp_obj_is_dict_or_ordereddict(values)) {
        mp_raise_TypeError(NULL);
    }
    mp_map_t *map = mp_obj_dict_get_map(values);
    mp_obj_t table = mp_obj_subscr(tables, message, MP_OBJ_SENTINEL);
    size_t count, seen = 0;
    mp_obj_t *fields;
    bool chosen = false;
    mp_obj_get_array(table, &count, &fields);
    for (size_t i = 0; i < count && seen < map->used; i++) {
        mp_obj_t *field;
        mp_obj_get_array_fixed_n(fields[i], 4, &field);
        mp_map_elem_t *found = mp_map_lookup(map, field[1], MP_MAP_LOOKUP);
        if (found == NULL) {
            continue;
        }
        seen++;
        int kind = mp_obj_get_int(field[2]);
        if (kind & ONEOF) {
            if (chosen) {
                mp_raise_ValueError(MP_ERROR_TEXT("two of a oneof"));
            }
            chosen = true;
        }
        if (kind & MANY) {
            size_t n;
            mp_obj_t *items;
            mp_obj_get_array(found->value, &n, &items);
            for (size_t k = 0; k < n; k++) {
                put(out, tables, field, kind & KIND, items[k]);
            }
        } else if ((kind & KIND) == MESSAGE || mp_obj_is_true(found->value)) { // a default is not sent
            put(out, tables, field, kind & KIND, found->value);
        }
    }
    if (seen != map->used) {
        mp_raise_ValueError(MP_ERROR_TEXT("no such field"));
    }
}

static mp_obj_t messages_encode(mp_obj_t tables, mp_obj_t message, mp_obj_t values) {
    vstr_t out;
    vstr_init(&out, 64);
    put_message(&out, tables, message, values);
    return mp_obj_new_bytes_from_vstr(&out);
}
MP_DEFINE_CONST_FUN_OBJ_3(messages_encode_obj, messages_encode);

// ---- decode: whatever the bytes are, nothing outside them is read ---------------------------------

static NORETURN void refuse(void) {
    mp_raise_ValueError(MP_ERROR_TEXT("no message"));
}

static uint64_t get_varint(const byte **at, const byte *end) {
    uint64_t value = 0;
    for (unsigned shift = 0; shift <= 63; shift += 7) {
        if (*at >= end) {
            refuse();
        }
        byte b = *(*at)++;
        value |= (uint64_t)(b & 127) << shift;
        if (b < 128) {
            return value;
        }
    }
    refuse();
}

// What a message has of each plain field that was not sent, up to its oneof; a list where there are many.
static void put_defaults(mp_obj_t values, mp_obj_t *fields, size_t count) {
    mp_map_t *map = mp_obj_dict_get_map(values);
    for (size_t i = 0; i < count; i++) {
        mp_obj_t *field;
        mp_obj_get_array_fixed_n(fields[i], 4, &field);
        int kind = mp_obj_get_int(field[2]);
        if (kind & ONEOF) {
            break;
        }
        if (mp_map_lookup(map, field[1], MP_MAP_LOOKUP) != NULL) {
            continue;
        }
        mp_obj_t value;
        switch (kind) {
            case BOOL:
                value = mp_const_false;
                break;
            case TEXT:
                value = MP_OBJ_NEW_QSTR(MP_QSTR_);
                break;
            case BYTES:
                value = mp_const_empty_bytes;
                break;
            case MESSAGE:
                continue;
            default:
                value = kind & MANY ? mp_obj_new_list(0, NULL) : MP_OBJ_NEW_SMALL_INT(0);
        }
        mp_obj_dict_store(values, field[1], value);
    }
}

static mp_obj_t *find(mp_obj_t *fields, size_t count, uint32_t number) {
    for (size_t i = 0; i < count; i++) {
        mp_obj_t *field;
        mp_obj_get_array_fixed_n(fields[i], 4, &field);
        if ((uint32_t)mp_obj_get_int(field[0]) == number) {
            return field;
        }
    }
    return NULL;
}

// Of a oneof the last counts: another member goes.
static void forget_others(mp_obj_t values, mp_obj_t name) {
    mp_map_t *map = mp_obj_dict_get_map(values);
    for (size_t i = 0; i < map->alloc; i++) {
        if (mp_map_slot_is_filled(map, i) && mp_obj_is_type(map->table[i].value, &mp_type_dict)) {
            if (map->table[i].key != name) {
                mp_obj_dict_delete(values, map->table[i].key);
            }
            return;
        }
    }
}

static void get_message(mp_obj_t tables, mp_obj_t message, const byte *at, const byte *end, mp_obj_t values) {
    MP_STACK_CHECK();
    size_t count;
    mp_obj_t *fields;
    mp_obj_get_array(mp_obj_subscr(tables, message, MP_OBJ_SENTINEL), &count, &fields);
    put_defaults(values, fields, count);
    while (at < end) {
        uint64_t tag = get_varint(&at, end), value = 0;
        const byte *start = at;
        unsigned wire = tag & 7;
        if (tag < 8 || tag > 0xffffffff) {
            refuse();
        }
        if (wire == 0) {
            value = get_varint(&at, end);
        } else {
            if (wire == 2) {
                value = get_varint(&at, end);
            } else if (wire == 1 || wire == 5) {
                value = wire == 1 ? 8 : 4;
            } else {
                refuse();
            }
            if (value > (uint64_t)(end - at)) {
                refuse();
            }
            start = at;
            at += value;
        }
        mp_obj_t *field = find(fields, count, tag >> 3);
        if (field == NULL) {
            continue; // of a newer schema
        }
        int kind = mp_obj_get_int(field[2]);
        if (wire != ((kind & KIND) <= ENUM ? 0 : 2)) {
            continue; // as if it were not known, as all implementations do
        }
        mp_obj_t got;
        switch (kind & KIND) {
            case BOOL:
                got = mp_obj_new_bool(value != 0);
                break;
            case TEXT:
                if (!utf8_check(start, at - start)) {
                    refuse();
                }
                got = mp_obj_new_str((const char *)start, at - start);
                break;
            case BYTES:
                got = mp_obj_new_bytes(start, at - start);
                break;
            case MESSAGE: {
                mp_map_elem_t *old = NULL;
                if (!(kind & MANY)) { // sent in parts: they are merged
                    old = mp_map_lookup(mp_obj_dict_get_map(values), field[1], MP_MAP_LOOKUP);
                }
                if (old == NULL && (kind & ONEOF)) {
                    forget_others(values, field[1]);
                }
                got = old == NULL ? mp_obj_new_dict(0) : old->value;
                get_message(tables, field[3], start, at, got);
                break;
            }
            default:
                if (value > 0xffffffff) {
                    refuse();
                }
                got = mp_obj_new_int_from_uint(value);
        }
        if (kind & MANY) {
            mp_obj_list_append(mp_obj_dict_get(values, field[1]), got);
        } else {
            mp_obj_dict_store(values, field[1], got);
        }
    }
}

static mp_obj_t messages_decode(size_t n_args, const mp_obj_t *args) {
    mp_buffer_info_t data;
    mp_get_buffer_raise(args[2], &data, MP_BUFFER_READ);
    mp_int_t at = mp_obj_get_int(args[3]), end = mp_obj_get_int(args[4]);
    if (at < 0 || end < at || (size_t)end > data.len) {
        mp_raise_ValueError(MP_ERROR_TEXT("range"));
    }
    mp_obj_t values = mp_obj_new_dict(0);
    get_message(args[0], args[1], (const byte *)data.buf + at, (const byte *)data.buf + end, values);
    return values;
}
MP_DEFINE_CONST_FUN_OBJ_VAR_BETWEEN(messages_decode_obj, 5, 5, messages_decode);
