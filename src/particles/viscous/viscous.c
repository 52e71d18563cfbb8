// SPDX-License-Identifier: MIT
// The solver: conjugate gradients for the velocities after the step.
#include "particles/viscous/viscous.h"

#include "base/memory.h"
#include "base/parallel.h"
#include "particles/viscous/viscous_state.h"
#include "physics/step.h"
#include "solids/solids.h"

#define ROUNDING 2e-7f // of a particle's own block times its velocity: less cannot be left

// ---- who wants it

// The share of other limits that friction's may be. 0.6: at 0.54 a thread of honey is computed in 0.86
// of the time, a step taking 1.4 times as long.
#define SHORTER 0.6

bool ond_viscous_wanted(const OndSph *s)
{
    if (!s->may_rub || s->def.viscosity.solver == OND_VISCOUS_IMPLICIT) return s->may_rub;
    if (s->def.step_rule != OND_STEP_ADAPTIVE) return false;
    const double other = ond_sph_step_beside_friction(s);
    double own = INFINITY;
    for (int m = 0; m < s->world.material_count; ++m) {
        const OndMaterial *const liquid = &s->world.material[m];
        own = fmin(own, ond_step_viscous(ond_sph_thickest(liquid) / liquid->density, s->kernel.h));
    }
    return own < SHORTER * other;
}

// ---- memory

static bool has_free_solids(const OndSph *s)
{
    for (int k = 0; k < ond_solids_count(s->world.solids); ++k)
        if (ond_solids_def(s->world.solids, k)->free) return true;
    return false;
}

// Solids may become free while it runs.
static bool make_bodies(const OndSph *s, OndViscous *v)
{
    const int count = has_free_solids(s) ? ond_solids_count(s->world.solids) : 0;
    if (count == v->bodies) return true;
    ond_free(v->body);
    v->body = count ? ond_alloc((size_t)count * sizeof *v->body) : NULL;
    v->bodies = v->body ? count : 0;
    return v->bodies == count;
}

static void free_arrays(OndViscous *v)
{
    void *arrays[] = {v->out, v->aim, v->found, v->left, v->mirror, v->behind, v->block};
    for (int k = 0; k < OND_COUNT(arrays); ++k)
        ond_free(arrays[k]);
}

static bool make_arrays(OndViscous *v, int room)
{
    OndQuad **const quads[] = {&v->out, &v->aim, &v->found, &v->left, &v->mirror, &v->behind};
    free_arrays(v);
    bool all = true;
    for (int k = 0; k < OND_COUNT(quads); ++k)
        all = (*quads[k] = OND_NEW_ARRAY(OndQuad, room)) && all;
    v->block = ond_alloc((size_t)room * sizeof *v->block);
    v->room = all && v->block ? room : 0;
    return v->room > 0;
}

OndStatus ond_viscous_room(OndSph *s, OndError *err)
{
    if (!s->viscous) s->viscous = OND_NEW(OndViscous);
    const int need = s->fields.count + s->images.count;
    OndViscous *const v = s->viscous;
    if (v) v->place = s->place, v->go = s->go;
    if (v && make_bodies(s, v) && (need <= v->room || make_arrays(v, need + need / 8 + 1)))
        return OND_OK;
    return ond_fail(err, OND_NO_MEMORY, "not enough memory for the viscosity of %d particles",
                    s->fields.count);
}

void ond_viscous_free(OndViscous *v)
{
    if (!v) return;
    free_arrays(v);
    ond_free(v->body);
    ond_free(v);
}

size_t ond_viscous_bytes(const OndViscous *v)
{
    return v ? sizeof *v + (size_t)v->room * (6 * sizeof(OndQuad) + sizeof *v->block) +
                   (size_t)v->bodies * sizeof *v->body
             : 0;
}

// ---- vectors, in blocks of particles

typedef struct ViscousSearch {
    OndSph *s;
    OndViscous *v;
    float whole; // of the step, s
    float dt;    // over which friction acts: between leapfrog's velocities
    float step, back;
    double *sum[3]; // by block: r . z; what is left and what was changed, squared, times mass
    double total[3];
    double heavy; // what rounding may leave, squared
} ViscousSearch;

typedef void BlockFn(ViscousSearch *t, int block, int begin, int end);

typedef struct SearchPass {
    ViscousSearch *t;
    BlockFn *body;
} SearchPass;

static void pass_blocks(int first, int last, int worker, void *context)
{
    const SearchPass *p = context;
    const int count = p->t->s->fields.count;
    for (int b = first; b < last; ++b) {
        const int begin = b * OND_SUM_BLOCK, end = begin + OND_SUM_BLOCK;
        p->body(p->t, b, begin, end < count ? end : count);
    }
}

static void find(ViscousSearch *t, BlockFn *body)
{
    const int blocks = ond_sum_block_count(t->s->fields.count);
    SearchPass pass = {t, body};
    ond_parallel_for(blocks, 1, pass_blocks, &pass);
    for (int k = 0; k < 3; ++k) {
        t->total[k] = 0.0;
        for (int b = 0; b < blocks; ++b)
            t->total[k] += t->sum[k][b];
    }
}

// Nothing moves what is in a mouth but the mouth.
static bool is_held(const ViscousSearch *t, int i)
{
    OndSph *s = t->s;
    if (!(s->mouth[i] > 0.0f)) return s->held[i];
    const float v2 = s->v[0][i] * s->v[0][i] + s->v[1][i] * s->v[1][i] + s->v[2][i] * s->v[2][i];
    s->mouth[i] = v2 > 0.0f ? s->mouth[i] - t->whole * sqrtf(v2) : 0.0f; // stopped: let go
    for (int a = 0; a < 3; ++a)
        s->a[a][i] = s->last[a][i] = 0.0f;
    return true;
}

// The velocities to come without friction, and the search's start: with that of the last step.
static void start(ViscousSearch *t, int block, int begin, int end)
{
    OndSph *s = t->s;
    OndViscous *v = t->v;
    const bool leap = s->def.integrator == OND_LEAPFROG;
    const float back = leap ? 0.5f * (float)s->last_dt : 0.0f;
    for (int i = begin; i < end; ++i) {
        const float mass = is_held(t, i) ? 0.0f : s->mass[s->material[i]];
        for (int a = 0; a < 3; ++a) {
            v->aim[i][a] = s->v[a][i];
            if (mass > 0.0f) v->aim[i][a] += t->dt * s->a[a][i] - back * s->last[a][i];
            v->found[i][a] = v->aim[i][a] + (mass > 0.0f ? t->dt * s->friction[a][i] : 0.0f);
        }
        v->aim[i][3] = mass;
        v->found[i][3] = mass > 0.0f ? 1.0f / mass : 0.0f;
    }
    t->sum[0][block] = t->sum[1][block] = t->sum[2][block] = 0.0;
}

// The inverse of mass + dt block, which is symmetric.
static void invert(float b[6], float mass, float dt)
{
    const double xx = mass + dt * b[0], yy = mass + dt * b[1], zz = mass + dt * b[2];
    const double xy = dt * b[3], xz = dt * b[4], yz = dt * b[5];
    const double a = yy * zz - yz * yz, c = xz * yz - xy * zz, d = xy * yz - xz * yy;
    const double scale = mass > 0.0f ? 1.0 / (xx * a + xy * c + xz * d) : 0.0;
    b[0] = (float)(scale * a), b[3] = (float)(scale * c), b[4] = (float)(scale * d);
    b[1] = (float)(scale * (xx * zz - xz * xz)), b[2] = (float)(scale * (xx * yy - xy * xy));
    b[5] = (float)(scale * (xy * xz - xx * yz));
}

static void ready(ViscousSearch *t, int block, int begin, int end)
{
    OndViscous *v = t->v;
    double heavy = 0.0;
    for (int i = begin; i < end; ++i) {
        const float mass = v->aim[i][3], *const b = v->block[i];
        const OndQuad f = v->found[i];
        const float own = mass + t->dt * fmaxf(b[0], fmaxf(b[1], b[2]));
        heavy += (double)(own * own * (f[0] * f[0] + f[1] * f[1] + f[2] * f[2]) * f[3]);
        invert(v->block[i], mass, t->dt);
        v->go[i] = (OndQuad){f[0], f[1], f[2], 1.0f};
    }
    t->sum[0][block] = heavy, t->sum[1][block] = t->sum[2][block] = 0.0;
}

static OndQuad eased(const float b[6], OndQuad r)
{
    return (OndQuad){b[0] * r[0] + b[3] * r[1] + b[4] * r[2],
                     b[3] * r[0] + b[1] * r[1] + b[5] * r[2],
                     b[4] * r[0] + b[5] * r[1] + b[2] * r[2], 0.0f};
}

static float dot(OndQuad a, OndQuad b)
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static void look(ViscousSearch *t, int block, int begin, int end)
{
    const OndViscous *v = t->v;
    double rz = 0.0, left = 0.0, change = 0.0;
    for (int i = begin; i < end; ++i) {
        const OndQuad r = v->left[i], by = v->found[i] - v->aim[i];
        rz += (double)dot(r, eased(v->block[i], r));
        left += (double)(dot(r, r) * v->found[i][3]);
        change += (double)(dot(by, by) * v->aim[i][3]);
    }
    t->sum[0][block] = rz, t->sum[1][block] = left, t->sum[2][block] = change;
}

static void leave(ViscousSearch *t, int block, int begin, int end)
{
    OndViscous *v = t->v;
    for (int i = begin; i < end; ++i) {
        const float mass = v->aim[i][3];
        for (int a = 0; a < 3; ++a)
            v->left[i][a] =
                mass > 0.0f ? mass * (v->aim[i][a] - v->found[i][a]) - t->dt * v->out[i][a] : 0.0f;
        v->left[i][3] = 0.0f;
        v->go[i] = (OndQuad){0.0f, 0.0f, 0.0f, 1.0f};
    }
    look(t, block, begin, end);
}

static void turn(ViscousSearch *t, int block, int begin, int end)
{
    OndViscous *v = t->v;
    for (int i = begin; i < end; ++i) {
        const OndQuad z = eased(v->block[i], v->left[i]);
        for (int a = 0; a < 3; ++a)
            v->go[i][a] = z[a] + t->back * v->go[i][a];
    }
    t->sum[0][block] = t->sum[1][block] = t->sum[2][block] = 0.0;
}

// p . A p; then `out` is A p.
static void curve(ViscousSearch *t, int block, int begin, int end)
{
    OndViscous *v = t->v;
    double sum = 0.0;
    for (int i = begin; i < end; ++i) {
        for (int a = 0; a < 3; ++a)
            v->out[i][a] = v->aim[i][3] * v->go[i][a] + t->dt * v->out[i][a];
        sum += (double)dot(v->out[i], v->go[i]);
    }
    t->sum[0][block] = sum, t->sum[1][block] = t->sum[2][block] = 0.0;
}

// Who moves as told has nothing left.
static void go(ViscousSearch *t, int block, int begin, int end)
{
    OndViscous *v = t->v;
    for (int i = begin; i < end; ++i) {
        const float loses = v->aim[i][3] > 0.0f ? t->step : 0.0f;
        for (int a = 0; a < 3; ++a) {
            v->found[i][a] += t->step * v->go[i][a];
            v->left[i][a] -= loses * v->out[i][a];
        }
    }
    look(t, block, begin, end);
}

static void adopt(ViscousSearch *t, int block, int begin, int end)
{
    OndViscous *v = t->v;
    for (int i = begin; i < end; ++i) {
        const OndQuad f = v->found[i];
        v->go[i] = (OndQuad){f[0], f[1], f[2], 1.0f};
    }
    t->sum[0][block] = t->sum[1][block] = t->sum[2][block] = 0.0;
}

static void give(ViscousSearch *t, int block, int begin, int end)
{
    OndSph *s = t->s;
    OndViscous *v = t->v;
    for (int a = 0; a < 3; ++a)
        for (int i = begin; i < end; ++i) {
            s->friction[a][i] = -v->out[i][a] * v->found[i][3];
            s->a[a][i] += s->friction[a][i];
        }
    t->sum[0][block] = t->sum[1][block] = t->sum[2][block] = 0.0;
}

// ---- the search

static bool is_near(const ViscousSearch *t)
{
    const double tolerance = t->s->def.viscosity.tolerance;
    return t->total[1] <= tolerance * tolerance * t->total[2] + t->heavy;
}

static bool solve(ViscousSearch *t)
{
    const int most = t->s->def.viscosity.iterations;
    double rz = t->total[0];
    t->back = 0.0f;
    for (int k = 0; !is_near(t); ++k) {
        if (k == most) return false;
        find(t, turn);
        ond_viscous_sum(t->s, false);
        find(t, curve);
        if (!(t->total[0] > 0.0)) return true;
        t->step = (float)(rz / t->total[0]);
        find(t, go);
        t->back = (float)(t->total[0] / rz);
        rz = t->total[0];
        ++t->s->iterations;
    }
    return true;
}

OndStatus ond_viscous_rub(OndSph *s, float dt, OndError *err)
{
    const int blocks = ond_sum_block_count(s->fields.count);
    const OndStatus status = ond_viscous_room(s, err);
    if (status != OND_OK) return status;
    double *const sums = ond_sph_sums(s, 3 * blocks);
    if (!sums) return ond_fail(err, OND_NO_MEMORY, "not enough memory for sums over particles");
    const bool leap = s->def.integrator == OND_LEAPFROG;
    const float over = leap ? 0.5f * ((float)s->last_dt + dt) : dt;
    ViscousSearch t = {.s = s,
                       .v = s->viscous,
                       .whole = dt,
                       .dt = over,
                       .sum = {sums, sums + blocks, sums + 2 * blocks}};
    ond_viscous_begin(s, over);
    find(&t, start);
    find(&t, ready);
    t.heavy = (double)(ROUNDING * ROUNDING) * t.total[0];
    ond_viscous_sum(s, true);
    find(&t, leave);
    if (!solve(&t)) s->unconverged = true;
    find(&t, adopt);
    ond_viscous_sum(s, true);
    find(&t, give);
    ond_viscous_load(s);
    return OND_OK;
}
