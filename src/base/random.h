// SPDX-License-Identifier: MIT
// Random numbers that are a function of a key, so that they do not depend on the order of calls.
#ifndef OND_BASE_RANDOM_H
#define OND_BASE_RANDOM_H

#include <stdint.h>

/// Scrambles 64 bits so that neighbouring keys give unrelated values (splitmix64's finaliser).
static inline uint64_t ond_scramble(uint64_t key)
{
    key += 0x9E3779B97F4A7C15u;
    key = (key ^ (key >> 30)) * 0xBF58476D1CE4E5B9u;
    key = (key ^ (key >> 27)) * 0x94D049BB133111EBu;
    return key ^ (key >> 31);
}

/// A value in [0, 1) that belongs to (key, stream).
static inline float ond_random(uint64_t key, uint64_t stream)
{
    return (float)(ond_scramble(key ^ ond_scramble(stream)) >> 40) * (1.0f / 16777216.0f);
}

#endif
