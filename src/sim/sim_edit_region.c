// SPDX-License-Identifier: MIT
// Particles come and go; parts of space are pushed, heated and cooled.
#include "sim/sim_edit.h"
#include "sim/sim_state.h"

#include <ondine/edit.h>
#include <string.h>

#define COLDEST -273.15f // C
#define FASTEST 1e6      // m/s that a host may give

OndRegion ond_everywhere(void)
{
    return (OndRegion){.everywhere = true};
}

OndRegion ond_ball(double x, double y, double z, double radius)
{
    return (OndRegion){.center = {x, y, z}, .radius = radius};
}

OndRegion ond_box(double x0, double y0, double z0, double x1, double y1, double z1)
{
    return (OndRegion){.min = {x0, y0, z0}, .max = {x1, y1, z1}};
}

// In 2D everything lies at z = 0, whatever a box says of it.
static bool is_in(const OndRegion *r, bool flat, OndVec p)
{
    if (r->everywhere) return true;
    const OndVec c = ond_vec(r->center[0], r->center[1], flat ? p.z : r->center[2]);
    if (r->radius > 0.0) return ond_length(ond_sub(p, c)) < r->radius;
    for (int a = 0; a < (flat ? 2 : 3); ++a)
        if (!(ond_axis(p, a) >= r->min[a] && ond_axis(p, a) <= r->max[a])) return false;
    return true;
}

// A ball of no size and numbers that are none hold nothing, which nobody means.
static OndStatus check_region(const OndRegion *r, OndError *err)
{
    double sum = r->radius;
    for (int a = 0; a < 3; ++a)
        sum += r->radius != 0.0 ? r->center[a] : r->max[a] - r->min[a];
    if (r->everywhere || (isfinite(sum) && r->radius >= 0.0)) return OND_OK;
    return ond_fail(err, OND_BAD_VALUE,
                    "a region needs finite numbers, and a ball a radius above 0 (%g)", r->radius);
}

static bool is_flat(const OndSim *sim)
{
    return sim->scene->dimension == 2;
}

static OndVec place_of(const OndFields *f, int i)
{
    const OndField *const x = ond_fields_find(f, "position");
    return ond_vec(((const float *)x->data[0])[i], ((const float *)x->data[1])[i],
                   ((const float *)x->data[2])[i]);
}

static OndStatus need_particles(const OndSim *sim, OndError *err)
{
    if (sim->method->particles) return OND_OK;
    return ond_fail(err, OND_BAD_VALUE,
                    "the method `%s` computes on a grid: there are no particles to add or remove",
                    sim->method->name);
}

// ---- adding

static OndVec new_place(const OndSim *sim, const OndNewParticles *p, int i)
{
    const float *const x = p->position + 3 * (size_t)i;
    return ond_vec(x[0], x[1], is_flat(sim) ? 0.0 : x[2]);
}

bool ond_sim_is_outside(const OndSim *sim, OndVec at)
{
    const OndSceneDef *const scene = sim->scene;
    for (int a = 0; scene->has_domain && a < scene->dimension; ++a)
        if (!(ond_axis(at, a) > ond_axis(scene->domain.min, a) &&
              ond_axis(at, a) < ond_axis(scene->domain.max, a)))
            return true;
    return !isfinite(at.x + at.y + at.z);
}

static OndStatus check_new(const OndSim *sim, const OndNewParticles *p, double *fastest,
                           OndError *err)
{
    *fastest = 0.0;
    if (p->count < 0 || p->count > 100000000 || (p->count > 0 && !p->position))
        return ond_fail(err, OND_BAD_VALUE, "%d particles cannot be added", p->count);
    if (p->fluid < 0 || p->fluid >= sim->scene->fluids.count)
        return ond_fail(err, OND_BAD_VALUE,
                        "there is no fluid %d: the simulation has %d, counted from 0", p->fluid,
                        sim->scene->fluids.count);
    for (int i = 0; i < p->count; ++i) {
        const OndVec at = new_place(sim, p, i);
        const bool outside = ond_sim_is_outside(sim, at);
        if (outside || ond_sim_solids_block(&sim->solids, at, 0.0, NULL))
            return ond_fail(err, OND_BAD_VALUE, "new particle %d at [%g, %g, %g] is %s", i, at.x,
                            at.y, at.z, outside ? "outside of the domain" : "inside a solid");
        const float *const v = p->velocity ? p->velocity + 3 * (size_t)i : NULL;
        const double speed = v ? ond_length(ond_vec(v[0], v[1], v[2])) : 0.0;
        const double warm = p->temperature ? p->temperature[i] : 0.0;
        if (!(speed < FASTEST && warm >= -273.15 && warm <= 1e5))
            return ond_fail(err, OND_BAD_VALUE,
                            "new particle %d has %g m/s and %g C; accepted: below %g m/s, -273.15 "
                            "to 1e5 C",
                            i, speed, warm, FASTEST);
        *fastest = fmax(*fastest, speed);
    }
    return OND_OK;
}

static void put_new(const OndSim *sim, const OndNewParticles *p, OndFields *f, int i)
{
    const int at = f->count + i;
    const float none[3] = {0, 0, 0}, *const v = p->velocity ? p->velocity + 3 * (size_t)i : none;
    const OndVec x = new_place(sim, p, i);
    const OndField *const held = ond_fields_find(f, "held");
    for (int a = 0; a < 3; ++a) {
        ((float *)ond_fields_find(f, "position")->data[a])[at] = (float)ond_axis(x, a);
        ((float *)ond_fields_find(f, "velocity")->data[a])[at] =
            a == 2 && is_flat(sim) ? 0.0f : v[a];
    }
    ((float *)ond_fields_find(f, "temperature")->data[0])[at] =
        p->temperature ? p->temperature[i]
                       : (float)ond_scene_fluid(sim->scene, p->fluid)->temperature;
    ((uint32_t *)ond_fields_find(f, "material")->data[0])[at] = (uint32_t)p->fluid;
    if (held) ((uint32_t *)held->data[0])[at] = 0;
}

OndStatus ond_sim_add_particles(OndSim *sim, const OndNewParticles *p, OndError *err)
{
    double fastest = 0.0;
    OndStatus status = need_particles(sim, err);
    if (status == OND_OK) status = check_new(sim, p, &fastest, err);
    if (status != OND_OK || p->count == 0) return status;
    OndFields *const f = ond_sim_particles(sim);
    const int before = f->count;
    if (f->count + p->count > f->capacity)
        status = ond_fields_reserve(f, f->count + p->count + f->count / 2, err);
    if (status != OND_OK) return status;
    status = ond_sim_tell_added(sim, before, err); // arrays may be others
    if (status == OND_OK) status = ond_sim_edit_speed(sim, fastest, err);
    if (status != OND_OK) return status;
    for (int i = 0; i < p->count; ++i)
        put_new(sim, p, f, i);
    f->count += p->count;
    ond_probes_born(&sim->probes, &sim->solids, f, before);
    return ond_sim_tell_added(sim, before, err);
}

// ---- removing

// What is seen, but made anew each step, does not follow a re-sorting by itself. `order` of those
// that stay only goes up.
static void close_ranks(OndFields *f, const uint32_t *order, int kept)
{
    for (int k = 0; k < f->field_count; ++k) {
        const OndField *const field = &f->field[k];
        const unsigned both = OND_FIELD_TEMP | OND_FIELD_FRAME;
        for (int c = 0; c < field->components && (field->flags & both) == both; ++c)
            for (int i = 0; i < kept; ++i)
                ((uint32_t *)field->data[c])[i] = ((const uint32_t *)field->data[c])[order[i]];
    }
}

// `gone` says which.
static OndStatus take_away(OndSim *sim, const bool *gone, OndError *err)
{
    OndFields *const f = ond_sim_particles(sim);
    uint32_t *const order = OND_NEW_ARRAY(uint32_t, f->count + 1);
    int kept = 0, last = f->count;
    if (!order) return ond_fail(err, OND_NO_MEMORY, "not enough memory to remove particles");
    for (int i = 0; i < f->count; ++i)
        order[gone[i] ? --last : kept++] = (uint32_t)i;
    ond_fields_reorder(f, order);
    close_ranks(f, order, kept);
    ond_free(order);
    f->count = kept;
    return ond_sim_edit_done(sim, err);
}

OndStatus ond_sim_remove_particles(OndSim *sim, const int *index, int count, OndError *err)
{
    OndStatus status = need_particles(sim, err);
    if (status != OND_OK || count == 0) return status;
    if (count < 0 || !index)
        return ond_fail(err, OND_BAD_VALUE, "%d particles cannot be removed", count);
    const int all = ond_sim_particles(sim)->count;
    bool *const gone = OND_NEW_ARRAY(bool, all + 1);
    if (!gone) return ond_fail(err, OND_NO_MEMORY, "not enough memory to remove particles");
    for (int k = 0; k < count && status == OND_OK; ++k) {
        if (index[k] < 0 || index[k] >= all)
            status = ond_fail(err, OND_BAD_VALUE,
                              "there is no particle %d: the simulation has %d, counted from 0",
                              index[k], all);
        else
            gone[index[k]] = true;
    }
    if (status == OND_OK) status = take_away(sim, gone, err);
    ond_free(gone);
    return status;
}

OndStatus ond_sim_remove_region(OndSim *sim, const OndRegion *region, int *removed, OndError *err)
{
    OndStatus status = need_particles(sim, err);
    int count = 0;
    if (removed) *removed = 0;
    if (status == OND_OK) status = check_region(region, err);
    if (status != OND_OK) return status;
    const OndFields *const f = ond_sim_particles(sim);
    bool *const gone = OND_NEW_ARRAY(bool, f->count + 1);
    if (!gone) return ond_fail(err, OND_NO_MEMORY, "not enough memory to remove particles");
    for (int i = 0; i < f->count; ++i)
        count += gone[i] = is_in(region, is_flat(sim), place_of(f, i));
    if (count > 0) status = take_away(sim, gone, err);
    if (status == OND_OK && removed) *removed = count;
    ond_free(gone);
    return status;
}

// ---- cells

// Of component `axis` of a field on faces, or (-1) of the cell's middle.
static OndVec cell_place(const OndGrid *g, int i, int j, int k, int axis)
{
    const OndVec in = ond_vec(i + (axis == 0 ? 0.0 : 0.5), j + (axis == 1 ? 0.0 : 0.5),
                              g->deep ? k + (axis == 2 ? 0.0 : 0.5) : 0.0);
    return ond_add(g->origin, ond_scale(in, g->h));
}

// Adds to one array of the grid, upper faces included, wherever the region is.
static void add_to_cells(const OndGrid *g, float *array, int axis, const OndRegion *r, float more,
                         float least)
{
    const int last[3] = {g->n[0] + (axis == 0), g->n[1] + (axis == 1), g->n[2] + (axis == 2)};
    for (int k = 0; k < last[2]; ++k)
        for (int j = 0; j < last[1]; ++j)
            for (int i = 0; i < last[0]; ++i) {
                float *const at = &array[ond_grid_at(g, i, j, k)];
                if (is_in(r, !g->deep, cell_place(g, i, j, k, axis)))
                    *at = fmaxf(*at + more, least);
            }
}

// ---- pushing

// Returns how fast the fastest of them are then; `put`: they are.
static double push_particles(OndSim *sim, const OndRegion *r, const double velocity[3], bool put)
{
    const OndFields *const f = ond_sim_particles(sim);
    float *const *const v = (float *const *)ond_fields_find(f, "velocity")->data;
    double fastest = 0.0;
    for (int i = 0; i < f->count; ++i) {
        float next[3] = {v[0][i], v[1][i], v[2][i]};
        if (!is_in(r, is_flat(sim), place_of(f, i))) continue;
        for (int a = 0; a < sim->scene->dimension; ++a)
            next[a] += (float)velocity[a];
        for (int a = 0; a < 3 && put; ++a)
            v[a][i] = next[a];
        fastest = fmax(fastest, ond_length(ond_vec(next[0], next[1], next[2])));
    }
    return fastest;
}

OndStatus ond_sim_push_region(OndSim *sim, const OndRegion *region, const double velocity[3],
                              OndError *err)
{
    const double speed = ond_length(ond_vec(velocity[0], velocity[1], velocity[2]));
    if (check_region(region, err) != OND_OK) return OND_BAD_VALUE;
    if (!(speed < FASTEST))
        return ond_fail(err, OND_BAD_VALUE, "a push by %g m/s is none; at most 1e6", speed);
    const OndField *const cells = ond_fields_find(ond_sim_cells(sim), "velocity");
    if (sim->method->particles) {
        const double fastest = push_particles(sim, region, velocity, false);
        const OndStatus status = ond_sim_edit_speed(sim, fastest, err);
        if (status != OND_OK) return status;
        push_particles(sim, region, velocity, true);
    }
    for (int a = 0; cells && a < sim->scene->dimension; ++a)
        add_to_cells(sim->method->grid(sim->self), cells->data[a],
                     cells->flags & OND_FIELD_FACES ? a : -1, region, (float)velocity[a],
                     -INFINITY);
    OndStatus status = ond_sim_edit_done(sim, err);
    if (status == OND_OK && cells && sim->method->told) // solids keep their own faces
        status = sim->method->told(sim->self, &sim->world.world, err);
    return status;
}

// ---- heating

OndStatus ond_sim_heat_region(OndSim *sim, const OndRegion *region, double kelvin, OndError *err)
{
    const OndFields *const f = ond_sim_particles(sim);
    const OndField *const warm = ond_fields_find(f, "temperature");
    const OndField *const cells = ond_fields_find(ond_sim_cells(sim), "temperature");
    if (!(fabs(kelvin) < 1e5))
        return ond_fail(err, OND_BAD_VALUE, "a change by %g K is none; at most 1e5", kelvin);
    if (check_region(region, err) != OND_OK) return OND_BAD_VALUE;
    if (!(sim->method->uses & OND_USES_HEAT) || !(cells || (sim->method->particles && warm)))
        return ond_fail(err, OND_BAD_VALUE, "the method `%s` computes nothing by temperatures",
                        sim->method->name);
    for (int i = 0; sim->method->particles && i < f->count; ++i) {
        float *const at = &((float *)warm->data[0])[i];
        if (is_in(region, is_flat(sim), place_of(f, i))) *at = fmaxf(*at + (float)kelvin, COLDEST);
    }
    if (cells)
        add_to_cells(sim->method->grid(sim->self), cells->data[0], -1, region, (float)kelvin,
                     COLDEST);
    return ond_sim_edit_done(sim, err);
}
