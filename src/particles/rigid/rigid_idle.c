// SPDX-License-Identifier: MIT
// Turns of groups that move nothing.
//
// A pair of particles that turns about the line through both moves nothing, and nothing resists. All that a group's
// system says of such a turn is rounding; an inverse made of that may have any size and sign, answers with a turn of
// 10^12, and each smoothing answers what that leaves with a larger one. So a group whose members stand in a line knows
// it, and its turn about that line counts as stiff, as every turn of what is one point does.
#include "particles/rigid/rigid_state.h"

#include <string.h>

#define LINE 1e-4 // of its length: as far as members of a line stand off it; positions are in float

// What a group consists of, seen from its centre.
typedef struct IdleParts {
    double far, direction[3]; // the farthest of them
    bool line, round;         // one of them is a line, or resists every turn
    double along[3];          // the line
} IdleParts;

static void add_place(IdleParts *m, const double place[3], const double center[3])
{
    double d[3], far = 0;
    for (int a = 0; a < 3; ++a)
        d[a] = place[a] - center[a], far += d[a] * d[a];
    if (!(far > m->far * m->far)) return;
    m->far = sqrt(far);
    for (int a = 0; a < 3; ++a)
        m->direction[a] = d[a] / m->far;
}

static void add_line(IdleParts *m, const double along[3])
{
    m->line = true;
    memcpy(m->along, along, sizeof m->along);
}

// How far v leads away from the direction n, which is a unit vector.
static double aside(const double v[3], const double n[3])
{
    double sum = 0;
    for (int a = 0; a < 3; ++a) {
        const int p = (a + 1) % 3, q = (a + 2) % 3;
        const double c = v[p] * n[q] - v[q] * n[p];
        sum += c * c;
    }
    return sqrt(sum);
}

// The k-th member; false behind the last. The first level's are particles, and the body if it has one.
typedef struct IdlePart {
    double place[3], along[3];
    enum OndIdle idle;
} IdlePart;

static bool take_member(const OndRigid *g, int level, int group, int k, IdlePart *out)
{
    const OndGroupLevel *const l = &g->level[level];
    const int n = l->child_first[group] + k, last = l->child_first[group + 1];
    if (n < last && level == 0) {
        for (int a = 0; a < 3; ++a)
            out->place[a] = g->px[a][l->child[n]];
        out->idle = OND_IDLE_POINT;
        return true;
    }
    if (n < last) {
        const OndGroupLevel *const below = l - 1;
        memcpy(out->place, below->center[l->child[n]], sizeof out->place);
        memcpy(out->along, below->line[l->child[n]], sizeof out->along);
        out->idle = below->idle[l->child[n]];
        return true;
    }
    const int b = level == 0 ? g->body_of_group[group] : OND_NO_BODY;
    if (n > last || b == OND_NO_BODY) return false;
    memcpy(out->place, g->body[b].center, sizeof out->place);
    memcpy(out->along, g->body[b].along, sizeof out->along);
    out->idle = g->body[b].thin ? OND_IDLE_LINE : OND_IDLE_NONE;
    return true;
}

static bool stands_off(const IdleParts *all, const IdlePart *one, const double center[3])
{
    double d[3];
    for (int a = 0; a < 3; ++a)
        d[a] = one->place[a] - center[a];
    return aside(d, all->along) > LINE * all->far ||
           (one->idle == OND_IDLE_LINE && aside(one->along, all->along) > LINE);
}

static enum OndIdle find_idle(const OndRigid *g, int level, int group, double line[3])
{
    const double *const center = g->level[level].center[group];
    IdleParts all = {0};
    IdlePart one;
    for (int k = 0; take_member(g, level, group, k, &one) && !all.round; ++k) {
        add_place(&all, one.place, center);
        if (one.idle == OND_IDLE_LINE) add_line(&all, one.along);
        all.round = one.idle == OND_IDLE_NONE;
    }
    if (all.round) return OND_IDLE_NONE;
    if (!all.line && !(all.far > 0.0)) return OND_IDLE_POINT;
    if (g->dimension == 2) return OND_IDLE_NONE; // it turns in its plane
    if (!all.line) memcpy(all.along, all.direction, sizeof all.along);
    for (int k = 0; take_member(g, level, group, k, &one); ++k)
        if (stands_off(&all, &one, center)) return OND_IDLE_NONE;
    memcpy(line, all.along, sizeof all.along);
    return OND_IDLE_LINE;
}

void ond_rigid_find_idle(OndRigid *g, int level)
{
    OndGroupLevel *const l = &g->level[level];
    for (int k = 0; k < l->count; ++k)
        l->idle[k] = find_idle(g, level, k, l->line[k]);
}

// `block` is a group's, in a matrix of `width` columns.
void ond_rigid_stiffen_idle(enum OndIdle idle, const double line[3], double *block, int width)
{
    double stiff = 0;
    for (int a = 0; a < 3; ++a)
        stiff += block[(3 + a) * width + 3 + a];
    for (int a = 0; a < 3 && idle == OND_IDLE_POINT; ++a) {
        for (int c = 0; c < 6; ++c)
            block[(3 + a) * width + c] = block[c * width + 3 + a] = 0.0;
        block[(3 + a) * width + 3 + a] = 1.0;
    }
    for (int a = 0; a < 3 && idle == OND_IDLE_LINE; ++a)
        for (int c = 0; c < 3; ++c)
            block[(3 + a) * width + 3 + c] += stiff * line[a] * line[c];
}
