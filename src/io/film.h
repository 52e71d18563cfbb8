// SPDX-License-Identifier: MIT
// Pictures into a film, by the program ffmpeg.
//
// Pictures go to ffmpeg as they come, so none need be kept. The film is written beside its name and
// renamed at the end: it is whole or absent. The file's ending picks the kind: .mp4 (H.264), .webm
// (VP9) or .gif.
#ifndef OND_IO_FILM_H
#define OND_IO_FILM_H

#include "render/image.h"

typedef struct OndFilm OndFilm;

/// OND_MISSING and a sentence when ffmpeg is not in the PATH.
OndStatus ond_film_here(OndError *err);

/// Starts a film of `fps` pictures a second (0.1 to 1000). An odd width or height is padded by one
/// pixel where the format wants even ones. NULL and a sentence when that fails, also when there is
/// no ffmpeg.
OndFilm *ond_film_open(const char *path, int width, int height, double fps, OndError *err);

/// Appends a picture; it must have the film's size.
OndStatus ond_film_add(OndFilm *film, const OndImage *image, OndError *err);

/// Finishes the film, gives it its name and frees `film` (NULL is allowed). After a failure, or
/// without a single picture, no file is left behind.
OndStatus ond_film_close(OndFilm *film, OndError *err);

/// Throws the film away and frees it. NULL is allowed.
void ond_film_abandon(OndFilm *film);

#endif
