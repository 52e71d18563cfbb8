// SPDX-License-Identifier: MIT
#include "app/between.h"
#include "app/render_frames.h"
#include "app/render_pictures.h"
#include "app/run_stop.h"
#include "io/formats/formats.h"
#include "io/formats/png.h"
#include "io/formats/surface_files.h"

#include <string.h>

#define SHEET_WIDTH 1920
#define SHEET_GAP   6

// ---- a film, or a picture each

// Of a run: the surface that `ondine mesh` has made of a shot that is drawn as one, when it is
// newer than the frame; else NULL.
static const char *made_surface(const OndShots *shots, int shot, const OndRenderDef *look,
                                char path[OND_PATH_MAX])
{
    if (look->as != OND_AS_SURFACE || !shots->folder.path[0] || shots->anew) return NULL;
    ond_shot_path(shots, shot, OND_RUN_SURFACE_PLY, path);
    return ond_shot_is_older(shots, shot, path) ? path : NULL;
}

// A picture that is there, newer than its frame and the surface made of it, and of the right size.
static bool have_picture(const OndShots *shots, int shot, const OndFilming *filming,
                         OndImage *image)
{
    char path[OND_PATH_MAX], made[OND_PATH_MAX];
    if (filming->again || !filming->pictures) return false;
    ond_shot_path(shots, shot, OND_RUN_PICTURE, path);
    const char *surface = made_surface(shots, shot, &filming->look, made);
    return ond_shot_is_older(shots, shot, path) && (!surface || ond_file_is_newer(path, surface)) &&
           ond_png_read(path, image, NULL) == OND_OK && image->width == filming->look.width &&
           image->height == filming->look.height;
}

// The surface of a shot: of a run, the one that was made of it; of a loose file, what is in it,
// when that is a surface.
static bool have_surface(const OndShots *shots, int shot, const OndRenderDef *look,
                         OndSurface *surface)
{
    char made[OND_PATH_MAX];
    const char *path = shots->path[shot];
    if (look->as != OND_AS_SURFACE) return false;
    if (shots->folder.path[0]) path = made_surface(shots, shot, look, made);
    if (!path || !ond_surface_format_of(path) || ond_surface_read(path, surface, NULL) != OND_OK)
        return false;
    if (surface->mesh.triangle_count > 0) return true;
    ond_surface_free(surface);
    return false;
}

// What a shot shows: its surface, where there is one, else its particles.
typedef struct Shown {
    bool is_surface;
    OndSurface surface;
    OndFrame frame; // of a surface, its solids and foam alone
} Shown;

static void free_shown(Shown *shown)
{
    if (shown->is_surface) ond_surface_free(&shown->surface);
    ond_frame_free(&shown->frame);
}

static OndStatus read_shot(const OndShots *shots, int shot, const OndRenderDef *look, Shown *out,
                           OndError *err)
{
    const char *path = shots->path[shot];
    memset(out, 0, sizeof *out);
    out->is_surface = have_surface(shots, shot, look, &out->surface);
    if (out->is_surface && !shots->folder.path[0] && ond_shot_moment(shots, shot).next) {
        free_shown(out);
        return ond_fail(err, OND_BAD_VALUE,
                        "%s is a surface; moments between two are made of frames, which have "
                        "particles",
                        path);
    }
    const int number = shots->folder.path[0] ? shots->index[shot] : out->surface.frame;
    out->surface.frame = shots->index[shot];
    if (out->is_surface)
        return ond_shot_read_solids(shots, shot, number, out->surface.time, &out->frame, err);
    if (look->as == OND_AS_SURFACE && !ond_format_of(path) && ond_surface_format_of(path)) {
        const OndStatus status = ond_surface_read(path, &out->surface, err); // for what it says
        if (status != OND_OK) return status;
        ond_surface_free(&out->surface);
        return ond_fail(err, OND_BAD_VALUE, "%s has no triangles to draw", path);
    }
    const OndStatus status = ond_shot_read(shots, shot, &out->frame, err);
    if (status != OND_OK) return status;
    out->frame.index = shots->index[shot];
    return OND_OK;
}

static OndStatus put(OndPictures *pictures, const OndShots *shots, int shot, OndFilming *filming,
                     OndImage *image, OndError *err)
{
    Shown shown;
    if (have_picture(shots, shot, filming, image)) {
        ++filming->kept;
        return ond_pictures_add_done(pictures, image, err);
    }
    OndStatus status = read_shot(shots, shot, &filming->look, &shown, err);
    if (status != OND_OK) return status;
    ond_pictures_at(pictures, ond_shot_thousandth(shots, shot));
    status = shown.is_surface
                 ? ond_pictures_add_surface(pictures, &shown.surface, &shown.frame, err)
                 : ond_pictures_add(pictures, &shown.frame, err);
    free_shown(&shown);
    if (status == OND_OK) ++filming->drawn;
    return status;
}

// A mesh that is gone must not stop pictures of frames that are there.
static void open_solids(OndShots *shots)
{
    OndError why = {0};
    if (ond_shots_solids(shots, &why) == OND_OK || shots->quiet) return;
    fprintf(stderr, "note: solids are not drawn: %s\n", why.text);
}

OndStatus ond_shots_film(OndShots *shots, OndFilming *filming, OndError *err)
{
    OndProgress progress;
    OndImage image = {0};
    OndPictures *pictures =
        ond_pictures_open(&filming->look, filming->pictures ? &shots->folder : NULL, filming->film,
                          filming->fps, err);
    if (!pictures) return err ? err->status : OND_IO;
    OndStatus status = OND_OK;
    open_solids(shots);
    ond_progress_begin(&progress, stderr, filming->progress);
    for (int k = 0; k < shots->count && status == OND_OK && !ond_stop_asked(); ++k) {
        status = put(pictures, shots, k, filming, &image, err);
        const OndProgressNow now = {
            .label = "render", .frame = k + 1, .frames = shots->count, .frame_done = true};
        if (status == OND_OK) ond_progress_show(&progress, &now);
    }
    ond_progress_end(&progress);
    ond_image_free(&image);
    if (status == OND_OK) return ond_pictures_close(pictures, err);
    ond_pictures_abandon(pictures);
    return status;
}

// ---- single pictures

static OndStatus draw(OndRenderer *renderer, const OndShots *shots, int shot,
                      const OndRenderDef *look, OndImage *out, OndError *err)
{
    Shown shown;
    OndStatus status = read_shot(shots, shot, look, &shown, err);
    if (status != OND_OK) return status;
    status = shown.is_surface ? ond_render_surface(renderer, &shown.surface, &shown.frame, out, err)
                              : ond_render_frame(renderer, &shown.frame, out, err);
    free_shown(&shown);
    return status;
}

OndStatus ond_shots_picture(OndShots *shots, int shot, const OndRenderDef *look, const char *path,
                            OndError *err)
{
    OndImage image = {0};
    OndRenderer *renderer = ond_render_create(look, err);
    if (!renderer) return err->status;
    open_solids(shots);
    OndStatus status = draw(renderer, shots, shot, look, &image, err);
    if (status == OND_OK) status = ond_picture_write(path, renderer, &image, err);
    ond_image_free(&image);
    ond_render_destroy(renderer);
    return status;
}

// ---- the sheet

static void paste(OndImage *sheet, const OndImage *cell, int x, int y)
{
    for (int row = 0; row < cell->height; ++row)
        memcpy(sheet->rgb + 3 * ((size_t)(y + row) * (size_t)sheet->width + (size_t)x),
               cell->rgb + 3 * (size_t)row * (size_t)cell->width, 3 * (size_t)cell->width);
}

// The first picture says what is shown, the others only when.
static OndRenderer *cell_renderer(const OndRenderDef *look, bool first, OndError *err)
{
    OndRenderDef def = *look;
    if (!first) def.title = NULL, def.legend = false;
    return ond_render_create(&def, err);
}

static OndStatus fill_sheet(const OndShots *shots, const OndRenderDef *look, int columns,
                            OndImage *sheet, OndError *err)
{
    OndImage cell = {0};
    OndStatus status = OND_OK;
    OndRenderer *renderer = NULL;
    for (int k = 0; k < shots->count && status == OND_OK; ++k) {
        if (k < 2) {
            ond_render_destroy(renderer);
            renderer = cell_renderer(look, k == 0, err);
            if (!renderer) status = err->status;
        }
        if (status == OND_OK) status = draw(renderer, shots, k, look, &cell, err);
        if (status == OND_OK)
            paste(sheet, &cell, k % columns * (look->width + SHEET_GAP),
                  k / columns * (look->height + SHEET_GAP));
    }
    ond_image_free(&cell);
    ond_render_destroy(renderer);
    return status;
}

// Makes pictures small enough for so many columns.
static void shrink(OndRenderDef *look, int columns)
{
    const double shape = (double)look->height / look->width;
    look->width = (SHEET_WIDTH - (columns - 1) * SHEET_GAP) / columns;
    if (look->width < 64) look->width = 64;
    look->height = (int)(look->width * shape + 0.5);
    if (look->height < 1) look->height = 1;
}

OndStatus ond_shots_sheet(OndShots *shots, const OndRenderDef *look, bool whole, const char *path,
                          OndError *err)
{
    OndImage sheet = {0};
    OndRenderDef cell = *look;
    int columns = 1;
    while (columns * columns < shots->count)
        ++columns;
    const int rows = (shots->count + columns - 1) / columns;
    if (!whole) shrink(&cell, columns);
    const int width = columns * (cell.width + SHEET_GAP) - SHEET_GAP,
              height = rows * (cell.height + SHEET_GAP) - SHEET_GAP;
    OndStatus status = ond_image_resize(&sheet, width, height, err);
    if (status == OND_OK) memset(sheet.rgb, 0, 3 * (size_t)width * (size_t)height);
    open_solids(shots);
    if (status == OND_OK) status = fill_sheet(shots, &cell, columns, &sheet, err);
    if (status == OND_OK) status = ond_png_write(path, &sheet, err);
    ond_image_free(&sheet);
    return status;
}
