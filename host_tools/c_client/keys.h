/* For the example programs: the keys of a machine from a file, and nonces. */
#ifndef DOVETAIL_KEYS_H
#define DOVETAIL_KEYS_H

#include "session.h"

enum { KEYS = 4, TABLE_KEY = 0, SERVICE_KEY, AUDIT_KEY, SUPERVISOR_KEY };

/* Reads four lines of 64 hexadecimal digits: table, service, audit, supervisor. */
bool read_keys(const char *file, uint8_t keys[KEYS][DOVETAIL_KEY_BYTES]);

/* A nonce from the system's random numbers. */
bool draw_nonce(uint8_t *nonce);

#endif
