// SPDX-License-Identifier: MIT
// Particles that stay where they are, on a lattice or a disordered one, while heat moves.
#ifndef OND_TESTS_STILL_H
#define OND_TESTS_STILL_H

#include "base/parallel.h"
#include "base/random.h"
#include "check.h"
#include "particles/heat/heat_state.h"
#include "particles/sph/sph.h"

typedef struct Still {
    OndWorld world;
    OndSphDef def;
    int cells[3];                                   // of the lattice
    double jitter;                                  // spacings
    double pitch;                                   // of the lattice along x, spacings
    bool (*keep)(double x, double y, double z);     // NULL: all
    uint32_t (*kind)(double x, double y, double z); // material; NULL: the first
    double (*temperature)(double x, double y, double z);
    OndSph *s;
} Still;

static inline double cold(double x, double y, double z)
{
    return 0.0;
}

static inline double hot(double x, double y, double z)
{
    return 1.0;
}

static inline double scattered(double x, double y, double z)
{
    return 100.0 *
           ond_random((uint64_t)(x * 1e6) * 7919 + (uint64_t)(y * 1e6), 3 + (uint64_t)(z * 1e6));
}

// A box of nx x ny x nz spacings (nz 0: flat), walls across x, repeated across y and z.
static inline Still strip(int nx, int ny, int nz, double spacing)
{
    Still b = {.cells = {nx, ny, nz ? nz : 1}, .temperature = cold, .pitch = 1};
    ond_schema_defaults(&ond_sph_schema, &b.def);
    b.def.pressure = OND_PRESSURE_WCSPH; // nothing moves
    b.def.settle = false;
    b.world = (OndWorld){.dimension = nz ? 3 : 2, .spacing = spacing, .material_count = 1};
    b.world.box = (OndBox){{0, 0, 0}, {nx * spacing, ny * spacing, nz * spacing}};
    for (int side = 0; side < 6; ++side)
        b.world.side[side].kind = side < 2 ? OND_SIDE_WALL : OND_SIDE_PERIODIC;
    b.world.material[0] = (OndMaterial){.name = "stuff",
                                        .density = 1000,
                                        .conductivity = 1,
                                        .specific_heat = 1000,
                                        .held_until = 1e9}; // diffusivity 1e-6
    return b;
}

static inline void warm_side(Still *b, int side, double temperature)
{
    b->world.side[side].heats = true;
    b->world.side[side].temperature = (float)temperature;
}

static inline bool place(Still *b, OndFields *f, int at, const int cell[3])
{
    const double spacing = b->world.spacing;
    double where[3] = {0};
    for (int a = 0; a < b->world.dimension; ++a) {
        const double off = b->jitter * (2.0 * ond_random((uint64_t)at, (uint64_t)a) - 1.0);
        where[a] = (cell[a] + 0.5 + off) * spacing * (a == 0 ? b->pitch : 1);
        ((float *)ond_fields_find(f, "position")->data[a])[at] = (float)where[a];
    }
    const double u = where[0], v = where[1], w = where[2];
    ((float *)ond_fields_find(f, "temperature")->data[0])[at] = (float)b->temperature(u, v, w);
    ((uint32_t *)ond_fields_find(f, "material")->data[0])[at] = b->kind ? b->kind(u, v, w) : 0;
    return !b->keep || b->keep(u, v, w);
}

static inline void look(Still *b)
{
    OndError err = {0};
    b->s->ready = false;
    if (ond_sph_method.prepare(b->s, &err) != OND_OK) fail_msg("%s", err.text);
}

static inline void open_still(Still *b)
{
    OndError err = {0};
    const int count = b->cells[0] * b->cells[1] * b->cells[2];
    b->s = ond_sph_method.create(&(OndSetup){&b->world, &b->def, count}, &err);
    if (!b->s) fail_msg("%s", err.text);
    OndFields *f = ond_sph_method.particles(b->s);
    if (ond_fields_reserve(f, count, &err) != OND_OK) fail_msg("%s", err.text);
    for (int k = 0; k < count; ++k) {
        const int row = b->cells[0], layer = b->cells[0] * b->cells[1];
        const int cell[3] = {k % row, k % layer / row, k / layer};
        f->count += place(b, f, f->count, cell);
    }
    ond_sph_method.added(b->s, 0, &err);
    ond_sph_method.start(b->s, &err);
    look(b);
}

static inline void close_still(Still *b)
{
    ond_sph_method.destroy(b->s);
}

static inline void spread(Still *b, double dt)
{
    OndError err = {0};
    b->s->unconverged = false;
    if (ond_heat_spread(b->s, dt, &err) != OND_OK) fail_msg("%s", err.text);
    b->s->time += dt;
    if (b->s->unconverged) fail_msg("a step of %g s did not converge", dt);
}

static inline OndHeatCurve curve_of(const Still *b, int i)
{
    const OndMaterial *m = &b->world.material[b->s->material[i]];
    const double mass = b->s->mass[b->s->material[i]], range = m->liquid - m->solid;
    const bool melts = b->s->def.heat.latent && range > 0 && m->latent_heat > 0;
    return (OndHeatCurve){mass * m->specific_heat, melts ? mass * m->latent_heat / range : 0,
                          melts ? m->solid : 0, melts ? m->liquid : 0};
}

static inline double total_heat(const Still *b) // J
{
    double sum = 0;
    for (int i = 0; i < b->s->fields.count; ++i)
        sum += ond_heat_held(curve_of(b, i), ond_heat_load(b->s, i));
    return sum;
}

// Mean temperature of the particles nearest to x, and between layers linearly.
static inline double at_x(const Still *b, double x)
{
    const double spacing = b->world.spacing, place = x / spacing - 0.5;
    const int layer = (int)floor(place);
    double sum[2] = {0}, count[2] = {0};
    for (int i = 0; i < b->s->fields.count; ++i) {
        const int l = (int)floor(b->s->x[0][i] / spacing) - layer;
        if (l < 0 || l > 1) continue;
        sum[l] += ond_heat_load(b->s, i), count[l] += 1;
    }
    const double w = place - layer;
    return (1 - w) * sum[0] / count[0] + (count[1] ? w * sum[1] / count[1] : 0);
}

static inline double mean_temperature(const Still *b)
{
    double sum = 0;
    for (int i = 0; i < b->s->fields.count; ++i)
        sum += ond_heat_load(b->s, i);
    return sum / b->s->fields.count;
}

static inline void bounds(const Still *b, float *low, float *high)
{
    *low = INFINITY, *high = -INFINITY;
    for (int i = 0; i < b->s->fields.count; ++i) {
        *low = fminf(*low, b->s->temperature[i]);
        *high = fmaxf(*high, b->s->temperature[i]);
    }
}

static inline void set_sides(Still *b, int x, int y, int z)
{
    const int kind[3] = {x, y, z};
    for (int side = 0; side < 6; ++side)
        b->world.side[side].kind = kind[side / 2];
}

static inline uint32_t three_kinds(double x, double y, double z)
{
    return (uint32_t)(3 * ond_random((uint64_t)(x * 1e6), (uint64_t)(y * 1e6 + z * 7e6))) % 3;
}

static inline Still mixture(int dimension, bool melts)
{
    Still b = dimension == 2 ? strip(30, 30, 0, 0.01) : strip(12, 12, 12, 0.01);
    b.jitter = 0.45;
    b.temperature = scattered;
    b.kind = three_kinds;
    b.world.material_count = 3;
    b.world.material[1] = (OndMaterial){.name = "heavy",
                                        .density = 7800,
                                        .conductivity = 50,
                                        .specific_heat = 460,
                                        .held_until = 1e9};
    b.world.material[2] = (OndMaterial){.name = "insulator",
                                        .density = 30,
                                        .conductivity = 0.03f,
                                        .specific_heat = 1400,
                                        .held_until = 1e9};
    if (melts) {
        b.world.material[0].solid = 40, b.world.material[0].liquid = 40.1f;
        b.world.material[0].latent_heat = 80 * 1000;
        b.world.material[1].solid = 20, b.world.material[1].liquid = 70;
        b.world.material[1].latent_heat = 10 * 460;
    }
    return b;
}

static inline bool anywhere(const void *shape, OndVec at)
{
    return true;
}

#endif
