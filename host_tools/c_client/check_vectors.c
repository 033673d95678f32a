/* Checks this client against docs/vectors.json, given as lines of words on standard input:
     frame KIND COUNTER BODY FRAME     makes FRAME, and takes it apart again
     message KIND BODY                 decodes, and encodes to the same bytes
     bad COUNTED BYTES                 is dropped, and counted as that
     sha256 TEXT DIGEST, hmac KEY TEXT DIGEST
   All bytes are hexadecimal; "-" is none. Prints how many were right; ends with 1 when one was not. */
#include "client.h"
#include "sha256.h"

#include <pb_decode.h>
#include <pb_encode.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 1200 };

static dovetail_receiver receiver;

static size_t bytes_of(const char *text, uint8_t *bytes)
{
    size_t length = 0;
    unsigned byte;
    if (*text == '-')
        return 0;
    for (; length < MOST && sscanf(text + 2 * length, "%2x", &byte) == 1; length++)
        bytes[length] = (uint8_t)byte;
    return length;
}

static bool check_frame(unsigned kind, unsigned long counter, const char *body_text, const char *wire_text)
{
    uint8_t body[MOST], wire[MOST], header[DOVETAIL_HEADER_BYTES], made[DOVETAIL_WIRE_BYTES];
    size_t length = bytes_of(body_text, body), wire_length = bytes_of(wire_text, wire);
    dovetail_frame frame;
    bool good = false;

    dovetail_put_header(header, (uint8_t)kind, false, (uint32_t)counter);
    if (dovetail_put_frame(made, header, body, length, NULL) != wire_length || memcmp(made, wire, wire_length))
        return false;
    for (size_t at = 0; at < wire_length; at++)
        good = dovetail_take_byte(&receiver, wire[at], (uint8_t)kind, &frame);
    return good && frame.counter == counter && frame.length == length && !memcmp(frame.body, body, length);
}

static bool check_message(unsigned kind, const char *body_text)
{
    static dovetail_Report message[1]; /* the larger of the two */
    const pb_msgdesc_t *fields = kind == DOVETAIL_TO_MACHINE ? dovetail_Request_fields : dovetail_Report_fields;
    uint8_t body[MOST], again[MOST];
    size_t length = bytes_of(body_text, body);
    pb_istream_t in = pb_istream_from_buffer(body, length);
    pb_ostream_t out = pb_ostream_from_buffer(again, sizeof again);

    memset(message, 0, sizeof message);
    return pb_decode(&in, fields, message) && pb_encode(&out, fields, message) &&
           out.bytes_written == length && !memcmp(again, body, length);
}

static bool check_bad(const char *counted, const char *wire_text)
{
    uint8_t wire[MOST];
    size_t length = bytes_of(wire_text, wire);
    dovetail_frame frame;
    bool taken = false;

    memset(&receiver, 0, sizeof receiver);
    for (size_t at = 0; at < length; at++)
        taken |= dovetail_take_byte(&receiver, wire[at], DOVETAIL_TO_MACHINE, &frame) && !frame.tag;
    return !taken && receiver.overrun == !strcmp(counted, "overrun") && receiver.cut == !strcmp(counted, "cut") &&
           receiver.short_ == !strcmp(counted, "short") && receiver.wrong_crc == !strcmp(counted, "wrong_crc");
}

/* With a key: HMAC. */
static bool check_digest(const char *key_text, const char *text, const char *digest_text)
{
    uint8_t key[MOST], bytes[MOST], digest[MOST], made[DOVETAIL_SHA256_BYTES];
    size_t length = bytes_of(text, bytes);
    dovetail_sha256 sha;
    dovetail_hmac hmac;

    if (bytes_of(digest_text, digest) != sizeof made)
        return false;
    if (key_text) {
        bytes_of(key_text, key);
        dovetail_hmac_begin(&hmac, key);
        dovetail_hmac_add(&hmac, bytes, length);
        dovetail_hmac_end(&hmac, made);
    } else {
        dovetail_sha256_begin(&sha);
        dovetail_sha256_add(&sha, bytes, length);
        dovetail_sha256_end(&sha, made);
    }
    return dovetail_same(made, digest, sizeof made);
}

int main(void)
{
    static char line[4 * MOST], one[4 * MOST], two[4 * MOST], three[4 * MOST];
    unsigned kind, right = 0, wrong = 0;
    unsigned long counter;

    while (fgets(line, sizeof line, stdin)) {
        bool good = false;
        if (sscanf(line, "frame %u %lu %s %s", &kind, &counter, one, two) == 4)
            good = check_frame(kind, counter, one, two);
        else if (sscanf(line, "message %u %s", &kind, one) == 2)
            good = check_message(kind, one);
        else if (sscanf(line, "bad %s %s", one, two) == 2)
            good = check_bad(one, two);
        else if (sscanf(line, "sha256 %s %s", one, two) == 2)
            good = check_digest(NULL, one, two);
        else if (sscanf(line, "hmac %s %s %s", one, two, three) == 3)
            good = check_digest(one, two, three);
        if (!good)
            printf("wrong: %.100s\n", line);
        right += good;
        wrong += !good;
    }
    printf("%u right, %u wrong\n", right, wrong);
    return wrong ? 1 : 0;
}
