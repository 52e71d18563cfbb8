// SPDX-License-Identifier: MIT
// Pictures of a simulation as it is now, as the scene's sections `render` and `camera` say.
#ifndef ONDINE_PICTURE_H
#define ONDINE_PICTURE_H

#include <ondine/sim.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct OndPictureInfo {
    int width, height; ///< pixels; 0: the scene's
    const char *as;    ///< "surface", "particles", "volume"...: `as` of the scene's `render`; NULL:
                       ///< the scene's
    const char *quality; ///< "preview", "good" or "best"; NULL: the scene's
} OndPictureInfo;

/// Draws into the caller's `rgb`: 3 bytes a pixel (red, green, blue as a screen shows them), rows from
/// the top, info->width x info->height, which must be given. On failure `rgb` is as it was.
/// OND_MISSING: this build has no renderer.
OND_API OndStatus ond_sim_picture(const OndSim *sim, const OndPictureInfo *info, unsigned char *rgb,
                                  OndError *err);
/// Draws into a PNG file. `info` may be NULL.
OND_API OndStatus ond_sim_picture_file(const OndSim *sim, const OndPictureInfo *info,
                                       const char *path, OndError *err);

#ifdef __cplusplus
}
#endif
#endif
