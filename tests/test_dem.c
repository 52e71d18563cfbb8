// SPDX-License-Identifier: MIT
// The discrete element method: single contacts against their closed form, what is kept and what
// only shrinks, heaps, and the same bits however it is computed.
#include "base/random.h"
#include "physics/contact.h"
#include "same_bits.h"
#include "scene_text.h"

#define SIZE 0.1 // of single grains, m

// A fluid of one grain.
static const char *one_grain(const char *name, OndVec at, double density, OndVec v)
{
    static char text[2][400];
    static int turn;
    char *out = text[turn++ % 2];
    const double r = 0.5 * SIZE;
    snprintf(out, sizeof text[0],
             "  - {name: %s, spacing: %g, density: %g, velocity: [%g, %g, %g],\n"
             "     shape: {type: box, min: [%g, %g, %g], max: [%g, %g, %g]}}\n",
             name, SIZE, density, v.x, v.y, v.z, at.x - r, at.y - r, at.z - r, at.x + r, at.y + r,
             at.z + r);
    return out;
}

static double mass_of(const Stage *s, int i)
{
    const uint32_t *material = ond_fields_find(&s->frame.particles, "material")->data[0];
    return ond_scene_fluid(&s->scene, (int)material[i])->density *
           pow(s->scene.spacing, s->scene.dimension);
}

// The grain of that fluid.
static int grain(const Stage *s, uint32_t which)
{
    const uint32_t *material = ond_fields_find(&s->frame.particles, "material")->data[0];
    for (int i = 0; i < s->count; ++i)
        if (material[i] == which) return i;
    fail_msg("no grain of fluid %u", which);
    return 0;
}

// ---- one contact

// A pair comes apart with the share of its speed that its damping leaves, whichever way the damping
// is given and whatever the grains weigh.
static void test_two_grains(void **state)
{
    static const struct {
        const char *method;
        double k, eta, density; // of the second grain
        double e;               // 0: from eta
    } cases[] = {
        {"stiffness: 1000, restitution: 0.6", 1000, 0, 1000, 0.6},
        {"stiffness: 1000, restitution: 0.6", 1000, 0, 4000, 0.6},
        {"stiffness: 1000, restitution: 1", 1000, 0, 3000, 1},
        {"stiffness: 2000, damping: 8", 2000, 8, 2000, 0},
        {"restitution: 0.2", 0, 0, 1000, 0.2},
    };
    for (int c = 0; c < OND_COUNT(cases); ++c) {
        char yaml[1200];
        snprintf(yaml, sizeof yaml,
                 "gravity: [0, 0, 0]\nduration: 1\nframe_rate: 10\n"
                 "method: {type: dem, stability: 0.05, courant: 0.01, %s}\nfluid:\n%s%s",
                 cases[c].method, one_grain("a", ond_vec(0.05, 0.05, 0.05), 1000, ond_vec(1, 0, 0)),
                 one_grain("b", ond_vec(0.16, 0.05, 0.05), cases[c].density, ond_vec(-0.5, 0, 0)));
        Stage *s = stage_open(yaml);
        CHECK_NEAR(s->count, 2, 0, "grains");
        const double m1 = mass_of(s, grain(s, 0)), m2 = mass_of(s, grain(s, 1));
        const double zeta = cases[c].eta / (2 * sqrt(cases[c].k * m1 * m2 / (m1 + m2)));
        const double e = cases[c].e > 0 ? cases[c].e : exp(-M_PI * zeta / sqrt(1 - zeta * zeta));
        stage_run(s, 0.4);
        const double v1 = s->v[0][grain(s, 0)], v2 = s->v[0][grain(s, 1)];
        CHECK_NEAR((v2 - v1) / 1.5, e, 0.005, cases[c].method);
        CHECK_NEAR(m1 * v1 + m2 * v2, m1 - m2 * 0.5, 1e-6 * (m1 + m2), "momentum");
        CHECK_NEAR(s->v[1][0], 0, 1e-7, "sideways");
        stage_close(s);
    }
}

// Halfway in time through a contact without damping the overlap is v sqrt(m / k), and with the
// automatic stiffness the hardest impact presses by the share that was asked for.
static void test_deepest_overlap(void **state)
{
    char yaml[1200];
    snprintf(yaml, sizeof yaml,
             "gravity: [0, 0, 0]\nduration: 1\nframe_rate: 10\n"
             "method: {type: dem, overlap: 0.2, restitution: 1, stability: 0.05}\nfluid:\n%s%s",
             one_grain("a", ond_vec(0.05, 0.05, 0.05), 1000, ond_vec(1, 0, 0)),
             one_grain("b", ond_vec(0.16, 0.05, 0.05), 1000, ond_vec(0, 0, 0)));
    Stage *s = stage_open(yaml);
    double nearest = 1;
    while (ond_sim_time(s->sim) < 0.2) {
        stage_step(s);
        nearest = fmin(nearest, fabs((double)s->x[0][0] - s->x[0][1]));
    }
    CHECK_NEAR(1 - nearest / SIZE, 0.2, 0.002, "overlap at the turning point");
    stage_close(s);
}

// Against a wall; with restitution of its own where the scene gives one; and it comes to rest where
// the spring carries the weight.
static void test_walls(void **state)
{
    static const struct {
        const char *name, *domain, *method;
        double e;
    } cases[] = {
        {"the method's", "", "restitution: 0.7", 0.7},
        {"the wall's", ", restitution: 0.4", "restitution: 0.7", 0.4},
        {"the side's", ", restitution: 0.1, sides: [{side: -x, restitution: 0.9}]", "", 0.9},
    };
    for (int c = 0; c < OND_COUNT(cases); ++c) {
        char yaml[1200];
        snprintf(yaml, sizeof yaml,
                 "gravity: [0, 0, 0]\nduration: 1\nframe_rate: 10\n"
                 "domain: {min: [0, 0, 0], max: [1, 1, 1]%s}\n"
                 "method: {type: dem, stability: 0.05, stiffness: 1000, %s}\nfluid:\n%s",
                 cases[c].domain, cases[c].method,
                 one_grain("a", ond_vec(0.1, 0.5, 0.5), 1000, ond_vec(-1, 0, 0)));
        Stage *s = stage_open(yaml);
        stage_run(s, 0.4);
        CHECK_NEAR(s->v[0][0], cases[c].e, 0.005, cases[c].name);
        stage_close(s);
    }
}

static void test_rests_on_wall(void **state)
{
    char yaml[1200];
    snprintf(yaml, sizeof yaml,
             "gravity: [0, -10, 0]\nduration: 4\nframe_rate: 10\n"
             "domain: {min: [0, 0, 0], max: [1, 1, 1]}\n"
             "method: {type: dem, stiffness: 5000}\nfluid:\n%s%s",
             one_grain("low", ond_vec(0.5, 0.06, 0.5), 1000, ond_vec(0, 0, 0)),
             one_grain("top", ond_vec(0.5, 0.17, 0.5), 2000, ond_vec(0, 0, 0)));
    Stage *s = stage_open(yaml);
    stage_run(s, 4);
    const double low = s->x[1][grain(s, 0)], top = s->x[1][grain(s, 1)];
    // the floor carries 30 N, the lower grain 20 N
    CHECK_NEAR(0.5 * SIZE - low, 30.0 / 5000, 2e-6, "overlap with the floor");
    CHECK_NEAR(SIZE - (top - low), 20.0 / 5000, 2e-6, "overlap of the two");
    CHECK_NEAR(fabs(s->v[1][0]) + fabs(s->v[1][1]), 0, 1e-4, "at rest");
    stage_close(s);
}

// A grain on a slope (gravity is tilted): Coulomb's bound gives way, or holds it back to the creep
// at which the force against sliding, which grows with the speed, carries it.
static void test_friction_on_a_slope(void **state)
{
    const struct {
        const char *friction;
        double after; // speed after a second, m/s
    } cases[] = {{"friction: 0", 3},
                 {"friction: 0.2", 3 - 0.2 * 9},
                 {"friction: 0.5", 3 / (0.5 * sqrt(3000))},
                 {"shear: 0", 3}};
    for (int c = 0; c < OND_COUNT(cases); ++c) {
        char yaml[1200];
        snprintf(yaml, sizeof yaml,
                 "gravity: [3, -9, 0]\nduration: 1\nframe_rate: 10\n"
                 "domain: {min: [0, 0, 0], max: [9, 1, 1]}\n"
                 "method: {type: dem, stiffness: 3000, %s}\nfluid:\n%s",
                 cases[c].friction,
                 one_grain("a", ond_vec(0.5, 0.047, 0.5), 1000, ond_vec(0, 0, 0)));
        Stage *s = stage_open(yaml);
        stage_run(s, 1);
        CHECK_NEAR(s->v[0][0], cases[c].after, 0.03, cases[c].friction);
        stage_close(s);
    }
}

// ---- many grains

#define CLOUD                                                                                      \
    "duration: 1\nframe_rate: 100\n"                                                               \
    "fluid: [{spacing: 0.02, density: 1500, stretch: [-2, -3, -1], spin: [1, 2, 3],\n"             \
    "  shape: {type: sphere, center: [0.31, 0.3, 0.32], radius: 0.13}},\n"                         \
    "  {name: heavy, spacing: 0.02, density: 4000, velocity: [0, -1, 0],\n"                        \
    "  shape: {type: box, min: [0.25, 0.45, 0.25], max: [0.37, 0.55, 0.37]}}]\n"

static void shake(Stage *s, double share)
{
    for (int a = 0; a < s->scene.dimension; ++a)
        for (int i = 0; i < s->count; ++i)
            s->x[a][i] +=
                (float)(share * s->scene.spacing * (2 * ond_random((uint64_t)i, (uint64_t)a) - 1));
}

static void sums(const Stage *s, double p[3], double *scale)
{
    p[0] = p[1] = p[2] = *scale = 0;
    for (int i = 0; i < s->count; ++i)
        for (int a = 0; a < 3; ++a) {
            p[a] += mass_of(s, i) * s->v[a][i];
            *scale += mass_of(s, i) * fabs(s->v[a][i]);
        }
}

static void test_momentum(void **state)
{
    static const char *const frames[] = {
        "gravity: [0, 0, 0]\nmethod: {type: dem, friction: 0.4}\n",
        "gravity: [0, 0, 0]\nmethod: {type: dem}\n"
        "domain: {min: [0.18, 0.1, 0.18], max: [0.46, 0.56, 0.46], x: periodic, y: periodic,"
        " z: periodic}\n"};
    for (int c = 0; c < OND_COUNT(frames); ++c) {
        char yaml[1200];
        snprintf(yaml, sizeof yaml, "%s" CLOUD, frames[c]);
        Stage *s = stage_open(yaml);
        double before[3], after[3], scale;
        shake(s, 0.3);
        sums(s, before, &scale);
        stage_run(s, 0.2);
        sums(s, after, &scale);
        for (int a = 0; a < 3; ++a)
            CHECK_NEAR(after[a], before[a], 2e-6 * scale, "momentum");
        stage_close(s);
    }
}

// Of springs, motion and height together. Springs between grains and to the floor.
static double energy(const Stage *s, double k, double floor_at)
{
    const double d = s->scene.spacing;
    double sum = 0;
    for (int i = 0; i < s->count; ++i) {
        for (int a = 0; a < 3; ++a)
            sum += 0.5 * mass_of(s, i) * s->v[a][i] * s->v[a][i] -
                   mass_of(s, i) * ond_axis(s->scene.gravity, a) * s->x[a][i];
        for (int j = 0; j < i; ++j) {
            double r2 = 0;
            for (int a = 0; a < 3; ++a)
                r2 += pow((double)s->x[a][i] - s->x[a][j], 2);
            if (r2 < d * d) sum += 0.5 * k * pow(d - sqrt(r2), 2);
        }
        const double under = floor_at + 0.5 * d - s->x[1][i];
        if (under > 0) sum += 0.5 * k * under * under;
    }
    return sum;
}

static void test_energy_only_shrinks(void **state)
{
    static const char *const methods[] = {"restitution: 0.5", "restitution: 0.9, friction: 0.3",
                                          "damping: 0.01, shear: 0.01"};
    for (int c = 0; c < OND_COUNT(methods); ++c) {
        char yaml[1200];
        snprintf(yaml, sizeof yaml,
                 "domain: {min: [-2, 0.1, -2], max: [2, 1, 2]}\n"
                 "method: {type: dem, stiffness: 800, stability: 0.2, courant: 0.05, %s}\n" CLOUD,
                 methods[c]);
        Stage *s = stage_open(yaml);
        const double ground = 0.1, start = energy(s, 800, ground);
        double last = start;
        for (int f = 1; f <= 25; ++f) {
            stage_run(s, f * 0.01);
            const double now = energy(s, 800, ground);
            if (now > last + 1e-4 * start)
                fail_msg("%s: energy grows from %.6g J to %.6g J at frame %d", methods[c], last,
                         now, f);
            last = now;
        }
        if (last > 0.98 * start)
            fail_msg("%s: nothing was damped: %g J of %g J", methods[c], last, start);
        stage_close(s);
    }
}

// Mean distance of the grains from the axis, and the highest one.
static double spread(const Stage *s, double *top)
{
    double sum = 0;
    *top = 0;
    for (int i = 0; i < s->count; ++i) {
        sum += hypot(s->x[0][i], s->x[2][i]);
        *top = fmax(*top, s->x[1][i]);
    }
    return sum / s->count;
}

static void test_heap(void **state)
{
    double wide[2], high[2];
    for (int c = 0; c < 2; ++c) {
        char yaml[600];
        snprintf(yaml, sizeof yaml,
                 "duration: 2\nframe_rate: 10\ndomain: {min: [-3, 0, -3], max: [3, 1, 3]}\n"
                 "method: {type: dem, friction: %g}\n"
                 "fluid: [{spacing: 0.03, density: 1600,\n"
                 "  shape: {type: cylinder, from: [0, 0, 0], to: [0, 0.3, 0], radius: 0.12}}]\n",
                 c ? 0.0 : 0.6);
        Stage *s = stage_open(yaml);
        shake(s, 0.1);
        stage_run(s, 1.5);
        wide[c] = spread(s, &high[c]);
        stage_close(s);
    }
    // a cone of 10 degrees and more on the one side, a single layer on the other
    print_message("heap: mean radius %.3f m, top %.3f m; without friction %.3f m, %.3f m\n",
                  wide[0], high[0], wide[1], high[1]);
    if (high[0] < 2.5 * 0.03 || atan2(high[0], 1.5 * wide[0]) < 10 * M_PI / 180)
        fail_msg("with friction there is no heap: %g m high, mean radius %g m", high[0], wide[0]);
    if (high[1] > 0.031 || wide[1] < 3 * wide[0])
        fail_msg("without friction it does not run apart: %g m high, mean radius %g m", high[1],
                 wide[1]);
}

// ---- as any method

static const Play plays[] = {
    {"heap falling on a floor", 400,
     "domain: {min: [0, 0.05, 0], max: [0.6, 1, 0.6], slip: 0.5}\nmethod: {type: dem}\n" CLOUD},
    {"periodic channel", 300,
     "dimension: 2\ngravity: [1, -2]\nmethod: {type: dem, friction: 0.4, overlap: 0.2}\n"
     "domain: {min: [0, 0], max: [1, 1], x: periodic, sides: [{side: +y, velocity: [1, 0]}]}\n"
     "fluid: [{spacing: 0.02, stretch: [0.5, 1], shape: {type: box, min: [0, 0.1], max: [1, "
     "0.6]}}]\n"},
    {"poured and held", 400,
     "domain: {min: [-0.5, 0, -0.5], max: [0.5, 1, 0.5], y: open}\nmethod: {type: dem}\n"
     "fluid:\n  - {name: mill, spacing: 0.04, fixed: true, spin: [0, 0, 3], fixed_until: 0.3,\n"
     "     shape: {type: box, min: [-0.3, 0.3, -0.1], max: [0.3, 0.36, 0.1]}}\n"
     "  - {name: sand, spacing: 0.04, density: 1600}\n"
     "emitter: [{fluid: sand, center: [0.05, 0.8, 0], radius: 0.1, rate: 0.1}]\n"},
    {"many", 12, // enough to sort in parallel
     "method: {type: dem, stiffness: 500}\ndomain: {min: [0, 0, 0], max: [1, 1, 1]}\n"
     "fluid: [{spacing: 0.025, stretch: [1, 2, 3], shape: {type: box, min: [0, 0, 0], max: [1, "
     "0.6, 1]}}]\n"},
};

static void test_any_number_of_threads(void **state)
{
    for (int p = 0; p < OND_COUNT(plays); ++p)
        check_threads(&plays[p]);
    ond_threads_set(0);
}

static void test_resumed(void **state)
{
    for (int p = 0; p < OND_COUNT(plays); ++p)
        check_resume(&plays[p]);
}

// Held grains turn as told and push what they meet; open sides let grains fall out of sight.
static void test_held(void **state)
{
    Stage *s = stage_open(plays[2].yaml);
    stage_run(s, 0.25);
    const uint32_t *held = ond_fields_find(&s->frame.particles, "held")->data[0];
    int count = 0;
    for (int i = 0; i < s->count; ++i) {
        if (!held[i]) continue;
        const double x = s->x[0][i], y = s->x[1][i] - 0.32; // the mill's lattice is 2 x 0.04 high
        CHECK_NEAR(s->v[0][i], -3 * y, 0.1, "held velocity");
        CHECK_NEAR(s->v[1][i], 3 * x, 0.1, "held velocity");
        ++count;
    }
    if (count < 60) fail_msg("%d grains are held", count);
    stage_close(s);
}

static void test_bad_input(void **state)
{
    static const struct {
        const char *keys, *says;
    } cases[] = {
        {"stiffness: 0", "stiffness"},
        {"stiffness: -5", "stiffness"},
        {"stiffness: .nan", "stiffness"},
        {"damping: -1", "damping"},
        {"restitution: 0", "restitution"},
        {"restitution: 1.5", "restitution"},
        {"friction: -0.1", "friction"},
        {"overlap: 0", "overlap"},
        {"overlap: 0.9", "overlap"},
        {"stability: 2", "stability"},
        {"damping: 3, restitution: 0.3", "give one of them"},
        {"shear: 3, shear_share: 0.3", "give one of them"},
        {"stiffness: 3, overlap: 0.3", "give one of them"},
        {"sound_speed: 10", "sound_speed"},
    };
    for (int c = 0; c < OND_COUNT(cases); ++c) {
        char yaml[600];
        OndSceneDef scene;
        OndError err = {0};
        snprintf(yaml, sizeof yaml, "method: {type: dem, %s}\n" WATER, cases[c].keys);
        if (load(yaml, &scene, &err) == OND_OK) fail_msg("%s was taken", cases[c].keys);
        CHECK_SAYS(err.text, cases[c].says, cases[c].keys);
        CHECK_SAYS(err.text, "scene.yaml:1", cases[c].keys);
        ond_scene_free(&scene);
    }
}

#define SAND "fluid: [{spacing: 0.05, " BALL
#define CUBE "{shape: {type: box, min: [0, 0, 0], max: [1, 1, 1]}"

// Keys of liquids and of heat are told of by name and line, not passed over.
static void test_refused_keys(void **state)
{
    static const struct {
        const char *name, *text, *says; // NULL: taken
    } cases[] = {
        {"air", "air: {exchange: 10}\n" SAND "}]",
         "scene.yaml:2:6: error: 'air' means nothing to grains: grains keep the temperature"},
        {"heat", "heat: [" CUBE ", power: 10}]\n" SAND "}]", "'heat' means nothing to grains"},
        {"viscosity", SAND ",\n viscosity: 1}]",
         "scene.yaml:3:13: error: 'viscosity' means nothing to grains: grains do not flow"},
        {"tension", SAND ", tension: 0.07}]", "'tension' means nothing"},
        {"rigidity", SAND ", rigidity: 1}]", "'rigidity' means nothing to grains: grains neither"},
        {"melting", SAND ", T_solid: 0, T_liquid: 1}]", "'T_solid' means nothing"},
        {"conduction", SAND ", conductivity: 1}]", "'conductivity' means nothing"},
        {"walls", "domain: {min: [0, 0, 0], max: [1, 1, 1], walls: mirror}\n" SAND "}]",
         "'walls' means nothing to grains: walls push"},
        {"warm side",
         "domain: {min: [0, 0, 0], max: [1, 1, 1], sides: [{side: -y, temperature: 9}]}\n" SAND
         "}]",
         "'temperature' means nothing"},
        {"warm solid", "solid: [" CUBE ", temperature: 90}]\n" SAND "}]",
         "'temperature' means nothing to grains"},
        {"how they start", SAND ", density: 2000, temperature: 30, spin: [0, 1, 0]}]", NULL},
        {"what they are", SAND ", material: steel}]", NULL},
    };
    for (int c = 0; c < OND_COUNT(cases); ++c) {
        char yaml[600];
        OndSceneDef scene;
        OndError err = {0};
        snprintf(yaml, sizeof yaml, "method: {type: dem}\n%s\n", cases[c].text);
        const OndStatus status = load(yaml, &scene, &err);
        CHECK_NEAR(status == OND_OK, cases[c].says == NULL, 0, cases[c].name);
        if (cases[c].says) CHECK_SAYS(err.text, cases[c].says, cases[c].name);
        ond_scene_free(&scene);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_two_grains),
        cmocka_unit_test(test_refused_keys),
        cmocka_unit_test(test_deepest_overlap),
        cmocka_unit_test(test_walls),
        cmocka_unit_test(test_rests_on_wall),
        cmocka_unit_test(test_friction_on_a_slope),
        cmocka_unit_test(test_momentum),
        cmocka_unit_test(test_energy_only_shrinks),
        cmocka_unit_test(test_heap),
        cmocka_unit_test(test_any_number_of_threads),
        cmocka_unit_test(test_resumed),
        cmocka_unit_test(test_held),
        cmocka_unit_test(test_bad_input),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
