// SPDX-License-Identifier: MIT
// How long a step of bodies may be, so that none goes through what it should touch.
#include "solids/bodies/bodies.h"
#include "solids/bodies/body_thin.h"

#define LONGEST  (1.0 / 240) // s: a step of bodies
#define THIN_WAY 0.5         // of where a body is thinnest: the longest way in a step

// How fast what moves as told is now: it must not jump over bodies.
static double told_speed(const OndBodies *b)
{
    double fastest = 0.0;
    for (int k = 0; k < b->solids->count; ++k) {
        const OndSimSolid *const solid = &b->solids->solid[k];
        if (ond_solid_is_body(solid->def) || !ond_motion_moves(&solid->motion)) continue;
        const OndSolidState *const s = ond_solids_state(b->solids->solids, k);
        const OndBox box = solid->bounds;
        const OndVec far = ond_vec(fmax(-box.min.x, box.max.x), fmax(-box.min.y, box.max.y),
                                   b->flat ? 0.0 : fmax(-box.min.z, box.max.z));
        fastest = fmax(fastest, ond_length(s->velocity) + ond_length(s->spin) * ond_length(far));
    }
    return fastest;
}

// Whether a body is so near to a solid's surface that it may touch it in the next step.
static bool is_near(const OndBodies *b, int which, int solid)
{
    OndTouch touch[OND_TOUCHES_MAX];
    const double reach = ond_body_arm(b, which) + 2.0 * b->solids->scene->spacing;
    return ond_solids_near_one(b->solids->solids, solid, ond_body_center(b, which), reach, touch);
}

// How far a body may go in a step: not past where it is seen to touch, nor through a thin wall.
// Sheets have no thickness and know sides instead (solids/bodies/body_touch.c).
static double farthest_way(const OndBodies *b, int which)
{
    const int own = b->body[which].solid;
    double way =
        fmin(b->solids->scene->spacing, THIN_WAY * ond_body_box_thickness(b->solids, own, b->flat));
    for (int k = 0; k < b->solids->count; ++k) {
        const double through = THIN_WAY * b->thickness[k];
        if (k == own || b->solids->solid[k].solid.container) continue;
        if (through > 0.0 && through < way && is_near(b, which, k)) way = through;
    }
    return way;
}

double ond_bodies_largest_step(const OndBodies *b)
{
    double dt = b->count > 0 ? LONGEST : INFINITY;
    const double told = b->count > 0 ? told_speed(b) : 0.0;
    for (int k = 0; k < b->count; ++k) {
        const double speed = told + ond_length(ond_body_state(b, k)->velocity) +
                             ond_body_arm(b, k) * ond_length(ond_body_state(b, k)->spin);
        if (speed > 0.0) dt = fmin(dt, farthest_way(b, k) / speed);
    }
    return dt;
}
