// SPDX-License-Identifier: MIT
// The surface of the shape that a fluid began in, carried along by its particles, and finer than they
// are. It follows their motion and turns, bends with them, and gives way to the usual surface where
// they have melted or been torn apart.
//
// A place p is asked back to where it was in the shape at the start,
//
//     P = sum_i w_i (X_i + R_i^T (p - x_i)) / sum_i w_i
//
// with the particles near it: x_i where they are, X_i where they were, R_i how their neighbourhood
// has turned since (carried.c). The shape's own distance at P is the field. So letters keep their
// edges and a statue its nose, with particles that know neither.
//
// Where particles carry nothing (they have been liquid, or no fluid has `carry: true`), or neighbours
// are no longer where the turn would have them, the field is the usual one, and in between a blend of
// both. Deep inside the shape it is the usual one too: where a piece was torn off, the tear is what
// is seen.
#include "surface/fields/carried.h"
#include "surface/fields/ellipsoids.h"

#include <string.h>

#define USUAL "anisotropic"
#define REACH 2.0f // spacings: who is asked about a place
#define STEEP 1.6f // spacings for a unit of the usual field, near its surface
// How far, in spacings, the carried surface may stand out of the usual one, which knows the shape to
// half a spacing; and how deep inside the shape that ends.
#define SLACK   0.7f
#define SHALLOW 0.75f
#define DEEP    2.0f
#define SURELY  1.2f // spacings outside the usual surface: outside, slack and a cell's edge counted
#define FULL    0.46f // of the usual field: 0.475 is reached two spacings below a surface
#define STEP    0.05  // spacings: for differences

typedef struct CarriedSurface {
    OndField3 usual;
    OndCarriedPoints by; // its particles
} CarriedSurface;

// ---- made

static OndStatus make(OndField3 *field, OndError *err)
{
    CarriedSurface *const c = field->own = OND_NEW(CarriedSurface);
    if (!c) return ond_fail(err, OND_NO_MEMORY, "not enough memory for a carried surface");
    const OndStatus status =
        ond_field_make(&c->usual, ond_field_kind(USUAL), &field->def, field->points, err);
    if (status != OND_OK) return status;
    field->reach = fmax(c->usual.reach, REACH);
    return ond_carried_find(&c->by, field->points, err);
}

static void release(OndField3 *field)
{
    CarriedSurface *const c = field->own;
    if (!c) return;
    ond_field_free(&c->usual);
    ond_carried_free(&c->by);
    ond_free(c);
}

// ---- asked

#define RUNS_MAX 64 // a block of cells up to a spacing wide meets fewer

// Who is near a place, or a block of them.
typedef struct CarriedNear {
    OndRun run[RUNS_MAX];
    int runs;
    bool cut; // there are more
} CarriedNear;

static CarriedNear find_around(const OndField3 *field, const double low[3], const double high[3])
{
    CarriedNear out = {.runs = 0};
    const double reach = REACH * field->points->spacing;
    double from[3], to[3];
    for (int a = 0; a < 3; ++a)
        from[a] = low[a] - reach, to[a] = high[a] + reach;
    OndBinWalk near = ond_near(&field->points->bins, from, to);
    for (OndRun run; ond_near_next(&near, &run); out.cut = out.runs == RUNS_MAX) {
        if (out.runs == RUNS_MAX) break;
        out.run[out.runs++] = run;
    }
    return out;
}

static void offset(const OndPoints *p, uint32_t i, const double at[3], float out[3])
{
    out[0] = (float)(at[0] - p->x[i]);
    out[1] = (float)(at[1] - p->y[i]);
    out[2] = (float)(at[2] - p->z[i]);
}

// Where a place was, as one particle has it.
static void place_before(const OndCarriedPoints *c, uint32_t i, const float d[3], float out[3])
{
    const float *const r = c->turn[i];
    for (int a = 0; a < 3; ++a)
        out[a] = c->origin[i][a] + r[a] * d[0] + r[3 + a] * d[1] + r[6 + a] * d[2];
}

#define CROWD 256 // within reach of a place: 33 on a lattice; more only where a liquid is crushed

// Those within reach of one place.
typedef struct CarriedCrowd {
    int count, leader; // the nearest one that carries something decides whose shape is asked; -1
    uint32_t who[CROWD];
    float weight[CROWD], way[CROWD][3]; // from them to the place
    float all;                          // weights together
} CarriedCrowd;

static void gather(const OndField3 *field, const CarriedNear *around, const double at[3],
                   CarriedCrowd *out)
{
    const OndCarriedPoints *const c = &((const CarriedSurface *)field->own)->by;
    const OndPoints *const p = field->points;
    const float reach = REACH * (float)p->spacing, by = 1.0f / (reach * reach);
    float most = 0.0f;
    out->count = 0, out->leader = -1, out->all = 0.0f;
    for (int n = 0; n < around->runs; ++n)
        for (uint32_t i = around->run[n].first; i < around->run[n].last; ++i) {
            float d[3];
            offset(p, i, at, d);
            const float q = 1.0f - by * ond_carried_length2(d);
            if (!(q > 0.0f) || ond_points_is_image(p, i) || out->count == CROWD) continue;
            if (c->share[i] > 0.0f && q > most) most = q, out->leader = out->count;
            out->who[out->count] = i;
            out->weight[out->count] = q * q * q;
            out->all += q * q * q;
            memcpy(out->way[out->count++], d, sizeof d);
        }
}

// Where the place was, as all that carry the leader's shape have it; their weight.
static float ask_crowd(const OndField3 *field, const CarriedCrowd *crowd, float out[3])
{
    const OndCarriedPoints *const c = &((const CarriedSurface *)field->own)->by;
    const uint32_t leader = crowd->who[crowd->leader];
    float first[3], was[3], sum = 0.0f;
    place_before(c, leader, crowd->way[crowd->leader], first);
    out[0] = out[1] = out[2] = 0.0f;
    for (int n = 0; n < crowd->count; ++n) {
        const uint32_t i = crowd->who[n];
        for (int a = 0; a < 3; ++a)
            was[a] = c->origin[i][a] - first[a];
        if (i != leader && !ond_carried_related(c, (float)field->points->spacing, leader, i, was))
            continue;
        const float w = crowd->weight[n] * c->share[i];
        place_before(c, i, crowd->way[n], was);
        sum += w;
        for (int a = 0; a < 3; ++a)
            out[a] += w * was[a];
    }
    for (int a = 0; a < 3; ++a)
        out[a] /= sum;
    return sum;
}

// What a place is told: how far inside it is by each of the two, and how much the first counts.
typedef struct CarriedAnswer {
    float share, inside, slack; // of the carried surface; spacings
    uint32_t leader;
    OndVec before; // where it was, m
} CarriedAnswer;

// Where the usual field leaves no doubt nobody is asked.
static CarriedAnswer ask(const OndField3 *field, const CarriedNear *around, const double at[3],
                         float usual)
{
    const OndCarriedPoints *const c = &((const CarriedSurface *)field->own)->by;
    const OndPoints *const p = field->points;
    CarriedAnswer answer = {0};
    CarriedCrowd crowd;
    float was[3];
    if (STEEP * usual < -SURELY || usual > FULL) return answer;
    gather(field, around, at, &crowd);
    if (crowd.leader < 0) return answer;
    answer.share = ond_carried_ramp(0.2f, 0.7f, ask_crowd(field, &crowd, was) / crowd.all);
    if (!(answer.share > 0.0f)) return answer;
    answer.leader = crowd.who[crowd.leader];
    answer.before = ond_vec(was[0], was[1], was[2]);
    answer.inside =
        (float)(-ond_shape_distance(c->shape[answer.leader], answer.before, p->dimension == 2) /
                p->spacing);
    answer.slack = SLACK * (1.0f - ond_carried_ramp(SHALLOW, DEEP, answer.inside));
    return answer;
}

static float blend(const CarriedAnswer *a, float usual)
{
    const float depth = STEEP * usual;
    return a->share * fminf(a->inside, depth + a->slack) + (1.0f - a->share) * depth;
}

static void sample(const OndField3 *field, const OndLattice *lattice, float *value)
{
    const CarriedSurface *const c = field->own;
    double low[3], high[3], at[3];
    for (int a = 0; a < 3; ++a) {
        low[a] = ond_lattice_at(lattice, a, 0);
        high[a] = ond_lattice_at(lattice, a, lattice->n[a] - 1);
    }
    c->usual.kind->sample(&c->usual, lattice, value);
    if (!c->by.any) return;
    const CarriedNear around = find_around(field, low, high);
    CarriedNear near; // of a single place, where the block is large
    for (int k = 0; k < lattice->n[2]; ++k)
        for (int j = 0; j < lattice->n[1]; ++j)
            for (int i = 0; i < lattice->n[0]; ++i, ++value) {
                at[0] = ond_lattice_at(lattice, 0, i);
                at[1] = ond_lattice_at(lattice, 1, j);
                at[2] = ond_lattice_at(lattice, 2, k);
                if (around.cut) near = find_around(field, at, at);
                const CarriedAnswer answer = ask(field, around.cut ? &near : &around, at, *value);
                *value = blend(&answer, *value);
            }
}

// The shape's own, turned as the nearest particle is; the rest is the usual one's.
static float gradient(const OndField3 *field, const double at[3], double out[3])
{
    const CarriedSurface *const c = field->own;
    const OndPoints *const p = field->points;
    const bool flat = p->dimension == 2;
    const float usual = c->usual.kind->gradient(&c->usual, at, out);
    if (!c->by.any) return usual;
    const CarriedNear around = find_around(field, at, at);
    const CarriedAnswer answer = ask(field, &around, at, usual);
    if (answer.share > 0.0f && answer.inside <= STEEP * usual + answer.slack) {
        const OndVec away =
            ond_shape_gradient(c->by.shape[answer.leader], answer.before, STEP * p->spacing, flat);
        const float *const turn = c->by.turn[answer.leader];
        for (int a = 0; a < 3; ++a) {
            double mine = 0.0;
            for (int b = 0; b < 3; ++b)
                mine -= turn[3 * a + b] * ond_axis(away, b) / p->spacing;
            out[a] = answer.share * mine + (1.0 - answer.share) * STEEP * out[a];
        }
    }
    return blend(&answer, usual);
}

const OndFieldKind ond_field_carried = {
    .name = "carried",
    .what = "the shape's own surface, carried by its particles; the usual one where they melted",
    .sight = OND_ELLIPSOIDS_SIGHT,
    .cut = {0.18, 0.132},
    .defaults = {.radius = 2.75, .threshold = 0.525, .smoothing = 0.95},
    .make = make,
    .free = release,
    .sample = sample,
    .gradient = gradient,
};
