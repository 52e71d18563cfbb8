// SPDX-License-Identifier: MIT
// What every kind of shape provides; inside geom/ only.
//
// A shape begins with an OndShape and adds its own values behind it; its kind is a table of
// functions. A new shape is a new table: nobody else changes.
#ifndef OND_GEOM_SHAPE_KIND_H
#define OND_GEOM_SHAPE_KIND_H

#include "geom/minmax.h"
#include "geom/shape.h"

/// Most points of a row that are asked at once: scratch rows then fit on the stack.
#define OND_ROW_MAX 512

/// Points (x + i * step, y, z) for i < count.
typedef struct OndPointRow {
    double x, step, y, z;
    int count;
} OndPointRow;

typedef struct OndShapeKind {
    /// In flat mode the point's z is 0 already. Must not change by more than the way gone (that is
    /// what lets rows be walked in strides).
    double (*distance)(const OndShape *shape, OndVec point, bool flat);
    /// Sets inside[i] to 1 or 0 for each point of the row. NULL: the row is walked by distance.
    void (*row)(const OndShape *shape, const OndPointRow *row, bool flat, unsigned char *inside);
    /// Whether a part of the shape may lie in the box. NULL: the bounds decide.
    bool (*touches)(const OndShape *shape, const OndBox *box, bool flat);
    /// As ond_shape_feet, also of faces that others cover. NULL: nobody knows.
    int (*feet)(const OndShape *shape, OndVec point, double reach, bool flat, OndVec *foot,
                int room);
    /// The shape is convex and its distance exact: along a straight line it falls, then rises.
    bool convex;
    /// As ond_shape_bend. NULL: all its faces are flat, or nobody knows.
    double (*bend)(const OndShape *shape, OndVec foot, bool flat);
    /// As ond_shape_faces. NULL: nobody knows.
    int (*faces)(const OndShape *shape, OndVec foot, bool flat, OndVec normal[3]);
} OndShapeKind;

struct OndShape {
    const OndShapeKind *kind;
    OndBox bounds;
};

/// The row of any shape, by its own function or by walking. Bounds are checked first.
void ond_shape_row(const OndShape *shape, const OndPointRow *row, bool flat, unsigned char *inside);
/// False only when no part of the shape lies in the box (flat: whatever its z).
bool ond_shape_touches(const OndShape *shape, const OndBox *box, bool flat);

/// Distance in a product of two directions from the distances in each: exact outside (Pythagoras)
/// and inside (the nearer face).
static inline double ond_distance_both(double a, double b)
{
    const double x = ond_max(a, 0.0), y = ond_max(b, 0.0);
    return ond_min(ond_max(a, b), 0.0) + sqrt(x * x + y * y);
}

#endif
