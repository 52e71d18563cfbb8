// SPDX-License-Identifier: MIT
#include "render/render.h"

#include "base/cpu.h"
#include "base/memory.h"
#include "render/overlay.h"
#include "render/quantity.h"
#include "render/render_def.h"
#include "render/render_state.h"

#include <string.h>

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

const OndLinear *ond_render_linear(const OndRenderer *r)
{
    return r->linear.rgb ? &r->linear : NULL;
}

void ond_render_choose_range(const OndRenderer *r, const OndFrame *frame, double *min, double *max)
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

void ond_render_overlay(OndRenderer *r, const OndFrame *frame, const OndF3 *map, double min,
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

static OndStatus draw_cells(OndRenderer *r, const OndFrame *frame, OndImage *out, OndError *err)
{
    OndFrame cells = *frame; // the grid alone: tracers do not count
    cells.particles = (OndFields){0};
    const bool volume = r->def.as == OND_AS_VOLUME && frame->grid.deep;
    return volume ? ond_render_volume(r, &cells, out, err) : ond_render_slice(r, &cells, out, err);
}

static OndStatus draw_points(OndRenderer *r, const OndFrame *frame, OndImage *out, OndError *err)
{
    OndFrame points = *frame; // without the grid that tracers drift in
    points.grid = (OndGrid){0};
    points.cells = (OndFields){0};
    return r->tracer ? ond_render_made_surface(r, &points, out, err)
                     : ond_render_particles(r, &points, out, err);
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
                        "frame %d has no grid to draw; draw it as `particles` or `surface`",
                        frame->index);
    return draw_points(r, frame, out, err);
}
