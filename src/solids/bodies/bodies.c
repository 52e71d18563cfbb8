// SPDX-License-Identifier: MIT
#include "solids/bodies/bodies.h"

#include "solids/bodies/body_contacts.h"
#include "solids/bodies/body_thin.h"
#include "solids/bodies/body_yield.h"

#include <string.h>

#define STATE_VALUES 13 // place, turn, velocity, spin
#define TURN_ROUNDS  4  // of the iteration for the spin in the middle of a step

// ---- mass

static OndMass measure(const OndSimSolid *solid, bool flat)
{
    const OndVariant *const shape = &solid->def->shape;
    const bool mesh = solid->mesh.triangle_count > 0 && !flat;
    if (mesh) return ond_mass_mesh(&solid->mesh);
    if (shape->which == OND_SHAPE_BOX) {
        const OndBoxDef *const box = shape->def;
        return ond_mass_box(box->min, box->max, flat);
    }
    if (shape->which == OND_SHAPE_SPHERE) {
        const OndSphereDef *const ball = shape->def;
        return ond_mass_sphere(ball->center, ball->radius, flat);
    }
    if (!flat && (shape->which == OND_SHAPE_CYLINDER || shape->which == OND_SHAPE_CAPSULE)) {
        const OndRodDef *const rod = shape->def;
        return shape->which == OND_SHAPE_CYLINDER
                   ? ond_mass_cylinder(rod->from, rod->to, rod->radius)
                   : ond_mass_capsule(rod->from, rod->to, rod->radius);
    }
    return ond_mass_shape(solid->inside, flat);
}

static OndStatus weigh(const OndBodies *b, OndBody *body, OndError *err)
{
    const OndSimSolid *const solid = &b->solids->solid[body->solid];
    const OndSceneSolid *const def = solid->def;
    const OndMass m = measure(solid, b->flat);
    const double density = def->mass > 0.0 ? def->mass / m.volume : def->density;
    const OndVec turned = ond_inertia_solve(&m.inertia, ond_vec(1, 1, 1));
    if (!(m.volume > 0.0) || !isfinite(density) || !(ond_length(turned) > 0.0))
        return ond_tree_fail(&b->solids->scene->tree, def->node, err,
                             "solid '%.60s' has no volume, so it cannot float or fall", def->name);
    const OndInertia i = m.inertia;
    body->mass = density * m.volume;
    body->volume = m.volume;
    body->center = m.center;
    body->inertia = (OndInertia){density * i.xx, density * i.yy, density * i.zz,
                                 density * i.xy, density * i.xz, density * i.yz};
    return OND_OK;
}

double ond_body_arm(const OndBodies *b, int which)
{
    const OndBox box = b->solids->solid[b->body[which].solid].bounds;
    const OndVec center = b->body[which].center, low = ond_sub(center, box.min),
                 high = ond_sub(box.max, center);
    return ond_length(
        ond_vec(fmax(low.x, high.x), fmax(low.y, high.y), b->flat ? 0.0 : fmax(low.z, high.z)));
}

// ---- turning

// Angular momentum of a spin, for a body that stands so.
static OndVec momentum_of(const OndBody *body, const OndPose *pose, OndVec spin)
{
    const OndVec own = ond_pose_unturn(pose, spin);
    return ond_pose_turn(pose, ond_inertia_times(&body->inertia, own));
}

static OndVec spin_of(const OndBody *body, const OndPose *pose, OndVec momentum)
{
    const OndVec own = ond_pose_unturn(pose, momentum);
    return ond_pose_turn(pose, ond_inertia_solve(&body->inertia, own));
}

// Turned on by the vector `angle`, of length 1 again.
static OndPose turn_on(const OndPose *p, OndVec angle)
{
    const double size = ond_length(angle);
    const OndVec a = ond_scale(angle, size > 1e-12 ? sin(0.5 * size) / size : 0.5);
    const double c = cos(0.5 * size);
    OndPose q = {p->at, c * p->w - a.x * p->x - a.y * p->y - a.z * p->z,
                 c * p->x + a.x * p->w + a.y * p->z - a.z * p->y,
                 c * p->y - a.x * p->z + a.y * p->w + a.z * p->x,
                 c * p->z + a.x * p->y - a.y * p->x + a.z * p->w};
    const double length = sqrt(q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z);
    q.w /= length, q.x /= length, q.y /= length, q.z /= length;
    return q;
}

static OndPose turn_freely(const OndBody *body, const OndPose *pose, double dt)
{
    OndVec spin = spin_of(body, pose, body->momentum);
    for (int k = 0; k < TURN_ROUNDS; ++k) {
        const OndPose middle = turn_on(pose, ond_scale(spin, 0.5 * dt));
        spin = spin_of(body, &middle, body->momentum);
    }
    return turn_on(pose, ond_scale(spin, dt));
}

// ---- a step

int ond_bodies_find(const OndBodies *b, int solid)
{
    for (int k = 0; k < b->count; ++k)
        if (b->body[k].solid == solid) return k;
    return -1;
}

OndVec ond_body_center(const OndBodies *b, int which)
{
    return ond_pose_out(&ond_body_state(b, which)->pose, b->body[which].center);
}

OndVec ond_body_spin(const OndBodies *b, int which)
{
    return spin_of(&b->body[which], &ond_body_state(b, which)->pose, b->body[which].momentum);
}

// From the velocity of its own origin to that of its centre of mass.
static void read_motion(const OndBodies *b, int which)
{
    OndBody *const body = &b->body[which];
    const OndSolidState *const s = ond_body_state(b, which);
    const OndVec arm = ond_sub(ond_body_center(b, which), s->pose.at);
    body->velocity = ond_add(s->velocity, ond_cross(s->spin, arm));
    body->momentum = momentum_of(body, &s->pose, s->spin);
}

// By a load that yields. What is gained is told, about the solid's own origin.
static void push_softly(const OndBodies *b, int which, OndVec force, OndVec torque, double dt)
{
    OndBody *const body = &b->body[which];
    const OndPose *const pose = &ond_body_state(b, which)->pose;
    const OndVec arm = ond_sub(ond_body_center(b, which), pose->at);
    OndSolidLoad *const load = &ond_solids_loads(b->solids->solids)[body->solid];
    OndVec gain, spin;
    ond_body_gain(body, pose, arm, load, b->flat, dt, force, torque, &gain, &spin);
    body->velocity = ond_add(body->velocity, gain);
    body->momentum = ond_add(body->momentum, momentum_of(body, pose, spin));
    load->gain = ond_sub(gain, ond_cross(spin, arm));
    load->gain_spin = spin;
}

// A force and a torque about its own origin, and its weight, for a time.
static void push(const OndBodies *b, int which, const OndSolidLoad *by, OndVec gravity, double dt)
{
    OndBody *const body = &b->body[which];
    const OndVec arm = ond_sub(ond_body_center(b, which), ond_body_state(b, which)->pose.at);
    OndVec force = by->force, torque = ond_sub(by->torque, ond_cross(arm, by->force));
    if (b->flat) force.z = torque.x = torque.y = 0.0;
    if (ond_load_yields(by)) {
        push_softly(b, which, ond_add(force, ond_scale(gravity, body->mass)), torque, dt);
        return;
    }
    body->velocity = ond_add(body->velocity, ond_scale(force, dt / body->mass));
    body->velocity = ond_add(body->velocity, ond_scale(gravity, dt));
    body->momentum = ond_add(body->momentum, ond_scale(torque, dt));
}

static OndSolidState state_at(const OndBody *body, OndPose pose, OndVec center)
{
    OndSolidState s = {.pose = pose};
    s.pose.at = ond_sub(center, ond_pose_turn(&pose, body->center));
    s.spin = spin_of(body, &pose, body->momentum);
    s.velocity = ond_add(body->velocity, ond_cross(s.spin, ond_sub(s.pose.at, center)));
    return s;
}

static void aim_one(const OndBodies *b, int which, double dt)
{
    const OndBody *const body = &b->body[which];
    const OndPose turned = turn_freely(body, &ond_body_state(b, which)->pose, dt);
    const OndPose pose = turn_on(&turned, ond_scale(body->push_spin, dt));
    const OndVec velocity = ond_add(body->velocity, body->push);
    const OndVec center = ond_add(ond_body_center(b, which), ond_scale(velocity, dt));
    const OndSolidState end = state_at(body, pose, center);
    ond_solids_aim(b->solids->solids, body->solid, &end);
}

// What an impulse does to it, a column each.
static void tell_ease(const OndBodies *b, int which)
{
    const OndBody *const body = &b->body[which];
    const OndPose *const pose = &ond_body_state(b, which)->pose;
    const OndVec arm = ond_sub(ond_body_center(b, which), pose->at);
    OndSolidLoad *const load = &ond_solids_loads(b->solids->solids)[body->solid];
    const OndSolidLoad none = {0};
    for (int k = 0; k < 6; ++k) {
        const OndVec one = ond_vec(k % 3 == 0, k % 3 == 1, k % 3 == 2), zero = ond_vec(0, 0, 0);
        const OndVec torque = k < 3 ? ond_cross(one, arm) : one;
        OndVec gain, spin;
        ond_body_gain(body, pose, arm, &none, b->flat, 1.0, k < 3 ? one : zero, torque, &gain,
                      &spin);
        gain = ond_sub(gain, ond_cross(spin, arm));
        const double column[6] = {gain.x, gain.y, gain.z, spin.x, spin.y, spin.z};
        for (int r = 0; r < 6; ++r)
            load->ease[r][k] = column[r];
    }
}

void ond_bodies_tell(const OndBodies *b)
{
    for (int k = 0; k < b->count; ++k)
        tell_ease(b, k);
}

static bool is_finite(const OndBody *body)
{
    return isfinite(ond_length(body->velocity) + ond_length(body->momentum));
}

OndStatus ond_bodies_aim(OndBodies *b, double dt, OndError *err)
{
    if (b->count == 0) return OND_OK;
    const OndSolidLoad *const load = ond_solids_loads(b->solids->solids);
    for (int k = 0; k < b->count; ++k) {
        OndBody *const body = &b->body[k];
        body->known = load[body->solid];
        read_motion(b, k);
        body->push = body->push_spin = ond_vec(0, 0, 0);
        push(b, k, &body->known, b->gravity, dt);
        if (!is_finite(body))
            return ond_fail(err, OND_UNSTABLE,
                            "solid '%.60s' is pushed without bounds: it is too light for what "
                            "flows against it. Give it more mass, or take shorter steps",
                            b->solids->solid[body->solid].def->name);
    }
    const OndStatus status = ond_body_contacts_solve(b->contacts, dt, err);
    for (int k = 0; k < b->count && status == OND_OK; ++k)
        aim_one(b, k, dt);
    return status;
}

void ond_bodies_know(OndBodies *b)
{
    for (int k = 0; k < b->count; ++k)
        b->body[k].known = ond_solids_loads(b->solids->solids)[b->body[k].solid];
}

void ond_bodies_finish(OndBodies *b, double dt)
{
    for (int k = 0; k < b->count; ++k) {
        OndBody *const body = &b->body[k];
        OndSolidLoad late = ond_solids_loads(b->solids->solids)[body->solid];
        late.force = ond_sub(late.force, body->known.force);
        late.torque = ond_sub(late.torque, body->known.torque);
        read_motion(b, k);
        push(b, k, &late, ond_vec(0, 0, 0), dt);
        const OndSolidState s = state_at(body, ond_body_state(b, k)->pose, ond_body_center(b, k));
        ond_solids_place(b->solids->solids, body->solid, &s);
    }
}

bool ond_bodies_unsettled(const OndBodies *b)
{
    return ond_body_contacts_unsettled(b->contacts);
}

// ---- checkpoints

void ond_bodies_save(OndBodies *b, OndCheckpoint *to)
{
    for (int k = 0; k < b->count; ++k) {
        const OndSolidState *const s = ond_body_state(b, k);
        const double values[STATE_VALUES] = {
            s->pose.at.x,  s->pose.at.y,  s->pose.at.z,  s->pose.w, s->pose.x, s->pose.y, s->pose.z,
            s->velocity.x, s->velocity.y, s->velocity.z, s->spin.x, s->spin.y, s->spin.z};
        memcpy(b->state + (size_t)k * STATE_VALUES, values, sizeof values);
    }
    to->body = b->state;
    to->body_values = b->count * STATE_VALUES;
}

OndStatus ond_bodies_restore(OndBodies *b, const OndCheckpoint *from, OndError *err)
{
    if (from->body_values != b->count * STATE_VALUES)
        return ond_fail(err, OND_BAD_VALUE,
                        "the checkpoint holds %d values of bodies instead of %d; it comes from "
                        "another version, start the run anew",
                        from->body_values, b->count * STATE_VALUES);
    for (int k = 0; k < b->count; ++k) {
        const double *const v = from->body + (size_t)k * STATE_VALUES;
        const OndSolidState s = {{{v[0], v[1], v[2]}, v[3], v[4], v[5], v[6]},
                                 {v[7], v[8], v[9]},
                                 {v[10], v[11], v[12]}};
        const double length = sqrt(v[3] * v[3] + v[4] * v[4] + v[5] * v[5] + v[6] * v[6]);
        if (!(fabs(length - 1.0) < 1e-6) || !isfinite(ond_length(s.pose.at)))
            return ond_fail(err, OND_BAD_VALUE, "the checkpoint is damaged: body %d stands nowhere",
                            k);
        ond_solids_place(b->solids->solids, b->body[k].solid, &s);
    }
    return OND_OK;
}

// ---- from outside

void ond_bodies_kick(OndBodies *b, int which, OndVec impulse, OndVec at)
{
    OndBody *const body = &b->body[which];
    const OndVec center = ond_body_center(b, which);
    OndVec turn = ond_cross(ond_sub(at, center), impulse);
    if (b->flat) impulse.z = turn.x = turn.y = 0.0;
    read_motion(b, which);
    body->velocity = ond_add(body->velocity, ond_scale(impulse, 1.0 / body->mass));
    body->momentum = ond_add(body->momentum, turn);
    const OndSolidState s = state_at(body, ond_body_state(b, which)->pose, center);
    ond_solids_place(b->solids->solids, body->solid, &s);
}

void ond_bodies_put(OndBodies *b, int which, OndPose pose, OndVec velocity, OndVec spin)
{
    OndBody *const body = &b->body[which];
    if (b->flat) velocity.z = spin.x = spin.y = 0.0;
    body->velocity = velocity;
    body->momentum = momentum_of(body, &pose, spin);
    const OndSolidState s = state_at(body, pose, ond_pose_out(&pose, body->center));
    ond_solids_place(b->solids->solids, body->solid, &s);
}

void ond_bodies_lead(OndBodies *b, int solid)
{
    if (b->contacts) ond_body_contacts_lead(b->contacts, solid);
}

// ---- making

// A body's velocity is told at its pivot; from here on it is that of its centre.
static void start(const OndBodies *b, int which)
{
    OndBody *const body = &b->body[which];
    const OndSceneSolid *const def = b->solids->solid[body->solid].def;
    const OndSolidState *const now = ond_body_state(b, which);
    body->velocity = def->velocity;
    body->momentum = momentum_of(body, &now->pose, def->spin);
    const OndSolidState s = state_at(body, now->pose, ond_body_center(b, which));
    ond_solids_place(b->solids->solids, body->solid, &s);
}

OndStatus ond_bodies_make(OndSimSolids *solids, OndBodies *out, OndError *err)
{
    const OndSceneDef *const scene = solids->scene;
    *out = (OndBodies){solids, scene->gravity, scene->dimension == 2, 0, NULL, NULL, NULL, NULL};
    int count = 0;
    for (int k = 0; k < solids->count; ++k)
        count += ond_solid_is_body(solids->solid[k].def);
    if (count == 0) return OND_OK;
    out->body = OND_NEW_ARRAY(OndBody, count);
    out->state = OND_NEW_ARRAY(double, (size_t)count *STATE_VALUES);
    out->thickness = OND_NEW_ARRAY(double, solids->count);
    if (!out->body || !out->state || !out->thickness)
        return ond_fail(err, OND_NO_MEMORY, "not enough memory for %d bodies", count);
    OndStatus status = OND_OK;
    for (int k = 0; k < solids->count && status == OND_OK; ++k)
        status = ond_body_thickness(solids, k, out->flat, &out->thickness[k], err);
    for (int k = 0; k < solids->count && status == OND_OK; ++k) {
        if (!ond_solid_is_body(solids->solid[k].def)) continue;
        out->body[out->count].solid = k;
        status = weigh(out, &out->body[out->count], err);
        if (status == OND_OK) start(out, out->count++);
    }
    return status == OND_OK ? ond_body_contacts_make(out, &out->contacts, err) : status;
}

void ond_bodies_free(OndBodies *b)
{
    ond_body_contacts_free(b->contacts);
    ond_free(b->body);
    ond_free(b->state);
    ond_free(b->thickness);
    memset(b, 0, sizeof *b);
}
