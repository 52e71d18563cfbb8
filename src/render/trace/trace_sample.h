// SPDX-License-Identifier: MIT
// Numbers in [0, 1) for one sample of one pixel: the Sobol sequence, scrambled by hashing.
//
// Every pair of numbers that a path asks for is the pixel's own well spread set of points, taken
// in its own order; so a few samples already cover light, lens and time evenly. All follows from
// pixel, sample and seed: no state is shared, and threads change nothing. After Burley 2020,
// "Practical hash-based Owen scrambling".
#ifndef OND_RENDER_TRACE_SAMPLE_H
#define OND_RENDER_TRACE_SAMPLE_H

#include <stdint.h>

typedef struct OndSampler {
    uint32_t seed;  ///< of the pixel
    uint32_t index; ///< of the sample
    uint32_t pair;  ///< how many pairs were taken
} OndSampler;

static inline uint32_t ond_sample_hash(uint32_t x)
{
    x = (x ^ (x >> 16)) * 0x21F0AAADu;
    x = (x ^ (x >> 15)) * 0xD35A2D97u;
    return x ^ (x >> 15);
}

static inline uint32_t ond_sample_reverse(uint32_t x)
{
    x = __builtin_bswap32(x);
    x = ((x & 0x0F0F0F0Fu) << 4) | ((x >> 4) & 0x0F0F0F0Fu);
    x = ((x & 0x33333333u) << 2) | ((x >> 2) & 0x33333333u);
    return ((x & 0x55555555u) << 1) | ((x >> 1) & 0x55555555u);
}

// Owen's scrambling: each bit is flipped by a hash of the bits above it.
static inline uint32_t ond_sample_scramble(uint32_t x, uint32_t seed)
{
    x = ond_sample_reverse(x) + seed;
    x ^= x * 0x6C50B47Cu;
    x ^= x * 0xB82F1E52u;
    x ^= x * 0xC7AFE638u;
    x ^= x * 0x8D22F6E6u;
    return ond_sample_reverse(x);
}

// The second dimension of Sobol's sequence; the first is the reversed index.
static inline uint32_t ond_sample_sobol(uint32_t index)
{
    uint32_t v = 1u << 31, x = 0;
    for (; index; index >>= 1, v ^= v >> 1)
        if (index & 1) x ^= v;
    return x;
}

static inline OndSampler ond_sampler(int x, int y, int index, uint32_t seed)
{
    const uint32_t place = ond_sample_hash((uint32_t)x * 0x9E3779B9u + (uint32_t)y);
    return (OndSampler){ond_sample_hash(place ^ seed), (uint32_t)index, 0};
}

/// The next two numbers.
static inline void ond_sample_pair(OndSampler *s, float *u, float *v)
{
    const uint32_t seed = ond_sample_hash(s->seed + 0x632BE5ABu * ++s->pair);
    const uint32_t i = ond_sample_scramble(s->index, seed);
    const uint32_t a = ond_sample_scramble(ond_sample_reverse(i), ond_sample_hash(seed ^ 1u));
    const uint32_t b = ond_sample_scramble(ond_sample_sobol(i), ond_sample_hash(seed ^ 2u));
    *u = (float)(a >> 8) * (1.0f / 16777216.0f);
    *v = (float)(b >> 8) * (1.0f / 16777216.0f);
}

#endif
