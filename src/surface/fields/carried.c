// SPDX-License-Identifier: MIT
// How the neighbourhood of a particle has turned since the start: the rotation nearest to
//
//     sum_j (x_j - x_i)(X_j - X_i)^T                                        [Mueller 2016]
//
// with X where its neighbours were in their shape and x where they are. How far they are off that
// turn tells how much of the shape it still carries.
//
// [Mueller 2016] A robust method to extract the rotational part of deformations, MIG.
#include "surface/fields/carried.h"

#include "base/parallel.h"

#define BESIDE 1.8f // spacings: whose motion tells a particle's turn
// Share of its neighbours' distances that their places are off, from which on a particle begins to
// carry less, and carries nothing: a soft bar that bends by a third still has its edges (0.1), what
// has slumped to half its height has not (0.35).
#define BENT   0.12f
#define BROKEN 0.4f
#define ROUNDS 40 // of the search for a turn; half a turn takes about 20
#define GRAIN  256

// ---- how particles have turned

// turn <- turn by the angle |w| about w.
static void turn_by(const double w[3], double turn[9])
{
    const double angle = sqrt(w[0] * w[0] + w[1] * w[1] + w[2] * w[2]);
    if (!(angle > 0.0)) return;
    const double s = sin(angle) / angle, c = (1.0 - cos(angle)) / (angle * angle);
    for (int k = 0; k < 3; ++k) { // a column
        const double v[3] = {turn[k], turn[3 + k], turn[6 + k]};
        double once[3], twice[3];
        for (int a = 0; a < 3; ++a)
            once[a] = w[(a + 1) % 3] * v[(a + 2) % 3] - w[(a + 2) % 3] * v[(a + 1) % 3];
        for (int a = 0; a < 3; ++a)
            twice[a] = w[(a + 1) % 3] * once[(a + 2) % 3] - w[(a + 2) % 3] * once[(a + 1) % 3];
        for (int a = 0; a < 3; ++a)
            turn[3 * a + k] = v[a] + s * once[a] + c * twice[a];
    }
}

// The rotation nearest to m [Mueller 2016]; columns are compared.
static void nearest_turn(const double m[9], double turn[9])
{
    for (int k = 0; k < 9; ++k)
        turn[k] = k % 4 == 0;
    for (int round = 0; round < ROUNDS; ++round) {
        double w[3] = {0}, along = 0.0;
        for (int k = 0; k < 3; ++k)
            for (int a = 0; a < 3; ++a) {
                const int b = (a + 1) % 3, c = (a + 2) % 3;
                w[a] += turn[3 * b + k] * m[3 * c + k] - turn[3 * c + k] * m[3 * b + k];
                along += turn[3 * a + k] * m[3 * a + k];
            }
        const double by = 1.0 / (fabs(along) + 1e-30);
        for (int a = 0; a < 3; ++a)
            w[a] *= by;
        turn_by(w, turn);
        if (w[0] * w[0] + w[1] * w[1] + w[2] * w[2] < 1e-16) return;
    }
}

typedef struct CarriedTurning {
    const OndPoints *points;
    OndCarriedPoints *own;
} CarriedTurning;

static void apart(const OndCarriedPoints *c, const OndPoints *p, uint32_t i, uint32_t j,
                  float now[3], float was[3])
{
    now[0] = p->x[j] - p->x[i], now[1] = p->y[j] - p->y[i], now[2] = p->z[j] - p->z[i];
    for (int a = 0; a < 3; ++a)
        was[a] = c->origin[j][a] - c->origin[i][a];
}

typedef struct Neighbourhood {
    double m[9];        // sum of (now)(was)^T
    double was2;        // sum of |was|^2
    double off2;        // sum of |now - turn was|^2
    const double *turn; // NULL: not known yet
} Neighbourhood;

static void look_round(const CarriedTurning *t, uint32_t i, Neighbourhood *out)
{
    const OndPoints *const p = t->points;
    const float spacing = (float)p->spacing, reach = BESIDE * spacing;
    const double low[3] = {p->x[i] - reach, p->y[i] - reach, p->z[i] - reach};
    const double high[3] = {p->x[i] + reach, p->y[i] + reach, p->z[i] + reach};
    OndBinWalk near = ond_near(&p->bins, low, high);
    for (OndRun run; ond_near_next(&near, &run);)
        for (uint32_t j = run.first; j < run.last; ++j) {
            float now[3], was[3];
            apart(t->own, p, i, j, now, was);
            if (ond_carried_length2(now) > reach * reach ||
                !ond_carried_related(t->own, spacing, i, j, was))
                continue;
            out->was2 += ond_carried_length2(was);
            for (int a = 0; a < 3; ++a) {
                double off = now[a];
                for (int b = 0; b < 3; ++b) {
                    out->m[3 * a + b] += (double)now[a] * was[b];
                    if (out->turn) off -= out->turn[3 * a + b] * was[b];
                }
                out->off2 += off * off;
            }
        }
}

static void turn_range(int first, int last, int worker, void *context)
{
    const CarriedTurning *const t = context;
    for (int i = first; i < last; ++i) {
        double turn[9];
        if (!(t->own->share[i] > 0.0f)) continue;
        Neighbourhood around = {0}, after = {.turn = turn};
        look_round(t, (uint32_t)i, &around);
        nearest_turn(around.m, turn);
        look_round(t, (uint32_t)i, &after);
        for (int k = 0; k < 9; ++k)
            t->own->turn[i][k] = (float)turn[k];
        t->own->bent[i] = after.was2 > 0.0 ? (float)sqrt(after.off2 / after.was2) : BROKEN;
    }
}

// ---- made

static bool make_room(OndCarriedPoints *c, size_t count)
{
    c->origin = ond_arena_take(&c->arena, count * sizeof *c->origin);
    c->turn = ond_arena_take(&c->arena, count * sizeof *c->turn);
    c->share = ond_arena_take(&c->arena, count * sizeof *c->share);
    c->bent = ond_arena_take(&c->arena, count * sizeof *c->bent);
    c->shape = ond_arena_take(&c->arena, count * sizeof *c->shape);
    return c->origin && c->turn && c->share && c->bent && c->shape;
}

// What a frame must have.
typedef struct CarriedFields {
    const OndField *origin, *carried, *material;
} CarriedFields;

// False: no particle of the frame carries anything.
static bool find_kept(const OndFrame *frame, CarriedFields *out)
{
    const OndFields *const f = &frame->particles;
    *out = (CarriedFields){ond_fields_find(f, "origin"), ond_fields_find(f, "carried"),
                           ond_fields_find(f, "material")};
    return frame->carried.count > 0 && out->origin && out->origin->components == 3 &&
           out->origin->type == OND_F32 && out->carried && out->carried->type == OND_F32 &&
           out->material && out->material->type == OND_U32;
}

// Images behind walls carry nothing: the shape goes on there by itself, or ends.
static void take_points(const OndPoints *p, const CarriedFields *kept, OndCarriedPoints *c)
{
    const OndCarriedShapes *const shapes = &p->frame->carried;
    for (int i = 0; i < p->count; ++i) {
        const uint32_t from = p->source[i];
        const uint32_t material = ((const uint32_t *)kept->material->data[0])[from];
        c->shape[i] = material < (uint32_t)shapes->count ? shapes->shape[material] : NULL;
        if (!c->shape[i] || ond_points_is_image(p, (uint32_t)i)) continue;
        c->share[i] = fminf(fmaxf(((const float *)kept->carried->data[0])[from], 0.0f), 1.0f);
        for (int a = 0; a < 3; ++a)
            c->origin[i][a] = ((const float *)kept->origin->data[a])[from];
        if (!isfinite(ond_carried_length2(c->origin[i]))) c->share[i] = 0.0f;
    }
}

OndStatus ond_carried_find(OndCarriedPoints *c, const OndPoints *p, OndError *err)
{
    CarriedFields kept;
    if (!find_kept(p->frame, &kept)) return OND_OK;
    if (!make_room(c, (size_t)p->count + 1))
        return ond_fail(err, OND_NO_MEMORY, "not enough memory for a carried surface");
    take_points(p, &kept, c);
    CarriedTurning t = {p, c};
    ond_parallel_for(p->count, GRAIN, turn_range, &t);
    for (int i = 0; i < p->count; ++i) {
        c->share[i] *= 1.0f - ond_carried_ramp(BENT, BROKEN, c->bent[i]);
        c->any = c->any || c->share[i] > 0.0f;
    }
    return OND_OK;
}

void ond_carried_free(OndCarriedPoints *c)
{
    ond_arena_free(&c->arena);
    *c = (OndCarriedPoints){0};
}
