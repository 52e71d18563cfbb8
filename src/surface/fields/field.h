// SPDX-License-Identifier: MIT
// A field: a number at every place that is positive inside the liquid, negative outside, zero on
// its surface.
//
// One file a kind (field_density.c, field_blobs.c, ...), one line in the list below. A kind
// is asked for whole blocks of lattice nodes at once, so that its inner loop runs over nodes in a
// row and becomes vector code; and for value and gradient at single places, for normals.
#ifndef OND_SURFACE_FIELD_H
#define OND_SURFACE_FIELD_H

#include "surface/points.h"

// The register of kinds: NAME of `ond_field_NAME`, and what scenes and options call it. The first is
// the default.
#define OND_FIELD_KINDS(X)                                                                         \
    X(anisotropic, "anisotropic")                                                                  \
    X(density, "density")                                                                          \
    X(blobs, "blobs")                                                                              \
    X(zhu_bridson, "zhu-bridson")                                                                  \
    X(adams, "adams")                                                                              \
    X(variational, "variational")                                                                  \
    X(carried, "carried")                                                                          \
    /* the end: new ones go above */

/// A box of nodes: node (i, j, k) lies at origin + (first + (i, j, k)) * cell; x runs fastest. In
/// 2D n[2] is 1 and all nodes are at z = 0.
typedef struct OndLattice {
    double origin[3];
    double cell;
    long long first[3]; ///< lattices of one surface differ in this alone
    int n[3];           ///< at most OND_BLOCK each
} OndLattice;

/// Nodes along the edge of a block; a row of them is one wide vector, and a block 2 KiB of values.
#define OND_BLOCK 8

static inline double ond_lattice_at(const OndLattice *lattice, int axis, int i)
{
    return lattice->origin[axis] + (double)(lattice->first[axis] + i) * lattice->cell;
}

/// How a field shall be made; lengths in spacings of the particles. Zero means the kind's own
/// default, from its table entry.
typedef struct OndFieldDef {
    double radius;     ///< how far a particle reaches
    double threshold;  ///< where the surface lies, in the kind's own measure
    double smoothing;  ///< anisotropic: how far centres move to the mean of their neighbours, 0..1
    bool surface_only; ///< only particles at the free surface (kinds that can)
    int placement;     ///< variational: 0 surface particles and empty cells, 1 one per cell
    int exact_limit;   ///< variational: up to so many constraints, one dense solve
    double cell;       ///< edge of the cells that polygons will be made in; 0: far finer
} OndFieldDef;

typedef struct OndField3 OndField3; // a field made from points, ready to be asked

typedef struct OndFieldKind {
    const char *name; ///< "density", as in the register
    const char *what; ///< one line for people
    OndFieldDef defaults;
    double sight;  ///< how far particles look round, sizes; 0: as far as they reach
    double cut[2]; ///< in 2D and 3D: how much of a ball polygons cut off (ond_field_ball); measured
    /// Makes the field; `points` outlives it. Sets `reach` and `own`; when it fails, it leaves
    /// nothing behind that `free` would not take.
    OndStatus (*make)(OndField3 *field, OndError *err);
    void (*free)(OndField3 *field); ///< may be NULL
    /// Values at all nodes, finite. Called from several threads at once. Each node of a surface is
    /// asked once, so that lattices that touch need not agree to the last bit.
    void (*sample)(const OndField3 *field, const OndLattice *lattice, float *value);
    /// Value and gradient (towards the inside) at one place.
    float (*gradient)(const OndField3 *field, const double at[3], double out[3]);
    /// Gradients at several places that lie together, as the corners in a block do: what is near
    /// is looked for once. NULL: one by one.
    void (*gradients)(const OndField3 *field, int count, const double (*at)[3], double (*out)[3]);
} OndFieldKind;

struct OndField3 {
    const OndFieldKind *kind;
    const OndPoints *points;
    OndFieldDef def; ///< with defaults filled in
    double reach;    ///< farther than so many of its sizes from every particle the field is
                     ///< negative, or taken to be; not much more than a few
    void *own;       ///< the kind's own data
};

/// All kinds; `count` is set.
const OndFieldKind *const *ond_field_kinds(int *count);
/// Their names in the same order; NULL-terminated.
extern const char *const ond_field_names[];
/// The kind of that name, or NULL.
const OndFieldKind *ond_field_kind(const char *name);

OndStatus ond_field_make(OndField3 *field, const OndFieldKind *kind, const OndFieldDef *def,
                         const OndPoints *points, OndError *err);
void ond_field_free(OndField3 *field);

/// Radius, in sizes, of the ball that a lone particle of that size shall be. Polygons in coarse
/// cells lie inside of it and would cut a third of its volume off, so it is larger by cut * cell^2
/// over its radius, with `cut` for 2D and 3D.
double ond_ball_in_cells(const OndPoints *points, double size, double cell, const double cut[2]);
/// The same, as the field's kind has it.
double ond_field_ball(const OndField3 *field, double size);

#endif
