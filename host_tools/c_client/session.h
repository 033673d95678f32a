/* The key of a session, and the tags of its frames. */
#ifndef DOVETAIL_SESSION_H
#define DOVETAIL_SESSION_H

#include "frame.h"

enum {
    DOVETAIL_KEY_BYTES = 32,  /* from link/auth.py: KEY */
    DOVETAIL_NONCE_BYTES = 16 /* from link/auth.py: NONCE */
};

/* The key that both sides make of a role's key and their nonces. */
void dovetail_session_key(uint8_t *key, const uint8_t *role_key, uint8_t role, const uint8_t *mine,
                          const uint8_t *machines);

/* The tag of a frame of this kind, DOVETAIL_TO_MACHINE or DOVETAIL_FROM_MACHINE. */
void dovetail_make_tag(uint8_t *tag, const uint8_t *key, uint8_t kind, const uint8_t *header,
                       const uint8_t *body, size_t length);

bool dovetail_tag_is_right(const dovetail_frame *frame, const uint8_t *key);

#endif
