// SPDX-License-Identifier: MIT
// Which copy of the hot loops this processor can run. They are built for several instruction sets
// and chosen once, so that one binary is fast everywhere.
#ifndef OND_BASE_CPU_H
#define OND_BASE_CPU_H

typedef enum OndIsa {
    OND_ISA_BASE, ///< what every processor of this kind has (SSE2 on x86-64)
    OND_ISA_V3,   ///< AVX2 and FMA
    OND_ISA_V4,   ///< AVX-512
} OndIsa;

/// The best one that processor, build and the environment variable ONDINE_ISA (base, v3, v4) allow.
OndIsa ond_cpu_isa(void);
/// "AVX-512", "AVX2", "SSE2" or "scalar".
const char *ond_cpu_name(void);

#endif
