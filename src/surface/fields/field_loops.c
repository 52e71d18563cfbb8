// SPDX-License-Identifier: MIT
#include "surface/fields/field_loops.h"

#include "base/cpu.h"

extern const OndFieldLoops ond_field_loops_base;
#ifdef OND_HAVE_ISA_V4
extern const OndFieldLoops ond_field_loops_v3, ond_field_loops_v4;
#endif

const OndFieldLoops *ond_field_loops(void)
{
#ifdef OND_HAVE_ISA_V4
    switch (ond_cpu_isa()) {
    case OND_ISA_V4:
        return &ond_field_loops_v4;
    case OND_ISA_V3:
        return &ond_field_loops_v3;
    default:
        break;
    }
#endif
    return &ond_field_loops_base;
}

// Without `volatile` gcc 12 takes (double)(float)x for x when it makes vector code of this, and the
// low parts come out as 0.
OndSplitPlace ond_place(const double at[3])
{
    OndSplitPlace place;
    for (int a = 0; a < 3; ++a) {
        volatile float high = (float)at[a];
        place.high[a] = high;
        place.low[a] = (float)(at[a] - high);
    }
    return place;
}
