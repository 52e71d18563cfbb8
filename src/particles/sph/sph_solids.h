// SPDX-License-Identifier: MIT
// What sph_solids*.c keep: which particles are near solids, and what they see of them.
//
// A particle near a solid sees each face as a plane with liquid at rest behind it
// (physics/wall_density.h), less or more of it where the face is known to bend. Faces are asked for
// once a step, after the sort; a particle that has any gets a row, and the passes add what the wall
// gives to rows only. Scenes without solids have no rows and pay nothing. What a wall gives a
// particle is kept in the row, and goes back to the solid as force and torque when the step is
// done.
#ifndef OND_PARTICLES_SPH_SOLIDS_H
#define OND_PARTICLES_SPH_SOLIDS_H

#include "base/memory.h"
#include "particles/sph/sph_state.h"
#include "physics/wall_density.h"
#include "solids/solids.h"

#include <stdalign.h>

#define OND_ROW_TOUCHES 4 // nearest faces that count
#define OND_NO_FACE     1e30f
#define OND_ROWS_AHEAD  2

typedef struct OndRowTouch {
    float normal[3], distance; // from the face towards the particle, m
    float velocity[3];         // of the face there
    int solid;
    float share; // of what its half-space would give, less what others hide or liquid fills
    float edge;  // the same for gradients
    union {
        struct {
            float bend;      // of the face, 1/m (OndTouch), until rows are weighed
            float sharp;     // at an edge: what is left of the half-space
            float middle;    // how far that counts, not what neighbours leave of it
            float narrow[3]; // the same for gradients: they lean
        };
        float push[3]; // then the acceleration that it gave in this step
    };
    float face[3]; // its own normal; the other leans at edges
    float news;    // as OndTouch has it
    float open;    // how much of what is behind its plane is not wall, beside an edge
    float beside;  // how near an edge is past which neighbours have no image (projection_faces.c)
    bool flat;     // no edge, no corner
    bool round;    // it is known to bend
} OndRowTouch;

// What most passes need of a row with one face is the first line of memory.
typedef struct OndRow {
    alignas(OND_ALIGN) int particle;
    int count;
    OndRowTouch touch[OND_ROW_TOUCHES];
    float from[3]; // where the step began
    int hit;       // solid that stopped it in this step, -1
    float kick[3]; // change of velocity by that
    float at[3];   // where on its surface, from the solid's own origin
    bool crushed;  // it was pressed out of the domain
} OndRow;

struct OndSphSolids {
    OndWallTable table;
    float radius;    // nothing comes nearer to a face, m
    float reach;     // farther faces give nothing: behind them liquid stands half a spacing deep
    float *size;     // of each solid: how far it is from its own origin, m
    float speed;     // no face is faster, m/s
    bool still;      // faces count as at rest: the liquid is being settled
    int *cell_first; // cell -> its first candidate; as many as the next cell's: none
    int cell_room;
    OndRow *row; // of all candidates: particles in cells that may touch
    int row_count, row_room;
    int *used; // rows that have touches or move far, in order
    int used_count;
    int *slot;      // particle -> row, -1
    float *nearest; // particle -> least distance of its faces, m; OND_NO_FACE without
    int slot_room;
};

/// The tables, from the kernels as they are calibrated (sph_solids_table.c).
void ond_wall_table_make(const OndSph *s, OndWallTable *table);
/// Room for so many rows; those there are stay.
OndStatus ond_sph_row_room(OndSphSolids *solids, int count, OndError *err);

/// Hides neighbours that are behind solids, and adds what walls count in the density to `rate`
/// (sph_solids_weigh.c).
void ond_sph_solids_weigh(OndSph *s);

/// What a particle got from a solid (m/s^2 for the share of its mass) goes to the solid's load, at
/// the end of an arm from its own origin.
void ond_sph_give_back(const OndSph *s, int solid, int i, OndVec arm, const float give[3],
                       double share);
/// How loads of free solids yield to what they gain: by the passes, and by what was stopped
/// (sph_solids_yield.c).
void ond_sph_solids_stiffness(const OndSph *s, double dt);
void ond_sph_solids_hits(const OndSph *s, double dt);

/// Too far from the nearest face to reach it in this step, however that moves.
bool ond_sph_row_clear(const OndSph *s, const OndRow *row, double radius, double way, float dt);

// What row k of those in use belongs to.
static inline OndRow *ond_sph_row(const OndSph *s, int k)
{
    return &s->solids->row[s->solids->used[k]];
}

// Says that the neighbours of rows from k on will be asked for: they come from far memory
// meanwhile.
static inline void ond_sph_row_soon(const OndSph *s, int k, int last)
{
    if (k + 2 * OND_ROWS_AHEAD < last) __builtin_prefetch(ond_sph_row(s, k + 2 * OND_ROWS_AHEAD));
    if (k + OND_ROWS_AHEAD >= last) return;
    const int i = ond_sph_row(s, k + OND_ROWS_AHEAD)->particle;
    const uint32_t *list = s->lists.pool + s->lists.first[i];
    for (uint32_t e = 0; e < s->lists.length[i]; e += OND_ALIGN / sizeof *list)
        __builtin_prefetch(list + e);
}

// Beside an edge forces do not follow from a potential: what of the half-space is wall is guessed
// from who is past the edge. What little energy that makes is taken out by a friction that, like a
// dry one, is at most a share of the pressure, so that a flow that passes feels little of it. Rate
// in 1/s; see rub_row. 0.5: less does not hold boxes' edges below 0.2 m/s, and steps stay short
// against it.
#define OND_EDGE_DAMPING 0.5f // of sound over the kernel's radius
static inline float ond_sph_edge_rate(const OndSph *s, const OndRowTouch *touch)
{
    return OND_EDGE_DAMPING * s->sound / s->kernel.h * touch->open;
}

// From a solid's own origin to a particle; to where it was stopped at the solid's surface.
static inline OndVec ond_sph_arm(const OndSph *s, int solid, int i)
{
    const OndVec origin = ond_solids_state(s->world.solids, solid)->pose.at;
    return ond_sub(ond_vec(s->x[0][i], s->x[1][i], s->x[2][i]), origin);
}

static inline OndVec ond_sph_stop_arm(const OndRow *row)
{
    return ond_vec(row->at[0], row->at[1], row->at[2]);
}

static inline float ond_dot3(const float a[3], const float b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

#endif
