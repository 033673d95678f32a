// The module `cwire`: the loops of the link in which the time of an answer goes. What each function does stands in
// firmware/dovetail/hal/wire_twin.py, which does the same in Python; a test on the emulated board compares the two.
// Its encode() and decode() are in messages.c.

#include <string.h>

#define MBEDTLS_ALLOW_PRIVATE_ACCESS
#include "mbedtls/sha256.h"

#include "py/runtime.h"
#include "lib/uzlib/uzlib.h"
#include "messages.h"

#define DIGEST (32)
#define TAG (16) // from link/auth.py: TAG
#define CRC (4) // from link/frame.py: _CRC
#define GAP (4) // before a raw frame in its buffer: what COBS and the delimiters add; from hal/wire_twin.py: GAP

// ---- HMAC-SHA256 --------------------------------------------------------------------------------

// A key is the two states of the hash that have had their block of it: inner, outer.
static void begin(mbedtls_sha256_context *hash, const byte *state) {
    mbedtls_sha256_init(hash);
    mbedtls_sha256_starts(hash, 0);
    memcpy(hash->state, state, DIGEST);
    hash->total[0] = 64;
}

static void end(mbedtls_sha256_context *hash, const byte *key, byte *digest) {
    mbedtls_sha256_finish(hash, digest);
    begin(hash, key + DIGEST);
    mbedtls_sha256_update(hash, digest, DIGEST);
    mbedtls_sha256_finish(hash, digest);
    mbedtls_sha256_free(hash);
}

static const byte *key_of(mp_obj_t object) {
    mp_buffer_info_t key;
    mp_get_buffer_raise(object, &key, MP_BUFFER_READ);
    if (key.len != 2 * DIGEST) {
        mp_raise_ValueError(MP_ERROR_TEXT("key"));
    }
    return key.buf;
}

static mp_obj_t wire_key(mp_obj_t secret_in) {
    mp_buffer_info_t secret;
    mp_get_buffer_raise(secret_in, &secret, MP_BUFFER_READ);
    if (secret.len != DIGEST) {
        mp_raise_ValueError(MP_ERROR_TEXT("key"));
    }
    byte key[2 * DIGEST];
    for (int part = 0; part < 2; part++) {
        byte pad[64];
        memset(pad, part ? 0x5c : 0x36, sizeof(pad));
        for (int i = 0; i < DIGEST; i++) {
            pad[i] ^= ((const byte *)secret.buf)[i];
        }
        mbedtls_sha256_context hash;
        mbedtls_sha256_init(&hash);
        mbedtls_sha256_starts(&hash, 0);
        mbedtls_sha256_update(&hash, pad, sizeof(pad));
        memcpy(key + part * DIGEST, hash.state, DIGEST);
        mbedtls_sha256_free(&hash);
        memset(pad, 0, sizeof(pad));
    }
    return mp_obj_new_bytearray(sizeof(key), key); // it is kept: as bytes it would take a block more
}
static MP_DEFINE_CONST_FUN_OBJ_1(wire_key_obj, wire_key);

static mp_obj_t wire_mac(mp_obj_t key_in, mp_obj_t first_in, mp_obj_t second_in) {
    const byte *key = key_of(key_in);
    mp_buffer_info_t first, second;
    mp_get_buffer_raise(first_in, &first, MP_BUFFER_READ);
    mp_get_buffer_raise(second_in, &second, MP_BUFFER_READ);
    mbedtls_sha256_context hash;
    byte digest[DIGEST];
    begin(&hash, key);
    mbedtls_sha256_update(&hash, first.buf, first.len);
    mbedtls_sha256_update(&hash, second.buf, second.len);
    end(&hash, key, digest);
    return mp_obj_new_bytes(digest, sizeof(digest));
}
static MP_DEFINE_CONST_FUN_OBJ_3(wire_mac_obj, wire_mac);

// The tag over n bytes from `at` on, in this direction; behind them there must be room for it.
static byte *tag(mp_obj_t key_in, mp_obj_t direction, mp_obj_t buf_in, mp_int_t at, mp_int_t n, byte *digest) {
    const byte *key = key_of(key_in);
    byte side = mp_obj_get_int(direction);
    mp_buffer_info_t buf;
    mp_get_buffer_raise(buf_in, &buf, MP_BUFFER_RW);
    if (at < 0 || n < 0 || (size_t)(at + n + TAG) > buf.len) {
        mp_raise_ValueError(MP_ERROR_TEXT("range"));
    }
    mbedtls_sha256_context hash;
    begin(&hash, key);
    mbedtls_sha256_update(&hash, &side, 1);
    mbedtls_sha256_update(&hash, (byte *)buf.buf + at, n);
    end(&hash, key, digest);
    return (byte *)buf.buf + at + n;
}

static mp_obj_t wire_sign(size_t n_args, const mp_obj_t *args) {
    byte digest[DIGEST];
    byte *place = tag(args[0], args[1], args[2], mp_obj_get_int(args[3]), mp_obj_get_int(args[4]), digest);
    memcpy(place, digest, TAG);
    return mp_const_none;
}
static MP_DEFINE_CONST_FUN_OBJ_VAR_BETWEEN(wire_sign_obj, 5, 5, wire_sign);

static mp_obj_t wire_signed(size_t n_args, const mp_obj_t *args) {
    byte digest[DIGEST];
    const volatile byte *place = tag(args[0], args[1], args[2], 0, mp_obj_get_int(args[3]), digest);
    unsigned differ = 0; // all bytes, whatever they are
    for (int i = 0; i < TAG; i++) {
        differ |= place[i] ^ digest[i];
    }
    return mp_obj_new_bool(differ == 0);
}
static MP_DEFINE_CONST_FUN_OBJ_VAR_BETWEEN(wire_signed_obj, 4, 4, wire_signed);

// ---- COBS and CRC-32 ----------------------------------------------------------------------------

static mp_obj_t wire_stuff(mp_obj_t buf_in, mp_obj_t n_in) {
    mp_buffer_info_t info;
    mp_get_buffer_raise(buf_in, &info, MP_BUFFER_RW);
    mp_int_t n = mp_obj_get_int(n_in);
    byte *buf = info.buf;
    // three blocks at most, or what is written would overtake what is read
    if (n < 0 || n + CRC > 3 * 254 - 1 || (size_t)(GAP + n + CRC + 1) > info.len) {
        mp_raise_ValueError(MP_ERROR_TEXT("range"));
    }
    uint32_t crc = ~uzlib_crc32(buf + GAP, n, 0xffffffff);
    for (int i = 0; i < CRC; i++) {
        buf[GAP + n + i] = crc >> 8 * i;
    }
    const byte *from = buf + GAP, *last = from + n + CRC;
    byte *start = buf + 1, *to = buf + 2;
    buf[0] = 0;
    while (from < last) {
        if (to - start == 255) { // a full block stands for no zero; none follows it at the end
            *start = 255;
            start = to++;
        }
        byte b = *from++;
        if (b) {
            *to++ = b;
        } else {
            *start = to - start;
            start = to++;
        }
    }
    *start = to - start;
    *to++ = 0;
    return MP_OBJ_NEW_SMALL_INT(to - buf);
}
static MP_DEFINE_CONST_FUN_OBJ_2(wire_stuff_obj, wire_stuff);

// Places in a receiver's state
enum {
    N = 0, // from link/frame.py: _N
    LEFT = 1, // from link/frame.py: _LEFT
    FULL = 2, // from link/frame.py: _FULL
    ANY = 3, // from link/frame.py: _ANY
    OVER = 4, // from link/frame.py: _OVER
    END = 5, // from link/frame.py: _END
};

static mp_obj_t wire_take(size_t n_args, const mp_obj_t *args) {
    mp_buffer_info_t state, raw, chunk;
    mp_get_buffer_raise(args[0], &state, MP_BUFFER_RW);
    mp_get_buffer_raise(args[1], &raw, MP_BUFFER_RW);
    mp_get_buffer_raise(args[2], &chunk, MP_BUFFER_READ);
    mp_int_t at = mp_obj_get_int(args[3]), last = mp_obj_get_int(args[4]);
    uint16_t *s = state.buf;
    if (state.len != 2 * (END + 1) || at < 0 || last < at || (size_t)last > chunk.len || s[N] > raw.len) {
        mp_raise_ValueError(MP_ERROR_TEXT("range"));
    }
    byte *to = raw.buf;
    size_t n = s[N], left = s[LEFT];
    while (at < last) {
        byte b = ((const byte *)chunk.buf)[at++];
        if (b == 0) {
            s[END] = 1;
            break;
        }
        bool put = true;
        if (left) {
            left--;
        } else { // the length of the next block
            s[ANY] = 1;
            left = b - 1;
            put = !s[FULL]; // the zero before it
            s[FULL] = b == 255;
            b = 0;
        }
        if (put) {
            if (n < raw.len) {
                to[n++] = b;
            } else {
                s[OVER] = 1;
            }
        }
    }
    s[N] = n;
    s[LEFT] = left;
    return MP_OBJ_NEW_SMALL_INT(at);
}
static MP_DEFINE_CONST_FUN_OBJ_VAR_BETWEEN(wire_take_obj, 5, 5, wire_take);

static mp_obj_t wire_good(mp_obj_t raw_in, mp_obj_t n_in) {
    mp_buffer_info_t raw;
    mp_get_buffer_raise(raw_in, &raw, MP_BUFFER_READ);
    mp_int_t n = mp_obj_get_int(n_in);
    if (n < 0 || (size_t)n > raw.len) {
        mp_raise_ValueError(MP_ERROR_TEXT("range"));
    }
    return mp_obj_new_bool(uzlib_crc32(raw.buf, n, 0xffffffff) == 0xdebb20e3);
}
static MP_DEFINE_CONST_FUN_OBJ_2(wire_good_obj, wire_good);

static const mp_rom_map_elem_t wire_table[] = {
    { MP_ROM_QSTR(MP_QSTR___name__), MP_ROM_QSTR(MP_QSTR_cwire) },
    { MP_ROM_QSTR(MP_QSTR_key), MP_ROM_PTR(&wire_key_obj) },
    { MP_ROM_QSTR(MP_QSTR_mac), MP_ROM_PTR(&wire_mac_obj) },
    { MP_ROM_QSTR(MP_QSTR_sign), MP_ROM_PTR(&wire_sign_obj) },
    { MP_ROM_QSTR(MP_QSTR_signed), MP_ROM_PTR(&wire_signed_obj) },
    { MP_ROM_QSTR(MP_QSTR_stuff), MP_ROM_PTR(&wire_stuff_obj) },
    { MP_ROM_QSTR(MP_QSTR_take), MP_ROM_PTR(&wire_take_obj) },
    { MP_ROM_QSTR(MP_QSTR_good), MP_ROM_PTR(&wire_good_obj) },
    { MP_ROM_QSTR(MP_QSTR_encode), MP_ROM_PTR(&messages_encode_obj) },
    { MP_ROM_QSTR(MP_QSTR_decode), MP_ROM_PTR(&messages_decode_obj) },
};
static MP_DEFINE_CONST_DICT(wire_globals, wire_table);

const mp_obj_module_t wire_module = {
    .base = { &mp_type_module },
    .globals = (mp_obj_dict_t *)&wire_globals,
};
MP_REGISTER_MODULE(MP_QSTR_cwire, wire_module);
