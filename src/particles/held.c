// SPDX-License-Identifier: MIT
#include "particles/held.h"

#include "base/parallel.h"
#include "particles/held_path.h"

#define GRAIN 4096

// From the centre, as it is now.
static void find_arm(const OndHeldView *s, const OndMaterial *m, const float x[3], double r[3])
{
    for (int a = 0; a < 3; ++a)
        r[a] = x[a] - m->held_center[a] - s->time * m->held_velocity[a];
}

static bool on_path(const OndHeldView *s, int i)
{
    return ond_held_on_path(s->world, s->material[i], s->held[i]);
}

static void path_at(const OndHeldView *s, int i, double time, double x[3], double v[3])
{
    const OndHeldPath *const path = s->world->material[s->material[i]].held_path;
    ond_held_path_at(path, (int)(s->held[i] - OND_HELD_ON_PATH), time, x, v);
}

static void hold_on_path(const OndHeldView *s, int i)
{
    double x[3], v[3];
    path_at(s, i, s->time, x, v);
    for (int a = 0; a < 3; ++a) {
        s->v[a][i] = (float)v[a];
        s->a[a][i] = s->last[a][i] = 0.0f;
    }
}

static void hold_asleep(const OndHeldView *s, int i)
{
    for (int a = 0; a < 3; ++a)
        s->v[a][i] = s->a[a][i] = s->last[a][i] = 0.0f;
}

static void hold_one(const OndHeldView *s, int i, const OndMaterial *m)
{
    if (on_path(s, i)) {
        hold_on_path(s, i);
        return;
    }
    const float x[3] = {s->x[0][i], s->x[1][i], s->x[2][i]};
    double r[3];
    find_arm(s, m, x, r);
    for (int a = 0; a < 3; ++a) {
        const int b = (a + 1) % 3, c = (a + 2) % 3;
        s->v[a][i] = (float)(m->held_velocity[a] + m->held_spin[b] * r[c] - m->held_spin[c] * r[b]);
        s->a[a][i] = s->last[a][i] = 0.0f;
    }
}

// From its present velocity on: leapfrog would go back half a step and push it for that long, too.
static void let_go(const OndHeldView *s, int i)
{
    s->held[i] = 0;
    for (int a = 0; a < 3; ++a)
        s->last[a][i] = s->a[a][i];
}

static void hold_range(int first, int last, int worker, void *context)
{
    const OndHeldView *s = context;
    for (int i = first; i < last; ++i) {
        if (!s->held[i]) continue;
        const OndMaterial *m = &s->world->material[s->material[i]];
        if (s->held[i] == OND_HELD_ASLEEP)
            hold_asleep(s, i);
        else if (s->held[i] != OND_HELD_WAKING && s->time < m->held_until)
            hold_one(s, i, m);
        else
            let_go(s, i);
    }
}

void ond_held_set(const OndHeldView *view)
{
    ond_parallel_for(view->count, GRAIN, hold_range, (void *)view);
}

typedef struct Carry {
    const OndHeldView *s;
    double dt;
} Carry;

static void lead_range(int first, int last, int worker, void *context)
{
    const Carry *c = context;
    const OndHeldView *s = c->s;
    for (int i = first; i < last; ++i) {
        double x[3];
        if (!on_path(s, i)) continue;
        path_at(s, i, s->time + c->dt, x, NULL);
        for (int a = 0; a < 3; ++a)
            s->v[a][i] = (float)((x[a] - s->x[a][i]) / c->dt);
    }
}

void ond_held_lead(const OndHeldView *view, double dt)
{
    Carry c = {view, dt};
    ond_parallel_for(view->count, GRAIN, lead_range, &c);
}

static void carry_on_path(const OndHeldView *s, int i, double dt)
{
    double x[3], v[3];
    path_at(s, i, s->time + dt, x, v);
    for (int a = 0; a < 3; ++a)
        s->x[a][i] = (float)x[a], s->v[a][i] = (float)v[a];
}

// The drift went along the tangent; the rest of the turn is (R - 1 - dt spin x) r.
static void carry_one(const OndHeldView *s, int i, const OndMaterial *m, double dt)
{
    const double w[3] = {m->held_spin[0], m->held_spin[1], m->held_spin[2]};
    const double rate = sqrt(w[0] * w[0] + w[1] * w[1] + w[2] * w[2]), angle = rate * dt;
    if (!(rate > 0.0)) return;
    float before[3];
    double r[3], turn[3], twice[3];
    for (int a = 0; a < 3; ++a)
        before[a] = (float)(s->x[a][i] - dt * s->v[a][i]);
    find_arm(s, m, before, r);
    for (int a = 0; a < 3; ++a)
        turn[a] = w[(a + 1) % 3] * r[(a + 2) % 3] - w[(a + 2) % 3] * r[(a + 1) % 3];
    for (int a = 0; a < 3; ++a)
        twice[a] = w[(a + 1) % 3] * turn[(a + 2) % 3] - w[(a + 2) % 3] * turn[(a + 1) % 3];
    const double along = sin(angle) / rate - dt;
    const double across = 2.0 * sin(0.5 * angle) * sin(0.5 * angle) / (rate * rate);
    for (int a = 0; a < 3; ++a)
        s->x[a][i] += (float)(along * turn[a] + across * twice[a]);
}

static void carry_range(int first, int last, int worker, void *context)
{
    const Carry *c = context;
    for (int i = first; i < last; ++i) {
        if (on_path(c->s, i))
            carry_on_path(c->s, i, c->dt);
        else if (c->s->held[i] && c->s->held[i] != OND_HELD_ASLEEP)
            carry_one(c->s, i, &c->s->world->material[c->s->material[i]], c->dt);
    }
}

void ond_held_carry(const OndHeldView *view, double dt)
{
    Carry c = {view, dt};
    ond_parallel_for(view->count, GRAIN, carry_range, &c);
}
