// SPDX-License-Identifier: MIT
// The two sums of the system, over neighbours (loops_incompressible.c) and over the faces of solids.
//
// A face adds to a particle's sum of W what its half-space holds, which changes with the distance
// alone; it pushes by the same slope, so that the system stays symmetric. A flat one counts twice
// (projection_faces.c). A solid that moves by what it feels is part of the system with its six
// motions: what pushes a particle off pushes it back, so that one as light as a cork is as calm as one
// of lead.
#include "base/parallel.h"
#include "particles/incompressible/projection_state.h"
#include "particles/rigid/rigid.h"
#include "particles/sph/sph_solids.h"

#include <string.h>

typedef struct Sums {
    OndSph *s;
    OndImpulseLoop loop;
    float dt;
    bool fall;
} Sums;

static Sums sums_of(OndSph *s, OndQuad *way, float *sum)
{
    Sums m = {.s = s,
              .loop = {s->lists.pool, s->lists.first, s->lists.length, s->kernel,
                       s->projection->place, s->inverse_mass, way, sum}};
    m.loop.kernel.gradient *= s->slope_ratio; // the slope of what is summed
    return m;
}

// ---- neighbours

static void impulse_range(int first, int last, int worker, void *context)
{
    const Sums *m = context;
    m->s->loops->impulse(&m->loop, first, last);
}

static void crowding_range(int first, int last, int worker, void *context)
{
    const Sums *m = context;
    m->s->loops->crowding(&m->loop, first, last);
}

static void ease_range(int first, int last, int worker, void *context)
{
    const Sums *m = context;
    m->s->loops->ease(&m->loop, first, last);
}

static void differ_range(int first, int last, int worker, void *context)
{
    const Sums *m = context;
    m->s->loops->differ(&m->loop, first, last);
}

// ---- images

static void image_impulses(int first, int last, int worker, void *context)
{
    const OndSph *s = context;
    OndQuad *const place = s->projection->place + s->fields.count;
    for (int k = first; k < last; ++k)
        place[k][3] = s->projection->place[s->images.source[k]][3];
}

static void image_ways(int first, int last, int worker, void *context)
{
    const Sums *m = context;
    const OndSph *s = m->s;
    OndQuad *const way = m->loop.way + s->fields.count;
    for (int k = first; k < last; ++k)
        way[k] = m->loop.way[s->images.source[k]] * s->projection->mirror[k];
}

// ---- faces of solids

// What a plane does to the sum of W of a particle that comes nearer, 1/m^4.
float ond_projection_steepness(const OndSph *s, const OndRowTouch *touch)
{
    return (touch->round ? 1.0f : 2.0f) * s->slope_ratio * touch->edge *
           ond_wall_sum(&s->solids->table, OND_WALL_SLOPE, touch->distance);
}

typedef void TouchFn(const Sums *m, int i, OndRowTouch *touch, float steep);

typedef struct TouchPass {
    const Sums *m;
    TouchFn *body;
} TouchPass;

// What is solid meets faces by contact.
static void pass_touches(int first, int last, int worker, void *context)
{
    const TouchPass *p = context;
    OndSph *s = p->m->s;
    for (int k = first; k < last; ++k) {
        OndRow *row = ond_sph_row(s, k);
        if (s->has_rigidity && s->piece[row->particle]) continue;
        for (int t = 0; t < row->count; ++t) {
            OndRowTouch *touch = &row->touch[t];
            p->body(p->m, row->particle, touch, ond_projection_steepness(s, touch));
        }
    }
}

static void for_touches(const Sums *m, TouchFn *body)
{
    if (!m->s->solids) return;
    ond_parallel_for(m->s->solids->used_count, OND_GRAIN, pass_touches, &(TouchPass){m, body});
}

// Images along them.
static void push_rows(int first, int last, int worker, void *context)
{
    const Sums *m = context;
    for (int k = first; k < last; ++k)
        ond_projection_push_along(m->s, k, m->loop.way);
}

static void crowd_rows(int first, int last, int worker, void *context)
{
    const Sums *m = context;
    for (int k = first; k < last; ++k)
        m->loop.sum[ond_sph_row(m->s, k)->particle] +=
            ond_projection_crowd_along(m->s, k, m->loop.way);
}

static void for_rows(const Sums *m, OndRangeFn *body)
{
    if (m->s->solids) ond_parallel_for(m->s->solids->used_count, OND_GRAIN, body, (void *)m);
}

static void push_touch(const Sums *m, int i, OndRowTouch *touch, float steep)
{
    const float push = m->s->inverse_mass[i] * m->loop.place[i][3] * steep;
    for (int a = 0; a < 3; ++a)
        m->loop.way[i][a] += push * touch->normal[a];
}

static void ease_rows(int first, int last, int worker, void *context)
{
    const Sums *m = context;
    for (int k = first; k < last; ++k)
        if (!(m->s->has_rigidity && m->s->piece[ond_sph_row(m->s, k)->particle]))
            ond_projection_ease_row(m->s, k, m->loop.sum, m->loop.way);
}

// ---- solids that move by what they feel

static bool is_free(const OndSph *s, int solid)
{
    return s->projection->bodies > 0 && ond_solids_def(s->world.solids, solid)->free;
}

// What a free solid's surface has of its motion where a particle touches it.
static OndVec body_way(const OndSph *s, const double way[6], int solid, int i)
{
    return ond_add(ond_vec(way[0], way[1], way[2]),
                   ond_cross(ond_vec(way[3], way[4], way[5]), ond_sph_arm(s, solid, i)));
}

static void push_back(OndSph *s, int i, const OndRowTouch *touch, float steep)
{
    double *const to = s->projection->body[touch->solid];
    const double push = -(double)(s->projection->place[i][3] * steep);
    const OndVec force =
        ond_scale(ond_vec(touch->normal[0], touch->normal[1], touch->normal[2]), push);
    const OndVec torque = ond_cross(ond_sph_arm(s, touch->solid, i), force);
    to[0] += force.x, to[1] += force.y, to[2] += force.z;
    to[3] += torque.x, to[4] += torque.y, to[5] += torque.z;
}

// What impulses do to them: summed over rows in their order, then by how easily each moves.
static void move_bodies(OndSph *s)
{
    OndProjection *const p = s->projection;
    memset(p->body, 0, (size_t)p->bodies * sizeof *p->body);
    for (int k = 0; k < s->solids->used_count; ++k) {
        const OndRow *row = ond_sph_row(s, k);
        if (s->has_rigidity && s->piece[row->particle]) continue;
        for (int t = 0; t < row->count; ++t)
            if (is_free(s, row->touch[t].solid))
                push_back(s, row->particle, &row->touch[t],
                          ond_projection_steepness(s, &row->touch[t]));
    }
    for (int b = 0; b < p->bodies; ++b) {
        const OndSolidLoad *const load = &ond_solids_loads(s->world.solids)[b];
        double way[6] = {0};
        for (int r = 0; r < 6; ++r)
            for (int c = 0; c < 6; ++c)
                way[r] += load->ease[r][c] * p->body[b][c];
        memcpy(p->body[b], way, sizeof way);
    }
}

static void crowd_touch(const Sums *m, int i, OndRowTouch *touch, float steep)
{
    const OndQuad w = m->loop.way[i];
    float by[3] = {w[0], w[1], w[2]};
    if (is_free(m->s, touch->solid)) {
        const OndVec way = body_way(m->s, m->s->projection->body[touch->solid], touch->solid, i);
        by[0] -= (float)way.x, by[1] -= (float)way.y, by[2] -= (float)way.z;
    }
    m->loop.sum[i] -= steep * ond_dot3(by, touch->normal);
}

static void move_touch(const Sums *m, int i, OndRowTouch *touch, float steep)
{
    const OndSph *s = m->s;
    float v[3] = {touch->velocity[0], touch->velocity[1], touch->velocity[2]};
    if (is_free(s, touch->solid)) {
        const OndVec more = body_way(s, s->projection->gained[touch->solid], touch->solid, i);
        const float fallen = m->fall ? m->dt : 0.0f;
        for (int a = 0; a < 3; ++a)
            v[a] += (float)ond_axis(more, a) + fallen * s->world.gravity[a];
    }
    m->loop.sum[i] += m->dt * steep * ond_dot3(v, touch->normal);
}

// Impulses are in s->impulse.
static void load_touch(const Sums *m, int i, OndRowTouch *touch, float steep)
{
    const float push = m->s->inverse_mass[i] * m->s->impulse[i] * steep / (m->dt * m->dt);
    for (int a = 0; a < 3; ++a)
        touch->push[a] += push * touch->normal[a];
}

// ---- all of them

void ond_projection_push_each(OndSph *s, OndQuad *way)
{
    const Sums m = sums_of(s, way, NULL);
    ond_parallel_for(s->images.count, OND_IMAGE_BLOCK, image_impulses, s);
    ond_parallel_for(s->fields.count, OND_GRAIN, impulse_range, (void *)&m);
    for_touches(&m, push_touch);
    for_rows(&m, push_rows);
    if (s->projection->bodies) move_bodies(s);
}

void ond_projection_push(OndSph *s, OndQuad *way)
{
    ond_projection_push_each(s, way);
    ond_rigid_pressure_move(s, way);
}

void ond_projection_crowd(OndSph *s, OndQuad *way, float *sum)
{
    const Sums m = sums_of(s, way, sum);
    ond_parallel_for(s->images.count, OND_IMAGE_BLOCK, image_ways, (void *)&m);
    ond_parallel_for(s->fields.count, OND_GRAIN, crowding_range, (void *)&m);
    for_touches(&m, crowd_touch);
    for_rows(&m, crowd_rows);
}

void ond_projection_diagonal(OndSph *s)
{
    const Sums m = sums_of(s, s->projection->trial, s->diagonal);
    ond_parallel_for(s->fields.count, OND_GRAIN, ease_range, (void *)&m);
    for_rows(&m, ease_rows);
}

void ond_projection_differ(OndSph *s, float *sum)
{
    const Sums m = sums_of(s, NULL, sum);
    ond_parallel_for(s->images.count, OND_IMAGE_BLOCK, image_impulses, s);
    ond_parallel_for(s->fields.count, OND_GRAIN, differ_range, (void *)&m);
}

void ond_projection_walls(OndSph *s, float dt, bool fall)
{
    Sums m = sums_of(s, NULL, s->crowded);
    m.dt = dt, m.fall = fall;
    for_touches(&m, move_touch);
}

void ond_projection_keep_bodies(OndSph *s, float dt)
{
    OndProjection *const p = s->projection;
    if (p->bodies == 0) return;
    for (int i = 0; i < s->fields.count; ++i)
        p->place[i][3] = s->impulse[i];
    move_bodies(s);
    for (int b = 0; b < p->bodies; ++b)
        for (int c = 0; c < 6; ++c)
            p->gained[b][c] = p->body[b][c] / dt;
}

void ond_projection_load(OndSph *s, float dt)
{
    Sums m = sums_of(s, NULL, NULL);
    m.dt = dt;
    for_touches(&m, load_touch);
}
