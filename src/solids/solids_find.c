// SPDX-License-Identifier: MIT
// Which of many solids are near: a tree over their boxes in the world.
//
// A box holds the solid over the whole step. Where it turns, points go along arcs that leave the
// boxes of start and end, by less than the way they go; so that much is added. A solid that moves
// is put right in the tree, from its block to the root; the tree is made anew when many have.
#include "solids/solids_parts.h"

/// Up to this many a list is quicker.
#define FEW 3

static bool has_bounds(const OndSolid *s, bool flat)
{
    const OndBox *b = &s->bounds;
    const OndVec low = b->min, high = b->max;
    return isfinite(low.x) && isfinite(low.y) && isfinite(high.x) && isfinite(high.y) &&
           (flat || (isfinite(low.z) && isfinite(high.z)));
}

static OndVec corner_of(const OndBox *b, int k, bool flat)
{
    OndVec corner = ond_box_corner(*b, k);
    if (flat) corner.z = 0.0;
    return corner;
}

/// Box in the world, and the motion: no part goes farther than the farthest corner of the bounds.
static OndBox world_box(OndSolid *s, bool flat)
{
    OndBox box = ond_box_empty();
    s->motion = 0.0;
    if (s->bounds.min.x > s->bounds.max.x) return box; // it is empty
    for (int k = 0; k < 8; ++k) {
        const OndVec own = corner_of(&s->bounds, k, flat);
        const OndVec a = ond_pose_out(&s->start.pose, own), b = ond_pose_out(&s->end.pose, own);
        box = ond_box_add(ond_box_add(box, a), b);
        s->motion = ond_max(s->motion, sqrt(ond_distance2(a, b)));
    }
    return ond_box_widen(box, s->motion);
}

static double farthest_corner(const OndSolid *s, const OndBox *where, bool flat)
{
    double most = 0.0;
    for (int k = 0; k < 8; ++k) {
        const OndVec at = corner_of(where, k, flat), own = ond_pose_in(&s->start.pose, at);
        most = ond_max(most, ond_distance2(at, ond_pose_out(&s->end.pose, own)));
    }
    return sqrt(most);
}

double ond_solids_travel(const OndSolids *all, OndBox where)
{
    double most = 0.0;
    for (int i = 0; i < ond_solids_count(all); ++i) {
        const OndSolid *s = &all->solid[i];
        if (!s->moves) continue;
        const bool bounded = has_bounds(s, all->flat);
        most = ond_max(most,
                       bounded ? s->motion + s->mesh.way : farthest_corner(s, &where, all->flat));
    }
    return most;
}

static OndBoxTreeSource source_of(const OndSolids *all)
{
    const OndBoxTreeSource source = {.count = all->count, .box = all->box};
    return source;
}

void ond_solids_rebox(OndSolids *all, int which)
{
    OndSolid *s = &all->solid[which];
    if (!has_bounds(s, all->flat)) return;
    all->box[which] = world_box(s, all->flat);
    if (all->tree.blocks == 0) return;
    const OndBoxTreeSource source = source_of(all);
    ond_box_tree_refit(&all->tree, &source, s->block);
}

void ond_solids_plant(OndSolids *all)
{
    all->unbounded = 0;
    all->astray = false;
    all->steps = 0;
    for (int i = 0; i < all->count; ++i) {
        const bool bounded = has_bounds(&all->solid[i], all->flat);
        all->box[i] = bounded ? world_box(&all->solid[i], all->flat) : ond_box_empty();
        all->unbounded += !bounded;
    }
    ond_arena_free(&all->tree_arena);
    all->tree = (OndBoxTree){0};
    if (all->count <= FEW) return;
    const OndBoxTreeSource source = source_of(all);
    if (!ond_box_tree_build(&all->tree, &all->tree_arena, &source)) return;
    for (int i = 0; i < OND_BOX_TREE_WIDE * all->tree.blocks; ++i) {
        const int which = all->tree.block[i / OND_BOX_TREE_WIDE].triangle[i % OND_BOX_TREE_WIDE];
        if (which >= 0) all->solid[which].block = i / OND_BOX_TREE_WIDE;
    }
}

/// Puts one into an increasing list; false when there is no room.
static bool insert(int *list, int *count, int which)
{
    if (*count == OND_SOLIDS_NEARBY) return false;
    int i = (*count)++;
    for (; i > 0 && list[i - 1] > which; --i)
        list[i] = list[i - 1];
    list[i] = which;
    return true;
}

static int list_all(const OndSolids *all, const OndBox *box, double reach, int *list)
{
    int count = 0;
    for (int i = 0; i < all->count; ++i) {
        const bool near =
            !has_bounds(&all->solid[i], all->flat) || ond_boxes_near(box, &all->box[i], reach);
        if (near && !insert(list, &count, i)) return -1;
    }
    return count;
}

int ond_solids_list(const OndSolids *all, OndBox box, double reach, int list[OND_SOLIDS_NEARBY])
{
    if (all->tree.blocks == 0) return list_all(all, &box, reach, list);
    const OndVec middle = ond_scale(ond_add(box.min, box.max), 0.5);
    const OndVec wide = ond_scale(ond_sub(box.max, box.min), 0.5);
    const double most = ond_max(fabs(middle.x), ond_max(fabs(middle.y), fabs(middle.z)));
    const double more = reach + 1e-6 * most;
    const OndVec half = {wide.x + more, wide.y + more, wide.z + more};
    const OndTreeBox asked = {ond_four_same(middle), ond_four_same(half)};
    OndBoxTreeWalk walk;
    const OndBoxTreeNode *node;
    int level, index, count = 0;
    for (int i = 0; all->unbounded > 0 && i < all->count; ++i)
        if (!has_bounds(&all->solid[i], all->flat) && !insert(list, &count, i)) return -1;
    ond_box_tree_begin(&walk, &all->tree);
    while ((node = ond_box_tree_pop(&walk, &all->tree, &level, &index)))
        for (unsigned met = ond_tree_boxes_met(node, &asked); met; met &= met - 1) {
            const int child = OND_BOX_TREE_WIDE * index + __builtin_ctz(met);
            if (level > 0) {
                ond_box_tree_push(&walk, level - 1, child);
                continue;
            }
            for (int k = 0; k < OND_BOX_TREE_WIDE; ++k) {
                const int which = all->tree.block[child].triangle[k];
                if (which >= 0 && ond_boxes_near(&box, &all->box[which], reach) &&
                    !insert(list, &count, which))
                    return -1;
            }
        }
    return count;
}
