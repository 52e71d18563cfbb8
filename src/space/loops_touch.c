// SPDX-License-Identifier: MIT
// Which boxes of a run touch a box: 4 comparisons each (6 in 3D) and the ids of those that pass,
// packed. AVX-512 and AVX2 do it without branches, and a plain version says what they do.
#include "space/loops.h"

#include <stdbool.h>

#if defined(__AVX512F__) || defined(__AVX2__)
#include <immintrin.h>
#endif

#ifdef __GNUC__
#define ALWAYS_INLINE static inline __attribute__((always_inline))
#else
#define ALWAYS_INLINE static inline
#endif

// Where the limit of a side stands: in 3D the lower sides are filled up to four.
#define LIMIT(s) (sides == 4 || (s) < 3 ? (s) : (s) + 1)

#if defined(__AVX512F__)
ALWAYS_INLINE void touch_run(const OndTouchLoop *t, const OndLimits *q, OndRun run, const int sides,
                             OndTouchFound *f)
{
    uint32_t n = f->count, doubts = f->doubts;
    for (uint32_t k = run.first; k < run.last; k += 16) {
        const uint32_t rest = run.last - k;
        __mmask16 may = (__mmask16)(rest < 16 ? (1u << rest) - 1u : 0xFFFFu);
        for (int s = 0; s < sides; ++s)
            may = _mm512_mask_cmp_ps_mask(may, _mm512_loadu_ps(t->side[s] + k),
                                          _mm512_set1_ps(q->limit[LIMIT(s)]), _CMP_LE_OQ);
        if (!may) continue;
        __mmask16 sure = may;
        for (int s = 0; s < sides; ++s)
            sure = _mm512_mask_cmp_ps_mask(sure, _mm512_loadu_ps(t->side[s] + k),
                                           _mm512_set1_ps(q->sure[LIMIT(s)]), _CMP_LE_OQ);
        __m512i id = _mm512_loadu_si512(t->id + k);
        id = _mm512_mask_or_epi32(id, (__mmask16)~sure, id, _mm512_set1_epi32((int)OND_HIT_DOUBT));
        _mm512_storeu_si512(f->id + n, _mm512_maskz_compress_epi32(may, id));
        n += (uint32_t)__builtin_popcount(may);
        doubts |= (uint32_t)may & ~(uint32_t)sure;
    }
    f->count = n, f->doubts = doubts;
}
#elif defined(__AVX2__)
ALWAYS_INLINE void touch_run(const OndTouchLoop *t, const OndLimits *q, OndRun run, const int sides,
                             OndTouchFound *f)
{
    uint32_t n = f->count, doubts = f->doubts;
    const __m256i count = _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7);
    for (uint32_t k = run.first; k < run.last; k += 8) {
        const __m256i rest = _mm256_set1_epi32((int)(run.last - k));
        __m256 may = _mm256_castsi256_ps(_mm256_cmpgt_epi32(rest, count)), sure = may;
        for (int s = 0; s < sides; ++s) {
            const __m256 side = _mm256_loadu_ps(t->side[s] + k);
            may = _mm256_and_ps(
                may, _mm256_cmp_ps(side, _mm256_set1_ps(q->limit[LIMIT(s)]), _CMP_LE_OQ));
            sure = _mm256_and_ps(
                sure, _mm256_cmp_ps(side, _mm256_set1_ps(q->sure[LIMIT(s)]), _CMP_LE_OQ));
        }
        const __m256 doubt =
            _mm256_andnot_ps(sure, _mm256_castsi256_ps(_mm256_set1_epi32((int)OND_HIT_DOUBT)));
        const __m256i id = _mm256_or_si256(_mm256_loadu_si256((const __m256i *)(t->id + k)),
                                           _mm256_castps_si256(doubt));
        const unsigned mask = (unsigned)_mm256_movemask_ps(may);
        // the bytes 0..7 of the kept lanes, moved together, are the permutation
        const uint64_t bytes = _pdep_u64(mask, 0x0101010101010101u) * 0xFF;
        const uint64_t lanes = _pext_u64(0x0706050403020100u, bytes);
        const __m256i turn = _mm256_cvtepu8_epi32(_mm_cvtsi64_si128((long long)lanes));
        _mm256_storeu_si256((__m256i *)(f->id + n), _mm256_permutevar8x32_epi32(id, turn));
        n += (uint32_t)__builtin_popcount(mask);
        doubts |= mask & ~(unsigned)_mm256_movemask_ps(sure);
    }
    f->count = n, f->doubts = doubts;
}
#else
ALWAYS_INLINE void touch_run(const OndTouchLoop *t, const OndLimits *q, OndRun run, const int sides,
                             OndTouchFound *f)
{
    uint32_t n = f->count, doubts = f->doubts;
    for (uint32_t k = run.first; k < run.last; ++k) {
        bool may = true, sure = true;
        for (int s = 0; s < sides; ++s) {
            may &= t->side[s][k] <= q->limit[LIMIT(s)];
            sure &= t->side[s][k] <= q->sure[LIMIT(s)];
        }
        f->id[n] = sure ? t->id[k] : t->id[k] | OND_HIT_DOUBT;
        n += may;
        doubts |= may & !sure;
    }
    f->count = n, f->doubts = doubts;
}
#endif

void OND_SPACE_LOOP(touch)(const OndTouchLoop *t, const OndLimits *q, const OndRun *run, int runs,
                           OndTouchFound *found);
void OND_SPACE_LOOP(touch)(const OndTouchLoop *t, const OndLimits *q, const OndRun *run, int runs,
                           OndTouchFound *found)
{
    OndTouchFound f = *found;
    if (t->sides == 4)
        for (int r = 0; r < runs; ++r)
            touch_run(t, q, run[r], 4, &f);
    else
        for (int r = 0; r < runs; ++r)
            touch_run(t, q, run[r], 6, &f);
    *found = f;
}
