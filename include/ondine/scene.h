// SPDX-License-Identifier: MIT
// What shall be simulated: read from a text, built from structs, or both.
//
// A scene is a tree of keys and values, those of docs/scene.md. Text fills it, structs add to it,
// ond_scene_set changes single values; all go through the same checks when a simulation is made of
// it, or earlier with ond_scene_validate. What came from a text is told with name:line:column, what
// came from a struct with its path: "fluid.0.spacing: error: ...".
//
//     OndScene *scene = ond_scene_create();
//     OndDomainInfo box = ond_domain_info();
//     box.max[0] = box.max[1] = box.max[2] = 1.0;
//     ond_scene_domain(scene, &box, &err);
//     OndFluidInfo water = ond_fluid_info();
//     water.spacing = 0.02;
//     water.shape = ond_box_shape(0, 0, 0, 0.3, 0.6, 1);
//     ond_scene_add_fluid(scene, &water, &err);
//
// Info structs come from the function of their name, which fills in the defaults of the scene's
// keys. A number that is NAN, a vector whose x is NAN, a text that is NULL, or what still has its
// default is left out: the scene then decides. So a fluid of wax with the default density has the
// density of wax, and who wants another writes another. Structs and their texts are copied.
//
// Calls that fail leave the scene as it was. They look at what they are given and no further: whether
// it all fits is told by ond_scene_validate, or when a simulation is made.
#ifndef ONDINE_SCENE_H
#define ONDINE_SCENE_H

#include <ondine/error.h>

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct OndScene OndScene;

/// An empty scene; NULL when there is no memory.
OND_API OndScene *ond_scene_create(void);
/// NULL is allowed. Simulations made of it live on.
OND_API void ond_scene_destroy(OndScene *scene);

/// Another one with the same keys and values; NULL and a sentence when there is no memory.
OND_API OndScene *ond_scene_copy(const OndScene *scene, OndError *err);

// ---- from text

/// Reads YAML or JSON and replaces what the scene held. `name` (may be NULL) stands for a file's path
/// in messages, and files that the scene names, here or in structs, are looked for in its folder, or
/// without one in the working folder. The text is read in a forked process first, which keeps the
/// host alive whatever it holds.
OND_API OndStatus ond_scene_text(OndScene *scene, const char *text, const char *name,
                                 OndError *err);
/// The same from a scene file.
OND_API OndStatus ond_scene_file(OndScene *scene, const char *path, OndError *err);

/// Changes one value, or adds it: "fluid.0.spacing=0.01", a path of keys and numbers, and a value in
/// YAML.
OND_API OndStatus ond_scene_set(OndScene *scene, const char *assignment, OndError *err);

/// The same for numbers, whatever they are: one is a value, several are a list.
OND_API OndStatus ond_scene_set_numbers(OndScene *scene, const char *path, const double *value,
                                        int count, OndError *err);
/// The text of a value as it was written, "sph" at "method.type"; NULL: there is none at that path, or
/// it is a list or a map. Lives until the scene is changed or destroyed.
OND_API const char *ond_scene_get(const OndScene *scene, const char *path);

// ---- from structs

/// A shape: its type, and those of the values that this type has.
typedef struct OndShapeInfo {
    const char *type; ///< "box", "sphere", "cylinder", "capsule", "text", "mesh", "particles" or,
                      ///< for solids, "plane"; NULL: none
    double min[3], max[3];          ///< box: its corners, m
    double center[3];               ///< sphere, m
    double from[3], to[3];          ///< cylinder, capsule: the ends of the axis, m
    double radius;                  ///< sphere, cylinder, capsule, m
    const char *text, *font;        ///< text; the font is a family's name or a file's path
    double height, depth;           ///< text: of capital letters, and thickness, m
    double at[3];                   ///< text: where its line begins, m
    const char *file;               ///< mesh, particles: a path
    double scale, turn[3], move[3]; ///< mesh, particles: factor, degrees (mesh alone), m
    double point[3], normal[3];     ///< plane: things are where the normal points
} OndShapeInfo;

OND_API OndShapeInfo ond_shape_info(const char *type);
OND_API OndShapeInfo ond_box_shape(double x0, double y0, double z0, double x1, double y1,
                                   double z1);
OND_API OndShapeInfo ond_sphere_shape(double x, double y, double z, double radius);
OND_API OndShapeInfo ond_text_shape(const char *text, double height, double depth);
OND_API OndShapeInfo ond_mesh_shape(const char *file);

/// The scene as a whole.
typedef struct OndSceneInfo {
    const char *title;
    const char *method; ///< "sph", "dem", "smoke", "current" or "stam"
    int dimension;      ///< 2 or 3
    double duration;    ///< s; matters to `ondine run` and to motions, not to ond_sim_advance
    double frame_rate;  ///< frames a simulated second
    double gravity[3];  ///< m/s^2
} OndSceneInfo;
OND_API OndSceneInfo ond_scene_info(void);
/// What still has its default stays as the scene has it.
OND_API OndStatus ond_scene_describe(OndScene *scene, const OndSceneInfo *info, OndError *err);
/// The scene as a whole once it is checked: with defaults, and with a duration that ends at a frame.
/// Texts live until the scene is changed or destroyed.
OND_API OndStatus ond_scene_described(const OndScene *scene, OndSceneInfo *out, OndError *err);

/// The box that the fluid lives in, once for all. Without one it is open on all sides. A second call
/// changes what it gives, and so does ond_scene_air.
typedef struct OndDomainInfo {
    double min[3], max[3]; ///< m
    double slip;           ///< 0: fluid sticks to the walls, 1: it slides
    double restitution;    ///< share of the speed towards a wall that comes back
    double friction;       ///< coefficient for what is rigid
    double temperature;    ///< of the walls, C
    const char *x, *y, *z; ///< both sides across an axis: "wall", "open" or "periodic"
} OndDomainInfo;
OND_API OndDomainInfo ond_domain_info(void);
OND_API OndStatus ond_scene_domain(OndScene *scene, const OndDomainInfo *info, OndError *err);

/// A fluid: what it is and where it starts. Numbered from 0 in the order of adding.
typedef struct OndFluidInfo {
    const char *name;
    const char *material;     ///< "wax", "ice", "chocolate"...; gives the values that are left out
    double spacing;           ///< between particles at rest, m; the same for all fluids
    double density;           ///< kg/m^3
    double viscosity;         ///< Pa s
    double tension;           ///< N/m
    double temperature;       ///< at the start, C
    double rigidity;          ///< 0 liquid to 1 solid; left out: by temperature
    double T_solid, T_liquid; ///< C: solid up to the first, liquid from the second on
    double conductivity;      ///< W/(m K)
    double specific_heat;     ///< J/(kg K)
    double latent_heat;       ///< J/kg
    bool fixed;               ///< held: moves with `velocity` and `spin` alone
    double velocity[3], spin[3]; ///< at the start, m/s and rad/s
    OndShapeInfo shape;          ///< none: only emitters bring it
} OndFluidInfo;
OND_API OndFluidInfo ond_fluid_info(void);
OND_API OndStatus ond_scene_add_fluid(OndScene *scene, const OndFluidInfo *info, OndError *err);

/// Something that nothing may enter, or (a container) leave.
typedef struct OndSolidInfo {
    const char *name;
    OndShapeInfo shape;
    const char *use; ///< "obstacle" or "container"
    double slip, restitution, friction;
    double temperature;          ///< C; heats or cools by contact
    double density, mass;        ///< kg/m^3 or kg: makes it a body that the fluid moves
    double velocity[3], spin[3]; ///< of a body at the start, m/s and rad/s
    double colour[3];            ///< in pictures, 0 to 1
} OndSolidInfo;
OND_API OndSolidInfo ond_solid_info(void);
OND_API OndStatus ond_scene_add_solid(OndScene *scene, const OndSolidInfo *info, OndError *err);

/// An opening that pours a fluid.
typedef struct OndEmitterInfo {
    const char *fluid;            ///< its name; left out: the first one
    const char *shape;            ///< "disc" of `radius`, or "rectangle" of `width` and `height`
    double center[3];             ///< m
    double direction[3];          ///< where it pours
    double radius, width, height; ///< m
    double rate;                  ///< m^3/s (2D: m^2/s)
    double from, to;              ///< s
} OndEmitterInfo;
OND_API OndEmitterInfo ond_emitter_info(void);
OND_API OndStatus ond_scene_add_emitter(OndScene *scene, const OndEmitterInfo *info, OndError *err);

/// A source of heat: by `power`, or by `transfer` towards `temperature`.
typedef struct OndHeatInfo {
    OndShapeInfo shape; ///< what is inside is heated
    double power;       ///< W; below 0 it cools
    double temperature; ///< C
    double transfer;    ///< W/(m^3 K)
    bool surface;       ///< only what lies at the free surface
    double from, to;    ///< s
} OndHeatInfo;
OND_API OndHeatInfo ond_heat_info(void);
OND_API OndStatus ond_scene_add_heat(OndScene *scene, const OndHeatInfo *info, OndError *err);

/// The air, which cools or warms free surfaces. Without one they lose no heat.
typedef struct OndAirInfo {
    double temperature; ///< C
    double exchange;    ///< W/(m^2 K): about 10 in still air, 50 in wind
} OndAirInfo;
OND_API OndAirInfo ond_air_info(void);
OND_API OndStatus ond_scene_air(OndScene *scene, const OndAirInfo *info, OndError *err);

// ---- what was made

/// Checks it as a simulation would, and tells all mistakes at once.
OND_API OndStatus ond_scene_validate(const OndScene *scene, OndError *err);

/// Writes it as a scene file in YAML, with whole paths of what it names; reading it gives the same
/// scene. Whole, or not at all.
OND_API OndStatus ond_scene_write(const OndScene *scene, const char *path, OndError *err);

/// The same into memory, as snprintf does: returns how many characters it is, without the final zero, and
/// writes as many as fit into `size`. 0 and a sentence when there is no memory.
OND_API size_t ond_scene_yaml(const OndScene *scene, char *text, size_t size, OndError *err);

#ifdef __cplusplus
}
#endif
#endif
