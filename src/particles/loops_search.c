// SPDX-License-Identifier: MIT
// Neighbour lists and the sum of W, cell by cell.
//
// The candidates of a cell stand in at most nine runs of memory (18 with images). Each particle of
// the cell measures its distance to all of them and packs the indices of those within reach. With h
// = 2 spacings about 216 candidates are tried and 30 kept, so the packing matters as much as the
// distances: AVX-512 and AVX2 do it without branches, and a plain version says what they do.
#include "base/memory.h"
#include "particles/loops.h"

#include <stdatomic.h>

#if defined(__AVX512F__) || defined(__AVX2__)
#include <immintrin.h>
#endif

#define SLAB 65536 // list entries taken from the pool at a time
#define OVER 16    // entries a packing loop may write past its result

// Appends to a list of n indices (and squared distances) those of the run that are nearer to `at`
// than h, other than `self`; returns the new n. Reads at most one vector past the run (arrays are
// padded), writes at most OVER entries past the result.
#if defined(__AVX512F__)
static inline uint32_t pack_run(const OndSearchLoop *s, OndRun run, const float at[3],
                                uint32_t self, uint32_t *restrict index, float *restrict found_r2,
                                uint32_t n)
{
    const __m512 x = _mm512_set1_ps(at[0]), y = _mm512_set1_ps(at[1]), z = _mm512_set1_ps(at[2]);
    const __m512 reach = _mm512_set1_ps(s->reach2);
    const __m512i me = _mm512_set1_epi32((int)self), step = _mm512_set1_epi32(16);
    const __m512i count = _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
    const __m512i end = _mm512_set1_epi32((int)run.last);
    __m512i j = _mm512_add_epi32(_mm512_set1_epi32((int)run.first), count);
    for (uint32_t k = run.first; k < run.last; k += 16, j = _mm512_add_epi32(j, step)) {
        const __m512 dx = _mm512_sub_ps(x, _mm512_loadu_ps(s->px + k));
        const __m512 dy = _mm512_sub_ps(y, _mm512_loadu_ps(s->py + k));
        const __m512 dz = _mm512_sub_ps(z, _mm512_loadu_ps(s->pz + k));
        const __m512 r2 = _mm512_fmadd_ps(dx, dx, _mm512_fmadd_ps(dy, dy, _mm512_mul_ps(dz, dz)));
        __mmask16 near =
            _mm512_mask_cmp_ps_mask(_mm512_cmplt_epi32_mask(j, end), r2, reach, _CMP_LT_OQ);
        near = _mm512_mask_cmpneq_epi32_mask(near, j, me);
        // compress in a register, then store whole: storing compressed is slow on some processors
        _mm512_storeu_si512(index + n, _mm512_maskz_compress_epi32(near, j));
        _mm512_storeu_ps(found_r2 + n, _mm512_maskz_compress_ps(near, r2));
        n += (uint32_t)__builtin_popcount(near);
    }
    return n;
}
#elif defined(__AVX2__)
static inline uint32_t pack_run(const OndSearchLoop *s, OndRun run, const float at[3],
                                uint32_t self, uint32_t *restrict index, float *restrict found_r2,
                                uint32_t n)
{
    const __m256 x = _mm256_set1_ps(at[0]), y = _mm256_set1_ps(at[1]), z = _mm256_set1_ps(at[2]);
    const __m256 reach = _mm256_set1_ps(s->reach2);
    const __m256i me = _mm256_set1_epi32((int)self), step = _mm256_set1_epi32(8);
    const __m256i end = _mm256_set1_epi32((int)run.last);
    __m256i j = _mm256_add_epi32(_mm256_set1_epi32((int)run.first),
                                 _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7));
    for (uint32_t k = run.first; k < run.last; k += 8, j = _mm256_add_epi32(j, step)) {
        const __m256 dx = _mm256_sub_ps(x, _mm256_loadu_ps(s->px + k));
        const __m256 dy = _mm256_sub_ps(y, _mm256_loadu_ps(s->py + k));
        const __m256 dz = _mm256_sub_ps(z, _mm256_loadu_ps(s->pz + k));
        const __m256 r2 = _mm256_fmadd_ps(dx, dx, _mm256_fmadd_ps(dy, dy, _mm256_mul_ps(dz, dz)));
        const __m256i inside =
            _mm256_andnot_si256(_mm256_cmpeq_epi32(j, me), _mm256_cmpgt_epi32(end, j));
        const __m256 near =
            _mm256_and_ps(_mm256_castsi256_ps(inside), _mm256_cmp_ps(r2, reach, _CMP_LT_OQ));
        const unsigned mask = (unsigned)_mm256_movemask_ps(near);
        // the bytes 0..7 of the kept lanes, moved together, are the permutation
        const uint64_t bytes = _pdep_u64(mask, 0x0101010101010101u) * 0xFF;
        const uint64_t lanes = _pext_u64(0x0706050403020100u, bytes);
        const __m256i turn = _mm256_cvtepu8_epi32(_mm_cvtsi64_si128((long long)lanes));
        _mm256_storeu_si256((__m256i *)(index + n), _mm256_permutevar8x32_epi32(j, turn));
        _mm256_storeu_ps(found_r2 + n, _mm256_permutevar8x32_ps(r2, turn));
        n += (uint32_t)__builtin_popcount(mask);
    }
    return n;
}
#else
static inline uint32_t pack_run(const OndSearchLoop *s, OndRun run, const float at[3],
                                uint32_t self, uint32_t *restrict index, float *restrict found_r2,
                                uint32_t n)
{
    for (uint32_t j = run.first; j < run.last; ++j) {
        const float dx = at[0] - s->px[j], dy = at[1] - s->py[j], dz = at[2] - s->pz[j];
        const float r2 = dx * dx + dy * dy + dz * dz;
        index[n] = j;
        found_r2[n] = r2;
        n += (r2 < s->reach2) & (j != self);
    }
    return n;
}
#endif

// The runs round a cell: of particles, then of images. Returns how many particles they hold.
static uint32_t collect(const OndSearchLoop *s, int cell, OndRun run[18], int *runs)
{
    *runs = ond_cells_near(s->cells, cell, run);
    if (s->images) {
        const int more = ond_cells_near(s->images, cell, run + *runs);
        for (int r = *runs; r < *runs + more; ++r)
            run[r].first += s->image_base, run[r].last += s->image_base;
        *runs += more;
    }
    uint32_t sum = 0;
    for (int r = 0; r < *runs; ++r)
        sum += run[r].last - run[r].first;
    return sum;
}

OND_INLINE float sum_shape(const float *r2, uint32_t count, OndKernelSet k, const int kind)
{
    float sum = 0.0f;
#pragma omp simd reduction(+ : sum)
    for (uint32_t c = 0; c < count; ++c)
        sum += ond_kernel_shape(kind, r2[c], k.h2, k.inv_h);
    return sum;
}

static float sum_kernel(const float *r2, uint32_t count, OndKernelSet k)
{
    float sum = 0.0f;
#define SUM(kind) sum = sum_shape(r2, count, k, kind)
    OND_FOR_KERNEL(k.kind, SUM)
#undef SUM
    return k.value * sum;
}

// Room for one list of at most `most` entries; NULL when the pool is used up.
static uint32_t *take_room(const OndSearchLoop *s, OndCandidates *w, uint32_t most)
{
    if (w->end - w->at >= most) return s->lists.pool + w->at;
    if (atomic_load_explicit(s->lists.overflow, memory_order_relaxed)) return NULL;
    const uint32_t size = most > SLAB ? most : SLAB;
    const uint32_t at = atomic_fetch_add_explicit(s->lists.used, size, memory_order_relaxed);
    if (at > s->lists.capacity || s->lists.capacity - at < size) {
        atomic_store_explicit(s->lists.overflow, 1, memory_order_relaxed);
        return NULL;
    }
    w->at = at, w->end = at + size;
    return s->lists.pool + at;
}

static void search_one(const OndSearchLoop *s, OndCandidates *w, uint32_t i, const OndRun *run,
                       int runs, uint32_t candidates)
{
    uint32_t *list = take_room(s, w, candidates + 2 * OVER);
    if (!list) return;
    const float at[3] = {s->px[i], s->py[i], s->pz[i]};
    uint32_t n = 0;
    for (int r = 0; r < runs; ++r)
        n = pack_run(s, run[r], at, i, list, w->r2, n);
    for (uint32_t k = 0; k < OND_LANES; ++k) {
        list[n + k] = i;
        w->r2[n + k] = s->kernel.h2; // W = 0
    }
    const uint32_t length = (n + OND_LANES - 1) / OND_LANES * OND_LANES;
    s->sum[i] = sum_kernel(w->r2, length, s->kernel) + s->kernel.value; // itself: shape(0) = 1
    s->lists.first[i] = w->at;
    s->lists.length[i] = length;
    w->at += length;
}

void OND_LOOP(search)(const OndSearchLoop *s, int first_cell, int last_cell, int worker);
void OND_LOOP(search)(const OndSearchLoop *s, int first_cell, int last_cell, int worker)
{
    OndCandidates *w = &s->worker[worker];
    for (int cell = first_cell; cell < last_cell; ++cell) {
        const uint32_t first = s->cells->first[cell], last = s->cells->first[cell + 1];
        if (first == last) continue;
        OndRun run[18];
        int runs = 0;
        const uint32_t candidates = collect(s, cell, run, &runs);
        for (uint32_t i = first; i < last; ++i)
            search_one(s, w, i, run, runs, candidates);
    }
}
