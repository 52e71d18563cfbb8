// SPDX-License-Identifier: MIT
#include "io/mesh_assimp.h"

#include <assimp/cimport.h>
#include <assimp/config.h>
#include <assimp/postprocess.h>
#include <assimp/scene.h>
#include <errno.h>
#include <stdio.h>
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
        return ond_fail(err, OND_BAD_VALUE, "%s: there are no triangles in it", path);
    OndError inner;
    const OndStatus status = ond_mesh_make(out, corners, triangles, &inner);
    if (status != OND_OK) return ond_fail(err, status, "%s: %.900s", path, inner.text);
    int corner = 0, triangle = 0;
    for (unsigned m = 0; m < scene->mNumMeshes; ++m)
        append_part(out, scene->mMeshes[m], &corner, &triangle);
    return OND_OK;
}

OndStatus ond_mesh_load(const char *path, OndMesh *out, OndError *err)
{
    const OndMesh empty = {0};
    *out = empty;
    OndStatus status = check_name(path, err);
    if (status == OND_OK) status = check_file(path, err);
    if (status != OND_OK) return status;
    const struct aiScene *scene = import(path);
    if (!scene)
        return ond_fail(err, OND_BAD_VALUE, "%s: cannot be read as a mesh: %.500s", path,
                        aiGetErrorString());
    status = copy_scene(scene, path, out, err);
    aiReleaseImport(scene);
    return status;
}
