// SPDX-License-Identifier: MIT
#include "base/cpu.h"
#include "surface/loops.h"

extern const OndSurfaceLoops ond_surface_loops_base;
#ifdef OND_HAVE_ISA_V4
extern const OndSurfaceLoops ond_surface_loops_v3, ond_surface_loops_v4;
#endif

const OndSurfaceLoops *ond_surface_loops(void)
{
#ifdef OND_HAVE_ISA_V4
    switch (ond_cpu_isa()) {
    case OND_ISA_V4:
        return &ond_surface_loops_v4;
    case OND_ISA_V3:
        return &ond_surface_loops_v3;
    default:
        break;
    }
#endif
    return &ond_surface_loops_base;
}
