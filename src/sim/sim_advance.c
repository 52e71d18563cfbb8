// SPDX-License-Identifier: MIT
// Steps up to a time that the caller wants, or to the next frame.
#include "sim/sim_state.h"

#define LONGEST 1e6 // s, as a scene's duration

static OndStatus count_step(OndSim *sim, OndAdvance *report, OndError *err)
{
    const OndStatus status = ond_sim_step(sim, err);
    if (status != OND_OK) return status;
    ++report->steps;
    report->frames += ond_sim_at_frame(sim);
    return OND_OK;
}

OndStatus ond_sim_advance(OndSim *sim, double dt, OndAdvance *report, OndError *err)
{
    OndAdvance own = {.time = sim->time};
    OndStatus status = OND_OK;
    if (report) *report = own;
    if (!(dt >= 0.0 && dt <= LONGEST))
        return ond_fail(err, OND_BAD_VALUE, "cannot advance by %g s: give 0 to %g", dt, LONGEST);
    sim->until = sim->time + dt;
    while (status == OND_OK && sim->time < sim->until - ond_sim_shortest(sim))
        status = count_step(sim, &own, err);
    sim->until = 0.0;
    own.time = sim->time;
    if (report) *report = own;
    return status;
}

OndStatus ond_sim_next_frame(OndSim *sim, OndAdvance *report, OndError *err)
{
    OndAdvance own = {0};
    OndStatus status = OND_OK;
    while (status == OND_OK && own.frames == 0)
        status = count_step(sim, &own, err);
    own.time = sim->time;
    if (report) *report = own;
    return status;
}
