// SPDX-License-Identifier: MIT
// Pictures of particles as spheres: the cloud, the stage it lies on, bands of rows.
#include "render/render_state.h"

#include "base/clock.h"
#include "base/memory.h"
#include "render/lines.h"
#include "render/quantity.h"
#include "render/setup.h"
#include "render/solids.h"

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
        r->times.trace += ond_lap_ms(&clock);
        ond_band_light(band, &r->stage);
        r->times.light += ond_lap_ms(&clock);
        ond_band_shade(band, &r->stage);
        r->times.shade += ond_lap_ms(&clock);
        if (box_corner) draw_box(r, box_corner);
        ond_band_encode(band, out);
        r->times.finish += ond_lap_ms(&clock);
    }
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
    ond_render_choose_range(r, frame, &min, &max);
    if (grain_numbers(r, frame)) min = 0.0, max = 1.0;
    r->stage.range_min = (float)min;
    r->stage.range_factor = (float)(1.0 / (max - min));
    ond_setup_studio(&r->stage, &r->def, flat);
    ond_setup_camera(&r->stage, &r->def, corner, place, flat);
    ond_setup_lights(&r->stage, &r->def, corner, flat);
    r->times.build += ond_lap_ms(&clock);
    if (r->stage.has_floor) ond_floor_gather(&r->stage.floor, &r->stage.lights, &r->stage.cloud);
    r->times.floor = ond_lap_ms(&clock);
    draw_bands(r, edges ? corner : NULL, out);
    ond_render_overlay(r, frame, r->stage.map, min, max, out);
}

OndStatus ond_render_particles(OndRenderer *r, const OndFrame *frame, OndImage *out, OndError *err)
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
    r->times.build = ond_lap_ms(&clock);
    if (status == OND_OK) draw_stage(r, frame, corner, &place, r->def.box && has_domain, out);
    ond_cloud_free(&r->stage.cloud);
    r->stage.solids = NULL;
    ond_trace_mesh_free(&solids);
    ond_solid_surface_free(surface);
    ond_free(surface);
    return status;
}
