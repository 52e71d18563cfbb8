// SPDX-License-Identifier: MIT
#include "render/render.h"

#include "base/clock.h"
#include "base/cpu.h"
#include "base/memory.h"
#include "render/band.h"
#include "render/inner.h"
#include "render/lines.h"
#include "render/overlay.h"
#include "render/quantity.h"
#include "render/render_def.h"
#include "render/setup.h"
#include "render/solids.h"
#include "render/stage/drawn_solids.h"
#include "render/stage/slice.h"
#include "render/trace/trace.h"
#include "render/trace/trace_look.h"
#include "render/trace/trace_smoke.h"

#include <string.h>

#define ARROWS      36 // across, where no number is given
#define STREAMLINES 20

struct OndRenderer {
    OndRenderDef def;
    OndArena arena; // copies of the definition's texts
    RTCDevice device;
    OndText *text; // NULL without a font
    OndStage stage;
    OndBand band;
    int glow_room;
    OndTracer *tracer; // of surfaces; NULL when particles are drawn
    OndLinear linear;
    OndDrawnSolids solids;
    bool box_kept; // without a domain, the first frame's box is used for the whole film
    OndBox box;
    OndRenderTimes times;
};

static OndStatus keep_text(OndRenderer *r, const char **text, OndError *err)
{
    if (!*text) return OND_OK;
    *text = ond_arena_text(&r->arena, *text, strlen(*text));
    return *text ? OND_OK : ond_fail(err, OND_NO_MEMORY, "no memory for a renderer");
}

static OndStatus open_tracer(OndRenderer *r, OndError *err)
{
    OndStatus status = ond_render_check_trace(&r->def, err);
    if (status == OND_OK) status = keep_text(r, &r->def.surface.field, err);
    if (status != OND_OK) return status;
    r->tracer = ond_tracer_create(&r->def, err);
    return r->tracer ? OND_OK : OND_NO_MEMORY;
}

// One builder thread: with several, spheres at the same place could change order from run to run.
// And no more instructions than our own loops may use, so that ONDINE_ISA shows what other
// machines will see.
static const char *device_options(void)
{
    switch (ond_cpu_isa()) {
    case OND_ISA_V4:
        return "threads=1";
    case OND_ISA_V3:
        return "threads=1,isa=avx2";
    default:
        return "threads=1,isa=sse2";
    }
}

static OndStatus open_parts(OndRenderer *r, OndError *err)
{
    OndStatus status = keep_text(r, &r->def.title, err);
    if (status == OND_OK) status = keep_text(r, &r->def.font, err);
    if (status != OND_OK) return status;
    r->device = rtcNewDevice(device_options());
    if (!r->device)
        return ond_fail(err, OND_MISSING, "Embree did not start (its error %d); pictures need it",
                        (int)rtcGetDeviceError(NULL));
    r->text = ond_text_open(r->def.font);
    if (r->def.as == OND_AS_SURFACE || r->def.as == OND_AS_VOLUME) return open_tracer(r, err);
    if (r->def.as != OND_AS_PARTICLES) return OND_OK; // slices need nothing more
    status = ond_floor_create(&r->stage.floor, err);
    if (status == OND_OK)
        status = ond_band_create(&r->band, r->def.width, r->def.height, r->def.samples, err);
    return status;
}

OndRenderer *ond_render_create(const OndRenderDef *def, OndError *err)
{
    if (ond_render_check(def, err) != OND_OK) return NULL;
    OndRenderer *r = OND_NEW(OndRenderer);
    if (!r) {
        ond_fail(err, OND_NO_MEMORY, "no memory for a renderer");
        return NULL;
    }
    r->def = *def;
    if (open_parts(r, err) == OND_OK) return r;
    ond_render_destroy(r);
    return NULL;
}

void ond_render_destroy(OndRenderer *r)
{
    if (!r) return;
    ond_drawn_solids_free(&r->solids);
    ond_tracer_destroy(r->tracer);
    ond_linear_free(&r->linear);
    ond_band_free(&r->band);
    ond_floor_free(&r->stage.floor);
    ond_free(r->stage.glow);
    ond_text_close(r->text);
    if (r->device) rtcReleaseDevice(r->device);
    ond_arena_free(&r->arena);
    ond_free(r);
}

OndRenderTimes ond_render_times(const OndRenderer *renderer)
{
    return renderer->times;
}

// The values at the ends of the colours: those asked for, else those of the frame (or of the
// surface, which looks like one here).
static void choose_range(const OndRenderer *r, const OndFrame *frame, double *min, double *max)
{
    *min = r->def.range_min, *max = r->def.range_max;
    if (*min == 0.0 && *max == 0.0) {
        *min = INFINITY, *max = -INFINITY;
        if (!ond_render_range(frame, r->def.colour, min, max)) *min = 0.0, *max = 1.0;
        ond_overlay_round(min, max);
    }
    if (*max > *min) return;
    const double middle = *min, room = middle != 0.0 ? 0.01 * fabs(middle) : 1.0; // all the same
    *min = r->def.colour == OND_COLOUR_SPEED ? 0.0 : middle - room;
    *max = middle + room;
}

static OndStatus make_room(OndRenderer *r, OndError *err)
{
    const int count = r->stage.cloud.count;
    if (count > r->glow_room) {
        ond_free(r->stage.glow);
        r->stage.glow = OND_NEW_ARRAY(OndGlow, count);
        r->glow_room = r->stage.glow ? count : 0;
        if (!r->stage.glow)
            return ond_fail(err, OND_NO_MEMORY, "no memory to light %d particles", count);
    }
    return ond_band_begin(&r->band, count, err);
}

// The numbers that give every grain a tone of its own; NULL: none.
static const OndField *grain_numbers(const OndRenderer *r, const OndFrame *frame)
{
    if (!r->def.grains || r->def.colour != OND_COLOUR_PLAIN) return NULL;
    const OndField *id = ond_fields_find(&frame->particles, "id");
    return id && id->type == OND_U32 && id->components == 1 ? id : NULL;
}

static OndStatus make_cloud(OndRenderer *r, const OndFrame *frame, const OndPlace *place,
                            OndBox box, OndError *err)
{
    const OndField *field;
    OndStatus status = ond_quantity_field(frame, r->def.colour, &field, err);
    if (status != OND_OK) return status;
    const double radius = r->def.radius > 0.0 ? r->def.radius : ond_cloud_radius(frame, &box);
    const OndField *const number = grain_numbers(r, frame);
    status = ond_cloud_build(&r->stage.cloud, r->device, frame, number ? number : field, place,
                             radius, err);
    if (status == OND_OK && number) ond_cloud_tones(&r->stage.cloud);
    return status == OND_OK ? make_room(r, err) : status;
}

static double lap(double *from)
{
    const double now = ond_now_ms(), spent = now - *from;
    *from = now;
    return spent;
}

static float band_open(const void *own, int x, int y, float depth)
{
    const OndRenderer *r = own;
    return ond_band_open(&r->band, &r->stage, x, y, depth);
}

static void draw_box(OndRenderer *r, const OndF3 corner[8])
{
    const OndCanvas canvas = {.light = r->band.light,
                              .top = r->band.top,
                              .rows = r->band.rows,
                              .width = r->band.width,
                              .camera = &r->stage.camera,
                              .ink = r->stage.studio.line,
                              .alpha = r->stage.studio.line_alpha,
                              .thick = fmaxf(1.0f, (float)r->def.height / 720.0f),
                              .open = band_open,
                              .own = r};
    ond_lines_box(&canvas, corner);
}

static void draw_bands(OndRenderer *r, const OndF3 *box_corner, OndImage *out)
{
    OndBand *band = &r->band;
    const int most = ond_band_rows(r->def.width, r->def.height, r->def.samples);
    for (band->top = 0; band->top < r->def.height; band->top += most) {
        const int left = r->def.height - band->top;
        band->rows = left < most ? left : most;
        double clock = ond_now_ms();
        ond_band_trace(band, &r->stage);
        r->times.trace += lap(&clock);
        ond_band_light(band, &r->stage);
        r->times.light += lap(&clock);
        ond_band_shade(band, &r->stage);
        r->times.shade += lap(&clock);
        if (box_corner) draw_box(r, box_corner);
        ond_band_encode(band, out);
        r->times.finish += lap(&clock);
    }
}

static void draw_overlay(OndRenderer *r, const OndFrame *frame, const OndF3 *map, double min,
                         double max, OndImage *out)
{
    const OndQuantity *quantity = ond_quantity(r->def.colour);
    const OndFields *set = ond_frame_has_grid(frame) ? &frame->cells : &frame->particles;
    const OndField *field = quantity->field ? ond_fields_find(set, quantity->field) : NULL;
    const char *unit =
        field && !quantity->turning && field->unit && (field->unit[0] || set == &frame->cells)
            ? field->unit
            : quantity->unit;
    OndOverlay overlay = {.title = r->def.title,
                          .time = r->def.time ? frame->time : NAN,
                          .map = r->def.legend && quantity->field ? map : NULL,
                          .quantity = quantity->name,
                          .unit = unit,
                          .min = min,
                          .max = max};
    const float ink[3] = {r->stage.studio.ink.x, r->stage.studio.ink.y, r->stage.studio.ink.z};
    for (int k = 0; k < 3; ++k)
        overlay.ink[k] = (uint8_t)lroundf(255.0f * ond_colour_gamma(ink[k]));
    ond_overlay_draw(&overlay, r->text, out);
}

// What the camera looks at. Without a domain it is the first particles seen and the solids, for
// good: a camera that follows every splash makes one seasick.
static OndBox choose_box(OndRenderer *r, const OndFrame *frame, bool *has_domain)
{
    OndBox box = ond_setup_box(frame, has_domain);
    if (*has_domain) return box;
    if (!r->box_kept) {
        if (r->solids.count > 0 && frame->particles.count == 0) box = ond_box_empty();
        ond_solid_surface_box(r->solids.solid, r->solids.count, &box);
        if (!(box.min.x <= box.max.x)) box = ond_setup_box(frame, has_domain);
        r->box = box;
        r->box_kept = frame->particles.count > 0;
    }
    return r->box;
}

// The solids' tree; without triangles when there are none.
static OndStatus make_solids(OndRenderer *r, const OndPlace *place, bool flat,
                             OndSolidSurface *surface, OndTraceMesh *mesh, OndError *err)
{
    *mesh = (OndTraceMesh){0};
    OndStatus status = ond_solid_surface_make(surface, r->solids.solid, r->solids.count, flat, err);
    const OndTraceMeshDef def = {.device = r->device,
                                 .place = *place,
                                 .paint = OND_LOOK_NONE,
                                 .own = surface->look,
                                 .own_count = surface->look_count};
    if (status == OND_OK && surface->surface.mesh.triangle_count > 0)
        status = ond_trace_mesh_build(mesh, &surface->surface, &def, err);
    r->stage.solids = mesh->triangle_count > 0 ? mesh : NULL;
    return status;
}

static void draw_stage(OndRenderer *r, const OndFrame *frame, const OndF3 corner[8],
                       const OndPlace *place, bool edges, OndImage *out)
{
    double min, max, clock = ond_now_ms();
    const bool flat = frame->dimension == 2;
    choose_range(r, frame, &min, &max);
    if (grain_numbers(r, frame)) min = 0.0, max = 1.0;
    r->stage.range_min = (float)min;
    r->stage.range_factor = (float)(1.0 / (max - min));
    ond_setup_studio(&r->stage, &r->def, flat);
    ond_setup_camera(&r->stage, &r->def, corner, place, flat);
    ond_setup_lights(&r->stage, &r->def, corner, flat);
    r->times.build += lap(&clock);
    if (r->stage.has_floor) ond_floor_gather(&r->stage.floor, &r->stage.lights, &r->stage.cloud);
    r->times.floor = lap(&clock);
    draw_bands(r, edges ? corner : NULL, out);
    draw_overlay(r, frame, r->stage.map, min, max, out);
}

static OndStatus draw_particles(OndRenderer *r, const OndFrame *frame, OndImage *out, OndError *err)
{
    double clock = ond_now_ms();
    bool has_domain;
    const OndBox box = choose_box(r, frame, &has_domain);
    const OndPlace place = ond_setup_place(box);
    OndF3 corner[8];
    OndTraceMesh solids;
    OndSolidSurface *const surface = OND_NEW(OndSolidSurface);
    if (!surface) return ond_fail(err, OND_NO_MEMORY, "no memory to draw solids");
    ond_setup_corners(box, &place, corner);
    OndStatus status = make_solids(r, &place, frame->dimension == 2, surface, &solids, err);
    if (status == OND_OK) status = make_cloud(r, frame, &place, box, err);
    r->times.build = lap(&clock);
    if (status == OND_OK) draw_stage(r, frame, corner, &place, r->def.box && has_domain, out);
    ond_cloud_free(&r->stage.cloud);
    r->stage.solids = NULL;
    ond_trace_mesh_free(&solids);
    ond_solid_surface_free(surface);
    ond_free(surface);
    return status;
}

// ---- surfaces

const OndLinear *ond_render_linear(const OndRenderer *r)
{
    return r->linear.rgb ? &r->linear : NULL;
}

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

static OndStatus draw_surface(OndRenderer *r, const OndSurface *surface, const OndSurface *inner,
                              const OndFrame *grid, OndImage *out, OndError *err)
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
                         .inner = inner,
                         .solids = solids && solids->look_count > 0 ? solids : NULL,
                         .device = r->device,
                         .place = ond_setup_place(box),
                         .corner = corner,
                         .edges = r->def.box && has_domain,
                         .linear = r->def.linear ? &r->linear : NULL,
                         .times = &r->times};
    ond_setup_corners(box, &shot.place, corner);
    choose_range(r, &frame, &shot.range_min, &shot.range_max);
    r->times = (OndRenderTimes){0};
    if (status == OND_OK) status = trace_shot(r, &shot, grid, out, err);
    if (status == OND_OK)
        draw_overlay(r, &frame, r->def.paint ? r->stage.map : NULL, shot.range_min, shot.range_max,
                     out);
    if (solids) ond_solid_surface_free(solids);
    ond_free(solids);
    return status;
}

OndStatus ond_render_surface(OndRenderer *r, const OndSurface *surface,
                             const OndFrameSolids *solids, OndImage *out, OndError *err)
{
    const OndStatus status = ond_drawn_solids_place(&r->solids, solids, err);
    return status == OND_OK ? draw_surface(r, surface, NULL, NULL, out, err) : status;
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
static OndStatus draw_made_surface(OndRenderer *r, const OndFrame *frame, OndImage *out,
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
    if (status == OND_OK)
        status =
            draw_surface(r, &surface, inner.mesh.triangle_count ? &inner : NULL, NULL, out, err);
    r->times.mesh = made;
    ond_surface_free(&surface);
    ond_surface_free(&inner);
    return status;
}

// ---- grids

static OndBox grid_box(const OndGrid *g)
{
    const OndVec size = ond_vec(g->h * g->n[0], g->h * g->n[1], g->h * g->n[2]);
    return (OndBox){g->origin, ond_add(g->origin, size)};
}

// Smoke: no surface, but something in the air.
static OndStatus draw_volume(OndRenderer *r, const OndFrame *frame, OndImage *out, OndError *err)
{
    OndSurface none = {.frame = frame->index,
                       .time = frame->time,
                       .dimension = frame->dimension,
                       .spacing = frame->spacing,
                       .domain = frame->domain};
    bool has_domain;
    ond_setup_box(frame, &has_domain);
    if (!has_domain) none.domain = grid_box(&frame->grid);
    return draw_surface(r, &none, NULL, frame, out, err);
}

static void fill_backdrop(const OndStudio *studio, OndImage *out)
{
    const float channel[3] = {studio->top.x, studio->top.y, studio->top.z};
    for (size_t k = 0; k < 3 * (size_t)out->width * (size_t)out->height; ++k)
        out->rgb[k] = (uint8_t)lroundf(255.0f * ond_colour_gamma(channel[k % 3]));
}

// How many there are across; asked for without a number, the usual one.
static int count_of(const OndRenderDef *def, OndDrawn as, int count, int usual)
{
    return count == 0 && def->as == as ? usual : count;
}

// A grid: the slice that the definition asks for.
static OndStatus draw_grid(OndRenderer *r, const OndFrame *frame, OndImage *out, OndError *err)
{
    const OndField *field;
    const OndField *velocity = ond_fields_find(&frame->cells, "velocity");
    const OndSlice slice = ond_slice_place(frame, &r->def);
    double min, max;
    const OndStatus status = ond_quantity_field(frame, r->def.colour, &field, err);
    if (status != OND_OK) return status;
    choose_range(r, frame, &min, &max);
    ond_setup_studio(&r->stage, &r->def, true);
    fill_backdrop(&r->stage.studio, out);
    const OndShade shade = {&frame->grid, field, ond_quantity(r->def.colour)->turning};
    if (field) ond_slice_paint(&slice, &shade, r->stage.map, min, max, out);
    if (velocity && velocity->components == 3) {
        const int lines = count_of(&r->def, OND_AS_STREAMLINES, r->def.streamlines, STREAMLINES),
                  arrows = count_of(&r->def, OND_AS_ARROWS, r->def.arrows, ARROWS);
        if (lines > 0) ond_slice_streamlines(&slice, velocity, lines, out);
        if (arrows > 0) ond_slice_arrows(&slice, velocity, arrows, out);
    }
    ond_slice_solids(&slice, r->solids.solid, r->solids.count, out);
    draw_overlay(r, frame, r->stage.map, min, max, out);
    return OND_OK;
}

static OndStatus draw_cells(OndRenderer *r, const OndFrame *frame, OndImage *out, OndError *err)
{
    OndFrame cells = *frame; // the grid alone: tracers do not count
    cells.particles = (OndFields){0};
    const bool volume = r->def.as == OND_AS_VOLUME && frame->grid.deep;
    return volume ? draw_volume(r, &cells, out, err) : draw_grid(r, &cells, out, err);
}

static OndStatus draw_points(OndRenderer *r, const OndFrame *frame, OndImage *out, OndError *err)
{
    OndFrame points = *frame; // without the grid that tracers drift in
    points.grid = (OndGrid){0};
    points.cells = (OndFields){0};
    return r->tracer ? draw_made_surface(r, &points, out, err)
                     : draw_particles(r, &points, out, err);
}

OndStatus ond_render_frame(OndRenderer *r, const OndFrame *frame, OndImage *out, OndError *err)
{
    OndStatus status = ond_image_resize(out, r->def.width, r->def.height, err);
    if (status == OND_OK) status = ond_drawn_solids_place(&r->solids, &frame->solids, err);
    if (status != OND_OK) return status;
    r->times = (OndRenderTimes){0};
    const OndDrawn as = r->def.as;
    const bool grid = ond_frame_has_grid(frame), points = frame->particles.field_count > 0;
    if (grid && !(points && as == OND_AS_PARTICLES)) return draw_cells(r, frame, out, err);
    if (as != OND_AS_PARTICLES && as != OND_AS_SURFACE)
        return ond_fail(err, OND_BAD_VALUE,
                        "frame %d has no grid to draw; give --as particles or surface",
                        frame->index);
    return draw_points(r, frame, out, err);
}
