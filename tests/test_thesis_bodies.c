// SPDX-License-Identifier: MIT
// ctest: slow
// What the thesis's rigidity solver does to bodies that fall, stand, hang and slump; how often it
// iterates, and what it needs.
#include "same_bits.h"

#define THESIS "method: {type: sph, preset: thesis, rigidity: {%s}}\n"

static Stage *open_scene(const char *format, ...) __attribute__((format(printf, 1, 2)));
static Stage *open_scene(const char *format, ...)
{
    char yaml[2048];
    va_list list;
    va_start(list, format);
    const int length = vsnprintf(yaml, sizeof yaml, format, list);
    va_end(list);
    if (length >= (int)sizeof yaml) fail_msg("the scene is longer than its buffer");
    return stage_open(yaml);
}

static const uint32_t *ids(const Stage *s)
{
    return ond_fields_find(&s->frame.particles, "id")->data[0];
}

typedef struct Places {
    float x[3][4096];
} Places;

static void remember(const Stage *s, Places *p)
{
    for (int i = 0; i < s->count; ++i)
        for (int a = 0; a < 3; ++a)
            p->x[a][ids(s)[i]] = s->x[a][i];
}

static double top(const Stage *s)
{
    double high = -1e30;
    for (int i = 0; i < s->count; ++i)
        high = fmax(high, s->x[1][i]);
    return high;
}

static double farthest_moved(const Stage *s, const Places *from)
{
    double most = 0;
    for (int i = 0; i < s->count; ++i) {
        double d2 = 0;
        for (int a = 0; a < 3; ++a)
            d2 += pow(s->x[a][i] - from->x[a][ids(s)[i]], 2);
        most = fmax(most, sqrt(d2));
    }
    return most;
}

// A body of one rigidity in free fall keeps its shape and its acceleration.
static void test_free_fall(void **state)
{
    static Places from;
    static const char *const rigidities[] = {"0.25", "0.8", "1"};
    for (int c = 0; c < OND_COUNT(rigidities); ++c) {
        Stage *s = open_scene("dimension: 3\n" THESIS "fluid: [{spacing: 0.05, rigidity: %s, "
                              "velocity: [1, 0, 0.5],\n"
                              "  shape: {type: box, min: [0, 0, 0], max: [0.4, 0.4, 0.4]}}]\n",
                              "", rigidities[c]);
        remember(s, &from);
        stage_run(s, 0.25);
        const double t = ond_sim_time(s->sim), fall = -0.5 * 9.81 * t * t;
        for (int i = 0; i < s->count; ++i) {
            const uint32_t id = ids(s)[i];
            CHECK_NEAR(s->x[0][i] - from.x[0][id], t, 1e-3 * 0.05, rigidities[c]);
            // steps of unequal length lose (dt - dt')^2 of the parabola
            CHECK_NEAR(s->x[1][i] - from.x[1][id], fall, 0.02 * -fall, rigidities[c]);
            CHECK_NEAR(s->x[1][i] - from.x[1][id], s->x[1][0] - from.x[1][ids(s)[0]], 1e-3 * 0.05,
                       rigidities[c]);
        }
        stage_close(s);
    }
}

static double stand(const char *options)
{
    static Places from;
    Stage *s =
        open_scene("dimension: 3\ndomain: {min: [-1, 0, -1], max: [1, 2, 1], walls: project, "
                   "margin: 0.025}\n" THESIS "fluid: [{spacing: 0.05, rigidity: 1,\n"
                   "  shape: {type: box, min: [-0.2, 0, -0.2], max: [0.2, 1, 0.2]}}]\n",
                   options);
    remember(s, &from);
    for (int k = 0; k < 50; ++k)
        stage_step(s);
    const double moved = farthest_moved(s, &from) / 0.05;
    stage_close(s);
    return moved;
}

// Figure 2.3: what stands on the ground stands, with propagation.
static void test_standing(void **state)
{
    const double with = stand(""), without = stand("propagation: false");
    printf("a solid block on the floor after 50 steps: moved %.3g spacings, without propagation "
           "%.3g\n",
           with, without);
    CHECK_NEAR(with, 0, 0.01, "with propagation, spacings moved");
    if (!(without > 0.1)) fail_msg("without propagation it should sag: %g spacings", without);
}

static void test_slump(void **state)
{
    static const char *const rigidities[] = {"0", "0.25", "0.5", "0.75", "0.9", "1"};
    double last = 1e30;
    for (int c = 0; c < OND_COUNT(rigidities); ++c) {
        Stage *s =
            open_scene("dimension: 3\ndomain: {min: [-1, 0, -1], max: [1, 2, 1], walls: "
                       "project, margin: 0.025}\n" THESIS "fluid: [{spacing: 0.05, rigidity: %s,\n"
                       "  shape: {type: box, min: [-0.2, 0, -0.2], max: [0.2, 0.6, 0.2]}}]\n",
                       "", rigidities[c]);
        const double start = top(s);
        stage_run(s, 0.25);
        const double slump = start - top(s);
        printf("rigidity %-4s a column of 12 layers slumps by %.4g spacings in 0.25 s\n",
               rigidities[c], slump / 0.05);
        if (!(slump < last)) fail_msg("slump %g at %s, %g before", slump, rigidities[c], last);
        last = slump;
        stage_close(s);
    }
    CHECK_NEAR(last / 0.05, 0, 0.02, "slump of a solid, spacings");
}

static double hang(const char *rigidity, const char *options, int *most)
{
    Stage *s =
        open_scene("dimension: 3\n" THESIS "fluid:\n  - {spacing: 0.05, rigidity: 1, fixed: true,\n"
                   "     shape: {type: box, min: [-0.2, 0, 0], max: [0, 0.2, 0.2]}}\n"
                   "  - {spacing: 0.05, rigidity: %s,\n"
                   "     shape: {type: box, min: [0, 0, 0], max: [0.6, 0.2, 0.2]}}\n",
                   options, rigidity);
    static Places from;
    remember(s, &from);
    *most = 0;
    for (int k = 0; k < 40; ++k) {
        OndStepRecord record;
        stage_step(s);
        ond_sim_record(s->sim, &record);
        *most = record.iterations > *most ? record.iterations : *most;
    }
    const double moved = farthest_moved(s, &from) / 0.05;
    stage_close(s);
    return moved;
}

// Held particles hold up a bar that sticks out of them.
static void test_held(void **state)
{
    int steady, most;
    const double solid = hang("1", "", &steady), soft = hang("0.8", "", &most),
                 seeps = hang("1", "propagation: false", &most);
    printf("a bar of 12 spacings held at one end moves by %.3g spacings in 40 steps; %.3g at "
           "rigidity 0.8; %.3g without propagation\n",
           solid, soft, seeps);
    CHECK_NEAR(solid, 0, 0.001, "a solid bar, spacings moved");
    if (steady > 200) fail_msg("%d iterations for a bar that the front has put right", steady);
    if (!(soft > 0.5)) fail_msg("a soft bar should sink: %g spacings", soft);
    if (!(seeps > 0.002)) fail_msg("without propagation it should sink: %g spacings", seeps);
}

// Held particles that move take the solid along.
static void test_carried(void **state)
{
    static Places from;
    Stage *s = open_scene(
        "dimension: 3\n" THESIS
        "fluid:\n  - {spacing: 0.05, rigidity: 1, fixed: true, velocity: [0.5, 0.2, 0],\n"
        "     shape: {type: box, min: [-0.2, 0, 0], max: [0, 0.2, 0.2]}}\n"
        "  - {spacing: 0.05, rigidity: 1,\n"
        "     shape: {type: box, min: [0, 0, 0], max: [0.4, 0.2, 0.2]}}\n",
        "");
    remember(s, &from);
    stage_run(s, 0.2);
    const double t = ond_sim_time(s->sim);
    for (int i = 0; i < s->count; ++i) {
        CHECK_NEAR(s->x[0][i] - from.x[0][ids(s)[i]], 0.5 * t, 0.02 * 0.05, "carried along x");
        CHECK_NEAR(s->x[1][i] - from.x[1][ids(s)[i]], 0.2 * t, 0.02 * 0.05, "carried along y");
    }
    stage_close(s);
}

// Mean height of one fluid, in spacings.
static double mean_height(const Stage *s, uint32_t fluid)
{
    const uint32_t *material = ond_fields_find(&s->frame.particles, "material")->data[0];
    double sum = 0;
    int count = 0;
    for (int i = 0; i < s->count; ++i)
        if (material[i] == fluid) sum += s->x[1][i], ++count;
    return sum / count / 0.05;
}

// How far the left and the right shoulder of a letter h come down whose right foot, and with
// `left` less than 1 the left one too, is soft.
static void melt_h(const char *left, const char *options, double fall[2])
{
    Stage *s = open_scene("dimension: 2\ndomain: {min: [-1, 0], max: [3, 4], walls: project, "
                          "slip: 0, margin: 0.025}\n" THESIS "fluid:\n"
                          "  - {spacing: 0.05, rigidity: 1,\n"
                          "     shape: {type: box, min: [0, 0.5], max: [0.4, 1.5]}}\n"
                          "  - {spacing: 0.05, rigidity: 1,\n"
                          "     shape: {type: box, min: [0.8, 0.5], max: [1.2, 1.2]}}\n"
                          "  - {spacing: 0.05, rigidity: 1,\n"
                          "     shape: {type: box, min: [0.4, 0.8], max: [0.8, 1.2]}}\n"
                          "  - {spacing: 0.05, rigidity: %s,\n"
                          "     shape: {type: box, min: [0, 0], max: [0.4, 0.5]}}\n"
                          "  - {spacing: 0.05, rigidity: 0.7,\n"
                          "     shape: {type: box, min: [0.8, 0], max: [1.2, 0.5]}}\n",
                          options, left);
    const double before[2] = {mean_height(s, 0), mean_height(s, 1)};
    stage_run(s, 1);
    for (int k = 0; k < 2; ++k)
        fall[k] = before[k] - mean_height(s, (uint32_t)k);
    stage_close(s);
}

// Figures 2.4 and 5.4: the most rigid way to the ground decides. With the second condition the
// right shoulder hangs from the left one, without it it follows its own soft foot.
static void test_second_condition(void **state)
{
    double a[2], b[2], alone[2];
    melt_h("1", "", a);
    melt_h("0.9", "", b);
    melt_h("1", "second_condition: false", alone);
    printf("shoulders of an h come down, in spacings: right foot soft %.3g and %.3g, left one a "
           "little too %.3g and %.3g, without the second condition %.3g and %.3g\n",
           a[0], a[1], b[0], b[1], alone[0], alone[1]);
    CHECK_NEAR(a[0], 0, 0.02, "left shoulder over a solid foot");
    CHECK_NEAR(a[1], a[0], 0.02, "right shoulder with the left one");
    if (!(b[0] > 0.1)) fail_msg("over a softer left foot the top should sink: %g", b[0]);
    CHECK_NEAR(b[1], b[0], 0.1 * b[0], "right shoulder with the sinking left one");
    if (!(alone[1] > alone[0] + 0.2))
        fail_msg("without the condition the right shoulder should sink: %g", alone[1]);
}

// ---- counts

static OndStepRecord first_record(const char *options)
{
    Stage *s = open_scene(
        "dimension: 3\ndomain: {min: [-1, 0, -1], max: [1, 2, 1], walls: project, "
        "margin: 0.025}\n" THESIS "fluid: [{spacing: 0.05, rigidity: 0.9, velocity: [0, -0.5, 0],\n"
        "  shape: {type: box, min: [-0.2, 0, -0.2], max: [0.2, 0.4, 0.2]}}]\n",
        options);
    stage_step(s);
    OndStepRecord record;
    ond_sim_record(s->sim, &record);
    stage_close(s);
    return record;
}

// The rule looks at two windows, so that it never stops before; a smaller share to stop at takes
// longer; what the cap cuts off is told.
static void test_counts(void **state)
{
    static const struct {
        const char *options;
        int least, most;
        bool capped;
    } rows[] = {
        {"propagation: false, stop: 1", 10, 10, false},
        {"propagation: false, stop: 1, window: 1", 2, 2, false},
        {"propagation: false, stop: 1, window: 20", 40, 40, false},
        {"propagation: false, stop: 1, window: 20, iterations: 39", 39, 39, true},
        {"propagation: false", 11, 1999, false},
        {"propagation: false, iterations: 7", 7, 7, true},
        {"stop: 1, window: 1", 14, 60, false}, // seven layers, two iterations each
        {"stop: 1, window: 1, stabilised: 0, release: 9", 63, 75, false},
        {"stop: 1, window: 1, stabilised: 10", 7, 9, false},
    };
    for (int r = 0; r < OND_COUNT(rows); ++r) {
        const OndStepRecord record = first_record(rows[r].options);
        const int count = record.iterations;
        if (count < rows[r].least || count > rows[r].most)
            fail_msg("%s: %d iterations, expected %d to %d", rows[r].options, count, rows[r].least,
                     rows[r].most);
        CHECK_NEAR(record.unconverged, rows[r].capped, 0, rows[r].options);
    }
}

// ---- threads and memory

static void test_threads(void **state)
{
    (void)state;
    static const Play play = {
        "soft on softer", 8,
        "dimension: 3\ndomain: {min: [-0.4, 0, -0.4], max: [0.4, 2, 0.4], walls: project}\n"
        "method: {type: sph, preset: thesis}\nfluid:\n"
        "  - {spacing: 0.04, rigidity: 0.9,\n"
        "     shape: {type: box, min: [-0.3, 0, -0.3], max: [0.3, 0.3, 0.3]}}\n"
        "  - {spacing: 0.04, rigidity: 0.6,\n"
        "     shape: {type: box, min: [-0.3, 0.3, -0.3], max: [0.3, 0.5, 0.3]}}\n"};
    check_threads(&play);
    ond_threads_set(0);
}

static double bytes_with(const char *solver, double *pairs)
{
    char yaml[512];
    snprintf(yaml, sizeof yaml,
             "method: {rigidity: {solver: %s}}\n"
             "fluid: [{spacing: 0.05, rigidity: 0.9,\n"
             "  shape: {type: box, min: [0, 0, 0], max: [0.6, 0.6, 0.6]}}]\n",
             solver);
    Stage *s = stage_open(yaml);
    stage_step(s);
    const double bytes = (double)ond_sim_bytes(s->sim);
    *pairs = s->count * ond_sim_neighbours(s->sim);
    stage_close(s);
    return bytes;
}

// Eight bytes a pair, and six vectors of 16 a particle, are what it cannot do without.
static void test_memory_is_counted(void **state)
{
    (void)state;
    double pairs;
    const double none = bytes_with("none", &pairs), with = bytes_with("thesis", &pairs);
    print_message("the solver's own memory: %.0f bytes for %.0f pairs\n", with - none, pairs);
    if (!(with - none >= 8 * pairs + 6 * 16 * 1728)) fail_msg("only %g bytes more", with - none);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_free_fall),
        cmocka_unit_test(test_standing),
        cmocka_unit_test(test_slump),
        cmocka_unit_test(test_held),
        cmocka_unit_test(test_carried),
        cmocka_unit_test(test_second_condition),
        cmocka_unit_test(test_counts),
        cmocka_unit_test(test_threads),
        cmocka_unit_test(test_memory_is_counted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
