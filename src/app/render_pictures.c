// SPDX-License-Identifier: MIT
#include "app/render_pictures.h"

#include "base/memory.h"
#include "io/film.h"
#include "io/formats/exr.h"
#include "io/formats/png.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

struct OndPictures {
    OndRenderer *renderer;
    OndFilm *film;       // NULL: none
    OndRunFolder folder; // path "": no single pictures
    OndImage image;
    int thousandth; // as ond_pictures_at says
};

// Somebody may have taken all pictures away with their folder.
static OndStatus make_folder(const OndRunFolder *folder, OndError *err)
{
    char path[OND_PATH_MAX + 16];
    if (!folder || !folder->path[0]) return OND_OK;
    snprintf(path, sizeof path, "%s/pictures", folder->path);
    return ond_run_make_folders(path, err);
}

OndPictures *ond_pictures_open(const OndRenderDef *look, const OndRunFolder *folder,
                               const char *film, double fps, OndError *err)
{
    OndPictures *p = OND_NEW(OndPictures);
    if (!p) {
        ond_fail(err, OND_NO_MEMORY, "not enough memory for pictures");
        return NULL;
    }
    if (folder) p->folder = *folder;
    if (make_folder(folder, err) == OND_OK) p->renderer = ond_render_create(look, err);
    if (p->renderer && film) p->film = ond_film_open(film, look->width, look->height, fps, err);
    if (p->renderer && (p->film || !film)) return p;
    ond_pictures_abandon(p);
    return NULL;
}

OndStatus ond_pictures_add_done(OndPictures *p, const OndImage *image, OndError *err)
{
    return p->film ? ond_film_add(p->film, image, err) : OND_OK;
}

OndStatus ond_picture_write(const char *path, const OndRenderer *renderer, const OndImage *image,
                            OndError *err)
{
    char exr[OND_PATH_MAX];
    const OndLinear *linear = ond_render_linear(renderer);
    const size_t length = strlen(path);
    const bool is_exr = length > 4 && strcasecmp(path + length - 4, ".exr") == 0;
    if (is_exr && !linear)
        return ond_fail(err, OND_BAD_VALUE, "a slice has no light to write as EXR; give a .png");
    OndStatus status = is_exr ? OND_OK : ond_png_write(path, image, err);
    if (status != OND_OK || !linear) return status;
    const int stem = (int)(strrchr(path, '.') ? strrchr(path, '.') - path : (long)length);
    if (snprintf(exr, sizeof exr, "%.*s.exr", stem, path) >= (int)sizeof exr)
        return ond_fail(err, OND_BAD_VALUE, "the path '%.60s...' is too long", path);
    return ond_exr_write(exr, linear, err);
}

// What was just drawn goes into its file and the film.
static OndStatus keep(OndPictures *p, int index, OndError *err)
{
    char path[OND_PATH_MAX];
    OndStatus status = OND_OK;
    if (p->folder.path[0])
        status = ond_picture_write(
            ond_run_path_between(&p->folder, OND_RUN_PICTURE, index, p->thousandth, path),
            p->renderer, &p->image, err);
    return status == OND_OK ? ond_pictures_add_done(p, &p->image, err) : status;
}

OndStatus ond_pictures_add(OndPictures *p, const OndFrame *frame, OndError *err)
{
    const OndStatus status = ond_render_frame(p->renderer, frame, &p->image, err);
    return status == OND_OK ? keep(p, frame->index, err) : status;
}

OndStatus ond_pictures_add_surface(OndPictures *p, const OndSurface *surface, const OndFrame *frame,
                                   OndError *err)
{
    const OndStatus status = ond_render_surface(p->renderer, surface, frame, &p->image, err);
    return status == OND_OK ? keep(p, surface->frame, err) : status;
}

void ond_pictures_at(OndPictures *p, int thousandth)
{
    p->thousandth = thousandth;
}

static void free_rest(OndPictures *p)
{
    ond_render_destroy(p->renderer);
    ond_image_free(&p->image);
    ond_free(p);
}

OndStatus ond_pictures_close(OndPictures *p, OndError *err)
{
    if (!p) return OND_OK;
    const OndStatus status = ond_film_close(p->film, err);
    free_rest(p);
    return status;
}

void ond_pictures_abandon(OndPictures *p)
{
    if (!p) return;
    ond_film_abandon(p->film);
    free_rest(p);
}
