// SPDX-License-Identifier: MIT
#include "solids/bodies/body_thin.h"

#include "base/memory.h"

#include <stdlib.h>

#define CELLS    20   // of the lattice along the longest side of the box
#define DEPTHS   8    // at which a face behind is looked for, each half of the one before
#define OPPOSITE -0.7 // cosine of the normals of a wall's two faces
#define RARE     0.01 // share of the surface that may be thinner
#define ASIDE    0.37 // cells: points of a lattice that is not the shape's own

typedef struct ThinLook {
    const OndSolids *solids;
    int which;
    double deepest; // where faces are looked for, m
    float *found;   // thickness at each place of the surface
    int count, room;
} ThinLook;

// From a place of the surface: how far behind it the next face is that looks the other way.
static double look_through(const ThinLook *l, const OndTouch *from)
{
    OndTouch near[OND_TOUCHES_MAX];
    double least = INFINITY;
    double depth = l->deepest;
    for (int d = 0; d < DEPTHS; ++d, depth *= 0.5) {
        const OndVec p = ond_sub(from->at, ond_scale(from->normal, depth));
        const int count = ond_solids_near_one(l->solids, l->which, p, 1.01 * depth, near);
        for (int k = 0; k < count; ++k) {
            const double behind = ond_dot(from->normal, ond_sub(from->at, near[k].at));
            if (ond_dot(near[k].normal, from->normal) < OPPOSITE && behind > 0.0)
                least = fmin(least, behind);
        }
    }
    return least;
}

static void look_from(ThinLook *l, OndVec point, double reach)
{
    OndTouch near[OND_TOUCHES_MAX];
    const int count = ond_solids_near_one(l->solids, l->which, point, reach, near);
    for (int k = 0; k < count && l->count < l->room; ++k)
        l->found[l->count++] = (float)look_through(l, &near[k]);
}

static int by_size(const void *a, const void *b)
{
    const float x = *(const float *)a, y = *(const float *)b;
    return (x > y) - (x < y);
}

// All points of the lattice, in the frame of the solid.
static void look_everywhere(ThinLook *l, OndBox box, bool flat)
{
    const OndPose pose = ond_solids_state(l->solids, l->which)->pose;
    const OndVec size = ond_sub(box.max, box.min);
    const double cell = fmax(size.x, fmax(size.y, flat ? 0.0 : size.z)) / CELLS;
    const int n[3] = {(int)(size.x / cell) + 2, (int)(size.y / cell) + 2,
                      flat ? 1 : (int)(size.z / cell) + 2};
    for (int z = 0; z < n[2]; ++z)
        for (int y = 0; y < n[1]; ++y)
            for (int x = 0; x < n[0]; ++x) {
                const OndVec p =
                    ond_vec(box.min.x + (x - ASIDE) * cell, box.min.y + (y - ASIDE) * cell,
                            flat ? 0.0 : box.min.z + (z - ASIDE) * cell);
                look_from(l, ond_pose_out(&pose, p), 0.5 * cell);
            }
}

double ond_body_box_thickness(const OndSimSolids *s, int which, bool flat)
{
    const OndBox box = s->solid[which].bounds;
    const OndVec size = ond_sub(box.max, box.min);
    return fmin(fmin(size.x, size.y), flat ? size.x : size.z);
}

// Shapes that are as thick as their box is, or nearly.
static bool is_plain(const OndSimSolid *solid)
{
    const int shape = solid->def->shape.which;
    return solid->solid.kind == OND_SOLID_SHAPE &&
           (shape == OND_SHAPE_BOX || shape == OND_SHAPE_SPHERE || shape == OND_SHAPE_CYLINDER ||
            shape == OND_SHAPE_CAPSULE);
}

OndStatus ond_body_thickness(const OndSimSolids *s, int which, bool flat, double *out,
                             OndError *err)
{
    const OndSimSolid *const solid = &s->solid[which];
    const OndSolidDef *const def = &solid->solid;
    *out = 0.0;
    if (def->kind == OND_SOLID_PLANE || (def->kind == OND_SOLID_MESH && !def->closed))
        return OND_OK;
    *out = ond_body_box_thickness(s, which, flat);
    if (is_plain(solid) || !(*out > 0.0)) return OND_OK;
    const double deepest = fmin(0.5 * *out, s->scene->spacing);
    ThinLook look = {s->solids, which, deepest, NULL, 0, 4 * CELLS * CELLS * CELLS};
    look.found = OND_NEW_ARRAY(float, look.room);
    if (!look.found) return ond_fail(err, OND_NO_MEMORY, "not enough memory to look at a solid");
    look_everywhere(&look, solid->bounds, flat);
    qsort(look.found, (size_t)look.count, sizeof *look.found, by_size);
    if (look.count > 0) *out = fmin(*out, look.found[(int)(RARE * look.count)]);
    ond_free(look.found);
    return OND_OK;
}
