// SPDX-License-Identifier: MIT
// Where a liquid takes in air: potentials of its particles (physics/foam.h), and new foam by them.
//
// A particle makes  amount * motion * (BY_TRAPPED * trapped + BY_CREST * crest) * v / spacing  of them in
// a second, each potential between its limits taken to 0..1: so many on each spacing of its way. They
// begin in the cylinder that it sweeps, and spread by how fast its neighbours close in on it.
#include "base/memory.h"
#include "base/parallel.h"
#include "base/random.h"
#include "particles/foam/foam_state.h"
#include "physics/foam.h"
#include "solids/solids.h"

typedef struct Seeding {
    OndFoam *foam;
    const OndFoamLiquid *liquid;
    OndTrapLoop trap;
    float dt, inv_reach, full;
} Seeding;

// ---- potentials

static void trap_range(int first, int last, int worker, void *context)
{
    const Seeding *const s = context;
    (void)worker;
    s->liquid->loops->trap(&s->trap, first, last);
}

// Normals of length one, and none inside of the liquid.
static void face_range(int first, int last, int worker, void *context)
{
    const Seeding *const s = context;
    float *const *const n = s->foam->normal;
    (void)worker;
    for (int i = first; i < last; ++i) {
        const float length = sqrtf(n[0][i] * n[0][i] + n[1][i] * n[1][i] + n[2][i] * n[2][i]);
        const float scale = length > OND_FOAM_FACE ? 1.0f / length : 0.0f;
        for (int a = 0; a < 3; ++a)
            n[a][i] *= scale;
    }
}

static float dot(float *const a[3], int i, float *const b[3], int j)
{
    return a[0][i] * b[0][j] + a[1][i] * b[1][j] + a[2][i] * b[2][j];
}

// How much the surface bends away round particle i. Images have no normals of their own.
static float crest_of(const Seeding *s, int i)
{
    const OndPairs *const p = &s->liquid->pairs;
    float *const *const n = s->foam->normal;
    float sum = 0.0f;
    for (uint32_t k = 0; k < p->length[i]; ++k) {
        const int j = (int)p->pool[p->first[i] + k];
        if (j == i || j >= s->liquid->count) continue;
        const float d[3] = {p->px[j] - p->px[i], p->py[j] - p->py[i], p->pz[j] - p->pz[i]};
        const float r = sqrtf(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
        const float below = d[0] * n[0][i] + d[1] * n[1][i] + d[2] * n[2][i];
        sum += ond_foam_crest(dot(n, i, n, j), dot(n, j, n, j), below,
                              ond_foam_weight(r, s->inv_reach));
    }
    return sum / s->full;
}

static float crest_potential(const Seeding *s, int i, const float v[3], float speed)
{
    float *const *const n = s->foam->normal;
    const float out = v[0] * n[0][i] + v[1] * n[1][i] + v[2] * n[2][i];
    if (!(out >= OND_FOAM_OUTWARD * speed)) return 0.0f; // nor where there is no normal
    return ond_foam_share(crest_of(s, i), OND_FOAM_CREST_LEAST, OND_FOAM_CREST_MOST);
}

static bool is_liquid(const OndFoamLiquid *l, int i)
{
    return !l->held[i] && !(l->rigidity[i] > 0.5f);
}

// How many new ones particle i makes; a share of one becomes one by chance.
static int seeds_of(const Seeding *s, int i)
{
    const OndFoam *const foam = s->foam;
    const OndPairs *const p = &s->liquid->pairs;
    const float top = (float)foam->speed;
    const float v[3] = {p->vx[i], p->vy[i], p->vz[i]};
    const float v2 = v[0] * v[0] + v[1] * v[1] + v[2] * v[2];
    if (!(top > 0.0f)) return 0; // nothing falls and nothing comes in: no speed is fast
    const float motion = ond_foam_share(v2, OND_FOAM_SLOWEST * OND_FOAM_SLOWEST * top * top,
                                        OND_FOAM_FAST * OND_FOAM_FAST * top * top);
    if (!(motion > 0.0f) || !is_liquid(s->liquid, i)) return 0;
    const float speed = sqrtf(v2);
    const float trapped =
        ond_foam_share(foam->trapped[i], OND_FOAM_TRAPPED_LEAST * top, OND_FOAM_TRAPPED_MOST * top);
    const float rate =
        OND_FOAM_BY_TRAPPED * trapped + OND_FOAM_BY_CREST * crest_potential(s, i, v, speed);
    const float way = speed * s->dt / (float)foam->world->spacing;
    const float wanted = foam->def.amount * motion * rate * way;
    const uint64_t key = ond_scramble((uint64_t)foam->breaths << 32 | s->liquid->id[i]);
    return (int)(fminf(wanted, 1e4f) + ond_random(key, 0));
}

static void count_range(int first, int last, int worker, void *context)
{
    const Seeding *const s = context;
    (void)worker;
    for (int i = first; i < last; ++i)
        s->foam->seeds[i] = seeds_of(s, i);
}

// ---- new ones

// Two directions across `v`.
static void across(const float v[3], float speed, bool flat, float e[2][3])
{
    const float d[3] = {v[0] / speed, v[1] / speed, v[2] / speed};
    e[0][0] = e[0][1] = e[0][2] = e[1][0] = e[1][1] = e[1][2] = 0.0f;
    if (flat) {
        e[0][0] = -d[1], e[0][1] = d[0];
        return;
    }
    const float least = fminf(fabsf(d[0]), fminf(fabsf(d[1]), fabsf(d[2])));
    const int axis = fabsf(d[0]) == least ? 0 : fabsf(d[1]) == least ? 1 : 2;
    const int next = (axis + 1) % 3, last = (axis + 2) % 3;
    const float scale = 1.0f / sqrtf(d[next] * d[next] + d[last] * d[last]);
    e[0][next] = -d[last] * scale, e[0][last] = d[next] * scale; // d x axis
    for (int a = 0; a < 3; ++a)
        e[1][a] = d[(a + 1) % 3] * e[0][(a + 2) % 3] - d[(a + 2) % 3] * e[0][(a + 1) % 3];
}

static bool is_behind(const OndFoam *foam, const float x[3], const float at[3])
{
    if (!foam->world->solids) return false;
    return ond_solids_between(foam->world->solids, ond_vec(x[0], x[1], x[2]),
                              ond_vec(at[0], at[1], at[2]), OND_FOAM_RADIUS * foam->world->spacing);
}

static void put(const Seeding *s, int i, int seed, int row)
{
    OndFoam *const foam = s->foam;
    const OndPairs *const p = &s->liquid->pairs;
    const float x[3] = {p->px[i], p->py[i], p->pz[i]}, v[3] = {p->vx[i], p->vy[i], p->vz[i]};
    const float speed = sqrtf(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
    const uint64_t key = ond_scramble((uint64_t)foam->breaths << 32 | s->liquid->id[i]),
                   own = ond_scramble(key + (uint64_t)seed + 1);
    const float out = sqrtf(ond_random(own, 0)), turn = 6.28318531f * ond_random(own, 1),
                along = ond_random(own, 2) * s->dt,
                radius = OND_FOAM_WIDE * (float)foam->world->spacing;
    const float aside[2] = {out * cosf(turn), out * sinf(turn)};
    const float spread = OND_FOAM_SPREAD * foam->trapped[i];
    float e[2][3], at[3];
    across(v, speed, foam->world->dimension == 2, e);
    for (int a = 0; a < 3; ++a) {
        const float off = aside[0] * e[0][a] + aside[1] * e[1][a], to = x[a] + radius * off;
        at[a] = fminf(fmaxf(to + along * v[a], foam->wall_at[2 * a]), foam->wall_at[2 * a + 1]);
        foam->v[a][row] = v[a] + spread * off;
    }
    const bool behind = is_behind(foam, x, at); // a solid: it begins where the liquid is
    for (int a = 0; a < 3; ++a)
        foam->x[a][row] = behind ? x[a] : at[a];
    foam->kind[row] = OND_SPRAY;
    foam->age[row] = 0.0f;
    foam->life[row] = (float)ond_foam_lifetime(foam) * (0.4f + 1.2f * ond_random(own, 3));
    foam->id[row] = (uint32_t)fmod(foam->next + (row - foam->particles.count), 4294967296.0);
}

// From here on `seeds` has the row of each particle's first one.
static int add_up(OndFoam *foam, int count)
{
    int sum = foam->particles.count;
    for (int i = 0; i < count; ++i) {
        const int own = foam->seeds[i], room = foam->def.most - sum;
        const int fits = own < room ? own : room > 0 ? room : 0;
        foam->refused += own - fits;
        foam->seeds[i] = sum;
        sum += fits;
    }
    foam->seeds[count] = sum;
    return sum;
}

static void put_range(int first, int last, int worker, void *context)
{
    const Seeding *const s = context;
    (void)worker;
    for (int i = first; i < last; ++i)
        for (int row = s->foam->seeds[i]; row < s->foam->seeds[i + 1]; ++row)
            put(s, i, row - s->foam->seeds[i], row);
}

static OndStatus make_room(OndFoam *foam, int count, OndError *err)
{
    if (count <= foam->room) return OND_OK;
    float **const all[] = {&foam->trapped, &foam->normal[0], &foam->normal[1], &foam->normal[2]};
    foam->room = 0;
    const int room = count + count / 8;
    bool good = true;
    for (int k = 0; k < OND_COUNT(all); ++k) {
        ond_free(*all[k]);
        *all[k] = OND_NEW_ARRAY(float, room);
        good = good && *all[k];
    }
    ond_free(foam->seeds);
    foam->seeds = OND_NEW_ARRAY(int, room + 1);
    if (!good || !foam->seeds) return ond_fail(err, OND_NO_MEMORY, "not enough memory for foam");
    foam->room = room;
    return OND_OK;
}

static Seeding seeding_of(OndFoam *foam, const OndFoamLiquid *liquid, double dt)
{
    const float spacing = (float)foam->world->spacing;
    const float full = ond_foam_full(liquid->reach / spacing, foam->world->dimension);
    const float slow = 0.5f * OND_FOAM_SLOWEST * (float)foam->speed; // and no crest's neighbour
    const OndTrapLoop trap = {liquid->pairs,   1.0f / liquid->reach, 1.0f / full,
                              slow * slow,     foam->trapped,        foam->normal[0],
                              foam->normal[1], foam->normal[2]};
    return (Seeding){foam, liquid, trap, (float)dt, 1.0f / liquid->reach, full};
}

OndStatus ond_foam_seed(OndFoam *foam, const OndFoamLiquid *liquid, double dt, OndError *err)
{
    OndStatus status = make_room(foam, liquid->count, err);
    if (status != OND_OK) return status;
    Seeding s = seeding_of(foam, liquid, dt);
    ond_parallel_for(liquid->count, OND_FOAM_GRAIN, trap_range, &s);
    ond_parallel_for(liquid->count, OND_FOAM_GRAIN, face_range, &s);
    ond_parallel_for(liquid->count, OND_FOAM_GRAIN, count_range, &s);
    const int sum = add_up(foam, liquid->count);
    if (sum > foam->particles.capacity) {
        status = ond_fields_reserve(&foam->particles, sum + sum / 4 + 1024, err);
        if (status != OND_OK) return status;
        ond_foam_bind(foam);
    }
    ond_parallel_for(liquid->count, OND_FOAM_GRAIN, put_range, &s);
    foam->next += sum - foam->particles.count;
    foam->particles.count = sum;
    return OND_OK;
}
