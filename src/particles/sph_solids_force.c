// SPDX-License-Identifier: MIT
// What walls do to the particles near them, pass by pass.
//
// Across the wall the liquid behind it has the particle's own pressure, continued by the weight in
// between, and its velocity mirrored, so that it pushes back what comes nearer. Along the wall it
// is like the liquid in front of it: pressure and cohesion pull along as they do there, only more
// of them, in the ratio of the whole kernel to the part in front. So a slippery wall bears nothing
// along itself, whether the liquid rests or falls.
#include "base/parallel.h"
#include "particles/sph_solids.h"

#define ROW_GRAIN 256
#define CREASE    0.3f // normals that differ less are one direction

typedef void RowFn(OndSph *s, OndRow *row, int i);

typedef struct Pass {
    OndSph *s;
    RowFn *body;
} Pass;

static void pass_rows(int first, int last, int worker, void *context)
{
    const Pass *p = context;
    for (int k = first; k < last; ++k) {
        OndRow *row = ond_sph_row(p->s, k);
        p->body(p->s, row, row->particle);
    }
}

static void for_rows(OndSph *s, RowFn *body)
{
    Pass p = {s, body};
    ond_parallel_for(s->solids->used_count, ROW_GRAIN, pass_rows, &p);
}

static void give(OndSph *s, OndRowTouch *touch, int i, const float push[3])
{
    for (int a = 0; a < 3; ++a) {
        touch->push[a] += push[a];
        s->a[a][i] += push[a];
    }
}

// Velocity relative to the face: along its normal, and the rest.
static float split_velocity(const OndSph *s, const OndRowTouch *touch, int i, float along[3])
{
    float v[3];
    for (int a = 0; a < 3; ++a)
        v[a] = s->v[a][i] - (s->solids->still ? 0.0f : touch->velocity[a]);
    const float across = ond_dot3(v, touch->normal);
    for (int a = 0; a < 3; ++a)
        along[a] = v[a] - across * touch->normal[a];
    return across;
}

// ---- along walls

// Takes off what is across any of a row's faces.
static void keep_along(const OndRow *row, float v[3])
{
    float basis[3][3];
    int count = 0;
    for (int k = 0; k < row->count && count < 3; ++k) {
        float n[3] = {row->touch[k].normal[0], row->touch[k].normal[1], row->touch[k].normal[2]};
        for (int b = 0; b < count; ++b) {
            const float part = ond_dot3(n, basis[b]);
            for (int a = 0; a < 3; ++a)
                n[a] -= part * basis[b][a];
        }
        const float length = sqrtf(ond_dot3(n, n));
        if (length < CREASE) continue;
        for (int a = 0; a < 3; ++a)
            basis[count][a] = n[a] / length;
        const float part = ond_dot3(v, basis[count]);
        for (int a = 0; a < 3; ++a)
            v[a] -= part * basis[count][a];
        ++count;
    }
}

// The liquid behind goes on along the wall as that in front: `front` is what that gave.
static void go_on_along(OndSph *s, OndRow *row, int i, float front[3], int sum)
{
    const OndWallTable *table = &s->solids->table;
    float open = 1.0f;
    for (int k = 0; k < row->count; ++k)
        open -= row->touch[k].share * ond_wall_sum(table, sum, row->touch[k].distance) /
                table->full[sum];
    const float more = 1.0f / fmaxf(open, 0.25f) - 1.0f;
    keep_along(row, front);
    for (int a = 0; a < 3; ++a)
        front[a] *= more;
    give(s, &row->touch[0], i, front);
}

// ---- pressure

// Behind the wall pressure is no less than none, where nothing pulls.
static float push_of(const OndSph *s, const OndRow *row, const OndRowTouch *touch, int i)
{
    const OndWallTable *table = &s->solids->table;
    const bool mueller = s->def.pressure == OND_PRESSURE_MUELLER;
    const float unit = mueller ? 1.0f : s->volume[i] * s->volume[i];
    const float slope = ond_wall_sum(table, OND_WALL_SLOPE, touch->distance);
    const float fall = -ond_dot3(s->world.gravity, touch->normal);
    const float weight =
        unit * s->density[i] * fall * ond_wall_sum(table, OND_WALL_WEIGHT, touch->distance);
    const float mine = s->load[i] * slope, behind = mine + weight;
    const float push = mine + (s->def.suction || behind > 0.0f ? behind : 0.0f);
    return s->scale[i] * s->weight[i] * touch->edge * push * (s->has_tension ? row->filled : 1.0f);
}

static void push_row(OndSph *s, OndRow *row, int i)
{
    if (row->count == 0) return;
    if (s->has_rigidity && s->piece[i]) return; // meets walls by contact
    float front[3];
    for (int a = 0; a < 3; ++a)
        front[a] = s->a[a][i] - s->world.gravity[a];
    for (int k = 0; k < row->count; ++k) {
        OndRowTouch *touch = &row->touch[k];
        const float push = push_of(s, row, touch, i);
        give(s, touch, i,
             (float[3]){push * touch->normal[0], push * touch->normal[1], push * touch->normal[2]});
    }
    go_on_along(s, row, i, front, OND_WALL_ALONG);
}

static void forget_row(OndSph *s, OndRow *row, int i)
{
    for (int k = 0; k < row->count; ++k)
        for (int a = 0; a < 3; ++a)
            row->touch[k].push[a] = 0.0f;
}

void ond_sph_solids_push(OndSph *s)
{
    if (!s->solids) return;
    for_rows(s, forget_row);
    for_rows(s, push_row);
}

// ---- friction

static void rub_row(OndSph *s, OndRow *row, int i)
{
    const OndWallTable *table = &s->solids->table;
    const float strength = (float)s->def.artificial * s->sound * s->kernel.h * s->volume[i];
    const float drag = s->has_viscosity ? s->viscosity[i] * s->volume[i] / s->density[i] : 0.0f;
    for (int k = 0; k < row->count; ++k) {
        OndRowTouch *touch = &row->touch[k];
        const float hold = 1.0f - ond_solids_def(s->world.solids, touch->solid)->slip;
        const float d = touch->distance, arm = fmaxf(d, 0.5f * (float)s->world.spacing);
        const float squeeze = 2.0f * strength * ond_wall_sum(table, OND_WALL_SQUEEZE, d);
        const float rub = strength * ond_wall_sum(table, OND_WALL_RUB, d);
        const float shear = drag * ond_wall_sum(table, OND_WALL_DRAG, d) / arm;
        float along[3], push[3];
        const float across = split_velocity(s, touch, i, along);
        const float back = shear * across + (across < 0.0f ? squeeze * across : 0.0f);
        for (int a = 0; a < 3; ++a)
            push[a] = -touch->share * (back * touch->normal[a] + hold * (rub + shear) * along[a]);
        give(s, touch, i, push);
    }
}

void ond_sph_solids_rub(OndSph *s)
{
    if (s->solids) for_rows(s, rub_row);
}

// ---- surface tension

static void remember_row(OndSph *s, OndRow *row, int i)
{
    for (int a = 0; a < 3; ++a)
        row->before[a] = s->a[a][i];
}

static void cohere_row(OndSph *s, OndRow *row, int i)
{
    if (row->count == 0) return;
    float front[3];
    for (int a = 0; a < 3; ++a)
        front[a] = s->a[a][i] - row->before[a];
    const float mass = s->density[i] * s->volume[i];
    const float strength = 2.0f * s->cohesion_scale * s->tension[i] * row->filled / mass;
    for (int k = 0; k < row->count; ++k) {
        OndRowTouch *touch = &row->touch[k];
        const float pull = strength * touch->edge *
                           ond_wall_sum(&s->solids->table, OND_WALL_COLOUR_SLOPE, touch->distance);
        give(s, touch, i,
             (float[3]){-pull * touch->normal[0], -pull * touch->normal[1],
                        -pull * touch->normal[2]});
    }
    go_on_along(s, row, i, front, OND_WALL_COLOUR_ALONG);
}

// Mueller's normal: the colour goes on behind the wall.
static void colour_row(OndSph *s, OndRow *row, int i)
{
    for (int k = 0; k < row->count; ++k) {
        const OndRowTouch *touch = &row->touch[k];
        const float slope = s->volume[i] * touch->edge * row->filled *
                            ond_wall_sum(&s->solids->table, OND_WALL_COLOUR_SLOPE, touch->distance);
        for (int a = 0; a < 3; ++a)
            s->normal[a][i] -= slope * touch->normal[a];
    }
}

void ond_sph_solids_remember(OndSph *s)
{
    if (s->solids) for_rows(s, remember_row);
}

void ond_sph_solids_cohere(OndSph *s)
{
    if (s->solids) for_rows(s, s->def.tension == OND_TENSION_COHESION ? cohere_row : colour_row);
}

// ---- density that follows the flow

static void rate_row(OndSph *s, OndRow *row, int i)
{
    const float mass = s->density[i] * s->volume[i];
    for (int k = 0; k < row->count; ++k) {
        const OndRowTouch *touch = &row->touch[k];
        float along[3];
        const float across = split_velocity(s, touch, i, along);
        s->rate[i] -= 2.0f * mass * across * touch->edge *
                      ond_wall_sum(&s->solids->table, OND_WALL_SLOPE, touch->distance);
    }
}

void ond_sph_solids_rate(OndSph *s)
{
    if (s->solids) for_rows(s, rate_row);
}

void ond_sph_solids_still(OndSph *s, bool still)
{
    if (s->solids) s->solids->still = still;
}
