/* SHA-256 and HMAC-SHA256. */
#ifndef DOVETAIL_SHA256_H
#define DOVETAIL_SHA256_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { DOVETAIL_SHA256_BYTES = 32 };

typedef struct {
    uint32_t state[8];
    uint8_t block[64];
    uint64_t length;
} dovetail_sha256;

void dovetail_sha256_begin(dovetail_sha256 *sha);
void dovetail_sha256_add(dovetail_sha256 *sha, const void *bytes, size_t length);
void dovetail_sha256_end(dovetail_sha256 *sha, uint8_t *digest);

typedef struct {
    dovetail_sha256 inner;
    uint8_t outer[64];
} dovetail_hmac;

/* A key has 32 bytes. */
void dovetail_hmac_begin(dovetail_hmac *hmac, const uint8_t *key);
void dovetail_hmac_add(dovetail_hmac *hmac, const void *bytes, size_t length);
void dovetail_hmac_end(dovetail_hmac *hmac, uint8_t *digest);

/* Compares in a time that does not depend on what is equal. */
bool dovetail_same(const uint8_t *one, const uint8_t *other, size_t length);

#endif
