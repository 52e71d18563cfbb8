// SPDX-License-Identifier: MIT
// What OndSolids is made of; inside src/solids only.
#ifndef OND_SOLIDS_PARTS_H
#define OND_SOLIDS_PARTS_H

#include "solids/solids.h"
#include "solids/solids_mesh.h"

typedef struct OndSolid {
    OndSolidDef def;
    OndSolidState start, end; ///< of the step
    bool moves;               ///< the end is not the start
    bool bends;
    OndSolidMesh mesh;
    OndBox bounds; ///< of the surface, in its own frame
    double motion; ///< how far the step takes any part of it, at most
    int block;     ///< of the tree; -1: it has no bounds
} OndSolid;

struct OndSolids {
    OndSolid *solid;
    OndSolidLoad *load;
    int count;
    bool flat;
    double spacing;
    OndArena arena;
    OndBoxTree tree; ///< over the boxes below, when there are many
    OndArena tree_arena;
    OndBox *box;   ///< of each solid in the world, over the whole step
    int unbounded; ///< solids that are everywhere come into every question
    int steps;     ///< in which something moved since then
    bool astray;   ///< solids have been put elsewhere since the tree was made
};

#define OND_SOLIDS_NEARBY 64 // listed at once; where there are more all are asked

/// Solids whose boxes come within `reach` of a box, in increasing order; -1: too many for a list.
int ond_solids_list(const OndSolids *all, OndBox box, double reach, int list[OND_SOLIDS_NEARBY]);
/// After a solid has moved: its box, and its place in the tree.
void ond_solids_rebox(OndSolids *all, int which);
/// A new tree, for solids as they stand now. Without memory there is none, and all are asked.
void ond_solids_plant(OndSolids *all);

/// A solid in its own frame. `flat` and `when` as everywhere.
/// The nearest place of the surface within `reach`: distance, or INFINITY.
double ond_solid_nearest(const OndSolid *s, bool flat, OndWhen when, OndVec own, double reach,
                         OndVec *at, int *part);
/// The first contact of a ball; see geom/sweep.h.
bool ond_solid_sweep(const OndSolid *s, bool flat, OndWhen when, const OndSweep *sweep,
                     OndContact *contact, int *part);

/// Whether a box meets another that is wider by `reach`.
static inline bool ond_boxes_near(const OndBox *a, const OndBox *b, double reach)
{
    return a->min.x <= b->max.x + reach && a->max.x >= b->min.x - reach &&
           a->min.y <= b->max.y + reach && a->max.y >= b->min.y - reach &&
           a->min.z <= b->max.z + reach && a->max.z >= b->min.z - reach;
}

/// Mean velocity, over the step, of a place of the surface (in its own frame, as it is at share
/// `t` of the step).
OndVec ond_solid_velocity(const OndSolid *s, int part, OndVec own, double t, double dt);
/// Velocity of what stands at a place of the world, as the solid moves at the start.
OndVec ond_solid_velocity_now(const OndSolid *s, OndVec world);

#endif
