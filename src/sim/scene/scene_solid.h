// SPDX-License-Identifier: MIT
// Solids and read-outs as a scene describes them.
//
// A solid is written where its shape says. `pivot` is the point of it that `at` places and that it
// turns about; left out, it is the middle of the shape, and `at` is the pivot: then nothing moves.
// Motion adds up: key frames (or `at` and `turn`), then `turn_by` about the pivot and `move`.
#ifndef OND_SIM_SCENE_SOLID_H
#define OND_SIM_SCENE_SOLID_H

#include "base/schema.h"

typedef enum OndSolidUse { OND_USE_OBSTACLE, OND_USE_CONTAINER } OndSolidUse;

// What a solid is seen as: number, and what scenes call it.
#define OND_LOOKS_OF_SOLIDS(X)                                                                     \
    X(OND_SOLID_LOOK_AUTO, "auto") /* plain; containers and sheets are glass */                    \
    X(OND_SOLID_LOOK_PLAIN, "plain")                                                               \
    X(OND_SOLID_LOOK_GLASS, "glass")                                                               \
    X(OND_SOLID_LOOK_METAL, "metal")                                                               \
    X(OND_SOLID_LOOK_CLAY, "clay")

#define OND_SOLID_LOOK_NUMBER(number, name) number,
typedef enum OndSolidLook { OND_LOOKS_OF_SOLIDS(OND_SOLID_LOOK_NUMBER) } OndSolidLook;

typedef struct OndPlaneDef { // a shape that solids alone may have
    OndVec point, normal;
} OndPlaneDef;

typedef struct OndPoseKey { // one of the list `keys`
    double time;
    OndVec at, turn; ///< settled: the solid's own where left out
    const OndNode *node;
} OndPoseKey;

typedef struct OndSequenceDef {
    const char *files; ///< one %d or %04d stands for the number; NULL: no sequence
    double rate;
    bool loop;
    OndVec turn;
    double scale;
    OndVec move;
    const OndNode *node;
} OndSequenceDef;

typedef struct OndScatterDef { // many balls, each a solid of its own once the scene is read
    int count, seed;
    OndVec min, max;          ///< of their centres
    double smallest, largest; ///< diameters
    double falloff;
    const OndNode *node;
} OndScatterDef;

typedef struct OndSceneSolid {
    const char *name; ///< never NULL: one without a name is called after its number
    OndVariant shape; ///< an OndShapeType; which = -1: a sequence
    int use;          ///< OndSolidUse
    double slip, restitution, friction, temperature;
    OndVec at, turn, pivot; ///< `node` says which were given
    OndList keys;           ///< of OndPoseKey, in the order of time
    OndFormulas move, turn_by;
    OndSequenceDef sequence;
    OndScatterDef scatter;
    double density, mass;  ///< of a body that the fluid moves; both 0: none
    OndVec velocity, spin; ///< of a body at the start
    int look;              ///< OndSolidLook
    OndVec colour;         ///< red, green, blue, as a screen shows them
    bool shown;
    const OndNode *node;
} OndSceneSolid;

/// The fluid moves it.
static inline bool ond_solid_is_body(const OndSceneSolid *solid)
{
    return solid->density > 0.0 || solid->mass > 0.0;
}

typedef enum OndProbeKind {
    OND_PROBE_FORCE,
    OND_PROBE_LEVEL,
    OND_PROBE_PRESSURE,
    OND_PROBE_FLOW,
} OndProbeKind;

typedef struct OndProbeDef { // how every read-out begins
    const char *name;        ///< never NULL; names the file
    double rate;             ///< 1/s, settled; 0: at every step
    const OndNode *node;
} OndProbeDef;

typedef struct OndForceProbe {
    OndProbeDef probe;
    const char *solid;
    int which; ///< index of that solid; -1: there is none
} OndForceProbe;

typedef struct OndPointProbe { // level, pressure
    OndProbeDef probe;
    OndVec at;
} OndPointProbe;

typedef struct OndFlowProbe {
    OndProbeDef probe;
    OndVec center, normal; ///< the normal is one long
    double width, height;
} OndFlowProbe;

extern const OndSchema ond_solid_schema;
extern const OndSchema ond_scatter_schema;
extern const OndSchema *const ond_probe_schemas[]; ///< in the order of OndProbeKind

#endif
