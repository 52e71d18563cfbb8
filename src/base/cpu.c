// SPDX-License-Identifier: MIT
#include "base/cpu.h"

#include <stdlib.h>
#include <string.h>

static OndIsa processor_isa(void)
{
#if defined(OND_HAVE_ISA_V4) && defined(__x86_64__)
    __builtin_cpu_init();
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") &&
        __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512dq") &&
        __builtin_cpu_supports("avx512cd"))
        return OND_ISA_V4;
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") &&
        __builtin_cpu_supports("bmi2"))
        return OND_ISA_V3;
#endif
    return OND_ISA_BASE;
}

OndIsa ond_cpu_isa(void)
{
    const OndIsa best = processor_isa();
    const char *wish = getenv("ONDINE_ISA");
    if (!wish) return best;
    const OndIsa asked = strcmp(wish, "base") == 0 ? OND_ISA_BASE
                         : strcmp(wish, "v3") == 0 ? OND_ISA_V3
                                                   : OND_ISA_V4;
    return asked < best ? asked : best;
}

const char *ond_cpu_name(void)
{
    switch (ond_cpu_isa()) {
    case OND_ISA_V4:
        return "AVX-512";
    case OND_ISA_V3:
        return "AVX2";
    default:
        break;
    }
#if defined(OND_HAVE_ISA_V4)
    return "SSE2";
#else
    return "scalar";
#endif
}
