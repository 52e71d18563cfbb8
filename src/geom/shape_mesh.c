// SPDX-License-Identifier: MIT
// The inside of a closed triangle mesh.
//
// Distance: the nearest triangle, found with a tree of boxes. Sign: the winding number along +x,
// from the triangles that the line crosses. A line through a corner or an edge is no special case:
// each edge is counted half-open and with the same bits by the triangles that share it, so the
// crossings of a closed mesh always cancel out over a whole line. A mesh whose triangles disagree
// on what is out falls back to parity.
#include "geom/bvh.h"
#include "geom/crossings.h"
#include "geom/shape_kind.h"
#include "geom/triangle.h"

typedef struct MeshShape {
    OndShape base;
    OndVec *corner;
    uint32_t (*triangle)[3];
    int triangle_count;
    bool oriented;
    OndBvh bvh;
} MeshShape;

static double triangle_distance2(const void *context, int item, OndVec p)
{
    const MeshShape *mesh = context;
    const uint32_t *t = mesh->triangle[item];
    return ond_triangle_distance2(mesh->corner[t[0]], mesh->corner[t[1]], mesh->corner[t[2]], p);
}

typedef struct MeshQuery {
    const MeshShape *mesh;
    OndCrossings crossings;
} MeshQuery;

static int edge_turn(const MeshShape *mesh, uint32_t from, uint32_t to, double y, double z)
{
    const bool flipped = from > to;
    const OndVec a = mesh->corner[flipped ? to : from], b = mesh->corner[flipped ? from : to];
    return ond_edge_turn(a, b, flipped, y, z);
}

static void cross_triangle(void *context, int item)
{
    MeshQuery *query = context;
    const MeshShape *mesh = query->mesh;
    const uint32_t *t = mesh->triangle[item];
    const double y = query->crossings.row->y, z = query->crossings.row->z;
    const int turn = edge_turn(mesh, t[0], t[1], y, z) + edge_turn(mesh, t[1], t[2], y, z) +
                     edge_turn(mesh, t[2], t[0], y, z);
    if (turn == 0) return;
    const OndVec *corner = mesh->corner;
    const double x = ond_triangle_x_at(corner[t[0]], corner[t[1]], corner[t[2]], y, z);
    ond_crossings_add(&query->crossings, x, turn);
}

static void mesh_row(const OndShape *shape, const OndPointRow *row, bool flat,
                     unsigned char *inside)
{
    MeshQuery query;
    (void)flat; // the row's z is 0 then
    query.mesh = (const MeshShape *)shape;
    ond_crossings_begin(&query.crossings, row);
    ond_bvh_along_x(&query.mesh->bvh, ond_vec(row->x, row->y, row->z), cross_triangle, &query);
    ond_crossings_inside(&query.crossings, !query.mesh->oriented, inside);
}

static double mesh_distance(const OndShape *shape, OndVec p, bool flat)
{
    const MeshShape *mesh = (const MeshShape *)shape;
    const OndPointRow here = {p.x, 1.0, p.y, p.z, 1};
    unsigned char inside;
    mesh_row(shape, &here, flat, &inside);
    const double away = sqrt(ond_bvh_nearest(&mesh->bvh, p, triangle_distance2, mesh));
    return inside ? -away : away;
}

static const OndShapeKind mesh_kind = {mesh_distance, mesh_row, NULL, NULL, false, NULL, NULL};

// ---- building ------------------------------------------------------------------------------

static OndStatus copy_mesh(MeshShape *shape, OndArena *arena, const OndMesh *mesh, double scale,
                           OndVec move, OndError *err)
{
    const size_t corners = (size_t)mesh->corner_count, triangles = (size_t)mesh->triangle_count;
    shape->corner = ond_arena_take(arena, corners * sizeof *shape->corner);
    shape->triangle = ond_arena_take(arena, triangles * sizeof *shape->triangle);
    if (!shape->corner || !shape->triangle)
        return ond_fail(err, OND_NO_MEMORY, "no memory for a mesh of %zu triangles", triangles);
    for (size_t c = 0; c < corners; ++c) {
        const float *from = mesh->corner + 3 * c;
        shape->corner[c] = ond_add(ond_scale(ond_vec(from[0], from[1], from[2]), scale), move);
    }
    memcpy(shape->triangle, mesh->triangle, triangles * sizeof *shape->triangle);
    shape->triangle_count = mesh->triangle_count;
    return OND_OK;
}

static OndBox triangle_box(const MeshShape *shape, int t)
{
    OndBox box = ond_box_empty();
    for (int k = 0; k < 3; ++k)
        box = ond_box_add(box, shape->corner[shape->triangle[t][k]]);
    return box;
}

/// Bounds must be sane numbers (squares of them are taken, and boxes are floats) and have a volume.
static OndStatus check_bounds(const OndBox *b, double scale, OndError *err)
{
    const double most = 1e15;
    const OndVec size = ond_sub(b->max, b->min);
    if (!(isfinite(scale) && b->min.x > -most && b->min.y > -most && b->min.z > -most &&
          b->max.x < most && b->max.y < most && b->max.z < most))
        return ond_fail(err, OND_BAD_VALUE,
                        "the mesh, scaled by %g and moved, reaches beyond 1e15 m; give a smaller "
                        "scale",
                        scale);
    if (!(size.x > 0.0 && size.y > 0.0 && size.z > 0.0))
        return ond_fail(err, OND_BAD_VALUE,
                        "the mesh encloses nothing: scaled by %g it is %g x %g x %g m", scale,
                        size.x, size.y, size.z);
    return OND_OK;
}

static OndStatus build_tree(MeshShape *shape, OndArena *arena, double scale, OndError *err)
{
    if (shape->triangle_count == 0)
        return ond_fail(err, OND_BAD_VALUE,
                        "the mesh encloses nothing: it has no triangle with an area");
    OndBox *box = OND_NEW_ARRAY(OndBox, shape->triangle_count);
    if (!box) return ond_fail(err, OND_NO_MEMORY, "no memory for the boxes of a mesh");
    shape->base.bounds = ond_box_empty();
    for (int t = 0; t < shape->triangle_count; ++t) {
        box[t] = triangle_box(shape, t);
        shape->base.bounds = ond_box_join(shape->base.bounds, box[t]);
    }
    OndStatus status = check_bounds(&shape->base.bounds, scale, err);
    if (status == OND_OK && !ond_bvh_build(&shape->bvh, arena, box, shape->triangle_count))
        status = ond_fail(err, OND_NO_MEMORY, "no memory for the search tree of a mesh");
    ond_free(box);
    return status;
}

OndShape *ond_shape_mesh(OndArena *arena, const OndMesh *mesh, double scale, OndVec move,
                         OndError *err)
{
    OndMesh welded;
    if (ond_mesh_weld(mesh, &welded, err) != OND_OK) return NULL;
    MeshShape *shape = ond_arena_take(arena, sizeof *shape);
    OndStatus status = OND_OK;
    if (!shape)
        status = ond_fail(err, OND_NO_MEMORY, "no memory for a mesh");
    else
        status = ond_mesh_check_closed(&welded, &shape->oriented, err);
    if (status == OND_OK) status = copy_mesh(shape, arena, &welded, scale, move, err);
    if (status == OND_OK) status = build_tree(shape, arena, scale, err);
    ond_mesh_free(&welded);
    if (status != OND_OK) return NULL;
    shape->base.kind = &mesh_kind;
    return &shape->base;
}
