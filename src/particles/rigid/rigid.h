// SPDX-License-Identifier: MIT
// Solids, and everything between solid and liquid.
//
// A step first moves everything as a liquid; then velocities are corrected so that it deforms only
// as much as its rigidity allows. rigid.c chooses the solver: `global` is in rigid_*.c, the
// thesis's in thesis_*.c.
#ifndef OND_PARTICLES_RIGID_H
#define OND_PARTICLES_RIGID_H

#include "particles/sph/sph_state.h"

typedef struct OndRigid OndRigid;
typedef struct OndThesis OndThesis;

/// Rigidity from temperature, for all particles.
void ond_rigid_refresh(OndSph *s);

/// Where a wall stops what is rigid, m: half a spacing before a mirror, which is where the lattice
/// stands; infinite where there is no wall.
float ond_rigid_wall(const OndSph *s, int side);

/// The same for one particle: one that stands nearer already is not thrown back.
static inline float ond_rigid_stop(const OndSph *s, int i, int side)
{
    const float x = s->x[side / 2][i], wall = s->rigid_at[side];
    return side % 2 ? fmaxf(wall, x) : fminf(wall, x);
}

/// Between kick and drift: `v` holds the velocities that the liquid would move with for `dt`, and
/// receives those to move with.
OndStatus ond_rigid_correct(OndSph *s, float dt, OndError *err);

/// Whether a particle moves with a body, which meets solids as a whole (rigid_solids.c).
bool ond_rigid_is_member(const OndSph *s, int i);

/// Pieces in the system of pressures (rigid_pressure.c): finds them, and makes members move as they do.
OndStatus ond_rigid_pressure_begin(OndSph *s, OndError *err);
bool ond_rigid_is_pushed(const OndSph *s); // there are some
/// What impulses move a particle with, 1/kg: `alone`, or about what moves its piece.
float ond_rigid_pressure_ease(const OndSph *s, int i, float alone);
/// From ways that impulses make of members one by one, by that ease, to those of their pieces.
void ond_rigid_pressure_move(OndSph *s, OndQuad *way);
/// Velocities of members, from the ways that all impulses make of them one by one.
void ond_rigid_pressure_end(OndSph *s, const OndQuad *way, float dt);
/// Whether hardly anything but its own piece is near a member: what pushes it moves nobody.
bool ond_rigid_pressure_alone(const OndSph *s, int i);
/// How crowded a particle may be told to be, as a share: `most`, less beside pieces, and a member no more than others
/// make it.
float ond_rigid_pressure_most(const OndSph *s, int i, float most);

/// After the drift: bodies turn exactly, and keep their momentum.
void ond_rigid_settle(OndSph *s, float dt);

/// At the end of a step: what rests falls asleep, what something moves by wakes (rigid_sleep.c).
void ond_rigid_sleep(OndSph *s, float dt);
/// The world has changed: all wake.
void ond_rigid_wake(OndSph *s);

OndStatus ond_rigid_global(OndSph *s, float dt, OndError *err);
OndStatus ond_rigid_thesis(OndSph *s, float dt, OndError *err);

size_t ond_rigid_bytes(const OndRigid *rigid); // 0 for NULL
void ond_rigid_free(OndRigid *rigid);
size_t ond_thesis_bytes(const OndThesis *thesis); // 0 for NULL
void ond_thesis_free(OndThesis *thesis);

#endif
