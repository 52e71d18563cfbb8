// SPDX-License-Identifier: MIT
// `pressure: cg`: conjugate gradients for the system, and which particles are pushed on the way.
//
// They are guessed: who has an impulse already, and who has no room. With those conjugate gradients
// run as if impulses could pull; when they are done, or too much is in doubt, impulses below 0 are
// taken back, and who is crowded now joins. A single particle in doubt does not end them: in a large
// liquid there is always one, and each round begins its search anew. At a free surface that settles
// in two or three rounds, since the last step's impulses are where it begins. Every iteration costs
// what one of the published solvers' does; their number grows with the liquid's depth in particles,
// not with its square.
#include "particles/incompressible/incompressible.h"
#include "particles/incompressible/projection_state.h"

// Chosen by dam breaks of 43k particles in 3D and of 41k in 2D (test_multigrid): the fewest products with the
// system a step.
#define INNER   2      // iterations after which impulses below 0 are looked for
#define ROOM    0.003f // of a particle's volume: who has less is pushed from the start
#define SETTLE  0.7    // of the tolerance: where a round ends (0.9: many rounds)
#define PULL    2e-3   // share of all impulses that may be below 0 in the end
#define PATIENT 6      // iterations after which a round goes on for those who are little in doubt
#define MISSED  0.3    // share of the error that may be of those whom nothing pushes, in a round
#define ROUGH   10.0   // times the shift that is allowed: smoothed first (3: still pools show it)

// ---- over blocks of particles

// r . z with z = r / diagonal of those that are pushed, and how wrong all are: crowded, or pushed where
// there is room. (Impulses begin with the last step's. Were only crowding an error, one that is needed
// no longer would go on pushing, step after step.)
static void look(OndTotals *t, int block, int begin, int end)
{
    const OndSph *s = t->s;
    double dot = 0.0, error = 0.0;
    float worst = 0.0f;
    for (int i = begin; i < end; ++i) {
        const float r = s->crowded[i], over = ond_projection_off(s, i) * s->rest_room[i];
        dot += (double)(r * r * s->ease[i]);
        error += (double)(s->impulse[i] > 0.0f ? fabsf(r) * s->rest_room[i] : over);
        worst = over > worst ? over : worst;
    }
    t->first[block] = dot, t->second[block] = error, t->third[block] = (double)worst;
}

// Who is pushed: the others have no ease. At first all who have no room join, for pressure may come
// from afar; later those who are crowded.
static void choose(OndTotals *t, int block, int begin, int end)
{
    const OndSph *s = t->s;
    for (int i = begin; i < end; ++i) {
        const bool pushed = s->impulse[i] > 0.0f || s->crowded[i] * s->rest_room[i] > -t->room;
        s->ease[i] = pushed && s->diagonal[i] > 0.0f ? 1.0f / s->diagonal[i] : 0.0f;
    }
    look(t, block, begin, end);
}

// p . B p
static void curve(OndTotals *t, int block, int begin, int end)
{
    const OndSph *s = t->s;
    double dot = 0.0;
    for (int i = begin; i < end; ++i)
        dot -= (double)(t->p->place[i][3] * s->answer[i]);
    t->first[block] = dot, t->second[block] = t->third[block] = 0.0;
}

static void go(OndTotals *t, int block, int begin, int end)
{
    const OndSph *s = t->s;
    const OndQuad step = {t->step, t->step, t->step, t->step};
    for (int i = begin; i < end; ++i) {
        s->impulse[i] += t->step * t->p->place[i][3];
        s->crowded[i] += t->step * s->answer[i];
        t->p->way[i] += step * t->p->trial[i];
    }
    look(t, block, begin, end);
}

// By how much impulses are below 0, less what may be; how crowded those are that nobody pushes; and
// whether anybody is either.
static void doubt(OndTotals *t, int block, int begin, int end)
{
    const OndSph *s = t->s;
    double below = 0.0, all = 0.0, missed = 0.0;
    bool any = false;
    for (int i = begin; i < end; ++i) {
        const float k = s->impulse[i];
        const bool idle = s->ease[i] == 0.0f;
        below += (double)(k < 0.0f ? -k : 0.0f), all += (double)k;
        missed += idle ? (double)(fmaxf(ond_projection_off(s, i), 0.0f) * s->rest_room[i]) : 0.0;
        any |= k < 0.0f || (idle && s->crowded[i] * s->rest_room[i] > t->room);
    }
    t->first[block] = below - PULL * all, t->second[block] = missed, t->third[block] = any;
}

// What is below 0 is taken back; it stands where directions do.
static void take_back(OndTotals *t, int block, int begin, int end)
{
    const OndSph *s = t->s;
    double below = 0.0, all = 0.0;
    for (int i = begin; i < end; ++i) {
        const float k = s->impulse[i], pull = k < 0.0f ? -k : 0.0f;
        t->p->place[i][3] = pull;
        below += (double)pull, all += (double)k;
    }
    t->first[block] = below, t->second[block] = all, t->third[block] = 0.0;
}

// What smoothing adds, where directions stand. Who is not pushed is not by this either.
static void smooth_out(OndTotals *t, int block, int begin, int end)
{
    const OndSph *s = t->s;
    for (int i = begin; i < end; ++i)
        t->p->place[i][3] = s->impulse[i] > 0.0f ? s->rest_room[i] * s->answer[i] : 0.0f;
    t->first[block] = t->second[block] = t->third[block] = 0.0;
}

static void put_impulses(OndTotals *t, int block, int begin, int end)
{
    for (int i = begin; i < end; ++i)
        t->p->place[i][3] = t->s->impulse[i];
    t->first[block] = t->second[block] = t->third[block] = 0.0;
}

// ---- the search

typedef struct Descent {
    OndTotals t;
    double own;    // product of what is left with each particle's own answer to it
    double all;    // and with all of the answer
    double error;  // mean of how far off particles are
    double height; // of the liquid, m
    double far;    // by how much it would move a surface, m
    double worst;
} Descent;

static void weigh(Descent *c, OndTotalFn *body)
{
    OndSph *s = c->t.s;
    const int n = s->fields.count;
    ond_totals_find(&c->t, body);
    c->own = c->t.sum[0], c->error = c->t.sum[1] / n, c->worst = c->t.most;
    c->far = ond_multigrid_take(c->t.p->grids, s, c->height);
}

static bool is_done(const Descent *c, const OndProjectionAim *aim, double share)
{
    return c->error <= share * aim->tolerance && c->far <= share * aim->shift;
}

static void apply(OndTotals *t)
{
    ond_projection_push(t->s, t->p->trial);
    ond_projection_crowd(t->s, t->p->trial, t->s->answer);
}

// One step of conjugate gradients; false: nothing is left to search.
static bool iterate(Descent *c, bool anew)
{
    OndTotals *const t = &c->t;
    const double before = c->all;
    c->all = c->own + ond_multigrid_answer(t->p->grids);
    ond_multigrid_turn(t->p->grids, t->s, anew ? 0.0f : (float)(c->all / before));
    apply(t);
    ond_totals_find(t, curve);
    if (!(t->sum[0] > 0.0)) return false;
    t->step = (float)(c->all / t->sum[0]);
    weigh(c, go);
    return true;
}

// Impulses below 0 become 0, and ways and crowding follow.
static void keep_pushing(Descent *c)
{
    OndTotals *const t = &c->t;
    ond_totals_find(t, take_back);
    if (!(t->sum[0] > PULL * t->sum[1])) return;
    apply(t);
    t->step = 1.0f;
    weigh(c, go);
}

// Impulses that alternate from particle to particle hardly move anybody, so nothing takes back what a
// search leaves of them, and where each begins with the last one's they pile up. In a deep liquid
// every other particle then has none left: those are in doubt, the grids do not know of them, and
// iterations grow with the liquid. The kernel's mean over neighbours keeps a sixth of what alternates.
// In calm liquids the walls themselves make pressures alternate, and there it stays.
static void smooth(Descent *c)
{
    OndTotals *const t = &c->t;
    ond_totals_find(t, put_impulses);
    ond_projection_differ(t->s, t->s->answer);
    ond_totals_find(t, smooth_out);
    apply(t);
    t->step = 1.0f;
    ond_totals_find(t, go);
    weigh(c, choose);
}

// Whether anybody is in doubt, or, where it lasts, too much of what there is.
static bool is_in_doubt(Descent *c, bool lasts)
{
    ond_totals_find(&c->t, doubt);
    if (!lasts) return c->t.most > 0.0f;
    return c->t.sum[0] > 0.0 || c->t.sum[1] > MISSED * c->error * c->t.s->fields.count;
}

// With those that are pushed now, until the error is small or they are in doubt.
static void solve_round(Descent *c, const OndProjectionAim *aim, OndProjectionEnd *end)
{
    c->t.room = (float)aim->tolerance;
    for (int k = 1; end->iterations < aim->most; ++k) {
        if (!iterate(c, k == 1)) return;
        const bool lasts = ++end->iterations > PATIENT;
        if (is_done(c, aim, SETTLE)) return;
        if (k % INNER == 0 && (is_in_doubt(c, lasts) || (lasts && is_done(c, aim, 1.0)))) return;
    }
}

OndStatus ond_projection_cg(OndSph *s, const OndProjectionAim *aim, OndProjectionEnd *end,
                            OndError *err)
{
    Descent c = {.height = aim->height};
    const OndStatus status = ond_totals_make(s, &c.t, err);
    if (status != OND_OK) return status;
    *end = (OndProjectionEnd){0};
    c.t.room = ROOM;
    weigh(&c, choose);
    // it costs what an iteration does, but finds nothing by itself
    if (aim->most > 1 && c.far > ROUGH * aim->shift) smooth(&c), ++end->iterations;
    for (int before = -1; !is_done(&c, aim, 1.0) && end->iterations < aim->most;) {
        if (end->iterations == before) break; // what is left is with those that nothing pushes
        before = end->iterations;
        solve_round(&c, aim, end);
        keep_pushing(&c);
        c.t.room = 0.0f;
        weigh(&c, choose);
    }
    end->error = c.error, end->worst = c.worst;
    end->capped = !is_done(&c, aim, 1.0);
    return OND_OK;
}

// ---- the solver

static OndStatus correct(OndSph *s, float dt, OndProjectionEnd *end, OndError *err)
{
    OndProjectionAim aim = ond_projection_density(s, dt);
    aim.grids = true;
    OndStatus status = ond_projection_begin(s, &aim, dt, err);
    if (status == OND_OK) status = ond_projection_cg(s, &aim, end, err);
    return status;
}

const OndPressureSolver ond_pressure_cg = {"cg", 1.0f, true, NULL, correct};
