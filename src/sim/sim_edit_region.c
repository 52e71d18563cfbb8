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

static OndVec place_of(const OndField *x, int i)
{
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

static OndStatus no_particle(int index, int count, OndError *err)
{
    return ond_fail(err, OND_BAD_VALUE,
                    "there is no particle %d: the simulation has %d, counted from 0", index, count);
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
            status = no_particle(index[k], all, err);
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
    const OndField *const x = ond_fields_find(f, "position");
    bool *const gone = OND_NEW_ARRAY(bool, f->count + 1);
    if (!gone) return ond_fail(err, OND_NO_MEMORY, "not enough memory to remove particles");
    for (int i = 0; i < f->count; ++i)
        count += gone[i] = is_in(region, is_flat(sim), place_of(x, i));
    if (count > 0) status = take_away(sim, gone, err);
    if (status == OND_OK && removed) *removed = count;
    ond_free(gone);
    return status;
}

// ---- changes of values

// What becomes of velocities: v + velocity + rate (x - from); or of a temperature or a density: a
// `share` of the way towards `value`, and `more` besides.
typedef struct ValueChange {
    double velocity[3];
    OndVec from;
    double rate;
    float value, share, more, least;
} ValueChange;

static float pushed(const ValueChange *c, float old, OndVec at, int axis)
{
    const double away = c->rate * (ond_axis(at, axis) - ond_axis(c->from, axis));
    return old + (float)(c->velocity[axis] + away);
}

static float led(const ValueChange *c, float old)
{
    return fmaxf(old + c->share * (c->value - old) + c->more, c->least);
}

// ---- cells

// Of component `axis` of a field on faces, or (-1) of the cell's middle.
static OndVec cell_place(const OndGrid *g, int i, int j, int k, int axis)
{
    const OndVec in = ond_vec(i + (axis == 0 ? 0.0 : 0.5), j + (axis == 1 ? 0.0 : 0.5),
                              g->deep ? k + (axis == 2 ? 0.0 : 0.5) : 0.0);
    return ond_add(g->origin, ond_scale(in, g->h));
}

// Which cells along an axis a region may hold, with one to spare for rounding.
static void cell_range(const OndGrid *g, const OndRegion *r, int axis, int *first, int *last)
{
    const bool ball = r->radius > 0.0;
    const double low = ball ? r->center[axis] - r->radius : r->min[axis];
    const double high = ball ? r->center[axis] + r->radius : r->max[axis];
    if (r->everywhere || (axis == 2 && !g->deep)) return;
    *first = (int)fmax(*first, floor((low - ond_axis(g->origin, axis)) / g->h) - 1.0);
    *last = (int)fmin(*last, ceil((high - ond_axis(g->origin, axis)) / g->h) + 2.0);
}

// One array of the grid, wherever the region is: component `push` of velocities, or (-1) a plain
// value; `face` is the axis of the faces that it stands on, upper ones included, or -1.
static void change_cells(const OndGrid *g, float *array, int face, int push, const OndRegion *r,
                         const ValueChange *c)
{
    int first[3] = {0, 0, 0}, last[3] = {g->n[0], g->n[1], g->n[2]};
    for (int a = 0; a < 3; ++a) {
        last[a] += face == a;
        cell_range(g, r, a, &first[a], &last[a]);
    }
    for (int k = first[2]; k < last[2]; ++k)
        for (int j = first[1]; j < last[1]; ++j)
            for (int i = first[0]; i < last[0]; ++i) {
                const OndVec at = cell_place(g, i, j, k, face);
                float *const value = &array[ond_grid_at(g, i, j, k)];
                if (!is_in(r, !g->deep, at)) continue;
                *value = push >= 0 ? pushed(c, *value, at, push) : led(c, *value);
            }
}

// ---- pushing

// Returns how fast the fastest of them are then; `put`: they are.
static double push_particles(OndSim *sim, const OndRegion *r, const ValueChange *c, bool put)
{
    const OndFields *const f = ond_sim_particles(sim);
    const OndField *const x = ond_fields_find(f, "position");
    float *const *const v = (float *const *)ond_fields_find(f, "velocity")->data;
    const bool flat = is_flat(sim);
    double fastest = 0.0;
    for (int i = 0; i < f->count; ++i) {
        const OndVec at = place_of(x, i);
        float next[3] = {v[0][i], v[1][i], v[2][i]};
        if (!is_in(r, flat, at)) continue;
        for (int a = 0; a < sim->scene->dimension; ++a)
            next[a] = pushed(c, next[a], at, a);
        for (int a = 0; a < 3 && put; ++a)
            v[a][i] = next[a];
        fastest = fmax(fastest, ond_length(ond_vec(next[0], next[1], next[2])));
    }
    return fastest;
}

static OndStatus check_speed(double speed, OndError *err)
{
    if (speed < FASTEST) return OND_OK;
    return ond_fail(err, OND_BAD_VALUE, "a push by %g m/s is none; at most 1e6", speed);
}

static OndStatus push(OndSim *sim, const OndRegion *region, const ValueChange *c, OndError *err)
{
    const OndField *const cells = ond_fields_find(ond_sim_cells(sim), "velocity");
    if (sim->method->particles) {
        const double fastest = push_particles(sim, region, c, false);
        OndStatus status = check_speed(fastest, err);
        if (status == OND_OK) status = ond_sim_edit_speed(sim, fastest, err);
        if (status != OND_OK) return status;
        push_particles(sim, region, c, true);
    }
    for (int a = 0; cells && a < sim->scene->dimension; ++a)
        change_cells(sim->method->grid(sim->self), cells->data[a],
                     cells->flags & OND_FIELD_FACES ? a : -1, a, region, c);
    OndStatus status = ond_sim_edit_done(sim, err);
    if (status == OND_OK && cells && sim->method->told) // solids keep their own faces
        status = sim->method->told(sim->self, &sim->world.world, err);
    return status;
}

OndStatus ond_sim_push_region(OndSim *sim, const OndRegion *region, const double velocity[3],
                              OndError *err)
{
    const double speed = ond_length(ond_vec(velocity[0], velocity[1], velocity[2]));
    const ValueChange c = {.velocity = {velocity[0], velocity[1], velocity[2]}};
    if (check_region(region, err) != OND_OK) return OND_BAD_VALUE;
    return check_speed(speed, err) == OND_OK ? push(sim, region, &c, err) : OND_BAD_VALUE;
}

OndStatus ond_sim_push_from(OndSim *sim, const OndRegion *region, const double from[3], double rate,
                            OndError *err)
{
    const ValueChange c = {.from = ond_vec(from[0], from[1], from[2]), .rate = rate};
    if (check_region(region, err) != OND_OK) return OND_BAD_VALUE;
    if (!(isfinite(ond_length(c.from)) && fabs(rate) < FASTEST))
        return ond_fail(err, OND_BAD_VALUE,
                        "a push from [%g, %g, %g] by %g a second is none; at most 1e6", from[0],
                        from[1], from[2], rate);
    return push(sim, region, &c, err);
}

OndStatus ond_sim_push_particles(OndSim *sim, const int *index, const float *velocity, int count,
                                 OndError *err)
{
    OndStatus status = need_particles(sim, err);
    double fastest = 0.0;
    if (status != OND_OK || count == 0) return status;
    if (count < 0 || !index || !velocity)
        return ond_fail(err, OND_BAD_VALUE, "%d particles cannot be pushed", count);
    const OndFields *const f = ond_sim_particles(sim);
    float *const *const v = (float *const *)ond_fields_find(f, "velocity")->data;
    for (int k = 0; k < count && status == OND_OK; ++k) {
        const int i = index[k];
        if (i < 0 || i >= f->count) return no_particle(i, f->count, err);
        const float *const by = velocity + 3 * (size_t)k;
        const OndVec next = ond_vec(v[0][i] + by[0], v[1][i] + by[1], v[2][i] + by[2]);
        status = check_speed(ond_length(next), err);
        fastest = fmax(fastest, ond_length(next));
    }
    if (status == OND_OK) status = ond_sim_edit_speed(sim, fastest, err);
    if (status != OND_OK) return status;
    for (int k = 0; k < count; ++k)
        for (int a = 0; a < sim->scene->dimension; ++a)
            v[a][index[k]] += velocity[3 * (size_t)k + (size_t)a];
    return ond_sim_edit_done(sim, err);
}

// ---- heating, and what a grid carries

static OndStatus lead_values(OndSim *sim, const char *name, const OndRegion *r,
                             const ValueChange *c, OndError *err)
{
    const OndFields *const f = ond_sim_particles(sim);
    const OndField *const own = sim->method->particles ? ond_fields_find(f, name) : NULL;
    const OndField *const cells = ond_fields_find(ond_sim_cells(sim), name);
    const OndField *const x = own ? ond_fields_find(f, "position") : NULL;
    const bool flat = is_flat(sim);
    for (int i = 0; x && i < f->count; ++i) {
        float *const value = &((float *)own->data[0])[i];
        if (is_in(r, flat, place_of(x, i))) *value = led(c, *value);
    }
    if (cells) change_cells(sim->method->grid(sim->self), cells->data[0], -1, -1, r, c);
    return ond_sim_edit_done(sim, err);
}

static OndStatus check_heat(const OndSim *sim, const OndRegion *region, OndError *err)
{
    const OndField *const warm = ond_fields_find(ond_sim_particles(sim), "temperature");
    const OndField *const cells = ond_fields_find(ond_sim_cells(sim), "temperature");
    if (check_region(region, err) != OND_OK) return OND_BAD_VALUE;
    if ((sim->method->uses & OND_USES_HEAT) && (cells || (sim->method->particles && warm)))
        return OND_OK;
    return ond_fail(err, OND_BAD_VALUE, "the method `%s` computes nothing by temperatures",
                    sim->method->name);
}

static OndStatus check_share(double share, OndError *err)
{
    if (share >= 0.0 && share <= 1.0) return OND_OK;
    return ond_fail(err, OND_BAD_VALUE, "a share of %g is none; accepted: 0 to 1", share);
}

OndStatus ond_sim_heat_region(OndSim *sim, const OndRegion *region, double kelvin, OndError *err)
{
    const ValueChange c = {.more = (float)kelvin, .least = COLDEST};
    if (!(fabs(kelvin) < 1e5))
        return ond_fail(err, OND_BAD_VALUE, "a change by %g K is none; at most 1e5", kelvin);
    const OndStatus status = check_heat(sim, region, err);
    return status == OND_OK ? lead_values(sim, "temperature", region, &c, err) : status;
}

OndStatus ond_sim_warm_region(OndSim *sim, const OndRegion *region, double celsius, double share,
                              OndError *err)
{
    const ValueChange c = {.value = (float)celsius, .share = (float)share, .least = COLDEST};
    if (!(celsius >= -273.15 && celsius <= 1e5))
        return ond_fail(err, OND_BAD_VALUE, "a temperature of %g C is none; -273.15 to 1e5 C",
                        celsius);
    OndStatus status = check_share(share, err);
    if (status == OND_OK) status = check_heat(sim, region, err);
    return status == OND_OK ? lead_values(sim, "temperature", region, &c, err) : status;
}

OndStatus ond_sim_fill_region(OndSim *sim, const OndRegion *region, double density, double share,
                              OndError *err)
{
    const ValueChange c = {.value = (float)density, .share = (float)share};
    if (!(density >= 0.0 && density <= 1e6))
        return ond_fail(err, OND_BAD_VALUE, "a density of %g is none; accepted: 0 to 1e6", density);
    OndStatus status = check_share(share, err);
    if (status == OND_OK) status = check_region(region, err);
    if (status != OND_OK) return status;
    if (sim->method->particles || !ond_fields_find(ond_sim_cells(sim), "density"))
        return ond_fail(err, OND_BAD_VALUE, "the method `%s` carries nothing in its cells",
                        sim->method->name);
    return lead_values(sim, "density", region, &c, err);
}
