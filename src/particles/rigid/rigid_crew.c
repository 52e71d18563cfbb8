// SPDX-License-Identifier: MIT
// A body and its crew: the soft particles round a body, which move with it before all else.
//
// A hard core in a soft shell turns as one. Neither single particles nor groups, which only shift,
// can tell the iteration so: it would find every turn link by link. So each soft particle within
// CREW_DEPTH links of a body belongs to the crew of the body nearest to it, and the preconditioner
// also moves each body with its crew as one stiff piece, six equations each.
#include "base/parallel.h"
#include "particles/rigid/rigid_state.h"

#include <string.h>

#define CREW_DEPTH 4

static void arm_of(const OndRigid *g, const OndRigidPiece *b, int i, double r[3])
{
    for (int a = 0; a < 3; ++a)
        r[a] = (double)g->px[a][i] - b->center[a];
}

// ---- who belongs to it

static int begin_crews(OndRigid *g)
{
    int count = 0;
    for (int i = 0; i < g->count; ++i)
        g->crew[i] = OND_NO_BODY;
    for (int n = 0; n < g->slave_count; ++n) {
        const int i = g->slave[n], b = g->member[g->particle[i]];
        if (g->body[b].driven) continue;
        g->crew[i] = b;
        g->muster[count++] = i;
    }
    return count;
}

// Spreads from the slaves along links, all at the same depth first.
static int spread_crews(OndRigid *g)
{
    int begin = 0, end = begin_crews(g);
    for (int depth = 0; depth < CREW_DEPTH; ++depth) {
        const int last = end;
        for (int n = begin; n < last; ++n) {
            const int i = g->muster[n];
            for (uint32_t e = g->first[i]; e < g->first[i] + g->length[i]; ++e) {
                const int j = (int)g->near[e];
                if (g->kind[j] != OND_LOCAL_SOFT || g->crew[j] != OND_NO_BODY) continue;
                g->crew[j] = g->crew[i];
                g->muster[end++] = j;
            }
        }
        begin = last;
    }
    return end;
}

// In `muster`: the members of each crew one after another, in the order of the particles.
static void list_crews(OndRigid *g)
{
    for (int b = 0; b < g->body_count; ++b)
        g->body[b].crew_last = 0;
    for (int i = 0; i < g->count; ++i)
        if (g->crew[i] != OND_NO_BODY) ++g->body[g->crew[i]].crew_last;
    for (int b = 0, sum = 0; b < g->body_count; ++b) {
        g->body[b].crew_first = sum;
        sum += g->body[b].crew_last;
        g->body[b].crew_last = g->body[b].crew_first;
    }
    for (int i = 0; i < g->count; ++i)
        if (g->crew[i] != OND_NO_BODY) g->muster[g->body[g->crew[i]].crew_last++] = i;
}

// ---- its six equations

// What links that leave the crew hold it with.
static void tie_range(int first, int last, int worker, void *context)
{
    OndRigid *g = context;
    for (int b = first; b < last; ++b) {
        OndRigidPiece *body = &g->body[b];
        memset(body->tie, 0, sizeof body->tie);
        for (int n = body->crew_first; n < body->crew_last; ++n) {
            const int i = g->muster[n];
            double r[3], row[6];
            arm_of(g, body, i, r);
            for (uint32_t e = g->first[i]; e < g->first[i] + g->length[i]; ++e) {
                if (g->crew[g->near[e]] == b) continue;
                ond_link_row(g, e, r, row);
                ond_add_square(body->tie, row, 1.0);
            }
        }
    }
}

void ond_rigid_crews(OndSph *s)
{
    OndRigid *g = s->rigid;
    spread_crews(g);
    list_crews(g);
    ond_parallel_for(g->body_count, 1, tie_range, g);
}

static void prepare_range(int first, int last, int worker, void *context)
{
    OndRigid *g = context;
    for (int b = first; b < last; ++b) {
        OndRigidPiece *body = &g->body[b];
        for (int k = 0; k < 36; ++k)
            body->crewed[k / 6][k % 6] = body->tie[k / 6][k % 6] + body->block[k / 6][k % 6];
        for (int n = body->crew_first; n < body->crew_last; ++n) {
            const int i = g->muster[n];
            double r[3], row[6];
            arm_of(g, body, i, r);
            for (int a = 0; a < 3 && g->kind[i] == OND_LOCAL_SOFT; ++a) {
                ond_motion_row(r, a, row);
                ond_add_square(body->crewed, row, (double)g->mass[i] + g->ground[a][i]);
            }
        }
        memcpy(body->whole, body->crewed, sizeof body->whole);
        ond_body_factor(body, g->dimension, body->crewed);
    }
}

void ond_rigid_crew_prepare(OndRigid *g)
{
    if (g->slave_count) ond_parallel_for(g->body_count, 1, prepare_range, g);
}

// ---- in an iteration

static void correct_range(int first, int last, int worker, void *context)
{
    OndRigid *g = context;
    for (int b = first; b < last; ++b) {
        const OndRigidPiece *body = &g->body[b];
        if (body->crew_first == body->crew_last) continue;
        double v[6], r[3];
        memcpy(v, g->r.body[b], sizeof v);
        for (int n = body->crew_first; n < body->crew_last; ++n) {
            const int i = g->muster[n]; // slaves have no error of their own
            arm_of(g, body, i, r);
            for (int a = 0; a < 3; ++a) {
                const int c = (a + 1) % 3, d = (a + 2) % 3;
                v[a] += g->r.at[a][i];
                v[3 + a] += r[c] * g->r.at[d][i] - r[d] * g->r.at[c][i];
            }
        }
        ond_cholesky6_solve((const double(*)[6])body->crewed, v);
        for (int a = 0; a < 6; ++a)
            g->z.body[b][a] += v[a];
        for (int n = body->crew_first; n < body->crew_last; ++n) {
            const int i = g->muster[n];
            if (g->kind[i] != OND_LOCAL_SOFT) continue;
            arm_of(g, body, i, r);
            for (int a = 0; a < 3; ++a) {
                const int c = (a + 1) % 3, d = (a + 2) % 3;
                g->z.at[a][i] += (float)(v[a] + v[3 + c] * r[d] - v[3 + d] * r[c]);
            }
        }
    }
}

void ond_rigid_crew_correct(OndRigid *g)
{
    if (g->slave_count) ond_parallel_for(g->body_count, 1, correct_range, g);
}
