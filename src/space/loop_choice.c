// SPDX-License-Identifier: MIT
#include "base/cpu.h"
#include "space/loops.h"

extern const OndSpaceLoops ond_space_loops_base;
#ifdef OND_HAVE_ISA_V4
extern const OndSpaceLoops ond_space_loops_v3, ond_space_loops_v4;
#endif

const OndSpaceLoops *ond_space_loops(void)
{
#ifdef OND_HAVE_ISA_V4
    switch (ond_cpu_isa()) {
    case OND_ISA_V4:
        return &ond_space_loops_v4;
    case OND_ISA_V3:
        return &ond_space_loops_v3;
    default:
        break;
    }
#endif
    return &ond_space_loops_base;
}
