// SPDX-License-Identifier: MIT
// Who is within reach of a point: the candidates of a cell are copied side by side, once for all
// points of the cell; then each point's distances to all of them, and the names of the near ones
// packed together. About one candidate in seven is kept, so the packing matters as much as the
// distances: AVX-512 and AVX2 do it without branches, and so do vectors of four by a table.
//
// For the files loops_*.c, which are compiled once for each instruction set.
#ifndef OND_SPACE_PACK_H
#define OND_SPACE_PACK_H

#include "space/near_buffers.h"
#include "space/wide.h"

#include <math.h>
#include <string.h>
#if defined(__AVX512F__) || defined(__AVX2__)
#include <immintrin.h>
#endif

#ifdef __GNUC__
#define OND_PACK_INLINE static inline __attribute__((always_inline))
#else
#define OND_PACK_INLINE static inline
#endif

// ---- candidates

// Whole vectors: reads and writes up to OND_PACK_OVER - 1 elements past the end.
OND_PACK_INLINE void ond_pack_copy(float *restrict to, const float *restrict from, uint32_t count)
{
    for (uint32_t k = 0; k < count; k += OND_PACK_OVER)
        memcpy(to + k, from + k, OND_PACK_OVER * sizeof(float));
}

/// Appends a run of points to n candidates; returns how many there are then.
OND_PACK_INLINE uint32_t ond_pack_add(const OndNearBuffer *to, uint32_t n, const float *x,
                                      const float *y, const float *z, OndRun run)
{
    const uint32_t count = run.last - run.first;
    uint32_t *restrict id = to->id + n;
    ond_pack_copy(to->x + n, x + run.first, count);
    ond_pack_copy(to->y + n, y + run.first, count);
    ond_pack_copy(to->z + n, z + run.first, count);
    for (uint32_t k = 0; k < count; k += OND_PACK_OVER)
        for (uint32_t l = 0; l < OND_PACK_OVER; ++l)
            id[k + l] = run.first + k + l;
    return n + count;
}

/// Fills the last vector up with candidates that are near to nobody.
OND_PACK_INLINE void ond_pack_end(const OndNearBuffer *to, uint32_t n)
{
    for (uint32_t k = 0; k < OND_PACK_OVER; ++k)
        to->x[n + k] = INFINITY;
}

// ---- packing

typedef struct OndPack {
    const OndNearBuffer *from;
    uint32_t count; ///< of candidates
    float reach2;
    float at[3];
    uint32_t self;  ///< name that is left out
    uint32_t *list; ///< out: names of those nearer than the reach; room for OND_PACK_OVER more
} OndPack;

// Returns how many there are.
#if defined(__AVX512F__)
OND_PACK_INLINE uint32_t ond_pack_near(const OndPack *p)
{
    const OndNearBuffer from = *p->from;
    uint32_t *const list = p->list, n = 0;
    const __m512 x = _mm512_set1_ps(p->at[0]), y = _mm512_set1_ps(p->at[1]),
                 z = _mm512_set1_ps(p->at[2]);
    const __m512 reach = _mm512_set1_ps(p->reach2);
    const __m512i me = _mm512_set1_epi32((int)p->self);
    for (uint32_t k = 0; k < p->count; k += 16) {
        const __m512 dx = _mm512_sub_ps(x, _mm512_loadu_ps(from.x + k));
        const __m512 dy = _mm512_sub_ps(y, _mm512_loadu_ps(from.y + k));
        const __m512 dz = _mm512_sub_ps(z, _mm512_loadu_ps(from.z + k));
        const __m512 r2 = _mm512_fmadd_ps(dx, dx, _mm512_fmadd_ps(dy, dy, _mm512_mul_ps(dz, dz)));
        const __m512i id = _mm512_loadu_si512(from.id + k);
        const __mmask16 near =
            _mm512_mask_cmpneq_epi32_mask(_mm512_cmp_ps_mask(r2, reach, _CMP_LT_OQ), id, me);
        // compress in a register, then store whole: storing compressed is slow on some processors
        _mm512_storeu_si512(list + n, _mm512_maskz_compress_epi32(near, id));
        n += (uint32_t)__builtin_popcount(near);
    }
    return n;
}
#elif defined(__AVX2__)
OND_PACK_INLINE uint32_t ond_pack_near(const OndPack *p)
{
    const OndNearBuffer from = *p->from;
    uint32_t *const list = p->list, n = 0;
    const __m256 x = _mm256_set1_ps(p->at[0]), y = _mm256_set1_ps(p->at[1]),
                 z = _mm256_set1_ps(p->at[2]);
    const __m256 reach = _mm256_set1_ps(p->reach2);
    const __m256i me = _mm256_set1_epi32((int)p->self);
    for (uint32_t k = 0; k < p->count; k += 8) {
        const __m256 dx = _mm256_sub_ps(x, _mm256_loadu_ps(from.x + k));
        const __m256 dy = _mm256_sub_ps(y, _mm256_loadu_ps(from.y + k));
        const __m256 dz = _mm256_sub_ps(z, _mm256_loadu_ps(from.z + k));
        const __m256 r2 = _mm256_fmadd_ps(dx, dx, _mm256_fmadd_ps(dy, dy, _mm256_mul_ps(dz, dz)));
        const __m256i id = _mm256_loadu_si256((const __m256i *)(from.id + k));
        const __m256 near = _mm256_andnot_ps(_mm256_castsi256_ps(_mm256_cmpeq_epi32(id, me)),
                                             _mm256_cmp_ps(r2, reach, _CMP_LT_OQ));
        const unsigned mask = (unsigned)_mm256_movemask_ps(near);
        // the bytes 0..7 of the kept lanes, moved together, are the permutation
        const uint64_t bytes = _pdep_u64(mask, 0x0101010101010101u) * 0xFF;
        const uint64_t lanes = _pext_u64(0x0706050403020100u, bytes);
        const __m256i turn = _mm256_cvtepu8_epi32(_mm_cvtsi64_si128((long long)lanes));
        _mm256_storeu_si256((__m256i *)(list + n), _mm256_permutevar8x32_epi32(id, turn));
        n += (uint32_t)__builtin_popcount(mask);
    }
    return n;
}
#else
// Of each four, which are kept: their places moved together, and their number.
static const OndFourMask ond_pack_kept[16] = {
    {0, 0, 0, 0}, {0, 0, 0, 0}, {1, 0, 0, 0}, {0, 1, 0, 0}, {2, 0, 0, 0}, {0, 2, 0, 0},
    {1, 2, 0, 0}, {0, 1, 2, 0}, {3, 0, 0, 0}, {0, 3, 0, 0}, {1, 3, 0, 0}, {0, 1, 3, 0},
    {2, 3, 0, 0}, {0, 2, 3, 0}, {1, 2, 3, 0}, {0, 1, 2, 3},
};
static const uint8_t ond_pack_number[16] = {0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4};

OND_PACK_INLINE OndFour ond_pack_four(const float *from)
{
    OndFour four;
    memcpy(&four, from, sizeof four);
    return four;
}

// First the candidates' places, then the names at those.
OND_PACK_INLINE uint32_t ond_pack_near(const OndPack *p)
{
    const OndNearBuffer from = *p->from;
    uint32_t *const list = p->list, n = 0, kept = 0;
    const OndFour x = ond_four(p->at[0]), y = ond_four(p->at[1]), z = ond_four(p->at[2]);
    const OndFour reach = ond_four(p->reach2);
    for (uint32_t k = 0; k < p->count; k += 4) {
        const OndFour dx = x - ond_pack_four(from.x + k), dy = y - ond_pack_four(from.y + k),
                      dz = z - ond_pack_four(from.z + k);
        const OndFour r2 = dx * dx + dy * dy + dz * dz;
        const unsigned near = ond_four_bits(r2 < reach);
        const int32_t from_here = (int32_t)k;
        const OndFourMask place = ond_pack_kept[near] + from_here;
        memcpy(list + n, &place, sizeof place);
        n += ond_pack_number[near];
    }
    for (uint32_t k = 0; k < n; ++k) {
        const uint32_t id = from.id[list[k]];
        list[kept] = id;
        kept += id != p->self;
    }
    return kept;
}
#endif

#endif
