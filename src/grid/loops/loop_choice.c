// SPDX-License-Identifier: MIT
#include "base/cpu.h"
#include "grid/loops/loops.h"
#include "grid/trail.h"

extern const OndGridLoops ond_grid_loops_base;
extern const OndTrailLoops ond_trail_loops_base;
#ifdef OND_HAVE_ISA_V4
extern const OndGridLoops ond_grid_loops_v3, ond_grid_loops_v4;
extern const OndTrailLoops ond_trail_loops_v3, ond_trail_loops_v4;
#endif

const OndGridLoops *ond_grid_loops(void)
{
#ifdef OND_HAVE_ISA_V4
    switch (ond_cpu_isa()) {
    case OND_ISA_V4:
        return &ond_grid_loops_v4;
    case OND_ISA_V3:
        return &ond_grid_loops_v3;
    default:
        break;
    }
#endif
    return &ond_grid_loops_base;
}

const OndTrailLoops *ond_trail_loops(void)
{
#ifdef OND_HAVE_ISA_V4
    switch (ond_cpu_isa()) {
    case OND_ISA_V4:
        return &ond_trail_loops_v4;
    case OND_ISA_V3:
        return &ond_trail_loops_v3;
    default:
        break;
    }
#endif
    return &ond_trail_loops_base;
}
