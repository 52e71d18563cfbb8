// SPDX-License-Identifier: MIT
// Relaxed Jacobi iteration, as the published solvers have it: every particle that is crowded gets an
// impulse that would thin it out by itself, less than all of it since its neighbours get theirs.
#include "particles/incompressible/projection_state.h"

// How wrong all are: crowded, or pushed where there is room (cg.c).
static void look(OndTotals *t, int block, int begin, int end)
{
    const OndSph *s = t->s;
    double error = 0.0;
    float worst = 0.0f;
    for (int i = begin; i < end; ++i) {
        const float over = ond_projection_off(s, i) * s->rest_room[i];
        error += (double)over;
        worst = over > worst ? over : worst;
    }
    t->first[block] = 0.0, t->second[block] = error, t->third[block] = (double)worst;
}

// Impulses that are added stand in the fourth value of places.
static void relax(OndTotals *t, int block, int begin, int end)
{
    const OndSph *s = t->s;
    for (int i = begin; i < end; ++i) {
        const float before = s->impulse[i], more = t->step * s->crowded[i] * s->ease[i];
        s->impulse[i] = before + more > 0.0f ? before + more : 0.0f;
        t->p->place[i][3] = s->impulse[i] - before;
    }
    t->first[block] = t->second[block] = t->third[block] = 0.0;
}

static void follow(OndTotals *t, int block, int begin, int end)
{
    const OndSph *s = t->s;
    for (int i = begin; i < end; ++i) {
        s->crowded[i] += s->answer[i];
        t->p->way[i] += t->p->trial[i];
    }
    look(t, block, begin, end);
}

// The diagonal of the fullest neighbourhood, for all.
static void fullest(OndTotals *t, int block, int begin, int end)
{
    float most = 0.0f;
    for (int i = begin; i < end; ++i)
        most = fmaxf(most, t->s->diagonal[i]);
    t->first[block] = t->second[block] = 0.0, t->third[block] = (double)most;
}

static void find_ease(OndTotals *t, bool even)
{
    OndSph *s = t->s;
    if (even) ond_totals_find(t, fullest);
    const float all = t->most > 0.0 ? (float)(1.0 / t->most) : 0.0f;
    for (int i = 0; i < s->fields.count; ++i)
        s->ease[i] = !(s->diagonal[i] > 0.0f) ? 0.0f : even ? all : 1.0f / s->diagonal[i];
}

OndStatus ond_projection_relax(OndSph *s, const OndProjectionAim *aim, float weight, bool even,
                               OndProjectionEnd *end, OndError *err)
{
    OndTotals t;
    const OndStatus status = ond_totals_make(s, &t, err);
    if (status != OND_OK) return status;
    *end = (OndProjectionEnd){0};
    find_ease(&t, even);
    t.step = weight;
    ond_totals_find(&t, look);
    while (t.sum[1] > aim->tolerance * s->fields.count && end->iterations < aim->most) {
        ond_totals_find(&t, relax);
        ond_projection_push(s, t.p->trial);
        ond_projection_crowd(s, t.p->trial, s->answer);
        ond_totals_find(&t, follow);
        ++end->iterations;
    }
    end->capped = t.sum[1] > aim->tolerance * s->fields.count;
    end->error = s->fields.count ? t.sum[1] / s->fields.count : 0.0, end->worst = t.most;
    return OND_OK;
}
