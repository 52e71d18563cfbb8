// SPDX-License-Identifier: MIT
// What `ondine bench physics` measures, apart from how it is printed: scenes of scenes/validation
// whose answer is known, from theory, converged computations or experiment.
#ifndef OND_APP_BENCH_PHYSICS_H
#define OND_APP_BENCH_PHYSICS_H

#include <ondine/ondine.h>

#define OND_PHYSICS_FIGURES 4 // at most, of a scene

/// A scene on its way, and what its particles carry now. What is measured is what any host of the
/// library can see.
typedef struct OndTrial {
    OndSim *sim;
    double duration, spacing;                                     ///< of the scene, s and m
    const float *x[3], *v[3], *pressure, *temperature, *rigidity; ///< of particles; NULL: none
    int count;
} OndTrial;

/// One number that is compared.
typedef struct OndFigure {
    const char *name, *unit;
    double want;   ///< the reference
    double within; ///< accepted difference, in the figure's own unit
} OndFigure;

/// A scene, what is read off it, and who says what is right.
typedef struct OndPhysicsCase {
    const char *scene;  ///< scenes/validation/NAME.yaml
    const char *source; ///< of the reference
    bool quick;         ///< some seconds: part of --quick
    OndFigure figure[OND_PHYSICS_FIGURES];
    /// Runs the scene as far as it needs and fills in a number a figure.
    OndStatus (*measure)(OndTrial *trial, double got[OND_PHYSICS_FIGURES], OndError *err);
} OndPhysicsCase;

extern const OndPhysicsCase ond_physics_cases[];
extern const int ond_physics_case_count;

static inline int ond_physics_figures(const OndPhysicsCase *c)
{
    int count = 0;
    while (count < OND_PHYSICS_FIGURES && c->figure[count].name)
        ++count;
    return count;
}

// ---- for those who measure

/// One step; the present is then read anew.
OndStatus ond_trial_step(OndTrial *trial, OndError *err);
/// Steps to the first moment that is not before `time`.
OndStatus ond_trial_run(OndTrial *trial, double time, OndError *err);

/// A number that swings about 0 as the scene goes on.
typedef double OndSwing(const OndTrial *trial);
/// What such a number is at three times.
OndStatus ond_trial_at_times(OndTrial *trial, const double time[3], OndSwing *read, double *got,
                             OndError *err);
/// Its period: from the first to the third time that it passes 0 after `from`, s. 0: it does not
/// before the scene is over.
OndStatus ond_trial_period(OndTrial *trial, double from, OndSwing *swing, double *period,
                           OndError *err);

// ---- cases on grids

OndStatus ond_case_cavity(OndTrial *trial, double *got, OndError *err);
OndStatus ond_case_convection(OndTrial *trial, double *got, OndError *err);
OndStatus ond_case_poiseuille_grid(OndTrial *trial, double *got, OndError *err);
OndStatus ond_case_taylor_green(OndTrial *trial, double *got, OndError *err);

#endif
