#include "session.h"

#include "sha256.h"

#include <string.h>

void dovetail_session_key(uint8_t *key, const uint8_t *role_key, uint8_t role, const uint8_t *mine,
                          const uint8_t *machines)
{
    static const char label[] = "dovetail session 1";
    dovetail_hmac hmac;

    dovetail_hmac_begin(&hmac, role_key);
    dovetail_hmac_add(&hmac, label, sizeof label - 1);
    dovetail_hmac_add(&hmac, &role, 1);
    dovetail_hmac_add(&hmac, mine, DOVETAIL_NONCE_BYTES);
    dovetail_hmac_add(&hmac, machines, DOVETAIL_NONCE_BYTES);
    dovetail_hmac_end(&hmac, key);
}

void dovetail_make_tag(uint8_t *tag, const uint8_t *key, uint8_t kind, const uint8_t *header,
                       const uint8_t *body, size_t length)
{
    uint8_t digest[DOVETAIL_SHA256_BYTES];
    dovetail_hmac hmac;

    dovetail_hmac_begin(&hmac, key);
    dovetail_hmac_add(&hmac, kind == DOVETAIL_TO_MACHINE ? "C" : "D", 1);
    dovetail_hmac_add(&hmac, header, DOVETAIL_HEADER_BYTES);
    dovetail_hmac_add(&hmac, body, length);
    dovetail_hmac_end(&hmac, digest);
    memcpy(tag, digest, DOVETAIL_TAG_BYTES);
}

bool dovetail_tag_is_right(const dovetail_frame *frame, const uint8_t *key)
{
    uint8_t tag[DOVETAIL_TAG_BYTES];

    dovetail_make_tag(tag, key, frame->kind, frame->header, frame->body, frame->length);
    return dovetail_same(tag, frame->tag, sizeof tag);
}
