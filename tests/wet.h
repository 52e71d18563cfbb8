// SPDX-License-Identifier: MIT
// A liquid among solids, without a scene: for tests that look at what the one does to the other.
#ifndef OND_TESTS_WET_H
#define OND_TESTS_WET_H

#include "base/parallel.h"
#include "check.h"
#include "particles/sph/sph.h"
#include "particles/sph/sph_state.h"
#include "solids/solids.h"

#include <stdlib.h>

typedef struct Wet {
    OndWorld world;
    OndSphDef def;
    OndSolids *solids;
    OndSph *s;
    double time, dt;
    void (*aim)(struct Wet *w, double time); // where solids are to be then; NULL: they stay
} Wet;

// Nothing but gravity and water, without a domain.
static inline Wet wet_make(int dimension, double spacing)
{
    Wet w = {.world = {.dimension = dimension,
                       .gravity = {0, -9.81f, 0},
                       .spacing = spacing,
                       .material_count = 1}};
    ond_schema_defaults(&ond_sph_schema, &w.def);
    w.def.pressure = OND_PRESSURE_WCSPH; // as what tests look at is explicit
    for (int side = 0; side < 6; ++side)
        w.world.side[side] = (OndSide){.kind = OND_SIDE_OPEN, .slip = 1};
    w.world.material[0] = (OndMaterial){.name = "water", .density = 1000};
    return w;
}

static inline void wet_solids(Wet *w, const OndSolidDef *def, int count)
{
    OndError err = {0};
    w->solids = ond_solids_create(def, count, w->world.spacing, w->world.dimension == 2, &err);
    if (!w->solids) fail_msg("%s", err.text);
    w->world.solids = w->solids;
}

// Particles on the lattice through half a spacing, wherever `wanted` says.
static inline void wet_fill(Wet *w, OndBox box, bool (*wanted)(const Wet *w, OndVec at))
{
    const double spacing = w->world.spacing;
    OndError err = {0};
    int n[3];
    for (int a = 0; a < 3; ++a)
        n[a] = a < w->world.dimension
                   ? (int)lround((ond_axis(box.max, a) - ond_axis(box.min, a)) / spacing)
                   : 1;
    const int most = n[0] * n[1] * n[2];
    w->s = ond_sph_method.create(&(OndSetup){&w->world, &w->def, most}, &err);
    if (!w->s) fail_msg("%s", err.text);
    OndFields *f = ond_sph_method.particles(w->s);
    if (ond_fields_reserve(f, most, &err) != OND_OK) fail_msg("%s", err.text);
    ond_sph_bind(w->s);
    for (int k = 0; k < most; ++k) {
        const int cell[3] = {k % n[0], k / n[0] % n[1], k / (n[0] * n[1])};
        float at[3] = {0};
        for (int a = 0; a < w->world.dimension; ++a)
            at[a] = (float)(ond_axis(box.min, a) + (cell[a] + 0.5) * spacing);
        if (wanted && !wanted(w, ond_vec(at[0], at[1], at[2]))) continue;
        for (int a = 0; a < 3; ++a)
            w->s->x[a][f->count] = at[a], w->s->v[a][f->count] = 0.0f;
        w->s->temperature[f->count] = 0.0f;
        w->s->material[f->count] = w->s->held[f->count] = 0;
        ++f->count;
    }
    if (ond_sph_method.added(w->s, 0, &err) != OND_OK || ond_sph_method.start(w->s, &err) != OND_OK)
        fail_msg("%s", err.text);
}

// Not nearer to any face than some spacings, nor on the wrong side.
#ifndef WET_NEAR
#define WET_NEAR 0.2
#endif
static inline bool wet_free(const Wet *w, OndVec at)
{
    OndTouch touch[OND_TOUCHES_MAX];
    const double near = (WET_NEAR - 1e-3) * w->world.spacing;
    const int count = ond_solids_near(w->solids, at, 1e3, touch);
    for (int k = 0; k < count; ++k)
        if (touch[k].distance < near) return false;
    return true;
}

static inline void wet_step(Wet *w)
{
    OndError err = {0};
    OndStatus status = ond_sph_method.prepare(w->s, &err);
    w->dt = ond_sph_method.largest_step(w->s);
    if (status == OND_OK && w->aim) w->aim(w, w->time + w->dt);
    for (int k = 0; k < ond_solids_count(w->solids); ++k)
        ond_solids_loads(w->solids)[k] = (OndSolidLoad){.force = {0, 0, 0}};
    if (status == OND_OK) status = ond_sph_method.advance(w->s, w->dt, NULL, &err);
    if (status != OND_OK) fail_msg("t = %g s: %s", w->time, err.text);
    if (w->solids) ond_solids_arrive(w->solids);
    w->time += w->dt;
}

static inline void wet_run(Wet *w, double time)
{
    while (w->time < time)
        wet_step(w);
}

static inline double wet_mass(const Wet *w)
{
    double sum = 0;
    for (int i = 0; i < w->s->fields.count; ++i)
        sum += w->s->mass[w->s->material[i]];
    return sum;
}

static inline double wet_mean_speed(const Wet *w)
{
    double sum = 0;
    for (int i = 0; i < w->s->fields.count; ++i)
        sum += sqrt(pow(w->s->v[0][i], 2) + pow(w->s->v[1][i], 2) + pow(w->s->v[2][i], 2));
    return sum / w->s->fields.count;
}

static inline void wet_close(Wet *w)
{
    ond_sph_method.destroy(w->s);
    ond_solids_destroy(w->solids);
}

#endif
