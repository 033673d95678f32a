#include "frame.h"

#include <string.h>

#define VERSION 1u  /* from link/frame.py: VERSION */
#define FLAG_TAG 1u /* from link/frame.py: TAGGED */
#define CUT ((size_t)-1)

static uint32_t crc_step(uint32_t crc, uint8_t byte)
{
    crc ^= byte;
    for (int bit = 0; bit < 8; bit++)
        crc = (crc >> 1) ^ (0xEDB88320u & (0u - (crc & 1u)));
    return crc;
}

uint32_t dovetail_crc32(const uint8_t *bytes, size_t length)
{
    uint32_t crc = 0xFFFFFFFFu;
    while (length--)
        crc = crc_step(crc, *bytes++);
    return crc ^ 0xFFFFFFFFu;
}

void dovetail_put_header(uint8_t *header, uint8_t kind, bool tagged, uint32_t counter)
{
    header[0] = (uint8_t)(VERSION << 4 | kind);
    header[1] = tagged ? FLAG_TAG : 0;
    for (int at = 0; at < 4; at++)
        header[2 + at] = (uint8_t)(counter >> (8 * at));
}

/* A COBS block under way: its code is written when its length is known. */
typedef struct {
    uint8_t *wire;
    size_t length, code;
    bool full; /* a block of 254 has just ended: at the end of all no other follows */
} stuffer;

static void begin_block(stuffer *to)
{
    to->code = to->length++;
    to->wire[to->code] = 1;
    to->full = false;
}

static void put(stuffer *to, const uint8_t *bytes, size_t length)
{
    for (; length--; bytes++) {
        if (to->full)
            begin_block(to);
        if (*bytes == 0) {
            begin_block(to);
            continue;
        }
        to->wire[to->length++] = *bytes;
        to->full = ++to->wire[to->code] == 0xFF;
    }
}

size_t dovetail_put_frame(uint8_t *wire, const uint8_t *header, const uint8_t *body, size_t length,
                          const uint8_t *tag)
{
    uint32_t crc = 0xFFFFFFFFu;
    uint8_t end[DOVETAIL_CRC_BYTES];
    const struct { const uint8_t *bytes; size_t length; } parts[] = {
        {header, DOVETAIL_HEADER_BYTES}, {body, length}, {tag, tag ? DOVETAIL_TAG_BYTES : 0},
    };
    stuffer to = {wire, 0, 0, false};

    wire[to.length++] = 0;
    begin_block(&to);
    for (size_t part = 0; part < sizeof parts / sizeof parts[0]; part++) {
        for (size_t at = 0; at < parts[part].length; at++)
            crc = crc_step(crc, parts[part].bytes[at]);
        put(&to, parts[part].bytes, parts[part].length);
    }
    crc ^= 0xFFFFFFFFu;
    for (int at = 0; at < 4; at++)
        end[at] = (uint8_t)(crc >> (8 * at));
    put(&to, end, sizeof end);
    wire[to.length++] = 0;
    return to.length;
}

/* Takes COBS out, in place; returns the new length, or CUT when a block is cut. */
static size_t unstuff(uint8_t *bytes, size_t length)
{
    size_t from = 0, to = 0;
    while (from < length) {
        uint8_t code = bytes[from++];
        if (from + code - 1 > length)
            return CUT;
        memmove(bytes + to, bytes + from, code - 1u);
        to += code - 1u;
        from += code - 1u;
        if (code != 0xFF && from < length)
            bytes[to++] = 0;
    }
    return to;
}

static bool understand(dovetail_receiver *from, uint8_t kind, dovetail_frame *frame)
{
    size_t least = DOVETAIL_HEADER_BYTES + DOVETAIL_CRC_BYTES;
    size_t length = unstuff(from->bytes, from->length);
    const uint8_t *bytes = from->bytes;
    uint32_t crc = 0;

    if (length == CUT)
        return from->cut++, false;
    if (length > DOVETAIL_PLAIN_BYTES)
        return from->overrun++, false;
    if (length < least)
        return from->short_++, false;
    for (int at = 0; at < 4; at++)
        crc |= (uint32_t)bytes[length - 4 + (size_t)at] << (8 * at);
    if (crc != dovetail_crc32(bytes, length - 4))
        return from->wrong_crc++, false;
    if (bytes[0] != (VERSION << 4 | kind) || (bytes[1] & ~FLAG_TAG))
        return from->unknown++, false;
    memset(frame, 0, sizeof *frame);
    if (bytes[1] & FLAG_TAG) {
        if (length < least + DOVETAIL_TAG_BYTES)
            return from->short_++, false;
        frame->tag = bytes + length - DOVETAIL_CRC_BYTES - DOVETAIL_TAG_BYTES;
        least += DOVETAIL_TAG_BYTES;
    }
    if (length - least > DOVETAIL_BODY_BYTES)
        return from->overrun++, false;
    frame->kind = kind;
    for (int at = 0; at < 4; at++)
        frame->counter |= (uint32_t)bytes[2 + at] << (8 * at);
    frame->header = bytes;
    frame->body = bytes + DOVETAIL_HEADER_BYTES;
    frame->length = length - least;
    return true;
}

bool dovetail_take_byte(dovetail_receiver *receiver, uint8_t byte, uint8_t kind, dovetail_frame *frame)
{
    bool good = false;
    if (byte != 0) { /* what is over stays at one too many, and is counted once, at the zero */
        if (receiver->length <= DOVETAIL_WIRE_BYTES - 2)
            receiver->bytes[receiver->length++] = byte;
        return false;
    }
    if (receiver->length > DOVETAIL_WIRE_BYTES - 2)
        receiver->overrun++;
    else if (receiver->length > 0)
        good = understand(receiver, kind, frame);
    receiver->length = 0;
    return good;
}
