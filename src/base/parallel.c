// SPDX-License-Identifier: MIT
#include "base/parallel.h"

#ifdef _OPENMP
#include <omp.h>

static int threads_wanted = 0; // 0: one per core

int ond_threads(void)
{
    return threads_wanted > 0 ? threads_wanted : omp_get_num_procs();
}

void ond_threads_set(int threads)
{
    threads_wanted = threads > 0 ? threads : 0;
}

void ond_parallel_for(int count, int grain, OndRangeFn *body, void *context)
{
    if (count <= 0) return;
    const int blocks = (count - 1) / grain + 1;
    const int threads = ond_threads() < blocks ? ond_threads() : blocks;
    if (threads == 1) {
        body(0, count, 0, context);
        return;
    }
#pragma omp parallel for schedule(dynamic, 1) num_threads(threads)
    for (int b = 0; b < blocks; ++b) {
        const int first = b * grain;
        body(first, count - first < grain ? count : first + grain, omp_get_thread_num(), context);
    }
}

#else

int ond_threads(void)
{
    return 1;
}

void ond_threads_set(int threads)
{
    (void)threads;
}

void ond_parallel_for(int count, int grain, OndRangeFn *body, void *context)
{
    (void)grain;
    if (count > 0) body(0, count, 0, context);
}

#endif
