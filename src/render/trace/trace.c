// SPDX-License-Identifier: MIT
#include "render/trace/trace.h"

#include "base/clock.h"
#include "base/memory.h"
#include "base/parallel.h"
#include "render/lines.h"
#include "render/quantity.h"
#include "render/setup.h"
#include "render/trace/trace_plate.h"

#define GROUND_HALF 1.9f  // half the side of the ground's map; the scene's half diagonal is 1
#define SENSOR      0.024 // m; height of a full-frame sensor, which gives the f-number its meaning

struct OndTracer {
    OndTraceStage stage;
    OndPlate plate;
    OndTone tone;
};

static const OndEffort efforts[] = {
    [OND_QUALITY_PREVIEW] = {.first_bits = 1,
                             .most_samples = 16,
                             .edge_samples = 9,
                             .noise = 0.03f,
                             .bounces = 8,
                             .chance = false,
                             .ground_side = 256,
                             .ground_bits = 3,
                             .photons = 576,
                             .soft_apart = true},
    [OND_QUALITY_GOOD] = {.first_bits = 4,
                          .most_samples = 64,
                          .edge_samples = 16,
                          .noise = 0.008f,
                          .bounces = 12,
                          .chance = true,
                          .ground_side = 512,
                          .ground_bits = 4,
                          .photons = 1024},
    [OND_QUALITY_BEST] = {.first_bits = 6,
                          .most_samples = 512,
                          .edge_samples = 64,
                          .noise = 0.003f,
                          .bounces = 20,
                          .chance = true,
                          .ground_side = 768,
                          .ground_bits = 5,
                          .photons = 2048},
};

// A small picture shows less of the light on the ground: it need not be known as finely.
static OndEffort effort_for(const OndRenderDef *def)
{
    OndEffort e = efforts[def->quality];
    const double share = sqrt((double)def->width * def->height / (960.0 * 540.0));
    if (share >= 1.0) return e;
    e.ground_side = (int)(e.ground_side * fmax(share, 0.4));
    e.photons = (int)(e.photons * fmax(share, 0.4));
    return e;
}

OndTracer *ond_tracer_create(const OndRenderDef *def, OndError *err)
{
    OndTracer *t = OND_NEW(OndTracer);
    if (!t) {
        ond_fail(err, OND_NO_MEMORY, "no memory for a renderer");
        return NULL;
    }
    t->stage.effort = effort_for(def);
    t->stage.seed = def->seed;
    ond_colour_film(&t->tone);
    const OndEffort *e = &t->stage.effort;
    OndStatus status = ond_ground_create(&t->stage.ground, e->ground_side, e->ground_bits, err);
    if (status == OND_OK) status = ond_plate_create(&t->plate, def->width, def->height, err);
    if (status == OND_OK) return t;
    ond_tracer_destroy(t);
    return NULL;
}

void ond_tracer_destroy(OndTracer *t)
{
    if (!t) return;
    ond_ground_free(&t->stage.ground);
    ond_plate_free(&t->plate);
    ond_free(t);
}

// ---- setting up

// What glows wants darkness round it. Decided by what there may be, so that it holds for a film.
static bool is_dark(const OndRenderDef *def)
{
    if (def->backdrop != OND_BACKDROP_AUTO) return def->backdrop == OND_BACKDROP_DARK;
    if (def->as == OND_AS_VOLUME) return def->smoke.kind != OND_SMOKE_INK; // smoke is pale
    for (int k = 0; k < def->look_count && !def->paint; ++k)
        if (ond_look(def->looks[k])->kind == OND_LOOK_GLOW) return true;
    return false;
}

static void set_ground(OndTraceStage *s, const OndF3 corner[8], OndF3 up, bool flat, bool dark,
                       float thin)
{
    OndGround *g = &s->ground;
    float low = INFINITY;
    for (int i = 0; i < 8; ++i)
        low = fminf(low, ond_f3_dot(corner[i], up));
    if (flat) low = -thin;
    g->normal = up;
    g->middle = ond_f3_scale(up, low + OND_GROUND_LIFT);
    g->half = GROUND_HALF;
    ond_f3_frame(up, &g->u, &g->v);
    g->there = ond_f3_dot(ond_f3_sub(s->camera.eye, g->middle), up) > 0.0f;
    g->colour = dark ? ond_f3(0.075f, 0.080f, 0.090f) : ond_f3(0.520f, 0.511f, 0.500f);
}

static void set_lens(OndTraceStage *s, const OndTraceShot *shot, bool flat)
{
    const OndRenderDef *d = shot->def;
    s->lens = s->focus = 0.0f;
    if (flat || !(d->lens > 0.0)) return;
    const double half = 0.5 * d->fov * 0.017453292519943295;
    s->lens = (float)(0.5 * 0.5 * SENSOR / tan(half) / d->lens * shot->place.scale);
    const OndF3 to = d->fit ? ond_f3(0, 0, 0) : ond_place(&shot->place, d->camera_to);
    s->focus = d->focus > 0.0 ? (float)(d->focus * shot->place.scale)
                              : ond_f3_dot(ond_f3_sub(to, s->camera.eye), s->camera.forward);
    s->focus = fmaxf(s->focus, 1e-3f);
}

static void set_stage(OndTraceStage *s, const OndTraceShot *shot, OndStage *old)
{
    OndRenderDef def = *shot->def;
    const bool flat = shot->surface->dimension == 2, dark = is_dark(&def);
    def.backdrop = dark ? OND_BACKDROP_DARK : OND_BACKDROP_LIGHT;
    ond_setup_studio(old, &def, flat);
    ond_setup_camera(old, &def, shot->corner, &shot->place, flat);
    s->camera = old->camera;
    s->plain = old->plain;
    for (int i = 0; i < OND_COLOUR_STEPS; ++i)
        s->map[i] = old->map[i];
    s->range_min = (float)shot->range_min;
    s->range_factor = (float)(1.0 / (shot->range_max - shot->range_min));
    const OndF3 up = flat ? ond_f3(0, 0, 1) : ond_f3_of(ond_unit(def.up));
    const OndF3 ahead = flat ? ond_f3(0, -1, 0) : s->camera.forward;
    ond_sky_make(&s->sky, up, ahead, s->camera.right, dark, shot->air != NULL);
    const float thin = (float)(shot->surface->spacing * shot->place.scale);
    set_ground(s, shot->corner, up, flat, dark, thin < 1.0f ? thin : 0.0f);
    set_lens(s, shot, flat);
    s->air = shot->air;
    s->soft_apart = s->effort.soft_apart && s->lens == 0.0f && def.shutter == 0.0 && !s->air;
    const OndF3 mean = ond_f3_mix(s->sky.horizon, s->sky.above, 0.5f);
    s->veil = ond_f3_mul(ond_f3_step(mean, s->sky.key_light, 0.3f), ond_f3(0.78f, 0.95f, 1.0f));
}

static void free_meshes(OndTraceStage *s)
{
    ond_trace_mesh_free(&s->mesh);
    ond_trace_mesh_free(&s->inner);
    ond_trace_mesh_free(&s->solids);
    ond_trace_foam_free(&s->foam);
}

static OndStatus set_mesh(OndTraceStage *s, const OndTraceShot *shot, OndError *err)
{
    const OndRenderDef *d = shot->def;
    const OndQuantity *quantity = ond_quantity(d->colour);
    const OndTraceMeshDef def = {.device = shot->device,
                                 .place = shot->place,
                                 .shutter = d->shutter,
                                 .looks = d->looks,
                                 .look_count = d->look_count,
                                 .paint = d->paint ? ond_look_find("paint") : OND_LOOK_NONE,
                                 .field = d->paint ? quantity->field : NULL};
    OndStatus status = ond_trace_mesh_build(&s->mesh, shot->surface, &def, err);
    if (status == OND_OK && shot->inner)
        status = ond_trace_mesh_build(&s->inner, shot->inner, &def, err);
    if (status == OND_OK && shot->solids) {
        const OndTraceMeshDef own = {.device = shot->device,
                                     .place = shot->place,
                                     .shutter = d->shutter,
                                     .paint = OND_LOOK_NONE,
                                     .own = shot->solids->look,
                                     .own_count = shot->solids->look_count};
        status = ond_trace_mesh_build(&s->solids, &shot->solids->surface, &own, err);
    }
    if (status == OND_OK)
        status = ond_trace_foam_build(&s->foam, shot->device, shot->foam, shot->surface->spacing,
                                      &shot->place, err);
    // what a pixel's first sample stands for, it sees through foam as little as through smoke
    s->soft_apart = s->soft_apart && s->foam.count == 0;
    return status;
}

// ---- making the picture

typedef struct Edges {
    const OndPlate *plate;
    const OndTraceStage *stage;
} Edges;

// How much of a line at that depth is seen: hidden by what is nearer, veiled by what is in the air.
static float plate_open(const void *own, int x, int y, float depth)
{
    const Edges *e = own;
    const OndPlate *p = e->plate;
    const int at = (y - p->top) * p->width + x;
    const float open = p->distance[at] > depth - 2e-3f ? 1.0f : p->shows[at];
    if (!e->stage->air || open == 0.0f) return open;
    const OndRay ray = ond_camera_ray(&e->stage->camera, (float)x + 0.5f, (float)y + 0.5f);
    const float along = depth / fmaxf(ond_f3_dot(ray.direction, e->stage->camera.forward), 1e-3f);
    return open * ond_brightness(ond_medium_passes(e->stage->air, &ray, along));
}

static void draw_edges(OndPlate *p, const OndTraceStage *s, const OndStudio *studio,
                       const OndF3 corner[8])
{
    const Edges edges = {p, s};
    const OndCanvas canvas = {.light = p->light,
                              .top = p->top,
                              .rows = p->rows,
                              .width = p->width,
                              .camera = &s->camera,
                              .ink = studio->line,
                              .alpha = 0.5f * studio->line_alpha,
                              .thick = fmaxf(1.0f, (float)p->height / 720.0f),
                              .open = plate_open,
                              .own = &edges};
    ond_lines_box(&canvas, corner);
}

typedef struct Develop {
    const OndTracer *tracer;
    OndImage *image;
    OndLinear *linear;
    float metre; // picture units to m
    int first;   // row of the picture
} Develop;

static void develop_rows(int first, int last, int worker, void *context)
{
    const Develop *d = context;
    const OndPlate *p = &d->tracer->plate;
    for (int y = d->first + first; y < d->first + last; ++y)
        for (int x = 0; x < p->width; ++x) {
            const int at = (y - p->top) * p->width + x;
            const size_t to = (size_t)y * (size_t)p->width + (size_t)x;
            ond_colour_encode_film(&d->tracer->tone, p->light[at], x, y, d->image->rgb + 3 * to);
            if (!d->linear) continue;
            d->linear->rgb[3 * to] = p->light[at].x;
            d->linear->rgb[3 * to + 1] = p->light[at].y;
            d->linear->rgb[3 * to + 2] = p->light[at].z;
            d->linear->depth[to] = p->distance[at] * d->metre;
        }
}

static void expose_band(OndTracer *t, const OndTraceShot *shot, const OndStudio *studio, int first,
                        int rows, OndImage *out)
{
    OndPlate *p = &t->plate;
    double clock = ond_now_ms();
    const bool whole = rows == p->height;
    const int tile = OND_PLATE_TILE, low = first - OND_PLATE_MARGIN,
              high = (first + rows + OND_PLATE_MARGIN + tile - 1) / tile * tile;
    p->top = whole || low < 0 ? 0 : low / tile * tile;
    p->rows = (whole || high > p->height ? p->height : high) - p->top;
    ond_plate_expose(p, &t->stage);
    shot->times->trace += ond_lap_ms(&clock);
    ond_plate_filter(p);
    shot->times->light += ond_lap_ms(&clock);
    if (shot->edges) draw_edges(p, &t->stage, studio, shot->corner);
    Develop develop = {t, out, shot->linear, (float)(1.0 / shot->place.scale), first};
    ond_parallel_for(rows, 8, develop_rows, &develop);
    shot->times->finish += ond_lap_ms(&clock);
}

OndStatus ond_tracer_draw(OndTracer *t, const OndTraceShot *shot, OndStage *old, OndImage *out,
                          OndError *err)
{
    double clock = ond_now_ms();
    set_stage(&t->stage, shot, old);
    OndStatus status = set_mesh(&t->stage, shot, err);
    if (status != OND_OK) {
        free_meshes(&t->stage);
        return status;
    }
    shot->times->build += ond_lap_ms(&clock);
    ond_ground_open(&t->stage);
    if (t->stage.air && t->stage.air->gather) t->stage.air->gather(t->stage.air, &t->stage);
    ond_trace_foam_gather(&t->stage.foam, &t->stage);
    shot->times->mesh += ond_lap_ms(&clock);
    ond_ground_gather(&t->stage);
    shot->times->floor += ond_lap_ms(&clock);
    ond_plate_frame(&t->plate, &t->stage);
    const int height = t->plate.height;
    int most = ond_plate_rows(&t->plate);
    if (shot->most_rows > 0 && shot->most_rows < most) most = shot->most_rows;
    for (int y = 0; y < height; y += most)
        expose_band(t, shot, &old->studio, y, height - y < most ? height - y : most, out);
    free_meshes(&t->stage);
    return OND_OK;
}
