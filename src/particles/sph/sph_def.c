// SPDX-License-Identifier: MIT
#include "particles/sph/sph_def.h"

#include "method/world.h"
#include "physics/kernels.h"

#include <string.h>

static const char *const presets[] = {"none", "thesis", "muller2d", NULL};
// clang-format off
static const char *const kernels[] = {
#define OND_KERNEL(name, number, dimension, about) #name,
#include "physics/kernel_list.h"
#undef OND_KERNEL
    NULL};
static const char *const pressures[] = {"auto", "wcsph",
#define NAMED(name, NAME, about) #name,
    OND_PRESSURE_SOLVERS(NAMED)
#undef NAMED
    NULL};
static const char about_pressures[] =
    "How a liquid keeps its volume. `auto`: `cg` where it can, else `wcsph` (docs/water.md; `ondine check` says which, and why). `wcsph`: an equation of state pushes back as it is squeezed, in "
    "steps that sound sets. The others find the pressure with which its density stays, in longer "
    "steps: "
#define TOLD(name, NAME, about) "`" #name "` (" about "), "
    OND_PRESSURE_SOLVERS(TOLD)
#undef TOLD
    "all of the same system.";
static const char about_kernels[] = "How much a neighbour counts by its distance"
#define OND_KERNEL(name, number, dimension, about) "; " about
#include "physics/kernel_list.h"
#undef OND_KERNEL
    ".";
// clang-format on
static const char *const densities[] = {"summation", "continuity", NULL};
static const char *const forms[] = {"mueller", "monaghan", NULL};
static const char *const states[] = {"linear", "tait", NULL};
static const char *const tensions[] = {"curvature", "mueller", NULL};
static const char *const integrators[] = {"leapfrog", "euler", NULL};
static const char *const step_rules[] = {"adaptive", "thesis", "advective", "cfl",
                                         "monaghan", "paiva",  "fixed",     NULL};

#define AT(member) .offset = offsetof(OndSphDef, member)

static const OndKey keys[] = {
    {"preset", OND_KEY_CHOICE, AT(preset), .choices = presets,
     .help =
         "Constants of a publication for all keys left out: `thesis` (Dagenais 2012, table 4.1) or "
         "`muller2d` (a small interactive program in pixel units, 2D only)."},
    {"kernel", OND_KEY_CHOICE, AT(kernel), .fallback = OND_KERNEL_WENDLAND, .choices = kernels,
     .help = about_kernels},
    {"smoothing", OND_KEY_NUMBER, AT(smoothing), .fallback = 0, .min = 1.0, .max = 4.0,
     .unit = "spacings",
     .text = "2.08, in 3D without solids 2.13 (with `wcsph` 2.045 in 2D, 2 in 3D, there without "
             "solids 2.12; with implicit viscosity 2.3; with surface tension 3 in 2D, 2.7 in 3D; "
             "with another kernel or `walls: project` 2)",
     .help = "Support radius h of the kernels: how far a particle feels others, and how much a "
             "lattice of particles resists shear (docs/liquid.md)."},
    {"calibrate", OND_KEY_BOOL, AT(calibrate), .fallback = 1,
     .help = "Scale gradient and Laplacian so that they are exact on the start lattice, as the "
             "mass is."},
    {"mass", OND_KEY_NUMBER, AT(mass), .fallback = 0, .min = 0, .max = 1e12, .unit = "kg",
     .text = "0 (from density and spacing)", .help = "Mass of every particle."},
    {"density", OND_KEY_CHOICE, AT(density), .fallback = OND_DENSITY_SUMMATION,
     .choices = densities,
     .help = "`summation` over neighbours each step; `continuity` integrates the divergence of "
             "velocity, "
             "smoother in long-lived thin sheets."},
    {"diffusion", OND_KEY_NUMBER, AT(diffusion), .fallback = 0.1, .min = 0, .max = 1,
     .help = "With `continuity`: strength of the density's numerical diffusion (delta-SPH)."},
    {"start_correction", OND_KEY_BOOL, AT(start_correction), .fallback = 0,
     .help = "With `summation`: multiply each particle's density by the factor that makes the "
             "start exactly at rest "
             "density, surface included (Dagenais 2012, eq. 3.9)."},
    {"settle", OND_KEY_BOOL, AT(settle), .fallback = 1,
     .help =
         "Find the pressure that gravity causes before the first step, and pack particles beside "
         "solids that cut their lattice, so that a pool starts at rest instead of falling into "
         "itself."},
    {"pressure", OND_KEY_CHOICE, AT(pressure), .fallback = OND_PRESSURE_AUTO, .choices = pressures,
     .help = about_pressures},
    {"density_error", OND_KEY_NUMBER, AT(density_error), .fallback = 0.0005, .min = 0, .max = 0.1,
     .above = true,
     .help = "Not with `wcsph`: how much denser than at rest a liquid may be, in the mean over its "
             "particles."},
    {"divergence_error", OND_KEY_NUMBER, AT(divergence_error), .fallback = 0.001, .min = 0,
     .max = 0.1, .above = true,
     .help = "With `dfsph`: how much denser velocities may make it in a step, before forces act."},
    {"iterations", OND_KEY_INT, AT(iterations), .fallback = 200, .min = 1, .max = 100000,
     .help = "Not with `wcsph`: the most iterations of a solve."},
    {"pressure_form", OND_KEY_CHOICE, AT(pressure_form), .fallback = OND_FORM_MONAGHAN,
     .choices = forms,
     .help = "Symmetric form of the pressure force: `monaghan` (weighted sum), or `mueller` (mean) "
             "as published, "
             "which pushes half as hard as the gradient of the pressure."},
    {"state", OND_KEY_CHOICE, AT(state), .fallback = OND_STATE_LINEAR, .choices = states,
     .help = "Equation of state: `linear` p = c^2 (rho - rho0), or `tait`, which stiffens when "
             "squeezed."},
    {"sound_speed", OND_KEY_NUMBER, AT(sound_speed), .fallback = 0, .min = 0, .max = 1e6,
     .unit = "m/s", .text = "0 (chosen so that the liquid's weight and fall squeeze it by 2 %)",
     .help = "Speed of sound c: higher is less compressible and needs smaller steps."},
    {"exponent", OND_KEY_NUMBER, AT(exponent), .fallback = 7, .min = 1, .max = 10,
     .help = "Exponent of Tait's equation."},
    {"suction", OND_KEY_BOOL, AT(suction), .fallback = 0,
     .help = "Let stretched liquid pull (negative pressure). Off, a free surface tears cleanly."},
    {"overweight", OND_KEY_BOOL, AT(overweight), .fallback = 0,
     .help = "Gravity as the program of `muller2d` has it, divided by the density once too often: "
             "m g / rho^2 instead of g."},
    {"artificial", OND_KEY_NUMBER, AT(artificial), .fallback = 0.1, .min = 0, .max = 10,
     .text = "0.1 (0.2 with surface tension)",
     .help = "Artificial viscosity alpha (Monaghan, one-term form of Paiva): damps what pressure "
             "stirs up."},
    {"turning", OND_KEY_NUMBER, AT(turning), .fallback = 0, .min = 0, .max = 1,
     .help = "How much of the artificial viscosity is left out where the liquid turns or shears "
             "rather than closes in: vortices live longer with 1 (docs/liquid.md)."},
    {"quadratic", OND_KEY_NUMBER, AT(quadratic), .fallback = 0, .min = 0, .max = 10,
     .help = "Second, quadratic term xi of the artificial viscosity, against particles that rush "
             "together."},
    {"xsph", OND_KEY_NUMBER, AT(xsph), .fallback = 0, .min = 0, .max = 1,
     .help = "XSPH: moves velocities this far towards their neighbours' mean each step."},
    {"sound_damping", OND_KEY_NUMBER, AT(sound_damping), .fallback = 0.5, .min = 0, .max = 1,
     .help = "With `summation`: pressure against the rate at which density changes, in units of "
             "h/c: takes the "
             "ringing out of a "
             "weakly compressible liquid and leaves its motion alone."},
    {"tension", OND_KEY_CHOICE, AT(tension), .fallback = OND_TENSION_CURVATURE, .choices = tensions,
     .help =
         "Surface tension from the colour field: `curvature` pushes the surface by how far it is "
         "bent (Brackbill 1992, Morris 2000), `mueller` is Mueller 2003's force."},
    {"tension_threshold", OND_KEY_NUMBER, AT(tension_threshold), .fallback = 0.3, .min = 0,
     .max = 10,
     .help = "With `mueller`: colour gradient times h from which on a particle belongs to the "
             "surface."},
    {"integrator", OND_KEY_CHOICE, AT(integrator), .fallback = OND_LEAPFROG, .choices = integrators,
     .text = "`leapfrog` (with a `pressure` other than `wcsph` `euler`)",
     .help = "`leapfrog` (second order) or symplectic `euler`."},
    {"step_rule", OND_KEY_CHOICE, AT(step_rule), .fallback = OND_STEP_ADAPTIVE,
     .choices = step_rules,
     .help =
         "How long a step is: `adaptive` (speed and acceleration, capped by sound, viscosity and "
         "tension), `thesis` (Dagenais 2012 eq. 3.3 alone), `advective` (speed alone, its eq. "
         "1.15: wants a `largest_step`), `cfl` (speed and sound, its eq. 3.1), `monaghan` (1989), "
         "`paiva` (2006), `fixed`."},
    {"courant", OND_KEY_NUMBER, AT(courant), .fallback = 0.2, .min = 0.001, .max = 2,
     .text = "0.35 with `cg`, 0.25 with other solvers that keep the volume, 0.2 with `wcsph`",
     .help = "With the rules `adaptive`, `thesis`, `advective` and `cfl`: largest share of h that "
             "a particle may move in a step (beta)."},
    {"acoustic", OND_KEY_NUMBER, AT(acoustic), .fallback = 0.4, .min = 0.01, .max = 2,
     .help = "With `step_rule: adaptive`: largest share of h that sound may travel in a step."},
    {"time_step", OND_KEY_NUMBER, AT(time_step), .fallback = 0.001, .min = 0, .max = 1e3,
     .above = true, .unit = "s", .help = "Step of `step_rule: fixed`."},
    {"largest_step", OND_KEY_NUMBER, AT(largest_step), .fallback = 0, .min = 0, .max = 1e3,
     .above = true, .unit = "s", .text = "0.1 (as heat asks for while all is `fixed`)",
     .help = "No step is longer than this, nor than a frame."},
    {"rigidity", OND_KEY_MAP, AT(rigidity), .sub = &ond_rigid_schema, .text = "its defaults",
     .help = "How what is solid, or partly so, keeps its shape."},
    {"heat", OND_KEY_MAP, AT(heat), .sub = &ond_heat_schema, .text = "its defaults",
     .help = "How heat spreads."},
    {"viscosity", OND_KEY_MAP, AT(viscosity), .sub = &ond_viscous_schema, .text = "its defaults",
     .help = "How a liquid's own friction is solved."},
};

const OndSchema ond_sph_schema = {
    .name = "sph",
    .help =
        "Smoothed particle hydrodynamics: water that keeps its volume, or an equation of state.",
    .size = sizeof(OndSphDef),
    .keys = keys,
    .count = OND_COUNT(keys),
    .node_offset = offsetof(OndSphDef, node),
};

#define WITH_TENSION (-1) // not a preset of its own: what surface tension asks for

typedef struct PresetValue {
    int preset;
    const char *key;
    double value;
} PresetValue;

static const PresetValue preset_values[] = {
    {WITH_TENSION, "artificial", 0.2},
    {OND_PRESET_THESIS, "kernel", OND_KERNEL_MUELLER},
    {OND_PRESET_THESIS, "smoothing", 2},
    {OND_PRESET_THESIS, "sound_speed", 10},
    {OND_PRESET_THESIS, "artificial", 0.1},
    {OND_PRESET_THESIS, "start_correction", 1},
    {OND_PRESET_THESIS, "pressure_form", OND_FORM_MUELLER},
    {OND_PRESET_THESIS, "settle", 0},
    {OND_PRESET_THESIS, "sound_damping", 0},
    {OND_PRESET_THESIS, "suction", 1},
    {OND_PRESET_THESIS, "calibrate", 0},
    {OND_PRESET_THESIS, "step_rule", OND_STEP_THESIS},
    {OND_PRESET_THESIS, "rigidity.solver", OND_RIGID_THESIS},
    {OND_PRESET_THESIS, "rigidity.time", 0},
    {OND_PRESET_THESIS, "heat.solver", OND_HEAT_THESIS},
    {OND_PRESET_THESIS, "heat.latent", 0},
    {OND_PRESET_THESIS, "viscosity.solver", OND_VISCOUS_EXPLICIT},
    {OND_PRESET_MULLER2D, "kernel", OND_KERNEL_MULLER2D},
    {OND_PRESET_MULLER2D, "smoothing", 15.0 / 14.25},
    {OND_PRESET_MULLER2D, "calibrate", 0},
    {OND_PRESET_MULLER2D, "mass", 4},
    {OND_PRESET_MULLER2D, "sound_speed",
     44.721359549995796}, // square root of the gas constant 2000
    {OND_PRESET_MULLER2D, "pressure_form", OND_FORM_MUELLER},
    {OND_PRESET_MULLER2D, "settle", 0},
    {OND_PRESET_MULLER2D, "sound_damping", 0},
    {OND_PRESET_MULLER2D, "suction", 1},
    {OND_PRESET_MULLER2D, "artificial", 0},
    {OND_PRESET_MULLER2D, "viscosity.solver", OND_VISCOUS_EXPLICIT},
    {OND_PRESET_MULLER2D, "integrator", OND_EULER},
    {OND_PRESET_MULLER2D, "overweight", 1},
    {OND_PRESET_MULLER2D, "tension", OND_TENSION_MUELLER},
    {OND_PRESET_MULLER2D, "step_rule", OND_STEP_FIXED},
    {OND_PRESET_MULLER2D, "time_step", 0.001},
};

// What suits liquids that keep their volume. In a dam break conjugate gradients bear steps of 0.35 of
// the support: they gain no energy and leave the density within 0.05 % in the mean; with 0.45 single
// steps are off by 0.1 %. Relaxation needs as many more iterations as steps are longer.
#define COURANT_CG    0.35
#define COURANT_RELAX 0.25

// The key of that name in a table; `name` may lead into a section: "heat.solver".
static const OndKey *find_key(const OndKey *table, int count, const char *name, size_t *offset,
                              const OndNode **node)
{
    const size_t length = strcspn(name, ".");
    for (int k = 0; k < count; ++k) {
        if (strlen(table[k].name) != length || strncmp(table[k].name, name, length) != 0) continue;
        *offset += table[k].offset;
        *node = *node ? ond_node_get(*node, table[k].name) : NULL;
        if (name[length] == '\0') return &table[k];
        const OndSchema *sub = table[k].sub;
        return find_key(sub->keys, sub->count, name + length + 1, offset, node);
    }
    return NULL;
}

// Only where the scene says nothing.
static void put_number(OndSphDef *def, const char *name, double value)
{
    size_t offset = 0;
    const OndNode *given = def->node;
    const OndKey *key = find_key(keys, OND_COUNT(keys), name, &offset, &given);
    if (!key || given) return;
    char *place = (char *)def + offset;
    if (key->type == OND_KEY_NUMBER) memcpy(place, &value, sizeof value);
    if (key->type == OND_KEY_BOOL) *(bool *)place = value != 0;
    if (key->type == OND_KEY_CHOICE) *(int *)place = (int)value;
}

// Under pressure a lattice of particles resists shear like a solid, and finer particles do not
// change that: waves are too fast at every resolution. How much depends on the support alone
// (docs/liquid.md). With Wendland's kernel it all but vanishes at 2.06 in 2D and 2.15 in 3D, where
// lattices buckle; these are as near as they bear. Smooth solids do not hold rows of particles in
// place, so that in 3D what stands in the liquid is shaken before it is that soft. Where walls do
// not count in the density no lattice stands at all: there it stays 2. Surface tension needs more
// neighbours, and so does friction that is as large in rows that have slid as on the lattice (within
// half a percent with 2.3, 9 % less with 2.045); in 3D what tension's lattice resists at 2.7 makes up
// for how deep in coarse drops tension acts: chosen by the period of a drop of R/8 (docs/liquid.md).
static double automatic_smoothing(const OndSphDef *def, const OndSphScene *scene, bool tension)
{
    const int kernel = def->kernel;
    const bool keeps = def->pressure != OND_PRESSURE_WCSPH;
    if (scene->viscous && def->viscosity.solver == OND_VISCOUS_IMPLICIT && !tension) return 2.3;
    if (tension) return scene->dimension == 2 ? 3.0 : 2.7;
    if (kernel != OND_KERNEL_WENDLAND || scene->walls != OND_WALL_MIRROR) return 2.0;
    // What is not squeezed bears a little more. By waves in 2D: -1.6 % at 2.05, -0.3 % at 2.07, +1.7 %
    // at 2.12; in 3D: -7.7 % at 2.05, -0.8 % at 2.14, +2.5 % at 2.2, and pools need longer to come to
    // rest from there on. Beside solids they are as calm up to 2.08.
    if (keeps) return scene->dimension == 2 || scene->solids ? 2.08 : 2.13;
    if (scene->dimension == 2) return 2.045;
    return scene->solids ? 2.0 : 2.12;
}

void ond_sph_apply_preset(OndSphDef *def, OndSphScene scene)
{
    if (def->pressure == OND_PRESSURE_AUTO) ond_sph_choose_pressure(def, &scene);
    const bool tension = def->preset == OND_PRESET_NONE && scene.tension;
    const int preset = tension ? WITH_TENSION : def->preset;
    for (int v = 0; v < OND_COUNT(preset_values); ++v) {
        const PresetValue *p = &preset_values[v];
        if (p->preset == preset) put_number(def, p->key, p->value);
    }
    if (def->pressure != OND_PRESSURE_WCSPH) {
        put_number(def, "integrator", OND_EULER);
        put_number(def, "courant", def->pressure == OND_PRESSURE_CG ? COURANT_CG : COURANT_RELAX);
    }
    if (!(def->smoothing > 0.0)) def->smoothing = automatic_smoothing(def, &scene, tension);
}
