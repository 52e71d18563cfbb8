// SPDX-License-Identifier: MIT
// Spray, foam and bubbles in a run's folder: files of their own beside those of the liquid, in the
// same formats, as frames that have them as their particles.
#ifndef OND_IO_RUN_FOAM_H
#define OND_IO_RUN_FOAM_H

#include "io/run_folder.h"
#include "sim/frame.h"

/// The frame as its foam is written: with that as its particles, and nothing else. Borrows.
OndFrame ond_run_foam_frame(const OndFrame *frame);

/// Gives an owned frame the foam of the run's frame `number`. A run without foam, and a folder with
/// path "", is no failure: the frame then has none.
OndStatus ond_run_foam_read(const OndRunFolder *home, int number, OndFrame *frame, OndError *err);

/// The foam of an owned frame between two, a share of the way from `a` to `b`: each goes straight
/// from its place in one to that in the other; who is in one alone goes by its velocity.
OndStatus ond_run_foam_between(const OndFrame *a, const OndFrame *b, double share, OndFrame *frame,
                               OndError *err);

#endif
