// SPDX-License-Identifier: MIT
#include "base/clock.h"

#include <time.h>

double ond_now_ms(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec * 1e3 + (double)now.tv_nsec * 1e-6;
}

double ond_lap_ms(double *since)
{
    const double now = ond_now_ms(), spent = now - *since;
    *since = now;
    return spent;
}
