// SPDX-License-Identifier: MIT
// The eye of a view as the section `camera` of a scene, and into its file.
#ifndef VIEW_WINDOW_CAMERA_LINE_H
#define VIEW_WINDOW_CAMERA_LINE_H

#include "view/draw/draw.h"

#define OND_CAMERA_LINE 200

/// "camera: {from: [1, 2, 3], to: [0, 0, 0], fov: 28}", rounded to what can be told apart.
void ond_camera_line(const OndOrbit *orbit, char out[OND_CAMERA_LINE]);

/// Puts it into a scene file in place of the one there, or at the end; all else stays as it was written,
/// comments too. Whole, or not at all: what comes out must read as the same scene with that camera.
/// OND_BAD_VALUE where the file is written such that no line can be added (all in braces, as JSON).
OndStatus ond_camera_write(const char *path, const char *line, OndError *err);

/// The text with the line in it; free with ond_free. NULL when there is no memory. For ond_camera_write.
char *ond_camera_put(const char *text, const char *line);

#endif
