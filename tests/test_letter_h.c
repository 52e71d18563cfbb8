// SPDX-License-Identifier: MIT
// ctest: slow
// The letter h of scenes/thesis/h-a.yaml and h-b.yaml, in particles twice as large: what is solid
// stands, what is soft comes off.
#include "base/parallel.h"
#include "solids.h"

#define SPACING 0.04
#define LETTER                                                                                     \
    "duration: 8\ndomain: {min: [0, 0, 0], max: [2.4, 2, 1.2], walls: project, slip: 0,\n"         \
    "  margin: 0.02}\n"                                                                            \
    "method: {type: sph, preset: thesis, rigidity: {solver: global}}\n"                            \
    "fluid: [{name: h, spacing: 0.04, temperature: 0, T_solid: 0, T_liquid: 100,\n"                \
    "  conductivity: 417, shape: {type: union, parts: [\n"                                         \
    "    {type: box, min: [0.52, 0, 0.4], max: [1, 1.64, 0.72]},\n"                                \
    "    {type: box, min: [1, 0.8, 0.4], max: [1.32, 1.12, 0.72]},\n"                              \
    "    {type: box, min: [1.32, 0, 0.4], max: [1.68, 1.12, 0.72]}]},\n"                           \
    "  regions: [{shape: {type: box, min: [1.32, 0.24, 0.4], max: [1.68, 0.56, 0.72]},\n"          \
    "    temperature: 20}"

typedef struct Moved {
    double most, mean; // how far; how far down, m
    int count;
} Moved;

// Of all that stood in a box at the start.
static Moved moved(const Stage *s, const Past *p, OndBox box)
{
    Moved m = {0};
    for (int k = 0; k < p->count; ++k) {
        const int i = p->at[k];
        double way2 = 0;
        bool inside = i >= 0;
        for (int a = 0; a < 3; ++a)
            inside =
                inside && p->x[k][a] > ond_axis(box.min, a) && p->x[k][a] < ond_axis(box.max, a);
        if (!inside) continue;
        for (int a = 0; a < 3; ++a)
            way2 += (s->x[a][i] - p->x[k][a]) * (s->x[a][i] - p->x[k][a]);
        m.most = fmax(m.most, sqrt(way2));
        m.mean += p->x[k][1] - s->x[1][i];
        ++m.count;
    }
    assert_true(m.count > 0);
    m.mean /= m.count;
    return m;
}

static const OndBox stem = {{0.5, 0, 0}, {1, 2, 2}}, top = {{0.5, 0.8, 0}, {2, 2, 2}},
                    neck = {{1.3, 0.44, 0}, {2, 0.52, 2}}, crown = {{0.5, 1.2, 0}, {1, 2, 2}},
                    shoulder = {{1.4, 0.8, 0}, {2, 2, 2}}, knee = {{0.5, 0.5, 0}, {1, 0.56, 2}};

static void test_piece_comes_off(void **state)
{
    (void)state;
    Stage *s = stage_open(LETTER "]}]\n");
    Past start = past_of(s);
    stage_run(s, 8.0);
    past_find(&start, s);
    const Moved stood = moved(s, &start, stem), stays = moved(s, &start, top);
    const Moved fell = moved(s, &start, neck);
    print_message("h-a: stem moved %.4f m, top %.4f m at most; the piece is %.3f m lower\n",
                  stood.most, stays.most, fell.mean);
    if (!(fmax(stood.most, stays.most) < SPACING)) fail_msg("the rest did not stay");
    if (!(fell.mean > SPACING)) fail_msg("the piece did not come off");
    past_free(&start);
    stage_close(s);
}

static void test_top_follows_left_leg(void **state)
{
    (void)state;
    Stage *s = stage_open(LETTER ",\n    {shape: {type: box, min: [0.52, 0.24, 0.4],\n"
                                 "      max: [1, 0.56, 0.72]}, temperature: 10}]}]\n");
    Past start = past_of(s);
    stage_run(s, 4.0);
    past_find(&start, s);
    const Moved leads = moved(s, &start, knee), follows = moved(s, &start, crown);
    const Moved right = moved(s, &start, shoulder);
    print_message("h-b: the left leg sinks by %.3f m, the top above it by %.3f m, the right by "
                  "%.3f m\n",
                  leads.mean, follows.mean, right.mean);
    if (!(leads.mean > SPACING)) fail_msg("the left leg does not sink");
    CHECK_NEAR(follows.mean, leads.mean, 0.25 * SPACING, "the top goes with the left leg");
    if (!(right.mean > leads.mean + SPACING)) fail_msg("the softer right leg does not tear");
    past_free(&start);
    stage_close(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_piece_comes_off),
        cmocka_unit_test(test_top_follows_left_leg),
    };
    ond_threads_set(2);
    return cmocka_run_group_tests_name("letter h", tests, NULL, NULL);
}
