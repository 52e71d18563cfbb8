// SPDX-License-Identifier: MIT
#include "solids/bodies/drift.h"

#define DRAG    0.5 // of a sphere in a stream that is neither very slow nor very fast
#define LATTICE 4   // points along each side of a body's box at which the flow is asked

// The flow over a body: its mean, and how fast it turns.
typedef struct MetFlow {
    OndVec velocity, spin;
} MetFlow;

typedef struct FlowSums {
    double count;
    OndVec place, flow, moment; // sums of r, of u and of r x u
    OndInertia square;          // of points of mass 1
} FlowSums;

static void add_point(FlowSums *s, OndVec r, OndVec u)
{
    s->count += 1.0;
    s->place = ond_add(s->place, r);
    s->flow = ond_add(s->flow, u);
    s->moment = ond_add(s->moment, ond_cross(r, u));
    s->square.xx += r.y * r.y + r.z * r.z;
    s->square.yy += r.x * r.x + r.z * r.z;
    s->square.zz += r.x * r.x + r.y * r.y;
    s->square.xy -= r.x * r.y;
    s->square.xz -= r.x * r.z;
    s->square.yz -= r.y * r.z;
}

static OndVec lattice_point(const OndBox *b, int k)
{
    const double i = (k % LATTICE + 0.5) / LATTICE, j = (k / LATTICE % LATTICE + 0.5) / LATTICE,
                 l = (k / (LATTICE * LATTICE) + 0.5) / LATTICE;
    return ond_vec(b->min.x + i * (b->max.x - b->min.x), b->min.y + j * (b->max.y - b->min.y),
                   b->min.z + l * (b->max.z - b->min.z));
}

static MetFlow meet(const OndBodies *b, int which, const OndStream *stream)
{
    const OndSimSolid *const solid = &b->solids->solid[b->body[which].solid];
    const OndPose *const pose = &ond_solids_state(b->solids->solids, b->body[which].solid)->pose;
    const OndVec center = ond_body_center(b, which);
    const int points = b->flat ? LATTICE * LATTICE : LATTICE * LATTICE * LATTICE;
    FlowSums s = {0};
    for (int k = 0; k < points; ++k) {
        OndVec own = lattice_point(&solid->bounds, k);
        if (b->flat) own.z = 0.0;
        if (solid->inside && ond_shape_distance(solid->inside, own, b->flat) > 0.0) continue;
        const OndVec at = ond_pose_out(pose, own);
        add_point(&s, ond_sub(at, center), ond_stream_at(stream, at));
    }
    if (s.count < 4.0)
        return (MetFlow){ond_stream_at(stream, center), {0, 0, 0}}; // thin: its middle
    const OndVec mean = ond_scale(s.flow, 1.0 / s.count);
    const OndVec turning = ond_sub(s.moment, ond_cross(s.place, mean));
    if (!b->flat) return (MetFlow){mean, ond_inertia_solve(&s.square, turning)};
    return (MetFlow){mean, {0, 0, s.square.zz > 0.0 ? turning.z / s.square.zz : 0.0}};
}

// (u . grad) u, by the difference over a cell on each side.
static OndVec steady_acceleration(const OndStream *stream, OndVec at, OndVec u)
{
    const double speed = ond_length(u), h = stream->grid->h;
    if (!(speed > 0.0)) return ond_vec(0, 0, 0);
    const OndVec on = ond_scale(u, h / speed);
    const OndVec change =
        ond_sub(ond_stream_at(stream, ond_add(at, on)), ond_stream_at(stream, ond_sub(at, on)));
    return ond_scale(change, 0.5 * speed / h);
}

static double shadow(double volume, bool flat)
{
    if (flat) return 2.0 * sqrt(volume / M_PI);
    const double radius = cbrt(0.75 * volume / M_PI);
    return M_PI * radius * radius;
}

static void push_one(const OndBodies *b, int which, const OndStream *stream, double density,
                     double dt)
{
    const OndBody *const body = &b->body[which];
    const OndSolidState *const state = ond_solids_state(b->solids->solids, body->solid);
    const OndVec center = ond_body_center(b, which), arm = ond_sub(center, state->pose.at);
    const OndVec v = ond_add(state->velocity, ond_cross(state->spin, arm));
    const MetFlow met = meet(b, which, stream);
    const double added = b->flat ? 1.0 : 0.5; // share of the fluid it displaces: cylinder, ball
    const double fluid = density * body->volume, mass = body->mass + added * fluid;
    const double wide = shadow(body->volume, b->flat),
                 reach = b->flat ? 0.5 * wide : sqrt(wide / M_PI);
    const double slow =
        ond_length(ond_sub(met.velocity, v)) + reach * ond_length(ond_sub(met.spin, state->spin));
    const double rate = 0.5 * density * DRAG * wide * slow / mass;
    const OndVec pull = ond_add(
        ond_scale(b->gravity, (body->mass - fluid) / mass),
        ond_scale(steady_acceleration(stream, center, met.velocity), (1.0 + added) * fluid / mass));

    // what velocity and spin will be, and the load that makes them so
    const OndVec free = ond_add(v, ond_scale(pull, dt));
    const OndVec then =
        ond_scale(ond_add(free, ond_scale(met.velocity, dt * rate)), 1.0 / (1.0 + dt * rate));
    const OndVec turned = ond_scale(ond_sub(met.spin, state->spin), rate / (1.0 + dt * rate));
    const OndVec force =
        ond_scale(ond_sub(ond_scale(ond_sub(then, v), 1.0 / dt), b->gravity), body->mass);
    const OndVec own = ond_inertia_times(&body->inertia, ond_pose_unturn(&state->pose, turned));
    OndSolidLoad *const load = &ond_solids_loads(b->solids->solids)[body->solid];
    load->force = ond_add(load->force, force);
    load->torque =
        ond_add(load->torque, ond_add(ond_cross(arm, force), ond_pose_turn(&state->pose, own)));
}

static double thinnest(const OndBox *box, bool flat)
{
    const OndVec size = ond_sub(box->max, box->min);
    const double least = fmin(size.x, size.y);
    return flat ? least : fmin(least, size.z);
}

double ond_drift_largest_step(const OndBodies *b, const OndStream *stream, double driven)
{
    double dt = INFINITY;
    for (int k = 0; k < b->count; ++k) {
        const OndSimSolid *const solid = &b->solids->solid[b->body[k].solid];
        const OndSolidState *const state = ond_solids_state(b->solids->solids, b->body[k].solid);
        const double way = 0.5 * thinnest(&solid->bounds, b->flat);
        const double arm = 0.5 * ond_length(ond_sub(solid->bounds.max, solid->bounds.min));
        // what is light is as fast as the flow at once
        const double flow = fmax(driven, ond_length(ond_stream_at(stream, ond_body_center(b, k))));
        const double speed =
            fmax(flow, ond_length(state->velocity)) + arm * ond_length(state->spin);
        const double pull = ond_length(b->gravity);
        if (speed > 0.0) dt = fmin(dt, way / speed);
        if (pull > 0.0) dt = fmin(dt, sqrt(2.0 * way / pull));
    }
    return dt;
}

void ond_drift_push(const OndBodies *b, const OndStream *stream, double density, double dt)
{
    for (int k = 0; k < b->count; ++k)
        push_one(b, k, stream, density, dt);
}
