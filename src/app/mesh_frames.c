// SPDX-License-Identifier: MIT
#include "app/mesh_frames.h"

#include "app/between.h"
#include "app/memory_free.h"
#include "app/run_stop.h"
#include "base/hash.h"
#include "io/formats/formats.h"
#include "io/formats/vtk.h"
#include "render/of_scene.h"
#include "surface/mesh/solid_fit.h"
#include "surface/morph.h"

#include <string.h>
#include <sys/stat.h>

#define MAKING 4 // counts up when the same options make other surfaces

// ---- where they go

// frames/frame_0040.ply becomes surface_0040.obj of the folder, any other name.ply name.obj; beside
// their frames they are name-surface.obj, so that no frame is overwritten.
static bool loose_path(const OndShots *shots, int shot, const OndMeshing *m, char out[OND_PATH_MAX])
{
    char moment[16] = "";
    const int thousandth = ond_shot_thousandth(shots, shot);
    const char *frame = shots->path[shot];
    if (thousandth > 0) snprintf(moment, sizeof moment, "t%03d", thousandth);
    const char *slash = strrchr(frame, '/'), *name = slash ? slash + 1 : frame;
    const char *dot = strrchr(name, '.');
    const int stem = dot && dot > name ? (int)(dot - name) : (int)strlen(name);
    const bool numbered = strncmp(name, "frame_", 6) == 0;
    int length;
    if (m->folder && numbered)
        length = snprintf(out, OND_PATH_MAX, "%s/surface_%.*s%s.%s", m->folder, stem - 6, name + 6,
                          moment, m->format->extension);
    else if (m->folder)
        length = snprintf(out, OND_PATH_MAX, "%s/%.*s%s.%s", m->folder, stem, name, moment,
                          m->format->extension);
    else
        length = snprintf(out, OND_PATH_MAX, "%.*s-surface%s.%s", (int)(name - frame) + stem, frame,
                          moment, m->format->extension);
    return length < OND_PATH_MAX;
}

bool ond_mesh_path(const OndShots *shots, int shot, const OndMeshing *m, char out[OND_PATH_MAX])
{
    int count, format = 0;
    const OndSurfaceFormat *const *const all = ond_surface_formats(&count);
    while (format + 1 < count && all[format] != m->format)
        ++format;
    if (m->file) return snprintf(out, OND_PATH_MAX, "%s", m->file) < OND_PATH_MAX;
    if (m->folder || !shots->folder.path[0]) return loose_path(shots, shot, m, out);
    ond_shot_path(shots, shot, OND_RUN_SURFACE_PLY + format, out);
    return true;
}

static OndStatus make_folder(const OndShots *shots, const OndMeshing *m, OndError *err)
{
    char path[OND_PATH_MAX];
    if (m->folder) return ond_run_make_folders(m->folder, err);
    if (m->file || !shots->folder.path[0]) return OND_OK;
    snprintf(path, sizeof path, "%s/surfaces", shots->folder.path);
    return ond_run_make_folders(path, err);
}

static bool same_file(const char *a, const char *b)
{
    struct stat one, other;
    return stat(a, &one) == 0 && stat(b, &other) == 0 && one.st_dev == other.st_dev &&
           one.st_ino == other.st_ino;
}

static OndStatus choose_path(const OndShots *shots, int shot, const OndMeshing *m,
                             char out[OND_PATH_MAX], OndError *err)
{
    if (!ond_mesh_path(shots, shot, m, out))
        return ond_fail(err, OND_BAD_VALUE, "the path for the surface of %.200s is too long",
                        shots->path[shot]);
    const bool own_folder = shots->folder.path[0] && !m->file && !m->folder; // no frame lies there
    for (int k = 0; k < shots->count && !own_folder; ++k)
        if (same_file(out, shots->path[k]))
            return ond_fail(err, OND_BAD_VALUE,
                            "the surface would overwrite the frame %s; give another place with -o",
                            shots->path[k]);
    // frames of the same name from several folders
    for (int k = 0; k < shot && m->folder && !shots->folder.path[0]; ++k) {
        char other[OND_PATH_MAX];
        if (ond_mesh_path(shots, k, m, other) && strcmp(out, other) == 0)
            return ond_fail(err, OND_BAD_VALUE,
                            "the surfaces of %s and %s would both be %s; give them folders of "
                            "their own",
                            shots->path[k], shots->path[shot], out);
    }
    return OND_OK;
}

// ---- how they are made

// A number that is the same for everything that makes the same surface.
static uint64_t recipe_of(const OndMeshing *m, const OndCameraDef *camera)
{
    char text[1024];
    const OndSurfaceDef *d = &m->def;
    const OndFieldDef *h = &d->how;
    int length = snprintf(
        text, sizeof text, "%d %s %.17g %d %d %.17g %.17g %.17g %.17g %d %d %d %u", MAKING,
        d->field, d->cell, (int)d->polygons, d->smooth, d->decimate, h->radius, h->threshold,
        h->smoothing, h->surface_only, h->placement, h->exact_limit, d->walls);
    if (camera && camera->node)
        length +=
            snprintf(text + length, sizeof text - (size_t)length,
                     " %.17g %.17g %.17g %.17g %.17g %.17g %.17g", camera->from.x, camera->from.y,
                     camera->from.z, camera->to.x, camera->to.y, camera->to.z, camera->fov);
    return ond_hash_bytes(text, (size_t)length);
}

// The same for a moment between two frames.
static uint64_t recipe_between(const OndMeshing *m, uint64_t recipe, double share)
{
    char text[128];
    const int length = snprintf(text, sizeof text, "%llu %d %d %.17g", (unsigned long long)recipe,
                                (int)m->morph, m->morph == OND_MORPH_4D ? m->guides : 0, share);
    return ond_hash_bytes(text, (size_t)length);
}

static OndStatus make_empty(const OndFrame *frame, OndSurface *out, OndError *err)
{
    ond_surface_free(out);
    out->frame = frame->index;
    out->time = frame->time;
    out->dimension = frame->dimension;
    out->spacing = frame->spacing;
    out->domain = frame->domain;
    return ond_mesh_make(&out->mesh, 0, 0, err);
}

// A tap that has not begun to pour is no mistake in a film; a single frame without particles is.
static OndStatus make_one(const OndFrame *frame, OndMeshing *m, bool alone, OndSurface *out,
                          OndError *err)
{
    if (frame->particles.count == 0 && !alone) {
        ++m->empty;
        return make_empty(frame, out, err);
    }
    OndSurfaceDef def = m->def;
    def.memory = ond_memory_free();
    return ond_surface_make(out, frame, &def, NULL, err);
}

// Without particles at one end there is nothing to morph; what the other has fades.
static OndStatus morph_one(const OndShots *shots, int shot, OndMeshing *m, OndSurface *out,
                           OndError *err)
{
    OndFrame both[2], frame = {0};
    OndSurfaceDef def = m->def;
    const double share = ond_shot_moment(shots, shot).share;
    OndStatus status = ond_shot_read_both(shots, shot, both, err);
    if (status != OND_OK) return status;
    const bool full = both[0].particles.count > 0 && both[1].particles.count > 0;
    def.memory = ond_memory_free();
    if (full)
        status = ond_morph_surface(out, &both[0], &both[1], share, m->guides, &def, err);
    else
        status = ond_morph_between(&both[0], &both[1], share, &frame, err);
    if (full) frame = (OndFrame){.time = out->time, .owned = true}; // for its solids
    if (status == OND_OK)
        status = ond_run_solids_between(shots->solids, &both[0], &both[1], share, &frame, err);
    if (status == OND_OK && full) ond_surface_fit(out, frame.solids.placed);
    if (status == OND_OK && !full) status = make_one(&frame, m, false, out, err);
    ond_frame_free(&frame);
    ond_frame_free(&both[0]);
    ond_frame_free(&both[1]);
    return status;
}

static OndStatus make_shot(const OndShots *shots, int shot, OndMeshing *m, OndSurface *out,
                           OndError *err)
{
    OndFrame frame;
    if (m->morph == OND_MORPH_4D && ond_shot_moment(shots, shot).next)
        return morph_one(shots, shot, m, out, err);
    OndStatus status = ond_shot_read(shots, shot, &frame, err);
    if (status != OND_OK) return status;
    OndError why = {0};
    const bool alone = shots->count == 1 && !shots->folder.path[0];
    status = make_one(&frame, m, alone, out, &why);
    if (status != OND_OK) ond_fail(err, status, "%s: %s", shots->path[shot], why.text);
    ond_frame_free(&frame);
    return status;
}

static OndStatus mesh_one(const OndShots *shots, int shot, OndMeshing *m,
                          const OndSurfaceAbout *about, const char *path, OndError *err)
{
    OndSurface surface = {0};
    OndStatus status = make_shot(shots, shot, m, &surface, err);
    if (status == OND_OK) status = ond_surface_write(path, &surface, about, err);
    if (status == OND_OK) {
        ++m->made;
        m->corners += surface.mesh.corner_count;
        m->triangles += surface.mesh.triangle_count;
    }
    ond_surface_free(&surface);
    return status;
}

// In a folder that was asked for, beside the surfaces.
static OndStatus list_beside(const OndMeshing *m, const char *surface, double time, OndError *err)
{
    char path[OND_PATH_MAX];
    const char *const slash = strrchr(surface, '/');
    if (snprintf(path, sizeof path, "%s/surfaces.pvd", m->folder) >= (int)sizeof path)
        return ond_fail(err, OND_BAD_VALUE, "the path '%.60s...' is too long", m->folder);
    return ond_pvd_add(path, slash ? slash + 1 : surface, time, err);
}

// For ParaView: a list of the surfaces with their times. Frames without a scene have none but their
// order.
static OndStatus list_one(const OndShots *shots, int shot, const OndMeshing *m, const char *surface,
                          OndError *err)
{
    char path[OND_PATH_MAX], name[64];
    if (strcmp(m->format->extension, "vtp") != 0 || m->file) return OND_OK;
    const double number = ond_shot_number(shots, shot);
    if (m->folder)
        return list_beside(m, surface, shots->has_scene ? number / shots->scene.frame_rate : number,
                           err);
    if (!shots->folder.path[0] || !shots->has_scene) return OND_OK;
    return ond_pvd_add(ond_run_path(&shots->folder, OND_RUN_SURFACES_COLLECTION, 0, path),
                       ond_run_name_between(OND_RUN_SURFACE_VTP, shots->index[shot],
                                            ond_shot_thousandth(shots, shot), name),
                       number / shots->scene.frame_rate, err);
}

// A place that was asked for may have held the surface of another frame: which one counts too.
static uint64_t recipe_for(const char *frame, uint64_t recipe)
{
    char text[OND_PATH_MAX + 32];
    const int length = snprintf(text, sizeof text, "%016llx %s", (unsigned long long)recipe, frame);
    return ond_hash_bytes(text, (size_t)length);
}

static OndStatus put(const OndShots *shots, int shot, OndMeshing *m, const OndSurfaceAbout *frames,
                     OndError *err)
{
    char path[OND_PATH_MAX];
    OndSurfaceAbout about = *frames;
    const OndMoment moment = ond_shot_moment(shots, shot);
    if (moment.next) about.recipe = recipe_between(m, about.recipe, moment.share);
    if (m->file || m->folder) about.recipe = recipe_for(shots->path[shot], about.recipe);
    OndStatus status = choose_path(shots, shot, m, path, err);
    if (status != OND_OK) return status;
    if (!m->again && ond_shot_is_older(shots, shot, path) &&
        ond_surface_made_by(path, about.recipe))
        ++m->kept;
    else
        status = mesh_one(shots, shot, m, &about, path, err);
    return status == OND_OK ? list_one(shots, shot, m, path, err) : status;
}

OndStatus ond_shots_mesh(OndShots *shots, OndMeshing *m, OndError *err)
{
    OndProgress progress;
    OndSurfaceAbout about = {.camera = shots->has_scene ? ond_scene_camera(&shots->scene) : NULL};
    about.recipe = recipe_of(m, about.camera);
    OndStatus status = make_folder(shots, m, err);
    if (status == OND_OK) status = ond_shots_solids(shots, err);
    ond_progress_begin(&progress, stderr, m->progress);
    for (int k = 0; k < shots->count && status == OND_OK && !ond_stop_asked(); ++k) {
        status = put(shots, k, m, &about, err);
        const OndProgressNow now = {
            .label = "mesh", .frame = k + 1, .frames = shots->count, .frame_done = true};
        if (status == OND_OK) ond_progress_show(&progress, &now);
    }
    ond_progress_end(&progress);
    return status;
}
