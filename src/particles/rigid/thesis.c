// SPDX-License-Identifier: MIT
// Rigidity as in Dagenais 2012, 2.2: predict, measure, correct.
//
// The liquid's step predicts where everything goes. A pair should keep the share s_ij of its offset
// from before and take the rest from that prediction; what is missing, averaged over a particle's
// pairs, is its correction. All particles correct at once, over and over, and walls are met in
// every prediction. It ends when the total error hardly falls any more [2.2.3], but not before the
// constraints have gone through [2.2.4, thesis_front.c].
//
// Where the thesis leaves room, this is what is done here:
// - The total error is the sum of the lengths of phi_i, over particles that can be corrected.
// - Under a constraint from the start: particles that the liquid's own prediction takes into a
//   wall, and held ones. Who meets a wall in a later iteration is stopped, but starts no front.
// - Stabilised particles go on being corrected, by their stabilised neighbours alone; held ones
//   never are.
// - A liquid neighbour (s = 0) is none: it weighs nothing, stabilised or not. Nor is one at the
// very
//   edge of the kernel: on a lattice, rounding would decide.
// - The second condition compares among particles that are not stabilised yet, by the neighbours'
//   own rigidity s_j. The thesis asks for the greatest; once heat has spread no two are the same,
//   and the front would move by one particle's neighbours at a time. Those within `alike` of the
//   greatest count as well; 0 is the letter of the thesis.
// - The five iterations are those in which only the first condition failed.
// - An error that has fallen to a millionth of the first one is none: floats have no more digits,
//   but its rule alone would go on as long as it falls.
// - The stop rule's windows also hold iterations from before the front had passed.
// - Corrections add up even against a wall, as forces do; the drift stops them there once more.
//   Before a mirror what is rigid stops earlier than the drift does, so there they end here: the
//   lowest layer would creep into the half spacing that is left, and be thrown out again.
#include "particles/rigid/thesis.h"

#include "base/parallel.h"
#include "physics/rigidity.h"

#define NONE 1e-6      // of the first error
#define ALL  0.999999f // weight of stabilised neighbours that is all of them but for rounding

typedef struct Step {
    OndSph *s;
    OndThesis *t;
    float dt;
} Step;

// As sph_integrate.c does with positions: to the wall, then along it as far as it lets slip.
OndQuad ond_thesis_walls(const OndSph *s, int i, OndQuad free, bool *met)
{
    float part = 1.0f, slip = 1.0f, gap[3][2];
    *met = false;
    for (int axis = 0; axis < 3; ++axis) {
        for (int end = 0; end < 2; ++end)
            gap[axis][end] = ond_rigid_stop(s, i, 2 * axis + end) - s->x[axis][i];
        if (free[axis] >= gap[axis][0] && free[axis] <= gap[axis][1]) continue;
        const int side = 2 * axis + (free[axis] > gap[axis][1]);
        const float t = gap[axis][side % 2] / free[axis];
        part = fminf(part, fmaxf(t, 0.0f));
        slip = fminf(slip, s->world.side[side].slip);
        *met = true;
    }
    if (!*met) return free;
    const float glide = part + (1.0f - part) * slip;
    for (int axis = 0; axis < 3; ++axis)
        free[axis] = fminf(fmaxf(glide * free[axis], gap[axis][0]), gap[axis][1]);
    return free;
}

static void predict_range(int first, int last, int worker, void *context)
{
    const Step *p = context;
    const OndSph *s = p->s;
    OndThesis *t = p->t;
    for (int i = first; i < last; ++i) {
        const OndQuad free = {p->dt * s->v[0][i], p->dt * s->v[1][i], p->dt * s->v[2][i], 0.0f};
        bool met;
        OndQuad u = ond_thesis_walls(s, i, free, &met);
        t->free[i] = free;
        t->liquid[i] = u;
        t->liquid[i][3] = ond_rigidity_in_step(s->rigidity[i], p->dt, (float)s->def.rigidity.time);
        u[3] = s->def.rigidity.propagation && (met || s->held[i]) ? 1.0f : 0.0f;
        t->now[i] = t->next[i] = u;
    }
}

// Setting a single lane would stall: these multiply instead.
static const OndQuad lanes_xyz = {1.0f, 1.0f, 1.0f, 0.0f}, lane_w = {0.0f, 0.0f, 0.0f, 1.0f};

static inline bool leaves(const OndSph *s, uint32_t i, OndQuad free)
{
    bool out = false;
    for (int axis = 0; axis < 3; ++axis) {
        const float x = s->x[axis][i];
        out |= free[axis] < ond_rigid_stop(s, (int)i, 2 * axis) - x;
        out |= free[axis] > ond_rigid_stop(s, (int)i, 2 * axis + 1) - x;
    }
    return out;
}

// One particle: what its neighbours ask for, added up, and the next prediction. Returns the size of
// phi.
static inline double correct(const OndSph *s, OndThesis *t, int k)
{
    const uint32_t i = t->slot[k].particle;
    const float stable = t->now[i][3], leaned = t->pull[k][3];
    OndQuad fix = t->pull[k] + t->aim[k];
    double error;
    if (leaned == 0.0f || (stable > 0.0f && leaned > ALL)) {
        t->best[k] = 0.0f;
        error = t->scale[k] * ond_quad_length(fix);
    } else {
        error = ond_thesis_lean(s, k, &fix);
    }
    const OndQuad free = t->free[i] + fix * lanes_xyz;
    bool met;
    t->free[i] = free;
    t->next[i] =
        (leaves(s, i, free) ? ond_thesis_walls(s, (int)i, free, &met) : free) + stable * lane_w;
    return error;
}

static void correct_blocks(int first, int last, int worker, void *context)
{
    const Step *p = context;
    OndThesis *t = p->t;
    const OndThesisLoop loop = {t->slot, t->pair, t->now, t->pull};
    for (int b = first; b < last; ++b) {
        const int begin = b * OND_THESIS_BLOCK,
                  end = begin + OND_THESIS_BLOCK < t->slots ? begin + OND_THESIS_BLOCK : t->slots;
        p->s->loops->thesis(&loop, begin, end);
        double error = 0;
        float best = 0.0f;
        for (int k = begin; k < end; ++k) {
            error += correct(p->s, t, k);
            if (!(t->now[t->slot[k].particle][3] > 0.0f)) best = fmaxf(best, t->best[k]);
        }
        t->error[b] = error, t->block_best[b] = best;
    }
}

// The total error before this correction.
static double iterate(Step *p)
{
    const int blocks = (p->t->slots + OND_THESIS_BLOCK - 1) / OND_THESIS_BLOCK;
    ond_parallel_for(blocks, 1, correct_blocks, p);
    double error = 0;
    for (int b = 0; b < blocks; ++b)
        error += p->t->error[b];
    return error;
}

// [2.2.3]: the mean of the last window has fallen by no more than `stop` of the one before.
static bool settled(const OndThesis *t, int iteration, double stop)
{
    if (iteration < 2 * t->window) return false;
    double before = 0, last = 0;
    for (int n = 1; n <= t->window; ++n) {
        last += t->history[(iteration - n) % (2 * t->window)];
        before += t->history[(iteration - n - t->window) % (2 * t->window)];
    }
    return before - last <= stop * before;
}

static void solve(Step *p)
{
    OndSph *s = p->s;
    OndThesis *t = p->t;
    double first = 0;
    int count = 0;
    bool done = t->slots == 0;
    while (!done && count < s->def.rigidity.iterations) {
        const double error = iterate(p);
        if (count == 0) first = error;
        t->history[count++ % (2 * t->window)] = error;
        const bool front = ond_thesis_advance(s);
        OndQuad *last = t->now;
        t->now = t->next, t->next = last;
        done = !front && (error <= NONE * first || settled(t, count, s->def.rigidity.stop));
    }
    s->iterations += count, s->rigid_iterations += count;
    s->unconverged |= !done; // heat may have said so already
}

// Corrections that add up against a wall must not come back from one that bounces: towards it, no
// more than the liquid's speed, or what it takes to get there.
static float meet_bouncing(const OndSph *s, uint32_t i, int axis, float v, float dt)
{
    const float at = s->x[axis][i] + dt * v;
    if (at >= ond_rigid_stop(s, (int)i, 2 * axis) && at <= ond_rigid_stop(s, (int)i, 2 * axis + 1))
        return v;
    const int side = 2 * axis + (at > ond_rigid_stop(s, (int)i, 2 * axis + 1));
    if (!(s->world.side[side].restitution > 0.0f)) return v;
    const float there = (ond_rigid_stop(s, (int)i, side) - s->x[axis][i]) / dt,
                liquid = s->v[axis][i];
    return side % 2 ? fminf(v, fmaxf(there, liquid)) : fmaxf(v, fminf(there, liquid));
}

static void finish_range(int first, int last, int worker, void *context)
{
    const Step *p = context;
    OndSph *s = p->s;
    const bool early = s->world.wall_model == OND_WALL_MIRROR;
    for (int k = first; k < last; ++k) {
        const uint32_t i = p->t->slot[k].particle;
        bool met;
        const OndQuad u = early ? ond_thesis_walls(s, (int)i, p->t->free[i], &met) : p->t->free[i];
        for (int axis = 0; axis < s->world.dimension; ++axis) {
            const float v = meet_bouncing(s, i, axis, u[axis] / p->dt, p->dt);
            s->a[axis][i] = ond_rigidity_held_back(s->a[axis][i], (v - s->v[axis][i]) / p->dt);
            s->v[axis][i] = v;
        }
    }
}

OndStatus ond_rigid_thesis(OndSph *s, float dt, OndError *err)
{
    if (!(dt > 0.0f)) return OND_OK;
    const OndStatus status = ond_thesis_reserve(s, err);
    if (status != OND_OK) return status;
    Step p = {s, s->thesis, dt};
    ond_parallel_for(s->fields.count, 8 * OND_GRAIN, predict_range, &p);
    ond_thesis_pair_up(s);
    for (int k = 0; k < p.t->slots; ++k)
        p.t->waited[k] = 0;
    solve(&p);
    ond_parallel_for(p.t->slots, 8 * OND_GRAIN, finish_range, &p);
    return OND_OK;
}
