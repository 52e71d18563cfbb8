// SPDX-License-Identifier: MIT
#include "surface/field_loops.h"

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
