// SPDX-License-Identifier: MIT
#include "solids/scene/solid_marks.h"

#include "base/hash.h"
#include "solids/scene/solid_make.h"

#include <stdio.h>
#include <string.h>

#define NAME_LENGTH 40
#define EXACT       0x1FFFFFFFFFFFFFu // bits of a whole number that a double holds

// Of all that its files say, as a whole number.
static double mark_of(const OndSimSolid *solid)
{
    const OndMesh *const mesh = &solid->mesh;
    const OndSequence *const sequence = &solid->sequence;
    OndHash hash;
    ond_hash_begin(&hash);
    ond_hash_add(&hash, mesh->triangle, 12 * (size_t)mesh->triangle_count);
    ond_hash_add(&hash, mesh->corner, 12 * (size_t)mesh->corner_count);
    for (int k = 0; k < sequence->count; ++k)
        ond_hash_add(&hash, sequence->corner[k], 12 * (size_t)sequence->mesh.corner_count);
    return (double)(ond_hash_end(&hash) & EXACT);
}

static void write_name(int which, char out[NAME_LENGTH])
{
    snprintf(out, NAME_LENGTH, "mesh of solid %d", which);
}

void ond_solid_marks_save(OndSimSolids *all, OndCheckpoint *to)
{
    for (int k = 0; k < all->count; ++k) {
        OndSimSolid *const solid = &all->solid[k];
        if (solid->mesh.triangle_count == 0) continue;
        if (!solid->mark_name) { // names must outlive the checkpoint
            char name[NAME_LENGTH];
            write_name(k, name);
            solid->mark_name = ond_arena_text(&all->arena, name, strlen(name));
            solid->mark = mark_of(solid);
        }
        ond_checkpoint_add(to, solid->mark_name, solid->mark);
    }
}

// A form that stands in for a file that is missing has no mark.
static bool is_same(const OndSimSolid *solid, double kept)
{
    return solid->mesh.triangle_count ? kept == mark_of(solid) : isnan(kept);
}

OndStatus ond_solid_marks_check(const OndSimSolids *all, const OndCheckpoint *from, OndError *err)
{
    for (int k = 0; k < all->count; ++k) {
        const OndSimSolid *const solid = &all->solid[k];
        char name[NAME_LENGTH];
        write_name(k, name);
        if (is_same(solid, ond_checkpoint_number(from, name, NAN))) continue;
        return ond_tree_fail(&all->scene->tree, ond_solid_file_node(solid->def), err,
                             "%.200s is not the mesh that this run began with; put that one back, "
                             "or begin anew",
                             ond_solid_file_name(solid->def));
    }
    return OND_OK;
}
