// SPDX-License-Identifier: MIT
// Solids that nothing may enter: how near their surfaces are, and what a moving ball hits.
//
// A solid lives in a frame of its own and has a pose at the start and at the end of a step. All
// questions about a step are asked in that frame: a particle's way is the segment from where it
// was, seen from the solid then, to where it will be, seen from the solid then. A particle that
// stays on its side of the surface there has not been passed by it, however the solid moved or
// turned. So what finds the triangles of a mesh is built once, and nothing tunnels.
//
// Sides are local: a ball whose centre is kept at least its radius from the surface can only be on
// the side where it was. That holds for sheets without any thickness, for shells with holes, for
// obstacles and containers alike; nobody needs to know what is inside.
#ifndef OND_SOLIDS_H
#define OND_SOLIDS_H

#include "geom/mesh.h"
#include "geom/pose.h"
#include "geom/shape.h"

#define OND_TOUCHES_MAX 8 // faces that one particle feels at once

typedef enum OndSolidKind {
    OND_SOLID_SHAPE, ///< a closed form
    OND_SOLID_PLANE, ///< everything below y = 0 of its own frame
    OND_SOLID_MESH,  ///< triangles; what has no inside is a sheet with two sides
} OndSolidKind;

typedef struct OndSolidDef {
    const char *name;
    int kind;              ///< OndSolidKind
    bool container;        ///< things are inside it; without: outside
    bool free;             ///< what pushes it moves it
    bool drifts;           ///< a grid's flow carries it and does not see it
    const OndShape *shape; ///< in its own frame; outlives the solids
    const OndMesh *mesh;   ///< welded, in its own frame; outlives the solids
    bool closed;           ///< the mesh has an inside
    float slip;            ///< share of tangential velocity kept: 0 sticks, 1 slides
    float restitution;     ///< share of normal velocity given back
    float friction;        ///< Coulomb's coefficient for what is rigid
    bool heats;            ///< it has a temperature of its own and heats or cools by contact
    float temperature;     ///< C
} OndSolidDef;

// How a solid stands and moves.
typedef struct OndSolidState {
    OndPose pose;
    OndVec velocity; ///< of its own origin, m/s
    OndVec spin;     ///< rad/s, in the world
} OndSolidState;

// What was done to a solid, over a step.
typedef struct OndSolidLoad {
    OndVec force;  ///< N, mean over the step (2D: per metre of depth)
    OndVec torque; ///< N m, about its own origin
    /// What the load becomes less by for each m/s and rad/s that a free solid gains in the step:
    /// rows and columns are force or velocity, then torque or spin, about its own origin.
    double yield[6][6];
    OndVec gain, gain_spin; ///< what it gained by the load, m/s and rad/s
    /// What an impulse gives a free solid that nothing holds, in the same order; else 0.
    double ease[6][6];
} OndSolidLoad;

// The edge (2 faces) or corner (3) that a place of a surface is on; 0: neither, or nobody knows.
typedef struct OndSharp {
    int faces;
    OndVec face[3];  ///< their normals
    float toward[3]; ///< cosine between the way to the point and each of these
    float cosine;    ///< between two normals
} OndSharp;

// A face near a point: to the point it looks like a plane. Of one solid there are several where its
// surface is nearest in more than one direction, as in the corner of a container.
typedef struct OndTouch {
    int solid;
    int part;        ///< triangle; 0 for shapes
    OndVec at;       ///< nearest place of the surface
    OndVec normal;   ///< one long, from the surface towards the side where things may be
    double distance; ///< along the normal; below 0: the point is on the wrong side of a closed one
    OndVec velocity; ///< of the surface there, m/s
    double
        bend; ///< half the sum of its curvatures, 1/m, above 0: it bulges; of ond_solids_feel alone
    OndSharp sharp; ///< of ond_solids_feel alone
    double news;    ///< how much of it no other face stands for already; likewise
} OndTouch;

/// Faces whose normals are closer than this (37 degrees) are one bent face; from here on (53
/// degrees) they are two.
#define OND_SAME_WAY  0.8
#define OND_OTHER_WAY 0.6

/// Where one solid has an edge the face of another may go on: so many spacings farther away it is
/// told, too, even without any news.
#define OND_GOES_ON 0.5

/// How far two faces are two, by the cosine between their normals: from 0 to 1.
static inline double ond_touch_apart(double cosine)
{
    const double apart = (OND_SAME_WAY - cosine) / (OND_SAME_WAY - OND_OTHER_WAY);
    return apart < 0.0 ? 0.0 : apart > 1.0 ? 1.0 : apart;
}

/// How far a distance by ond_solids_feel is off, as a share of the reach, but for few places of rough
/// meshes, where it is up to twice that.
#define OND_DISTANCE_WITHIN 0.015

typedef struct OndHit {
    int solid; ///< the last one met; -1: none
    int part;
    OndVec at; ///< place of the surface, at the end of the step
    OndVec normal;
    OndVec velocity; ///< of its surface there
    int rounds;      ///< contacts on the way
} OndHit;

typedef struct OndSolids OndSolids;

/// `flat`: 2D, everything happens at z = 0. `spacing` is the particles'; structures are laid out
/// for questions of about that reach. Definitions are copied, shapes and meshes are not.
OndSolids *ond_solids_create(const OndSolidDef *def, int count, double spacing, bool flat,
                             OndError *err);
void ond_solids_destroy(OndSolids *solids); ///< NULL is allowed

/// Makes ready for questions of ond_solids_feel that reach no farther.
OndStatus ond_solids_expect(OndSolids *solids, double reach, OndError *err);

int ond_solids_count(const OndSolids *solids); ///< 0 for NULL
const OndSolidDef *ond_solids_def(const OndSolids *solids, int which);

/// Of one that heats; without effect on others.
void ond_solids_warm(OndSolids *solids, int which, float temperature);

/// Where a solid stands now, at the start of the next step.
const OndSolidState *ond_solids_state(const OndSolids *solids, int which);
/// Puts it there, without a way.
void ond_solids_place(OndSolids *solids, int which, const OndSolidState *state);
/// Where it will be at the end of the step under way.
void ond_solids_aim(OndSolids *solids, int which, const OndSolidState *end);
const OndSolidState *ond_solids_end(const OndSolids *solids, int which);
/// The step is done: what was the end is now the start.
void ond_solids_arrive(OndSolids *solids);
/// How far the step under way takes any surface, at most; of planes, those in that box.
double ond_solids_travel(const OndSolids *solids, OndBox where);
/// For meshes that change their shape: corners at the end of the step, as many as the mesh has, in
/// its own frame. Arriving makes them the start's.
void ond_solids_bend(OndSolids *solids, int which, const float *corner);

/// Faces within `reach` of a point at the start of the step, nearest first (those that it is on the
/// wrong side of before the others); returns how many.
int ond_solids_near(const OndSolids *solids, OndVec point, double reach,
                    OndTouch touch[OND_TOUCHES_MAX]);
/// The same for who feels a surface rather than stops at it: where a mesh of many triangles is
/// smooth, distances are right to OND_DISTANCE_WITHIN of the reach and the face has no part (-1).
/// The answer changes little when the point moves little: faces come and go by their `news`.
int ond_solids_feel(const OndSolids *solids, OndVec point, double reach,
                    OndTouch touch[OND_TOUCHES_MAX]);
/// Says that this will be asked of a point soon: what it takes comes from far memory meanwhile.
void ond_solids_feel_soon(const OndSolids *solids, OndVec point);
/// The faces near a point, of one solid alone, as if the others were not there.
int ond_solids_near_one(const OndSolids *solids, int which, OndVec point, double reach,
                        OndTouch touch[OND_TOUCHES_MAX]);
/// False when no surface is within `reach` of any point of the box at the start of the step (a
/// quick look, for whole cells of particles; true when in doubt).
bool ond_solids_may_touch(const OndSolids *solids, OndBox box, double reach);

/// Whether a point is inside a closed mesh, as it is bent and stands at the start of the step;
/// false for all else.
bool ond_solids_in_mesh(const OndSolids *solids, int which, OndVec point);
/// Whether a ball of `radius` that goes straight from one point to the other meets a surface, as
/// the solids stand at the start of the step. One that starts nearer than its radius meets what it
/// goes towards.
bool ond_solids_between(const OndSolids *solids, OndVec from, OndVec to, double radius);

/// A ball of `radius` at `from` at the start of the step wants to be at `*to` at its end, with
/// `*velocity`. What stands in its way stops it: it goes on along the surface, as often as it must,
/// a bounded number of times, and ends on the side where it began. True when it met something;
/// `*to` is then a place that floats can hold, and there the ball is no nearer than its radius to
/// any surface. One that starts nearer is pushed off first. Between solids that leave it less room
/// it keeps about the same distance from both; when they close entirely it stays with the one it
/// met first.
bool ond_solids_stop(const OndSolids *solids, OndVec from, OndVec *to, OndVec *velocity,
                     double radius, double dt, OndHit *hit);

/// Loads of the last step, one a solid: methods add to them, the simulation reads and clears them.
OndSolidLoad *ond_solids_loads(OndSolids *solids);

size_t ond_solids_bytes(const OndSolids *solids);

#endif
