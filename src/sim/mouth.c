// SPDX-License-Identifier: MIT
#include "sim/mouth.h"

#include "grid/smoke_def.h"

#define SHORTEST   2.0 // cells along its direction that a mouth drives, at least
#define LAYERS_MAX 48  // of the column, each a cell thick
#define LONGER     0.25
#define EAGER      2.0 // effort, when as much is owed as the mouth holds
#define EFFORT_MAX 3.0
#define LATE       0.1 // of the time that it is on: so long what is owed comes out after it

// ---- the fan

// How long the mouth is, in cells: what leaves it in a step was in it all along.
static double reach_of(const OndEmitter *e, const OndScene *scene)
{
    const OndSmokeDef *const def = ond_scene_flow(scene);
    if (!def) return SHORTEST;
    const double longest = fmin(1.0 / scene->frame_rate, def->largest_step);
    return fmax(SHORTEST, fmin(def->courant, e->speed * longest / e->spacing));
}

static bool in_fan(const void *own, OndVec at)
{
    const OndEmitter *const e = own;
    const OndVec from = ond_sub(at, e->def->center);
    const double along = ond_dot(from, e->def->direction);
    return along >= 0.0 && along <= e->mouth &&
           ond_emitter_in_mouth(e, ond_dot(from, e->across), ond_dot(from, e->up));
}

// Round the column in front of the mouth.
static OndBox box_of(const OndEmitter *e, double length)
{
    const OndEmitterDef *const d = e->def;
    const bool disc = d->shape == OND_EMITTER_DISC;
    const double wide = (disc ? d->radius : 0.5 * (d->width + d->height)) + e->spacing;
    const OndVec r = ond_vec(wide, wide, wide), a = d->center,
                 b = ond_add(a, ond_scale(d->direction, length));
    return (OndBox){ond_sub(ond_vec(fmin(a.x, b.x), fmin(a.y, b.y), fmin(a.z, b.z)), r),
                    ond_add(ond_vec(fmax(a.x, b.x), fmax(a.y, b.y), fmax(a.z, b.z)), r)};
}

OndFlowSource ond_mouth_fan(OndEmitter *e, const OndScene *scene)
{
    e->mouth = reach_of(e, scene) * e->spacing;
    OndFlowSource fan = {.shape = e,
                         .inside = in_fan,
                         .box = box_of(e, e->mouth),
                         .drives = true,
                         .from = e->def->from,
                         .to = e->def->to};
    for (int a = 0; a < 3; ++a)
        fan.velocity[a] = (float)(e->speed * ond_axis(e->def->direction, a));
    return fan;
}

static double due_by(const OndEmitter *e, double time)
{
    return e->def->rate * (fmin(time, e->def->to) - e->def->from) - e->poured;
}

float ond_mouth_effort(const OndEmitter *e, double time)
{
    const double holds = e->def->rate / e->speed * e->mouth; // area times length
    return (float)fmin(fmax(EAGER * due_by(e, time) / holds, 0.0), EFFORT_MAX);
}

// ---- visiting cells

typedef struct Range {
    int low[3], high[3]; // cells from `low` to before `high`
} Range;

static Range range_of(const OndGrid *g, OndBox box)
{
    Range r;
    for (int a = 0; a < 3; ++a) {
        const double from = ond_axis(g->origin, a);
        r.low[a] = (int)fmin(fmax(floor((ond_axis(box.min, a) - from) / g->h), 0.0), g->n[a]);
        r.high[a] = (int)fmin(fmax(ceil((ond_axis(box.max, a) - from) / g->h), 0.0), g->n[a]);
    }
    if (!g->deep) r.low[2] = 0, r.high[2] = 1;
    return r;
}

static OndVec middle_of(const OndGrid *g, int i, int j, int k)
{
    return ond_vec(g->origin.x + g->h * (i + 0.5), g->origin.y + g->h * (j + 0.5),
                   g->deep ? g->origin.z + g->h * (k + 0.5) : 0.0);
}

void ond_mouth_drive(const OndEmitter *e, double time, const OndGrid *g, OndFields *cells)
{
    const OndField *const field = ond_fields_find(cells, "velocity");
    if (time < e->def->from || time >= e->def->to || !field) return;
    const Range r = range_of(g, box_of(e, e->mouth));
    for (int k = r.low[2]; k < r.high[2]; ++k)
        for (int j = r.low[1]; j < r.high[1]; ++j)
            for (int i = r.low[0]; i < r.high[0]; ++i) {
                if (!in_fan(e, middle_of(g, i, j, k))) continue;
                for (int a = 0; a < ond_grid_axes(g); ++a)
                    ((float *)field->data[a])[ond_grid_at(g, i, j, k)] =
                        (float)(e->speed * ond_axis(e->def->direction, a));
            }
}

// ---- the column

typedef struct Column {
    const OndEmitter *e;
    const OndWorld *world;
    const OndGrid *grid;
    float *density, *temperature;
    double room[LAYERS_MAX];  // cells of clear fluid in each layer
    double share[LAYERS_MAX]; // of that, what is filled
} Column;

static double within(double half, double off, double h)
{
    return fmin(fmax(0.5 + (half - fabs(off)) / h, 0.0), 1.0);
}

// Which layer of the column a cell lies in, and its share across; 0 beside it and in solids.
static double share_of(const Column *c, OndVec at, int *layer)
{
    const OndEmitterDef *const d = c->e->def;
    const double h = c->grid->h;
    const OndVec from = ond_sub(at, d->center);
    const double along = ond_dot(from, d->direction) / h;
    if (!(along >= 0.0 && along < LAYERS_MAX)) return 0.0;
    *layer = (int)along;
    const double a = ond_dot(from, c->e->across), u = ond_dot(from, c->e->up);
    double share =
        within(0.5 * d->width, a, h) * (c->grid->deep ? within(0.5 * d->height, u, h) : 1.0);
    if (d->shape == OND_EMITTER_DISC) share = within(d->radius, hypot(a, u), h);
    const OndWorld *const w = c->world;
    if (share > 0.0 && w->clearance && w->clearance(w->clearance_own, at, NULL, NULL) < 0.0)
        return 0.0;
    return share;
}

// Looks at the room there is, or fills the shares that were chosen; returns what was filled.
static double visit(Column *c, int layers, bool fill)
{
    const OndGrid *const g = c->grid;
    const Range r = range_of(g, box_of(c->e, layers * g->h));
    double sum = 0.0;
    for (int k = r.low[2]; k < r.high[2]; ++k)
        for (int j = r.low[1]; j < r.high[1]; ++j)
            for (int i = r.low[0]; i < r.high[0]; ++i) {
                int layer = 0;
                const double share = share_of(c, middle_of(g, i, j, k), &layer);
                const size_t at = ond_grid_at(g, i, j, k);
                if (share == 0.0 || layer >= layers) continue;
                const double room = share * fmax(0.0, 1.0 - c->density[at]);
                c->room[layer] += fill ? 0.0 : room;
                if (!fill) continue;
                c->density[at] += (float)(c->share[layer] * room);
                if (c->temperature)
                    c->temperature[at] += (float)(c->share[layer] * share) *
                                          ((float)c->e->temperature - c->temperature[at]);
                sum += c->share[layer] * room;
            }
    return sum;
}

// Of the column's first `length` cells.
static double room_in(const Column *c, double length)
{
    double sum = 0.0;
    for (int l = 0; l < LAYERS_MAX && l < length; ++l)
        sum += fmin(1.0, length - l) * c->room[l];
    return sum;
}

static void choose_shares(Column *c, double length, double wanted, int layers)
{
    while (room_in(c, length) < wanted && length < layers)
        length += LONGER;
    const double room = room_in(c, length), part = room > wanted ? wanted / room : 1.0;
    for (int l = 0; l < layers; ++l)
        c->share[l] = part * fmin(fmax(length - l, 0.0), 1.0);
}

// How far the flow went in the step, in cells.
static double way_of(const OndEmitter *e, const OndGrid *g, const OndFields *cells, double dt)
{
    const OndStream stream = ond_stream_of(g, cells);
    const OndVec middle = ond_add(e->def->center, ond_scale(e->def->direction, 0.5 * e->mouth));
    const double speed = ond_dot(ond_stream_at(&stream, middle), e->def->direction);
    return fmin(fmax(speed * dt / g->h, 1.0), 0.5 * LAYERS_MAX);
}

bool ond_mouth_pour(OndEmitter *e, double time, double dt, const OndWorld *world, const OndGrid *g,
                    OndFields *cells)
{
    const OndField *const density = ond_fields_find(cells, "density"), *const temperature =
                                                                           ond_fields_find(
                                                                               cells,
                                                                               "temperature");
    const double cell = g->deep ? g->h * g->h * g->h : g->h * g->h;
    const double shut = e->def->to + LATE * (e->def->to - e->def->from);
    const double due = time - dt < shut ? due_by(e, time) : 0.0;
    if (!density || !(due > 1e-9 * e->def->rate * dt)) return false;
    Column c = {.e = e, .world = world, .grid = g, .density = density->data[0]};
    c.temperature = temperature ? temperature->data[0] : NULL;
    const double way = way_of(e, g, cells, dt), most = fmin(2.0 * way + 6.0, LAYERS_MAX);
    visit(&c, (int)most, false);
    choose_shares(&c, way, due / cell, (int)most);
    e->poured += cell * visit(&c, (int)most, true);
    return true;
}
