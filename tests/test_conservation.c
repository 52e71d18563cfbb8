// SPDX-License-Identifier: MIT
// ctest: slow
// What a liquid left alone must keep: its particles, momentum, angular momentum, and no more
// energy.
//
// A blob without walls and gravity, thrown about at random on top of a stretching flow. All forces
// come in equal and opposite pairs, so momentum may change by rounding only; where they also point
// from one particle to the other, so may angular momentum.
#include "base/parallel.h"
#include "base/random.h"
#include "stage.h"

#define STEPS 200

static const struct Case {
    const char *name;
    int dimension;
    const char *method, *fluid; // more keys
    double spin;                // how much of the angular momentum may go: friction is not central
} cases[] = {
    {"pressure and artificial viscosity", 3, "", "", 1e-4},
    {"the same, flat", 2, "", "", 1e-4},
    {"wendland", 3, ", kernel: wendland, smoothing: 2.5", "", 1e-4},
    {"classical viscosity", 3, ", kernel: cubic", ", viscosity: 5", 0.02},
    {"surface tension", 3, "", ", tension: 1", 1e-4},
    {"surface tension and viscosity, flat", 2, "", ", tension: 1, viscosity: 2", 0.05},
    {"mueller's pressure, euler", 3, ", pressure_form: mueller, integrator: euler", "", 1e-4},
    {"tait, suction, two terms", 3,
     ", state: tait, suction: true, start_correction: true, quadratic: 1", "", 1e-4},
    {"continuity", 3, ", density: continuity", "", 1e-4},
    {"xsph", 3, ", xsph: 0.2", "", 0.2},
};

typedef struct Totals {
    double mass, momentum[3], spin[3]; // spin about the origin
    double moving, turning;            // sums of m |v| and of m |x| |v|
    double kinetic;
} Totals;

static Stage *open_blob(const struct Case *c, bool two_liquids)
{
    char yaml[2048];
    snprintf(yaml, sizeof yaml,
             "dimension: %d\nduration: 100\nframe_rate: 10\ngravity: [0, 0, 0]\n"
             "method: {type: sph, sound_speed: 30%s}\nfluid:\n"
             "  - {spacing: 0.05, density: 1000%s, stretch: [1, -1, 0], spin: [0, 0, 2],\n"
             "     shape: {type: sphere, center: [0, 0, 0], radius: %g}}\n",
             c->dimension, c->method, c->fluid, c->dimension == 2 ? 0.9 : 0.4);
    if (two_liquids)
        strcat(yaml, "  - {spacing: 0.05, density: 300, viscosity: 1, velocity: [0, -2, 0],\n"
                     "     shape: {type: box, min: [-0.3, 0.5, -0.3], max: [0.3, 0.8, 0.3]}}\n");
    Stage *s = stage_open(yaml);
    const uint32_t *id = ond_fields_find(&s->frame.particles, "id")->data[0];
    for (int i = 0; i < s->count; ++i)
        for (int a = 0; a < c->dimension; ++a)
            s->v[a][i] += ond_random(id[i], (uint64_t)a) - 0.5f;
    return s;
}

// Particles weigh what their share of the volume weighs.
static Totals add_up(const Stage *s)
{
    Totals t = {0};
    const uint32_t *material = ond_fields_find(&s->frame.particles, "material")->data[0];
    for (int i = 0; i < s->count; ++i) {
        const double m = ond_scene_fluid(&s->scene, (int)material[i])->density *
                         pow(s->scene.spacing, s->scene.dimension);
        const OndVec x = ond_vec(s->x[0][i], s->x[1][i], s->x[2][i]);
        const OndVec v = ond_vec(s->v[0][i], s->v[1][i], s->v[2][i]), turn = ond_cross(x, v);
        t.mass += m;
        for (int a = 0; a < 3; ++a) {
            t.momentum[a] += m * ond_axis(v, a);
            t.spin[a] += m * ond_axis(turn, a);
        }
        t.moving += m * sqrt(ond_dot(v, v));
        t.turning += m * sqrt(ond_dot(v, v) * ond_dot(x, x));
        t.kinetic += 0.5 * m * ond_dot(v, v);
    }
    return t;
}

static double change(const double now[3], const double start[3])
{
    double sum = 0;
    for (int a = 0; a < 3; ++a)
        sum += (now[a] - start[a]) * (now[a] - start[a]);
    return sqrt(sum);
}

static void check_ids(const Stage *s)
{
    const uint32_t *id = ond_fields_find(&s->frame.particles, "id")->data[0];
    unsigned char *seen = calloc((size_t)s->count, 1);
    for (int i = 0; i < s->count; ++i)
        if (id[i] >= (uint32_t)s->count || seen[id[i]]++)
            fail_msg("id %u is lost or doubled", id[i]);
    free(seen);
}

static void run_case(const struct Case *c, bool two_liquids)
{
    Stage *s = open_blob(c, two_liquids);
    const Totals start = add_up(s);
    double momentum = 0, spin = 0, kinetic = 0;
    const int count = s->count;
    for (int k = 0; k < STEPS; ++k) {
        stage_step(s);
        const Totals t = add_up(s);
        momentum = fmax(momentum, change(t.momentum, start.momentum) / start.moving);
        spin = fmax(spin, change(t.spin, start.spin) / start.turning);
        kinetic = fmax(kinetic, t.kinetic / start.kinetic);
    }
    const Totals end = add_up(s);
    print_message(
        "%s: %d particles, %.3f s: momentum %.1e, angular momentum %.1e, kinetic energy at "
        "most %.4f, %.3f left\n",
        c->name, count, ond_sim_time(s->sim), momentum, spin, kinetic, end.kinetic / start.kinetic);
    CHECK_NEAR(s->count, count, 0, c->name);
    check_ids(s);
    CHECK_NEAR(end.mass, start.mass, 1e-9 * start.mass, "mass");
    CHECK_NEAR(momentum, 0, 2e-7, "change of momentum over sum of m |v|");
    CHECK_NEAR(spin, 0, c->spin, "change of angular momentum over sum of m |x| |v|");
    CHECK_NEAR(fmax(kinetic, 1), 1, 0.01, "most kinetic energy over that of the start");
    if (end.kinetic > 0.98 * start.kinetic) fail_msg("%s: nothing rubs", c->name);
    stage_close(s);
}

static void test_one_liquid(void **state)
{
    for (int c = 0; c < OND_COUNT(cases); ++c)
        run_case(&cases[c], false);
}

static void test_two_liquids(void **state)
{
    const struct Case pair = {"two liquids that collide", 3, "", ", viscosity: 1, tension: 0.5",
                              0.02};
    run_case(&pair, true);
}

// A box that repeats on all sides has no surface: what flows through a side comes in on the other.
static void test_periodic_box(void **state)
{
    Stage *s =
        stage_open("dimension: 3\nduration: 100\nframe_rate: 10\ngravity: [0, 0, 0]\n"
                   "domain: {min: [0, 0, 0], max: [0.5, 0.5, 0.5], x: periodic, y: periodic, "
                   "z: periodic}\nmethod: {type: sph, sound_speed: 30}\n"
                   "fluid: [{spacing: 0.05, density: 1000, viscosity: 1, velocity: [1, 2, 3],\n"
                   "  shape: {type: box, min: [0, 0, 0], max: [0.5, 0.5, 0.5]}}]\n");
    for (int i = 0; i < s->count; ++i)
        for (int a = 0; a < 3; ++a)
            s->v[a][i] += ond_random((uint64_t)i, (uint64_t)a) - 0.5f;
    const Totals start = add_up(s);
    for (int k = 0; k < STEPS; ++k) {
        stage_step(s);
        for (int i = 0; i < s->count; ++i)
            for (int a = 0; a < 3; ++a)
                if (!(s->x[a][i] >= 0 && s->x[a][i] < 0.5f))
                    fail_msg("step %d: a particle stands at %.9g", k, (double)s->x[a][i]);
    }
    const Totals end = add_up(s);
    const double off = change(end.momentum, start.momentum) / start.moving;
    print_message("periodic box: momentum %.1e, density error %.4f\n", off,
                  fabs(s->density[0] / 1000 - 1));
    CHECK_NEAR(off, 0, 2e-7, "change of momentum in a periodic box");
    CHECK_NEAR(s->count, 1000, 0, "particles");
    stage_close(s);
}

int main(void)
{
    ond_threads_set(1); // too small for more
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_one_liquid),
        cmocka_unit_test(test_two_liquids),
        cmocka_unit_test(test_periodic_box),
    };
    return cmocka_run_group_tests_name("conservation", tests, NULL, NULL);
}
