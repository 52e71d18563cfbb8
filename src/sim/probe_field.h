// SPDX-License-Identifier: MIT
// What read-outs find among the particles; inside sim/ only.
#ifndef OND_SIM_PROBE_FIELD_H
#define OND_SIM_PROBE_FIELD_H

#include "base/fields.h"
#include "sim/scene.h"

typedef struct OndProbeView {
    const float *x[3], *v[3];
    const float *pressure; ///< NULL: the method has none
    int count, dimension;
    double spacing;
    OndVec up; ///< against gravity, one long
} OndProbeView;

OndProbeView ond_probe_view(const OndScene *scene, const OndFields *particles);

/// Height along `up`; not a number where there is no liquid on the line.
double ond_probe_level(const OndProbeView *view, OndVec at);
/// Not a number where there is no liquid.
double ond_probe_pressure(const OndProbeView *view, OndVec at);
/// m^3/s (2D: m^2/s) now.
double ond_probe_flow(const OndProbeView *view, const OndFlowProbe *probe);

#endif
