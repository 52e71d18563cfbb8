// SPDX-License-Identifier: MIT
// What the passes of an SPH step share. Only sph_*.c include this.
#ifndef OND_PARTICLES_SPH_STATE_H
#define OND_PARTICLES_SPH_STATE_H

#include "method/method.h"
#include "particles/held.h"
#include "particles/images.h"
#include "particles/loops/loops.h"
#include "particles/sorting.h"
#include "particles/sph/sph_def.h"
#include "particles/sph/sph_passes.h"

#include <stdbool.h>

/// Particles a worker claims at a time: 25 to 35 us of pressure or viscosity (bench sph), which
/// hides what claiming costs and leaves some hundred claims of a scene of 50k to share out.
#define OND_GRAIN 512

/// An automatic speed of sound lets weight and fall squeeze the liquid by this share.
#define OND_SQUEEZE 0.02

/// A liquid that keeps its volume is taken to be as fast as one that has fallen down its own height:
/// under the pressure at its foot a lattice gives way about as fast, and longer steps would push it
/// apart with more energy than it had. As a share of sound: sqrt(2 OND_SQUEEZE).
#define OND_FALLEN 0.2

typedef struct OndSphSolids OndSphSolids;

/// m: where images stand that do not push.
#define OND_FAR 1e18f

#define OND_SURFACE_LAYERS 6

// What particles see at a free surface, from outside to inside (sph_surface.c).
typedef struct OndSphSurface {
    int count; // of layers; 0: densities are left alone
    float bare[OND_SURFACE_LAYERS], filled[OND_SURFACE_LAYERS];
} OndSphSurface;

typedef struct OndSph {
    OndSphDef def;
    OndWorld world;
    OndKernelSet kernel; // for density, pressure, viscosity
    OndKernelSet colour; // for surface tension: normals and curvature
    OndKernelSet force;  // and where it acts
    float damping;       // of sound: times h, for densities that are summed
    float pull_ratio,
        pull_far;        // of implicit viscosity's pull to the gradient (physics/viscosity.h)
    float slope_ratio;   // of the sum of W's own slope to the gradient's factor
    float reach;         // radius of the neighbour lists, m
    float sound;         // m/s
    float rest_volume;   // of a particle, m^3 (2D: m^2)
    float surface_scale; // makes the weights of a flat surface's layers sum up to 1
    float depth;         // at which curvature is seen, m
    float hold;          // how far a liquid may be stretched, Pa for a tension of 1
    float faint;         // slopes of the colour below this are disorder, 1/m
    OndSphSurface surface;
    double sound_speed; // the same, as checkpoints keep it
    double speed_cap;   // nothing that is still a liquid moves as fast, but for free fall, m/s
    double height;      // of the liquid at the start, m
    double fade_time;   // in which the start's density factors go to 1, s
    float fade;         // what a step leaves of them
    float mass[OND_MATERIALS_MAX];
    float wall_at[6];  // where particles stop, m; infinite without a wall
    float rigid_at[6]; // where walls stop what is rigid
    float image_at[6]; // particles beyond these get an image; infinite where there are none
    bool thickens;     // some fluid's viscosity follows its temperature
    bool has_viscosity, has_tension, has_walls;
    bool begun;           // what is added now is poured
    bool may_rub, rubs;   // viscosity is implicit: it may be, and in this step it is
    bool keeps_volume;    // pressures are found that do, instead of an equation of state
    bool has_rigidity;    // something is or may become solid
    bool sleeps;          // what rests is held until something moves
    bool has_paths;       // particles of some fluid are animated elsewhere
    bool has_carried;     // particles of some fluid carry the shape that they began in
    bool has_heat;        // something conducts
    uint32_t *bond_queue; // sph_bond.c: what hangs on such particles, in the order it is found
    int bond_room;
    const OndLoops *loops;

    OndFields fields;
    // the fields' arrays, bound anew whenever they move (ond_sph_bind)
#define POINTER(NAME, type, member, components, ...) type *member components;
    OND_SPH_VALUES(POINTER, POINTER)
    OND_SPH_SCRATCH(POINTER)
#undef POINTER

    OndSphPlan plan;
    int scratch; // index of the first field that holds it

    struct OndRigid *rigid;           // what rigid_*.c keep, made on first use
    struct OndThesis *thesis;         // what thesis_*.c keep
    struct OndHeat *heat;             // what heat_*.c keep
    struct OndProjection *projection; // what projection*.c keep
    struct OndViscous *viscous;       // what viscous*.c keep
    struct OndFoam *foam;             // that looks at the liquid; NULL: none is wanted
    OndSphSolids *solids;             // what sph_solids*.c keep; NULL without solids

    OndCells cells;
    OndImages images;
    OndLists lists;
    int list_room;
    _Atomic(uint32_t) list_used;
    _Atomic(int) list_overflow;
    OndNearBuffers near;
    OndQuad *place, *go; // positions and velocities with a fourth value (sph_quads.c)
    int quad_room;
    OndSorting sorting;

    bool ready;           // forces are found for the present positions
    double last_dt;       // s; 0 before the first step
    double time;          // s since the start
    int iterations;       // of the last step's solvers
    int rigid_iterations; // those of them that rigidity took
    int solves;           // of rigidity in the last step: sets of contacts that were tried
    int asleep;           // after the last step
    bool unconverged;     // one of them stopped at its cap
    bool unsettled;       // contacts of solids were still changing
    double next_id;
    double step_share;          // of the steps that speed allows, where volume is kept
    double speed, acceleration; // largest of all
    double mean_speed;          // root of the mean square
    double fallen; // the speed that a liquid that keeps its volume may get in a step, m/s
    double density_error, kinetic, potential;
    double thinned;       // particles were taken away since solid pieces were found: 1, else 0
    int told_count;       // of particles, when they were last changed from outside
    double liquid_error;  // density_error of what has no rigidity, as a share of all
    double density_worst; // of a particle, where volume is kept
    double *sum;          // scratch for sums by block
    int sum_room;
    double phase_ms[OND_PHASE_COUNT];
    void (*watch)(struct OndSph *s, int pass); // after each pass, for tests; may be NULL
} OndSph;

void ond_sph_bind(OndSph *s);
bool ond_sph_describe(OndSph *s);               // the fields; false: out of memory
void ond_sph_make_values(OndSph *s, double dt); // those that have a file of their own
void ond_sph_set_up_kernel(OndSph *s);
void ond_sph_set_up_walls(OndSph *s);
OndStatus ond_sph_start(void *self, OndError *err); // after the first particles are in
OndPairs ond_sph_pairs(const OndSph *s);
OndHeldView ond_sph_held(const OndSph *s);
/// Sound and a bound of speeds for a way to fall (m^2/s^2) and a speed; what is more already stays.
void ond_sph_set_sound(OndSph *s, double drop, double fastest);
double ond_sph_fall_height(const OndSph *s); // times gravity, m^2/s^2
void ond_sph_overweigh(OndSph *s);           // by what is known of density
double ond_sph_heaviest(const OndSph *s);    // how many times gravity pulls what is alone
/// The world has changed (method/method.h); sph_told.c.
OndStatus ond_sph_told(void *self, const OndWorld *world, OndError *err);
/// Scratch of `count` doubles; NULL when there is no memory.
double *ond_sph_sums(OndSph *s, int count);

// Passes, in the order of a step.
OndStatus ond_sph_sort(OndSph *s, OndError *err);
OndStatus ond_sph_make_images(OndSph *s, OndError *err);
OndStatus ond_sph_search(OndSph *s, OndError *err);
OndStatus ond_sph_make_quads(OndSph *s, OndError *err); // room for them
void ond_sph_free_quads(OndSph *s);
/// Three arrays and a fourth, images included, into s->place or s->go.
void ond_sph_fill_quads(OndSph *s, OndQuad *to, float *const vector[3], const float *fourth);
OndStatus ond_sph_find_neighbours(OndSph *s, OndError *err); // all of these
OndStatus ond_sph_bond(OndSph *s, OndError *err); // what is solid to what is animated elsewhere
void ond_sph_carry_begin(OndSph *s);              // particles remember where they are
void ond_sph_carry_melt(OndSph *s);               // and forget it where they are liquid
OndStatus ond_sph_pack(OndSph *s, OndError *err); // the places beside solids to start from
void ond_sph_set_up_surface(OndSph *s);
void ond_sph_fill_surface(OndSph *s); // sums of W, as if liquid went on beyond a free surface
void ond_sph_density(OndSph *s);
void ond_sph_density_rate(OndSph *s, float dt); // d rho / dt over the step, into `rate`
void ond_sph_rest_density(OndSph *s); // everything at rest density, the sums kept in `factor`
OndStatus ond_sph_settle(OndSph *s, double height, OndError *err); // the pressure to start with
void ond_sph_start_density(OndSph *s); // densities and factors that belong to it
void ond_sph_fade_factor(OndSph *s, double dt);
void ond_sph_pressure(OndSph *s);
void ond_sph_push(OndSph *s); // the force of pressures that are known
void ond_sph_viscosity(OndSph *s);
void ond_sph_spare_turning(OndSph *s);        // artificial viscosity, less where it turns
void ond_sph_thicken(OndSph *s);              // viscosities of what melts by them
float ond_sph_thickest(const OndMaterial *m); // that it can have, Pa s
void ond_sph_tension(OndSph *s);
void ond_sph_set_up_tension(OndSph *s);
void ond_sph_tension_balance(OndSph *s); // of the accelerations in `normal`
OndStatus ond_sph_limits(OndSph *s, OndError *err);
double ond_sph_step_size(const OndSph *s);
/// What sound, tension and falls leave of a step: the longest that would do without friction.
double ond_sph_step_beside_friction(const OndSph *s);
double ond_sph_longest_step(const OndSph *s); // of what can move
/// How the scene would get shorter steps, for messages: what is not so already.
const char *ond_sph_shorter_steps(const OndSph *s, char *out, size_t size);
void ond_sph_kick(OndSph *s, float dt);        // velocities to those that particles travel with
void ond_sph_smooth(OndSph *s);                // them towards their neighbours' (XSPH)
void ond_sph_follow_flow(OndSph *s, float dt); // densities that are part of the state
void ond_sph_drift(OndSph *s, float dt);       // positions, with walls and solids in the way
OndStatus ond_sph_measure(OndSph *s, OndError *err);
OndStatus ond_sph_check_squeeze(const OndSph *s, OndError *err); // fails when crushed

// Solids (sph_solids*.c); all of these do nothing without any.
OndStatus ond_sph_solids_create(OndSph *s, OndError *err);
void ond_sph_solids_free(OndSphSolids *solids);
size_t ond_sph_solids_bytes(const OndSphSolids *solids);
OndStatus ond_sph_solids_find(OndSph *s, OndError *err); // who is near; into the sums of W
void ond_sph_solids_push(OndSph *s);                     // after pressure, which came first
void ond_sph_solids_forget(OndSph *s);                   // what they pushed; that push does, too
void ond_sph_solids_rub(OndSph *s);
void ond_sph_solids_colour(OndSph *s); // into the gradients of the colour
void ond_sph_solids_rate(OndSph *s);
void ond_sph_solids_still(OndSph *s, bool still); // take them as at rest
void ond_sph_solids_ahead(OndSph *s, float dt);   // solids know where they will be
OndStatus ond_sph_solids_depart(OndSph *s, float dt, OndError *err); // before the drift
void ond_sph_solids_stop(OndSph *s, int first, int last, float dt);  // and after it
OndStatus ond_sph_solids_arrive(const OndSph *s, OndError *err);     // is all inside?
void ond_sph_solids_press(OndSph *s, double dt);  // what solids feel now, to their loads
void ond_sph_solids_yield(OndSph *s, double dt);  // to what free ones gained by that
void ond_sph_solids_load(OndSph *s, double dt);   // what stopped particles gave them in the step
void ond_sph_solids_follow(OndSph *s, double dt); // with what free ones gained by that
double ond_sph_solids_fall(const OndSph *s, double extent); // g H down to where they stop it
double ond_sph_solids_speed(const OndSph *s);               // of the fastest, m/s
const char *ond_sph_solids_presser(const OndSph *s);        // who squeezes the liquid most; or NULL

// Foam (sph_foam.c): none where the scene wants none.
OndStatus ond_sph_foam_create(OndSph *s, OndError *err);
void ond_sph_foam_start(OndSph *s, double drop, double fastest); // m^2/s^2 and m/s of the liquid
OndStatus ond_sph_foam_breathe(OndSph *s, double dt, OndError *err);
OndFields *ond_sph_foam(void *self);

// Images: bring a value or a vector over from the particles they copy.
void ond_sph_image_scalar(OndSph *s, float *value);
void ond_sph_image_velocity(OndSph *s);
void ond_sph_image_direction(OndSph *s, float *const vector[3]);
/// Pressure behind a wall, continued by the weight of the liquid in between.
void ond_sph_image_pressure(OndSph *s);

#endif
