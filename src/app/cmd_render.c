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
// This file lists the options and decides what is made; what they mean for the look is in
// render_options.c, the work in the other render_*.c.
#include "app/between.h"
#include "app/cli_values.h"
#include "app/render_options.h"
#include "app/run_stop.h"
#include "lib/render_look.h"

#include <limits.h>
#include <string.h>

static const char *const axes[] = {"x", "y", "z", NULL};

// ---- what is made

static OndStatus make_film(const OndRenderOptions *o, OndShots *shots, OndRenderDef *look,
                           OndError *err)
{
    char film[OND_PATH_MAX];
    const bool run = shots->folder.path[0] != '\0', both = !o->film && !o->pictures && !o->out;
    const bool pictures = o->pictures || (both && !o->between);
    OndFilming filming = {.pictures = run && pictures,
                          .again = o->again || ond_render_options_change(o) ||
                                   (o->between && look->shutter > 0.0),
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

static OndStatus make_sheet(const OndRenderOptions *o, OndShots *shots, OndRenderDef *look,
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

static OndStatus make_pictures(const OndRenderOptions *o, OndShots *shots, OndRenderDef *look,
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

static OndStatus make(const OndRenderOptions *o, OndShots *shots, OndError *err)
{
    const bool run = shots->folder.path[0] != '\0';
    shots->quiet = o->quiet;
    OndRenderDef look = ond_render_options_look(o, shots);
    OndStatus status = ond_render_options_check(o, shots, &look, err);
    if (status == OND_OK) status = ond_shots_keep(shots, o->frames[0], o->frames[1], err);
    if (status == OND_OK) status = ond_shots_between(shots, o->between, err);
    if (status != OND_OK) return status;
    const bool png = o->out ? ond_ends_in(o->out, ".png") || ond_ends_in(o->out, ".exr") : !run;
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
    OndRenderOptions o = {.colour = -1,
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
         .parse = ond_render_parse_size},
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
         .parse = ond_render_parse_range},
        OND_OPT_FRAMES(o.frames),
        OND_OPT_INT("--between", "N", "slow motion: so many pictures more between each two frames",
                    &o.between, 1, OND_BETWEEN_MOST),
        {.name = "--camera",
         .argument = "X,Y,Z:X,Y,Z",
         .help = "the eye, and what it looks at",
         .target = &o,
         .parse = ond_render_parse_camera},
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
        OND_OPT_FLAG("-q, --quiet", "print nothing but errors", &o.quiet),
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
