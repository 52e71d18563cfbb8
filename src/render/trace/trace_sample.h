// SPDX-License-Identifier: MIT
// Numbers in [0, 1) for one sample of one pixel: the Sobol sequence, scrambled by hashing.
//
// Every pair of numbers that a path asks for is the pixel's own well spread set of points, taken
// in its own order; so a few samples already cover light, lens and time evenly. So are the points of
// its neighbours and its own together, of 2 x 2 pixels, 4 x 4 and so on: a curve that visits such
// squares one after the other gives pixels their parts of one sequence, and what one pixel's points
// miss the next one's have, which the filter then brings together. All follows from pixel, sample
// and seed: no state is shared, and threads change nothing. After Burley 2020, "Practical
// hash-based Owen scrambling", and Ahmed and Wonka 2020, "Screen-space blue-noise diffusion of Monte
// Carlo sampling error via hierarchical ordering of pixels".
#ifndef OND_RENDER_TRACE_SAMPLE_H
#define OND_RENDER_TRACE_SAMPLE_H

#include <stdint.h>

#define OND_SAMPLE_BLOCK 64u // pixels along each side that share a sequence

typedef struct OndSampler {
    uint32_t seed;  ///< of the block of pixels
    uint32_t index; ///< of the sample, in the block's sequence
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

// Owen's scrambling, of a number whose bits are reversed: each bit is flipped by a hash of those
// below it.
static inline uint32_t ond_sample_scramble(uint32_t x, uint32_t seed)
{
    x += seed;
    x ^= x * 0x6C50B47Cu;
    x ^= x * 0xB82F1E52u;
    x ^= x * 0xC7AFE638u;
    return x ^ x * 0x8D22F6E6u;
}

// The second dimension of Sobol's sequence from the first, which is the reversed index: Pascal's
// triangle modulo 2, which five steps of halving size make (Ahmed 2024, "An implementation algorithm
// of 2D Sobol sequence fast, elegant, and compact").
static inline uint32_t ond_sample_sobol(uint32_t x)
{
    x ^= x << 16;
    x ^= (x & 0x00FF00FFu) << 8;
    x ^= (x & 0x0F0F0F0Fu) << 4;
    x ^= (x & 0x33333333u) << 2;
    return x ^ (x & 0x55555555u) << 1;
}

// Puts a zero between each two of the lower 8 bits.
static inline uint32_t ond_sample_spread(uint32_t x)
{
    x = (x | x << 4) & 0x0F0Fu;
    x = (x | x << 2) & 0x3333u;
    return (x | x << 1) & 0x5555u;
}

/// A pixel's own sequence, apart from its neighbours': what makes its edges smooth.
static inline OndSampler ond_sampler_own(int x, int y, int index, uint32_t seed)
{
    const uint32_t place = ond_sample_hash((uint32_t)x * 0x9E3779B9u + (uint32_t)y);
    return (OndSampler){ond_sample_hash(place ^ seed), (uint32_t)index, 0};
}

/// Sample `index` of a pixel of which 2^bits are taken at once.
static inline OndSampler ond_sampler(int x, int y, int index, int bits, uint32_t seed)
{
    const uint32_t side = OND_SAMPLE_BLOCK - 1, i = (uint32_t)index, px = (uint32_t)x,
                   py = (uint32_t)y;
    const uint32_t block = ond_sample_hash((px & ~side) * 0x9E3779B9u + (py & ~side));
    const uint32_t curve = ond_sample_spread(px & side) | ond_sample_spread(py & side) << 1;
    const uint32_t round = i >> bits, within = i & ((1u << bits) - 1u);
    return (OndSampler){ond_sample_hash(block ^ seed),
                        (round * OND_SAMPLE_BLOCK * OND_SAMPLE_BLOCK + curve) << bits | within, 0};
}

/// Leaves out two numbers.
static inline void ond_sample_skip(OndSampler *s)
{
    ++s->pair;
}

/// The next two numbers.
static inline void ond_sample_pair(OndSampler *s, float *u, float *v)
{
    const uint32_t seed = ond_sample_hash(s->seed + 0x632BE5ABu * ++s->pair);
    const uint32_t first = ond_sample_scramble(ond_sample_reverse(s->index), seed);
    const uint32_t i = ond_sample_reverse(first), second = ond_sample_sobol(first);
    const uint32_t a = ond_sample_reverse(ond_sample_scramble(i, ond_sample_hash(seed ^ 1u)));
    const uint32_t b = ond_sample_reverse(
        ond_sample_scramble(ond_sample_reverse(second), ond_sample_hash(seed ^ 2u)));
    *u = (float)(a >> 8) * (1.0f / 16777216.0f);
    *v = (float)(b >> 8) * (1.0f / 16777216.0f);
}

#endif
