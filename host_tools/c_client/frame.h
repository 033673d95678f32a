/* Frames of the table link: COBS, CRC-32 and header, as docs/protocol.md has them. */
#ifndef DOVETAIL_FRAME_H
#define DOVETAIL_FRAME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    DOVETAIL_TO_MACHINE = 1,    /* from link/frame.py: REQUEST */
    DOVETAIL_FROM_MACHINE = 2,  /* from link/frame.py: REPORT */
    DOVETAIL_HEADER_BYTES = 6,  /* from link/frame.py: _HEADER */
    DOVETAIL_BODY_BYTES = 512,  /* from link/frame.py: MAX_BODY */
    DOVETAIL_TAG_BYTES = 16,    /* from link/auth.py: TAG */
    DOVETAIL_CRC_BYTES = 4,     /* from link/frame.py: _CRC */
    DOVETAIL_PLAIN_BYTES = 538, /* header, body, tag, CRC; from link/frame.py: _MAX_RAW */
    DOVETAIL_WIRE_BYTES = 543   /* with what COBS adds, and 2 zeros; from link/frame.py: MAX_FRAME */
};

/* A frame that came in. `body` and `tag` point into the receiver, until its next byte. */
typedef struct {
    uint8_t kind;
    uint32_t counter;
    const uint8_t *header;
    const uint8_t *body;
    size_t length;
    const uint8_t *tag; /* NULL: the frame has none */
} dovetail_frame;

typedef struct {
    uint8_t bytes[DOVETAIL_WIRE_BYTES];
    size_t length;
    uint32_t overrun, cut, short_, wrong_crc, unknown; /* frames that were dropped */
} dovetail_receiver;

uint32_t dovetail_crc32(const uint8_t *bytes, size_t length);

/* Writes the header of a frame. */
void dovetail_put_header(uint8_t *header, uint8_t kind, bool tagged, uint32_t counter);

/* Writes a frame with both its zeros to `wire`, of DOVETAIL_WIRE_BYTES; returns its length. tag may be NULL. */
size_t dovetail_put_frame(uint8_t *wire, const uint8_t *header, const uint8_t *body, size_t length,
                          const uint8_t *tag);

/* Takes one byte from the wire; true when it ends a good frame of this kind, which is then in *frame. */
bool dovetail_take_byte(dovetail_receiver *receiver, uint8_t byte, uint8_t kind, dovetail_frame *frame);

#endif
