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
// has turned since (the rotation nearest to sum_j (x_j - x_i)(X_j - X_i)^T [Mueller 2016]). The shape's
// own distance at P is the field. So letters keep their edges and a statue its nose, with particles
// that know neither.
//
// Where particles carry nothing (they have been liquid, or no fluid has `carry: true`), or neighbours are no longer where
// the turn would have them, the field is the usual one, and in between a blend of both. Deep inside
// the shape it is the usual one too: where a piece was torn off, the tear is what is seen.
//
// [Mueller 2016] A robust method to extract the rotational part of deformations, MIG.
#include "base/memory.h"
#include "base/parallel.h"
#include "geom/shape.h"
#include "surface/fields/ellipsoids.h"
#include "surface/fields/field.h"

#include <string.h>

#define USUAL   "anisotropic"
#define REACH   2.0f // spacings: who is asked about a place
#define BESIDE  1.8f // spacings: whose motion tells a particle's turn
#define RELATED 3.0f // spacings: farther from each other in the shape, two have met since
#define STEEP   1.6f // spacings for a unit of the usual field, near its surface
// Share of its neighbours' distances that their places are off, from which on a particle begins to
// carry less, and carries nothing: a soft bar that bends by a third still has its edges (0.1), what
// has slumped to half its height has not (0.35).
#define BENT   0.12f
#define BROKEN 0.4f
// How far, in spacings, the carried surface may stand out of the usual one, which knows the shape to
// half a spacing; and how deep inside the shape that ends.
#define SLACK   0.7f
#define SHALLOW 0.75f
#define DEEP    2.0f
#define SURELY  1.2f // spacings outside the usual surface: outside, slack and a cell's edge counted
#define FULL    0.46f // of the usual field: 0.475 is reached two spacings below a surface
#define STEP    0.05  // spacings: for differences
#define ROUNDS  40    // of the search for a turn; half a turn takes about 20
#define GRAIN   256

typedef struct CarriedSurface {
    OndField3 usual;
    bool any; // particle carries something; the rest is there only then
    OndArena arena;
    float (*origin)[3];     // of each point: where it was in the shape
    float (*turn)[9];       // how its neighbourhood has turned since, by rows
    float *share;           // that it carries, 0 to 1
    float *bent;            // share of their distances that its neighbours are off
    const OndShape **shape; // that it is of; NULL: it carries none
} CarriedSurface;

// 0 up to `low`, 1 from `high` on, smooth between.
static float ramp(float low, float high, float x)
{
    const float t = fminf(fmaxf((x - low) / (high - low), 0.0f), 1.0f);
    return t * t * (3.0f - 2.0f * t);
}

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
    const OndField3 *field;
    CarriedSurface *own;
} CarriedTurning;

static void apart(const CarriedSurface *c, const OndPoints *p, uint32_t i, uint32_t j, float now[3],
                  float was[3])
{
    now[0] = p->x[j] - p->x[i], now[1] = p->y[j] - p->y[i], now[2] = p->z[j] - p->z[i];
    for (int a = 0; a < 3; ++a)
        was[a] = c->origin[j][a] - c->origin[i][a];
}

static float length2(const float v[3])
{
    return v[0] * v[0] + v[1] * v[1] + v[2] * v[2];
}

// Neighbours that carry the same shape, and were neighbours in it too.
static bool are_related(const CarriedSurface *c, float spacing, uint32_t i, uint32_t j,
                        const float was[3])
{
    const float far = RELATED * spacing;
    return i != j && c->share[j] > 0.0f && c->shape[j] == c->shape[i] && length2(was) < far * far;
}

typedef struct Neighbourhood {
    double m[9];        // sum of (now)(was)^T
    double was2;        // sum of |was|^2
    double off2;        // sum of |now - turn was|^2
    const double *turn; // NULL: not known yet
} Neighbourhood;

static void look_round(const CarriedTurning *t, uint32_t i, Neighbourhood *out)
{
    const OndPoints *const p = t->field->points;
    const float spacing = (float)p->spacing, reach = BESIDE * spacing;
    const double low[3] = {p->x[i] - reach, p->y[i] - reach, p->z[i] - reach};
    const double high[3] = {p->x[i] + reach, p->y[i] + reach, p->z[i] + reach};
    OndBinWalk near = ond_near(&p->bins, low, high);
    for (OndRun run; ond_near_next(&near, &run);)
        for (uint32_t j = run.first; j < run.last; ++j) {
            float now[3], was[3];
            apart(t->own, p, i, j, now, was);
            if (length2(now) > reach * reach || !are_related(t->own, spacing, i, j, was)) continue;
            out->was2 += length2(was);
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

static bool make_room(CarriedSurface *c, size_t count)
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
static void take_points(const OndPoints *p, const CarriedFields *kept, CarriedSurface *c)
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
        if (!isfinite(length2(c->origin[i]))) c->share[i] = 0.0f;
    }
}

static OndStatus bind_points(OndField3 *field, const CarriedFields *kept, OndError *err)
{
    const OndPoints *const p = field->points;
    CarriedSurface *const c = field->own;
    if (!make_room(c, (size_t)p->count + 1))
        return ond_fail(err, OND_NO_MEMORY, "not enough memory for a carried surface");
    take_points(p, kept, c);
    CarriedTurning t = {field, c};
    ond_parallel_for(p->count, GRAIN, turn_range, &t);
    for (int i = 0; i < p->count; ++i) {
        c->share[i] *= 1.0f - ramp(BENT, BROKEN, c->bent[i]);
        c->any = c->any || c->share[i] > 0.0f;
    }
    return OND_OK;
}

static OndStatus make(OndField3 *field, OndError *err)
{
    CarriedFields kept;
    CarriedSurface *const c = field->own = OND_NEW(CarriedSurface);
    if (!c) return ond_fail(err, OND_NO_MEMORY, "not enough memory for a carried surface");
    const OndStatus status =
        ond_field_make(&c->usual, ond_field_kind(USUAL), &field->def, field->points, err);
    if (status != OND_OK) return status;
    field->reach = fmax(c->usual.reach, REACH);
    return find_kept(field->points->frame, &kept) ? bind_points(field, &kept, err) : OND_OK;
}

static void release(OndField3 *field)
{
    CarriedSurface *const c = field->own;
    if (!c) return;
    ond_field_free(&c->usual);
    ond_arena_free(&c->arena);
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
static void place_before(const CarriedSurface *c, uint32_t i, const float d[3], float out[3])
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
    const CarriedSurface *const c = field->own;
    const OndPoints *const p = field->points;
    const float reach = REACH * (float)p->spacing, by = 1.0f / (reach * reach);
    float most = 0.0f;
    out->count = 0, out->leader = -1, out->all = 0.0f;
    for (int n = 0; n < around->runs; ++n)
        for (uint32_t i = around->run[n].first; i < around->run[n].last; ++i) {
            float d[3];
            offset(p, i, at, d);
            const float q = 1.0f - by * length2(d);
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
    const CarriedSurface *const c = field->own;
    const uint32_t leader = crowd->who[crowd->leader];
    float first[3], was[3], sum = 0.0f;
    place_before(c, leader, crowd->way[crowd->leader], first);
    out[0] = out[1] = out[2] = 0.0f;
    for (int n = 0; n < crowd->count; ++n) {
        const uint32_t i = crowd->who[n];
        for (int a = 0; a < 3; ++a)
            was[a] = c->origin[i][a] - first[a];
        if (i != leader && !are_related(c, (float)field->points->spacing, leader, i, was)) continue;
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
    const CarriedSurface *const c = field->own;
    const OndPoints *const p = field->points;
    CarriedAnswer answer = {0};
    CarriedCrowd crowd;
    float was[3];
    if (STEEP * usual < -SURELY || usual > FULL) return answer;
    gather(field, around, at, &crowd);
    if (crowd.leader < 0) return answer;
    answer.share = ramp(0.2f, 0.7f, ask_crowd(field, &crowd, was) / crowd.all);
    if (!(answer.share > 0.0f)) return answer;
    answer.leader = crowd.who[crowd.leader];
    answer.before = ond_vec(was[0], was[1], was[2]);
    answer.inside =
        (float)(-ond_shape_distance(c->shape[answer.leader], answer.before, p->dimension == 2) /
                p->spacing);
    answer.slack = SLACK * (1.0f - ramp(SHALLOW, DEEP, answer.inside));
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
    if (!c->any) return;
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
    if (!c->any) return usual;
    const CarriedNear around = find_around(field, at, at);
    const CarriedAnswer answer = ask(field, &around, at, usual);
    if (answer.share > 0.0f && answer.inside <= STEEP * usual + answer.slack) {
        const OndVec away =
            ond_shape_gradient(c->shape[answer.leader], answer.before, STEP * p->spacing, flat);
        const float *const turn = c->turn[answer.leader];
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
