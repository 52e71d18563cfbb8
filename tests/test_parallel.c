// SPDX-License-Identifier: MIT
// Parallel loops: every index once, no worker twice at a time, whatever the cut.
#include "base/parallel.h"
#include "check.h"

#include <limits.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>

#define WORKERS_MAX 64

typedef struct Visit {
    atomic_int *seen;
    int count, threads;
    atomic_int busy[WORKERS_MAX], faults;
} Visit;

static void visit(int first, int last, int worker, void *context)
{
    Visit *v = context;
    const bool sane =
        worker >= 0 && worker < v->threads && first >= 0 && first < last && last <= v->count;
    if (!sane || atomic_fetch_add(&v->busy[worker], 1) != 0) atomic_fetch_add(&v->faults, 1);
    for (int i = first; sane && i < last; ++i)
        atomic_fetch_add(&v->seen[i], 1);
    if (sane) atomic_fetch_sub(&v->busy[worker], 1);
}

static void test_every_index_once(void **state)
{
    static const int counts[] = {0, 1, 2, 63, 64, 65, 1000, 4097}, grains[] = {1, 7, 64, 100000};
    static const int threads[] = {1, 2, 4, 16};
    for (int t = 0; t < 4; ++t)
        for (int c = 0; c < 8; ++c)
            for (int g = 0; g < 4; ++g) {
                ond_threads_set(threads[t]);
                Visit v = {.count = counts[c], .threads = ond_threads()};
                v.seen = calloc((size_t)counts[c] + 1, sizeof *v.seen);
                ond_parallel_for(counts[c], grains[g], visit, &v);
                if (atomic_load(&v.faults) != 0)
                    fail_msg("%d faults: %d threads, count %d, grain %d", atomic_load(&v.faults),
                             threads[t], counts[c], grains[g]);
                for (int i = 0; i < counts[c]; ++i)
                    if (atomic_load(&v.seen[i]) != 1)
                        fail_msg("index %d of %d seen %d times: %d threads, grain %d", i, counts[c],
                                 atomic_load(&v.seen[i]), threads[t], grains[g]);
                free(v.seen);
            }
    ond_threads_set(0);
}

static void add_up(int first, int last, int worker, void *context)
{
    atomic_fetch_add((atomic_llong *)context, (long long)last - first);
}

// The last block of the longest range must not run past INT_MAX.
static void test_longest_range(void **state)
{
    ond_threads_set(2);
    atomic_llong sum = 0;
    ond_parallel_for(INT_MAX, 1 << 30, add_up, &sum);
    CHECK_NEAR((double)atomic_load(&sum), INT_MAX, 0, "length of all ranges");
    atomic_store(&sum, 0);
    ond_parallel_for(-5, 10, add_up, &sum);
    CHECK_NEAR((double)atomic_load(&sum), 0, 0, "a negative count is nothing to do");
    ond_threads_set(0);
}

static void test_thread_count(void **state)
{
    ond_threads_set(0);
    const int all = ond_threads();
    assert_true(all >= 1);
    ond_threads_set(-3);
    assert_int_equal(ond_threads(), all);
    ond_threads_set(3);
    assert_int_equal(ond_threads(), 3);
    ond_threads_set(0);
}

static void test_sum_blocks(void **state)
{
    static const int cases[][2] = {{0, 0},
                                   {1, 1},
                                   {OND_SUM_BLOCK - 1, 1},
                                   {OND_SUM_BLOCK, 1},
                                   {OND_SUM_BLOCK + 1, 2},
                                   {10 * OND_SUM_BLOCK, 10}};
    for (int c = 0; c < 6; ++c)
        assert_int_equal(ond_sum_block_count(cases[c][0]), cases[c][1]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_index_once),
        cmocka_unit_test(test_longest_range),
        cmocka_unit_test(test_thread_count),
        cmocka_unit_test(test_sum_blocks),
    };
    return cmocka_run_group_tests_name("parallel", tests, NULL, NULL);
}
