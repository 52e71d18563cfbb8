// SPDX-License-Identifier: MIT
// The pressure a liquid starts with.
//
// A weakly compressible liquid that starts without pressure falls until it has squeezed itself, and
// then bounces like a spring for a long time: in an animation the pool pumps, or bursts. So the
// pressure that gravity will cause is found first. Positions stay; sound runs through them with
// friction until it rests:
//
//     dw/dt = g - grad p / rho - friction w,      dp/dt = - rho c^2 (div w - S / friction)
//
// with an auxiliary velocity w and S = tr(L L), L the gradient of the real velocity: where the flow
// itself would squeeze the liquid, pressure must already turn it. At the end div(g - grad p / rho)
// = S: the liquid begins to move as an incompressible one would. That is hydrostatic pressure in a
// pool, the right one at once behind a broken dam, none in a falling drop. Sound needs about H / (c
// dt) steps to cross a height H, a few crossings are enough, and the neighbour lists stay the same:
// cheap.
#include "base/memory.h"
#include "base/parallel.h"
#include "particles/sph/sph_state.h"

#include <string.h>

#define CROSSINGS  6   // of the liquid by sound
#define SOUND_STEP 0.6 // of h, that sound travels in a step; beyond 0.8 it is not stable
#define MOST_STEPS 4000

typedef struct Settle {
    OndSph *s;
    float dt, keep; // keep: share of w that friction leaves in a step
    float turn;     // 1 / friction
    float *squeeze; // S
} Settle;

static void push_range(int first, int last, int worker, void *context)
{
    const Settle *t = context;
    for (int axis = 0; axis < 3; ++axis) {
        float *restrict w = t->s->v[axis], *restrict a = t->s->a[axis];
        for (int i = first; i < last; ++i) {
            w[i] = t->keep * (w[i] + t->dt * a[i]);
            a[i] = t->s->world.gravity[axis];
        }
    }
}

static void squeeze_range(int first, int last, int worker, void *context)
{
    const Settle *t = context;
    OndSph *s = t->s;
    const float gain = t->dt * s->sound * s->sound;
    for (int i = first; i < last; ++i) {
        const float p =
            s->pressure[i] + gain * (s->rate[i] + t->turn * s->density[i] * t->squeeze[i]);
        const float most = s->density[i] * s->sound * s->sound; // squeezed to half: never at rest
        s->pressure[i] = s->def.suction || p > 0.0f ? fminf(p, most) : 0.0f;
    }
}

// Gravity alone, as acceleration before the first push.
static void weigh_range(int first, int last, int worker, void *context)
{
    const Settle *t = context;
    for (int axis = 0; axis < 3; ++axis)
        for (int i = first; i < last; ++i)
            t->s->a[axis][i] = t->s->world.gravity[axis];
}

// S = tr(L L) with L = sum_j V_j (v_j - v_i) (x) grad W.
static void squeeze_rates(int first, int last, int worker, void *context)
{
    const Settle *t = context;
    const OndSph *s = t->s;
    for (int i = first; i < last; ++i) {
        double l[3][3] = {{0}};
        for (uint32_t k = 0; k < s->lists.length[i]; ++k) {
            const uint32_t j = s->lists.pool[s->lists.first[i] + k];
            const float d[3] = {s->x[0][i] - s->x[0][j], s->x[1][i] - s->x[1][j],
                                s->x[2][i] - s->x[2][j]};
            const float r = sqrtf(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
            const float g = s->volume[j] * ond_kernel_gradient(s->kernel, r);
            for (int a = 0; a < 3; ++a)
                for (int b = 0; b < 3; ++b)
                    l[a][b] += (double)((s->v[a][j] - s->v[a][i]) * g * d[b]);
        }
        double sum = 0;
        for (int a = 0; a < 3; ++a)
            for (int b = 0; b < 3; ++b)
                sum += l[a][b] * l[b][a];
        t->squeeze[i] = (float)sum;
    }
}

static void swap_velocities(OndSph *s)
{
    for (int axis = 0; axis < 3; ++axis)
        for (int i = 0; i < s->fields.count; ++i) {
            const float v = s->v[axis][i];
            s->v[axis][i] = s->last[axis][i];
            s->last[axis][i] = v;
        }
}

OndStatus ond_sph_settle(OndSph *s, double height, OndError *err)
{
    const int n = s->fields.count;
    const double c = s->sound, dt = SOUND_STEP * s->kernel.h / c;
    const double friction = OND_PI * c / height; // about critical for the slowest wave
    Settle t = {s, (float)dt, (float)exp(-friction * dt), (float)(1.0 / friction),
                OND_NEW_ARRAY(float, n)};
    if (!t.squeeze)
        return ond_fail(err, OND_NO_MEMORY, "not enough memory to settle %d particles", n);
    const int steps = (int)fmin(CROSSINGS * height / (c * dt), MOST_STEPS);
    ond_parallel_for(n, OND_GRAIN, squeeze_rates, &t);
    swap_velocities(s); // `last` is 0 at the start: w takes its place, and v waits there
    ond_parallel_for(n, OND_GRAIN, weigh_range, &t);
    for (int k = 0; k < steps; ++k) {
        ond_sph_push(s);
        ond_sph_tension(s);
        ond_parallel_for(n, OND_GRAIN, push_range, &t);
        ond_sph_image_velocity(s);
        ond_sph_density_rate(s, (float)dt);
        ond_parallel_for(n, OND_GRAIN, squeeze_range, &t);
    }
    swap_velocities(s);
    for (int axis = 0; axis < 3; ++axis)
        memset(s->last[axis], 0, (size_t)n * sizeof(float));
    ond_sph_image_velocity(s);
    ond_free(t.squeeze);
    return OND_OK;
}
