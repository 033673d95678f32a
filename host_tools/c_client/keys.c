#include "keys.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

static bool read_key(const char *line, uint8_t *key)
{
    for (size_t at = 0; at < DOVETAIL_KEY_BYTES; at++, line += 2) {
        unsigned byte;
        if (!isxdigit((unsigned char)line[0]) || !isxdigit((unsigned char)line[1]) ||
            sscanf(line, "%2x", &byte) != 1)
            return false;
        key[at] = (uint8_t)byte;
    }
    return *line == '\n' || *line == '\0';
}

bool read_keys(const char *file, uint8_t keys[KEYS][DOVETAIL_KEY_BYTES])
{
    char line[128];
    int right = 0;
    FILE *from = fopen(file, "r");

    if (!from)
        return false;
    while (right < KEYS && fgets(line, sizeof line, from) && read_key(line, keys[right]))
        right++;
    fclose(from);
    return right == KEYS;
}

bool draw_nonce(uint8_t *nonce)
{
    FILE *chance = fopen("/dev/urandom", "rb");
    bool right = chance && fread(nonce, DOVETAIL_NONCE_BYTES, 1, chance) == 1;

    if (chance)
        fclose(chance);
    return right;
}
