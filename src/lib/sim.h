// SPDX-License-Identifier: MIT
// Simulations of public scenes from inside.
#ifndef OND_LIB_SIM_H
#define OND_LIB_SIM_H

#include "sim/sim.h"

/// ond_sim_resume, from a checkpoint that was read already.
OndSim *ond_sim_resume_from(const OndScene *scene, const OndCheckpoint *from,
                            const OndSimOptions *options, OndError *err);

#endif
