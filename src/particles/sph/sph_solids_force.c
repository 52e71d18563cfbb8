// SPDX-License-Identifier: MIT
// What walls do to the particles near them, pass by pass (physics/wall_density.h). Along the wall
// pressure acts as a mirror's images would, so that a slippery wall bears nothing along itself.
#include "base/parallel.h"
#include "particles/sph/sph_solids.h"
#include "physics/contact.h"

#define ROW_GRAIN 256
#define AT_ONCE   64   // neighbours
#define SAME_WAY  0.7f // cosine of normals that are of one wall
#define MISSED    8.0f // times the share of neighbours that have no image: then none is trusted
#define EDGE_MOST 0.1f // of the pressure's push: as much as jitter has, a tenth of what flows feel
#define ALONG     1.3f // spacings from a wall: pressure along it goes on behind it up to here

typedef void RowFn(OndSph *s, OndRow *row, int i);

typedef struct RowPass {
    OndSph *s;
    RowFn *body;
    bool neighbours; // are looked at too
} RowPass;

static void pass_rows(int first, int last, int worker, void *context)
{
    const RowPass *p = context;
    for (int k = first; k < last; ++k) {
        OndRow *row = ond_sph_row(p->s, k);
        if (p->neighbours) ond_sph_row_soon(p->s, k, last);
        p->body(p->s, row, row->particle);
    }
}

static void for_rows(OndSph *s, RowFn *body)
{
    RowPass p = {s, body, false};
    ond_parallel_for(s->solids->used_count, ROW_GRAIN, pass_rows, &p);
}

static void for_rows_and_neighbours(OndSph *s, RowFn *body)
{
    RowPass p = {s, body, true};
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

// Pressure, as loops_pressure.c has it between particles.
typedef struct Images {
    OndKernelSet kernel;
    const float *load, *weight;
    float scale, reach; // of d: beyond it faces are left out
} Images;

// The particle that a neighbour is, or is an image of at the domain's walls.
static int source_of(const OndSph *s, uint32_t j)
{
    const uint32_t n = (uint32_t)s->fields.count;
    return (int)(j < n ? j : s->images.source[j - n]);
}

// The face of a row that is the same wall.
static const OndRowTouch *same_wall(const OndRow *row, const OndRowTouch *one)
{
    for (int k = 0; k < row->count; ++k)
        if (row->touch[k].solid == one->solid && row->touch[k].flat == one->flat &&
            ond_dot3(row->touch[k].face, one->face) > SAME_WAY)
            return &row->touch[k];
    return NULL;
}

// The neighbour's face that is the same wall; NULL: it touches none.
static const OndRowTouch *wall_of(const OndSph *s, const OndRowTouch *mine, uint32_t j)
{
    const int slot = s->solids->slot[source_of(s, j)];
    return slot < 0 ? NULL : same_wall(&s->solids->row[slot], mine);
}

// What is along the wall that both see, of the way d from the one to the other.
static void keep_along(const OndRowTouch *mine, const OndRowTouch *theirs, float d[3])
{
    float n[3];
    for (int a = 0; a < 3; ++a)
        n[a] = mine->face[a] + theirs->face[a];
    const float part = ond_dot3(d, n) / ond_dot3(n, n);
    for (int a = 0; a < 3; ++a)
        d[a] -= part * n[a];
}

// Of some neighbours those that may have images near enough.
static int select_near(const OndSph *s, int i, const Images *m, const uint32_t *list, int length,
                       uint32_t *near)
{
    const float *px = s->x[0], *py = s->x[1], *pz = s->x[2], *nearest = s->solids->nearest;
    int count = 0;
    for (int e = 0; e < length; ++e) {
        const uint32_t j = list[e];
        const float d[3] = {px[i] - px[j], py[i] - py[j], pz[i] - pz[j]};
        const float at = nearest[source_of(s, j)], far2 = ond_dot3(d, d);
        near[count] = j;
        count += (at < m->reach) & (far2 < m->kernel.h2) & (j != (uint32_t)i);
    }
    return count;
}

// What images give a particle along one of its walls, and how much is missing of them.
typedef struct Along {
    float sum[3];          // of all images
    float even[3];         // what that would be if all had the particle's own load
    float matched, missed; // neighbours with and without an image
} Along;

// `theirs`: the neighbour's face of the same wall.
static void feel_image(const OndSph *s, const OndRowTouch *mine, const OndRowTouch *theirs, int i,
                       uint32_t j, const Images *m, Along *along)
{
    float d[3] = {s->x[0][i] - s->x[0][j], s->x[1][i] - s->x[1][j], s->x[2][i] - s->x[2][j]};
    const float far2 = ond_wall_image(ond_dot3(d, d), mine->distance, theirs->distance);
    if (theirs->distance >= m->reach || far2 >= m->kernel.h2) return;
    const float news = mine->news * theirs->news;
    const float g = -news * m->scale * m->weight[j] * ond_kernel_gradient(m->kernel, sqrtf(far2));
    keep_along(mine, theirs, d);
    for (int a = 0; a < 3; ++a) {
        along->sum[a] += (m->load[i] + m->load[j]) * g * d[a];
        along->even[a] += 2.0f * m->load[i] * g * d[a];
    }
    along->matched += news * (1.0f - far2 / m->kernel.h2);
}

// The neighbour is in front of the plane, but past the edge where the wall ends.
static void miss_image(const OndSph *s, const OndRowTouch *mine, int i, uint32_t j, const Images *m,
                       Along *along)
{
    const float d[3] = {s->x[0][j] - s->x[0][i], s->x[1][j] - s->x[1][i], s->x[2][j] - s->x[2][i]};
    const float ahead = mine->distance + ond_dot3(mine->face, d);
    const float far2 = ond_wall_image(ond_dot3(d, d), mine->distance, fmaxf(ahead, 0.0f));
    if (ahead > 0.0f && ahead < m->reach && far2 < m->kernel.h2)
        along->missed += mine->news * (1.0f - far2 / m->kernel.h2);
}

static void feel_images(const OndSph *s, const OndRowTouch *mine, int i, const Images *m,
                        Along *along)
{
    const uint32_t *list = s->lists.pool + s->lists.first[i];
    const int length = (int)s->lists.length[i];
    uint32_t near[AT_ONCE];
    for (int e = 0; e < length; e += AT_ONCE) {
        const int some = length - e < AT_ONCE ? length - e : AT_ONCE;
        const int count = select_near(s, i, m, list + e, some, near);
        for (int k = 0; k < count; ++k) {
            const OndRowTouch *theirs = wall_of(s, mine, near[k]);
            if (theirs)
                feel_image(s, mine, theirs, i, near[k], m, along);
            else if (!mine->round)
                miss_image(s, mine, i, near[k], m, along);
        }
    }
}

// What one gains the other loses, and the wall bears nothing, nor turns. But beside an edge there
// are images on one side alone, which would drive all towards it, round and round: there only
// differences of load count, and the wall bears the rest.
static void go_on_along(OndSph *s, OndRow *row, int i, const Images *m)
{
    for (int k = 0; k < row->count; ++k) {
        OndRowTouch *touch = &row->touch[k];
        Along along = {.missed = 0.0f};
        if (touch->distance >= m->reach) continue;
        feel_images(s, touch, i, m, &along);
        const float all = along.matched + along.missed;
        const float beside = all > 0.0f ? fminf(MISSED * along.missed / all, 1.0f) : 0.0f;
        float even[3];
        for (int a = 0; a < 3; ++a) {
            s->a[a][i] += along.sum[a];
            even[a] = -beside * along.even[a];
        }
        give(s, touch, i, even);
    }
}

// ---- pressure

static float push_of(const OndSph *s, const OndRowTouch *touch, int i)
{
    const OndWallTable *table = &s->solids->table;
    const bool mueller = s->def.pressure_form == OND_FORM_MUELLER;
    const float unit = mueller ? 1.0f : s->volume[i] * s->volume[i];
    const float slope = ond_wall_sum(table, OND_WALL_SLOPE, touch->distance);
    const float fall = -ond_dot3(s->world.gravity, touch->normal);
    const float weight =
        unit * s->density[i] * fall * ond_wall_sum(table, OND_WALL_WEIGHT, touch->distance);
    const float push = ond_wall_push(s->load[i], slope, weight, s->def.suction);
    return s->scale[i] * s->weight[i] * touch->edge * push;
}

static void forget_pushes(OndSph *s, OndRow *row, int i)
{
    (void)s, (void)i;
    for (int k = 0; k < row->count; ++k)
        for (int a = 0; a < 3; ++a)
            row->touch[k].push[a] = 0.0f;
}

static void push_row(OndSph *s, OndRow *row, int i)
{
    forget_pushes(s, row, i);
    if (row->count == 0) return;
    if (s->has_rigidity && s->piece[i]) return; // meets walls by contact
    for (int k = 0; k < row->count; ++k) {
        OndRowTouch *touch = &row->touch[k];
        const float push = push_of(s, touch, i);
        give(s, touch, i,
             (float[3]){push * touch->normal[0], push * touch->normal[1], push * touch->normal[2]});
    }
    const Images images = {s->kernel, s->load, s->weight, s->scale[i],
                           ALONG * (float)s->world.spacing};
    go_on_along(s, row, i, &images);
}

void ond_sph_solids_push(OndSph *s)
{
    if (!s->solids) return;
    for_rows_and_neighbours(s, push_row);
}

void ond_sph_solids_forget(OndSph *s)
{
    if (s->solids) for_rows(s, forget_pushes);
}

// ---- friction

// How hard a face presses a particle, m/s^2. A liquid that keeps its volume finds that later in the
// step: it is what it was in the last one. (There may be some that pull a little, which presses nobody.)
static float pressed(const OndSph *s, const OndRowTouch *touch, int i)
{
    if (!s->keeps_volume) return sqrtf(ond_dot3(touch->push, touch->push));
    const float slope = ond_wall_sum(&s->solids->table, OND_WALL_SLOPE, touch->distance);
    const float density = s->world.material[s->material[i]].density;
    return fmaxf(s->kept_pressure[i], 0.0f) * s->mass[s->material[i]] / (density * density) *
           touch->edge * slope;
}

// Friction beside edges, in any direction.
static void calm_edge(OndSph *s, OndRowTouch *touch, int i)
{
    float v[3], push[3];
    for (int a = 0; a < 3; ++a)
        v[a] = s->v[a][i] - (s->solids->still ? 0.0f : touch->velocity[a]);
    const float speed = sqrtf(ond_dot3(v, v)), rate = ond_sph_edge_rate(s, touch);
    const float most = EDGE_MOST * pressed(s, touch, i);
    const float slows = ond_contact_limited(rate, speed, most);
    for (int a = 0; a < 3; ++a)
        push[a] = -slows * v[a];
    give(s, touch, i, push);
}

static void rub_row(OndSph *s, OndRow *row, int i)
{
    if (s->has_rigidity && s->piece[i]) return; // rubs by contact
    const OndWallTable *table = &s->solids->table;
    const float strength = (float)s->def.artificial * s->sound * s->kernel.h * s->volume[i];
    const float drag =
        s->has_viscosity && !s->rubs ? s->viscosity[i] * s->volume[i] / s->density[i] : 0.0f;
    for (int k = 0; k < row->count; ++k) {
        OndRowTouch *touch = &row->touch[k];
        const float hold = 1.0f - ond_solids_def(s->world.solids, touch->solid)->slip;
        const float d = touch->distance, arm = fmaxf(d, 0.5f * (float)s->world.spacing);
        const float squeeze = 2.0f * strength * ond_wall_sum(table, OND_WALL_SQUEEZE, d);
        const float rub = strength * ond_wall_sum(table, OND_WALL_RUB, d);
        const float shear = drag * ond_wall_sum(table, OND_WALL_DRAG, d) / arm;
        float along[3], push[3];
        if (touch->open > 0.0f) calm_edge(s, touch, i);
        const float across = split_velocity(s, touch, i, along);
        const float back = ond_wall_squeeze(across, shear, squeeze);
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

// The colour goes on behind the wall as in a mirror: there is no surface where they touch, and the
// free one meets the wall at a right angle. What a neighbour's image adds to the gradients:
static void see_image(const OndSph *s, const OndRowTouch *touch, int i, uint32_t j,
                      const OndRowTouch *theirs, float wide[3], float narrow[3])
{
    float d[3] = {s->x[0][i] - s->x[0][j], s->x[1][i] - s->x[1][j], s->x[2][i] - s->x[2][j]};
    const float mine = fmaxf(touch->distance, 0.0f), other = fmaxf(theirs->distance, 0.0f);
    const float far2 = ond_wall_image(ond_dot3(d, d), mine, other), r = sqrtf(far2);
    if (far2 >= s->colour.h2) return;
    const float volume = touch->news * theirs->news * fminf(s->volume[j], s->rest_volume);
    // both kernels are Wendland's, which needs no division
    const float g = volume * (s->colour.gradient *
                              ond_kernel_gradient_shape(OND_KERNEL_WENDLAND, r, s->colour.inv_h));
    const float f = volume * (s->force.gradient *
                              ond_kernel_gradient_shape(OND_KERNEL_WENDLAND, r, s->force.inv_h));
    keep_along(touch, theirs, d);
    for (int a = 0; a < 3; ++a) {
        const float way = d[a] + (mine + other) * touch->face[a];
        wide[a] += g * way;
        narrow[a] += f * way;
    }
}

// Of some neighbours those that may have images near enough; most have none. It counts that no face
// of theirs is nearer than `nearest`.
static int select_images(const OndSph *s, const OndRowTouch *touch, int i, const uint32_t *list,
                         int length, uint32_t *near)
{
    const float *px = s->x[0], *py = s->x[1], *pz = s->x[2], *nearest = s->solids->nearest;
    const float mine = fmaxf(touch->distance, 0.0f);
    int count = 0;
    for (int e = 0; e < length; ++e) {
        const uint32_t j = list[e];
        const float d[3] = {px[i] - px[j], py[i] - py[j], pz[i] - pz[j]};
        const float other = fmaxf(nearest[source_of(s, j)], 0.0f);
        near[count] = j;
        count += (ond_dot3(d, d) + 4.0f * mine * other < s->colour.h2) & (other < OND_NO_FACE) &
                 (j != (uint32_t)i);
    }
    return count;
}

static void see_images(const OndSph *s, const OndRowTouch *touch, int i, float wide[3],
                       float narrow[3])
{
    const uint32_t *list = s->lists.pool + s->lists.first[i];
    const int length = (int)s->lists.length[i];
    uint32_t near[AT_ONCE];
    see_image(s, touch, i, (uint32_t)i, touch, wide, narrow);
    for (int e = 0; e < length; e += AT_ONCE) {
        const int some = length - e < AT_ONCE ? length - e : AT_ONCE;
        const int count = select_images(s, touch, i, list + e, some, near);
        for (int k = 0; k < count; ++k) {
            const OndRowTouch *theirs = wall_of(s, touch, near[k]);
            if (theirs) see_image(s, touch, i, near[k], theirs, wide, narrow);
        }
    }
}

static void colour_row(OndSph *s, OndRow *row, int i)
{
    float *const *force = s->pull;
    for (int k = 0; k < row->count; ++k) {
        float wide[3] = {0}, narrow[3] = {0};
        see_images(s, &row->touch[k], i, wide, narrow);
        for (int a = 0; a < 3; ++a) {
            s->normal[a][i] += wide[a];
            force[a][i] += narrow[a];
        }
    }
}

void ond_sph_solids_colour(OndSph *s)
{
    if (s->solids) for_rows_and_neighbours(s, colour_row);
}

// ---- density that follows the flow

static void rate_row(OndSph *s, OndRow *row, int i)
{
    const float mass = s->density[i] * s->volume[i];
    for (int k = 0; k < row->count; ++k) {
        const OndRowTouch *touch = &row->touch[k];
        float along[3];
        const float across = split_velocity(s, touch, i, along);
        s->rate[i] +=
            ond_wall_rate(mass, across, touch->edge,
                          ond_wall_sum(&s->solids->table, OND_WALL_SLOPE, touch->distance));
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
