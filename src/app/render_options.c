// SPDX-License-Identifier: MIT
#include "app/render_options.h"

#include "app/cli_values.h"
#include "io/formats/formats.h"
#include "io/formats/surface_files.h"
#include "lib/render_look.h"
#include "render/of_scene.h"

#include <string.h>
#include <strings.h>

OndStatus ond_render_parse_size(const OndOpt *opt, const char *text, OndError *err)
{
    OndRenderOptions *o = opt->target;
    double side[2];
    if (!ond_cli_numbers(text, "x", side, 2) || !(side[0] >= 1 && side[0] <= OND_IMAGE_SIDE_MAX) ||
        !(side[1] >= 1 && side[1] <= OND_IMAGE_SIDE_MAX) || side[0] != (int)side[0] ||
        side[1] != (int)side[1])
        return ond_fail(err, OND_BAD_VALUE,
                        "--size takes pixels as in 1280x720, each 1 to %d, not '%s'",
                        OND_IMAGE_SIDE_MAX, text);
    o->size[0] = (int)side[0];
    o->size[1] = (int)side[1];
    return OND_OK;
}

OndStatus ond_render_parse_range(const OndOpt *opt, const char *text, OndError *err)
{
    OndRenderOptions *o = opt->target;
    if (!ond_cli_numbers(text, ":", o->range, 2) || !(o->range[1] > o->range[0]))
        return ond_fail(err, OND_BAD_VALUE, "--range takes two rising values as in 0:2.5, not '%s'",
                        text);
    o->has_range = true;
    return OND_OK;
}

OndStatus ond_render_parse_camera(const OndOpt *opt, const char *text, OndError *err)
{
    OndRenderOptions *o = opt->target;
    double v[6];
    if (!ond_cli_numbers(text, ",:", v, 6))
        return ond_fail(
            err, OND_BAD_VALUE,
            "--camera takes the eye and what it looks at as in 3,2,4:1,0.5,0.3, not '%s'", text);
    o->from = ond_vec(v[0], v[1], v[2]);
    o->to = ond_vec(v[3], v[4], v[5]);
    if (!(ond_length(ond_sub(o->to, o->from)) > 0.0))
        return ond_fail(err, OND_BAD_VALUE, "--camera: the eye stands where it looks ('%s')", text);
    o->has_camera = true;
    return OND_OK;
}

bool ond_ends_in(const char *path, const char *ending)
{
    const size_t length = strlen(path), tail = strlen(ending);
    return length > tail && strcasecmp(path + length - tail, ending) == 0;
}

// ---- how it shall look

static bool holds_triangles(const char *path)
{
    OndSurface surface = {0};
    if (!ond_surface_format_of(path) || ond_surface_read(path, &surface, NULL) != OND_OK)
        return false;
    const bool some = surface.mesh.triangle_count > 0;
    ond_surface_free(&surface);
    return some;
}

static bool asks_for_slice(const OndRenderOptions *o)
{
    return o->axis >= 0 || !isnan(o->at) || o->lines >= 0;
}

// Of a grid: a volume, unless something is asked for that only slices have.
static void choose_grid(const OndRenderOptions *o, const OndShots *shots, bool open,
                        OndRenderDef *look)
{
    const bool flat = shots->has_scene && shots->scene.dimension == 2;
    const bool sliced = flat || o->colour >= 0 || asks_for_slice(o);
    if (!shots->has_scene && o->colour < 0) look->colour = OND_COLOUR_DENSITY;
    if (open) look->as = sliced ? OND_AS_SLICE : OND_AS_VOLUME; // 2D ones are drawn as slices
}

static void choose_slice(const OndRenderOptions *o, OndRenderDef *look)
{
    if (o->axis >= 0) look->slice_axis = o->axis;
    if (!isnan(o->at)) look->slice_at = o->at, look->slice_middle = false;
    if (o->lines < 0) return;
    if (look->as == OND_AS_STREAMLINES)
        look->streamlines = o->lines;
    else
        look->arrows = o->lines;
}

// Files of a grid's tracers: particles, by their speed, unless told otherwise.
static void choose_tracers(const OndRenderOptions *o, const OndSceneDef *scene, OndRenderDef *look)
{
    look->as = OND_AS_PARTICLES;
    if (o->colour < 0 && !ond_node_get(ond_scene_picture(scene)->node, "colour"))
        look->colour = OND_COLOUR_SPEED;
}

// A colour that is asked for is painted on the surface; density is known of particles alone.
static void choose_drawn(const OndRenderOptions *o, const OndShots *shots, OndRenderDef *look)
{
    const bool open = !shots->has_scene || ond_scene_picture(&shots->scene)->as == OND_AS_AUTO;
    const bool grid = shots->has_scene && shots->scene.has_grid;
    const char *first = shots->count > 0 ? shots->path[0] : "";
    if (o->colour >= 0) look->paint = true;
    if (o->as >= 0)
        look->as = (OndDrawn)o->as;
    else if (ond_surface_format_of(first) && (!ond_format_of(first) || holds_triangles(first)))
        look->as = OND_AS_SURFACE;
    else if (ond_ends_in(first, ".vti"))
        choose_grid(o, shots, open, look);
    else if (open && look->colour == OND_COLOUR_DENSITY && o->colour >= 0)
        look->as = OND_AS_PARTICLES;
    if (o->as < 0 && grid && !ond_ends_in(first, ".vti") && look->as != OND_AS_SURFACE)
        choose_tracers(o, &shots->scene, look);
}

static void choose_surface(const OndRenderOptions *o, const OndShots *shots, OndRenderDef *look)
{
    const double rate = shots->has_scene ? shots->scene.frame_rate : 24.0;
    choose_drawn(o, shots, look);
    choose_slice(o, look);
    if (o->quality >= 0) look->quality = (OndQuality)o->quality;
    if (o->backdrop >= 0) look->backdrop = (OndBackdrop)o->backdrop;
    if (o->motion_blur >= 0.0) look->shutter = o->motion_blur / rate;
    look->shutter /= o->between + 1; // a share of the time between two pictures
    if (o->lens >= 0.0) look->lens = o->lens;
    if (o->focus >= 0.0) look->focus = o->focus;
    look->linear = o->exr || (o->out && ond_ends_in(o->out, ".exr"));
}

OndRenderDef ond_render_options_look(const OndRenderOptions *o, const OndShots *shots)
{
    OndRenderDef look =
        shots->has_scene ? ond_look_of_scene(&shots->scene) : ond_render_default_def();
    if (o->size[0]) look.width = o->size[0], look.height = o->size[1];
    if (o->colour >= 0 && (OndColour)o->colour != look.colour) {
        look.colour = (OndColour)o->colour;
        look.range_min = look.range_max = 0.0; // the scene's was for something else
    }
    if (o->has_range) look.range_min = o->range[0], look.range_max = o->range[1];
    if (o->has_camera) {
        look.fit = false;
        look.camera_from = o->from;
        look.camera_to = o->to;
    }
    if (o->fov > 0.0) look.fov = o->fov;
    if (o->no_legend) look.legend = false;
    choose_surface(o, shots, &look);
    return look;
}

// What would be left out in silence.
OndStatus ond_render_options_check(const OndRenderOptions *o, const OndShots *shots,
                                   const OndRenderDef *look, OndError *err)
{
    if (asks_for_slice(o) && look->as < OND_AS_SLICE)
        return ond_fail(err, OND_BAD_VALUE,
                        "--axis, --at and --lines are of slices; give --as slice, arrows or "
                        "streamlines, or leave them out");
    if (o->as >= 0 && look->as < OND_AS_VOLUME && shots->count > 0 &&
        ond_ends_in(shots->path[0], ".vti"))
        return ond_fail(err, OND_BAD_VALUE,
                        "%.120s holds a grid, which has neither particles nor a surface; give --as "
                        "slice, arrows, streamlines or volume",
                        shots->path[0]);
    if (o->colour >= 0 && look->as == OND_AS_VOLUME)
        return ond_fail(err, OND_BAD_VALUE,
                        "a volume has the colours of smoke, which the scene's render.smoke tells; "
                        "leave out --colour, or give --as slice");
    if (look->linear && look->as != OND_AS_SURFACE && look->as != OND_AS_VOLUME)
        return ond_fail(err, OND_BAD_VALUE,
                        "EXR is written of surfaces and volumes; give --as one of them, or a .png");
    return OND_OK;
}

bool ond_render_options_change(const OndRenderOptions *o)
{
    return o->size[0] || o->colour >= 0 || o->has_range || o->has_camera || o->fov > 0.0 ||
           o->no_legend || o->as >= 0 || o->quality >= 0 || o->backdrop >= 0 ||
           o->motion_blur >= 0.0 || o->lens >= 0.0 || o->focus >= 0.0 || o->exr || o->axis >= 0 ||
           o->lines >= 0 || !isnan(o->at);
}
