// SPDX-License-Identifier: MIT
// The order of an SPH step, and the life of the method. The passes are in sph_*.c, their loops in
// loops_*.c.
#include "particles/sph.h"

#include "base/clock.h"
#include "base/memory.h"
#include "base/parallel.h"
#include "particles/heat.h"
#include "particles/rigid.h"
#include "particles/sph_state.h"

#include <string.h>

#define FADE_CROSSINGS 20  // of the liquid by sound, in which the start's density factors fade
#define CRUSHED        1.0 // mean compression from which on the numbers mean nothing
#define FAST_SOUND     3   // times sound, and
#define FAST_FALL      15  // times fall or start: speeds beyond both are no liquid's
#define SQUEEZE                                                                                    \
    0.02 // an automatic speed of sound lets weight and fall squeeze the liquid this much

static const char *const phase_names[OND_PHASE_COUNT] = {
    "sort",    "neighbours", "density",  "pressure",  "viscosity",
    "tension", "heat",       "rigidity", "integrate",
};

static void lap(OndSph *s, OndSphPhase phase, double *since)
{
    const double now = ond_now_ms();
    s->phase_ms[phase] += now - *since;
    *since = now;
}

static void weigh_range(int first, int last, int worker, void *context)
{
    const OndSph *s = context;
    for (int a = 0; a < 3; ++a)
        for (int i = first; i < last; ++i)
            s->a[a][i] = s->world.gravity[a];
}

OndStatus ond_sph_find_neighbours(OndSph *s, OndError *err)
{
    double clock = ond_now_ms();
    OndStatus status = ond_sph_sort(s, err); // near in space becomes near in memory
    lap(s, OND_PHASE_SORT, &clock);
    if (status == OND_OK) status = ond_sph_make_images(s, err); // walls and periodic sides
    if (status == OND_OK) status = ond_sph_search(s, err);
    if (status == OND_OK) status = ond_sph_solids_find(s, err);
    lap(s, OND_PHASE_NEIGHBOURS, &clock);
    return status;
}

static OndStatus find_forces(OndSph *s, OndError *err)
{
    memset(s->phase_ms, 0, sizeof s->phase_ms);
    s->sound = (float)s->sound_speed;
    const OndStatus status = ond_sph_find_neighbours(s, err);
    if (status != OND_OK) return status;
    double clock = ond_now_ms();
    ond_sph_density(s);
    lap(s, OND_PHASE_DENSITY, &clock);
    ond_parallel_for(s->fields.count, 8 * OND_GRAIN, weigh_range, s);
    ond_sph_pressure(s);
    lap(s, OND_PHASE_PRESSURE, &clock);
    ond_sph_viscosity(s);
    lap(s, OND_PHASE_VISCOSITY, &clock);
    ond_sph_tension(s);
    lap(s, OND_PHASE_TENSION, &clock);
    const OndHeldView held = ond_sph_held(s);
    ond_held_set(&held);
    if (s->has_rigidity) ond_rigid_refresh(s);
    s->ready = true;
    return ond_sph_limits(s, err);
}

static OndStatus prepare(void *self, OndError *err)
{
    OndSph *s = self;
    return s->fields.count == 0 || s->ready ? OND_OK : find_forces(s, err);
}

static double largest_step(const void *self)
{
    const OndSph *s = self;
    return s->fields.count == 0 ? ond_sph_longest_step(s) : ond_sph_step_size(s);
}

static bool is_mostly_rigid(const OndSph *s)
{
    int rigid = 0;
    for (int i = 0; s->has_rigidity && i < s->fields.count; ++i)
        rigid += s->rigidity[i] > 0.0f;
    return 2 * rigid > s->fields.count;
}

static OndStatus fail_crushed(const OndSph *s, OndError *err)
{
    char steps[80];
    const char *const solid = ond_sph_solids_presser(s);
    if (solid)
        return ond_fail(err, OND_UNSTABLE,
                        "the liquid is squeezed to %.3g times its density: solid '%.60s' leaves it "
                        "no room, or is too fast for its speed of sound of %.3g m/s. Leave it a "
                        "way out, move the solid less far or more slowly, or raise `sound_speed`",
                        1.0 + s->density_error, solid, s->sound);
    if (is_mostly_rigid(s))
        return ond_fail(err, OND_UNSTABLE,
                        "what is rigid is squeezed to %.3g times its density: something pushes it "
                        "where it can go no further, such as an emitter behind it. Leave it a way "
                        "out, shut the emitter in time (`to`), or let it melt first",
                        1.0 + s->density_error);
    return ond_fail(err, OND_UNSTABLE,
                    "the liquid is squeezed to %.3g times its density: steps are too long for its "
                    "speed of sound. Try %s",
                    1.0 + s->density_error, ond_sph_shorter_steps(s, steps, sizeof steps));
}

static OndStatus move_particles(OndSph *s, double dt, OndError *err)
{
    double clock = ond_now_ms();
    OndStatus status = OND_OK;
    s->iterations = 0, s->unconverged = s->unsettled = false;
    if (s->has_heat) status = ond_heat_spread(s, dt, err);
    lap(s, OND_PHASE_HEAT, &clock);
    if (status == OND_OK) status = ond_sph_integrate(s, (float)dt, err);
    if (status != OND_OK) return status;
    ond_sph_solids_load(s, dt);
    s->time += dt;
    ond_sph_fade_factor(s, dt);
    s->ready = false;
    status = ond_sph_measure(s, err);
    lap(s, OND_PHASE_INTEGRATE, &clock);
    s->phase_ms[OND_PHASE_INTEGRATE] -= s->phase_ms[OND_PHASE_RIGIDITY];
    return status == OND_OK && !(s->density_error <= CRUSHED) ? fail_crushed(s, err) : status;
}

// What particles and solids give each other: forces of now before the step, what yields to the
// speed that bodies gain by them, then what the step did, and what yields to that.
static OndStatus advance(void *self, double dt, const OndExchange *solids, OndError *err)
{
    OndSph *s = self;
    const bool any = s->fields.count > 0, yields = any && solids && solids->free;
    if (any) ond_sph_solids_press(s, dt);
    OndStatus status = ond_exchange_depart(solids, dt, err);
    if (status != OND_OK) return status;
    if (yields) ond_sph_solids_yield(s, dt);
    ond_exchange_answered(solids);
    if (any) status = move_particles(s, dt, err);
    if (status != OND_OK) return status;
    ond_exchange_arrive(solids, dt);
    ond_exchange_finish(solids, dt);
    if (yields) ond_sph_solids_follow(s, dt);
    return OND_OK;
}

void ond_sph_bind(OndSph *s)
{
    const OndFields *f = &s->fields;
    float *none[3] = {NULL, NULL, NULL};
#define BIND3(to, name)                                                                            \
    do {                                                                                           \
        const OndField *field = ond_fields_find(f, name);                                          \
        memcpy(s->to, field ? (void *)field->data : (void *)none, sizeof s->to);                   \
    } while (0)
#define BIND(to, name)                                                                             \
    do {                                                                                           \
        const OndField *field = ond_fields_find(f, name);                                          \
        s->to = field ? field->data[0] : NULL;                                                     \
    } while (0)
    BIND3(x, "position");
    BIND3(v, "velocity");
    BIND3(last, "acceleration");
    BIND3(a, "force");
    BIND3(normal, "normal");
    BIND3(rest, "position_rest");
    BIND(density, "density");
    BIND(temperature, "temperature");
    BIND(temperature_rest, "temperature_rest");
    BIND(rigidity, "rigidity");
    BIND(factor, "density_factor");
    BIND(pressure, "pressure");
    BIND(volume, "volume");
    BIND(weight, "weight");
    BIND(load, "load");
    BIND(scale, "scale");
    BIND(rate, "rate");
    BIND(viscosity, "viscosity");
    BIND(tension, "tension");
    BIND(bend, "bend");
    BIND(drop, "drop");
    BIND(id, "id");
    BIND(material, "material");
    BIND(held, "held");
    BIND(piece, "piece");
    BIND(lifted, "lifted");
#undef BIND
#undef BIND3
}

OndPairs ond_sph_pairs(const OndSph *s)
{
    return (OndPairs){s->lists.pool, s->lists.first, s->lists.length, s->x[0], s->x[1],
                      s->x[2],       s->v[0],        s->v[1],         s->v[2], s->density,
                      s->volume,     s->kernel,      s->a[0],         s->a[1], s->a[2]};
}

OndHeldView ond_sph_held(const OndSph *s)
{
    return (OndHeldView){&s->world, s->time, s->fields.count, s->x,   s->v,
                         s->a,      s->last, s->material,     s->held};
}

double *ond_sph_sums(OndSph *s, int count)
{
    return ond_scratch(&s->sum, &s->sum_room, count);
}

// What a particle carries. A new value is one line here.
static bool describe(OndSph *s)
{
    const unsigned state = OND_FIELD_STATE, shown = OND_FIELD_STATE | OND_FIELD_FRAME,
                   temp = OND_FIELD_TEMP;
    const struct {
        const char *name, *unit;
        OndFieldType type;
        int components;
        unsigned flags;
        bool wanted;
    } list[] = {
        {"position", "m", OND_F32, 3, shown, true},
        {"velocity", "m/s", OND_F32, 3, shown, true},
        {"acceleration", "m/s^2", OND_F32, 3, state, true}, // of the last step: leapfrog
        {"density", "kg/m^3", OND_F32, 1, shown, true},
        {"temperature", "C", OND_F32, 1, shown, true},
        {"temperature_rest", "C", OND_F32, 1, state, s->has_heat}, // what a float cannot hold
        {"rigidity", "", OND_F32, 1, shown, true},
        {"id", "", OND_U32, 1, shown, true},
        {"material", "", OND_U32, 1, shown, true},
        {"held", "", OND_U32, 1, state, true},
        {"piece", "", OND_U32, 1, shown, s->has_rigidity},
        {"lifted", "", OND_U32, 1, state,
         s->has_rigidity}, // walls that did not push it in the last step
        {"position_rest", "m", OND_F32, 3, state,
         s->has_rigidity}, // digits lost: bodies keep shape
        {"density_factor", "", OND_F32, 1, state, true},
        {"viscosity", "Pa s", OND_F32, 1, state, s->has_viscosity},
        {"tension", "N/m", OND_F32, 1, state, s->has_tension},
        {"pressure", "Pa", OND_F32, 1, temp | OND_FIELD_FRAME, true},
        {"force", "m/s^2", OND_F32, 3, temp, true},
        {"volume", "m^3", OND_F32, 1, temp, true},
        {"weight", "", OND_F32, 1, temp, true},
        {"load", "", OND_F32, 1, temp, true},
        {"scale", "", OND_F32, 1, temp, true},
        {"rate", "", OND_F32, 1, temp, true},
        {"normal", "1/m", OND_F32, 3, temp, s->has_tension},
        {"bend", "1/m^2", OND_F32, 1, temp, s->has_tension},
        {"drop", "", OND_U32, 1, temp, s->has_tension},
    };
    for (int f = 0; f < OND_COUNT(list); ++f)
        if (list[f].wanted && ond_fields_add(&s->fields, list[f].name, list[f].unit, list[f].type,
                                             list[f].components, list[f].flags) < 0)
            return false;
    return true;
}

// Sums over the square lattice round a particle: of W, of r G r and of r^2 lap W, without the
// particle's volume.
static void lattice_sums(const OndSph *s, double sums[3])
{
    const double spacing = s->world.spacing;
    const int reach = (int)ceil(s->def.smoothing), flat = s->world.dimension == 2 ? 0 : reach;
    sums[0] = sums[1] = sums[2] = 0;
    for (int z = -flat; z <= flat; ++z)
        for (int y = -reach; y <= reach; ++y)
            for (int x = -reach; x <= reach; ++x) {
                const double r2 = spacing * spacing * (x * x + y * y + z * z);
                sums[0] += ond_kernel_value(s->kernel, (float)r2);
                sums[1] += r2 * ond_kernel_gradient(s->kernel, (float)sqrt(r2));
                sums[2] += r2 * ond_kernel_laplacian(s->kernel, (float)sqrt(r2));
            }
}

// The lattice the liquid starts on must have exactly its rest density. Either the mass is chosen so
// [Dagenais 2012, 4.4], or (calibrate) the mass is what the volume weighs, and the kernels' factors
// are scaled so that value, gradient and Laplacian are exact on that lattice.
static void set_up_kernel(OndSph *s)
{
    const int d = s->world.dimension;
    const double spacing = s->world.spacing, h = s->def.smoothing * spacing;
    const double volume = d == 2 ? spacing * spacing : spacing * spacing * spacing;
    s->kernel = ond_kernel_set(s->def.kernel, h, d);
    s->damping = s->def.density == OND_DENSITY_SUMMATION ? (float)(s->def.sound_damping * h) : 0.0f;
    s->rest_volume = (float)volume;
    ond_sph_set_up_tension(s);
    double sums[3];
    lattice_sums(s, sums);
    if (s->def.calibrate) {
        s->kernel.value *= (float)(1.0 / (volume * sums[0]));
        s->kernel.gradient *= (float)(-d / (volume * sums[1]));
        s->kernel.laplacian *= (float)(2.0 * d / (volume * sums[2]));
    }
    for (int m = 0; m < s->world.material_count; ++m)
        s->mass[m] = s->def.mass > 0.0  ? (float)s->def.mass
                     : s->def.calibrate ? (float)(s->world.material[m].density * volume)
                                        : (float)(s->world.material[m].density / sums[0]);
}

static void set_up_walls(OndSph *s)
{
    const OndWorld *w = &s->world;
    const bool mirror = w->wall_model == OND_WALL_MIRROR;
    // on the wall itself a particle would meet its own image
    const float gap = fmaxf(w->margin, mirror ? 0.1f * (float)w->spacing : 0.0f);
    for (int side = 0; side < 6; ++side) {
        const int axis = side / 2, kind = axis < w->dimension ? w->side[side].kind : OND_SIDE_OPEN;
        const float inward = side % 2 ? -1.0f : 1.0f;
        const float at =
            (float)(side % 2 ? ond_axis(w->box.max, axis) : ond_axis(w->box.min, axis));
        const bool images = kind == OND_SIDE_PERIODIC || (kind == OND_SIDE_WALL && mirror);
        s->wall_at[side] = kind == OND_SIDE_WALL ? at + inward * gap : -inward * INFINITY;
        s->image_at[side] = images ? at + inward * s->reach : -inward * INFINITY;
        s->has_walls |= images;
        s->rigid_at[side] = ond_rigid_wall(s, side);
    }
}

static void destroy(void *self)
{
    OndSph *s = self;
    if (!s) return;
    ond_fields_free(&s->fields);
    ond_cells_free(&s->cells);
    ond_images_free(&s->images);
    ond_rigid_free(s->rigid);
    ond_thesis_free(s->thesis);
    ond_heat_free(s->heat);
    ond_sph_solids_free(s->solids);
    for (int w = 0; w < s->worker_count; ++w)
        ond_free(s->worker[w].r2);
    ond_sorting_free(&s->sorting);
    void *blocks[] = {s->worker, s->lists.pool, s->lists.first, s->lists.length, s->sum};
    for (int b = 0; b < OND_COUNT(blocks); ++b)
        ond_free(blocks[b]);
    ond_free(s);
}

static bool has_tension(const OndSph *s)
{
    for (int m = 0; m < s->world.material_count; ++m)
        if (s->world.material[m].tension > 0.0f) return true;
    return false;
}

static void look_at_materials(OndSph *s)
{
    s->has_tension = has_tension(s);
    for (int k = 0; k < s->world.material_count; ++k) {
        const OndMaterial *m = &s->world.material[k];
        s->has_viscosity |= m->viscosity > 0.0f;
        s->has_heat |= m->conductivity > 0.0f;
        s->has_rigidity |= m->rigidity > 0.0f || (m->rigidity < 0.0f && m->liquid > m->solid);
    }
    s->has_rigidity &= s->def.rigidity.solver != OND_RIGID_NONE;
}

static void *create(const OndSetup *setup, OndError *err)
{
    OndSph *s = OND_NEW(OndSph);
    if (!s) {
        ond_fail(err, OND_NO_MEMORY, "not enough memory for a simulation");
        return NULL;
    }
    s->def = *(const OndSphDef *)setup->def;
    s->world = *setup->world;
    s->loops = ond_loops();
    ond_sph_apply_preset(&s->def, s->world.dimension, s->world.wall_model, has_tension(s));
    look_at_materials(s);
    set_up_kernel(s);
    set_up_walls(s);
    if (!describe(s)) {
        ond_fail(err, OND_NO_MEMORY, "not enough memory for a simulation");
    } else if (ond_fields_reserve(&s->fields, setup->room, err) == OND_OK &&
               ond_sph_solids_create(s, err) == OND_OK) {
        ond_sph_bind(s);
        return s;
    }
    destroy(s);
    return NULL;
}

static OndFields *particles(void *self)
{
    return &((OndSph *)self)->fields;
}

static OndStatus added(void *self, int first, OndError *err)
{
    OndSph *s = self;
    ond_sph_bind(s);
    for (int i = 0; first == s->fields.count && i < first; ++i) // resumed: from a file
        if (s->material[i] >= (uint32_t)s->world.material_count)
            return ond_fail(err, OND_BAD_VALUE,
                            "the checkpoint is damaged: particle %d has no fluid", i);
    for (int i = first; i < s->fields.count; ++i) {
        const OndMaterial *m = &s->world.material[s->material[i]];
        s->id[i] = (uint32_t)s->next_id++;
        s->factor[i] = 1.0f;
        s->density[i] = m->density;
        s->pressure[i] = s->rigidity[i] = 0.0f;
        for (int a = 0; s->has_rigidity && a < 3; ++a)
            s->piece[i] = s->lifted[i] = 0, s->rest[a][i] = 0.0f;
        if (s->has_heat) s->temperature_rest[i] = 0.0f;
        for (int a = 0; a < 3; ++a)
            s->last[a][i] = s->a[a][i] = 0.0f;
        if (s->has_viscosity) s->viscosity[i] = m->viscosity;
        if (s->has_tension) s->tension[i] = m->tension;
    }
    s->ready = false;
    return OND_OK;
}

static void bounds(const OndSph *s, int axis, double *low, double *high)
{
    *low = *high = s->x[axis][0];
    for (int i = 1; i < s->fields.count; ++i) {
        *low = fmin(*low, s->x[axis][i]);
        *high = fmax(*high, s->x[axis][i]);
    }
}

static double extent(const OndSph *s)
{
    double low, high, most = 0;
    for (int a = 0; a < s->world.dimension; ++a) {
        bounds(s, a, &low, &high);
        most = fmax(most, high - low);
    }
    return most;
}

// g H with H the way a particle can fall: from the top of the liquid to the wall below, or to the
// bottom of the liquid where there is none. A force along a periodic channel squeezes nothing.
static double fall_height(const OndSph *s)
{
    double sum = 0, low, high;
    for (int a = 0; a < s->world.dimension; ++a) {
        const double g = s->world.gravity[a];
        const OndSide *below = &s->world.side[2 * a + (g < 0.0 ? 0 : 1)];
        if (below->kind == OND_SIDE_PERIODIC) continue;
        bounds(s, a, &low, &high);
        if (below->kind == OND_SIDE_WALL && g < 0.0) low = fmin(low, ond_axis(s->world.box.min, a));
        if (below->kind == OND_SIDE_WALL && g > 0.0)
            high = fmax(high, ond_axis(s->world.box.max, a));
        sum += fabs(g) * (high - low);
    }
    return sum; // m^2/s^2
}

// c^2 = (g H + v^2 / 2) / squeeze: hydrostatic and dynamic pressure together squeeze by about that
// share.
static double fastest_start(const OndSph *s)
{
    double fastest = 0;
    for (int i = 0; i < s->fields.count; ++i)
        fastest = fmax(fastest, (double)s->v[0][i] * s->v[0][i] + (double)s->v[1][i] * s->v[1][i] +
                                    (double)s->v[2][i] * s->v[2][i]);
    return sqrt(fastest);
}

static double automatic_sound(const OndSph *s, double fall, double fastest)
{
    double drop = 0; // pressure in a drop of 8 spacings radius
    for (int m = 0; m < s->world.material_count; ++m)
        drop = fmax(drop, 0.25 * s->world.material[m].tension /
                              (s->world.spacing * s->world.material[m].density));
    const double c2 = (fall + 0.5 * fastest * fastest + drop) / SQUEEZE;
    return c2 > 0.0 ? sqrt(c2) : 10.0;
}

static OndStatus start(void *self, OndError *err)
{
    OndSph *s = self;
    const double g = sqrt((double)s->world.gravity[0] * s->world.gravity[0] +
                          (double)s->world.gravity[1] * s->world.gravity[1] +
                          (double)s->world.gravity[2] * s->world.gravity[2]);
    const double fall =
        s->fields.count ? fmax(fall_height(s), ond_sph_solids_fall(s, extent(s))) : 0.0;
    const double drop = fmax(fall, fmax(s->world.inflow_energy, s->world.solid_fall));
    const double fastest = fmax(fastest_start(s), s->world.solid_speed), falling = sqrt(2.0 * drop);
    s->sound_speed =
        s->def.sound_speed > 0.0 ? s->def.sound_speed : automatic_sound(s, drop, fastest);
    s->speed_cap = fmax(FAST_SOUND * s->sound_speed, FAST_FALL * fmax(falling, fastest));
    s->sound = (float)s->sound_speed;
    if (s->fields.count == 0) return OND_OK;
    ond_sph_solids_still(s, true);
    OndStatus status = ond_sph_find_neighbours(s, err);
    if (status != OND_OK) return status;
    if (s->def.settle) status = ond_sph_pack(s, err);
    if (status != OND_OK) return status;
    ond_sph_rest_density(s);
    const double height = fmax(g > 0.0 && fall > 0.0 ? fall / g : extent(s), 4.0 * s->kernel.h);
    status = s->def.settle ? ond_sph_settle(s, height, err) : OND_OK;
    if (status != OND_OK) return status;
    ond_sph_solids_still(s, false);
    ond_sph_start_density(s);
    s->fade_time = FADE_CROSSINGS * height / s->sound_speed;
    if (s->has_rigidity) ond_rigid_refresh(s);
    return ond_sph_measure(s, err);
}

static void report(const void *self, OndReport *out)
{
    const OndSph *s = self;
    *out = (OndReport){.max_speed = s->speed,
                       .max_acceleration = s->acceleration,
                       .density_error = s->density_error,
                       .kinetic = s->kinetic,
                       .iterations = s->iterations,
                       .unconverged = s->unconverged,
                       .unsettled = s->unsettled,
                       .potential = s->potential,
                       .phase_count = OND_PHASE_COUNT,
                       .phase_names = phase_names};
    memcpy(out->phase_ms, s->phase_ms, sizeof s->phase_ms);
}

static const char *number(void *self, int slot, double **value)
{
    OndSph *s = self;
    switch (slot) {
    case 0:
        *value = &s->last_dt;
        return "last_dt";
    case 1:
        *value = &s->next_id;
        return "next_id";
    case 2:
        *value = &s->sound_speed;
        return "sound_speed";
    case 3:
        *value = &s->fade_time;
        return "fade_time";
    case 4:
        *value = &s->speed_cap;
        return "speed_cap";
    case 5:
        *value = &s->time;
        return "time";
    default:
        return NULL;
    }
}

static size_t bytes(const void *self)
{
    const OndSph *s = self;
    const size_t images = ond_images_bytes(&s->images);
    const size_t lists =
        (size_t)s->lists.capacity * 4 + (size_t)s->list_room * 8 + ond_sorting_bytes(&s->sorting);
    return (size_t)s->fields.capacity * (size_t)ond_fields_bytes_each(&s->fields) + images + lists +
           ond_cells_bytes(&s->cells) + (size_t)s->sum_room * 8 + ond_heat_bytes(s->heat) +
           ond_rigid_bytes(s->rigid) + ond_thesis_bytes(s->thesis) +
           ond_sph_solids_bytes(s->solids) +
           (size_t)s->worker_count * (size_t)s->candidate_room * 4;
}

static double neighbours(const void *self)
{
    const OndSph *s = self;
    double pairs = 0;
    for (int i = 0; i < s->fields.count && s->lists.pool; ++i)
        for (uint32_t k = 0; k < s->lists.length[i]; ++k)
            pairs += s->lists.pool[s->lists.first[i] + k] !=
                     (uint32_t)i; // padding is the particle itself
    return s->fields.count ? pairs / s->fields.count : 0;
}

const OndMethod ond_sph_method = {
    .name = "sph",
    .schema = &ond_sph_schema,
    .remedy = "a higher `artificial` viscosity or a smaller `sound_speed`",
    .create = create,
    .start = start,
    .prepare = prepare,
    .largest_step = largest_step,
    .advance = advance,
    .particles = particles,
    .added = added,
    .report = report,
    .number = number,
    .bytes = bytes,
    .neighbours = neighbours,
    .destroy = destroy,
};
