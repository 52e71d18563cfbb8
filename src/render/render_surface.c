// SPDX-License-Identifier: MIT
// Ray-traced pictures: of surfaces, given or made of a frame, and of smoke.
#include "render/render_state.h"

#include "base/clock.h"
#include "base/memory.h"
#include "render/inner.h"
#include "render/quantity.h"
#include "render/setup.h"
#include "render/solids.h"
#include "render/trace/trace_smoke.h"

// A surface is asked the same questions as a frame: its corners stand for particles.
static OndFrame frame_of_surface(const OndSurface *s)
{
    OndFrame frame = {.index = s->frame,
                      .time = s->time,
                      .dimension = s->dimension,
                      .spacing = s->spacing,
                      .domain = s->domain,
                      .particles = s->attributes};
    frame.particles.count = s->attributes.count < s->mesh.corner_count ? 0 : s->mesh.corner_count;
    return frame;
}

// Without a domain: the box round the first surface, for the whole film.
static OndBox surface_box(OndRenderer *r, const OndSurface *s, bool *has_domain)
{
    OndFrame empty = {.domain = s->domain, .dimension = s->dimension, .spacing = s->spacing};
    OndBox box = ond_setup_box(&empty, has_domain);
    if (*has_domain) return box;
    OndBox all = ond_box_empty();
    const bool some = ond_setup_mesh_box(&s->mesh, &all);
    ond_solid_surface_box(r->solids.solid, r->solids.count, &all);
    if (!r->box_kept && all.min.x <= all.max.x) {
        r->box = all;
        r->box_kept = some;
    }
    return all.min.x <= all.max.x || r->box_kept ? r->box : box;
}

// Draws what is in place: the surface and, of `grid` (NULL: none), the smoke.
static OndStatus trace_shot(OndRenderer *r, OndTraceShot *shot, const OndFrame *grid, OndImage *out,
                            OndError *err)
{
    OndSmokeVolume smoke = {0};
    OndStatus status = OND_OK;
    if (grid) status = ond_smoke_build(&smoke, grid, &r->def, &shot->place, err);
    if (grid) shot->air = &smoke.medium;
    if (status == OND_OK) status = ond_tracer_draw(r->tracer, shot, &r->stage, out, err);
    ond_smoke_free(&smoke);
    return status;
}

// What is drawn along with a surface; NULL where there is nothing.
typedef struct Beside {
    const OndSurface *inner; // solids within it
    const OndFrame *grid;    // smoke
    const OndFields *foam;
} Beside;

static OndStatus draw_surface(OndRenderer *r, const OndSurface *surface, const Beside *beside,
                              OndImage *out, OndError *err)
{
    if (!r->tracer)
        return ond_fail(err, OND_BAD_VALUE, "this renderer draws particles, not surfaces");
    OndStatus status = ond_image_resize(out, r->def.width, r->def.height, err);
    if (status == OND_OK && r->def.linear)
        status = ond_linear_resize(&r->linear, r->def.width, r->def.height, err);
    if (status != OND_OK) return status;
    const OndFrame frame = frame_of_surface(surface);
    const OndField *field;
    if (surface->dimension == 2) r->def.paint = true; // a slab of clear water would not be seen
    if (r->def.paint && ond_quantity_field(&frame, r->def.colour, &field, err) != OND_OK)
        return OND_BAD_VALUE;
    bool has_domain;
    const OndBox box = surface_box(r, surface, &has_domain);
    OndF3 corner[8];
    OndSolidSurface *const solids = r->solids.count > 0 ? OND_NEW(OndSolidSurface) : NULL;
    if (r->solids.count > 0 && !solids)
        return ond_fail(err, OND_NO_MEMORY, "no memory to draw solids");
    if (solids)
        status = ond_solid_surface_make(solids, r->solids.solid, r->solids.count,
                                        surface->dimension == 2, err);
    OndTraceShot shot = {.def = &r->def,
                         .surface = surface,
                         .inner = beside->inner,
                         .solids = solids && solids->look_count > 0 ? solids : NULL,
                         .foam = beside->foam,
                         .device = r->device,
                         .place = ond_setup_place(box),
                         .corner = corner,
                         .edges = r->def.box && has_domain,
                         .linear = r->def.linear ? &r->linear : NULL,
                         .times = &r->times};
    ond_setup_corners(box, &shot.place, corner);
    ond_render_choose_range(r, &frame, &shot.range_min, &shot.range_max);
    r->times = (OndRenderTimes){0};
    if (status == OND_OK) status = trace_shot(r, &shot, beside->grid, out, err);
    if (status == OND_OK)
        ond_render_overlay(r, &frame, r->def.paint ? r->stage.map : NULL, shot.range_min,
                           shot.range_max, out);
    if (solids) ond_solid_surface_free(solids);
    ond_free(solids);
    return status;
}

OndStatus ond_render_surface(OndRenderer *r, const OndSurface *surface, const OndFrame *frame,
                             OndImage *out, OndError *err)
{
    const Beside beside = {.foam = frame ? &frame->foam : NULL};
    const OndStatus status = ond_drawn_solids_place(&r->solids, frame ? &frame->solids : NULL, err);
    return status == OND_OK ? draw_surface(r, surface, &beside, out, err) : status;
}

// The solids within the liquid, as a surface of their own. None is no failure.
static OndStatus make_inner(OndRenderer *r, const OndFrame *frame, OndSurface *inner, OndError *err)
{
    OndFrame solids = {0};
    OndStatus status = ond_inner_frame(frame, &r->def, &solids, err);
    if (status == OND_OK && solids.particles.count > 0)
        status = ond_surface_make(inner, &solids, &r->def.surface, NULL, err);
    ond_frame_free(&solids);
    return status;
}

// No liquid is no failure: the tap has not been opened yet.
OndStatus ond_render_made_surface(OndRenderer *r, const OndFrame *frame, OndImage *out,
                                  OndError *err)
{
    OndSurface surface = {.frame = frame->index,
                          .time = frame->time,
                          .dimension = frame->dimension,
                          .spacing = frame->spacing,
                          .domain = frame->domain};
    const double start = ond_now_ms();
    OndSurface inner = {0};
    OndStatus status = OND_OK;
    if (frame->particles.count > 0)
        status = ond_surface_make(&surface, frame, &r->def.surface, NULL, err);
    if (status == OND_OK) status = make_inner(r, frame, &inner, err);
    const double made = ond_now_ms() - start;
    const Beside beside = {inner.mesh.triangle_count ? &inner : NULL, NULL, &frame->foam};
    if (status == OND_OK) status = draw_surface(r, &surface, &beside, out, err);
    r->times.mesh = made;
    ond_surface_free(&surface);
    ond_surface_free(&inner);
    return status;
}

// ---- smoke

static OndBox grid_box(const OndGrid *g)
{
    const OndVec size = ond_vec(g->h * g->n[0], g->h * g->n[1], g->h * g->n[2]);
    return (OndBox){g->origin, ond_add(g->origin, size)};
}

// Smoke: no surface, but something in the air.
OndStatus ond_render_volume(OndRenderer *r, const OndFrame *frame, OndImage *out, OndError *err)
{
    OndSurface none = {.frame = frame->index,
                       .time = frame->time,
                       .dimension = frame->dimension,
                       .spacing = frame->spacing,
                       .domain = frame->domain};
    bool has_domain;
    ond_setup_box(frame, &has_domain);
    if (!has_domain) none.domain = grid_box(&frame->grid);
    const Beside beside = {.grid = frame};
    return draw_surface(r, &none, &beside, out, err);
}
