// SPDX-License-Identifier: MIT
#include "sim/emitter_grid.h"

#include "grid/smoke/smoke_def.h"

#define SHORTEST   2.0  // cells along its direction that a mouth drives, at least
#define TUBE       1.5  // the same, as a share of half the opening's width
#define TUBE_MAX   0.25 // of the domain
#define LAYERS_MAX 48   // of the column, each a cell thick
#define LONGER     0.25
#define EAGER      1.0 // of what the flow lacks, added to the effort while it crosses the mouth
#define EFFORT_MAX 1.0
#define LATE       0.1 // of the time that it is on: so long what is owed comes out after it

// ---- the fan

// As long as this the flow is kept together: round the edges of a fan as thin as a sheet it would
// turn back and come in again from behind.
static double tube_of(const OndEmitter *e, const OndSceneDef *scene)
{
    const OndEmitterDef *const d = e->def;
    const double high = scene->dimension == 3 ? d->height : d->width;
    const double half = d->shape == OND_EMITTER_DISC ? d->radius : 0.5 * fmin(d->width, high);
    const OndVec size = ond_sub(scene->domain.max, scene->domain.min);
    double along = 0.0;
    for (int a = 0; a < scene->dimension; ++a)
        along += fabs(ond_axis(d->direction, a)) * ond_axis(size, a);
    return fmin(TUBE * half, TUBE_MAX * along);
}

// How long the mouth is. What leaves it in a step was in it all along.
static double reach_of(const OndEmitter *e, const OndSceneDef *scene)
{
    const OndFlowTraits flow = ond_scene_method(scene)->flow(scene->method.def);
    const double longest = fmin(1.0 / scene->frame_rate, flow.largest_step);
    const double step = fmin(flow.courant * e->spacing, e->speed * longest);
    return fmax(fmax(SHORTEST * e->spacing, tube_of(e, scene)), step);
}

// From the centre to a point in front of the mouth. Where the domain goes round, of its images the
// one that is nearest to the middle of the first `length` metres.
static OndVec offset(const OndEmitter *e, double length, OndVec at)
{
    const OndVec ahead = ond_scale(e->def->direction, 0.5 * length), p = e->period;
    OndVec from = ond_sub(ond_sub(at, e->def->center), ahead);
    if (p.x > 0.0) from.x -= p.x * floor(from.x / p.x + 0.5);
    if (p.y > 0.0) from.y -= p.y * floor(from.y / p.y + 0.5);
    if (p.z > 0.0) from.z -= p.z * floor(from.z / p.z + 0.5);
    return ond_add(from, ahead);
}

static bool in_fan(const void *own, OndVec at)
{
    const OndEmitter *const e = own;
    const OndVec from = offset(e, e->depth, at);
    const double along = ond_dot(from, e->def->direction);
    return along >= 0.0 && along <= e->depth &&
           ond_emitter_in_mouth(e, ond_dot(from, e->across), ond_dot(from, e->up));
}

// Round the column in front of the mouth.
static OndBox box_of(const OndEmitter *e, double length)
{
    const OndEmitterDef *const d = e->def;
    const bool disc = d->shape == OND_EMITTER_DISC;
    const double wide = (disc ? d->radius : 0.5 * (d->width + d->height)) + e->spacing;
    const OndVec end = ond_add(d->center, ond_scale(d->direction, length));
    return ond_box_widen(ond_box_add((OndBox){d->center, d->center}, end), wide);
}

OndFlowSource ond_emitter_grid_fan(OndEmitter *e, const OndSceneDef *scene)
{
    e->depth = reach_of(e, scene);
    OndFlowSource fan = {.shape = e,
                         .inside = in_fan,
                         .box = box_of(e, e->depth),
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

// ---- visiting cells

typedef void Visit(void *own, size_t at, OndVec middle);

static void visit(const OndGrid *g, OndBox box, Visit *what, void *own)
{
    int low[3], high[3];
    ond_grid_range(g, box, low, high);
    for (int k = low[2]; k < high[2]; ++k)
        for (int j = low[1]; j < high[1]; ++j)
            for (int i = low[0]; i < high[0]; ++i)
                what(own, ond_grid_at(g, i, j, k), ond_grid_middle(g, i, j, k));
}

typedef struct Drive {
    const OndEmitter *e;
    float *const *v;
    int axes;
} Drive;

static void drive_cell(void *own, size_t at, OndVec middle)
{
    const Drive *const d = own;
    if (!in_fan(d->e, middle)) return;
    for (int a = 0; a < d->axes; ++a)
        d->v[a][at] = (float)(d->e->speed * ond_axis(d->e->def->direction, a));
}

void ond_emitter_grid_drive(const OndEmitter *e, double time, const OndGrid *g, OndFields *cells)
{
    const OndField *const field = ond_fields_find(cells, "velocity");
    if (e->closed || time < e->def->from || time >= e->def->to || !field) return;
    Drive drive = {e, (float *const *)field->data, ond_grid_axes(g)};
    visit(g, box_of(e, e->depth), drive_cell, &drive);
}

// ---- the column

typedef struct Column {
    const OndEmitter *e;
    const OndWorld *world;
    const OndGrid *grid;
    OndStream stream;
    float *density, *temperature;
    int layers;               // of it that are looked at
    double flow, cells;       // through the mouth: sum of speeds, and of shares
    double room[LAYERS_MAX];  // cells of clear fluid in each layer
    double share[LAYERS_MAX]; // of that, what is filled
    double filled;            // cells
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
    const OndVec from = offset(c->e, c->layers * h, at);
    const double along = ond_dot(from, d->direction) / h;
    if (!(along >= 0.0 && along < c->layers)) return 0.0;
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

static void feel_cell(void *own, size_t at, OndVec middle)
{
    Column *const c = own;
    int layer = 0;
    const double share = share_of(c, middle, &layer);
    (void)at;
    if (share == 0.0) return;
    c->flow += share * ond_dot(ond_stream_at(&c->stream, middle), c->e->def->direction);
    c->cells += share;
}

static void look_at_cell(void *own, size_t at, OndVec middle)
{
    Column *const c = own;
    int layer = 0;
    const double share = share_of(c, middle, &layer);
    c->room[layer] += share * fmax(0.0, 1.0 - c->density[at]);
}

static void fill_cell(void *own, size_t at, OndVec middle)
{
    Column *const c = own;
    int layer = 0;
    const double share = share_of(c, middle, &layer), part = c->share[layer];
    const double more = part * share * fmax(0.0, 1.0 - c->density[at]);
    c->density[at] += (float)more;
    c->filled += more;
    if (c->temperature)
        c->temperature[at] +=
            (float)(part * share) * ((float)c->e->temperature - c->temperature[at]);
}

static void visit_layers(Column *c, int layers, Visit *what)
{
    c->layers = layers;
    visit(c->grid, box_of(c->e, layers * c->grid->h), what, c);
}

// Of the column's first `length` cells.
static double room_in(const Column *c, double length)
{
    double sum = 0.0;
    for (int l = 0; l < LAYERS_MAX && l < length; ++l)
        sum += fmin(1.0, length - l) * c->room[l];
    return sum;
}

static void choose_shares(Column *c, double length, double wanted)
{
    while (room_in(c, length) < wanted && length < c->layers)
        length += LONGER;
    const double room = room_in(c, length), part = room > wanted ? wanted / room : 1.0;
    for (int l = 0; l < c->layers; ++l)
        c->share[l] = part * fmin(fmax(length - l, 0.0), 1.0);
}

// How fast the flow is where the mouth begins.
static double feel_speed(Column *c)
{
    visit_layers(c, (int)SHORTEST, feel_cell);
    return c->cells > 0.0 ? c->flow / c->cells : c->e->speed;
}

// Too slow: the fan tries harder, bit by bit, for the flow takes its time to follow.
static void adjust(OndEmitter *e, double speed, double time, double dt)
{
    const double now = time + OND_SOON, crossed = fmin(e->speed * dt / e->depth, 1.0);
    if (now < e->def->from || now >= e->def->to) return;
    e->effort += EAGER * crossed * (1.0 - speed / e->speed);
    e->effort = fmin(fmax(e->effort, 0.0), EFFORT_MAX);
}

bool ond_emitter_grid_pour(OndEmitter *e, double time, double dt, const OndWorld *world,
                           const OndGrid *g, OndFields *cells)
{
    const OndField *const density = ond_fields_find(cells, "density");
    const OndField *const temperature = ond_fields_find(cells, "temperature");
    const double cell = g->deep ? g->h * g->h * g->h : g->h * g->h;
    const double shut = e->def->to + LATE * (e->def->to - e->def->from);
    if (!density || time < e->def->from || !(time - dt < shut)) return false;
    if (e->closed) { // what was due is lost
        e->poured += fmax(0.0, due_by(e, time));
        return false;
    }
    Column c = {.e = e, .world = world, .grid = g, .stream = ond_stream_of(g, cells)};
    c.density = density->data[0];
    c.temperature = temperature ? temperature->data[0] : NULL;
    const double speed = feel_speed(&c), due = due_by(e, time);
    adjust(e, speed, time, dt);
    if (!(due > 1e-9 * e->def->rate * dt)) return false;
    const double way = fmin(fmax(speed * dt / g->h, 1.0), 0.5 * LAYERS_MAX);
    visit_layers(&c, (int)fmin(2.0 * way + 6.0, LAYERS_MAX), look_at_cell);
    choose_shares(&c, way, due / cell);
    visit_layers(&c, c.layers, fill_cell);
    e->poured += cell * c.filled;
    return true;
}
