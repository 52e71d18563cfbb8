// SPDX-License-Identifier: MIT
// Everything a scene can say about SPH. The table in sph_def.c gives each its default, unit and
// range.
#ifndef OND_PARTICLES_SPH_DEF_H
#define OND_PARTICLES_SPH_DEF_H

#include "base/schema.h"
#include "particles/heat/heat_def.h"
#include "particles/incompressible/solvers.h"
#include "particles/rigid/rigid_def.h"
#include "particles/viscous/viscous_def.h"

typedef enum OndSphPreset { OND_PRESET_NONE, OND_PRESET_THESIS, OND_PRESET_MULLER2D } OndSphPreset;
typedef enum OndSphDensity { OND_DENSITY_SUMMATION, OND_DENSITY_CONTINUITY } OndSphDensity;
typedef enum OndSphPressureForm { OND_FORM_MUELLER, OND_FORM_MONAGHAN } OndSphPressureForm;
// clang-format off
typedef enum OndSphPressure {
    OND_PRESSURE_AUTO,  ///< what suits the scene
    OND_PRESSURE_WCSPH, ///< an equation of state
#define NUMBER(name, NAME, about) OND_PRESSURE_##NAME,
    OND_PRESSURE_SOLVERS(NUMBER)
#undef NUMBER
} OndSphPressure;
// clang-format on
typedef enum OndSphState { OND_STATE_LINEAR, OND_STATE_TAIT } OndSphState;
typedef enum OndSphTension { OND_TENSION_CURVATURE, OND_TENSION_MUELLER } OndSphTension;
typedef enum OndSphIntegrator { OND_LEAPFROG, OND_EULER } OndSphIntegrator;
typedef enum OndSphStepRule {
    OND_STEP_ADAPTIVE,  ///< Dagenais 2012 eq. 3.3, never beyond what sound, viscosity and tension
                        ///< allow
    OND_STEP_THESIS,    ///< Dagenais 2012 eq. 3.3 alone
    OND_STEP_ADVECTIVE, ///< Dagenais 2012 eq. 1.15
    OND_STEP_CFL,       ///< Dagenais 2012 eq. 3.1
    OND_STEP_MONAGHAN,  ///< Monaghan 1989
    OND_STEP_PAIVA,     ///< Paiva et al. 2006
    OND_STEP_FIXED,
} OndSphStepRule;

typedef struct OndSphDef {
    int preset;
    int kernel; ///< OndKernel
    double smoothing;
    bool calibrate;
    double mass;
    int density;
    double diffusion;
    bool start_correction;
    bool settle;
    int pressure;
    double density_error, divergence_error;
    int iterations;
    int pressure_form;
    int state;
    double sound_speed;
    double exponent;
    bool suction;
    bool overweight;
    double artificial, turning, quadratic, xsph, sound_damping;
    int tension;
    double tension_threshold;
    int integrator;
    int step_rule;
    double courant, acoustic, time_step, largest_step;
    OndRigidDef rigidity;
    OndHeatDef heat;
    OndViscousDef viscosity;
    const char *chosen_for; ///< why `auto` took this pressure; NULL: the scene says which
    const OndNode *node;
} OndSphDef;

extern const OndSchema ond_sph_schema;

/// What of a scene the defaults depend on.
typedef struct OndSphScene {
    int dimension;
    int walls; ///< OndWallModel
    bool solids, tension, viscous;
    bool sets; ///< something is, or can become, more than a liquid
} OndSphScene;

/// Gives the keys that the scene left out the values of `def->preset`, or without one those that
/// suit the scene.
void ond_sph_apply_preset(OndSphDef *def, OndSphScene scene);

/// What `pressure: auto` takes (sph_choose.c).
void ond_sph_choose_pressure(OndSphDef *def, const OndSphScene *scene);

#endif
