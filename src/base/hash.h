// SPDX-License-Identifier: MIT
// A 64-bit checksum of bytes, given in any pieces.
//
// Four lanes take eight bytes each in turn, so that it runs at the speed of memory. Every step is a
// bijection of the lane, and the lanes are folded by bijections too: a change within one aligned
// group of eight bytes, one flipped bit above all, always changes the result. It guards against
// damage, not against malice. The same on every machine, whatever its byte order.
#ifndef OND_BASE_HASH_H
#define OND_BASE_HASH_H

#include <stddef.h>
#include <stdint.h>

typedef struct OndHash {
    uint64_t lane[4];
    uint64_t length;        ///< bytes so far
    unsigned char rest[32]; ///< those that do not fill a block yet
} OndHash;

void ond_hash_begin(OndHash *hash);
void ond_hash_add(OndHash *hash, const void *bytes, size_t size);
uint64_t ond_hash_end(const OndHash *hash);

/// All three at once.
uint64_t ond_hash_bytes(const void *bytes, size_t size);

#endif
