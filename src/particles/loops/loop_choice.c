// SPDX-License-Identifier: MIT
#include "base/cpu.h"
#include "particles/loops/loops.h"

extern const OndLoops ond_loops_base;
#ifdef OND_HAVE_ISA_V4
extern const OndLoops ond_loops_v3, ond_loops_v4;
#endif

const OndLoops *ond_loops(void)
{
#ifdef OND_HAVE_ISA_V4
    switch (ond_cpu_isa()) {
    case OND_ISA_V4:
        return &ond_loops_v4;
    case OND_ISA_V3:
        return &ond_loops_v3;
    default:
        break;
    }
#endif
    return &ond_loops_base;
}
