// SPDX-License-Identifier: MIT
// The thesis's rigidity solver against a plain transcription of its equations.
#include "base/memory.h"
#include "base/random.h"
#include "check.h"
#include "particles/rigid/rigid.h"
#include "particles/sph/sph.h"

#define SIDE    7
#define ROOM    (SIDE * SIDE * SIDE)
#define SPACING 0.1
#define DT      0.004f

// ---- a cloud: particles on a shaken lattice, before the correction of a step

typedef enum Pattern { ALIKE, RANDOM, EXTREMES, TINY, STEPS } Pattern; // of rigidity

typedef struct Case {
    const char *name;
    Pattern pattern;
    bool propagation, second;
    double alike, time, slip;
    int wall_model, x_kind; // of the sides across x
    bool held;
    int dimension, iterations;
} Case;

static float noise(uint32_t id, int stream)
{
    return 2.0f * ond_random(id, (uint64_t)stream) - 1.0f;
}

static float rigidity_of(Pattern pattern, uint32_t id, float height)
{
    const float draw = ond_random(id, 7);
    switch (pattern) {
    case ALIKE:
        return 0.7f;
    case RANDOM: // a quarter is liquid
        return draw < 0.25f ? 0.0f : 0.3f + 0.7f * draw;
    case EXTREMES: // weights 1 and 1e-40 to 1e-50, alternating in layers
        return (int)(height / (2.1 * SPACING)) % 2 ? 1.0f : 0.003f + 0.007f * draw;
    case TINY: // to the power 100, all weights are below what a double holds
        return 1e-4f * (1.0f + draw);
    default:
        return 1.0f - 0.25f * (float)(int)(3.0f * draw);
    }
}

static OndWorld make_world(const Case *c)
{
    OndWorld w = {.dimension = c->dimension,
                  .wall_model = c->wall_model,
                  .spacing = SPACING,
                  .material_count = 1};
    const double width = SIDE * SPACING, flat = c->dimension == 3 ? width : 0.0;
    w.box.min = (OndVec){0, 0, 0}, w.box.max = (OndVec){width, 2 * width, flat};
    w.gravity[1] = -9.81f;
    w.material[0] = (OndMaterial){.density = 1000.0f, .rigidity = 0.5f, .held_until = 1e30};
    for (int side = 0; side < 6; ++side)
        w.side[side] = (OndSide){.kind = OND_SIDE_WALL, .slip = (float)c->slip};
    w.side[0].kind = w.side[1].kind = c->x_kind;
    return w;
}

static int place(OndSph *s)
{
    const int layers = s->world.dimension == 3 ? SIDE : 1;
    for (int i = 0; i < SIDE * SIDE * layers; ++i) {
        const int at[3] = {i % SIDE, i / SIDE % SIDE, i / SIDE / SIDE};
        for (int a = 0; a < 3; ++a)
            s->x[a][i] = a < s->world.dimension
                             ? (float)(SPACING * (at[a] + 0.5 + 0.15 * noise((uint32_t)i, a)))
                             : 0.0f;
        s->held[i] = 0, s->material[i] = 0, s->temperature[i] = 20.0f;
        for (int a = 0; a < 3; ++a)
            s->v[a][i] = 0.0f;
    }
    return SIDE * SIDE * layers;
}

// Whoever is in the lowest layer goes through the floor.
static void set_state(OndSph *s, const Case *c)
{
    for (int i = 0; i < s->fields.count; ++i) {
        const uint32_t id = s->id[i];
        for (int a = 0; a < c->dimension; ++a)
            s->v[a][i] = 3.0f * noise(id, 10 + a);
        if (s->x[1][i] < SPACING) s->v[1][i] = -30.0f;
        s->rigidity[i] = rigidity_of(c->pattern, id, s->x[1][i]);
        s->held[i] = c->held && s->x[1][i] > 5.8 * SPACING;
    }
}

static OndSph *make_cloud(const Case *c)
{
    OndSphDef def;
    ond_schema_defaults(&ond_sph_schema, &def);
    def.preset = OND_PRESET_THESIS;
    const OndWorld world = make_world(c);
    const OndSetup setup = {&world, &def, ROOM};
    OndError err = {0};
    OndSph *s = ond_sph_method.create(&setup, &err);
    if (!s) fail_msg("%s", err.text);
    s->def.rigidity.propagation = c->propagation, s->def.rigidity.second = c->second;
    s->def.rigidity.alike = c->alike, s->def.rigidity.time = c->time;
    s->def.rigidity.iterations = c->iterations;
    if (c->pattern == TINY) s->def.rigidity.exponent = 100;
    s->fields.count = place(s);
    if (ond_sph_method.added(s, 0, &err) != OND_OK || ond_sph_method.start(s, &err) != OND_OK ||
        ond_sph_method.prepare(s, &err) != OND_OK)
        fail_msg("%s", err.text);
    s->iterations = 0;
    set_state(s, c);
    return s;
}

// ---- the thesis's chapter 2.2, word for word, in double and over all pairs

typedef struct Plain {
    const OndSph *s;
    int n, iterations;
    double before[ROOM][3], liquid[ROOM][3], at[ROOM][3], force[ROOM][3], v[ROOM][3];
    bool stable[ROOM], front[ROOM];
    double best[ROOM], apart[ROOM];
    long double error;
    int waited[ROOM];
    bool converged;
} Plain;

// Where a wall stops a particle: half a spacing before a mirror, or where it stands if that is
// nearer.
static double plain_stop(const Plain *p, int i, int side)
{
    const double wall = p->s->rigid_at[side], x = p->before[i][side / 2];
    return side % 2 ? fmax(wall, x) : fmin(wall, x);
}

// Where particle i goes with its velocity and the forces found so far; walls stop it.
static bool predict(Plain *p, int i)
{
    const OndSph *s = p->s;
    double way[3], part = 1, slip = 1;
    bool met = false;
    for (int a = 0; a < 3; ++a) {
        way[a] = DT * p->v[i][a] + p->force[i][a];
        const double end = p->before[i][a] + way[a];
        for (int side = 2 * a; side < 2 * a + 2; ++side) {
            const double wall = plain_stop(p, i, side);
            if (side % 2 ? !(end > wall) : !(end < wall)) continue;
            part = fmin(part, fmax(0.0, (wall - p->before[i][a]) / way[a]));
            slip = fmin(slip, s->world.side[side].slip);
            met = true;
        }
    }
    for (int a = 0; a < 3; ++a) {
        const double end = p->before[i][a] + (part + (1 - part) * slip) * way[a];
        p->at[i][a] = fmin(fmax(end, plain_stop(p, i, 2 * a)), plain_stop(p, i, 2 * a + 1));
    }
    return met;
}

// W of a pair before the step, across periodic sides too; 0 for no neighbour.
static double plain_weight(const Plain *p, int i, int j)
{
    double r2 = 0;
    for (int a = 0; a < 3; ++a) {
        double d = p->before[i][a] - p->before[j][a];
        const double width = SIDE * SPACING;
        if (a == 0 && p->s->world.side[0].kind == OND_SIDE_PERIODIC) d -= width * round(d / width);
        r2 += d * d;
    }
    const double q = 1 - r2 / (4 * SPACING * SPACING);
    return i != j && q > 1e-3 ? q * q * q : 0;
}

static double in_step(const Plain *p, double rigidity)
{
    const double time = p->s->def.rigidity.time;
    return time > 0 ? 1 - pow(1 - rigidity, DT / time) : rigidity;
}

// phi_i over the neighbours that count, its force, and the distances of 2.2.4.
static void measure(const Plain *p, int i, double fix[3], Plain *out)
{
    const float *rigidity = p->s->rigidity;
    bool leans = false;
    for (int j = 0; j < p->n; ++j)
        leans |= p->stable[j] && rigidity[j] > 0 && plain_weight(p, i, j) > 0;
    long double phi[3] = {0}, sum = 0;
    double apart = 0, best = 0;
    int count = 0;
    for (int j = 0; j < p->n; ++j) {
        const double pair = fmin(rigidity[i], rigidity[j]), w = plain_weight(p, i, j);
        if (!(pair > 0) || !(w > 0) || (leans && !p->stable[j])) continue;
        const long double alpha = powl(pair, p->s->def.rigidity.exponent);
        double gap[3], length = 0;
        for (int a = 0; a < 3; ++a) {
            const double rigid = p->before[i][a] - p->before[j][a];
            const double liquid = p->liquid[i][a] - p->liquid[j][a];
            const double target = in_step(p, pair) * rigid + (1 - in_step(p, pair)) * liquid;
            gap[a] = target - (p->at[i][a] - p->at[j][a]);
            length += gap[a] * gap[a];
            phi[a] += alpha * w * gap[a];
        }
        sum += alpha * w, apart += sqrt(length), best = fmax(best, rigidity[j]), ++count;
    }
    for (int a = 0; a < 3; ++a)
        fix[a] = sum > 0 ? (double)(phi[a] / sum) : 0;
    out->error += sqrtl(phi[0] * phi[0] + phi[1] * phi[1] + phi[2] * phi[2]);
    out->front[i] = leans && !p->stable[i];
    out->best[i] = best, out->apart[i] = count ? apart / count : 0;
}

static bool advance(Plain *p)
{
    const OndRigidDef *def = &p->s->def.rigidity;
    double most = 0;
    bool front = false;
    for (int i = 0; i < p->n; ++i)
        if (p->front[i]) most = fmax(most, p->best[i]), front = true;
    for (int i = 0; i < p->n; ++i) {
        if (!p->front[i] || (def->second && p->best[i] < most - def->alike)) continue;
        if (p->apart[i] <= def->stabilised * SPACING || ++p->waited[i] >= def->release)
            p->stable[i] = true;
    }
    return front;
}

static bool plain_done(const long double *error, int count, const OndRigidDef *def)
{
    long double last = 0, before = 0;
    for (int k = 1; count >= 2 * def->window && k <= def->window; ++k)
        last += error[count - k], before += error[count - def->window - k];
    if (error[count - 1] <= 1e-6L * error[0]) return true;
    return count >= 2 * def->window && before - last <= def->stop * before;
}

static void plain_solve(Plain *p, int cap)
{
    static double fix[ROOM][3];
    static long double history[4096];
    for (p->iterations = 0; p->iterations < cap && !p->converged;) {
        p->error = 0;
        for (int i = 0; i < p->n; ++i) {
            memset(fix[i], 0, sizeof fix[i]);
            p->front[i] = false;
            if (!p->s->held[i] && p->s->rigidity[i] > 0) measure(p, i, fix[i], p);
        }
        history[p->iterations++] = p->error;
        const bool front = advance(p);
        for (int i = 0; i < p->n; ++i) {
            for (int a = 0; a < 3; ++a)
                p->force[i][a] += fix[i][a];
            predict(p, i);
        }
        p->converged = !front && plain_done(history, p->iterations, &p->s->def.rigidity);
    }
}

static void plain_start(Plain *p, const OndSph *s)
{
    memset(p, 0, sizeof *p);
    p->s = s, p->n = s->fields.count;
    for (int i = 0; i < p->n; ++i) {
        for (int a = 0; a < 3; ++a)
            p->before[i][a] = s->x[a][i], p->v[i][a] = s->v[a][i];
        const bool met = predict(p, i);
        memcpy(p->liquid[i], p->at[i], sizeof p->at[i]);
        p->stable[i] = s->def.rigidity.propagation && (met || s->held[i]);
    }
}

enum {
    BARE = OND_WALL_PROJECT,
    MIRROR = OND_WALL_MIRROR,
    WALL = OND_SIDE_WALL,
    PERIODIC = OND_SIDE_PERIODIC
};

static const Case cases[] = {
    // name, pattern, propagation, second, alike, time, slip, walls, x, held, dimension, cap
    {"one rigidity", ALIKE, false, false, 0, 0, 1, BARE, WALL, false, 3, 60},
    {"one rigidity, propagation", ALIKE, true, true, 0, 0, 1, BARE, WALL, false, 3, 60},
    {"random", RANDOM, false, false, 0, 0, 1, BARE, WALL, false, 3, 60},
    {"random, propagation", RANDOM, true, false, 0, 0, 0.5, BARE, WALL, false, 3, 60},
    {"random, second condition", RANDOM, true, true, 0, 0, 0.5, BARE, WALL, false, 3, 200},
    {"random, alike", RANDOM, true, true, 0.05, 0, 0, BARE, WALL, false, 3, 100},
    {"steps, second condition", STEPS, true, true, 0.01, 0, 1, BARE, WALL, false, 3, 60},
    {"weights beyond floats", EXTREMES, false, false, 0, 0, 1, BARE, WALL, false, 3, 60},
    // cut before its error reaches a millionth, where rounding decides when it ends
    {"weights beyond floats, propagation", EXTREMES, true, true, 0, 0, 1, BARE, WALL, false, 3,
     100},
    {"weights beyond doubles", TINY, false, false, 0, 0, 1, BARE, WALL, false, 3, 60},
    {"mirror walls", STEPS, true, true, 0.01, 0, 0.5, MIRROR, WALL, false, 3, 60},
    {"periodic", STEPS, true, true, 0.01, 0, 0.5, BARE, PERIODIC, false, 3, 60},
    {"periodic, mirror walls", RANDOM, true, false, 0, 0, 0.5, MIRROR, PERIODIC, false, 3, 60},
    {"held", STEPS, true, true, 0.01, 0, 1, BARE, WALL, true, 3, 60},
    {"held, no propagation", RANDOM, false, true, 0.01, 0, 1, BARE, WALL, true, 3, 60},
    {"reference time", RANDOM, true, true, 0.1, 0.01, 1, BARE, WALL, true, 3, 60},
    {"flat", STEPS, true, true, 0.01, 0, 0.5, BARE, WALL, true, 2, 200},
    {"to the end", STEPS, true, true, 0.01, 0, 1, BARE, WALL, false, 3, 2000},
};

// What it moves with: before mirrors only as far as walls let it, since the drift would not stop
// it.
static double plain_velocity(const Plain *p, int i, int axis)
{
    if (p->s->world.wall_model == OND_WALL_MIRROR && p->s->rigidity[i] > 0)
        return (p->at[i][axis] - p->before[i][axis]) / DT;
    return p->v[i][axis] + p->force[i][axis] / DT;
}

// Velocities to float rounding, gathered over the iterations.
static void test_plain(void **state)
{
    static Plain plain;
    for (int c = 0; c < OND_COUNT(cases); ++c) {
        OndSph *s = make_cloud(&cases[c]);
        plain_start(&plain, s);
        plain_solve(&plain, cases[c].iterations);
        OndError err = {0};
        if (ond_rigid_thesis(s, DT, &err) != OND_OK) fail_msg("%s", err.text);
        CHECK_NEAR(s->iterations, plain.iterations, 0, cases[c].name);
        CHECK_NEAR(s->unconverged, !plain.converged, 0, cases[c].name);
        double fastest = 0; // single precision has seven digits of this; iterations cost two
        for (int i = 0; i < s->fields.count; ++i)
            for (int a = 0; a < 3; ++a)
                fastest = fmax(fastest, fabs(plain.v[i][a] + plain.force[i][a] / DT));
        for (int i = 0; i < s->fields.count; ++i)
            for (int a = 0; a < 3; ++a)
                CHECK_NEAR(s->v[a][i], plain_velocity(&plain, i, a), 2e-5 * fastest, cases[c].name);
        ond_sph_method.destroy(s);
    }
}

// Forces pile up against a wall; one that bounces must not give them back: nothing meets it faster
// than the liquid did, 30 m/s at most.
static void test_bounce(void **state)
{
    OndSph *s = make_cloud(&cases[4]);
    for (int side = 0; side < 6; ++side)
        s->world.side[side].restitution = 0.5f;
    OndError err = {0};
    if (ond_rigid_thesis(s, DT, &err) != OND_OK) fail_msg("%s", err.text);
    int meeting = 0;
    for (int i = 0; i < s->fields.count; ++i) {
        if (s->x[1][i] + DT * s->v[1][i] > s->wall_at[2]) continue;
        ++meeting;
        if (s->v[1][i] < -30.01f) fail_msg("particle %d meets the floor at %g m/s", i, s->v[1][i]);
    }
    if (meeting < 10) fail_msg("only %d particles meet the floor", meeting);
    ond_sph_method.destroy(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_plain),
        cmocka_unit_test(test_bounce),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
