// SPDX-License-Identifier: MIT
#include "surface/mesh/smooth.h"

#include "base/memory.h"
#include "base/parallel.h"
#include "surface/mesh/mesh_parts.h"

#include <string.h>

#define FORTH     0.5
#define BACK      (-0.53) // a little more than forth: low frequencies are neither damped nor raised
#define GRAIN     4096
#define RESTORE   12 // most steps towards the volume; each leaves about the square of the error
#define STEP_MOST 0.2
#define CLOSE     1e-4 // relative error of a volume at which they end

// Neighbours of each corner, one after the other. In a closed mesh whose triangles agree on which
// side is out, each neighbour is the end of exactly one directed side.
typedef struct MeshSmooth {
    OndMesh *mesh;
    uint32_t *first, *near; // of each corner; corner_count + 1
    float *spare;           // corners under way
    float share;
    uint32_t *part; // which part of the mesh a corner belongs to: its smallest corner
    double *volume; // of each part at the start
    OndVec *area;   // of each corner: a third of the triangles round it
} MeshSmooth;

static void list_neighbours(MeshSmooth *s)
{
    const OndMesh *mesh = s->mesh;
    const size_t sides = 3 * (size_t)mesh->triangle_count;
    for (size_t n = 0; n < sides; ++n)
        ++s->first[mesh->triangle[n] + 1];
    for (int c = 0; c < mesh->corner_count; ++c)
        s->first[c + 1] += s->first[c];
    for (size_t n = sides; n-- > 0;) // backwards, so that `first` ends as it should
        s->near[--s->first[mesh->triangle[n] + 1]] = mesh->triangle[n % 3 == 2 ? n - 2 : n + 1];
    memmove(s->first, s->first + 1, (size_t)mesh->corner_count * sizeof *s->first);
    s->first[mesh->corner_count] = (uint32_t)sides;
}

static void move_range(int first, int last, int worker, void *context)
{
    const MeshSmooth *s = context;
    const float *corner = s->mesh->corner;
    for (int c = first; c < last; ++c) {
        const uint32_t begin = s->first[c], end = s->first[c + 1];
        float sum[3] = {0, 0, 0};
        for (uint32_t n = begin; n < end; ++n)
            for (int a = 0; a < 3; ++a) // differences first: they keep the digits
                sum[a] += corner[3 * (size_t)s->near[n] + a] - corner[3 * (size_t)c + a];
        const float share = end > begin ? s->share / (float)(end - begin) : 0.0f;
        for (int a = 0; a < 3; ++a)
            s->spare[3 * (size_t)c + a] = corner[3 * (size_t)c + a] + share * sum[a];
    }
}

static void move_all(MeshSmooth *s, double share)
{
    s->share = (float)share;
    ond_parallel_for(s->mesh->corner_count, GRAIN, move_range, s);
    float *swap = s->mesh->corner;
    s->mesh->corner = s->spare;
    s->spare = swap;
}

// ---- volume of each part

static void add_volumes(const MeshSmooth *s, double *volume, double sign)
{
    const OndMesh *mesh = s->mesh;
    for (int t = 0; t < mesh->triangle_count; ++t) {
        const uint32_t *corner = mesh->triangle + 3 * (size_t)t, part = s->part[corner[0]];
        volume[part] +=
            sign * ond_mesh_six_volumes(mesh, corner, ond_mesh_corner(mesh, part)) / 6.0;
    }
}

static void find_areas(const MeshSmooth *s)
{
    const OndMesh *mesh = s->mesh;
    memset(s->area, 0, (size_t)mesh->corner_count * sizeof *s->area);
    for (int t = 0; t < mesh->triangle_count; ++t) {
        const uint32_t *c = mesh->triangle + 3 * (size_t)t;
        const OndVec a = ond_mesh_corner(mesh, c[0]);
        const OndVec area = ond_scale(ond_cross(ond_sub(ond_mesh_corner(mesh, c[1]), a),
                                                ond_sub(ond_mesh_corner(mesh, c[2]), a)),
                                      1.0 / 6.0);
        for (int k = 0; k < 3; ++k)
            s->area[c[k]] = ond_add(s->area[c[k]], area);
    }
}

// One step; true when there was nothing left to do. A corner's area is what the volume gains when
// the corner moves by 1; all of a part move equally far along theirs.
static bool restore_volumes(const MeshSmooth *s, double *missing, double *gain)
{
    const OndMesh *mesh = s->mesh;
    const size_t bytes = (size_t)mesh->corner_count * sizeof *missing;
    memcpy(missing, s->volume, bytes);
    memset(gain, 0, bytes);
    add_volumes(s, missing, -1.0);
    bool close = true;
    for (int c = 0; c < mesh->corner_count; ++c)
        close = close && fabs(missing[c]) <= CLOSE * fabs(s->volume[c]);
    if (close) return true;
    find_areas(s);
    for (int c = 0; c < mesh->corner_count; ++c)
        gain[s->part[c]] += ond_length(s->area[c]);
    for (int c = 0; c < mesh->corner_count; ++c) {
        const uint32_t part = s->part[c];
        if (!(gain[part] > 0.0)) continue;
        const double most = STEP_MOST * cbrt(fabs(s->volume[part])); // of parts that fell flat
        const double step = fmin(fmax(missing[part] / gain[part], -most), most);
        const OndVec way = ond_scale(ond_unit(s->area[c]), step);
        float *at = mesh->corner + 3 * (size_t)c;
        at[0] += (float)way.x, at[1] += (float)way.y, at[2] += (float)way.z;
    }
    return false;
}

static void run(MeshSmooth *s, int rounds, double *missing, double *gain)
{
    list_neighbours(s);
    ond_mesh_parts(s->mesh, s->part);
    add_volumes(s, s->volume, 1.0);
    for (int r = 0; r < rounds; ++r) {
        move_all(s, FORTH);
        move_all(s, BACK);
    }
    for (int r = 0; r < RESTORE && !restore_volumes(s, missing, gain);)
        ++r;
}

OndStatus ond_mesh_smooth(OndMesh *mesh, int rounds, OndError *err)
{
    if (rounds < 1 || mesh->corner_count < 1) return OND_OK;
    const size_t corners = (size_t)mesh->corner_count;
    MeshSmooth s = {.mesh = mesh};
    s.first = OND_NEW_ARRAY(uint32_t, corners + 1);
    s.near = OND_NEW_ARRAY(uint32_t, 3 * (size_t)mesh->triangle_count + 1);
    s.spare = OND_NEW_ARRAY(float, 3 * corners);
    s.part = OND_NEW_ARRAY(uint32_t, corners);
    s.area = OND_NEW_ARRAY(OndVec, corners);
    s.volume = OND_NEW_ARRAY(double, 3 * corners);
    const bool room = s.first && s.near && s.spare && s.part && s.area && s.volume;
    if (room) run(&s, rounds, s.volume + corners, s.volume + 2 * corners);
    ond_free(s.first);
    ond_free(s.near);
    ond_free(s.spare);
    ond_free(s.part);
    ond_free(s.area);
    ond_free(s.volume);
    if (room) return OND_OK;
    return ond_fail(err, OND_NO_MEMORY, "not enough memory to smooth %d triangles",
                    mesh->triangle_count);
}
