// SPDX-License-Identifier: MIT
// A method is this table. sim/ owns time, frames, checkpoints, the step log and stopping; a method
// only advances. A new method is a new file in particles/ or grid/ and one line in sim/methods.h.
#ifndef OND_METHOD_METHOD_H
#define OND_METHOD_METHOD_H

#include "base/fields.h"
#include "base/schema.h"
#include "method/world.h"

#include <stddef.h>

struct OndGrid; // grid/layout.h

#define OND_PHASES_MAX 16

// What a step did, for the log.
typedef struct OndReport {
    double max_speed;          // m/s
    double max_acceleration;   // m/s^2
    double density_error;      // mean of how much denser than at rest, as a share; on a grid: what
                               // a projection left (smoke: relative; stam: divergence times dt)
    double kinetic, potential; // J, by the masses that the method gives its particles; 0: unknown
    int iterations;            // of an iterative solver; 0 without one
    int rigid_iterations;      // those of them that rigidity took
    int solves;                // sets of contacts tried while its system was solved; 0: not counted
    int asleep;                // particles that rest, and cost nothing but to be there
    bool unconverged;          // it stopped at its cap
    bool unsettled;            // which contacts hold was still changing when it stopped
    double foam_refused;       // new ones that found no room, so far
    int phase_count;
    const char *const *phase_names;
    double phase_ms[OND_PHASES_MAX]; // of the last step
} OndReport;

typedef struct OndSetup {
    const OndWorld *world; // copied
    const void *def;       // struct of the method's schema; copied
    int room;              // particles there may ever be, emitters included
} OndSetup;

// What a method and the solids of a scene give each other within a step. A method calls these in
// this order, between its own work (ond_exchange_*, below).
typedef struct OndExchange {
    void *own;
    bool free; // some of them move by what they feel
    // Free solids move by the loads that are in by now; what they gain by that stands in their
    // loads.
    OndStatus (*depart)(void *own, double dt, OndError *err);
    // What yielded to those gains has given back its share, which is in the loads too.
    void (*answered)(void *own);
    // All solids stand where the step ends.
    void (*arrive)(void *own, double dt);
    // Free solids take what the step itself did to them; what they gain is in their loads again.
    void (*finish)(void *own, double dt);
} OndExchange;

// What the checks of a method may ask of a scene.
typedef struct OndMethodScene {
    const OndTree *tree; // for complaints: ond_tree_fail
    const OndNode *node; // the method's own map; NULL: left out
    // Dimension, gravity, spacing, sides and materials as they will be; no heat, sources or solids.
    const OndWorld *world;
    bool has_domain;
    bool has_solids;
    bool has_bodies; // solids that move by what they feel
    bool whole;      // all fluids and solids could be read
} OndMethodScene;

// Where in a scene a key stands.
typedef enum OndSection {
    OND_IN_SCENE,
    OND_IN_DOMAIN,
    OND_IN_SIDE,
    OND_IN_OPEN_SIDE,
    OND_IN_CLOSED_SIDE, // that nothing flows in through
    OND_IN_FLUID,
    OND_IN_SOLID,
    OND_IN_BODY, // a solid that moves by what it feels
    OND_IN_AIR,
    OND_IN_HEAT,
    OND_IN_METHOD,
} OndSection;

// A key that a scene may have and that a method has no use for. It is refused by name, with what to
// write instead, so that nobody waits for what never comes.
typedef struct OndRefusedKey {
    OndSection section;
    const char *key; // one of a map inside: "rigidity.stop"
    const char *why; // and what helps
    bool (*when)(const void *def, const OndMethodScene *scene); // NULL: always
} OndRefusedKey;

// What of a scene a method computes by. Keys that belong to the rest are refused with the method's
// name, as those of its own list are (sim/scene/scene_check_refused.c has which belong where).
typedef enum OndUse {
    OND_USES_GRAVITY = 1 << 0,
    OND_USES_DENSITY = 1 << 1,   // of its fluids
    OND_USES_VISCOSITY = 1 << 2, // the same
    OND_USES_TENSION = 1 << 3,   // the same
    OND_USES_MELTING = 1 << 4,   // rigidity, and at which temperatures fluids set
    OND_USES_HEAT = 1 << 5,   // what conducts, warms and cools: fluids, air, sources, walls, solids
    OND_USES_WALLS = 1 << 6,  // how the sides of the domain are
    OND_USES_SOLIDS = 1 << 7, // they are in its way
    OND_USES_HELD = 1 << 8,   // particles move as told: it has the field `held`
    OND_USES_FOAM = 1 << 9,   // it has a liquid whose particles can make foam
    OND_USES_ALL = (1 << 10) - 1,
} OndUse;

// What a flow on a grid that has sources tells of itself.
typedef struct OndFlowTraits {
    double density;      // of the fluid, kg/m^3: bodies float in it
    double courant;      // cells a step
    double largest_step; // s
} OndFlowTraits;

// What of the world may be another while a method runs; a change of the rest is refused.
typedef enum OndHeard {
    OND_HEARS_GRAVITY = 1,
    OND_HEARS_MATERIALS = 2,
    OND_HEARS_AIR = 4
} OndHeard;

// The order of a step: `prepare`, `largest_step`, then `advance` by no more than that.
//
// Every method has `name`, `schema`, `create`, `largest_step`, `advance` and `destroy`; one on
// particles has `particles`, one on a grid `cell_size`, `cell_bytes`, `grid` and `cells`. All else
// may be left out (NULL): what comes of that is said at each, or nothing does.
typedef struct OndMethod {
    const char *name;
    const OndSchema *schema; // its keys and their defaults
    // What to try when steps shrink to nothing: "a smaller `stiffness`". NULL: nobody knows.
    const char *remedy;

    // ---- what a scene says to it; any of these may be NULL

    // Defaults that depend on the rest of the scene. The world has no spacing yet.
    void (*settle)(void *def, const OndMethodScene *scene);
    // That its keys fit each other and the scene.
    OndStatus (*check)(const void *def, const OndMethodScene *scene, OndError *err);
    // Of OndUse. Keys of a scene that belong to anything else are refused.
    unsigned uses;
    // Further keys, or the same with a better reason; ends with a key that is NULL.
    const OndRefusedKey *refused;
    const char *place; // "'air' means nothing to grains"; NULL: "here", or "on this grid"
    // What walls and solids have where the scene does not say.
    void (*contact)(const void *def, double *restitution, double *friction);

    // ---- what it is like

    bool grains;                        // particles that are seen one by one and have no pressure
    bool conducts;                      // heat spreads among its particles
    bool unseen;                        // what it carries is clear: tracers show the flow
    double (*support)(const void *def); // how far a particle feels others, spacings; NULL: touching
    double (*sound)(const void *def);   // speed of sound that was asked for, m/s; NULL: none
    bool (*packs)(const void *def);     // places beside solids are evened out; NULL: no
    bool (*keeps_shape)(const void *def); // of what is solid; NULL: no
    // NULL: it has no sources, no fans before emitters, and carries no bodies.
    OndFlowTraits (*flow)(const void *def);
    // What it chose by itself, and why, as a line "KEY WORD: reason"; NULL: nothing.
    const char *(*chosen)(const void *def, char *out, size_t size);
    // What a solver that did not converge leaves, and which keys help; NULL: it has none.
    const char *(*unconverged)(const void *def, char *out, size_t size);
    const char *(*step_key)(const void *def); // that makes steps shorter; NULL: `largest_step`

    // Edge of a cell, m. NULL: the method has no grid. The scene's `spacing` is then this.
    double (*cell_size)(const void *def);
    // Bytes that a grid of so many cells would take, to refuse it before it is made.
    double (*cell_bytes)(const void *def, int dimension, double cells);

    // An empty simulation. Particles and cells get their values through its fields, then `start`
    // is called once.
    void *(*create)(const OndSetup *setup, OndError *err);
    // After the first values are in (a resumed run skips this).
    OndStatus (*start)(void *self, OndError *err);
    // All that does not depend on the step's length: sorting, neighbours, explicit forces. Does
    // nothing when nothing has changed since the last call.
    OndStatus (*prepare)(void *self, OndError *err);
    // The largest stable step from here, s.
    double (*largest_step)(const void *self);
    // By dt, with everything that needs to know it, solids included. `solids` is NULL where they
    // move as told and nobody listens to what they feel. The method lets them go on: one that does
    // not feel them calls ond_exchange_move before its own work and ond_exchange_finish after it.
    OndStatus (*advance)(void *self, double dt, const OndExchange *solids, OndError *err);
    // The particles, described from `create` on; NULL: it has none. They must have position and
    // velocity (OND_F32, 3 components), temperature (OND_F32) and material (OND_U32: which fluid of
    // the scene), which sim/ fills; where they are there, it also fills `held` (OND_U32, 1: moves
    // as its fluid is told to), and emitters clear `acceleration` (OND_F32, 3) and look at
    // `density` (OND_F32). All others, `id` (OND_U32) among them, are the method's to set in
    // `added`; surfaces between frames know a particle by its `id`.
    OndFields *(*particles)(void *self);
    // Particles that ride along on these, which do not feel them: spray, foam and bubbles, with
    // position, velocity, kind (OND_U32) and id, ascending. NULL, or gives NULL: there are none.
    OndFields *(*foam)(void *self);
    // Some were added: written past `count`, which was raised. With `first` = count nothing is new,
    // but values were changed from outside, or particles taken away. In either case the arrays may
    // have moved: take pointers anew. Called with 0 before `start`, with count in a resumed run.
    OndStatus (*added)(void *self, int first, OndError *err);
    // The grid, and what its cells and faces carry; NULL: it has none. Arrays have the layout's
    // length, ghosts included. Values that were changed from outside, or came from a checkpoint,
    // are told by `changed`.
    const struct OndGrid *(*grid)(void *self);
    OndFields *(*cells)(void *self);
    void (*changed)(void *self);
    // The world is another than `create` was told, in what a running simulation can change: what
    // the method `hears`, the energy of what comes in; or solids move otherwise than they did, or
    // heat sources are elsewhere. Refuses, and changes nothing, what the method was not made for,
    // but never a world that it knows already. NULL: all that is built in.
    unsigned hears; // of OndHeard
    OndStatus (*told)(void *self, const OndWorld *world, OndError *err);
    void (*report)(const void *self, OndReport *out); // NULL: the log has zeros
    // Numbers beside the fields that a resumed run needs; `slot` from 0, NULL name ends the list.
    const char *(*number)(void *self, int slot, double **value);
    size_t (*bytes)(const void *self);      // of memory; NULL: those of particles and cells
    double (*neighbours)(const void *self); // mean per particle; NULL: it has none
    void (*destroy)(void *self);
} OndMethod;

static inline OndStatus ond_exchange_depart(const OndExchange *x, double dt, OndError *err)
{
    return x ? x->depart(x->own, dt, err) : OND_OK;
}
static inline void ond_exchange_answered(const OndExchange *x)
{
    if (x) x->answered(x->own);
}
static inline void ond_exchange_arrive(const OndExchange *x, double dt)
{
    if (x) x->arrive(x->own, dt);
}
/// Both at once, for a method that is solved with solids where the step ends.
static inline OndStatus ond_exchange_move(const OndExchange *x, double dt, OndError *err)
{
    const OndStatus status = ond_exchange_depart(x, dt, err);
    if (status == OND_OK) ond_exchange_arrive(x, dt);
    return status;
}
static inline void ond_exchange_finish(const OndExchange *x, double dt)
{
    if (x) x->finish(x->own, dt);
}

#endif
