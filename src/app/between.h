// SPDX-License-Identifier: MIT
// Moments between the frames, for surfaces and for films in slow motion.
//
// A list of frames becomes one of frames and moments between them, and all that walks over the list
// goes on as before: a moment is read like a frame, out of the two that it lies between. Its files
// are called after the frame before it and the thousandths of the way to the next:
//
//     surface_0040.ply  surface_0040t250.ply  surface_0040t500.ply ...  surface_0041.ply
//
// So the order of the names is that of time, also when others were made before (a quarter, a
// third), and what was made of the frames keeps its names.
#ifndef OND_APP_BETWEEN_H
#define OND_APP_BETWEEN_H

#include "app/render_frames.h"

#define OND_BETWEEN_MOST 99 // a hundredth of the way each: their names differ

/// Puts `count` moments between each two frames; 0 changes nothing. There are frames alone before.
/// Surfaces made before count only where all have one: two kinds in turn would flicker.
OndStatus ond_shots_between(OndShots *shots, int count, OndError *err);

/// What a shot is; of a frame all zero.
OndMoment ond_shot_moment(const OndShots *shots, int shot);

/// How far it is on the way to the next frame, in thousandths; 0 for a frame.
int ond_shot_thousandth(const OndShots *shots, int shot);

/// The number of the frame, with the share of the way to the next.
double ond_shot_number(const OndShots *shots, int shot);

/// Its numbered file in the run's folder. Returns `out`.
char *ond_shot_path(const OndShots *shots, int shot, OndRunItem item, char out[OND_PATH_MAX]);

/// Whether `path` is newer than the frame, or both frames, that it is made of.
bool ond_shot_is_older(const OndShots *shots, int shot, const char *path);

/// The frame, or the one that lies between two; of a run's folder, with its number. `out` is
/// overwritten: ond_frame_free.
OndStatus ond_shot_read(const OndShots *shots, int shot, OndFrame *out, OndError *err);

/// The solids alone of a shot whose frame is not read, at a time; `number` is that of the frame in
/// its run. `out` is overwritten: ond_frame_free.
OndStatus ond_shot_read_solids(const OndShots *shots, int shot, int number, double time,
                               OndFrame *out, OndError *err);

/// The two frames that a moment lies between.
OndStatus ond_shot_read_both(const OndShots *shots, int shot, OndFrame both[2], OndError *err);

#endif
