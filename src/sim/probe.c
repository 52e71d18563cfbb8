// SPDX-License-Identifier: MIT
#include "sim/probe.h"

#include "sim/probe_field.h"

#include <stdio.h>
#include <string.h>

static const struct {
    int columns;
    const char *header[2]; // 2D, 3D
} kinds[] = {
    [OND_PROBE_FORCE] = {6,
                         {"time_s,force_x_N_m,force_y_N_m,force_z_N_m,torque_x_N,torque_y_N,"
                          "torque_z_N",
                          "time_s,force_x_N,force_y_N,force_z_N,torque_x_Nm,torque_y_Nm,"
                          "torque_z_Nm"}},
    [OND_PROBE_LEVEL] = {1, {"time_s,level_m", "time_s,level_m"}},
    [OND_PROBE_PRESSURE] = {1, {"time_s,pressure_Pa", "time_s,pressure_Pa"}},
    [OND_PROBE_FLOW] = {2, {"time_s,flow_m2_s,total_m2", "time_s,flow_m3_s,total_m3"}},
};

const char *ond_probe_name(const OndProbe *probe)
{
    return ((const OndProbeDef *)probe->def->def)->name;
}

const char *ond_probe_header(const OndProbe *probe, int dimension)
{
    return kinds[probe->def->which].header[dimension == 3];
}

int ond_probe_columns(const OndProbe *probe)
{
    return kinds[probe->def->which].columns;
}

// ---- between rows

static void add_force(OndProbe *p, const OndSimSolids *solids, double dt)
{
    const int which = ((const OndForceProbe *)p->def->def)->which;
    const OndSolidLoad *const load = &ond_solids_loads(solids->solids)[which];
    const OndSolidState *const state = ond_solids_state(solids->solids, which);
    const OndVec pivot = ond_motion_pivot(&solids->solid[which].motion, &state->pose);
    const OndVec torque =
        ond_add(load->torque, ond_cross(ond_sub(state->pose.at, pivot), load->force));
    for (int a = 0; a < 3; ++a) {
        p->sum[a] += ond_axis(load->force, a) * dt;
        p->sum[3 + a] += ond_axis(torque, a) * dt;
    }
}

static void add_volume(OndProbe *p, double volume)
{
    p->sum[0] += volume;
    p->sum[OND_PROBE_SUMS - 1] += volume;
}

static void add_up(OndProbe *p, const OndProbeView *view, const OndSimSolids *solids, double dt)
{
    if (p->def->which == OND_PROBE_FORCE) add_force(p, solids, dt);
    if (p->def->which == OND_PROBE_FLOW) add_volume(p, ond_probe_flow(view, p->def->def) * dt);
    p->since += dt;
}

// ---- a row

static void make_row(OndProbe *p, const OndProbeView *view)
{
    const OndPointProbe *const point = p->def->def;
    switch ((OndProbeKind)p->def->which) {
    case OND_PROBE_FORCE:
        for (int k = 0; k < 6; ++k)
            p->row[k] = p->sum[k] / p->since;
        break;
    case OND_PROBE_LEVEL:
        p->row[0] = ond_probe_level(view, point->at);
        break;
    case OND_PROBE_PRESSURE:
        p->row[0] = ond_probe_pressure(view, point->at);
        break;
    case OND_PROBE_FLOW:
        p->row[0] = p->sum[0] / p->since;
        p->row[1] = p->sum[OND_PROBE_SUMS - 1];
        break;
    }
    memset(p->sum, 0, (OND_PROBE_SUMS - 1) * sizeof p->sum[0]);
    p->since = 0.0;
    if (p->rows >= 0.0) p->rows += 1.0;
}

// A step that ends on a multiple has passed it.
static bool passes(double rate, double from, double to)
{
    return rate == 0.0 || floor(to * rate * (1 + 1e-12)) > floor(from * rate * (1 + 1e-12));
}

void ond_probes_step(OndProbes *probes, const OndSimSolids *solids, const OndFields *particles,
                     double from, double to)
{
    if (probes->count == 0) return;
    const OndProbeView view = ond_probe_view(probes->scene, solids, particles);
    for (int k = 0; k < probes->count; ++k) {
        OndProbe *const p = &probes->probe[k];
        add_up(p, &view, solids, to - from);
        p->due = passes(((const OndProbeDef *)p->def->def)->rate, from, to);
        if (p->due) make_row(p, &view);
    }
}

void ond_probes_born(OndProbes *probes, const OndSimSolids *solids, const OndFields *particles,
                     int first)
{
    for (int k = 0; k < probes->count; ++k) {
        OndProbe *const p = &probes->probe[k];
        if (p->def->which != OND_PROBE_FLOW) continue;
        const OndProbeView view = ond_probe_view(probes->scene, solids, particles);
        add_volume(p, ond_probe_born(&view, p->def->def, first));
    }
}

// ---- keeping

OndStatus ond_probes_make(const OndSceneDef *scene, OndProbes *out, OndError *err)
{
    memset(out, 0, sizeof *out);
    out->scene = scene;
    if (scene->probes.count == 0) return OND_OK;
    out->probe = OND_NEW_ARRAY(OndProbe, scene->probes.count);
    if (!out->probe) return ond_fail(err, OND_NO_MEMORY, "not enough memory for the probes");
    out->count = scene->probes.count;
    for (int k = 0; k < out->count; ++k) {
        out->probe[k].def = ond_scene_probe(scene, k);
        for (int n = 0; n < OND_PROBE_KEPT; ++n)
            snprintf(out->probe[k].name[n], sizeof out->probe[k].name[n], "probe_%d_%d", k, n);
    }
    return OND_OK;
}

void ond_probes_free(OndProbes *probes)
{
    ond_free(probes->probe);
    memset(probes, 0, sizeof *probes);
}

void ond_probes_save(const OndProbes *probes, OndCheckpoint *out)
{
    for (int k = 0; k < probes->count; ++k) {
        const OndProbe *const p = &probes->probe[k];
        for (int n = 0; n < OND_PROBE_SUMS; ++n)
            ond_checkpoint_add(out, p->name[n], p->sum[n]);
        ond_checkpoint_add(out, p->name[OND_PROBE_SUMS], p->since);
        ond_checkpoint_add(out, p->name[OND_PROBE_SUMS + 1], p->rows);
    }
}

void ond_probes_restore(OndProbes *probes, const OndCheckpoint *from)
{
    for (int k = 0; k < probes->count; ++k) {
        OndProbe *const p = &probes->probe[k];
        for (int n = 0; n < OND_PROBE_SUMS; ++n)
            p->sum[n] = ond_checkpoint_number(from, p->name[n], 0.0);
        p->since = ond_checkpoint_number(from, p->name[OND_PROBE_SUMS], 0.0);
        p->rows = ond_checkpoint_number(from, p->name[OND_PROBE_SUMS + 1], -1.0);
    }
}
