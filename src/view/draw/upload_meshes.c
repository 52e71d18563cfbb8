// SPDX-License-Identifier: MIT
// All solids in one pair of buffers, opaque ones first; and where they stand, in a texture.
#include "view/draw/draw_state.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

enum { FLOATS = 7, TEXELS = 5 }; // of a corner, and of a mesh in the texture

typedef struct MeshPile {
    float *corner;
    uint32_t *index;
    size_t corners, indices;
} MeshPile;

static bool is_clear(const OndShownMesh *mesh)
{
    return mesh->colour[3] < 0.99f;
}

static void pile_up(MeshPile *pile, const OndShownMesh *mesh, int which)
{
    const uint32_t base = (uint32_t)pile->corners;
    for (size_t c = 0; c < (size_t)mesh->corners; ++c) {
        float *const to = pile->corner + FLOATS * pile->corners++;
        memcpy(to, mesh->position + 3 * c, 3 * sizeof *to);
        memcpy(to + 3, mesh->normal + 3 * c, 3 * sizeof *to);
        to[6] = (float)which;
    }
    for (size_t i = 0; i < 3 * (size_t)mesh->triangles; ++i)
        pile->index[pile->indices++] = base + mesh->index[i];
}

static void make_mesh(OndDrawMesh *m)
{
    glGenVertexArrays(1, &m->array);
    glGenBuffers(1, &m->corners);
    glGenBuffers(1, &m->indices);
}

static void hand_over(OndDrawMesh *m, const MeshPile *pile)
{
    const GLsizei stride = FLOATS * sizeof(float);
    if (!m->array) make_mesh(m);
    glBindVertexArray(m->array);
    glBindBuffer(GL_ARRAY_BUFFER, m->corners);
    glBufferData(GL_ARRAY_BUFFER, (GLsizeiptr)(pile->corners * FLOATS * sizeof(float)),
                 pile->corner, GL_STATIC_DRAW);
    glBindBuffer(GL_ELEMENT_ARRAY_BUFFER, m->indices);
    glBufferData(GL_ELEMENT_ARRAY_BUFFER, (GLsizeiptr)(pile->indices * sizeof(uint32_t)),
                 pile->index, GL_STATIC_DRAW);
    for (GLuint k = 0; k < 3; ++k) {
        glEnableVertexAttribArray(k);
        glVertexAttribPointer(k, k < 2 ? 3 : 1, GL_FLOAT, GL_FALSE, stride,
                              (const void *)(3 * k * sizeof(float)));
    }
    glBindVertexArray(0);
}

static OndStatus make_buffers(OndDraw *draw, const OndShown *shown, OndError *err)
{
    MeshPile pile = {0};
    size_t corners = 0, indices = 0;
    for (int k = 0; k < shown->meshes; ++k) {
        corners += (size_t)shown->mesh[k].corners;
        indices += 3 * (size_t)shown->mesh[k].triangles;
    }
    pile.corner = malloc((FLOATS * corners + 1) * sizeof(float));
    pile.index = malloc((indices + 1) * sizeof(uint32_t));
    draw->has_meshes = pile.corner && pile.index && indices > 0;
    if (draw->has_meshes) {
        for (int k = 0; k < shown->meshes; ++k)
            if (!is_clear(&shown->mesh[k])) pile_up(&pile, &shown->mesh[k], k);
        draw->solids.opaque = (int)pile.indices;
        for (int k = 0; k < shown->meshes; ++k)
            if (is_clear(&shown->mesh[k])) pile_up(&pile, &shown->mesh[k], k);
        draw->solids.clear = (int)pile.indices - draw->solids.opaque;
        hand_over(&draw->solids, &pile);
    }
    const bool done = pile.corner && pile.index;
    free(pile.corner);
    free(pile.index);
    draw->mesh_version = shown->mesh_version;
    return done ? OND_OK
                : ond_fail(err, OND_NO_MEMORY, "no memory to draw solids of %zu triangles",
                           indices / 3);
}

static void put_row(const OndShown *shown, int k, float *row)
{
    static const float still[12] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0};
    memcpy(row, shown->pose ? shown->pose[k] : still, sizeof still);
    memcpy(row + 12, shown->mesh[k].colour, 4 * sizeof *row);
    row[16] = shown->mesh[k].metal ? 1.0f : 0.0f;
    row[17] = row[18] = row[19] = 0.0f;
}

static OndStatus put_poses(OndDraw *draw, const OndShown *shown, OndError *err)
{
    float *const row = malloc((size_t)shown->meshes * TEXELS * 4 * sizeof *row);
    if (!row) return ond_fail(err, OND_NO_MEMORY, "no memory to place %d solids", shown->meshes);
    for (int k = 0; k < shown->meshes; ++k)
        put_row(shown, k, row + (size_t)k * TEXELS * 4);
    if (!draw->poses) glGenTextures(1, &draw->poses);
    ond_unit_set(OND_UNIT_A, GL_TEXTURE_2D, draw->poses);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA32F, TEXELS, shown->meshes, 0, GL_RGBA, GL_FLOAT, row);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
    free(row);
    return OND_OK;
}

OndStatus ond_upload_meshes(OndDraw *draw, const OndShown *shown, OndError *err)
{
    OndStatus status = OND_OK;
    if (shown->meshes == 0) {
        draw->has_meshes = false;
        draw->mesh_version = 0;
        return OND_OK;
    }
    if (!draw->has_meshes || draw->mesh_version != shown->mesh_version)
        status = make_buffers(draw, shown, err);
    if (status == OND_OK && draw->has_meshes) status = put_poses(draw, shown, err);
    return status;
}

void ond_upload_surface(OndDraw *draw, const OndShownMesh *mesh)
{
    OndDrawMesh *const m = &draw->surface;
    m->opaque = 3 * mesh->triangles;
    if (mesh->triangles == 0) return;
    if (!m->array) make_mesh(m);
    glBindVertexArray(m->array);
    glBindBuffer(GL_ARRAY_BUFFER, m->corners);
    glBufferData(GL_ARRAY_BUFFER, (GLsizeiptr)((size_t)mesh->corners * 3 * sizeof(float)),
                 mesh->position, GL_STREAM_DRAW);
    glBindBuffer(GL_ELEMENT_ARRAY_BUFFER, m->indices);
    glBufferData(GL_ELEMENT_ARRAY_BUFFER,
                 (GLsizeiptr)((size_t)mesh->triangles * 3 * sizeof(uint32_t)), mesh->index,
                 GL_STREAM_DRAW);
    glEnableVertexAttribArray(0);
    glVertexAttribPointer(0, 3, GL_FLOAT, GL_FALSE, 0, NULL);
    glBindVertexArray(0);
}

static void free_mesh(OndDrawMesh *m, bool lost)
{
    if (!lost && m->array) {
        glDeleteVertexArrays(1, &m->array);
        glDeleteBuffers(1, &m->corners);
        glDeleteBuffers(1, &m->indices);
    }
    *m = (OndDrawMesh){0};
}

void ond_upload_meshes_free(OndDraw *draw, bool lost)
{
    free_mesh(&draw->solids, lost);
    free_mesh(&draw->surface, lost);
    if (!lost && draw->poses) glDeleteTextures(1, &draw->poses);
    draw->poses = 0;
    draw->has_meshes = false;
}
