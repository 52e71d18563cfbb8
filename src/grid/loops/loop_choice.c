// SPDX-License-Identifier: MIT
#include "base/cpu.h"
#include "grid/departures.h"
#include "grid/loops/loops.h"

extern const OndGridLoops ond_grid_loops_base;
extern const OndDepartureLoops ond_departure_loops_base;
#ifdef OND_HAVE_ISA_V4
extern const OndGridLoops ond_grid_loops_v3, ond_grid_loops_v4;
extern const OndDepartureLoops ond_departure_loops_v3, ond_departure_loops_v4;
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

const OndDepartureLoops *ond_departure_loops(void)
{
#ifdef OND_HAVE_ISA_V4
    switch (ond_cpu_isa()) {
    case OND_ISA_V4:
        return &ond_departure_loops_v4;
    case OND_ISA_V3:
        return &ond_departure_loops_v3;
    default:
        break;
    }
#endif
    return &ond_departure_loops_base;
}
