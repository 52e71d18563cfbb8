// SPDX-License-Identifier: MIT
// A scene: what a person wrote, checked and in numbers. SI units, temperatures in degrees Celsius.
//
// The structs mirror the scene file key by key; the tables in scene_keys.c, scene_flow_keys.c,
// scene_shape_keys.c and scene_solid_keys.c give each key its default, unit, range and sentence,
// read it, and document it. Every struct keeps the node it came from, so that whoever finds a fault
// later can point at the line (ond_tree_fail with scene->tree).
#ifndef OND_SIM_SCENE_H
#define OND_SIM_SCENE_H

#include "base/schema.h"
#include "method/method.h"
#include "method/world.h"
#include "sim/scene/scene_solid.h"
#include "sim/scene/shapes.h"

// ---- shapes: `which` of an OndVariant, and the struct its `def` points at

typedef struct OndBoxDef {
    OndVec min, max;
} OndBoxDef;

typedef struct OndSphereDef {
    OndVec center;
    double radius;
} OndSphereDef;

typedef struct OndRodDef { // cylinder, capsule
    OndVec from, to;
    double radius;
} OndRodDef;

typedef struct OndPartsDef { // union, difference, intersection
    OndList parts;           ///< of OndVariant
} OndPartsDef;

typedef struct OndTextDef {
    const char *text, *font;
    double height, depth;
    OndVec at;
} OndTextDef;

typedef struct OndFileDef { // particles, and how a mesh begins
    const char *file;       ///< as written; ond_scene_path finds it
    double scale;
    OndVec move;
} OndFileDef;

typedef struct OndMeshDef {
    OndFileDef file;
    OndVec turn;         ///< degrees about x, then y, then z, before scaling
    OndVariant stand_in; ///< used when the file is not there; which = -1: none
} OndMeshDef;

// ---- sections

typedef struct OndSideDef {
    int side; ///< 0 to 5: -x +x -y +y -z +z
    int kind; ///< OND_SIDE_WALL or OND_SIDE_OPEN, where given
    double slip, restitution, friction, temperature;
    OndVec velocity;
    const OndNode *node;
} OndSideDef;

typedef struct OndDomainDef {
    OndVec min, max;
    double slip, restitution, friction, temperature;
    int walls; ///< enum OndWallModel
    double margin;
    int axis[3];     ///< enum OndSideKind of x, y, z
    OndList sides;   ///< of OndSideDef, as written
    OndSide side[6]; ///< -x +x -y +y -z +z with everything settled: what a method reads
    const OndNode *node;
} OndDomainDef;

// A part of a fluid that starts otherwise.
typedef struct OndRegionDef {
    OndVariant shape;
    double temperature, to_temperature; ///< from the first at `from` to the second at `to`
    OndVec from, to;
    bool fixed;
    const OndNode *node; ///< says which keys were given
} OndRegionDef;

// Particles of a fluid that are animated elsewhere, frame by frame.
typedef struct OndAnimatedDef {
    const char *files; ///< one %d or %04d stands for the number
    double rate, from;
    bool loop;
    double scale;
    OndVec move;
    const OndNode *node; ///< NULL: none
} OndAnimatedDef;

typedef struct OndFluidDef {
    const char *name; ///< never NULL: one without a name is called after its number
    int material;     ///< index into ond_material_names; its values are filled in on reading
    double spacing, density, viscosity, viscosity_solid, tension, temperature;
    double rigidity, solid, liquid; ///< rigidity < 0: by temperature; solid = liquid: never solid
    double conductivity, specific_heat, latent_heat;
    OndFormulas velocity; ///< of the place
    OndVec stretch, spin;
    OndVec jitter; ///< the most that places of the start are moved by chance, m
    bool fixed;    ///< held: moves with velocity and spin alone
    double fixed_until;
    OndVariant shape; ///< which = -1: only emitters use this fluid
    OndList regions;  ///< of OndRegionDef, applied in order
    OndAnimatedDef animated;
    bool carry; ///< its particles carry the shape's own surface
    const OndNode *node;
} OndFluidDef;

typedef enum OndEmitterShape { OND_EMITTER_DISC, OND_EMITTER_RECTANGLE } OndEmitterShape;

typedef struct OndEmitterDef {
    const char *fluid;
    int material; ///< index of that fluid
    int shape;    ///< OndEmitterShape
    OndVec center;
    OndVec direction; ///< one long
    double radius, width, height, rate, from, to;
    const OndNode *node;
} OndEmitterDef;

typedef struct OndAirDef {
    double temperature, exchange;
    const OndNode *node; ///< NULL: no air
} OndAirDef;

typedef struct OndFoamKeys { // spray, foam and bubbles; 0 of speed and lifetime: by the scene
    double amount, speed, lifetime, air_drag, rise;
    int most;
    const OndNode *node; ///< NULL: none
} OndFoamKeys;

typedef struct OndHeaterDef { // one of the section `heat`
    OndVariant shape;
    double power, temperature, transfer; ///< power, or transfer towards temperature
    bool surface;
    double from, to;
    const OndNode *node;
} OndHeaterDef;

typedef struct OndTracerDef { // one of the section `tracer`
    OndVariant shape;
    double spacing, rate, from, to, life; ///< spacing or count; life and rate 0: without
    int count, seed;
    const OndNode *node;
} OndTracerDef;

typedef struct OndSourceDef { // one of the section `source`
    OndVariant shape;
    double flow, density, temperature, rate, from, to;
    OndVec velocity;
    const OndNode *node; ///< says which keys were given
} OndSourceDef;

struct OndSceneDef;

// A section that another module owns: what it says is for pictures, surfaces or files. The scene
// keeps its definition and knows nothing of it.
typedef struct OndSceneSection {
    OndKey key; ///< of type OND_KEY_SECTION, without an offset
    bool seen;  ///< only in pictures and files: another one is still the same simulation
    /// That it fits the rest; `def` is the struct of its schema. May be NULL.
    OndStatus (*check)(const struct OndSceneDef *scene, const void *def, OndError *err);
} OndSceneSection;

#define OND_SECTIONS_MAX   8
#define OND_SCENE_KEYS_MAX 48

typedef struct OndSceneDef {
    const char *title;
    int dimension;
    double duration, frame_rate; ///< duration: up to the last frame
    double asked;                ///< duration as written, at most a frame less
    OndVec gravity;
    OndDomainDef domain;
    bool has_domain;   ///< false: open on all sides
    OndVariant method; ///< `which`: index into ond_methods
    OndList fluids;    ///< of OndFluidDef
    OndList emitters;  ///< of OndEmitterDef
    OndList solids;    ///< of OndSceneSolid
    OndList probes;    ///< of OndVariant: OndProbeKind, and a struct that begins with OndProbeDef
    OndAirDef air;
    OndFoamKeys foam;
    OndList heaters;                        ///< of OndHeaterDef
    OndList tracers;                        ///< of OndTracerDef
    OndList sources;                        ///< of OndSourceDef
    const OndSceneSection *const *sections; ///< NULL-terminated; those it was read with
    void *section[OND_SECTIONS_MAX];        ///< their definitions: ond_scene_section
    double spacing;                         ///< of all fluids, or edge of the grid's cells, m
    bool has_grid;                          ///< the method computes on a grid
    uint64_t wrong; ///< while it is checked: keys that are not as written (sim/scene/scene_check.h)
    OndTree tree;   ///< what was read; owns the texts
    OndArena arena; ///< owns lists and shapes
} OndSceneDef;

extern const OndSchema ond_scene_schema; ///< without sections of others
extern const OndSchema ond_tracer_schema, ond_source_schema;

/// The keys of a scene with those sections, in `keys`.
OndSchema ond_scene_schema_with(const OndSceneSection *const *sections,
                                OndKey keys[OND_SCENE_KEYS_MAX]);
/// The definition of a section; NULL when the scene was read without it.
const void *ond_scene_section(const OndSceneDef *scene, const OndSceneSection *section);

/// Reads and checks a tree, with sections that others own (NULL: none; borrowed). Takes the tree
/// over in every case, and leaves `tree` empty; on failure `out` is empty too. Free with
/// ond_scene_free.
OndStatus ond_scene_read_with(OndTree *tree, const OndSceneSection *const *sections,
                              OndSceneDef *out, OndError *err);
void ond_scene_free(OndSceneDef *scene);

/// Checks what no single key can know. Called by ond_scene_read.
OndStatus ond_scene_check(const OndSceneDef *scene, OndError *err);

static inline const OndFluidDef *ond_scene_fluid(const OndSceneDef *scene, int index)
{
    return (const OndFluidDef *)scene->fluids.items + index;
}
static inline const OndEmitterDef *ond_scene_emitter(const OndSceneDef *scene, int index)
{
    return (const OndEmitterDef *)scene->emitters.items + index;
}
static inline const OndSceneSolid *ond_scene_solid(const OndSceneDef *scene, int index)
{
    return (const OndSceneSolid *)scene->solids.items + index;
}
static inline const OndVariant *ond_scene_probe(const OndSceneDef *scene, int index)
{
    return (const OndVariant *)scene->probes.items + index;
}
static inline const OndRegionDef *ond_fluid_region(const OndFluidDef *fluid, int index)
{
    return (const OndRegionDef *)fluid->regions.items + index;
}
static inline const OndHeaterDef *ond_scene_heater(const OndSceneDef *scene, int index)
{
    return (const OndHeaterDef *)scene->heaters.items + index;
}
static inline const OndTracerDef *ond_scene_tracer(const OndSceneDef *scene, int index)
{
    return (const OndTracerDef *)scene->tracers.items + index;
}
static inline const OndSourceDef *ond_scene_source(const OndSceneDef *scene, int index)
{
    return (const OndSourceDef *)scene->sources.items + index;
}
/// Velocity of the fluid at `at` when it starts; `center` is its shape's.
OndVec ond_fluid_velocity(const OndFluidDef *fluid, OndVec at, OndVec center);
/// Whether it is, or can become, more than a liquid.
static inline bool ond_fluid_can_set(const OndFluidDef *fluid)
{
    return fluid->rigidity > 0.0 || (fluid->rigidity < 0.0 && fluid->liquid > fluid->solid);
}
/// Of the domain, m; 0 along axes that do not go round.
OndVec ond_scene_period(const OndSceneDef *scene);
/// The method that computes it (sim/methods.h); `scene->method.def` is its definition.
const OndMethod *ond_scene_method(const OndSceneDef *scene);
/// The scene as a method's checks see it; borrows `world`.
OndMethodScene ond_scene_for_method(const OndSceneDef *scene, const OndWorld *world);

/// Where a file named in the scene lies: relative to the scene file's folder. False when `out` is
/// too small.
bool ond_scene_path(const OndSceneDef *scene, const char *file, char *out, size_t size);

/// Where `key` of the map at `node` stands; the map itself when the key was left out or is NULL.
const OndNode *ond_scene_at(const OndNode *node, const char *key);

#endif
