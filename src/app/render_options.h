// SPDX-License-Identifier: MIT
// The options of `ondine render`, and how pictures look by them.
#ifndef OND_APP_RENDER_OPTIONS_H
#define OND_APP_RENDER_OPTIONS_H

#include "app/cli.h"
#include "app/render_frames.h"

typedef struct OndRenderOptions {
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
} OndRenderOptions;

/// Values with several parts; `target` of the option is an OndRenderOptions.
OndStatus ond_render_parse_size(const OndOpt *opt, const char *text, OndError *err);
OndStatus ond_render_parse_range(const OndOpt *opt, const char *text, OndError *err);
OndStatus ond_render_parse_camera(const OndOpt *opt, const char *text, OndError *err);

/// How pictures look: as the scene says, and the options where they are given.
OndRenderDef ond_render_options_look(const OndRenderOptions *options, const OndShots *shots);
/// That no option would be left out in silence.
OndStatus ond_render_options_check(const OndRenderOptions *options, const OndShots *shots,
                                   const OndRenderDef *look, OndError *err);
/// Whether pictures look otherwise than the scene says, so that old ones are of no use.
bool ond_render_options_change(const OndRenderOptions *options);

/// Whether a path has that ending, in capitals or not.
bool ond_ends_in(const char *path, const char *ending);

#endif
