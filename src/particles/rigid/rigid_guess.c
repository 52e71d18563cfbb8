// SPDX-License-Identifier: MIT
// Components: what hangs together, and what is known of its motion beforehand.
//
// Where rigidity is the same everywhere, the answer has a closed form: the liquid's velocities lose
// the share s of all that is not a stiff motion of the whole, w - s (w - (V + spin x r)). With V
// and spin from the momentum, and from the walls where some hold it, that is where the iteration
// starts. A component that nothing holds must keep its momentum and angular momentum exactly; the
// last step sees to that.
#include "base/memory.h"
#include "base/parallel.h"
#include "particles/rigid/rigid_state.h"

#include <string.h>

#define GRAIN 128

static void unite(int *root, int a, int b)
{
    a = ond_find_root(root, a), b = ond_find_root(root, b);
    if (a < b) root[b] = a;
    if (b < a) root[a] = b;
}

static int node_of_body(const OndRigid *g, int b)
{
    return g->node_count + b;
}

// Nodes are groups, particles that are in none, and bodies.
static void join_all(OndRigid *g)
{
    const OndGroupLevel *const l = &g->level[0];
    for (int k = 0; k < g->node_count + g->body_count; ++k)
        g->root[k] = k;
    for (int k = 0; k < l->count; ++k)
        for (uint32_t e = l->first[k]; e < l->first[k] + l->length[k]; ++e)
            unite(g->root, k, (int)l->near[e]);
    for (int k = l->count; k < g->node_count; ++k) {
        const int i = g->single[k - l->count];
        for (uint32_t e = g->first[i]; e < g->first[i] + g->length[i]; ++e) {
            const int j = (int)g->near[e];
            if (g->kind[j] == OND_LOCAL_SOFT) unite(g->root, k, g->node[j]);
            if (g->kind[j] == OND_LOCAL_RIM)
                unite(g->root, k, node_of_body(g, g->member[g->particle[j]]));
        }
    }
    for (int b = 0; b < g->body_count; ++b)
        if (g->body[b].group >= 0) unite(g->root, g->body[b].group, node_of_body(g, b));
}

static OndStatus make_room(OndRigid *g, OndError *err)
{
    const int nodes = g->node_count + g->body_count;
    if (nodes <= g->root_room) return OND_OK;
    ond_free(g->root), ond_free(g->part), ond_free(g->component);
    g->root_room = nodes + nodes / 4 + 64;
    g->root = OND_NEW_ARRAY(int, g->root_room);
    g->part = ond_alloc((size_t)g->root_room * sizeof *g->part);
    g->component = OND_NEW_ARRAY(OndComponent, g->root_room);
    if (g->root && g->part && g->component) return OND_OK;
    g->root_room = 0;
    return ond_fail(err, OND_NO_MEMORY, "not enough memory for %d groups of particles", nodes);
}

OndStatus ond_rigid_components(OndSph *s, OndError *err)
{
    OndRigid *g = s->rigid;
    const OndStatus status = make_room(g, err);
    if (status != OND_OK) return status;
    join_all(g);
    const int nodes = g->node_count + g->body_count;
    g->component_count = 0;
    for (int k = 0; k < nodes; ++k)
        g->root[k] = ond_find_root(g->root, k);
    for (int k = 0; k < nodes; ++k) // a root is the smallest of its own, so it is numbered first
        g->root[k] = g->root[k] == k ? -1 - g->component_count++ : g->root[g->root[k]];
    for (int k = 0; k < nodes; ++k)
        g->root[k] = -1 - g->root[k];
    return OND_OK;
}

// ---- sums over a node: a symmetric 6 x 6 matrix (21 numbers), a vector

typedef struct NodeSums {
    OndSph *s;
    bool momentum; // of the correction; otherwise the guess
} NodeSums;

// matrix += k row row^T, vector += k value row
static void add_row(double part[27], const double row[6], double k, double value)
{
    int at = 0;
    for (int a = 0; a < 6; ++a) {
        for (int b = 0; b <= a; ++b)
            part[at++] += k * row[a] * row[b];
        part[21 + a] += k * value * row[a];
    }
}

static void make_row(const OndSph *s, const double r[3], int axis, double row[6])
{
    ond_motion_row(r, axis, row);
    if (s->world.dimension == 2) row[3] = row[4] = 0.0;
}

// All arms are taken from one point near the middle.
static void middle_of(const OndSph *s, double at[3])
{
    const OndCells *c = &s->cells;
    const int n[3] = {c->nx, c->ny, c->nz};
    for (int a = 0; a < 3; ++a)
        at[a] = c->origin[a] + 0.5 * n[a] / c->inv_size;
}

// Sums of particles of weight k at r with velocity v: k, k r, k r r^T (xx, yy, zz, xy, yz, zx), k v, k r x v.
typedef struct NodeMoments {
    double mass, first[3], second[6], push[3], turn[3];
} NodeMoments;

static void add_particle(NodeMoments *m, double k, const double r[3], const double v[3])
{
    m->mass += k;
    for (int a = 0; a < 3; ++a) {
        const int p = (a + 1) % 3, q = (a + 2) % 3;
        m->first[a] += k * r[a];
        m->second[a] += k * r[a] * r[a];
        m->second[3 + a] += k * r[a] * r[p];
        m->push[a] += k * v[a];
        m->turn[a] += k * (r[p] * v[q] - r[q] * v[p]);
    }
}

// The same as three times add_row for each of them.
static void put_moments(const OndSph *s, const NodeMoments *m, double part[27])
{
    double whole[6][6] = {{0}};
    for (int a = 0; a < 3; ++a) {
        const int p = (a + 1) % 3, q = (a + 2) % 3;
        whole[a][a] = m->mass;
        whole[3 + q][a] = -m->first[p], whole[3 + p][a] = m->first[q];
        whole[3 + a][3 + a] = m->second[p] + m->second[q];
        whole[3 + a][3 + p] = whole[3 + p][3 + a] = -m->second[3 + a];
        part[21 + a] = m->push[a], part[24 + a] = m->turn[a];
    }
    const bool flat = s->world.dimension == 2;
    int at = 0;
    for (int a = 0; a < 6; ++a)
        for (int b = 0; b <= a; ++b)
            part[at++] = flat && ((a >= 2 && a < 5) || (b >= 2 && b < 5)) ? 0.0 : whole[a][b];
    for (int a = 2; flat && a < 5; ++a)
        part[21 + a] = 0.0;
}

static void sum_nodes(int first, int last, int worker, void *context)
{
    const NodeSums *t = context;
    const OndRigid *g = t->s->rigid;
    const OndGroupLevel *const l = &g->level[0];
    double middle[3];
    middle_of(t->s, middle);
    for (int k = first; k < last; ++k) {
        NodeMoments m = {0};
        const bool single = k >= l->count;
        const int begin = single ? 0 : l->child_first[k], end = single ? 1 : l->child_first[k + 1];
        for (int n = begin; n < end; ++n) {
            const int i = single ? g->single[k - l->count] : l->child[n];
            const double weight = t->momentum ? g->mass[i] : (double)g->mass[i] * g->hold[i];
            double r[3], v[3];
            for (int a = 0; a < 3; ++a) {
                r[a] = g->px[a][i] - middle[a];
                v[a] = t->momentum ? g->x.at[a][i] : g->w[a][i];
            }
            add_particle(&m, weight, r, v);
        }
        put_moments(t->s, &m, g->part[k]);
    }
}

static void sum_bodies(const NodeSums *t)
{
    const OndRigid *g = t->s->rigid;
    double middle[3], row[6];
    middle_of(t->s, middle);
    for (int b = 0; b < g->body_count; ++b) {
        const OndRigidPiece *body = &g->body[b];
        double *part = g->part[node_of_body(g, b)];
        const double *motion = t->momentum ? g->x.body[b] : body->motion;
        const double weight = t->momentum ? 1.0 : body->hold;
        memset(part, 0, sizeof *g->part);
        const double r[3] = {body->center[0] - middle[0], body->center[1] - middle[1],
                             body->center[2] - middle[2]};
        for (int a = 0; a < t->s->world.dimension; ++a) {
            make_row(t->s, r, a, row);
            add_row(part, row, weight * body->mass, motion[a]);
        }
        for (int a = 0; a < 3; ++a) { // its own inertia
            int at = 0;
            for (int c = 0; c < 6; ++c)
                for (int d = 0; d <= c; ++d, ++at)
                    if (c >= 3 && d >= 3 && a == 0)
                        part[at] += weight * body->inertia[c - 3][d - 3];
            for (int c = 0; c < 3; ++c)
                part[21 + 3 + a] += weight * body->inertia[a][c] * motion[3 + c];
        }
    }
}

static void clear_components(OndRigid *g)
{
    for (int c = 0; c < g->component_count; ++c)
        g->component[c] = (OndComponent){.free = true};
}

static void collect(OndRigid *g)
{
    for (int k = 0; k < g->node_count + g->body_count; ++k) {
        OndComponent *c = &g->component[g->root[k]];
        int at = 0;
        for (int a = 0; a < 6; ++a) {
            for (int b = 0; b <= a; ++b)
                c->matrix[a][b] += g->part[k][at++];
            c->right[a] += g->part[k][21 + a];
        }
    }
}

// A mode that nothing has (flat scenes, one particle, a line of them) is left out.
static void solve_component(OndComponent *c)
{
    double most = 0;
    for (int a = 0; a < 6; ++a)
        most = fmax(most, c->matrix[a][a]);
    for (int a = 0; a < 6; ++a)
        c->matrix[a][a] += 1e-10 * most * (a < 3 ? 1.0 : 1e-3) + 1e-300;
    if (ond_cholesky6(c->matrix))
        ond_cholesky6_solve((const double(*)[6])c->matrix, c->right);
    else
        memset(c->right, 0, sizeof c->right);
}

// ---- the guess

static int node_of(const OndRigid *g, const OndWallContact *c)
{
    return c->body == OND_NO_BODY ? g->node[c->local] : node_of_body(g, c->body);
}

static void hold_along(OndComponent *whole, const double row[6], double k, double value)
{
    for (int b = 0; b < 6; ++b) {
        for (int d = 0; d <= b; ++d)
            whole->matrix[b][d] += k * row[b] * row[d];
        whole->right[b] += k * value * row[b];
    }
}

// Walls and held particles hold a component, as stiff rows of its small system.
static void hold_components(OndSph *s)
{
    OndRigid *g = s->rigid;
    double middle[3], row[6];
    middle_of(s, middle);
    for (int k = 0; k < g->contact_count; ++k) {
        const OndWallContact *c = &g->contact[k];
        OndComponent *whole = &g->component[g->root[node_of(g, c)]];
        if (c->grips) whole->free = false;
        if (!c->active) continue;
        const OndSide *wall = &s->world.side[c->side];
        double r[3];
        for (int a = 0; a < 3; ++a)
            r[a] = s->x[a][c->particle] - middle[a];
        for (int a = 0; a < s->world.dimension; ++a) {
            const bool normal = a == c->side / 2;
            const bool sticks = wall->slip < 1.0f || wall->friction > 0.0f;
            if (!normal && !sticks) continue;
            make_row(s, r, a, row);
            const double value =
                normal ? (c->side % 2 ? -c->target : c->target) : wall->velocity[a];
            hold_along(whole, row, c->stiff, value);
        }
    }
}

// Links to held particles pull the whole component along.
static void tie(const OndSph *s, OndComponent *whole, int held)
{
    const OndRigid *g = s->rigid;
    double middle[3], row[6], r[3];
    middle_of(s, middle);
    whole->free = false;
    for (int a = 0; a < 3; ++a)
        r[a] = g->px[a][held] - middle[a];
    for (int a = 0; a < s->world.dimension; ++a) {
        make_row(s, r, a, row);
        hold_along(whole, row, s->def.rigidity.stiffness * g->mass[held], g->w[a][held]);
    }
}

static void tie_components(OndSph *s)
{
    const OndRigid *g = s->rigid;
    for (int i = 0; i < g->count; ++i) {
        if (g->kind[i] != OND_LOCAL_SOFT) continue;
        for (uint32_t e = g->first[i]; e < g->first[i] + g->length[i]; ++e)
            if (g->kind[g->near[e]] == OND_LOCAL_HELD)
                tie(s, &g->component[g->root[g->node[i]]], (int)g->near[e]);
    }
}

static void put_guess(int first, int last, int worker, void *context)
{
    const OndSph *s = context;
    const OndRigid *g = s->rigid;
    double middle[3], row[6];
    middle_of(s, middle);
    for (int i = first; i < last; ++i) {
        for (int a = 0; a < 3; ++a)
            g->x.at[a][i] = 0.0f;
        if (g->kind[i] != OND_LOCAL_SOFT) continue;
        const double *motion = g->component[g->root[g->node[i]]].right;
        const double r[3] = {g->px[0][i] - middle[0], g->px[1][i] - middle[1],
                             g->px[2][i] - middle[2]};
        for (int a = 0; a < s->world.dimension; ++a) {
            double stiff = 0;
            make_row(s, r, a, row);
            for (int k = 0; k < 6; ++k)
                stiff += row[k] * motion[k];
            g->x.at[a][i] = (float)(-g->hold[i] * (g->w[a][i] - stiff));
        }
    }
}

// The motion of a component seen from a body's centre.
static void body_motion(const OndSph *s, const OndRigidPiece *b, const double motion[6],
                        double out[6])
{
    double middle[3], row[6];
    middle_of(s, middle);
    const double r[3] = {b->center[0] - middle[0], b->center[1] - middle[1],
                         b->center[2] - middle[2]};
    for (int a = 0; a < 3; ++a) {
        make_row(s, r, a, row);
        out[a] = 0;
        for (int k = 0; k < 6; ++k)
            out[a] += row[k] * motion[k];
        out[3 + a] = motion[3 + a];
    }
}

// A body on soft feet sinks as they do.
static void find_hold(const OndRigid *g, OndRigidPiece *b)
{
    double sum = 0, count = 0;
    for (int n = b->rim_first; n < b->rim_last; ++n) {
        const int i = g->rim[n];
        for (uint32_t e = g->first[i]; e < g->first[i] + g->length[i]; ++e)
            if (g->kind[g->near[e]] == OND_LOCAL_SOFT) sum += g->hold[g->near[e]], count += 1.0;
    }
    b->hold = count > 0.0 ? sum / count : 1.0;
}

void ond_rigid_guess(OndSph *s)
{
    OndRigid *g = s->rigid;
    for (int b = 0; b < g->body_count; ++b)
        find_hold(g, &g->body[b]);
    NodeSums t = {s, false};
    ond_parallel_for(g->node_count, GRAIN, sum_nodes, &t);
    sum_bodies(&t);
    clear_components(g);
    collect(g);
    hold_components(s);
    tie_components(s);
    for (int c = 0; c < g->component_count; ++c)
        solve_component(&g->component[c]);
    ond_parallel_for(g->count, OND_GRAIN, put_guess, s);
    for (int b = 0; b < g->body_count; ++b) {
        double motion[6];
        body_motion(s, &g->body[b], g->component[g->root[node_of_body(g, b)]].right, motion);
        for (int k = 0; k < 6; ++k)
            g->x.body[b][k] =
                g->body[b].driven ? 0.0 : g->body[b].hold * (motion[k] - g->body[b].motion[k]);
    }
}

// ---- momentum

static void take_back(int first, int last, int worker, void *context)
{
    const OndSph *s = context;
    const OndRigid *g = s->rigid;
    double middle[3], row[6];
    middle_of(s, middle);
    for (int i = first; i < last; ++i) {
        if (g->kind[i] != OND_LOCAL_SOFT) continue;
        const OndComponent *c = &g->component[g->root[g->node[i]]];
        if (!c->free) continue;
        const double r[3] = {g->px[0][i] - middle[0], g->px[1][i] - middle[1],
                             g->px[2][i] - middle[2]};
        for (int a = 0; a < s->world.dimension; ++a) {
            double stiff = 0;
            make_row(s, r, a, row);
            for (int k = 0; k < 6; ++k)
                stiff += row[k] * c->right[k];
            g->x.at[a][i] -= (float)stiff;
        }
    }
}

void ond_rigid_keep_momentum(OndSph *s)
{
    OndRigid *g = s->rigid;
    NodeSums t = {s, true};
    for (int k = 0; k < g->contact_count; ++k)
        if (g->contact[k].grips) g->component[g->root[node_of(g, &g->contact[k])]].free = false;
    ond_parallel_for(g->node_count, GRAIN, sum_nodes, &t);
    sum_bodies(&t);
    for (int c = 0; c < g->component_count; ++c) {
        memset(g->component[c].matrix, 0, sizeof g->component[c].matrix);
        memset(g->component[c].right, 0, sizeof g->component[c].right);
    }
    collect(g);
    for (int c = 0; c < g->component_count; ++c)
        solve_component(&g->component[c]);
    ond_parallel_for(g->count, OND_GRAIN, take_back, s);
    for (int b = 0; b < g->body_count; ++b) {
        const OndComponent *c = &g->component[g->root[node_of_body(g, b)]];
        double motion[6];
        if (!c->free || g->body[b].driven) continue;
        body_motion(s, &g->body[b], c->right, motion);
        for (int k = 0; k < 6; ++k)
            g->x.body[b][k] -= motion[k];
    }
}
