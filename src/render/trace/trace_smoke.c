// SPDX-License-Identifier: MIT
#include "render/trace/trace_smoke.h"

#include "base/memory.h"
#include "base/parallel.h"
#include "render/trace/trace_smoke_grid.h"

#define DENSEST   1e6f
#define HOTTEST   1e5f   // degrees Celsius
#define GLOWS     520.0f // from here on (trace_look.c)
#define FORGOTTEN 0.004f // share of light that is not followed any more

// ---- how it looks

typedef struct SmokeColour {
    OndF3 white;
    float loss; // per length of the picture, of the strongest channel
    float lean;
} SmokeColour;

#define KIND(number, name, red, green, blue, loss, lean)                                           \
    [number] = {{red, green, blue}, loss, lean},
static const SmokeColour kinds[] = {OND_SMOKE_STYLES(KIND)};

static float linear(double c)
{
    const float x = ond_clamp01((float)c);
    return x <= 0.04045f ? x / 12.92f : powf((x + 0.055f) / 1.055f, 2.4f);
}

// Ink takes the other colours away; what it sends back is the rest, and not much.
static void tint_ink(OndSmokeVolume *s)
{
    const OndF3 c = s->white;
    const float least = 1.06f - fminf(c.x, fminf(c.y, c.z));
    s->loss = ond_f3(s->loss.x * (1.06f - c.x) / least, s->loss.y * (1.06f - c.y) / least,
                     s->loss.z * (1.06f - c.z) / least);
    s->white = ond_f3_scale(c, 0.8f);
}

static void set_look(OndSmokeVolume *s, const OndRenderDef *def, const OndPlace *place, double h)
{
    const OndSmokeLook *look = &def->smoke;
    const SmokeColour *kind = &kinds[look->kind];
    const double loss = look->extinction > 0.0 ? look->extinction : kind->loss * place->scale;
    const float each = (float)fmin(loss * h, 1e4);
    s->loss = ond_f3(each, each, each);
    s->white = kind->white;
    if (look->has_colour)
        s->white = ond_f3(linear(look->colour.x), linear(look->colour.y), linear(look->colour.z));
    if (look->kind == OND_SMOKE_INK) tint_ink(s);
    s->lean = kind->lean;
    s->glow = (float)look->glow;
}

// ---- taking a frame's grid

typedef struct Taking {
    OndSmokeVolume *smoke;
    const OndGrid *grid;
    const float *from;
    float *to;
    float most;
} Taking;

static int inside(int i, int n)
{
    return i < 0 ? 0 : i < n ? i : n - 1;
}

static float kept(float v, float most)
{
    return v > 0.0f ? fminf(v, most) : 0.0f; // what is no number becomes 0
}

static void take_planes(int first, int last, int worker, void *context)
{
    const Taking *t = context;
    const int *n = t->smoke->n;
    for (int k = first - 1; k < last - 1; ++k)
        for (int j = -1; j <= n[1]; ++j)
            for (int i = -1; i <= n[0]; ++i)
                t->to[ond_smoke_index(n, i, j, k)] =
                    kept(t->from[ond_grid_at(t->grid, inside(i, n[0]), inside(j, n[1]),
                                             inside(k, n[2]))],
                         t->most);
}

static void take(OndSmokeVolume *s, const OndFrame *frame, const OndField *field, float *to,
                 float most)
{
    Taking taking = {s, &frame->grid, field->data[0], to, most};
    ond_parallel_for(s->n[2] + 2, 4, take_planes, &taking);
}

// The largest density that a place in a box can see: of its cells and their neighbours.
static void most_planes(int first, int last, int worker, void *context)
{
    OndSmokeVolume *s = context;
    const int *n = s->n, *b = s->blocks;
    for (int block = first; block < last; ++block) {
        const int low[3] = {block % b[0] * OND_SMOKE_BLOCK - 1,
                            block / b[0] % b[1] * OND_SMOKE_BLOCK - 1,
                            block / b[0] / b[1] * OND_SMOKE_BLOCK - 1};
        float most = 0.0f;
        for (int k = low[2]; k <= low[2] + OND_SMOKE_BLOCK + 1 && k <= n[2]; ++k)
            for (int j = low[1]; j <= low[1] + OND_SMOKE_BLOCK + 1 && j <= n[1]; ++j)
                for (int i = low[0]; i <= low[0] + OND_SMOKE_BLOCK + 1 && i <= n[0]; ++i)
                    most = fmaxf(most, s->density[ond_smoke_index(n, i, j, k)]);
        s->most[block] = most > OND_SMOKE_NOTHING ? most : 0.0f;
    }
}

static float hottest(const OndFrame *frame, const OndField *field)
{
    const float *const v = field->data[0];
    float most = 0.0f;
    for (int r = 0; r < frame->grid.rows; ++r)
        for (int i = 0; i < frame->grid.n[0]; ++i)
            most = fmaxf(most, v[ond_grid_row(&frame->grid, r) + (size_t)i]);
    return most;
}

static OndStatus take_heat(OndSmokeVolume *s, const OndFrame *frame, OndError *err)
{
    const OndField *field = ond_fields_find(&frame->cells, "temperature");
    if (!field || field->type != OND_F32 || !(s->glow > 0.0f)) return OND_OK;
    if (!(hottest(frame, field) > GLOWS)) return OND_OK;
    s->celsius = OND_NEW_ARRAY(float, ond_smoke_room(s->n));
    if (!s->celsius) return ond_fail(err, OND_NO_MEMORY, "no memory to draw what glows");
    take(s, frame, field, s->celsius, HOTTEST);
    return OND_OK;
}

// ---- grids of light

// Cells of a coarser grid along each axis, so that there are at most so many.
static int coarsen(const int n[3], double most, int out[3])
{
    for (int every = 1;; ++every) {
        double cells = 1.0;
        for (int a = 0; a < 3; ++a) {
            out[a] = (n[a] + every - 1) / every;
            cells *= out[a] + 2;
        }
        if (cells <= most || every > 65536) return every;
    }
}

static OndStatus make_lights(OndSmokeVolume *s, OndQuality quality, OndError *err)
{
    static const double lights[] = {8e5, 5e6, 2e7}, arounds[] = {3e4, 1e5, 2e5};
    static const float steps[] = {0.9f, 0.6f, 0.4f};
    s->step = steps[quality];
    s->every = coarsen(s->n, lights[quality], s->lights);
    s->around_every = coarsen(s->n, arounds[quality], s->arounds);
    s->light = OND_NEW_ARRAY(OndF3, ond_smoke_room(s->lights));
    s->around = OND_NEW_ARRAY(OndF3, ond_smoke_room(s->arounds));
    s->thin = OND_NEW_ARRAY(float, ond_smoke_room(s->arounds));
    if (s->light && s->around && s->thin) return OND_OK;
    return ond_fail(err, OND_NO_MEMORY, "no memory to light %d x %d x %d cells of smoke", s->n[0],
                    s->n[1], s->n[2]);
}

// ---- along rays

float ond_smoke_depth(const OndSmokeVolume *s, const OndWalk *walk, float step)
{
    float sum = 0.0f;
    for (float t = 0.5f * step; t < walk->length;) {
        const OndF3 at = ond_smoke_at(s->n, walk, t);
        if (ond_smoke_most(s, at) == 0.0f) {
            t += ond_smoke_skip(at, walk->go, step);
            continue;
        }
        sum += ond_smoke_value(s->density, s->n, at);
        t += step;
    }
    return sum * step;
}

static OndF3 smoke_passes(const OndMedium *medium, const OndRay *ray, float length)
{
    const OndSmokeVolume *s = medium->own;
    OndWalk walk;
    const OndF3 at = ond_smoke_cells(s, ray->origin);
    if (!ond_smoke_enter(s->n, at, ray->direction, length / s->cell, &walk)) return ond_f3(1, 1, 1);
    return ond_smoke_fade(s->loss, ond_smoke_depth(s, &walk, 1.0f));
}

static OndF3 source(const OndSmokeVolume *s, OndF3 at)
{
    const OndF3 light = ond_smoke_colour(s->light, s->lights, ond_smoke_coarse(at, s->every));
    if (!s->celsius) return light;
    const float celsius = ond_smoke_value(s->celsius, s->n, at);
    return ond_f3_step(light, ond_look_heat(celsius), s->glow);
}

static OndF3 smoke_cross(const OndMedium *medium, const OndRay *ray, float length, float chance,
                         OndF3 *through)
{
    const OndSmokeVolume *s = medium->own;
    OndF3 sum = {0, 0, 0}, share = {1, 1, 1};
    OndWalk walk;
    const OndF3 from = ond_smoke_cells(s, ray->origin);
    *through = share;
    if (!ond_smoke_enter(s->n, from, ray->direction, length / s->cell, &walk)) return sum;
    for (float t = chance * s->step; t < walk.length;) {
        const OndF3 at = ond_smoke_at(s->n, &walk, t);
        if (ond_smoke_most(s, at) == 0.0f) {
            t += ond_smoke_skip(at, walk.go, s->step);
            continue;
        }
        t += s->step;
        const float density = ond_smoke_value(s->density, s->n, at);
        if (density <= OND_SMOKE_NOTHING) continue;
        const OndF3 onward = ond_f3_mul(share, ond_smoke_fade(s->loss, density * s->step));
        sum = ond_f3_add(sum, ond_f3_mul(ond_f3_sub(share, onward), source(s, at)));
        share = onward;
        if (fmaxf(share.x, fmaxf(share.y, share.z)) < FORGOTTEN) break;
    }
    *through = share;
    return sum;
}

// On the coarse grid, from its middle density.
static OndF3 smoke_glance(const OndMedium *medium, const OndRay *ray, float length, OndF3 *through)
{
    const OndSmokeVolume *s = medium->own;
    OndF3 sum = {0, 0, 0}, share = {1, 1, 1};
    OndWalk walk;
    const float step = (float)s->around_every;
    const OndF3 from = ond_smoke_cells(s, ray->origin);
    *through = share;
    if (!ond_smoke_enter(s->n, from, ray->direction, length / s->cell, &walk)) return sum;
    for (float t = 0.5f * step; t < walk.length; t += step) {
        const OndF3 at = ond_smoke_at(s->n, &walk, t);
        const float density =
            ond_smoke_value(s->thin, s->arounds, ond_smoke_coarse(at, s->around_every));
        if (density <= OND_SMOKE_NOTHING) continue;
        const OndF3 onward = ond_f3_mul(share, ond_smoke_fade(s->loss, density * step));
        sum = ond_f3_add(sum, ond_f3_mul(ond_f3_sub(share, onward), source(s, at)));
        share = onward;
    }
    *through = share;
    return sum;
}

// ---- building

static OndStatus take_density(OndSmokeVolume *s, const OndFrame *frame, OndError *err)
{
    const OndField *field = ond_fields_find(&frame->cells, "density");
    if (!field || field->type != OND_F32)
        return ond_fail(err, OND_BAD_VALUE,
                        "frame %d has no density, so there is no smoke to draw; draw it as `slice`",
                        frame->index);
    s->density = OND_NEW_ARRAY(float, ond_smoke_room(s->n));
    s->most =
        OND_NEW_ARRAY(float, (size_t)s->blocks[0] * (size_t)s->blocks[1] * (size_t)s->blocks[2]);
    if (!s->density || !s->most)
        return ond_fail(err, OND_NO_MEMORY, "no memory to draw %d x %d x %d cells of smoke",
                        s->n[0], s->n[1], s->n[2]);
    take(s, frame, field, s->density, DENSEST);
    ond_parallel_for(s->blocks[0] * s->blocks[1] * s->blocks[2], 16, most_planes, s);
    return OND_OK;
}

OndStatus ond_smoke_build(OndSmokeVolume *s, const OndFrame *frame, const OndRenderDef *def,
                          const OndPlace *place, OndError *err)
{
    const OndGrid *g = &frame->grid;
    const double h = g->h;
    *s = (OndSmokeVolume){.cell = (float)(h * place->scale),
                          .first =
                              ond_place(place, ond_add(g->origin, ond_vec(h / 2, h / 2, h / 2))),
                          .medium = {smoke_cross, smoke_glance, smoke_passes, ond_smoke_gather, s}};
    for (int a = 0; a < 3; ++a) {
        s->n[a] = g->n[a];
        s->blocks[a] = g->n[a] / OND_SMOKE_BLOCK + 1;
    }
    if (!g->deep)
        return ond_fail(err, OND_BAD_VALUE,
                        "a 2D grid has no volume to draw; draw it as `slice`, or leave `as` out");
    set_look(s, def, place, h);
    OndStatus status = take_density(s, frame, err);
    if (status == OND_OK) status = take_heat(s, frame, err);
    if (status == OND_OK) status = make_lights(s, def->quality, err);
    if (status != OND_OK) ond_smoke_free(s);
    return status;
}

void ond_smoke_free(OndSmokeVolume *s)
{
    ond_free(s->density);
    ond_free(s->celsius);
    ond_free(s->most);
    ond_free(s->light);
    ond_free(s->around);
    ond_free(s->thin);
    *s = (OndSmokeVolume){0};
}
