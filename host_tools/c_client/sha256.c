#include "sha256.h"

#include <string.h>

/* The first 32 bits of the fractional parts of the cube roots of the first 64 primes (FIPS 180-4). */
static const uint32_t K[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
};

static uint32_t right(uint32_t word, int bits)
{
    return word >> bits | word << (32 - bits);
}

static void take_block(uint32_t *state, const uint8_t *block)
{
    uint32_t w[64], s[8];

    for (int i = 0; i < 16; i++, block += 4)
        w[i] = (uint32_t)block[0] << 24 | (uint32_t)block[1] << 16 | (uint32_t)block[2] << 8 | block[3];
    for (int i = 16; i < 64; i++) {
        uint32_t a = w[i - 15], b = w[i - 2];
        w[i] = w[i - 16] + w[i - 7] + (right(a, 7) ^ right(a, 18) ^ a >> 3) +
               (right(b, 17) ^ right(b, 19) ^ b >> 10);
    }
    memcpy(s, state, sizeof s);
    for (int i = 0; i < 64; i++) {
        uint32_t e = s[4], a = s[0];
        uint32_t one = s[7] + (right(e, 6) ^ right(e, 11) ^ right(e, 25)) +
                       ((e & s[5]) ^ (~e & s[6])) + K[i] + w[i];
        uint32_t two = (right(a, 2) ^ right(a, 13) ^ right(a, 22)) +
                       ((a & s[1]) ^ (a & s[2]) ^ (s[1] & s[2]));
        memmove(s + 1, s, 7 * sizeof *s);
        s[4] += one;
        s[0] = one + two;
    }
    for (int i = 0; i < 8; i++)
        state[i] += s[i];
}

void dovetail_sha256_begin(dovetail_sha256 *sha)
{
    static const uint32_t start[8] = {
        0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19,
    };
    memcpy(sha->state, start, sizeof start);
    sha->length = 0;
}

void dovetail_sha256_add(dovetail_sha256 *sha, const void *bytes, size_t length)
{
    for (const uint8_t *from = bytes; length--; from++) {
        sha->block[sha->length++ % 64] = *from;
        if (sha->length % 64 == 0)
            take_block(sha->state, sha->block);
    }
}

void dovetail_sha256_end(dovetail_sha256 *sha, uint8_t *digest)
{
    uint64_t bits = sha->length * 8;
    uint8_t tail[8];

    for (int i = 0; i < 8; i++)
        tail[i] = (uint8_t)(bits >> (56 - 8 * i));
    dovetail_sha256_add(sha, "\x80", 1);
    while (sha->length % 64 != 56)
        dovetail_sha256_add(sha, "", 1);
    dovetail_sha256_add(sha, tail, sizeof tail);
    for (int i = 0; i < 32; i++)
        digest[i] = (uint8_t)(sha->state[i / 4] >> (24 - 8 * (i % 4)));
}

void dovetail_hmac_begin(dovetail_hmac *hmac, const uint8_t *key)
{
    uint8_t inner[64];

    memset(inner, 0x36, sizeof inner);
    memset(hmac->outer, 0x5c, sizeof hmac->outer);
    for (int i = 0; i < 32; i++) {
        inner[i] ^= key[i];
        hmac->outer[i] ^= key[i];
    }
    dovetail_sha256_begin(&hmac->inner);
    dovetail_sha256_add(&hmac->inner, inner, sizeof inner);
}

void dovetail_hmac_add(dovetail_hmac *hmac, const void *bytes, size_t length)
{
    dovetail_sha256_add(&hmac->inner, bytes, length);
}

void dovetail_hmac_end(dovetail_hmac *hmac, uint8_t *digest)
{
    dovetail_sha256_end(&hmac->inner, digest);
    dovetail_sha256_begin(&hmac->inner);
    dovetail_sha256_add(&hmac->inner, hmac->outer, sizeof hmac->outer);
    dovetail_sha256_add(&hmac->inner, digest, DOVETAIL_SHA256_BYTES);
    dovetail_sha256_end(&hmac->inner, digest);
}

bool dovetail_same(const uint8_t *one, const uint8_t *other, size_t length)
{
    uint8_t differ = 0;
    while (length--)
        differ |= (uint8_t)(*one++ ^ *other++);
    return differ == 0;
}
