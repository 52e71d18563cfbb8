// SPDX-License-Identifier: MIT
// The solids of a run as files: poses with each frame, triangles once.
//
//     solids/still.ply      all that never move, where they stand
//     solids/NAME.ply       one that moves, in the coordinates of its shape; frames/solids_*.csv
//                           say where those are
//     solids/NAME_0012.ply  one that bends, a file a frame
#include "app/props.h"
#include "io/formats/surface_files.h"
#include "io/scene_sections.h"
#include "io/solid_poses.h"
#include "surface/mesh/solid_triangles.h"

#include <stdio.h>
#include <string.h>

#define STILL_MOST 4000000 // triangles; more solids are left out of the file

typedef struct SolidWriter {
    const OndFrame *frame;
    const OndSceneDef *scene;
    char folder[OND_PATH_MAX];
} SolidWriter;

static OndStatus write_mesh(const SolidWriter *w, const char *name, const OndMesh *mesh,
                            OndError *err)
{
    const OndOutputDef *const output = ond_scene_output(w->scene);
    const bool vtp = ond_output_writes(output, &ond_format_vtp);
    const bool ply = !vtp || ond_output_writes(output, &ond_format_ply);
    const int index = w->frame->index;
    const OndSurface surface = {
        .mesh = *mesh, .frame = index, .time = index / w->scene->frame_rate, .dimension = 3};
    OndStatus status = OND_OK;
    for (int vtk = 0; vtk < 2 && status == OND_OK; ++vtk) {
        char path[OND_PATH_MAX];
        if (!(vtk ? vtp : ply)) continue;
        const int length =
            snprintf(path, sizeof path, "%s/%s.%s", w->folder, name, vtk ? "vtp" : "ply");
        if (length >= (int)sizeof path) continue; // as long as paths get: the run goes on
        status = ond_surface_write(path, &surface, NULL, err);
    }
    return status;
}

// Letters and digits of its name; its number where that is not its own alone.
static void file_name(const OndFrameSolid *s, char out[96])
{
    static const char safe[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-";
    bool plain = true;
    snprintf(out, 64, "%s", s->name);
    for (char *c = out; *c; ++c)
        if (!strchr(safe, *c)) *c = '_', plain = false;
    if (!plain || strlen(s->name) > 60 || strcmp(out, "still") == 0)
        snprintf(out + strlen(out), 24, "_%d", s->index);
}

static void pose_corners(const OndPose *pose, OndMesh *mesh)
{
    for (int c = 0; c < mesh->corner_count; ++c) {
        float *const x = mesh->corner + 3 * (size_t)c;
        const OndVec at = ond_pose_out(pose, ond_vec(x[0], x[1], x[2]));
        x[0] = (float)at.x, x[1] = (float)at.y, x[2] = (float)at.z;
    }
}

static void append(OndMesh *all, const OndMesh *mesh)
{
    if (mesh->corner_count == 0) return;
    memcpy(all->corner + 3 * (size_t)all->corner_count, mesh->corner,
           12 * (size_t)mesh->corner_count);
    for (size_t i = 0; i < 3 * (size_t)mesh->triangle_count; ++i)
        all->triangle[3 * (size_t)all->triangle_count + i] =
            mesh->triangle[i] + (uint32_t)all->corner_count;
    all->corner_count += mesh->corner_count;
    all->triangle_count += mesh->triangle_count;
}

static OndStatus join(OndMesh *part, int count, OndMesh *out, OndError *err)
{
    long long corners = 0, triangles = 0;
    for (int k = 0; k < count; ++k) {
        corners += part[k].corner_count;
        triangles += part[k].triangle_count;
    }
    const OndStatus status = ond_mesh_make(out, corners, triangles, err);
    if (status != OND_OK) return status;
    out->corner_count = out->triangle_count = 0;
    for (int k = 0; k < count; ++k)
        append(out, &part[k]);
    return OND_OK;
}

static double width_of(const OndSceneDef *scene)
{
    const bool known = scene->has_domain;
    return known ? ond_length(ond_sub(scene->domain.max, scene->domain.min)) : 100 * scene->spacing;
}

static OndStatus write_still(const SolidWriter *w, OndError *err)
{
    const OndFrameSolids *const solids = &w->frame->solids;
    const int count = solids->count;
    OndMesh all = {0}, *const part = OND_NEW_ARRAY(OndMesh, count);
    if (!part) return ond_fail(err, OND_NO_MEMORY, "not enough memory to write %d solids", count);
    OndStatus status = OND_OK;
    long long triangles = 0;
    for (int k = 0; k < count && status == OND_OK && triangles < STILL_MOST; ++k) {
        const OndFrameSolid *const s = &solids->solid[k];
        if (s->moves || s->corner) continue;
        status = ond_solid_triangles(solids->made, k, width_of(w->scene), &part[k], err);
        pose_corners(&s->state.pose, &part[k]);
        triangles += part[k].triangle_count;
    }
    if (status == OND_OK && triangles > 0) status = join(part, count, &all, err);
    if (status == OND_OK && triangles > 0) status = write_mesh(w, "still", &all, err);
    for (int k = 0; k < count; ++k)
        ond_mesh_free(&part[k]);
    ond_free(part);
    ond_mesh_free(&all);
    return status;
}

static OndStatus write_moving(const SolidWriter *w, OndError *err)
{
    const OndFrameSolids *const solids = &w->frame->solids;
    OndStatus status = OND_OK;
    for (int k = 0; k < solids->count && status == OND_OK; ++k) {
        char name[96];
        OndMesh mesh = {0};
        const OndFrameSolid *const s = &solids->solid[k];
        if (!s->moves || s->corner) continue;
        file_name(s, name);
        status = ond_solid_triangles(solids->made, k, width_of(w->scene), &mesh, err);
        if (status == OND_OK) status = write_mesh(w, name, &mesh, err);
        ond_mesh_free(&mesh);
    }
    return status;
}

static OndStatus write_bending(const SolidWriter *w, OndError *err)
{
    const OndFrameSolids *const solids = &w->frame->solids;
    OndStatus status = OND_OK;
    for (int k = 0; k < solids->count && status == OND_OK; ++k) {
        char name[120];
        const OndFrameSolid *const s = &solids->solid[k];
        if (!s->corner) continue;
        OndMesh mesh = solids->made->solid[k].mesh; // its triangles, with corners of now
        mesh.corner = (float *)s->corner;
        file_name(s, name);
        snprintf(name + strlen(name), 16, "_%04d", w->frame->index);
        status = write_mesh(w, name, &mesh, err);
    }
    return status;
}

static OndStatus write_poses(const SolidWriter *w, const OndRunFolder *folder, OndError *err)
{
    char path[OND_PATH_MAX];
    const OndFrameSolids *const solids = &w->frame->solids;
    bool any = false;
    for (int k = 0; k < solids->count; ++k)
        any = any || solids->solid[k].moves;
    if (!any) return OND_OK;
    return ond_solid_poses_write(ond_run_path(folder, OND_RUN_SOLIDS, w->frame->index, path),
                                 solids, err);
}

OndStatus ond_props_write(const OndFrame *frame, const OndSceneDef *scene,
                          const OndRunFolder *folder, OndError *err)
{
    SolidWriter w = {.frame = frame, .scene = scene};
    if (frame->solids.count == 0) return OND_OK;
    snprintf(w.folder, sizeof w.folder, "%s/solids", folder->path);
    OndStatus status = ond_run_make_folders(w.folder, err);
    if (status == OND_OK) status = write_poses(&w, folder, err);
    if (status == OND_OK && frame->index == 0) status = write_still(&w, err);
    if (status == OND_OK && frame->index == 0) status = write_moving(&w, err);
    return status == OND_OK ? write_bending(&w, err) : status;
}
