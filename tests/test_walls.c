// SPDX-License-Identifier: MIT
// Walls hold, give back and rub as they should; periodic sides join; numbers gone mad are noticed.
#include "base/parallel.h"
#include "base/random.h"
#include "stage.h"

#define OPEN(...)                                                                                  \
    ({                                                                                             \
        char yaml_text[2048];                                                                      \
        snprintf(yaml_text, sizeof yaml_text, __VA_ARGS__);                                        \
        stage_open(yaml_text);                                                                     \
    })

// ---- a box that is shut stays shut

static void check_inside(const Stage *s, const char *name)
{
    const OndDomainDef *box = &s->scene.domain;
    for (int i = 0; i < s->count; ++i)
        for (int a = 0; a < 3; ++a) {
            const float at = s->x[a][i];
            const float low = s->scene.dimension > a ? (float)ond_axis(box->min, a) : 0;
            const float high = s->scene.dimension > a ? (float)ond_axis(box->max, a) : 0;
            if (!(at >= low && at <= high))
                fail_msg("%s, %.4f s: particle %d stands at %.9g on axis %d, outside [%g, %g]",
                         name, ond_sim_time(s->sim), i, (double)at, a, (double)low, (double)high);
            if (!isfinite(s->v[a][i])) fail_msg("%s: a speed is not finite", name);
        }
}

static void test_splash_stays_inside(void **state)
{
    static const char *const walls[] = {"mirror", "project"};
    static const double bounce[] = {0, 0.9};
    for (int d = 2; d <= 3; ++d)
        for (int w = 0; w < 2; ++w)
            for (int b = 0; b < 2; ++b) {
                char name[64];
                snprintf(name, sizeof name, "%dD, %s, restitution %g", d, walls[w], bounce[b]);
                Stage *s = OPEN("dimension: %d\nduration: 10\nframe_rate: 10\n"
                                "domain: {min: [-0.5, 0.1, 2], max: [0.5, 0.9, 2.6], walls: %s, "
                                "restitution: %g, "
                                "slip: 0.3}\n"
                                "fluid: [{spacing: 0.05, velocity: %s, shape: {type: box, "
                                "min: [-0.2, 0.3, 2.1], max: [0.2, 0.7, 2.5]}}]\n",
                                d, walls[w], bounce[b], d == 2 ? "[7, -9]" : "[7, -9, 5]");
                const int count = s->count;
                OndStepRecord r;
                ond_sim_record(s->sim, &r);
                const double start = r.kinetic, height = r.potential;
                double fastest = 0, energy = 0;
                for (int k = 0; k < 300; ++k) {
                    stage_step(s);
                    check_inside(s, name);
                    ond_sim_record(s->sim, &r);
                    fastest = fmax(fastest, r.max_speed);
                    energy = fmax(energy, (r.kinetic + r.potential - height) / start);
                }
                print_message("%s: %d particles, %.3f s, fastest %.1f m/s, energy at most %.3f of "
                              "the start's\n",
                              name, count, ond_sim_time(s->sim), fastest, energy);
                CHECK_NEAR(s->count, count, 0, name);
                CHECK_NEAR(fmax(energy, 1), 1, 0.01, "most energy of the splash over its start's");
                stage_close(s);
            }
}

// ---- free flight

// x = x0 + v t + g t^2 / 2, in steps of changing length: exact but for rounding with leapfrog, one
// step's error with Euler. A drop as a whole must fly like a particle.
static void test_flight(void **state)
{
    static const struct {
        const char *name, *integrator, *size;
        double within; // m
    } cases[] = {
        {"particle, leapfrog", "leapfrog", "0.05", 2e-5},
        {"particle, euler", "euler", "0.05", 0.03},
        {"drop, leapfrog", "leapfrog", "0.2", 2e-5},
    };
    for (int c = 0; c < OND_COUNT(cases); ++c) {
        Stage *s =
            OPEN("dimension: 3\nduration: 10\nframe_rate: 10\ngravity: [1, -10, 0]\n"
                 "method: {type: sph, integrator: %s, sound_speed: 10}\n"
                 "fluid: [{spacing: 0.1, velocity: [1, 3, -2], shape: {type: box, min: [-%s, "
                 "-%s, -%s], max: [%s, %s, %s]}}]\n",
                 cases[c].integrator, cases[c].size, cases[c].size, cases[c].size, cases[c].size,
                 cases[c].size, cases[c].size);
        double longest = 0, shortest = 1;
        while (ond_sim_time(s->sim) < 0.95) {
            static const double v[] = {1, 3, -2}, g[] = {1, -10, 0};
            OndStepRecord r;
            stage_step(s);
            ond_sim_record(s->sim, &r);
            longest = fmax(longest, r.dt), shortest = fmin(shortest, r.dt);
            const double t = ond_sim_time(s->sim);
            for (int a = 0; a < 3; ++a) {
                double x = 0, u = 0;
                for (int i = 0; i < s->count; ++i)
                    x += (double)s->x[a][i] / s->count, u += (double)s->v[a][i] / s->count;
                CHECK_NEAR(u, v[a] + g[a] * t, 2e-5, cases[c].name);
                CHECK_NEAR(x, v[a] * t + 0.5 * g[a] * t * t, cases[c].within, cases[c].name);
            }
        }
        if (longest < 1.1 * shortest) fail_msg("steps are all alike: %g s", longest);
        stage_close(s);
    }
}

// ---- one particle against a wall, as the rule says

static const struct Bounce {
    const char *name;
    double v[3], slip, restitution;
    const char *sides;
    double want[3];
} bounces[] = {
    {"floor, slides", {1, -2, 0}, 1, 0, "", {1, 0, 0}},
    {"floor, sticks", {1, -2, 0}, 0, 0, "", {0, 0, 0}},
    {"floor, bounces", {1, -2, 0.5}, 1, 1, "", {1, 2, 0.5}},
    {"floor, half of each", {1, -2, 0.5}, 0.5, 0.5, "", {0.5, 1, 0.25}},
    {"left wall", {-2, 0.3, 0}, 0.9, 0.25, "", {0.5, 0.27, 0}},
    {"right wall", {2, 0.3, 0}, 0.9, 0.25, "", {-0.5, 0.27, 0}},
    {"ceiling", {0.3, 2, 0}, 0.5, 0.25, "", {0.15, -0.5, 0}},
    {"front", {0.3, 0, -2}, 0.5, 0.25, "", {0.15, 0, 0.5}},
    {"back", {0.3, 0, 2}, 0.5, 0.25, "", {0.15, 0, -0.5}},
    {"into an edge, both at once", {-2, -2, 0}, 1, 0.5, "", {1, 1, 0}},
    {"into a corner", {-2, 2, -2}, 1, 0.5, "", {1, -1, 1}},
    {"belt that drags",
     {0, -2, 0},
     0,
     0,
     ", sides: [{side: -y, slip: 0, velocity: [3, 0, 1]}]",
     {3, 0, 1}},
    {"one side differs", {0, 2, 0}, 1, 0, ", sides: [{side: +y, restitution: 0.75}]", {0, -1.5, 0}},
    {"misses everything", {0.01, 0.02, 0.03}, 0, 0, "", {0.01, 0.02, 0.03}},
};

static void test_bounce(void **state)
{
    static const char *const integrators[] = {"leapfrog", "euler"};
    for (int c = 0; c < OND_COUNT(bounces); ++c)
        for (int k = 0; k < 2; ++k) {
            const struct Bounce *b = &bounces[c];
            // it starts in the middle, 0.5 m from all walls, and meets them after 0.25 s
            Stage *s =
                OPEN("dimension: 3\nduration: 10\nframe_rate: 10\ngravity: [0, 0, 0]\n"
                     "domain: {min: [0, 0, 0], max: [1, 1, 1], walls: project, slip: %g, "
                     "restitution: %g%s}\n"
                     "method: {type: sph, integrator: %s, sound_speed: 10}\n"
                     "fluid: [{spacing: 0.1, velocity: [%g, %g, %g], shape: {type: box, "
                     "min: [0.45, 0.45, 0.45], max: [0.55, 0.55, 0.55]}}]\n",
                     b->slip, b->restitution, b->sides, integrators[k], b->v[0], b->v[1], b->v[2]);
            assert_int_equal(s->count, 1);
            stage_run(s, 0.3);
            for (int a = 0; a < 3; ++a)
                CHECK_NEAR(s->v[a][0], b->want[a], 1e-5, b->name);
            stage_close(s);
        }
}

// A wall that lets nothing slip keeps it where they met, not where it would have been; one that
// lets it slip lets it glide on for the rest of the step.
static void check_contact(double slip, double want)
{
    Stage *s = OPEN("dimension: 2\nduration: 10\nframe_rate: 10\ngravity: [0, 0]\n"
                    "domain: {min: [0, 0], max: [1, 1], walls: project, restitution: 1, slip: %g}\n"
                    "method: {type: sph, step_rule: fixed, time_step: 0.007, sound_speed: 10}\n"
                    "fluid: [{spacing: 0.1, velocity: [1, -2], shape: {type: box, "
                    "min: [0.45, 0.45], max: [0.55, 0.55]}}]\n",
                    slip);
    while (s->v[1][0] < 0) {
        stage_step(s);
        if (s->v[1][0] < 0) CHECK_NEAR(s->x[0][0] - 0.5, ond_sim_time(s->sim), 1e-5, "free flight");
    }
    CHECK_NEAR(s->x[1][0], 0, 1e-6, "on the floor, m");
    CHECK_NEAR(s->x[0][0], want < 0 ? 0.5 + ond_sim_time(s->sim) : want, 1e-5,
               "along the floor, m");
    stage_close(s);
}

static void test_place_of_contact(void **state)
{
    check_contact(0, 0.75);
    check_contact(1, -1); // as far as in free flight
}

// ---- walls that count in the density

// A full box has no surface: every particle is at rest density and nothing moves.
static void test_full_box(void **state)
{
    static const char *const sides[] = {"", ", x: periodic", ", x: periodic, y: periodic"};
    for (int d = 2; d <= 3; ++d)
        for (int k = 0; k < 3; ++k) {
            Stage *s = OPEN("dimension: %d\nduration: 10\nframe_rate: 10\ngravity: [0, 0, 0]\n"
                            "domain: {min: [0, 0, 0], max: [0.6, 0.5, 0.4]%s}\n"
                            "fluid: [{spacing: 0.05, density: 1000, shape: {type: box, "
                            "min: [0, 0, 0], max: [0.6, 0.5, 0.4]}}]\n",
                            d, sides[k]);
            for (int step = 0; step < 20; ++step)
                stage_step(s);
            for (int i = 0; i < s->count; ++i) {
                CHECK_NEAR(s->density[i], 1000, 0.05, "density in a full box");
                for (int a = 0; a < 3; ++a)
                    CHECK_NEAR(s->v[a][i], 0, 1e-3, "speed in a full box");
            }
            stage_close(s);
        }
}

// ---- periodic sides

static double wrapped(double x, double low, double high)
{
    return low + fmod(fmod(x - low, high - low) + high - low, high - low);
}

static void test_wrap(void **state)
{
    static const struct {
        const char *name, *method;
        double v[2];
    } cases[] = {
        {"to the right", "", {3, 0}},
        {"to the left", "", {-3, 0}},
        {"slanted", "", {1.7, -2.3}},
        {"fixed steps", ", step_rule: fixed, time_step: 0.01", {5, -7}},
        {"several boxes a step", ", step_rule: fixed, time_step: 0.05", {-90, 130}},
    };
    for (int c = 0; c < OND_COUNT(cases); ++c) {
        Stage *s = OPEN("dimension: 2\nduration: 10\nframe_rate: 10\ngravity: [0, 0]\n"
                        "domain: {min: [-1, 2], max: [1, 3], x: periodic, y: periodic}\n"
                        "method: {type: sph, sound_speed: 10%s}\n"
                        "fluid: [{spacing: 0.1, velocity: [%g, %g], shape: {type: box, "
                        "min: [0.05, 2.45], max: [0.15, 2.55]}}]\n",
                        cases[c].method, cases[c].v[0], cases[c].v[1]);
        assert_int_equal(s->count, 1);
        const double x0 = s->x[0][0], y0 = s->x[1][0];
        while (ond_sim_time(s->sim) < 1.5) {
            stage_step(s);
            const double t = ond_sim_time(s->sim), x = s->x[0][0], y = s->x[1][0];
            if (!(x >= -1 && x < 1 && y >= 2 && y < 3))
                fail_msg("%s: at (%.7g, %.7g), outside the box", cases[c].name, x, y);
            // as angles, so that both ends of the box are the same place
            const double ox = x - wrapped(x0 + t * cases[c].v[0], -1, 1);
            const double oy = y - wrapped(y0 + t * cases[c].v[1], 2, 3);
            CHECK_NEAR(remainder(ox, 2), 0, 1e-3, cases[c].name);
            CHECK_NEAR(remainder(oy, 1), 0, 1e-3, cases[c].name);
        }
        stage_close(s);
    }
}

// Where the seam lies must not matter: the same flow, moved by half a box.
static void test_seam(void **state)
{
    double kinetic[2];
    for (int k = 0; k < 2; ++k) {
        Stage *s = OPEN("dimension: 2\nduration: 10\nframe_rate: 10\ngravity: [0, 0]\n"
                        "domain: {min: [%g, 0], max: [%g, 1], x: periodic, y: periodic}\n"
                        "method: {type: sph, sound_speed: 10, kernel: wendland, smoothing: 3}\n"
                        "fluid: [{spacing: 0.05, density: 1000, shape: {type: box, min: [%g, 0], "
                        "max: [%g, 1]}}]\n",
                        0.5 * k, 1 + 0.5 * k, 0.5 * k, 1 + 0.5 * k);
        for (int i = 0; i < s->count; ++i) {
            const double x = 2 * M_PI * s->x[0][i], y = 2 * M_PI * s->x[1][i];
            s->v[0][i] = (float)(0.5 * sin(x) * cos(y)),
            s->v[1][i] = (float)(-0.5 * cos(x) * sin(y));
        }
        stage_run(s, 0.3);
        OndStepRecord r;
        ond_sim_record(s->sim, &r);
        kinetic[k] = r.kinetic;
        stage_close(s);
    }
    print_message("whirls across the seam: %.5f J and %.5f J\n", kinetic[0], kinetic[1]);
    CHECK_NEAR(kinetic[1], kinetic[0], 0.01 * kinetic[0], "energy of the same flow, moved");
}

// ---- liquids of different weight at rest

static void test_layers_start_at_rest(void **state)
{
    static const struct {
        const char *name;
        double below, above;
        const char *method;
    } cases[] = {
        {"one liquid", 1000, 1000, ""},
        {"oil on water", 1000, 800, ""},
        {"a third of the weight", 1000, 300, ""},
        {"oil on water, wcsph", 1000, 800, ", pressure: wcsph"},
        {"oil on water, cg", 1000, 800, ", pressure: cg"},
        {"oil on water, dfsph", 1000, 800, ", pressure: dfsph"},
        {"oil on water, continuity", 1000, 800, ", density: continuity"},
    };
    int wrong = 0;
    for (int c = 0; c < OND_COUNT(cases); ++c) {
        Stage *s =
            OPEN("dimension: 2\nduration: 10\nframe_rate: 10\nmethod: {type: sph%s}\n"
                 "domain: {min: [0, 0], max: [1, 1]}\nfluid:\n"
                 "  - {spacing: 0.025, density: %g, shape: {type: box, min: [0, 0], max: [1, "
                 "0.3]}}\n"
                 "  - {spacing: 0.025, density: %g, shape: {type: box, min: [0, 0.3], max: "
                 "[1, 0.5]}}\n",
                 cases[c].method, cases[c].below, cases[c].above);
        const double want = 9.81 * (0.2 * cases[c].above + 0.3 * cases[c].below);
        double most = 0, fastest = 0;
        for (int i = 0; i < s->count; ++i)
            most = fmax(most, s->pressure[i]);
        OndError err = {0};
        OndStatus status = OND_OK;
        while (status == OND_OK && ond_sim_time(s->sim) < 0.3) {
            OndStepRecord r;
            status = ond_sim_step(s->sim, &err);
            ond_sim_record(s->sim, &r);
            fastest = fmax(fastest, r.max_speed);
        }
        print_message(
            "%s: starts with %.0f Pa at the bottom, want %.0f; then at most %.3f m/s %s\n",
            cases[c].name, most, want, fastest, err.text);
        wrong += fabs(most - want) > 0.1 * want || fastest > 0.2 || status != OND_OK;
        stage_close(s);
    }
    if (wrong) fail_msg("%d of %d pools do not start at rest", wrong, OND_COUNT(cases));
}

// ---- numbers gone mad

static void test_madness_is_noticed(void **state)
{
    static const struct {
        const char *name;
        int what, index; // 0 position, 1 velocity; index of the particle
        float value;
    } cases[] = {
        {"NaN position, first", 0, 0, NAN},         {"NaN position, middle", 0, 300, NAN},
        {"infinite position", 0, 300, INFINITY},    {"NaN velocity, first", 1, 0, NAN},
        {"NaN velocity, last", 1, 511, NAN},        {"infinite velocity", 1, 300, -INFINITY},
        {"speed beyond all reason", 1, 300, 1e20f},
    };
    int missed = 0;
    for (int open = 0; open < 2; ++open)
        for (int c = 0; c < OND_COUNT(cases); ++c) {
            Stage *s = OPEN("dimension: 3\nduration: 10\n%s"
                            "fluid: [{spacing: 0.05, shape: {type: box, min: [0, 0, 0], "
                            "max: [0.4, 0.4, 0.4]}}]\n",
                            open ? "" : "domain: {min: [0, 0, 0], max: [1, 1, 1]}\n");
            assert_int_equal(s->count, 512);
            (cases[c].what ? s->v : s->x)[0][cases[c].index] = cases[c].value;
            OndError err = {0};
            OndStatus status = OND_OK;
            for (int k = 0; k < 5 && status == OND_OK; ++k)
                status = ond_sim_step(s->sim, &err);
            if (status != OND_UNSTABLE || strlen(err.text) < 20) {
                print_message("%s, %s: status %d, \"%s\"\n", cases[c].name, open ? "open" : "box",
                              status, err.text);
                ++missed;
            }
            stage_close(s);
        }
    if (missed) fail_msg("%d of %d were not noticed", missed, 2 * OND_COUNT(cases));
}

// Boxes are seldom a whole number of spacings wide: nothing is thrown off the far wall.
static void test_odd_width(void **state)
{
    (void)state;
    static const char *const sides[] = {"", ", x: periodic"};
    for (int k = 0; k < 4; ++k) {
        char yaml[512];
        const double width = k / 2 ? 0.61 : 0.628; // 12.2 and 12.56 spacings
        snprintf(yaml, sizeof yaml,
                 "domain: {min: [0, 0, 0], max: [%g, 1, 0.5]%s}\nfluid: [{spacing: 0.05,\n"
                 "  shape: {type: box, min: [0, 0, 0], max: [%g, 0.5, 0.5]}}]\n",
                 width, sides[k % 2], width);
        Stage *s = stage_open(yaml);
        double fastest = 0;
        for (int n = 0; n < 10; ++n) {
            stage_step(s);
            for (int i = 0; i < s->count; ++i)
                fastest = fmax(fastest, hypot(s->v[0][i], s->v[1][i]));
        }
        print_message("a pool %g spacings wide%s: %.3f m/s at most\n", width / 0.05, sides[k % 2],
                      fastest);
        if (!(fastest < 0.1)) fail_msg("it bursts: %g m/s", fastest);
        stage_close(s);
    }
}

int main(void)
{
    ond_threads_set(1); // too small for more
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_splash_stays_inside),
        cmocka_unit_test(test_flight),
        cmocka_unit_test(test_bounce),
        cmocka_unit_test(test_place_of_contact),
        cmocka_unit_test(test_full_box),
        cmocka_unit_test(test_wrap),
        cmocka_unit_test(test_seam),
        cmocka_unit_test(test_layers_start_at_rest),
        cmocka_unit_test(test_madness_is_noticed),
        cmocka_unit_test(test_odd_width),
    };
    return cmocka_run_group_tests_name("walls", tests, NULL, NULL);
}
