// SPDX-License-Identifier: MIT
// `pressure: cg`: conjugate gradients for the system, and which particles are pushed on the way.
//
// They are guessed: who has an impulse already, and who has no room. With those conjugate gradients
// run as if impulses could pull; when they are done, impulses below 0 are taken back, and who is
// crowded now joins. At a free surface that settles in two or three rounds, since the last step's
// impulses are where it begins. Every iteration costs what one of the published solvers' does; their
// number grows with the liquid's depth in particles, not with its square.
#include "particles/incompressible/incompressible.h"
#include "particles/incompressible/projection_state.h"

#define INNER 12 // iterations after which impulses below 0 are looked for
#define SETTLE                                                                                     \
    0.7f           // of the tolerance: where a round ends (0.5 takes a fifth more, 0.9 many rounds)
#define ROOM 0.02f // of a particle's volume: who has less may be pushed from the start

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
        const float r = s->crowded[i], over = (r > 0.0f ? r : 0.0f) * s->rest_room[i];
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

// The next direction stands in the fourth value of places.
static void turn(OndTotals *t, int block, int begin, int end)
{
    const OndSph *s = t->s;
    OndQuad *restrict place = t->p->place;
    for (int i = begin; i < end; ++i)
        place[i][3] = s->crowded[i] * s->ease[i] + t->back * place[i][3];
    t->first[block] = t->second[block] = t->third[block] = 0.0;
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

// How many impulses are below 0, and how many are crowded that nobody pushes.
static void doubt(OndTotals *t, int block, int begin, int end)
{
    const OndSph *s = t->s;
    double below = 0.0, missed = 0.0;
    for (int i = begin; i < end; ++i) {
        below += s->impulse[i] < 0.0f;
        missed += s->ease[i] == 0.0f && s->crowded[i] * s->rest_room[i] > t->room;
    }
    t->first[block] = below, t->second[block] = missed, t->third[block] = 0.0;
}

// What is below 0 is taken back; it stands where directions do.
static void take_back(OndTotals *t, int block, int begin, int end)
{
    const OndSph *s = t->s;
    double sum = 0.0;
    for (int i = begin; i < end; ++i) {
        const float below = s->impulse[i] < 0.0f ? -s->impulse[i] : 0.0f;
        t->p->place[i][3] = below;
        sum += (double)below;
    }
    t->first[block] = sum, t->second[block] = t->third[block] = 0.0;
}

// ---- the search

// One step of conjugate gradients; false: nothing is left to search.
static bool iterate(OndTotals *t, double *rz, bool anew)
{
    OndSph *s = t->s;
    t->back = anew ? 0.0f : t->back;
    ond_totals_find(t, turn);
    ond_projection_push(s, t->p->trial);
    ond_projection_crowd(s, t->p->trial, s->answer);
    ond_totals_find(t, curve);
    const double curvature = t->sum[0], before = *rz;
    if (!(curvature > 0.0)) return false;
    t->step = (float)(before / curvature);
    ond_totals_find(t, go);
    *rz = t->sum[0];
    t->back = (float)(*rz / before);
    return true;
}

// Impulses below 0 become 0, and ways and crowding follow.
static void keep_pushing(OndTotals *t)
{
    ond_totals_find(t, take_back);
    if (!(t->sum[0] > 0.0)) return;
    ond_projection_push(t->s, t->p->trial);
    ond_projection_crowd(t->s, t->p->trial, t->s->answer);
    t->step = 1.0f;
    ond_totals_find(t, go);
}

// With those that are pushed now, until the error is small or they are in doubt.
static void solve_round(OndTotals *t, const OndProjectionAim *aim, OndProjectionEnd *end)
{
    const int n = t->s->fields.count;
    double rz = t->sum[0];
    for (int k = 1; end->iterations < aim->most; ++k) {
        if (!iterate(t, &rz, k == 1)) return;
        ++end->iterations;
        if (t->sum[1] <= SETTLE * aim->tolerance * n) return;
        if (k % INNER) continue;
        t->room = (float)aim->tolerance;
        ond_totals_find(t, doubt);
        if (t->sum[0] + t->sum[1] > 0.0) return;
    }
}

OndStatus ond_projection_cg(OndSph *s, const OndProjectionAim *aim, OndProjectionEnd *end,
                            OndError *err)
{
    OndTotals t;
    const OndStatus status = ond_totals_make(s, &t, err);
    if (status != OND_OK) return status;
    const int n = s->fields.count;
    *end = (OndProjectionEnd){0};
    t.room = ROOM;
    ond_totals_find(&t, choose);
    while (t.sum[1] > aim->tolerance * n && end->iterations < aim->most) {
        solve_round(&t, aim, end);
        keep_pushing(&t);
        t.room = 0.0f;
        ond_totals_find(&t, choose);
    }
    end->error = t.sum[1] / n, end->worst = t.most;
    return OND_OK;
}

// ---- the solver

static OndStatus correct(OndSph *s, float dt, OndProjectionEnd *end, OndError *err)
{
    const OndProjectionAim aim = ond_projection_density(s, dt);
    OndStatus status = ond_projection_begin(s, &aim, dt, err);
    if (status == OND_OK) status = ond_projection_cg(s, &aim, end, err);
    return status;
}

const OndPressureSolver ond_pressure_cg = {"cg", 1.0f, NULL, correct};
