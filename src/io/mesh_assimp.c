// SPDX-License-Identifier: MIT
// assimp aborts on some damaged files and loops on others, so it runs in a child process, which
// hands over either the mesh or a sentence.
#include "io/mesh_assimp.h"

#include "base/memory.h"
#include "io/child.h"

#include <assimp/cimport.h>
#include <assimp/config.h>
#include <assimp/postprocess.h>
#include <assimp/scene.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

// assimp knows some fifty formats; those not listed here are rarely solids and little tested.
static const char *const accepted[] = {"obj", "ply", "stl", "off", "gltf", "glb"};

static OndStatus check_name(const char *path, OndError *err)
{
    const char *dot = strrchr(path, '.');
    for (size_t i = 0; dot && i < sizeof accepted / sizeof accepted[0]; ++i)
        if (strcasecmp(dot + 1, accepted[i]) == 0) return OND_OK;
    return ond_fail(err, OND_BAD_VALUE,
                    "%s: the name must end in .obj, .ply, .stl, .off, .gltf or .glb to be read as "
                    "a mesh",
                    path);
}

static OndStatus check_file(const char *path, OndError *err)
{
    struct stat info;
    if (stat(path, &info) != 0)
        return ond_fail(err, OND_IO, "%s: cannot read the mesh: %s", path, strerror(errno));
    if (!S_ISREG(info.st_mode))
        return ond_fail(err, OND_IO, "%s: is not a file, so there is no mesh in it", path);
    FILE *file = fopen(path, "rb");
    if (!file) return ond_fail(err, OND_IO, "%s: cannot read the mesh: %s", path, strerror(errno));
    fclose(file);
    if (info.st_size == 0) return ond_fail(err, OND_BAD_VALUE, "%s: the file is empty", path);
    return OND_OK;
}

/// Only positions and faces are kept, so that corners differing in normal or colour are joined.
static const struct aiScene *import(const char *path)
{
    struct aiPropertyStore *settings = aiCreatePropertyStore();
    if (!settings) return NULL;
    const int dropped = aiComponent_NORMALS | aiComponent_TANGENTS_AND_BITANGENTS |
                        aiComponent_COLORS | aiComponent_TEXCOORDS | aiComponent_BONEWEIGHTS |
                        aiComponent_ANIMATIONS | aiComponent_TEXTURES | aiComponent_LIGHTS |
                        aiComponent_CAMERAS;
    aiSetImportPropertyInteger(settings, AI_CONFIG_PP_RVC_FLAGS, dropped);
    const unsigned steps = aiProcess_RemoveComponent | aiProcess_Triangulate |
                           aiProcess_PreTransformVertices | aiProcess_JoinIdenticalVertices;
    const struct aiScene *scene = aiImportFileExWithProperties(path, steps, NULL, settings);
    aiReleasePropertyStore(settings);
    return scene;
}

static long long count_triangles(const struct aiMesh *part)
{
    long long count = 0;
    for (unsigned f = 0; f < part->mNumFaces; ++f)
        count += part->mFaces[f].mNumIndices == 3;
    return count;
}

/// Appends a part; triangles point past the corners that are there already. An index that is out of
/// the part's range must stay out of range, so that whoever uses the mesh notices.
static void append_part(OndMesh *mesh, const struct aiMesh *part, int *corners, int *triangles)
{
    const unsigned base = (unsigned)*corners;
    for (unsigned v = 0; v < part->mNumVertices; ++v) {
        float *to = mesh->corner + 3 * (size_t)(*corners)++;
        to[0] = (float)part->mVertices[v].x;
        to[1] = (float)part->mVertices[v].y;
        to[2] = (float)part->mVertices[v].z;
    }
    for (unsigned f = 0; f < part->mNumFaces; ++f) {
        const struct aiFace *face = &part->mFaces[f];
        if (face->mNumIndices != 3) continue;
        uint32_t *to = mesh->triangle + 3 * (size_t)(*triangles)++;
        for (int k = 0; k < 3; ++k)
            to[k] = face->mIndices[k] < part->mNumVertices ? base + face->mIndices[k] : UINT32_MAX;
    }
}

static OndStatus copy_scene(const struct aiScene *scene, const char *path, OndMesh *out,
                            OndError *err)
{
    long long corners = 0, triangles = 0;
    for (unsigned m = 0; m < scene->mNumMeshes; ++m) {
        corners += scene->mMeshes[m]->mNumVertices;
        triangles += count_triangles(scene->mMeshes[m]);
    }
    if (triangles == 0)
        return ond_fail(err, OND_BAD_VALUE,
                        "%s: there are no triangles in it; export it with faces", path);
    OndError inner;
    const OndStatus status = ond_mesh_make(out, corners, triangles, &inner);
    if (status != OND_OK) return ond_fail(err, status, "%s: %.900s", path, inner.text);
    int corner = 0, triangle = 0;
    for (unsigned m = 0; m < scene->mNumMeshes; ++m)
        append_part(out, scene->mMeshes[m], &corner, &triangle);
    return OND_OK;
}

// ---- in the child --------------------------------------------------------------------------

/// What the child sends first; then the mesh's two arrays, or nothing more.
typedef struct Answer {
    OndStatus status;
    int corner_count, triangle_count;
    OndError err;
} Answer;

static OndStatus import_mesh(const char *path, OndMesh *out, OndError *err)
{
    const struct aiScene *scene = import(path);
    if (!scene)
        return ond_fail(err, OND_BAD_VALUE,
                        "%s: it cannot be read as a mesh: is it whole, and has it triangles? The "
                        "reader says: %.500s",
                        path, aiGetErrorString());
    return copy_scene(scene, path, out, err); // the process ends soon: nothing is released
}

static void answer_mesh(int pipe, void *context)
{
    const char *path = context;
    OndMesh mesh = {0};
    Answer answer = {0};
    answer.status = import_mesh(path, &mesh, &answer.err);
    answer.corner_count = mesh.corner_count;
    answer.triangle_count = mesh.triangle_count;
    if (!ond_child_write(pipe, &answer, sizeof answer) || answer.status != OND_OK) return;
    if (ond_child_write(pipe, mesh.corner, 3 * sizeof(float) * (size_t)mesh.corner_count))
        ond_child_write(pipe, mesh.triangle, 3 * sizeof(uint32_t) * (size_t)mesh.triangle_count);
}

// ---- in the parent -------------------------------------------------------------------------

/// False when the child did not say all it had to.
static bool receive(OndChild *child, Answer *answer, OndMesh *out)
{
    if (!ond_child_read(child, answer, sizeof *answer)) return false;
    answer->err.text[sizeof answer->err.text - 1] = '\0';
    if (answer->status != OND_OK) return true;
    answer->status = ond_mesh_make(out, answer->corner_count, answer->triangle_count, &answer->err);
    if (answer->status != OND_OK) return true;
    return ond_child_read(child, out->corner, 3 * sizeof(float) * (size_t)out->corner_count) &&
           ond_child_read(child, out->triangle, 3 * sizeof(uint32_t) * (size_t)out->triangle_count);
}

/// Processor time that a sound file surely does not need: assimp reads tens of megabytes a second.
/// A .gltf file names others, whose size is not known here.
static int seconds_for(const char *path)
{
    struct stat info;
    const long long megabytes = stat(path, &info) == 0 ? (long long)info.st_size >> 20 : 0;
    const int least = strcasecmp(strrchr(path, '.'), ".gltf") == 0 ? 60 : 5;
    return least + (int)(megabytes < 3600 ? megabytes : 3600);
}

static OndStatus load_in_child(char *path, OndMesh *out, OndError *err)
{
    const int seconds = seconds_for(path);
    OndChildEnd end = OND_CHILD_STALLED;
    for (int k = 0; k < OND_CHILD_TRIES && end == OND_CHILD_STALLED; ++k) {
        OndChild child;
        Answer answer = {0};
        if (!ond_child_start(&child, answer_mesh, path, seconds))
            return ond_fail(err, OND_NO_MEMORY, "%s: no process to read the mesh in: %s", path,
                            strerror(errno));
        const bool whole = receive(&child, &answer, out);
        end = ond_child_finish(&child);
        if (whole && answer.status == OND_OK) return OND_OK;
        ond_mesh_free(out);
        if (whole) return ond_fail(err, answer.status, "%s", answer.err.text);
    }
    if (end == OND_CHILD_STALLED)
        return ond_fail(err, OND_IO,
                        "%s: the process that reads the mesh does not get on (the file's disk does "
                        "not answer, or other threads keep the memory busy); try again",
                        path);
    if (end == OND_CHILD_TOO_LONG)
        return ond_fail(err, OND_BAD_VALUE,
                        "%s: reading the mesh was given up after %d s or for want of memory; the "
                        "file is damaged or too large, so export it again",
                        path, seconds);
    return ond_fail(err, OND_BAD_VALUE,
                    "%s: the file is damaged: reading it as a mesh crashes; export it again", path);
}

OndStatus ond_mesh_load(const char *path, OndMesh *out, OndError *err)
{
    const OndMesh empty = {0};
    *out = empty;
    OndStatus status = check_name(path, err);
    if (status == OND_OK) status = check_file(path, err);
    if (status != OND_OK) return status;
    char *const copy = OND_NEW_ARRAY(char, strlen(path) + 1);
    if (!copy) return ond_fail(err, OND_NO_MEMORY, "no memory to read a mesh");
    strcpy(copy, path);
    status = load_in_child(copy, out, err);
    ond_free(copy);
    return status;
}
