// SPDX-License-Identifier: MIT
// What every method is told about the world: dimension, gravity, the box and its six sides,
// materials.
#ifndef OND_PHYSICS_WORLD_H
#define OND_PHYSICS_WORLD_H

#include "base/vec.h"

enum OndSideKind { OND_SIDE_WALL, OND_SIDE_OPEN, OND_SIDE_PERIODIC };
enum OndWallModel {
    OND_WALL_MIRROR, // walls count in the density: mirror images stand behind them
    OND_WALL_PROJECT // only the bounce of Dagenais 2012, 2.1.2
};

// One side of the box: 2 * axis for the lower one, 2 * axis + 1 for the upper one.
typedef struct OndSide {
    int kind;          // enum OndSideKind
    float slip;        // share of tangential velocity kept: 0 sticks, 1 slides
    float restitution; // share of normal velocity given back
    float velocity[3]; // of the wall itself, m/s
} OndSide;

typedef struct OndMaterial {
    const char *name;
    float density;   // at rest, kg/m^3
    float viscosity; // Pa s
    float tension;   // N/m
} OndMaterial;

#define OND_MATERIALS_MAX 64

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
} OndWorld;

#endif
