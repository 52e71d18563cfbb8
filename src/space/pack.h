// SPDX-License-Identifier: MIT
// Who of a run of points is within reach: distances to all, and the indices of the near ones packed
// together. About one candidate in six is kept, so the packing matters as much as the distances:
// AVX-512 and AVX2 do it without branches, and a plain version says what they do.
//
// For the files loops_*.c, which are compiled once for each instruction set.
#ifndef OND_SPACE_PACK_H
#define OND_SPACE_PACK_H

#include "space/cells.h"

#if defined(__AVX512F__) || defined(__AVX2__)
#include <immintrin.h>
#endif

#define OND_PACK_OVER 16 // entries that are written past the result, elements read past a run

typedef struct OndPack {
    const float *x, *y, *z;
    const uint32_t *id; ///< name of each; NULL: its place
    float reach2;
    float at[3];
    uint32_t self;   ///< name that is left out
    uint32_t *index; ///< out
    float *r2;       ///< out: squared distances beside them; NULL: not wanted
} OndPack;

#ifdef __GNUC__
#define OND_PACK_INLINE static inline __attribute__((always_inline))
#else
#define OND_PACK_INLINE static inline
#endif

// Appends to a list of n those of the run that are nearer than the reach; returns the new n.
// `named` and `measured` say whether there are `id` and `r2`, as constants.
#if defined(__AVX512F__)
OND_PACK_INLINE uint32_t ond_pack_run(const OndPack *p, OndRun run, uint32_t n, const int named,
                                      const int measured)
{
    const __m512 x = _mm512_set1_ps(p->at[0]), y = _mm512_set1_ps(p->at[1]),
                 z = _mm512_set1_ps(p->at[2]);
    const __m512 reach = _mm512_set1_ps(p->reach2);
    const __m512i me = _mm512_set1_epi32((int)p->self), step = _mm512_set1_epi32(16);
    const __m512i count = _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
    const __m512i end = _mm512_set1_epi32((int)run.last);
    __m512i j = _mm512_add_epi32(_mm512_set1_epi32((int)run.first), count);
    for (uint32_t k = run.first; k < run.last; k += 16, j = _mm512_add_epi32(j, step)) {
        const __m512 dx = _mm512_sub_ps(x, _mm512_loadu_ps(p->x + k));
        const __m512 dy = _mm512_sub_ps(y, _mm512_loadu_ps(p->y + k));
        const __m512 dz = _mm512_sub_ps(z, _mm512_loadu_ps(p->z + k));
        const __m512 r2 = _mm512_fmadd_ps(dx, dx, _mm512_fmadd_ps(dy, dy, _mm512_mul_ps(dz, dz)));
        const __mmask16 inside = named ? 0xFFFF : _mm512_cmplt_epi32_mask(j, end);
        __mmask16 near = _mm512_mask_cmp_ps_mask(inside, r2, reach, _CMP_LT_OQ);
        const __m512i id = named ? _mm512_loadu_si512(p->id + k) : j;
        near = _mm512_mask_cmpneq_epi32_mask(near, id, me);
        // compress in a register, then store whole: storing compressed is slow on some processors
        _mm512_storeu_si512(p->index + n, _mm512_maskz_compress_epi32(near, id));
        if (measured) _mm512_storeu_ps(p->r2 + n, _mm512_maskz_compress_ps(near, r2));
        n += (uint32_t)__builtin_popcount(near);
    }
    return n;
}
#elif defined(__AVX2__)
OND_PACK_INLINE uint32_t ond_pack_run(const OndPack *p, OndRun run, uint32_t n, const int named,
                                      const int measured)
{
    const __m256 x = _mm256_set1_ps(p->at[0]), y = _mm256_set1_ps(p->at[1]),
                 z = _mm256_set1_ps(p->at[2]);
    const __m256 reach = _mm256_set1_ps(p->reach2);
    const __m256i me = _mm256_set1_epi32((int)p->self), step = _mm256_set1_epi32(8);
    const __m256i end = _mm256_set1_epi32((int)run.last);
    __m256i j = _mm256_add_epi32(_mm256_set1_epi32((int)run.first),
                                 _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7));
    for (uint32_t k = run.first; k < run.last; k += 8, j = _mm256_add_epi32(j, step)) {
        const __m256 dx = _mm256_sub_ps(x, _mm256_loadu_ps(p->x + k));
        const __m256 dy = _mm256_sub_ps(y, _mm256_loadu_ps(p->y + k));
        const __m256 dz = _mm256_sub_ps(z, _mm256_loadu_ps(p->z + k));
        const __m256 r2 = _mm256_fmadd_ps(dx, dx, _mm256_fmadd_ps(dy, dy, _mm256_mul_ps(dz, dz)));
        const __m256i id = named ? _mm256_loadu_si256((const __m256i *)(p->id + k)) : j;
        const __m256i inside =
            _mm256_andnot_si256(_mm256_cmpeq_epi32(id, me), _mm256_cmpgt_epi32(end, j));
        const __m256 near =
            _mm256_and_ps(_mm256_castsi256_ps(inside), _mm256_cmp_ps(r2, reach, _CMP_LT_OQ));
        const unsigned mask = (unsigned)_mm256_movemask_ps(near);
        // the bytes 0..7 of the kept lanes, moved together, are the permutation
        const uint64_t bytes = _pdep_u64(mask, 0x0101010101010101u) * 0xFF;
        const uint64_t lanes = _pext_u64(0x0706050403020100u, bytes);
        const __m256i turn = _mm256_cvtepu8_epi32(_mm_cvtsi64_si128((long long)lanes));
        _mm256_storeu_si256((__m256i *)(p->index + n), _mm256_permutevar8x32_epi32(id, turn));
        if (measured) _mm256_storeu_ps(p->r2 + n, _mm256_permutevar8x32_ps(r2, turn));
        n += (uint32_t)__builtin_popcount(mask);
    }
    return n;
}
#else
OND_PACK_INLINE uint32_t ond_pack_run(const OndPack *p, OndRun run, uint32_t n, const int named,
                                      const int measured)
{
    for (uint32_t j = run.first; j < run.last; ++j) {
        const float dx = p->at[0] - p->x[j], dy = p->at[1] - p->y[j], dz = p->at[2] - p->z[j];
        const float r2 = dx * dx + dy * dy + dz * dz;
        const uint32_t id = named ? p->id[j] : j;
        p->index[n] = id;
        if (measured) p->r2[n] = r2;
        n += (r2 < p->reach2) & (id != p->self);
    }
    return n;
}
#endif

#endif
