// SPDX-License-Identifier: MIT
#include "solids/scene/solid_fastest.h"

// How far down the domain goes on from a point, along gravity; -1: there is no wall below.
static double room_in_domain(const OndSceneDef *scene, OndVec at)
{
    double room = 0.0;
    const double g = ond_length(scene->gravity);
    for (int axis = 0; axis < scene->dimension; ++axis) {
        const double pull = ond_axis(scene->gravity, axis);
        if (pull == 0.0) continue;
        const int side = 2 * axis + (pull > 0.0);
        if (!scene->has_domain || scene->domain.side[side].kind != OND_SIDE_WALL) return -1.0;
        const double wall = ond_axis(pull > 0.0 ? scene->domain.max : scene->domain.min, axis);
        room += fmax((wall - ond_axis(at, axis)) * pull, 0.0) / g;
    }
    return room;
}

// From a point to the lowest of a solid at time 0, or to a plane.
static double room_to(const OndSimSolid *solid, OndVec at, OndVec down)
{
    const OndPose pose = ond_motion_at(&solid->motion, 0.0).pose;
    if (solid->solid.kind == OND_SOLID_PLANE) {
        const double sinks = ond_dot(ond_pose_turn(&pose, ond_vec(0, -1, 0)), down);
        return sinks > 0.1 ? ond_pose_in(&pose, at).y / sinks : 0.0;
    }
    double most = 0.0;
    for (int c = 0; c < 8; ++c) {
        const OndVec corner = ond_pose_out(&pose, ond_box_corner(solid->bounds, c));
        most = fmax(most, ond_dot(ond_sub(corner, at), down));
    }
    return most;
}

// Without a wall below, what falls can still fall on one of the other solids.
static double room_below(const OndSimSolids *s, OndVec at)
{
    const double domain = room_in_domain(s->scene, at);
    double most = 0.0;
    for (int k = 0; domain < 0.0 && k < s->count; ++k)
        if (!ond_solid_is_body(s->solid[k].def))
            most = fmax(most, room_to(&s->solid[k], at, ond_unit(s->scene->gravity)));
    return fmax(domain, most);
}

double ond_solid_fall(const OndSimSolids *s, int which)
{
    const OndSimSolid *const solid = &s->solid[which];
    const double g = ond_length(s->scene->gravity), time = s->scene->duration;
    if (!ond_solid_is_body(solid->def) || !(g > 0.0)) return 0.0;
    const OndPose pose = ond_motion_at(&solid->motion, 0.0).pose;
    double room = INFINITY;
    for (int c = 0; c < 8; ++c)
        room = fmin(room, room_below(s, ond_pose_out(&pose, ond_box_corner(solid->bounds, c))));
    return g * fmin(room, time * (ond_length(solid->def->velocity) + 0.5 * g * time));
}

// A sequence that is cut by the end of the scene does not reach its later meshes.
static double bending_speed(const OndSequence *q, double duration)
{
    const double ticks = ceil(duration * q->rate);
    double most2 = 0.0;
    for (int k = 0; k < q->count && k < ticks; ++k) {
        const int next = k + 1 < q->count ? k + 1 : q->loop ? 0 : k;
        const float *const a = q->corner[k], *const b = q->corner[next];
        for (int c = 0; c < q->mesh.corner_count; ++c) {
            const double x = b[3 * c] - a[3 * c], y = b[3 * c + 1] - a[3 * c + 1],
                         z = b[3 * c + 2] - a[3 * c + 2];
            most2 = fmax(most2, x * x + y * y + z * z);
        }
    }
    return q->rate * sqrt(most2);
}

double ond_solid_fastest(const OndSimSolids *s, int which)
{
    const OndSimSolid *const solid = &s->solid[which];
    const double size = ond_length(ond_sub(solid->bounds.max, solid->bounds.min));
    if (ond_solid_is_body(solid->def))
        return ond_length(solid->def->velocity) + 0.5 * size * ond_length(solid->def->spin);
    return solid->sequence.count > 0 ? bending_speed(&solid->sequence, s->scene->duration) : 0.0;
}
