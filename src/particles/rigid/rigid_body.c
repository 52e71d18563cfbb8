// SPDX-License-Identifier: MIT
// A solid piece as one body: what it weighs, how it moves, where its particles go.
//
// Its velocity and spin are those that carry the momentum and angular momentum of its particles
// after the liquid's forces: P / M and I^-1 L. It turns by the whole angle, not along the tangent,
// so that its particles keep their distances; and its spin is found anew from its angular momentum
// in the new attitude, so that a body that tumbles keeps it.
#include "base/parallel.h"
#include "particles/rigid/rigid_state.h"

#include <string.h>

#define THIN 1e-5 // of the largest moment of inertia: below it a piece is a line

bool ond_cholesky6(double a[6][6])
{
    for (int i = 0; i < 6; ++i) {
        for (int j = 0; j <= i; ++j) {
            double sum = a[i][j];
            for (int k = 0; k < j; ++k)
                sum -= a[i][k] * a[j][k];
            if (i == j && !(sum > 0.0)) return false;
            a[i][j] = i == j ? sqrt(sum) : sum / a[j][j];
        }
    }
    return true;
}

void ond_cholesky6_solve(const double l[6][6], double x[6])
{
    for (int i = 0; i < 6; ++i) {
        for (int k = 0; k < i; ++k)
            x[i] -= l[i][k] * x[k];
        x[i] /= l[i][i];
    }
    for (int i = 5; i >= 0; --i) {
        for (int k = i + 1; k < 6; ++k)
            x[i] -= l[k][i] * x[k];
        x[i] /= l[i][i];
    }
}

// (L L^T)^-1 = L^-T L^-1, symmetric to the last digit.
void ond_cholesky6_invert(const double l[6][6], double inverse[36])
{
    double h[6][6] = {{0}}; // L^-1, lower
    for (int i = 0; i < 6; ++i) {
        const double per = 1.0 / l[i][i];
        h[i][i] = per;
        for (int j = 0; j < i; ++j) {
            double sum = 0;
            for (int k = j; k < i; ++k)
                sum -= l[i][k] * h[k][j];
            h[i][j] = sum * per;
        }
    }
    for (int i = 0; i < 6; ++i)
        for (int j = 0; j <= i; ++j) {
            double sum = 0;
            for (int k = i; k < 6; ++k)
                sum += h[k][i] * h[k][j];
            inverse[6 * i + j] = inverse[6 * j + i] = sum;
        }
}

void ond_body_factor(const OndRigidPiece *b, int dimension, double m[6][6])
{
    double most = 0;
    for (int a = 0; a < 6; ++a)
        most = fmax(most, m[a][a]);
    for (int a = 0; a < 6; ++a) {
        const bool none = dimension == 2 && a >= 2 && a < 5;
        for (int c = 0; c < 6 && none; ++c)
            m[a][c] = m[c][a] = 0.0;
        m[a][a] = none ? 1.0 : m[a][a] * (1.0 + 1e-12) + 1e-12 * b->mass * 1e-6;
    }
    if (ond_cholesky6(m)) return;
    memset(m, 0, 36 * sizeof m[0][0]); // cannot be but by rounding: take its largest
    for (int a = 0; a < 6; ++a)
        m[a][a] = sqrt(most + 1e-300);
}

// Sums over the members of a body, cut into fixed parts so that they come out the same on any
// number of threads.
typedef struct PieceSums {
    OndSph *s;
    int body;
    double (*part)[12];
    bool turning;
} PieceSums;

static void add_mass(const OndSph *s, int i, double sum[12])
{
    const double m = s->mass[s->material[i]];
    sum[0] += m;
    for (int a = 0; a < 3; ++a)
        sum[1 + a] += m * s->x[a][i], sum[4 + a] += m * s->a[a][i];
}

static void add_motion(const OndSph *s, const OndRigidPiece *b, int i, double sum[12])
{
    const double m = s->mass[s->material[i]];
    double r[3], v[3], r2 = 0;
    for (int a = 0; a < 3; ++a) {
        r[a] = s->x[a][i] - b->center[a], v[a] = s->v[a][i];
        r2 += r[a] * r[a];
    }
    for (int a = 0; a < 3; ++a) {
        const int c = (a + 1) % 3, d = (a + 2) % 3;
        sum[a] += m * v[a];
        sum[3 + a] += m * (r[c] * v[d] - r[d] * v[c]);
        sum[6 + a] += m * (r2 - r[a] * r[a]);
        sum[9 + a] -= m * r[c] * r[d]; // I_cd
    }
}

static void sum_parts(int first, int last, int worker, void *context)
{
    const PieceSums *t = context;
    const OndRigid *g = t->s->rigid;
    const OndRigidPiece *b = &g->body[t->body];
    for (int part = first; part < last; ++part) {
        const int begin = b->first + part * OND_SUM_BLOCK;
        const int end = begin + OND_SUM_BLOCK < b->last ? begin + OND_SUM_BLOCK : b->last;
        double sum[12] = {0};
        for (int k = begin; k < end; ++k)
            if (t->turning)
                add_motion(t->s, b, (int)g->order[k], sum);
            else
                add_mass(t->s, (int)g->order[k], sum);
        memcpy(t->part[part], sum, sizeof sum);
    }
}

static void sum_members(OndSph *s, int body, bool turning, double sum[12])
{
    const OndRigidPiece *b = &s->rigid->body[body];
    const int parts = ond_sum_block_count(b->last - b->first);
    PieceSums t = {s, body, (double(*)[12])s->rigid->sum, turning};
    ond_parallel_for(parts, 1, sum_parts, &t);
    memset(sum, 0, 12 * sizeof *sum);
    for (int part = 0; part < parts; ++part)
        for (int k = 0; k < 12; ++k)
            sum[k] += t.part[part][k];
}

// Eigenvectors of a symmetric matrix by Jacobi's turns; a few are enough for 3 x 3.
static void find_axes(const double matrix[3][3], double value[3], double axis[3][3])
{
    double a[3][3];
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j)
            a[i][j] = matrix[i][j], axis[i][j] = i == j;
    for (int turn = 0; turn < 24; ++turn) {
        const int p = turn % 3, q = (turn + 1) % 3;
        if (a[p][q] == 0.0) continue;
        const double theta = 0.5 * (a[q][q] - a[p][p]) / a[p][q];
        const double t = (theta < 0.0 ? -1.0 : 1.0) / (fabs(theta) + sqrt(theta * theta + 1.0));
        const double c = 1.0 / sqrt(t * t + 1.0), s = t * c;
        for (int k = 0; k < 3; ++k) {
            const double kp = a[k][p], kq = a[k][q];
            a[k][p] = c * kp - s * kq, a[k][q] = s * kp + c * kq;
        }
        for (int k = 0; k < 3; ++k) {
            const double pk = a[p][k], qk = a[q][k];
            a[p][k] = c * pk - s * qk, a[q][k] = s * pk + c * qk;
            const double up = axis[p][k], uq = axis[q][k];
            axis[p][k] = c * up - s * uq, axis[q][k] = s * up + c * uq;
        }
    }
    for (int k = 0; k < 3; ++k)
        value[k] = a[k][k];
}

// I x = l for the spin x; a line of particles has none about itself, and in the plane only the turn
// about z counts.
static void find_spin(const OndSph *s, OndRigidPiece *b, const double l[3], double spin[3])
{
    double value[3], axis[3][3];
    spin[0] = spin[1] = spin[2] = 0.0;
    b->thin = false;
    if (s->world.dimension == 2) {
        spin[2] = b->inertia[2][2] > 0.0 ? l[2] / b->inertia[2][2] : 0.0;
        return;
    }
    find_axes((const double(*)[3])b->inertia, value, axis);
    const double most = fmax(value[0], fmax(value[1], value[2]));
    for (int k = 0; k < 3; ++k) {
        if (!(value[k] > THIN * most)) {
            b->thin = true;
            memcpy(b->along, axis[k], sizeof b->along);
            continue;
        }
        const double rate = (axis[k][0] * l[0] + axis[k][1] * l[1] + axis[k][2] * l[2]) / value[k];
        for (int a = 0; a < 3; ++a)
            spin[a] += rate * axis[k][a];
    }
}

static void put_inertia(OndRigidPiece *b, const double sum[12])
{
    for (int a = 0; a < 3; ++a) {
        const int c = (a + 1) % 3, d = (a + 2) % 3;
        b->inertia[a][a] = sum[6 + a];
        b->inertia[c][d] = b->inertia[d][c] = sum[9 + a];
    }
}

// A driven body does as its held members are told.
static void drive(const OndSph *s, OndRigidPiece *b)
{
    for (int k = b->first; k < b->last; ++k) {
        const uint32_t i = s->rigid->order[k];
        if (!s->held[i]) continue;
        const OndMaterial *m = &s->world.material[s->material[i]];
        b->still = s->held[i] == OND_HELD_ASLEEP;
        if (b->still) {
            memset(b->motion, 0, sizeof b->motion);
            return;
        }
        b->driver = (int)s->material[i];
        for (int a = 0; a < 3; ++a) {
            const int c = (a + 1) % 3, d = (a + 2) % 3;
            double r[3];
            for (int e = 0; e < 3; ++e)
                r[e] = b->center[e] - m->held_center[e] - s->time * m->held_velocity[e];
            b->motion[a] = m->held_velocity[a] + m->held_spin[c] * r[d] - m->held_spin[d] * r[c];
            b->motion[3 + a] = m->held_spin[a];
        }
        return;
    }
}

static void put_velocity(const OndRigidPiece *b, const float x[3], float v[3])
{
    const double r[3] = {x[0] - b->center[0], x[1] - b->center[1], x[2] - b->center[2]};
    for (int a = 0; a < 3; ++a) {
        const int c = (a + 1) % 3, d = (a + 2) % 3;
        v[a] = (float)(b->motion[a] + b->motion[3 + c] * r[d] - b->motion[3 + d] * r[c]);
    }
}

static void stiffen_range(int first, int last, int worker, void *context)
{
    OndSph *s = context;
    for (int k = first; k < last; ++k) {
        const uint32_t i = s->rigid->order[k];
        const float x[3] = {s->x[0][i], s->x[1][i], s->x[2][i]};
        float v[3];
        put_velocity(&s->rigid->body[s->rigid->member[i]], x, v);
        for (int a = 0; a < 3; ++a)
            s->v[a][i] = v[a];
    }
}

static int member_count(const OndRigid *g)
{
    return g->body_count ? g->body[g->body_count - 1].last : 0;
}

void ond_body_stiffen(OndSph *s)
{
    ond_parallel_for(member_count(s->rigid), OND_GRAIN, stiffen_range, s);
}

void ond_body_sum(OndSph *s)
{
    OndRigid *g = s->rigid;
    for (int k = 0; k < g->body_count; ++k) {
        OndRigidPiece *b = &g->body[k];
        double sum[12];
        sum_members(s, k, false, sum);
        b->mass = sum[0];
        for (int a = 0; a < 3; ++a)
            b->center[a] = sum[1 + a] / sum[0], b->pull[a] = sum[4 + a] / sum[0];
        sum_members(s, k, true, sum);
        put_inertia(b, sum);
        for (int a = 0; a < 3; ++a)
            b->motion[a] = sum[a] / b->mass;
        find_spin(s, b, sum + 3, b->motion + 3);
        if (b->driven) {
            drive(s, b);
            b->pull[0] = b->pull[1] = b->pull[2] = 0.0;
        }
    }
    ond_body_stiffen(s);
}

// ---- after the solve

// The turn by |spin| dt about the spin [Rodrigues].
static void find_turn(const double spin[3], double dt, double turn[3][3])
{
    const double rate = sqrt(spin[0] * spin[0] + spin[1] * spin[1] + spin[2] * spin[2]);
    const double angle = rate * dt, n = rate > 0.0 ? 1.0 / rate : 0.0;
    const double u[3] = {spin[0] * n, spin[1] * n, spin[2] * n};
    const double sine = sin(angle), rest = 2.0 * sin(0.5 * angle) * sin(0.5 * angle);
    for (int a = 0; a < 3; ++a)
        for (int b = 0; b < 3; ++b)
            turn[a][b] = rest * (u[a] * u[b] - (a == b));
    for (int a = 0; a < 3; ++a) {
        const int c = (a + 1) % 3, d = (a + 2) % 3;
        turn[d][c] += sine * u[a];
        turn[c][d] -= sine * u[a];
    } // without the unit matrix: small turns lose nothing to rounding
}

static void turn_inertia(OndRigidPiece *b, const double turn[3][3])
{
    double full[3][3], half[3][3] = {{0}}, out[3][3] = {{0}};
    for (int a = 0; a < 3; ++a)
        for (int c = 0; c < 3; ++c)
            full[a][c] = turn[a][c] + (a == c);
    for (int a = 0; a < 3; ++a)
        for (int c = 0; c < 3; ++c)
            for (int k = 0; k < 3; ++k)
                half[a][c] += full[a][k] * b->inertia[k][c];
    for (int a = 0; a < 3; ++a)
        for (int c = 0; c < 3; ++c)
            for (int k = 0; k < 3; ++k)
                out[a][c] += half[a][k] * full[c][k];
    for (int a = 0; a < 3; ++a)
        for (int c = 0; c < 3; ++c)
            b->inertia[a][c] = out[a][c];
}

typedef struct PieceMove {
    OndSph *s;
    OndRigidPiece *body;
    OndBodyWay way;
} PieceMove;

static void place_range(int first, int last, int worker, void *context)
{
    const PieceMove *m = context;
    const OndRigid *g = m->s->rigid;
    for (int k = m->body->first + first; k < m->body->first + last; ++k) {
        const uint32_t i = g->order[k];
        double x[3], to[3];
        for (int a = 0; a < 3; ++a)
            x[a] = (double)m->s->x[a][i] + m->s->rest[a][i];
        ond_body_end(&m->way, x, to);
        for (int a = 0; a < 3; ++a) {
            g->settled[a][k] = (float)to[a];
            m->s->rest[a][i] = (float)(to[a] - g->settled[a][k]);
        }
    }
}

static void speed_range(int first, int last, int worker, void *context)
{
    const PieceMove *m = context;
    const OndRigid *g = m->s->rigid;
    for (int k = m->body->first + first; k < m->body->first + last; ++k) {
        const float x[3] = {g->settled[0][k], g->settled[1][k], g->settled[2][k]};
        float v[3];
        put_velocity(m->body, x, v);
        for (int a = 0; a < 3; ++a)
            g->settled[3 + a][k] = v[a];
    }
}

// What contacts may have made of a turn about the line itself means nothing.
static void forget_turn(OndRigidPiece *b)
{
    double rate = 0;
    for (int a = 0; a < 3; ++a)
        rate += b->motion[3 + a] * b->along[a];
    for (int a = 0; a < 3; ++a)
        b->motion[3 + a] -= rate * b->along[a];
}

// The way of its centre: for a driven body round the centre of what drives it.
static void find_shift(const OndSph *s, const OndRigidPiece *b, double dt, OndBodyWay *way)
{
    const OndMaterial *by = &s->world.material[b->driven ? b->driver : 0];
    double r[3];
    for (int a = 0; a < 3; ++a)
        r[a] = b->center[a] - by->held_center[a] - s->time * by->held_velocity[a];
    for (int a = 0; a < 3; ++a)
        way->shift[a] = !b->driven || b->still
                            ? dt * b->motion[a]
                            : dt * by->held_velocity[a] + way->turn[a][0] * r[0] +
                                  way->turn[a][1] * r[1] + way->turn[a][2] * r[2];
}

OndBodyWay ond_body_way(const OndSph *s, const OndRigidPiece *b, double dt)
{
    OndBodyWay way;
    memcpy(way.center, b->center, sizeof way.center);
    find_turn(b->motion + 3, dt, way.turn);
    find_shift(s, b, dt, &way);
    return way;
}

void ond_body_move(OndSph *s, float dt)
{
    OndRigid *g = s->rigid;
    for (int k = 0; k < g->body_count; ++k) {
        OndRigidPiece *b = &g->body[k];
        PieceMove m = {.s = s, .body = b};
        double spin[3] = {0}; // angular momentum
        if (b->thin) forget_turn(b);
        for (int a = 0; a < 3; ++a)
            for (int c = 0; c < 3; ++c)
                spin[a] += b->inertia[a][c] * b->motion[3 + c];
        m.way = ond_body_way(s, b, dt);
        ond_parallel_for(b->last - b->first, OND_GRAIN, place_range, &m);
        for (int a = 0; a < 3; ++a)
            b->center[a] += m.way.shift[a];
        turn_inertia(b, (const double(*)[3])m.way.turn);
        if (!b->driven) find_spin(s, b, spin, b->motion + 3);
        ond_parallel_for(b->last - b->first, OND_GRAIN, speed_range, &m);
    }
}

// Velocities live at half steps; what a frame shows is looked ahead, as for everything else.
static void settle_range(int first, int last, int worker, void *context)
{
    OndSph *s = context;
    const OndRigid *g = s->rigid;
    const float ahead = s->def.integrator == OND_LEAPFROG ? 0.5f * s->rigid->dt : 0.0f;
    for (int k = first; k < last; ++k) {
        const uint32_t i = g->order[k];
        const double *pull = g->body[g->member[i]].pull;
        for (int a = 0; a < 3; ++a) {
            s->x[a][i] = g->settled[a][k];
            s->v[a][i] = g->settled[3 + a][k] + ahead * (float)pull[a];
            s->last[a][i] = (float)pull[a];
        }
    }
}

void ond_rigid_settle(OndSph *s, float dt)
{
    if (!s->rigid || s->def.rigidity.solver != OND_RIGID_GLOBAL) return;
    s->rigid->dt = dt;
    ond_parallel_for(member_count(s->rigid), OND_GRAIN, settle_range, s);
}
