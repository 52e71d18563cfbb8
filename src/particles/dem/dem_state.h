// SPDX-License-Identifier: MIT
// What the passes of a DEM step share. Only dem*.c include this.
#ifndef OND_PARTICLES_DEM_STATE_H
#define OND_PARTICLES_DEM_STATE_H

#include "method/method.h"
#include "particles/dem/dem_def.h"
#include "particles/held.h"
#include "particles/images.h"
#include "particles/loops/loops.h"
#include "particles/sorting.h"

#include <stdbool.h>

typedef enum OndDemPhase {
    OND_DEM_SORT,
    OND_DEM_CONTACTS,
    OND_DEM_SOLIDS,
    OND_DEM_INTEGRATE,
    OND_DEM_PHASES
} OndDemPhase;

#define OND_DEM_GROUP 16 // grains, near each other, that are asked together whether a solid is near

#define OND_DEM_SLOTS                                                                              \
    15 // contacts of a grain that can grip; equal balls have at most 12 neighbours

// Contacts are told apart by these numbers; grains have their id, which is smaller.
#define OND_DEM_WALL  0x80000000u // plus the side
#define OND_DEM_SOLID 0x80000010u // plus OND_TOUCHES_MAX times the solid, plus which of its faces

// A contact that slides, or would.
typedef struct OndDemRub {
    const OndContactLaw *law;
    uint32_t with;
    float normal[3], slide[3]; // slide: the velocity along the surface
    float push, inertia;
} OndDemRub;

// What a solid did to a grain. Those of a block of grains (OND_SUM_BLOCK) stand together in order,
// so that their sums do not depend on the number of threads.
typedef struct OndDemPush {
    int solid;
    OndVec force, at; // on the grain, N; where
} OndDemPush;

typedef struct OndDemBlock {
    OndDemPush *push;
    int count, room;
    bool full;   // there was no memory for more
    int crusher; // solid that pressed a grain out of the domain; -1
} OndDemBlock;

typedef struct OndDem {
    OndDemDef def;
    OndWorld world;
    const OndLoops *loops;
    float mass_of[OND_MATERIALS_MAX]; // of a grain, kg
    float diameter;
    OndContactLaw law;     // between grains
    OndContactLaw wall[6]; // between a grain and a side
    float wall_at[6];      // of the surfaces that grains touch; infinite without a wall
    float image_at[6];     // grains beyond these get an image; infinite where there are none
    bool has_images;

    OndFields fields;
    // the fields' arrays, bound anew whenever they move (ond_dem_bind)
    float *x[3], *v[3], *last[3], *a[3], *mass;
    uint32_t *id, *material, *held, *touching;
    // contacts that grip: with whom (plus 1; 0: free), how far the spring is stretched; and a bit
    // for each that was met in this step
    bool grips;
    uint32_t *with[OND_DEM_SLOTS], *met;
    float *stretch[OND_DEM_SLOTS][3];

    OndCells cells;
    OndImages images;
    OndSorting sorting;
    OndDemBlock *block; // what solids did
    int block_room;
    unsigned char *near; // by group: a solid may be within a radius of one of its grains
    int near_room;

    bool ready;       // forces are found for the present positions
    double stiffness; // as the scene gives it, or found at the start
    double last_dt;   // s; 0 before the first step
    double time;      // s since the start
    double next_id;
    double speed, acceleration; // largest of all
    double kinetic, potential;
    double *sum; // scratch for sums by block
    int sum_room;
    double phase_ms[OND_DEM_PHASES];
} OndDem;

void ond_dem_bind(OndDem *d);
OndHeldView ond_dem_held(const OndDem *d);
double *ond_dem_sums(OndDem *d, int count);

/// The law against a wall or a solid.
OndContactLaw ond_dem_surface(const OndDem *d, float slip, float restitution, float friction);
/// Laws and walls, once the stiffness is known.
void ond_dem_set_laws(OndDem *d);
/// A stiffness that fits the falls and starts of the scene.
double ond_dem_find_stiffness(const OndDem *d);

// Passes.
OndStatus ond_dem_neighbours(OndDem *d, OndError *err); // sort, images
void ond_dem_contacts(OndDem *d);                       // among grains
void ond_dem_walls(OndDem *d);                          // against the domain's sides
OndStatus ond_dem_solids(OndDem *d, OndError *err); // against solids, remembered for their loads
/// The force along the surface, by the speed of sliding or by a spring that remembers. Afterwards
/// contacts that were not met are let go.
void ond_dem_rub(OndDem *d, int i, const OndDemRub *rub, float force[3]);
void ond_dem_grip_contacts(OndDem *d); // among grains, instead of ond_dem_contacts
void ond_dem_let_go(OndDem *d);
bool ond_dem_grip_describe(OndDem *d); // the fields; false without memory
void ond_dem_grip_bind(OndDem *d);
/// What was remembered since the last time, to the solids' loads.
void ond_dem_load(OndDem *d);
OndStatus ond_dem_limits(OndDem *d, OndError *err);
double ond_dem_step_size(const OndDem *d);
OndStatus ond_dem_integrate(OndDem *d, double dt, OndError *err);
OndStatus ond_dem_measure(OndDem *d, OndError *err);

/// The fastest that a surface of a solid may move near the grains, m/s.
double ond_dem_solid_speed(const OndDem *d);
/// How near a solid must be to be met in a step in which nothing moves farther than `way`; more
/// than the groups were asked for: they are asked again.
void ond_dem_watch_solids(OndDem *d, double way);
/// The last guard: a grain that went from `from` to where it is now is stopped by what is between.
void ond_dem_stop(OndDem *d, int i, const float from[3], double dt, OndDemBlock *block);
/// Whether all that solids did could be written down, and nothing was crushed.
OndStatus ond_dem_check_blocks(const OndDem *d, OndError *err);

#endif
