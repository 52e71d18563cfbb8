// SPDX-License-Identifier: MIT
// The frames to draw: those of a run's folder, or files given one by one; with the run's scene
// where there is one.
#ifndef OND_APP_RENDER_FRAMES_H
#define OND_APP_RENDER_FRAMES_H

#include "app/progress.h"
#include "io/run_solids.h"
#include "render/render.h"
#include "sim/scene/scene.h"

/// A moment between two frames (between.h).
typedef struct OndMoment {
    const char *next; ///< the frame after it; NULL: this is a frame, nothing else
    int next_index;
    double share; ///< of the way to the next
} OndMoment;

typedef struct OndShots {
    OndRunFolder folder; ///< path "": loose files
    OndRunFolder home;   ///< of the run that the frames belong to; path "": not known
    OndRunItem item;     ///< what is taken of a run's folder
    const char **path;   ///< one a frame, in order
    int *index;          ///< number of each frame; of loose files, their place
    OndMoment *moment;   ///< of each; NULL: frames alone
    bool anew;           ///< surfaces that were made before are not looked at
    bool quiet;          ///< no notes
    int count;
    OndSceneDef scene;
    bool has_scene;
    OndRunSolids *solids; ///< of the scene; NULL: none, or not opened
    bool solids_asked;    ///< ond_shots_solids was called
    OndArena arena;       ///< owns the lists
} OndShots;

/// `names` is one folder, or files. Of a run that has both a grid and tracers, those frames are
/// taken that what is drawn needs: `as` is an OndDrawn, or -1: what the scene says. Free with
/// ond_shots_free, also after a failure.
OndStatus ond_shots_find(char *const *names, int count, int as, OndShots *out, OndError *err);
void ond_shots_free(OndShots *shots);

/// Builds the solids of the scene, once: shots that are read after it have them in their frames.
OndStatus ond_shots_solids(OndShots *shots, OndError *err);

/// Keeps frames `first` to `last`. None left is an error.
OndStatus ond_shots_keep(OndShots *shots, int first, int last, OndError *err);

/// Keeps `count` evenly spaced frames, the first and the last among them.
void ond_shots_thin(OndShots *shots, int count);

/// Fixes the colours' range, when the look leaves it open, to what up to 20 of the frames hold.
OndStatus ond_shots_range(const OndShots *shots, OndRenderDef *look, OndError *err);

typedef struct OndFilming {
    OndRenderDef look;
    const char *film; ///< path; NULL: no film
    bool pictures;    ///< a PNG each, in the run's folder
    bool again;       ///< also those whose picture is newer than the frame
    double fps;
    OndProgressMode progress;
    int drawn, kept; ///< out: pictures made, pictures that were there
} OndFilming;

/// Draws all frames. A signal (run_stop.h) ends it after a picture, and the film is closed there.
OndStatus ond_shots_film(OndShots *shots, OndFilming *filming, OndError *err);

/// One picture to `path`.
OndStatus ond_shots_picture(OndShots *shots, int shot, const OndRenderDef *look, const char *path,
                            OndError *err);

/// All frames side by side in one picture: each in the size of `look` when `whole`, else so small
/// that together they are about 1920 pixels wide.
OndStatus ond_shots_sheet(OndShots *shots, const OndRenderDef *look, bool whole, const char *path,
                          OndError *err);

/// The film of a run's folder, as its scene wants it.
OndStatus ond_render_run_film(const OndRunFolder *folder, const OndSceneDef *scene, bool quiet,
                              OndError *err);

#endif
