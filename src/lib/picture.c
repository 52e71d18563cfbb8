// SPDX-License-Identifier: MIT
// Pictures of a simulation as it is now, for programs around the library.
#include "base/memory.h"
#include "io/formats/png.h"
#include "lib/render_look.h"
#include "sim/sim.h"

#include <ondine/picture.h>
#include <string.h>

// The index of a word in a list; -1, and a sentence with all that are known, when it is not there.
static int find_word(const char *what, const char *word, const char *const *known, OndError *err)
{
    char list[200] = "";
    for (int k = 0; known[k]; ++k) {
        if (strcmp(known[k], word) == 0) return k;
        strncat(list, k > 0 ? ", " : "", sizeof list - strlen(list) - 1);
        strncat(list, known[k], sizeof list - strlen(list) - 1);
    }
    ond_fail(err, OND_BAD_VALUE, "`%s` of a picture is '%.40s'; accepted: %s", what, word, list);
    return -1;
}

static OndStatus apply(const OndPictureInfo *info, OndRenderDef *look, OndError *err)
{
    if (!info) return OND_OK;
    const int as = info->as ? find_word("as", info->as, ond_drawn_names, err) : (int)look->as;
    const int quality = info->quality ? find_word("quality", info->quality, ond_quality_names, err)
                                      : (int)look->quality;
    if (as < 0 || quality < 0) return OND_BAD_VALUE;
    if (as != OND_AS_AUTO) look->as = (OndDrawn)as; // else what the scene says
    look->quality = (OndQuality)quality;
    if (info->width > 0) look->width = info->width;
    if (info->height > 0) look->height = info->height;
    return OND_OK;
}

static OndStatus draw(const OndSim *sim, const OndPictureInfo *info, OndImage *image, OndError *err)
{
    OndFrame frame;
    OndRenderDef look = ond_look_of_scene(ond_sim_scene(sim));
    OndStatus status = apply(info, &look, err);
    if (status != OND_OK) return status;
    status = ond_sim_look(sim, &frame, err);
    if (status != OND_OK) return status;
    ond_look_forecast(ond_sim_scene(sim), &frame, &look);
    OndRenderer *const renderer = ond_render_create(&look, err);
    status = renderer ? ond_render_frame(renderer, &frame, image, err) : err->status;
    ond_render_destroy(renderer);
    ond_sim_look_free(&frame);
    return status;
}

OndStatus ond_sim_picture(const OndSim *sim, const OndPictureInfo *info, unsigned char *rgb,
                          OndError *err)
{
    OndError spare = {0};
    OndImage image = {0};
    if (!err) err = &spare;
    if (!info || info->width < 1 || info->height < 1)
        return ond_fail(err, OND_BAD_VALUE,
                        "a picture into memory needs the width and height of that memory");
    const OndStatus status = draw(sim, info, &image, err);
    if (status == OND_OK) memcpy(rgb, image.rgb, 3 * (size_t)image.width * (size_t)image.height);
    ond_image_free(&image);
    return status;
}

OndStatus ond_sim_picture_file(const OndSim *sim, const OndPictureInfo *info, const char *path,
                               OndError *err)
{
    OndError spare = {0};
    OndImage image = {0};
    if (!err) err = &spare;
    OndStatus status = draw(sim, info, &image, err);
    if (status == OND_OK) status = ond_png_write(path, &image, err);
    ond_image_free(&image);
    return status;
}
