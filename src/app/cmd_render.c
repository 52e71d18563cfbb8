// SPDX-License-Identifier: MIT
// ondine render: frames to pictures and films.
//
//   ondine render out/dam-break
//   ondine render out/dam-break --sheet 12
//   ondine render out/dam-break --colour density --frames 20-40 -o squeeze.mp4
//   ondine render out/dam-break --frames 20-40 --between 4 -o slow.mp4
//   ondine render out/dam-break --quality good --motion-blur 0.5 --exr
//   ondine render frame_0040.ply -o frame.png
//   ondine render surface_0040.obj -o surface.png
//
// This file reads the options and decides what is made; the work is in render_*.c.
#include "app/between.h"
#include "app/cli_values.h"
#include "app/render_frames.h"
#include "app/run_stop.h"
#include "base/memory.h"
#include "io/formats/formats.h"
#include "io/formats/surface_files.h"
#include "lib/render_look.h"
#include "render/of_scene.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

typedef struct RenderOptions {
    const char *out;
    int size[2]; // 0: as the scene says
    int colour;  // -1: as the scene says
    double range[2];
    bool has_range;
    int frames[2];
    OndVec from, to;
    bool has_camera;
    double fov; // 0: as the scene says
    bool no_legend, film, pictures, again, quiet;
    int as, quality, backdrop;       // -1: as the scene says
    double motion_blur, lens, focus; // below 0: as the scene says
    int axis, lines;                 // of slices; below 0: as the scene says
    double at;                       // NAN: as the scene says
    bool exr;
    int sheet, between;
} RenderOptions;

static const char *const axes[] = {"x", "y", "z", NULL};

// ---- values with several parts

static OndStatus parse_size(const OndOpt *opt, const char *text, OndError *err)
{
    RenderOptions *o = opt->target;
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

static OndStatus parse_range(const OndOpt *opt, const char *text, OndError *err)
{
    RenderOptions *o = opt->target;
    if (!ond_cli_numbers(text, ":", o->range, 2) || !(o->range[1] > o->range[0]))
        return ond_fail(err, OND_BAD_VALUE, "--range takes two rising values as in 0:2.5, not '%s'",
                        text);
    o->has_range = true;
    return OND_OK;
}

static OndStatus parse_camera(const OndOpt *opt, const char *text, OndError *err)
{
    RenderOptions *o = opt->target;
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

static bool ends_in(const char *path, const char *ending)
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

static bool asks_for_slice(const RenderOptions *o)
{
    return o->axis >= 0 || !isnan(o->at) || o->lines >= 0;
}

// Of a grid: a volume, unless something is asked for that only slices have.
static void choose_grid(const RenderOptions *o, const OndShots *shots, bool open,
                        OndRenderDef *look)
{
    const bool flat = shots->has_scene && shots->scene.dimension == 2;
    const bool sliced = flat || o->colour >= 0 || asks_for_slice(o);
    if (!shots->has_scene && o->colour < 0) look->colour = OND_COLOUR_DENSITY;
    if (open) look->as = sliced ? OND_AS_SLICE : OND_AS_VOLUME; // 2D ones are drawn as slices
}

static void choose_slice(const RenderOptions *o, OndRenderDef *look)
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
static void choose_tracers(const RenderOptions *o, const OndSceneDef *scene, OndRenderDef *look)
{
    look->as = OND_AS_PARTICLES;
    if (o->colour < 0 && !ond_node_get(ond_scene_picture(scene)->node, "colour"))
        look->colour = OND_COLOUR_SPEED;
}

// A colour that is asked for is painted on the surface; density is known of particles alone.
static void choose_drawn(const RenderOptions *o, const OndShots *shots, OndRenderDef *look)
{
    const bool open = !shots->has_scene || ond_scene_picture(&shots->scene)->as == OND_AS_AUTO;
    const bool grid = shots->has_scene && shots->scene.has_grid;
    const char *first = shots->count > 0 ? shots->path[0] : "";
    if (o->colour >= 0) look->paint = true;
    if (o->as >= 0)
        look->as = (OndDrawn)o->as;
    else if (ond_surface_format_of(first) && (!ond_format_of(first) || holds_triangles(first)))
        look->as = OND_AS_SURFACE;
    else if (ends_in(first, ".vti"))
        choose_grid(o, shots, open, look);
    else if (open && look->colour == OND_COLOUR_DENSITY && o->colour >= 0)
        look->as = OND_AS_PARTICLES;
    if (o->as < 0 && grid && !ends_in(first, ".vti") && look->as != OND_AS_SURFACE)
        choose_tracers(o, &shots->scene, look);
}

static void choose_surface(const RenderOptions *o, const OndShots *shots, OndRenderDef *look)
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
    look->linear = o->exr || (o->out && ends_in(o->out, ".exr"));
}

static OndRenderDef make_look(const RenderOptions *o, const OndShots *shots)
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
static OndStatus check_look(const RenderOptions *o, const OndShots *shots, const OndRenderDef *look,
                            OndError *err)
{
    if (asks_for_slice(o) && look->as < OND_AS_SLICE)
        return ond_fail(err, OND_BAD_VALUE,
                        "--axis, --at and --lines are of slices; give --as slice, arrows or "
                        "streamlines, or leave them out");
    if (o->as >= 0 && look->as < OND_AS_VOLUME && shots->count > 0 &&
        ends_in(shots->path[0], ".vti"))
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

static bool changes_look(const RenderOptions *o)
{
    return o->size[0] || o->colour >= 0 || o->has_range || o->has_camera || o->fov > 0.0 ||
           o->no_legend || o->as >= 0 || o->quality >= 0 || o->backdrop >= 0 ||
           o->motion_blur >= 0.0 || o->lens >= 0.0 || o->focus >= 0.0 || o->exr || o->axis >= 0 ||
           o->lines >= 0 || !isnan(o->at);
}

// ---- what is made

static OndStatus make_film(const RenderOptions *o, OndShots *shots, OndRenderDef *look,
                           OndError *err)
{
    char film[OND_PATH_MAX];
    const bool run = shots->folder.path[0] != '\0', both = !o->film && !o->pictures && !o->out;
    const bool pictures = o->pictures || (both && !o->between);
    OndFilming filming = {.pictures = run && pictures,
                          .again =
                              o->again || changes_look(o) || (o->between && look->shutter > 0.0),
                          .fps = shots->has_scene ? ond_look_fps(shots->scene.frame_rate) : 24.0,
                          .progress = o->quiet ? OND_PROGRESS_QUIET : OND_PROGRESS_AUTO};
    if (o->out)
        filming.film = o->out;
    else if (o->film || both)
        filming.film = ond_run_path(&shots->folder, OND_RUN_FILM, 0, film);
    OndStatus status = ond_shots_range(shots, look, err);
    filming.look = *look;
    if (status == OND_OK) status = ond_shots_film(shots, &filming, err);
    if (status != OND_OK || o->quiet) return status;
    printf("%d picture%s drawn, %d kept\n", filming.drawn, filming.drawn == 1 ? "" : "s",
           filming.kept);
    if (filming.pictures) printf("pictures  %s/pictures\n", shots->folder.path);
    if (filming.film) printf("film      %s\n", filming.film);
    return status;
}

static OndStatus make_sheet(const RenderOptions *o, OndShots *shots, OndRenderDef *look,
                            OndError *err)
{
    char path[OND_PATH_MAX];
    OndStatus status = ond_shots_range(shots, look, err);
    if (status != OND_OK) return status;
    ond_shots_thin(shots, o->sheet);
    if (o->out)
        snprintf(path, sizeof path, "%s", o->out);
    else if (shots->folder.path[0])
        snprintf(path, sizeof path, "%s/sheet.png", shots->folder.path);
    else
        snprintf(path, sizeof path, "sheet.png");
    status = ond_shots_sheet(shots, look, o->size[0] > 0, path, err);
    if (status == OND_OK && !o->quiet) printf("sheet     %s\n", path);
    return status;
}

// frame_0040.ply becomes frame_0040.png beside it.
static OndStatus picture_path(const OndShots *shots, int shot, char out[OND_PATH_MAX],
                              OndError *err)
{
    char moment[16] = "";
    const int thousandth = ond_shot_thousandth(shots, shot);
    if (thousandth > 0) snprintf(moment, sizeof moment, "t%03d", thousandth);
    const char *frame = shots->path[shot];
    const char *slash = strrchr(frame, '/'), *dot = strrchr(frame, '.');
    const int length = dot && (!slash || dot > slash) ? (int)(dot - frame) : (int)strlen(frame);
    if (snprintf(out, OND_PATH_MAX, "%.*s%s.png", length, frame, moment) < OND_PATH_MAX)
        return OND_OK;
    return ond_fail(err, OND_BAD_VALUE, "the path '%.60s...' is too long", frame);
}

static OndStatus make_pictures(const RenderOptions *o, OndShots *shots, OndRenderDef *look,
                               OndError *err)
{
    char path[OND_PATH_MAX];
    if (o->out && shots->count > 1)
        return ond_fail(
            err, OND_BAD_VALUE,
            "%d frames do not fit one picture; choose one with --frames, or put them side "
            "by side with --sheet N",
            shots->count);
    OndStatus status = shots->count > 1 ? ond_shots_range(shots, look, err) : OND_OK;
    for (int k = 0; k < shots->count && status == OND_OK; ++k) {
        status = picture_path(shots, k, path, err);
        if (status == OND_OK)
            status = ond_shots_picture(shots, k, look, o->out ? o->out : path, err);
        if (status == OND_OK && !o->quiet) printf("picture   %s\n", o->out ? o->out : path);
    }
    return status;
}

static OndStatus make(const RenderOptions *o, OndShots *shots, OndError *err)
{
    const bool run = shots->folder.path[0] != '\0';
    shots->quiet = o->quiet;
    OndRenderDef look = make_look(o, shots);
    OndStatus status = check_look(o, shots, &look, err);
    if (status == OND_OK) status = ond_shots_keep(shots, o->frames[0], o->frames[1], err);
    if (status == OND_OK) status = ond_shots_between(shots, o->between, err);
    if (status != OND_OK) return status;
    const bool png = o->out ? ends_in(o->out, ".png") || ends_in(o->out, ".exr") : !run;
    if (o->exr && (o->sheet > 0 || o->film || (o->out && !png)))
        return ond_fail(
            err, OND_BAD_VALUE,
            "--exr writes beside each PNG, and a film or a sheet has none; leave it out, "
            "or give --pictures");
    if (o->sheet > 0) return make_sheet(o, shots, &look, err);
    if (!run && !o->out && o->film)
        return ond_fail(err, OND_BAD_VALUE, "a film of single files needs a name: -o film.mp4");
    return png ? make_pictures(o, shots, &look, err) : make_film(o, shots, &look, err);
}

static const char about[] =
    "Draws the frames of a run (pictures/ and film.mp4 in its folder), or frame files (a PNG "
    "each).\n"
    "3D liquids are drawn as surfaces, those of `ondine mesh` where they are there; grains, and "
    "all "
    "in 2D,\nas particles.\n"
    "3D grids are drawn as smoke in the light; 2D ones as slices, in the colours of their values.\n"
    "Camera and look come from the run's scene unless given. Pictures that are newer than their\n"
    "frame, and than the surface made of it, are kept. --between 3 films in slow motion, with\n"
    "three pictures more between each two frames; with --pictures they are kept too, as\n"
    "frame_0040t250.png and so on.\n\n"
    "  ondine render out/dam-break\n"
    "  ondine render out/dam-break --sheet 12\n"
    "  ondine render out/dam-break --colour density --frames 20-40 -o squeeze.mp4\n"
    "  ondine render out/plume --as streamlines --axis x --at 0.4 --colour speed";

static int run(int argc, char **argv)
{
    RenderOptions o = {.colour = -1,
                       .frames = {0, INT_MAX},
                       .as = -1,
                       .quality = -1,
                       .backdrop = -1,
                       .motion_blur = -1,
                       .lens = -1,
                       .focus = -1,
                       .axis = -1,
                       .lines = -1,
                       .at = NAN};
    const OndOpt opts[] = {
        OND_OPT_TEXT("-o, --output", "FILE", "a .png or .exr, or a film: .mp4, .webm or .gif",
                     &o.out),
        {.name = "--size",
         .argument = "WxH",
         .help = "pixels of each picture (1280x720 where the scene says nothing)",
         .target = &o,
         .parse = parse_size},
        OND_OPT_CHOICE("--as", "WHAT", "what is drawn", &o.as, ond_drawn_names + 1),
        OND_OPT_CHOICE("--quality", "WHAT", "of surfaces and volumes", &o.quality,
                       ond_quality_names),
        OND_OPT_CHOICE("--axis", "AXIS", "of slices in 3D: which way they look", &o.axis, axes),
        OND_OPT_DOUBLE("--at", "M", "of slices in 3D: where on that axis (default: the middle)",
                       &o.at, -1e12, 1e12),
        OND_OPT_INT("--lines", "N", "so many arrows, or seeds of streamlines, across", &o.lines, 0,
                    1000),
        OND_OPT_CHOICE("--colour, --color", "WHAT", "what the colours show", &o.colour,
                       ond_colour_names),
        {.name = "--range",
         .argument = "A:B",
         .help = "values at the ends of the colours",
         .target = &o,
         .parse = parse_range},
        OND_OPT_FRAMES(o.frames),
        OND_OPT_INT("--between", "N", "slow motion: so many pictures more between each two frames",
                    &o.between, 1, OND_BETWEEN_MOST),
        {.name = "--camera",
         .argument = "X,Y,Z:X,Y,Z",
         .help = "the eye, and what it looks at",
         .target = &o,
         .parse = parse_camera},
        OND_OPT_DOUBLE("--fov", "DEG",
                       "vertical angle of view (default: the scene's camera's, else 28)", &o.fov, 1,
                       150),
        OND_OPT_FLAG("--no-legend", "leave out the scale of the colours", &o.no_legend),
        OND_OPT_CHOICE("--backdrop", "WHAT", "the studio", &o.backdrop, ond_backdrop_names),
        OND_OPT_DOUBLE("--motion-blur", "SHARE", "of a frame's time that the shutter is open",
                       &o.motion_blur, 0, 4),
        OND_OPT_DOUBLE("--dof", "F", "f-number of the lens: small blurs what is out of focus",
                       &o.lens, 0, 1000),
        OND_OPT_DOUBLE("--focus", "M", "distance that is sharp, in metres", &o.focus, 0, 1e9),
        OND_OPT_FLAG("--exr", "surfaces and volumes in linear light too, beside each PNG", &o.exr),
        OND_OPT_FLAG("--film", "only the film", &o.film),
        OND_OPT_FLAG("--pictures", "only the pictures", &o.pictures),
        OND_OPT_INT("--sheet", "N", "one picture of N frames side by side", &o.sheet, 1, 400),
        OND_OPT_FLAG("--force", "draw also what is newer than its frame", &o.again),
        OND_OPT_FLAG("--quiet", "print nothing but errors", &o.quiet),
    };
    const OndUsage usage = {"ondine render DIR|FILE... [options]", about, 1, 100000};
    const int rest = ond_opts_parse(argc, argv, &usage, opts, OND_COUNT(opts));
    if (rest < 0) return ond_opts_exit(rest);

    OndError err = {0};
    OndShots shots;
    ond_stop_watch();
    if (o.as >= 0) ++o.as; // options have no auto
    OndStatus status = ond_shots_find(argv + rest, argc - rest, o.as, &shots, &err);
    if (status == OND_OK) status = make(&o, &shots, &err);
    ond_shots_free(&shots);
    if (status != OND_OK) return ond_cli_fail("render", &err);
    return ond_stop_asked() ? 128 + ond_stop_asked() : OND_EXIT_DONE;
}

const OndCommand ond_cmd_render = {"render", "frames to pictures and films", run};
