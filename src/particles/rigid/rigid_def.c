// SPDX-License-Identifier: MIT
#include "particles/rigid/rigid_def.h"

static const char *const solvers[] = {"global", "thesis", "none", NULL};

#define AT(member) .offset = offsetof(OndRigidDef, member)

static const OndKey keys[] = {
    {"solver", OND_KEY_CHOICE, AT(solver), .choices = solvers,
     .help = "`global` solves for the whole body at once and lets it turn; solid pieces move as "
             "bodies. `thesis` corrects each particle by its neighbours, over and over (Dagenais "
             "2012). `none` lets everything flow."},
    {"exponent", OND_KEY_NUMBER, AT(exponent), .fallback = 20, .min = 0, .max = 100,
     .help = "A pair of rigidity s counts s to this power: stiff parts lead soft ones."},
    {"time", OND_KEY_NUMBER, AT(time), .fallback = 0.005, .min = 0, .max = 1e3, .unit = "s",
     .text = "0.005 (0 with `preset: thesis`)",
     .help = "Time in which deformation that nothing drives shrinks to 1 - s of itself. 0: in "
             "every step, as in the thesis, so that the dial depends on the step's length."},
    {"stiffness", OND_KEY_NUMBER, AT(stiffness), .fallback = 5e5, .min = 1, .max = 1e8,
     .help = "With `global`: how much stronger than a particle's inertia a solid pair holds. It "
             "must beat the square of the number of particles across a body."},
    {"floor", OND_KEY_NUMBER, AT(floor), .fallback = 0.2, .min = 0, .max = 1,
     .help = "With `global`: least weight of a pair, so that soft material alone holds as its "
             "rigidity says, too."},
    {"softens", OND_KEY_NUMBER, AT(softens), .fallback = 0.95, .min = 0, .max = 1,
     .help = "With `global`: what was solid stays so until its rigidity falls below this."},
    // 0.03: columns slump as with 0.01 within 1 % (test_slump; at 0.1 within 4 %, and heaps that set creep)
    {"tolerance", OND_KEY_NUMBER, AT(tolerance), .fallback = 3e-2, .min = 1e-8, .max = 0.5,
     .help =
         "With `global`: share of the error at which iterations stop, in the energy of links and "
         "masses."},
    {"sleep", OND_KEY_NUMBER, AT(sleep), .fallback = 0, .min = 0, .max = 1, .unit = "spacings",
     .help = "With `global`: what goes no farther than this in a quarter of a second, and has "
             "nothing near "
             "it that does, is held until something moves near it, or it softens. 0: nothing is."},
    {"stop", OND_KEY_NUMBER, AT(stop), .fallback = 0.01, .min = 0, .max = 1,
     .help = "With `thesis`: iterations stop when the error falls by no more than this share."},
    {"window", OND_KEY_INT, AT(window), .fallback = 5, .min = 1, .max = 1000,
     .help = "With `thesis`: over so many iterations the error is averaged for that."},
    {"propagation", OND_KEY_BOOL, AT(propagation), .fallback = 1,
     .help = "With `thesis`: carry constraints (walls, held particles) through a body first."},
    {"second_condition", OND_KEY_BOOL, AT(second), .fallback = 1,
     .help = "With `thesis`: constraints go through the most rigid material first."},
    {"alike", OND_KEY_NUMBER, AT(alike), .fallback = 0.01, .min = 0, .max = 1,
     .help = "With `second_condition`: rigidities that differ by no more than this count as the "
             "same. 0, as the thesis has it, takes very long once heat has spread."},
    {"stabilised", OND_KEY_NUMBER, AT(stabilised), .fallback = 0.01, .min = 0, .max = 10,
     .unit = "spacings",
     .help = "With `thesis`: distance from its place at which a particle counts as stabilised."},
    {"release", OND_KEY_INT, AT(release), .fallback = 5, .min = 1, .max = 100000,
     .help = "With `thesis`: iterations after which it counts as stabilised anyway."},
    {"iterations", OND_KEY_INT, AT(iterations), .fallback = 2000, .min = 1, .max = 1000000,
     .help = "No more iterations than this in a step; a step that needed more is reported."},
};

const OndSchema ond_rigid_schema = {
    .name = "rigidity",
    .help = "How what is solid, or partly so, keeps its shape.",
    .size = sizeof(OndRigidDef),
    .keys = keys,
    .count = OND_COUNT(keys),
    .node_offset = offsetof(OndRigidDef, node),
};
