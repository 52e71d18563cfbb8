// SPDX-License-Identifier: MIT
// Heat from outside: walls, air, sources.
//
// Each particle feels the outside as one conductance g and one g T (plus power), so that solvers
// need not know what is there:
//
//     walls     k a / d for the layer that touches, half a spacing deep. A particle's share a of
//               the wall is spacing^(d-1), less where others crowd: the area of a wall is that of
//               the wall, however disordered what lies there. Mirrored walls are exact already
//               through their images (heat.c) when the solver is `implicit`.
//     air       exchange through the exposed area, and half a spacing deep.
//     sources   power in equal shares of volume (of surface, if only that is heated), or a
//               conductance per volume towards a temperature; for the part of the step they are on.
//               A sink takes no more than a particle holds, above absolute zero, when the step
//               begins: what it cannot get there it does not get elsewhere.
#include "base/parallel.h"
#include "particles/heat/heat_state.h"

#define LAYER        2.0  // spacings (or h): particles that share the wall with this one
#define SLACK        1.5  // times what is missing sideways at a flat surface is no surface
#define IGNORED      0.45 // at least, and
#define IGNORED_MOST 0.6
#define COLDEST      -273.15

// ---- set up

// Sum of (1 - q)^3 dx over lattice neighbours with dx > 0; `above` layers on top (along y).
static double one_sided(const OndSph *s, int axis, int above)
{
    const int reach = (int)ceil(s->def.smoothing), flat = s->world.dimension == 2 ? 0 : reach;
    const int top = above < reach ? above : reach;
    double sum = 0;
    for (int z = -flat; z <= flat; ++z)
        for (int y = -reach; y <= top; ++y)
            for (int x = -reach; x <= reach; ++x) {
                const double q = sqrt(x * x + y * y + z * z) / s->def.smoothing;
                const int along = axis == 0 ? x : y;
                if (q < 1.0 && along > 0) sum += along * (1 - q) * (1 - q) * (1 - q);
            }
    return sum * s->world.spacing;
}

// The layers of a flat surface of the lattice together must have its area.
static void set_up_exposed(OndSph *s, OndHeat *h)
{
    const int reach = (int)ceil(s->def.smoothing), d = s->world.dimension;
    const double full = one_sided(s, 0, reach);
    h->full = (float)(1.0 / full);
    const double sideways = 1.0 - one_sided(s, 0, 0) / full;
    h->ignored = (float)fmin(fmax(SLACK * sideways, IGNORED), IGNORED_MOST);
    double area = 0;
    for (int above = 0; above < reach; ++above) {
        const float side = (float)(1.0 - one_sided(s, 0, above) / full);
        const float up = (float)(1.0 - one_sided(s, 1, above) / full);
        const float missing[6] = {side, side, 0, up, side, side};
        area += ond_heat_exposed(missing, d, h->ignored);
    }
    h->flat = (float)(pow(s->world.spacing, d - 1) / area);
}

// Of a particle of the same layer, at a distance in spacings.
double ond_heat_layer_weight(const OndSph *s, double distance2)
{
    const double reach = fmin(LAYER, s->def.smoothing);
    return ond_heat_layer(distance2 / (reach * reach));
}

void ond_heat_set_up_outside(OndSph *s)
{
    set_up_exposed(s, s->heat);
    const int flat = s->world.dimension == 2 ? 0 : (int)LAYER;
    double sum = 0;
    for (int z = -flat; z <= flat; ++z)
        for (int x = -(int)LAYER; x <= (int)LAYER; ++x)
            sum += ond_heat_layer_weight(s, x * x + z * z);
    s->heat->contact = 1.0 / sum;
}

// ---- walls

// How much a particle belongs to the layer on this side.
static inline double touching(const OndSph *s, int side, int i)
{
    const int axis = side / 2;
    const double at =
        side % 2 ? ond_axis(s->world.box.max, axis) : ond_axis(s->world.box.min, axis);
    const double d = (side % 2 ? at - s->x[axis][i] : s->x[axis][i] - at) / s->world.spacing;
    return ond_heat_touching(d, OND_HEAT_TOUCHES, OND_HEAT_LETS_GO);
}

static bool is_behind(const OndSph *s, int side, int j)
{
    const int axis = side / 2;
    return side % 2 ? s->x[axis][j] > ond_axis(s->world.box.max, axis)
                    : s->x[axis][j] < ond_axis(s->world.box.min, axis);
}

// Squared distances along one axis, in spacings: to a particle, and to where bare walls mirror it
// (a layer ends at the next wall, which is not a lack of particles). Returns how many.
static int distances(const OndSph *s, int axis, float from, float to, double d2[3])
{
    const double spacing = s->world.spacing;
    int count = 0;
    d2[count++] = (double)(from - to) * (from - to) / (spacing * spacing);
    for (int side = 2 * axis; side < 2 * axis + 2; ++side) {
        if (s->world.side[side].kind != OND_SIDE_WALL || s->world.wall_model == OND_WALL_MIRROR)
            continue;
        const double at =
            side % 2 ? ond_axis(s->world.box.max, axis) : ond_axis(s->world.box.min, axis);
        const double d = (from + to - 2.0 * at) / spacing;
        d2[count++] = d * d;
    }
    return count;
}

// What one neighbour counts in the layer, with its mirrors.
static double share_of(const OndSph *s, int normal, int i, int j)
{
    const int a = normal == 0 ? 1 : 0, b = normal == 2 ? 1 : 2;
    double along[3], across[3] = {0}, sum = 0;
    const int count = distances(s, a, s->x[a][i], s->x[a][j], along);
    const int rows = s->world.dimension == 2 ? 1 : distances(s, b, s->x[b][i], s->x[b][j], across);
    for (int k = 0; k < count * rows; ++k)
        sum += ond_heat_layer_weight(s, along[k % count] + across[k / count]);
    return sum;
}

// How many share the place of one. Images count, where they go on along the wall.
static double crowd(const OndSph *s, int side, int i, double mine)
{
    const uint32_t *list = s->lists.pool + s->lists.first[i];
    double sum = mine * share_of(s, side / 2, i, i);
    for (uint32_t k = 0; k < s->lists.length[i]; ++k) {
        const int j = (int)list[k];
        const double belongs = j == i || is_behind(s, side, j) ? 0.0 : touching(s, side, j);
        if (belongs > 0.0) sum += belongs * share_of(s, side / 2, i, j);
    }
    return s->heat->contact * sum;
}

typedef struct Outside {
    OndSph *s;
    double scale; // dt / unit
    int side;
    const OndHeatSource *source;
    double share; // of the step that the source is on
    double each;  // power for a weight of 1
    double *sums;
} Outside;

static void wall_range(int first, int last, int worker, void *context)
{
    const Outside *o = context;
    const OndSph *s = o->s;
    const double spacing = s->world.spacing, area = pow(spacing, s->world.dimension - 1);
    for (int i = first; i < last; ++i) {
        const double mine = touching(s, o->side, i);
        const double k = s->world.material[s->material[i]].conductivity;
        if (mine == 0.0 || k == 0.0) continue;
        const double share =
            ond_heat_wall_share(mine, area, crowd(s, o->side, i, mine), OND_HEAT_SPREAD);
        const double g = ond_heat_wall(o->scale, k, share, 0.5 * spacing);
        s->heat->outside[i] += g;
        s->heat->toward[i] += g * s->world.side[o->side].temperature;
    }
}

static void widen(OndHeat *h, double temperature)
{
    h->low = fmin(h->low, temperature);
    h->high = fmax(h->high, temperature);
}

static void feel_walls(Outside *o)
{
    const OndSph *s = o->s;
    const bool images =
        s->world.wall_model == OND_WALL_MIRROR && s->def.heat.solver == OND_HEAT_IMPLICIT;
    for (o->side = 0; o->side < 2 * s->world.dimension; ++o->side) {
        const OndSide *side = &s->world.side[o->side];
        if (side->kind != OND_SIDE_WALL || !side->heats) continue;
        widen(s->heat, side->temperature);
        if (!images) ond_parallel_for(s->fields.count, OND_GRAIN, wall_range, o);
    }
}

// ---- air

typedef struct Exposed {
    const OndLoops *loops;
    OndExposedLoop loop;
} Exposed;

static void exposed_range(int first, int last, int worker, void *context)
{
    const Exposed *e = context;
    e->loops->exposed(&e->loop, first, last);
}

static void find_surface(OndSph *s)
{
    const OndHeat *h = s->heat;
    Exposed e = {s->loops,
                 {.pairs = ond_sph_pairs(s),
                  .dimension = s->world.dimension,
                  .full = h->full,
                  .ignored = h->ignored,
                  .scale = h->flat,
                  .area = h->area}};
    const bool bare = s->world.wall_model == OND_WALL_PROJECT;
    for (int side = 0; side < 6; ++side) {
        const float inward = side % 2 ? -1.0f : 1.0f;
        const bool wall = bare && s->world.side[side].kind == OND_SIDE_WALL;
        const double at =
            side % 2 ? ond_axis(s->world.box.max, side / 2) : ond_axis(s->world.box.min, side / 2);
        e.loop.closed[side] = wall ? (float)(at + inward * s->world.spacing) : -inward * INFINITY;
    }
    ond_parallel_for(s->fields.count, OND_GRAIN, exposed_range, &e);
    ond_heat_cover_solids(s);
}

static void air_range(int first, int last, int worker, void *context)
{
    const Outside *o = context;
    const OndSph *s = o->s;
    double through[OND_MATERIALS_MAX];
    for (int m = 0; m < s->world.material_count; ++m)
        through[m] =
            o->scale * ond_heat_through(s->world.air_exchange, s->world.material[m].conductivity,
                                        0.5 * s->world.spacing);
    for (int i = first; i < last; ++i) {
        const double g = through[s->material[i]] * s->heat->area[i];
        s->heat->outside[i] += g;
        s->heat->toward[i] += g * s->world.air_temperature;
    }
}

// ---- sources

// Share of the step that a source is on.
static double share_of_step(const OndSph *s, const OndHeatSource *source, double dt)
{
    const double from = fmax(source->from, s->time), to = fmin(source->to, s->time + dt);
    return to > from ? (to - from) / dt : 0.0;
}

// By what each particle counts, into `residual`, which is free yet: volume in units of a spacing's,
// or how much of it is exposed. The sums go by block.
static void weigh_blocks(int first, int last, int worker, void *context)
{
    const Outside *o = context;
    const OndSph *s = o->s;
    const double area = pow(s->world.spacing, s->world.dimension - 1);
    for (int b = first; b < last; ++b) {
        const int begin = b * OND_SUM_BLOCK;
        const int end =
            begin + OND_SUM_BLOCK < s->fields.count ? begin + OND_SUM_BLOCK : s->fields.count;
        double sum = 0;
        for (int i = begin; i < end; ++i) {
            const uint32_t m = s->material[i];
            const double volume = (double)s->mass[m] / s->world.material[m].density;
            double weight = o->source->surface ? fmin(s->heat->area[i] / area, 1.0) : 1.0;
            if (weight > 0.0 &&
                (s->world.material[m].conductivity == 0.0f ||
                 !o->source->inside(o->source->shape, ond_vec(s->x[0][i], s->x[1][i], s->x[2][i]))))
                weight = 0.0;
            s->heat->residual[i] = weight * volume;
            sum += weight * volume;
        }
        o->sums[b] = sum;
    }
}

static void source_range(int first, int last, int worker, void *context)
{
    const Outside *o = context;
    OndHeat *h = o->s->heat;
    const double transfer = o->scale * o->share * o->source->transfer;
    for (int i = first; i < last; ++i) {
        const double g = transfer * h->residual[i];
        h->outside[i] += g;
        h->toward[i] += g * o->source->temperature + o->each * h->residual[i];
    }
}

static void sink_range(int first, int last, int worker, void *context)
{
    const Outside *o = context;
    OndHeat *h = o->s->heat;
    for (int i = first; i < last; ++i) {
        const double taken = fmin(-o->each * h->residual[i], h->start[i]);
        h->start[i] -= taken;
        h->toward[i] -= taken;
    }
}

// Adds one source; returns the degrees by which its power may heat a particle.
static double feel_source(Outside *o, int blocks)
{
    OndSph *s = o->s;
    ond_parallel_for(blocks, 1, weigh_blocks, o);
    double sum = 0;
    for (int b = 0; b < blocks; ++b)
        sum += o->sums[b];
    if (!(sum > 0.0)) return 0.0;
    const bool power = !(o->source->transfer > 0.0f);
    o->each = power ? o->scale * o->share * o->source->power / sum : 0.0;
    ond_parallel_for(s->fields.count, 8 * OND_GRAIN, o->each < 0.0 ? sink_range : source_range, o);
    if (!power) {
        widen(s->heat, o->source->temperature);
        return 0.0;
    }
    double least = INFINITY; // heat capacity
    for (int m = 0; m < s->world.material_count; ++m)
        least = fmin(least, s->heat->curve[m].capacity);
    return o->each * s->rest_volume / least;
}

static bool needs_surface(const OndSph *s, double dt)
{
    bool wanted = s->world.air_exchange > 0.0f;
    for (int k = 0; k < s->world.heat_count; ++k)
        wanted |= s->world.heat[k].surface && share_of_step(s, &s->world.heat[k], dt) > 0.0;
    return wanted;
}

static void clear_range(int first, int last, int worker, void *context)
{
    OndHeat *h = context;
    for (int i = first; i < last; ++i)
        h->outside[i] = h->toward[i] = 0.0;
}

// What there is for sinks to take.
static void fill_range(int first, int last, int worker, void *context)
{
    const OndSph *s = context;
    OndHeat *h = s->heat;
    for (int i = first; i < last; ++i) {
        const OndHeatCurve c = h->curve[s->material[i]];
        h->start[i] = fmax(ond_heat_held(c, h->value[i]) - ond_heat_held(c, COLDEST), 0.0);
    }
}

static bool has_sink(const OndSph *s, double dt)
{
    bool found = false;
    for (int k = 0; k < s->world.heat_count; ++k)
        found |= s->world.heat[k].power < 0.0f && share_of_step(s, &s->world.heat[k], dt) > 0.0;
    return found;
}

OndStatus ond_heat_outside(OndSph *s, double dt, OndError *err)
{
    OndHeat *h = s->heat;
    const int n = s->fields.count, blocks = ond_sum_block_count(n);
    Outside o = {.s = s, .scale = dt / h->unit, .sums = ond_sph_sums(s, blocks)};
    if (!o.sums) return ond_fail(err, OND_NO_MEMORY, "not enough memory for sums over particles");
    ond_parallel_for(n, 8 * OND_GRAIN, clear_range, h);
    feel_walls(&o);
    ond_heat_feel_solids(s, o.scale);
    if (needs_surface(s, dt)) find_surface(s);
    if (s->world.air_exchange > 0.0f) {
        ond_parallel_for(n, 8 * OND_GRAIN, air_range, &o);
        widen(h, s->world.air_temperature);
    }
    if (has_sink(s, dt)) ond_parallel_for(n, 8 * OND_GRAIN, fill_range, s);
    double warms = 0, cools = 0;
    for (int k = 0; k < s->world.heat_count; ++k) {
        o.source = &s->world.heat[k];
        o.share = share_of_step(s, o.source, dt);
        const double rise = o.share > 0.0 ? feel_source(&o, blocks) : 0.0;
        warms = fmax(warms, rise), cools = fmin(cools, rise);
    }
    h->sinks = cools < 0.0;
    cools = fmax(cools, fmin(COLDEST - h->high, 0.0));
    h->span = h->high - h->low + warms - cools;
    h->magnitude = fmax(fabs(h->low), fabs(h->high)) + h->span;
    if (warms > 0.0) h->high = INFINITY;
    if (cools < 0.0) h->low = fmin(h->low, COLDEST);
    if (isfinite(h->span)) return OND_OK;
    return ond_fail(err, OND_UNSTABLE,
                    "a temperature is no longer a number. Try `heat: {solver: implicit}`");
}
