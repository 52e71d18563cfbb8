// SPDX-License-Identifier: MIT
#include "view/window/shot.h"

#include "app/run_stop.h"
#include "io/formats/png.h"

#define PICTURE (1.0 / 60) // s

OndStatus ond_shot_take(OndOffscreen *offscreen, OndFace *face, const OndShot *shot, OndError *err)
{
    OndImage image = {0};
    OndStatus status = OND_OK;
    ond_face_look(face, shot->width, shot->height);
    for (int k = 0; status == OND_OK && !ond_stop_asked(); ++k) {
        if (k >= shot->after && ond_script_done(shot->script)) break;
        if (shot->script) status = ond_script_step(shot->script, face, err);
        ond_face_look(face, shot->width, shot->height);
    }
    ond_offscreen_bind(offscreen);
    for (int k = 0; k < 2 && status == OND_OK; ++k) // a panel needs two to know its size
        status = ond_face_draw(face, PICTURE, err);
    if (status == OND_OK) status = ond_image_resize(&image, shot->width, shot->height, err);
    if (status == OND_OK) ond_offscreen_read(offscreen, image.rgb);
    if (status == OND_OK) status = ond_png_write(shot->path, &image, err);
    ond_image_free(&image);
    return status;
}
