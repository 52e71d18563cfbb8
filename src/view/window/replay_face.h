// SPDX-License-Identifier: MIT
// A run that is played back, as a face's source: time line, colours, values of a particle.
#ifndef VIEW_WINDOW_REPLAY_FACE_H
#define VIEW_WINDOW_REPLAY_FACE_H

#include "view/window/face.h"
#include "view/window/replay.h"

typedef struct OndReplayFace OndReplayFace;

extern const OndSource ond_replay_source;

/// Begins with that place, and stands still there if `still`. NULL and a sentence on failure. It takes
/// `replay` over.
OndReplayFace *ond_replay_face_create(OndReplay *replay, int place, bool still, OndError *err);
void ond_replay_face_destroy(OndReplayFace *face); ///< NULL is allowed

#endif
