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

// How far a box is beyond the limits on the side where it is so most: it may touch up to 0, and
// does so without doubt up to -margin. A difference of floats has the right sign.
#if defined(__AVX512F__)
ALWAYS_INLINE void touch_runs(const OndTouchLoop *t, const OndRun *run, const OndRun *end,
                              const int sides, OndTouchAsked *q, OndTouchFound *f)
{
    const __m512 none = _mm512_setzero_ps(), sure = _mm512_set1_ps(-t->margin);
    const __m512i mark = _mm512_set1_epi32((int)OND_HIT_DOUBT);
    __m512 limit[6];
    for (int s = 0; s < sides; ++s)
        limit[s] = _mm512_set1_ps(q->limits.limit[LIMIT(s)]);
    uint32_t n = f->count, doubts = q->doubts;
    for (; run < end; ++run)
        for (uint32_t k = run->first; k < run->last; k += 16) {
            const uint32_t rest = run->last - k;
            const __mmask16 there = (__mmask16)(rest < 16 ? (1u << rest) - 1u : 0xFFFFu);
            __m512 beyond = _mm512_sub_ps(_mm512_loadu_ps(t->side[0] + k), limit[0]);
            for (int s = 1; s < sides; ++s)
                beyond =
                    _mm512_max_ps(beyond, _mm512_sub_ps(_mm512_loadu_ps(t->side[s] + k), limit[s]));
            const __mmask16 may = _mm512_mask_cmp_ps_mask(there, beyond, none, _CMP_LE_OQ);
            const __mmask16 doubt = _mm512_mask_cmp_ps_mask(may, beyond, sure, _CMP_GT_OQ);
            const __m512i name = _mm512_loadu_si512(t->id + k);
            const __m512i id = _mm512_mask_or_epi32(name, doubt, name, mark);
            // compress in a register, then store whole: storing compressed is slow on some
            // processors
            _mm512_storeu_si512(f->id + n, _mm512_maskz_compress_epi32(may, id));
            n += (uint32_t)__builtin_popcount(may);
            doubts |= doubt;
        }
    f->count = n, q->doubts = doubts;
}
#elif defined(__AVX2__)
ALWAYS_INLINE void touch_runs(const OndTouchLoop *t, const OndRun *run, const OndRun *end,
                              const int sides, OndTouchAsked *q, OndTouchFound *f)
{
    const __m256i count = _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7);
    const __m256i mark = _mm256_set1_epi32((int)OND_HIT_DOUBT);
    const __m256 none = _mm256_setzero_ps(), sure = _mm256_set1_ps(-t->margin);
    __m256 limit[6];
    for (int s = 0; s < sides; ++s)
        limit[s] = _mm256_set1_ps(q->limits.limit[LIMIT(s)]);
    uint32_t n = f->count, doubts = q->doubts;
    for (; run < end; ++run)
        for (uint32_t k = run->first; k < run->last; k += 8) {
            const __m256i rest = _mm256_set1_epi32((int)(run->last - k));
            const __m256 there = _mm256_castsi256_ps(_mm256_cmpgt_epi32(rest, count));
            __m256 beyond = _mm256_sub_ps(_mm256_loadu_ps(t->side[0] + k), limit[0]);
            for (int s = 1; s < sides; ++s)
                beyond =
                    _mm256_max_ps(beyond, _mm256_sub_ps(_mm256_loadu_ps(t->side[s] + k), limit[s]));
            const __m256 may = _mm256_and_ps(there, _mm256_cmp_ps(beyond, none, _CMP_LE_OQ));
            const __m256 doubt = _mm256_and_ps(may, _mm256_cmp_ps(beyond, sure, _CMP_GT_OQ));
            const __m256i id = _mm256_or_si256(_mm256_loadu_si256((const __m256i *)(t->id + k)),
                                               _mm256_and_si256(_mm256_castps_si256(doubt), mark));
            const unsigned mask = (unsigned)_mm256_movemask_ps(may);
            // the bytes 0..7 of the kept lanes, moved together, are the permutation
            const uint64_t bytes = _pdep_u64(mask, 0x0101010101010101u) * 0xFF;
            const uint64_t lanes = _pext_u64(0x0706050403020100u, bytes);
            const __m256i turn = _mm256_cvtepu8_epi32(_mm_cvtsi64_si128((long long)lanes));
            _mm256_storeu_si256((__m256i *)(f->id + n), _mm256_permutevar8x32_epi32(id, turn));
            n += (uint32_t)__builtin_popcount(mask);
            doubts |= (uint32_t)_mm256_movemask_ps(doubt);
        }
    f->count = n, q->doubts = doubts;
}
#else
ALWAYS_INLINE void touch_runs(const OndTouchLoop *t, const OndRun *run, const OndRun *end,
                              const int sides, OndTouchAsked *q, OndTouchFound *f)
{
    uint32_t n = f->count, doubts = q->doubts;
    for (; run < end; ++run)
        for (uint32_t k = run->first; k < run->last; ++k) {
            bool may = true, sure = true;
            for (int s = 0; s < sides; ++s) {
                const float beyond = t->side[s][k] - q->limits.limit[LIMIT(s)];
                may &= beyond <= 0.0f;
                sure &= beyond <= -t->margin;
            }
            f->id[n] = sure ? t->id[k] : t->id[k] | OND_HIT_DOUBT;
            n += may;
            doubts |= may & !sure;
        }
    f->count = n, q->doubts = doubts;
}
#endif

ALWAYS_INLINE void touch_all(const OndTouchLoop *t, const OndRun *run, OndTouchAsked *asked,
                             int questions, const int sides, OndTouchFound *found)
{
    const OndTouchLoop boxes = *t; // nobody else can change it
    OndTouchFound f = *found;
    const OndRun *next = run;
    for (OndTouchAsked *q = asked; q < asked + questions; ++q) {
        touch_runs(&boxes, next, run + q->runs, sides, q, &f);
        next = run + q->runs;
        q->found = f.count;
    }
    *found = f;
}

void OND_SPACE_LOOP(touch)(const OndTouchLoop *t, const OndRun *run, OndTouchAsked *asked,
                           int questions, OndTouchFound *found);
void OND_SPACE_LOOP(touch)(const OndTouchLoop *t, const OndRun *run, OndTouchAsked *asked,
                           int questions, OndTouchFound *found)
{
    if (t->sides == 4)
        touch_all(t, run, asked, questions, 4, found);
    else
        touch_all(t, run, asked, questions, 6, found);
}
