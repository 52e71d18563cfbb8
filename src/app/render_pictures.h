// SPDX-License-Identifier: MIT
// Frames become pictures, a film, or both, as they come.
#ifndef OND_APP_RENDER_PICTURES_H
#define OND_APP_RENDER_PICTURES_H

#include "io/run_folder.h"
#include "render/render.h"

typedef struct OndPictures OndPictures;

/// `folder` NULL: no single pictures; `film` NULL: no film. NULL and a sentence on failure.
OndPictures *ond_pictures_open(const OndRenderDef *look, const OndRunFolder *folder,
                               const char *film, double fps, OndError *err);

/// Draws a frame and puts it where it belongs.
OndStatus ond_pictures_add(OndPictures *pictures, const OndFrame *frame, OndError *err);

/// The same for a surface that is made already, with the solids and the foam of its frame.
OndStatus ond_pictures_add_surface(OndPictures *pictures, const OndSurface *surface,
                                   const OndFrame *frame, OndError *err);

/// The same for a picture that is there already: it only goes into the film.
OndStatus ond_pictures_add_done(OndPictures *pictures, const OndImage *image, OndError *err);

/// Where the next one lies: so many thousandths of the way behind the frame of its number; that is
/// in the name of its picture. Without this call it is that frame.
void ond_pictures_at(OndPictures *pictures, int thousandth);

/// Finishes the film, and frees. NULL is allowed.
OndStatus ond_pictures_close(OndPictures *pictures, OndError *err);
/// Throws the film away, and frees. NULL is allowed.
void ond_pictures_abandon(OndPictures *pictures);

/// Writes a picture to `path`, a .png; and the same in linear light beside it, as .exr, when the
/// renderer keeps it. With a path that ends in .exr only that.
OndStatus ond_picture_write(const char *path, const OndRenderer *renderer, const OndImage *image,
                            OndError *err);

#endif
