// SPDX-License-Identifier: MIT
// Solid shapes as signed distance: negative inside, positive outside, m.
//
// A shape is a small tree: primitives at the leaves, union, difference and intersection above them.
// Primitives are exact; the others are exact in sign, and a lower bound of the distance elsewhere.
#ifndef OND_GEOM_SHAPE_H
#define OND_GEOM_SHAPE_H

#include "base/memory.h"
#include "base/vec.h"
#include "geom/mesh.h"
#include "geom/outline.h"

#include <stdbool.h>

typedef struct OndShape OndShape;

/// All shapes live in `arena` and are freed with it. They return NULL when there is no memory, or
/// with an error where they take one. A shape that encloses nothing (a radius of 0, a box with
/// min >= max, text of blanks) is allowed: no point is inside it.
OndShape *ond_shape_box(OndArena *arena, OndVec min, OndVec max);
OndShape *ond_shape_sphere(OndArena *arena, OndVec center, double radius);
OndShape *ond_shape_cylinder(OndArena *arena, OndVec from, OndVec to, double radius); ///< flat ends
OndShape *ond_shape_capsule(OndArena *arena, OndVec from, OndVec to, double radius); ///< round ends
/// Parts are kept by pointer, so they must live in the same arena. A NULL part gives NULL.
OndShape *ond_shape_union(OndArena *arena, OndShape *const *part, int count);
/// The first part without all the others.
OndShape *ond_shape_difference(OndArena *arena, OndShape *const *part, int count);
/// What is in all parts.
OndShape *ond_shape_intersection(OndArena *arena, OndShape *const *part, int count);
/// The outline, `height` tall capitals, standing at `at` in the plane z = at.z, `depth` thick
/// (towards +z). Copies the outline.
OndShape *ond_shape_text(OndArena *arena, const OndOutline *outline, OndVec at, double height,
                         double depth);
/// The inside of a closed mesh, scaled then moved. Copies the mesh. Corners at the same position
/// count as one; the triangles may face inwards or even disagree. A mesh with open edges is an
/// error that names the count and one of them.
OndShape *ond_shape_mesh(OndArena *arena, const OndMesh *mesh, double scale, OndVec move,
                         OndError *err);

/// In 2D (`flat`) everything is asked in the plane z = 0: a box's or text's z extent is ignored, a
/// sphere is a disc, a cylinder is the rectangle between its ends (a disc when its axis is z). A
/// mesh is cut by the plane: the sign is exact, the distance a lower bound.
double ond_shape_distance(const OndShape *shape, OndVec point, bool flat);
/// The places of the surface within `reach` that are nearest to the point, one for each face:
/// inside a box up to six, one outside it. Returns how many, at most `room`, in no order. Where
/// shapes meet in an edge that no face's place stands for, one place near enough to the nearest is
/// given.
int ond_shape_feet(const OndShape *shape, OndVec point, double reach, bool flat, OndVec *foot,
                   int room);
/// How a face is curved at such a place: half the sum of its two curvatures (2D: half of the one),
/// 1/m; above 0 where it bulges, 0 where it is flat, on edges, or where nobody knows.
double ond_shape_bend(const OndShape *shape, OndVec foot, bool flat);
/// The normals of the faces that meet at such a place, outwards: 2 at an edge that stands out, 3 at
/// a corner, 0 on a face, or where nobody knows.
int ond_shape_faces(const OndShape *shape, OndVec foot, bool flat, OndVec normal[3]);
/// Whether it is convex, and its distance exact; false when nobody knows.
bool ond_shape_is_convex(const OndShape *shape);
/// The direction in which the distance grows fastest, by differences over `step`.
OndVec ond_shape_gradient(const OndShape *shape, OndVec point, double step, bool flat);
/// A shape that encloses nothing may have min > max.
OndBox ond_shape_bounds(const OndShape *shape);

/// Points of a cubic (flat: square) lattice inside the shape: corner + (i + 1/2) spacing, with the
/// corner at the bounds' minimum. `point` gets x y z triples (NULL: only count), z outermost, x
/// innermost; at most `room` points are written. A point on a surface counts on one side of it
/// only: a face towards -x, -y or -z belongs to the shape, the opposite one does not.
/// Returns how many there are. With `point` NULL, that is an estimate when it is surely over
/// `give_up_at` (0: never give up). -1 when they cannot be found in reasonable time: far too few
/// for the space that the shape spans, as in a thin shell of many rooms' size. Nothing is written
/// then.
long long ond_shape_sample(const OndShape *shape, double spacing, bool flat, float *point,
                           long long room, long long give_up_at);

#endif
