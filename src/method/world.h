// SPDX-License-Identifier: MIT
// What every method is told about the world: dimension, gravity, the box and its six sides,
// materials.
#ifndef OND_METHOD_WORLD_H
#define OND_METHOD_WORLD_H

#include "base/vec.h"

#include <stdbool.h>

enum OndSideKind { OND_SIDE_WALL, OND_SIDE_OPEN, OND_SIDE_PERIODIC };
enum OndWallModel {
    OND_WALL_MIRROR, // walls count in the density: mirror images stand behind them
    OND_WALL_PROJECT // only the bounce of Dagenais 2012, 2.1.2
};

#define OND_FRICTION_UNBOUNDED 2e6 // bounds nothing: more than a scene may give

// One side of the box: 2 * axis for the lower one, 2 * axis + 1 for the upper one.
typedef struct OndSide {
    int kind;          // enum OndSideKind
    float slip;        // share of tangential velocity kept: 0 sticks, 1 slides
    float restitution; // share of normal velocity given back
    float velocity[3]; // of the wall itself, m/s
    float
        friction; // Coulomb's coefficient for what is rigid; slip 0 holds it fast whatever this is
    bool heats;   // the wall has a temperature of its own and heats or cools by contact
    float temperature; // C
} OndSide;

// Where held particles are led from outside, whatever a simulation would make of them: their places
// at even times. In between they go along cubics through those places, with a velocity that has no
// jumps (particles/held_path.h).
typedef struct OndHeldPath {
    int count, frames;         // particles, moments
    const float *const *place; // of each moment: x y z of each particle, m
    double rate;               // moments a second
    double from;               // s: when the first one is; they rest before it
    bool loop;                 // the first one follows the last; otherwise they come to rest there
    double fastest;            // m/s
} OndHeldPath;

typedef struct OndMaterial {
    const char *name;
    float density;         // at rest, kg/m^3
    float viscosity;       // Pa s
    float viscosity_solid; // the same up to `solid`; 0: it does not change with the temperature
    float tension;         // N/m

    float rigidity;      // 0 liquid to 1 solid, whatever the temperature; below 0: by temperature
    float solid, liquid; // C: solid up to the first, liquid from the second on; equal: never solid
    float conductivity;  // W/(m K); 0: heat stands still
    float specific_heat; // J/(kg K)
    float latent_heat;   // of fusion, J/kg, taken up evenly between `solid` and `liquid`

    // of its held particles (field `held`): they move as told, not as they are pushed. 1: with these
    // numbers; 2 + k: as particle k of the path does.
    float held_velocity[3], held_spin[3], held_center[3]; // m/s, rad/s, m (centre at time 0)
    double held_until;                                    // s; let go after that
    const OndHeldPath *held_path;                         // NULL: none; outlives the method

    bool carries; // its particles remember where in their shape they began, for its surface
} OndMaterial;

// It is, or can become, more than a liquid.
static inline bool ond_material_can_set(const OndMaterial *m)
{
    return m->rigidity > 0.0f || (m->rigidity < 0.0f && m->liquid > m->solid);
}

#define OND_SOON 1e-6 // s: a time that is nearer than this has come

// Heats what is inside a shape, for a time.
typedef struct OndHeatSource {
    const void *shape;
    bool (*inside)(const void *shape, OndVec at);
    OndBox box;        // that it lies in
    bool surface;      // only what lies at the free surface
    float power;       // W, shared by volume among what is heated; or, with `transfer` > 0,
    float transfer;    // W/(m^3 K) towards `temperature`
    float temperature; // C
    double from, to;   // s
} OndHeatSource;

#define OND_HEAT_SOURCES_MAX 32

// Brings fluid, or what it carries, into a shape inside a grid, or takes it away, for a time.
typedef struct OndFlowSource {
    const void *shape;
    bool (*inside)(const void *shape, OndVec at);
    OndBox box;                 // that it lies in
    double flow;                // m^3/s (2D: m^2/s), spread over the shape; below 0: a sink
    float density, temperature; // of what comes; C
    bool warms;                 // the temperature counts
    float rate;                 // density added in a second; below 0: share taken away
    bool drives;                // the velocity counts
    float velocity[3];
    float effort;    // share by which it drives faster, against what holds the flow back
    double from, to; // s
} OndFlowSource;

#define OND_MATERIALS_MAX 64

/// What a particle of foam is: its field `kind`.
typedef enum OndFoamKind { OND_SPRAY, OND_FOAM, OND_BUBBLE } OndFoamKind;

// Spray, foam and bubbles of a liquid.
typedef struct OndFoamDef {
    bool wanted;
    float amount;   // times as many as usual
    float speed;    // that foams most, m/s; 0: by how far the liquid can fall
    float lifetime; // of foam, s; 0: by the same
    float air_drag; // share of a droplet's speed that air takes in a second, 1/s
    float rise;     // of bubbles through the liquid, m/s
    int most;       // at once
} OndFoamDef;

typedef struct OndWorld {
    int dimension; // 2 or 3
    float gravity[3];
    OndBox box;
    OndSide side[6];
    int wall_model;      // enum OndWallModel
    float margin;        // particles are kept this far from walls, m
    double spacing;      // rest distance of particles, m
    float inflow_energy; // of what emitters pour when it reaches the floor, per mass, m^2/s^2
    int material_count;
    OndMaterial material[OND_MATERIALS_MAX];
    bool has_air;
    float air_temperature; // C
    float air_exchange;    // W/(m^2 K) through the free surface; 0: none
    OndFoamDef foam;
    int heat_count;
    const OndHeatSource *heat; // outlives the method
    int source_count;
    const OndFlowSource *source; // the same
    float solid_speed;           // the fastest that any of the solids moves, but for falling, m/s
    float solid_fall;            // g H of the one that falls farthest, m^2/s^2
    struct OndSolids *solids;    // NULL: none; the method adds to their loads (solids/solids.h)
    // How far the nearest solid is from a point now, m; below 0: the point is inside it. Gives the
    // velocity of the solid there and its index (NULL: not asked). NULL: there are no solids.
    double (*clearance)(const void *own, OndVec at, OndVec *velocity, int *which);
    const void *clearance_own;
} OndWorld;

/// What a particle of a fluid weighs, kg (2D: per metre): what its cell of the lattice holds, so that
/// a shape that is filled with particles has the mass that its volume has.
static inline double ond_world_mass(const OndWorld *world, int material)
{
    const double size = world->spacing;
    const double volume = world->dimension == 2 ? size * size : size * size * size;
    return world->material[material].density * volume;
}

#endif
