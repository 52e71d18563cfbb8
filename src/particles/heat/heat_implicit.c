// SPDX-License-Identifier: MIT
// The default: one symmetric system a step.
//
//     H(T') - H(T) = sum_j K_ij (T'_j - T'_i) + g_i (T_out - T'_i) + power
//
// with the temperatures after the step on the right. What one particle gains its neighbour loses,
// so heat is kept; all K and g are >= 0, so T' is a mean of what was there and what is outside, and
// stays within their bounds however long the step is.
//
// Where nothing melts H is a straight line and this is one linear system. Otherwise it has three
// branches (solid, melting, molten), and each particle's depends on the answer: guess the branches,
// solve, guess again. The guess is where a particle would come to while its neighbours stay as they
// are; that settles in a few systems, each starting from the last. Should it go round in circles, a
// slow and sure form takes over [Casulli and Zanolli 2012]: H is split into a part that only gets
// steeper (melting begins) and one that is taken off (melting ends), and particles are declared
// molten one way only.
//
// A step so short that particles exchange a few per cent of their heat at most needs no system: the
// flow at the start is as good as that at the end, and keeps the bounds as well.
//
// At the end the remaining residuals are given to the particles they belong to (that is the flux
// form, which keeps heat exactly), what then lies outside the bounds is cut off, and what was cut
// is shared out among all, in proportion to how far they are from the bound. Only what a sink finds
// missing at absolute zero is not: it goes without.
#include "base/parallel.h"
#include "particles/heat/heat_state.h"

#define EASY       0.05 // stiffness up to which an explicit step is as good
#define GUESSES    25   // of branches, before the sure form takes over
#define STUBBORN   4    // guesses, after which neighbours count less in them
#define LESS       0.3
#define ROUGHLY    0.01 // share of the error that a system leaves while branches still change
#define SOLVES_MAX 100  // systems in a step
#define LONG_SOLVE 20   // iterations after which `flow` is found anew, free of rounding

typedef struct Implicit {
    OndSph *s;
    OndHeat *h;
    OndFlowLoop flow;
    enum { GUESSED, SURE, EXACT } form; // of the heat curve
    double bond;                        // how much neighbours count in guesses
    double *sum[4];                     // by block
    double share;                       // of the way to the bound, which makes up for what was cut
    bool keep_residual;
    int blocks;
} Implicit;

static inline int block_end(const Implicit *m, int block)
{
    const int end = (block + 1) * OND_SUM_BLOCK;
    return end < m->s->fields.count ? end : m->s->fields.count;
}

static double add_up(const Implicit *m, int which)
{
    double sum = 0;
    for (int b = 0; b < m->blocks; ++b)
        sum += m->sum[which][b];
    return sum;
}

static double largest(const Implicit *m, int which)
{
    double most = 0;
    for (int b = 0; b < m->blocks; ++b)
        most = fmax(most, m->sum[which][b]);
    return most;
}

// What is held, what is lost, and how stiff it is: the share of its heat that a particle might
// exchange in the step.
static void start_blocks(int first, int last, int worker, void *context)
{
    const Implicit *m = context;
    OndHeat *h = m->h;
    for (int b = first; b < last; ++b) {
        double stiff = 0;
        for (int i = b * OND_SUM_BLOCK; i < block_end(m, b); ++i) {
            const OndHeatCurve c = h->curve[m->s->material[i]];
            h->start[i] = ond_heat_held(c, h->value[i]);
            h->flow[i] += h->outside[i] * h->value[i] - h->toward[i];
            stiff = fmax(stiff, (h->outside[i] + h->sum[i]) / c.capacity);
        }
        m->sum[0][b] = stiff;
    }
}

static void flow_range(int first, int last, int worker, void *context)
{
    const Implicit *m = context;
    OndHeat *h = m->h;
    m->s->loops->flow(&m->flow, first, last);
    for (int i = first; i < last; ++i)
        h->flow[i] += h->outside[i] * h->value[i] - h->toward[i];
}

static void find_flow(Implicit *m)
{
    ond_heat_images(m->s, m->h->value, true);
    ond_parallel_for(m->s->fields.count, OND_GRAIN, flow_range, m);
}

// What is missing to the balance, and the slope to go on with.
static void residual_blocks(int first, int last, int worker, void *context)
{
    const Implicit *m = context;
    OndHeat *h = m->h;
    for (int b = first; b < last; ++b) {
        double most = 0;
        for (int i = b * OND_SUM_BLOCK; i < block_end(m, b); ++i) {
            const OndHeatCurve c = h->curve[m->s->material[i]];
            const double t = h->value[i];
            const double due = h->start[i] - h->flow[i];
            double slope = c.capacity;
            const double held =
                m->form == EXACT ? ond_heat_held(c, t)
                : m->form == SURE
                    ? ond_heat_sure(c, t, h->molten[i], &slope)
                    : ond_heat_guessed(c, t, m->bond * (h->outside[i] + h->sum[i]), due, &slope);
            h->capacity[i] = slope;
            h->residual[i] = due - held;
            most = fmax(most, fabs(h->residual[i]) / slope);
        }
        m->sum[0][b] = most;
    }
}

// Declares molten what has passed `liquid`; counts those that are new.
static void molten_blocks(int first, int last, int worker, void *context)
{
    const Implicit *m = context;
    OndHeat *h = m->h;
    for (int b = first; b < last; ++b) {
        int found = 0;
        for (int i = b * OND_SUM_BLOCK; i < block_end(m, b); ++i) {
            const OndHeatCurve c = h->curve[m->s->material[i]];
            if (h->molten[i] || c.melting == 0.0 || h->value[i] <= c.liquid) continue;
            h->molten[i] = 1;
            ++found;
        }
        m->sum[0][b] = found;
    }
}

static void forget_molten(int first, int last, int worker, void *context)
{
    const Implicit *m = context;
    for (int i = first; i < last; ++i)
        m->h->molten[i] = 0;
}

// One system, to `limit` K; false when it did not converge.
static bool solve_once(Implicit *m, double limit, int *done)
{
    OndSph *s = m->s;
    const int left = s->def.heat.iterations - m->h->iterations;
    *done = ond_heat_solve(s, limit, left > 0 ? left : 1, m->sum[0]);
    ++m->h->solves;
    m->h->iterations += *done < 0 ? left : *done;
    if (*done < 0) return false;
    if (*done > LONG_SOLVE) find_flow(m);
    return true;
}

static bool anything_melts(const OndSph *s)
{
    for (int m = 0; m < s->world.material_count; ++m)
        if (s->heat->curve[m].melting > 0.0) return true;
    return false;
}

// The last word of the sure form: nothing new has melted. Starts it when guesses have not settled.
static bool is_over(Implicit *m, int solved, int done)
{
    if (m->form == GUESSED && done == 0) return true;
    if (m->form == SURE && done == 0) {
        ond_parallel_for(m->blocks, 1, molten_blocks, m);
        return add_up(m, 0) == 0;
    }
    if (solved == GUESSES) {
        m->form = SURE;
        ond_parallel_for(m->s->fields.count, 8 * OND_GRAIN, forget_molten, m);
    }
    return false;
}

// Goes on until the balance holds everywhere; false when the cap is hit.
static bool iterate(Implicit *m)
{
    const double roughly = anything_melts(m->s) ? ROUGHLY : 0.0;
    double limit = 0;
    for (int k = 0, done; k < SOLVES_MAX; ++k) {
        m->bond = k < STUBBORN ? 1.0 : LESS; // breaks most circles
        ond_parallel_for(m->blocks, 1, residual_blocks, m);
        const double most = largest(m, 0);
        if (k == 0) limit = m->s->def.heat.tolerance * fmin(m->h->span, most);
        if (!solve_once(m, fmax(limit, roughly * most), &done)) return false;
        if (is_over(m, k, done)) return true;
    }
    return false;
}

// ---- the end of the step

static void settle_blocks(int first, int last, int worker, void *context)
{
    const Implicit *m = context;
    OndHeat *h = m->h;
    for (int b = first; b < last; ++b) {
        double cut = 0, up = 0, down = 0, leak = 0;
        for (int i = b * OND_SUM_BLOCK; i < block_end(m, b); ++i) {
            const OndHeatCurve c = h->curve[m->s->material[i]];
            const double held = ond_heat_held(c, h->value[i]), due = held + h->residual[i];
            const double low = ond_heat_held(c, h->low);
            const double high = isfinite(h->high) ? ond_heat_held(c, h->high) : INFINITY;
            const double want = m->keep_residual ? due : held;
            const double kept = want < low ? low : want > high ? high : want;
            h->start[i] = kept;
            cut += due - (h->sinks && want < low ? want : kept); // the sink got so much less
            up += isfinite(high) ? high - kept : c.capacity;
            down += kept - low;
            leak += h->flow[i] - h->outside[i] * h->value[i] + h->toward[i];
        }
        m->sum[0][b] = cut, m->sum[1][b] = up, m->sum[2][b] = down, m->sum[3][b] = leak;
    }
}

static void finish_range(int first, int last, int worker, void *context)
{
    const Implicit *m = context;
    OndHeat *h = m->h;
    for (int i = first; i < last; ++i) {
        const OndHeatCurve c = h->curve[m->s->material[i]];
        const double toward = m->share < 0.0      ? ond_heat_held(c, h->low)
                              : isfinite(h->high) ? ond_heat_held(c, h->high)
                                                  : h->start[i] + c.capacity;
        const double held = h->start[i] + fabs(m->share) * (toward - h->start[i]);
        const double t = ond_heat_temperature(c, 0.0, held);
        ond_heat_store(m->s, i, fmin(fmax(t, h->low), h->high));
    }
}

// Through images, that is; then pairs with images bring heat in.
static bool walls_heat(const OndSph *s)
{
    bool found = false;
    for (int side = 0; side < 2 * s->world.dimension; ++side)
        found |= s->world.side[side].kind == OND_SIDE_WALL && s->world.side[side].heats;
    return found && s->world.wall_model == OND_WALL_MIRROR;
}

// What pairs exchange adds up to nothing, but for the rounding of where images stand.
static void finish(Implicit *m, double limit)
{
    m->form = EXACT;
    ond_parallel_for(m->blocks, 1, residual_blocks, m);
    m->keep_residual = largest(m, 0) <= limit;
    ond_parallel_for(m->blocks, 1, settle_blocks, m);
    const double leak = walls_heat(m->s) ? 0.0 : add_up(m, 3);
    const double cut = add_up(m, 0) + leak, room = add_up(m, cut > 0.0 ? 1 : 2);
    m->share = room > 0.0 ? cut / room : 0.0;
    if (m->share < -1.0) m->share = -1.0;
    if (m->share > 1.0 && isfinite(m->h->high)) m->share = 1.0;
    ond_parallel_for(m->s->fields.count, 8 * OND_GRAIN, finish_range, m);
}

OndStatus ond_heat_implicit(OndSph *s, double dt, OndError *err)
{
    OndHeat *h = s->heat;
    Implicit m = {.s = s, .h = h, .blocks = ond_sum_block_count(s->fields.count)};
    double *sums = ond_sph_sums(s, 4 * m.blocks);
    if (!sums) return ond_fail(err, OND_NO_MEMORY, "not enough memory for sums over particles");
    for (int k = 0; k < 4; ++k)
        m.sum[k] = sums + k * m.blocks;
    m.flow =
        (OndFlowLoop){s->lists.pool, s->lists.first, s->lists.length, h->weight, h->value, h->flow};
    ond_heat_conductances(s, dt);
    ond_parallel_for(m.blocks, 1, start_blocks, &m);
    if (largest(&m, 0) < EASY) {
        finish(&m, INFINITY);
        return OND_OK;
    }
    if (!iterate(&m)) s->unconverged = true;
    finish(&m, 4.0 * s->def.heat.tolerance * h->span);
    return OND_OK;
}
