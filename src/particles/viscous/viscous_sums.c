// SPDX-License-Identifier: MIT
// The sums of implicit viscosity: over neighbours (loops_viscous.c), over images of them behind walls,
// and over faces of solids.
//
// An image at a wall that sticks goes the other way, point for point; the pull along the line to it
// would not be the one that its source feels from the other's image. There each component is pulled
// by itself, x by K x^2 and so on: in layers along the wall that is the same, and the system stays
// symmetric. Images at walls that slip, and copies beyond periodic sides, pull like particles.
//
// Behind a face the velocity goes on linearly, through that of the face (physics/wall_density.h). A
// solid that moves by what it feels belongs to the system with its six speeds u: with E the inverse
// of its mass and C what rubs on it, u = (1 + dt E C)^-1 (u* + dt E sum c v), which is put in.
#include "base/memory.h"
#include "base/parallel.h"
#include "particles/sph/sph_solids.h"
#include "particles/viscous/viscous_state.h"
#include "physics/viscosity.h"
#include "physics/wall.h"

#include <string.h>

#define FAR_MOST 20.0 // times 1 / h^2

typedef struct ViscousSums {
    OndSph *s;
    OndViscous *v;
    OndViscousLoop loop;
    bool whole;
} ViscousSums;

static ViscousSums sums_of(OndSph *s, bool whole)
{
    OndViscous *const v = s->viscous;
    ViscousSums m = {.s = s,
                     .v = v,
                     .loop = {s->lists.pool, s->lists.first, s->lists.length, s->kernel,
                              s->pull_far, v->place, v->go, v->out, v->block},
                     .whole = whole};
    m.loop.kernel.gradient *= s->pull_ratio * v->unit;
    return m;
}

// ---- the kernel

// Of k x^2 y^2 and k x^4 over the start lattice, the second pair for what is times r^2.
typedef struct Lattice {
    double crossed, straight, far_crossed, far_straight;
} Lattice;

static Lattice lattice_of(const OndSph *s)
{
    const int reach = (int)ceil(s->def.smoothing), flat = s->world.dimension == 2 ? 0 : reach;
    const double d = s->world.spacing;
    Lattice sum = {0};
    for (int z = -flat; z <= flat; ++z)
        for (int y = -reach; y <= reach; ++y)
            for (int x = -reach; x <= reach; ++x) {
                const double r2 = d * d * (x * x + y * y + z * z);
                const double k = -d * d * d * d * ond_kernel_gradient(s->kernel, (float)sqrt(r2));
                sum.crossed += k * x * x * y * y;
                sum.straight += k * x * x * x * x;
                sum.far_crossed += k * r2 * x * x * y * y;
                sum.far_straight += k * r2 * x * x * x * x;
            }
    return sum;
}

void ond_viscous_set_up(OndSph *s)
{
    const Lattice l = lattice_of(s);
    const double least = -0.5 / s->kernel.h2, most = FAR_MOST / s->kernel.h2;
    const double far = (l.straight - 3.0 * l.crossed) / (3.0 * l.far_crossed - l.far_straight);
    s->pull_far = (float)(far > least ? fmin(far, most) : least);
    // narrow supports see next to nobody off the axes: then by those on them
    const double crossed = l.crossed + (double)s->pull_far * l.far_crossed,
                 straight = l.straight + (double)s->pull_far * l.far_straight;
    s->pull_ratio = (float)(2.0 / (s->rest_volume * fmax(crossed, straight / 9.0)));
}

// ---- neighbours

static void rub_range(int first, int last, int worker, void *context)
{
    const ViscousSums *m = context;
    m->s->loops->rub(&m->loop, first, last);
}

static void block_range(int first, int last, int worker, void *context)
{
    const ViscousSums *m = context;
    m->s->loops->rub_block(&m->loop, first, last);
}

// ---- images

static void image_range(int first, int last, int worker, void *context)
{
    const ViscousSums *m = context;
    const OndViscous *v = m->v;
    const OndQuad *const source = v->go;
    OndQuad *const image = v->go + m->s->fields.count;
    for (int k = first; k < last; ++k) {
        image[k] = source[m->s->images.source[k]] * v->mirror[k];
        if (m->whole) image[k] += v->behind[k];
    }
}

// What the walls that mirror it make of a velocity.
static OndQuad mirrored(const OndSph *s, int image, OndQuad v)
{
    for (int axis = 0; axis < s->world.dimension; ++axis) {
        const OndSide *wall = ond_images_mirror(&s->images, &s->world, image, axis);
        for (int a = 0; wall && a < 3; ++a)
            v[a] = a == axis ? ond_wall_mirror_across(v[a], wall->velocity[a])
                             : ond_wall_mirror_along(v[a], wall->velocity[a], wall->slip);
    }
    return v;
}

static bool only_slips(const OndSph *s, int image)
{
    bool slips = true;
    for (int axis = 0; axis < s->world.dimension; ++axis) {
        const OndSide *wall = ond_images_mirror(&s->images, &s->world, image, axis);
        slips = slips && (!wall || wall->slip >= 1.0f);
    }
    return slips;
}

static void place_images(int first, int last, int worker, void *context)
{
    const ViscousSums *m = context;
    const OndSph *s = m->s;
    OndViscous *v = m->v;
    for (int k = first; k < last; ++k) {
        const int to = s->fields.count + k;
        const OndQuad none = mirrored(s, k, (OndQuad){0}), one = {1.0f, 1.0f, 1.0f, 0.0f};
        const float line = only_slips(s, k) ? 1.0f : 0.0f;
        v->behind[k] = none;
        v->mirror[k] = mirrored(s, k, one) - none;
        v->mirror[k][3] = line;
        v->place[to] =
            (OndQuad){s->x[0][to], s->x[1][to], s->x[2][to], v->place[s->images.source[k]][3]};
        v->go[to] = (OndQuad){0.0f, 0.0f, 0.0f, line};
    }
}

// ---- faces of solids

// What a face takes of a velocity against it, N s/m: along its normal, and along itself.
typedef struct Hold {
    float across, along;
} Hold;

static Hold hold_of(const ViscousSums *m, int i, const OndRowTouch *touch)
{
    const OndSph *s = m->s;
    const OndWallTable *table = &s->solids->table;
    const float slip = ond_solids_def(s->world.solids, touch->solid)->slip;
    const float arm = fmaxf(touch->distance, 0.5f * (float)s->world.spacing);
    const float strength = touch->share * s->pull_ratio * m->v->unit * m->v->place[i][3] / arm;
    return (Hold){strength * ond_wall_sum(table, OND_WALL_PRESS, touch->distance),
                  strength * (1.0f - slip) * ond_wall_sum(table, OND_WALL_SHEAR, touch->distance)};
}

// Times a velocity.
static void held_back(Hold c, const float n[3], const float v[3], float out[3])
{
    const float across = (c.across - c.along) * ond_dot3(n, v);
    for (int a = 0; a < 3; ++a)
        out[a] = across * n[a] + c.along * v[a];
}

typedef void FaceFn(const ViscousSums *m, int i, OndRowTouch *touch, Hold hold);

typedef struct FacePass {
    const ViscousSums *m;
    FaceFn *body;
} FacePass;

// What is solid meets faces by contact.
static void pass_touches(int first, int last, int worker, void *context)
{
    const FacePass *p = context;
    OndSph *s = p->m->s;
    for (int k = first; k < last; ++k) {
        OndRow *row = ond_sph_row(s, k);
        if (s->has_rigidity && s->piece[row->particle]) continue;
        for (int t = 0; t < row->count; ++t)
            p->body(p->m, row->particle, &row->touch[t],
                    hold_of(p->m, row->particle, &row->touch[t]));
    }
}

static void for_touches(const ViscousSums *m, FaceFn *body)
{
    if (!m->s->solids) return;
    ond_parallel_for(m->s->solids->used_count, OND_GRAIN, pass_touches, &(FacePass){m, body});
}

static void block_touch(const ViscousSums *m, int i, OndRowTouch *touch, Hold c)
{
    const float *const n = touch->normal, more = c.across - c.along;
    float *const b = m->v->block[i];
    for (int a = 0; a < 3; ++a)
        b[a] += c.along + more * n[a] * n[a];
    b[3] += more * n[0] * n[1], b[4] += more * n[0] * n[2], b[5] += more * n[1] * n[2];
}

// ---- solids that move by what they feel

static bool is_free(const ViscousSums *m, int solid)
{
    return m->v->bodies > 0 && ond_solids_def(m->s->world.solids, solid)->free;
}

// Where `to` is where the particle is seen from the solid's own origin.
static void speed_at(const double speed[6], OndVec to, float out[3])
{
    const OndVec v = ond_add(ond_vec(speed[0], speed[1], speed[2]),
                             ond_cross(ond_vec(speed[3], speed[4], speed[5]), to));
    out[0] = (float)v.x, out[1] = (float)v.y, out[2] = (float)v.z;
}

static void add_load(double to[6], OndVec arm, const float force[3])
{
    const OndVec f = ond_vec(force[0], force[1], force[2]), turn = ond_cross(arm, f);
    to[0] += f.x, to[1] += f.y, to[2] += f.z;
    to[3] += turn.x, to[4] += turn.y, to[5] += turn.z;
}

typedef void BodyFn(const ViscousSums *m, OndViscousBody *body, int i, const OndRowTouch *touch);

// In the order of the rows.
static void for_bodies(const ViscousSums *m, BodyFn *body)
{
    OndSph *const s = m->s;
    for (int k = 0; k < s->solids->used_count; ++k) {
        const OndRow *row = ond_sph_row(s, k);
        if (s->has_rigidity && s->piece[row->particle]) continue;
        for (int t = 0; t < row->count; ++t)
            if (is_free(m, row->touch[t].solid))
                body(m, &m->v->body[row->touch[t].solid], row->particle, &row->touch[t]);
    }
}

// Into `gain` what a body's own speeds cost it, column by column.
static void weigh_body(const ViscousSums *m, OndViscousBody *body, int i, const OndRowTouch *touch)
{
    const OndVec arm = ond_sph_arm(m->s, touch->solid, i);
    const Hold c = hold_of(m, i, touch);
    for (int k = 0; k < 6; ++k) {
        double one[6] = {0}, load[6] = {0};
        float v[3], force[3];
        one[k] = 1.0;
        speed_at(one, arm, v);
        held_back(c, touch->normal, v, force);
        add_load(load, arm, force);
        for (int r = 0; r < 6; ++r)
            body->gain[r][k] += load[r];
    }
}

// What pushes it already, and what its speed is.
static void push_body(const ViscousSums *m, OndViscousBody *body, int i, const OndRowTouch *touch)
{
    const float mass = m->s->mass[m->s->material[i]];
    float force[3];
    for (int a = 0; a < 3; ++a)
        force[a] = -mass * touch->push[a];
    add_load(body->speed, ond_sph_arm(m->s, touch->solid, i), force);
}

static void pull_body(const ViscousSums *m, OndViscousBody *body, int i, const OndRowTouch *touch)
{
    const OndQuad go = m->v->go[i];
    float force[3];
    held_back(hold_of(m, i, touch), touch->normal, (float[3]){go[0], go[1], go[2]}, force);
    add_load(body->speed, ond_sph_arm(m->s, touch->solid, i), force);
}

// x of a x = b, for each of `columns` right sides; by elimination with the largest pivot.
static void solve6(double a[6][6], double b[6][6], int columns)
{
    for (int p = 0; p < 6; ++p) {
        int best = p;
        for (int r = p + 1; r < 6; ++r)
            best = fabs(a[r][p]) > fabs(a[best][p]) ? r : best;
        for (int c = 0; c < 6; ++c) {
            const double of_a = a[p][c], of_b = b[p][c];
            a[p][c] = a[best][c], a[best][c] = of_a;
            b[p][c] = b[best][c], b[best][c] = of_b;
        }
        for (int r = 0; r < 6; ++r) {
            const double times = r == p ? 0.0 : a[r][p] / a[p][p];
            for (int c = 0; times != 0.0 && c < 6; ++c)
                a[r][c] -= times * a[p][c], b[r][c] -= times * b[p][c];
        }
    }
    for (int r = 0; r < 6; ++r)
        for (int c = 0; c < columns; ++c)
            b[r][c] /= a[r][r];
}

// Of `body->gain` = C and `body->speed` = loads: (1 + dt E C)^-1 dt E, and the speeds it would have.
static void ready_body(const OndSph *s, OndViscousBody *body, int solid, float dt)
{
    const OndSolidLoad *const load = &ond_solids_loads(s->world.solids)[solid];
    const OndSolidState *const state = ond_solids_state(s->world.solids, solid);
    const OndVec v = state->velocity, w = state->spin;
    const double now[6] = {v.x, v.y, v.z, w.x, w.y, w.z};
    double own[6][6], gain[6][6];
    for (int r = 0; r < 6; ++r) {
        const bool moves = load->ease[r][r] > 0.0;
        body->free[r] = now[r] + (r < 3 && moves ? dt * (double)s->world.gravity[r] : 0.0);
        for (int c = 0; c < 6; ++c) {
            gain[r][c] = dt * load->ease[r][c];
            own[r][c] = r == c;
            body->free[r] += gain[r][c] * body->speed[c];
            for (int k = 0; k < 6; ++k)
                own[r][c] += dt * load->ease[r][k] * body->gain[k][c];
        }
    }
    double start[6][6] = {{0}}, same[6][6];
    memcpy(same, own, sizeof own);
    for (int r = 0; r < 6; ++r)
        start[r][0] = body->free[r];
    solve6(same, start, 1);
    solve6(own, gain, 6);
    for (int r = 0; r < 6; ++r)
        body->free[r] = start[r][0];
    memcpy(body->gain, gain, sizeof gain);
}

static void begin_bodies(const ViscousSums *m)
{
    OndViscous *const v = m->v;
    if (v->bodies == 0) return;
    memset(v->body, 0, (size_t)v->bodies * sizeof *v->body);
    for_bodies(m, weigh_body);
    for_bodies(m, push_body);
    for (int b = 0; b < v->bodies; ++b)
        ready_body(m->s, &v->body[b], b, v->dt);
}

static void move_bodies(const ViscousSums *m)
{
    OndViscous *const v = m->v;
    for (int b = 0; b < v->bodies; ++b)
        memset(v->body[b].speed, 0, sizeof v->body[b].speed);
    if (v->bodies) for_bodies(m, pull_body);
    for (int b = 0; b < v->bodies; ++b) {
        double speed[6] = {0};
        for (int r = 0; r < 6; ++r) {
            speed[r] = m->whole ? v->body[b].free[r] : 0.0;
            for (int c = 0; c < 6; ++c)
                speed[r] += v->body[b].gain[r][c] * v->body[b].speed[c];
        }
        memcpy(v->body[b].speed, speed, sizeof speed);
    }
}

// What a face takes of a particle's velocity in `go`.
static void take(const ViscousSums *m, int i, const OndRowTouch *touch, Hold hold, float out[3])
{
    const OndQuad go = m->v->go[i];
    float face[3] = {0.0f, 0.0f, 0.0f}, against[3];
    if (is_free(m, touch->solid))
        speed_at(m->v->body[touch->solid].speed, ond_sph_arm(m->s, touch->solid, i), face);
    else if (m->whole)
        memcpy(face, touch->velocity, sizeof face);
    for (int a = 0; a < 3; ++a)
        against[a] = go[a] - face[a];
    held_back(hold, touch->normal, against, out);
}

static void rub_touch(const ViscousSums *m, int i, OndRowTouch *touch, Hold hold)
{
    float lost[3];
    take(m, i, touch, hold, lost);
    m->v->out[i] += (OndQuad){lost[0], lost[1], lost[2], 0.0f};
}

static void load_touch(const ViscousSums *m, int i, OndRowTouch *touch, Hold hold)
{
    float lost[3];
    take(m, i, touch, hold, lost);
    for (int a = 0; a < 3; ++a)
        touch->push[a] -= lost[a] / m->s->mass[m->s->material[i]];
}

// ---- all of them

static void place_range(int first, int last, int worker, void *context)
{
    const ViscousSums *m = context;
    OndSph *s = m->s;
    for (int i = first; i < last; ++i) {
        const float mass = s->mass[s->material[i]];
        const float room = mass / s->world.material[s->material[i]].density;
        m->v->place[i] = (OndQuad){s->x[0][i], s->x[1][i], s->x[2][i],
                                   s->viscosity[i] * room * room / m->v->unit};
        m->v->go[i] = (OndQuad){0.0f, 0.0f, 0.0f, 1.0f};
    }
}

static float largest_strength(const OndSph *s)
{
    float most = 0.0f;
    for (int m = 0; m < s->world.material_count; ++m) {
        const float room = s->mass[m] / s->world.material[m].density;
        most = fmaxf(most, ond_sph_thickest(&s->world.material[m]) * room * room);
    }
    return most > 0.0f ? most : 1.0f;
}

void ond_viscous_begin(OndSph *s, float dt)
{
    s->viscous->dt = dt;
    s->viscous->unit = largest_strength(s);
    const ViscousSums m = sums_of(s, false);
    const int n = s->fields.count;
    ond_parallel_for(n, 8 * OND_GRAIN, place_range, (void *)&m);
    ond_parallel_for(s->images.count, OND_IMAGE_BLOCK, place_images, (void *)&m);
    ond_parallel_for(n, OND_GRAIN, block_range, (void *)&m);
    for_touches(&m, block_touch);
    begin_bodies(&m);
}

void ond_viscous_sum(OndSph *s, bool whole)
{
    const ViscousSums m = sums_of(s, whole);
    ond_parallel_for(s->images.count, OND_IMAGE_BLOCK, image_range, (void *)&m);
    ond_parallel_for(s->fields.count, OND_GRAIN, rub_range, (void *)&m);
    move_bodies(&m);
    for_touches(&m, rub_touch);
}

void ond_viscous_load(OndSph *s)
{
    const ViscousSums m = sums_of(s, true);
    for_touches(&m, load_touch);
}
