// SPDX-License-Identifier: MIT
// Everything a scene can say about `stam`. The table in stam_def.c gives each its default, unit and
// range.
#ifndef OND_GRID_STAM_DEF_H
#define OND_GRID_STAM_DEF_H

#include "base/schema.h"
#include "method/method.h"

enum OndStamSolver { OND_STAM_GAUSS_SEIDEL, OND_STAM_JACOBI };

typedef struct OndStamDef {
    double cell;      ///< m
    double viscosity; ///< m^2/s
    double diffusion; ///< of the density, m^2/s
    double time_step; ///< s; 0: a step a frame
    int iterations;   ///< of the solver
    int solver;       ///< enum OndStamSolver
    const OndNode *node;
} OndStamDef;

extern const OndSchema ond_stam_schema;
extern const OndRefusedKey ond_stam_refused[]; ///< part of the table in stam.c

#endif
