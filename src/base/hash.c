// SPDX-License-Identifier: MIT
#include "base/hash.h"

#include "base/random.h"

#include <string.h>

#define BLOCK 32 // four lanes of eight bytes

static uint64_t load64(const unsigned char *b)
{
    uint64_t word = 0;
    for (int k = 7; k >= 0; --k)
        word = word << 8 | b[k];
    return word;
}

static uint64_t turn(uint64_t lane, uint64_t word)
{
    lane = (lane ^ word) * 0x9FB21C651E98DF25u;
    return lane << 31 | lane >> 33;
}

static void add_blocks(OndHash *hash, const unsigned char *b, size_t blocks)
{
    uint64_t a0 = hash->lane[0], a1 = hash->lane[1], a2 = hash->lane[2], a3 = hash->lane[3];
    for (; blocks; --blocks, b += BLOCK) {
        a0 = turn(a0, load64(b));
        a1 = turn(a1, load64(b + 8));
        a2 = turn(a2, load64(b + 16));
        a3 = turn(a3, load64(b + 24));
    }
    hash->lane[0] = a0, hash->lane[1] = a1, hash->lane[2] = a2, hash->lane[3] = a3;
}

void ond_hash_begin(OndHash *hash)
{
    memset(hash, 0, sizeof *hash);
    for (int k = 0; k < 4; ++k)
        hash->lane[k] = ond_scramble((uint64_t)k);
}

void ond_hash_add(OndHash *hash, const void *bytes, size_t size)
{
    const unsigned char *b = bytes;
    const size_t held = hash->length % BLOCK;
    if (size == 0) return;
    hash->length += size;
    if (held) {
        const size_t take = size < BLOCK - held ? size : BLOCK - held;
        memcpy(hash->rest + held, b, take);
        if (held + take < BLOCK) return;
        add_blocks(hash, hash->rest, 1);
        b += take, size -= take;
    }
    add_blocks(hash, b, size / BLOCK);
    if (size % BLOCK) memcpy(hash->rest, b + size / BLOCK * BLOCK, size % BLOCK);
}

uint64_t ond_hash_end(const OndHash *hash)
{
    OndHash last = *hash;
    const size_t held = last.length % BLOCK;
    if (held) {
        memset(last.rest + held, 0, BLOCK - held);
        add_blocks(&last, last.rest, 1);
    }
    uint64_t result = ond_scramble(last.length);
    for (int k = 0; k < 4; ++k)
        result = ond_scramble(result ^ last.lane[k]);
    return result;
}

uint64_t ond_hash_bytes(const void *bytes, size_t size)
{
    OndHash hash;
    ond_hash_begin(&hash);
    ond_hash_add(&hash, bytes, size);
    return ond_hash_end(&hash);
}
