// SPDX-License-Identifier: MIT
// What read-outs find among the particles; inside sim/ only.
#ifndef OND_SIM_PROBE_FIELD_H
#define OND_SIM_PROBE_FIELD_H

#include "base/fields.h"
#include "sim/scene/scene.h"
#include "solids/scene/sim_solids.h"

typedef struct OndProbeView {
    const float *x[3], *v[3];
    const float *pressure; ///< NULL: the method has none
    int count, dimension;
    double spacing;
    OndVec up;     ///< against gravity, one long
    OndVec period; ///< of the domain, m; 0 along axes that do not go round
    const OndSceneDef *scene;
    const OndSimSolids *solids;
} OndProbeView;

OndProbeView ond_probe_view(const OndSceneDef *scene, const OndSimSolids *solids,
                            const OndFields *particles);

/// Height along `up`; not a number where there is no liquid on the line. What solids hide from the
/// line does not count.
double ond_probe_level(const OndProbeView *view, OndVec at);
/// Not a number where there is no liquid, and inside of solids. What solids hide does not count.
double ond_probe_pressure(const OndProbeView *view, OndVec at);
/// m^3/s (2D: m^2/s) now.
double ond_probe_flow(const OndProbeView *view, const OndFlowProbe *probe);
/// What must be added to the flow's sum over time, m^3, when the particles from `first` on have
/// just come to be: else those that begin between the rectangle and the end of what it weighs would
/// count in part.
double ond_probe_born(const OndProbeView *view, const OndFlowProbe *probe, int first);

#endif
