// SPDX-License-Identifier: MIT
// Particles that are animated elsewhere: they go where their files have them, smoothly in between,
// what hangs on them follows, and a run that stops goes on with the same bits.
#include "folder.h"
#include "particles/held_path.h"
#include "same_bits.h"
#include "scene_text.h"

#define FRAMES  5
#define SPACING 0.05
#define ROWS    4 // a core of 4 x 4 x 4 particles

typedef struct Spoil {
    int file, count, id; // which file is wrong; another number of particles; another id
    bool nan, twice, without_id;
    double shift; // m
} Spoil;

// The k-th place of a core that goes along x and turns about z.
static void core_at(int k, int i, double out[3])
{
    const double r[3] = {((i % ROWS) - 1.5) * SPACING, ((i / ROWS % ROWS) - 1.5) * SPACING,
                         ((i / ROWS / ROWS) - 1.5) * SPACING};
    const double angle = 0.15 * k, c = cos(angle), s = sin(angle);
    out[0] = 0.5 + 0.04 * k + c * r[0] - s * r[1];
    out[1] = 0.5 + s * r[0] + c * r[1];
    out[2] = 0.5 + r[2];
}

// In another order in every file: ids tell who is who.
static void write_core(int k, const Spoil *spoil)
{
    char name[32], path[256];
    const bool here = spoil && spoil->file == k;
    const int count = ROWS * ROWS * ROWS, written = here && spoil->count ? spoil->count : count;
    snprintf(name, sizeof name, "core_%02d.csv", k);
    FILE *f = fopen(in_folder(name, path), "w");
    assert_non_null(f);
    fputs(here && spoil->without_id ? "x,y,z\n" : "id,x,y,z\n", f);
    for (int at = 0; at < written; ++at) {
        const int i = (at * 27 + 7 * k) % count;
        double x[3];
        core_at(k, i, x);
        if (here && spoil->nan && at == 3) x[1] = NAN;
        if (here) x[0] += spoil->shift;
        int id = 100 + i;
        if (here && spoil->id && i == 5) id = spoil->id;
        if (here && spoil->twice && i == 5) id = 106;
        if (!(here && spoil->without_id)) fprintf(f, "%d,", id);
        fprintf(f, "%.9g,%.9g,%.9g\n", x[0], x[1], x[2]);
    }
    assert_int_equal(fclose(f), 0);
}

static void write_cores(const Spoil *spoil)
{
    for (int k = 0; k < FRAMES; ++k)
        write_core(k, spoil);
}

static int clear_folder(void **state)
{
    (void)state;
    for (int k = 0; k < FRAMES; ++k) {
        char name[32], path[256];
        snprintf(name, sizeof name, "core_%02d.csv", k);
        unlink(in_folder(name, path));
    }
    return 0;
}

// A scene of a fluid with the core in it; `keys` are more of the fluid's, `more` of its particles'.
static const char *scene_of(const char *method, const char *keys, const char *more)
{
    static char text[2048];
    snprintf(text, sizeof text,
             "duration: 2\nframe_rate: 10\ngravity: [0, 0, 0]\n%s"
             "fluid:\n  - name: wax\n    spacing: %g\n%s"
             "    particles: {sequence: \"%s/core_%%02d.csv\", rate: 5%s}\n",
             method, SPACING, keys, folder, more);
    return text;
}

#define GLOBAL "method: {type: sph}\n"
#define THESIS "method: {type: sph, preset: thesis}\n"
#define SHELL  "    shape: {type: box, min: [0.3, 0.4, 0.4], max: [0.7, 0.6, 0.6]}\n"
#define SOLID  "    rigidity: 1\n"

static uint32_t *values(const Stage *s, const char *name)
{
    return ond_fields_find(&s->frame.particles, name)->data[0];
}

// ---- the path itself

static const float places[4][6] = {
    {0, 0, 0, 5, 5, 5}, {1, 0, 0, 5, 5, 5}, {2, 1, 0, 5, 5, 5}, {2, 2, 0, 5, 5, 5}};
static const float *const place[4] = {places[0], places[1], places[2], places[3]};

static void test_path(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        bool loop;
        double time, x, y;
    } cases[] = {
        {"before", false, -1, 0, 0},
        {"first", false, 0.5, 0, 0},
        {"second", false, 1.0, 1, 0},
        {"third", false, 1.5, 2, 1},
        {"last", false, 2.0, 2, 2},
        {"after", false, 9, 2, 2},
        // ways of 1 and 0, slopes of 0 at rest and of 1 and 0.5 at the second place
        {"eases in", false, 0.75, 0.375, -0.0625},
        {"round", true, 2.5, 0, 0},
        {"round again", true, 5.0, 1, 0},
    };
    for (int c = 0; c < OND_COUNT(cases); ++c) {
        const OndHeldPath path = {2, 4, place, 2.0, 0.5, cases[c].loop, 0};
        double x[3];
        ond_held_path_at(&path, 0, cases[c].time, x, NULL);
        CHECK_NEAR(x[0], cases[c].x, 1e-12, cases[c].name);
        CHECK_NEAR(x[1], cases[c].y, 1e-12, cases[c].name);
        ond_held_path_at(&path, 1, cases[c].time, x, NULL);
        CHECK_NEAR(x[2], 5, 1e-12, cases[c].name);
    }
}

// The velocity is the place's rate of change, without a jump anywhere.
static void test_velocity(void **state)
{
    (void)state;
    for (int loop = 0; loop < 2; ++loop) {
        const OndHeldPath path = {2, 4, place, 2.0, 0.25, loop, 0};
        const double fastest = ond_held_path_fastest(&path);
        for (double t = loop ? 0.3 : 0.0; t < 4.0; t += 0.0131) {
            double a[3], b[3], v[3], before[3], after[3], small = 1e-5;
            ond_held_path_at(&path, 0, t - small, a, before);
            ond_held_path_at(&path, 0, t + small, b, after);
            ond_held_path_at(&path, 0, t, b, v);
            ond_held_path_at(&path, 0, t + small, b, NULL);
            for (int k = 0; k < 3; ++k) {
                CHECK_NEAR(v[k], (b[k] - a[k]) / (2.0 * small), 1e-3, "velocity");
                CHECK_NEAR(after[k], before[k], 1e-2, "no jump");
            }
            assert_true(sqrt(v[0] * v[0] + v[1] * v[1]) <= 1.05 * fastest);
        }
        CHECK_NEAR(fastest, loop ? 7.425 : 3.182, 1e-3, "fastest"); // half way, worked out by hand
    }
}

// ---- a simulation with them

// Where the files have them, to the last digit, at the times of the files and on the way.
static void test_led(void **state)
{
    (void)state;
    write_cores(NULL);
    static const char *const methods[] = {GLOBAL, THESIS, "method: {type: dem}\n"};
    for (int m = 0; m < OND_COUNT(methods); ++m) {
        const bool grains = m == 2;
        Stage *s = stage_open_with(scene_of(methods[m], grains ? SHELL : SHELL SOLID, ""), &assets);
        assert_true(s->count > ROWS * ROWS * ROWS + 50);
        for (int k = 0; k < FRAMES; ++k) {
            stage_run(s, 0.2 * k);
            const uint32_t *const id = values(s, "id");
            int found = 0;
            for (int i = 0; i < s->count; ++i) {
                if (id[i] >= ROWS * ROWS * ROWS) continue;
                double x[3]; // the first file's order gives ids
                core_at(k, (int)(id[i] * 27 % (ROWS * ROWS * ROWS)), x);
                for (int a = 0; a < 3; ++a)
                    CHECK_NEAR(s->x[a][i], x[a], 1e-7, methods[m]);
                ++found;
            }
            CHECK_NEAR(found, ROWS * ROWS * ROWS, 0, "all of them");
        }
        stage_close(s);
    }
}

// How far the free particles are from where the core would have carried them, spacings: the mean.
static double lag_of(const char *text, double time)
{
    Stage *s = stage_open_with(text, &assets);
    const int count = s->count;
    double(*from)[3] = calloc((size_t)count, sizeof *from);
    const uint32_t *id = values(s, "id");
    for (int i = 0; i < count; ++i)
        for (int a = 0; a < 3; ++a)
            from[id[i]][a] = s->x[a][i];
    stage_run(s, time);
    id = values(s, "id");
    const double k = 5.0 * time, c = cos(0.15 * k), n = sin(0.15 * k);
    double sum = 0;
    int free_ones = 0;
    for (int i = 0; i < count; ++i) {
        if (id[i] < ROWS * ROWS * ROWS) continue;
        const double x = from[id[i]][0] - 0.5, y = from[id[i]][1] - 0.5;
        const double to[3] = {0.5 + 0.04 * k + c * x - n * y, 0.5 + n * x + c * y, from[id[i]][2]};
        double way2 = 0;
        for (int a = 0; a < 3; ++a)
            way2 += (s->x[a][i] - to[a]) * (s->x[a][i] - to[a]);
        sum += sqrt(way2) / SPACING;
        ++free_ones;
    }
    assert_true(free_ones > 50);
    free(from);
    stage_close(s);
    return sum / free_ones;
}

static void test_follows(void **state)
{
    (void)state;
    write_cores(NULL);
    const double solid = lag_of(scene_of(GLOBAL, SHELL SOLID, ""), 0.8);
    const double soft = lag_of(scene_of(GLOBAL, SHELL "    rigidity: 0.98\n", ""), 0.8);
    const double thesis = lag_of(scene_of(THESIS, SHELL SOLID, ""), 0.8);
    print_message("behind the core: solid %.4f, s = 0.98 %.4f, thesis %.4f spacings\n", solid, soft,
                  thesis);
    if (!(solid < 0.02)) fail_msg("what is solid does not follow");
    if (!(soft < 0.3)) fail_msg("what is nearly solid does not follow");
    if (!(thesis < 3.0)) fail_msg("with the thesis's solver it does not follow"); // it cannot turn
}

// Heat goes from the core into what hangs on it, and none is lost.
static void test_conducts(void **state)
{
    (void)state;
    write_cores(NULL);
    Stage *s = stage_open_with(
        scene_of(GLOBAL,
                 "    temperature: 80\n    conductivity: 40000\n    rigidity: 1\n" SHELL
                 "    regions: [{shape: {type: box, min: [0, 0, 0], max: [1, 1, 1]}, "
                 "temperature: 10}]\n",
                 ""),
        &assets);
    double before = 0, after = 0, warmest = 0;
    const float *t = ond_fields_find(&s->frame.particles, "temperature")->data[0];
    for (int i = 0; i < s->count; ++i)
        before += t[i];
    stage_run(s, 0.4);
    t = ond_fields_find(&s->frame.particles, "temperature")->data[0];
    const uint32_t *const id = values(s, "id");
    for (int i = 0; i < s->count; ++i) {
        after += t[i];
        if (id[i] >= ROWS * ROWS * ROWS) warmest = fmax(warmest, t[i]);
    }
    CHECK_NEAR(after / before, 1.0, 1e-5, "heat is kept");
    if (!(warmest > 30.0)) fail_msg("no heat comes out of the core: %g C", warmest);
    stage_close(s);
}

// Let go, they fly on with the velocity that they had.
static void test_let_go(void **state)
{
    (void)state;
    write_cores(NULL);
    Stage *s =
        stage_open_with(scene_of(GLOBAL, "    rigidity: 1\n    fixed_until: 0.3\n", ""), &assets);
    stage_run(s, 0.3);
    double x = 0, v = 0;
    for (int i = 0; i < s->count; ++i)
        x += s->x[0][i] / s->count, v += s->v[0][i] / s->count;
    stage_run(s, 0.6);
    for (int i = 0; i < s->count; ++i)
        x -= s->x[0][i] / s->count;
    CHECK_NEAR(-x, 0.3 * v, 0.02 * v, "flies on");
    assert_true(v > 0.15);
    stage_close(s);
}

// ---- the same bits

static void resume(Stage *s)
{
    static char names[1024][32];
    OndError err = {0};
    OndCheckpoint c = keep(s->sim);
    for (int k = 0; k < c.number_count; ++k) {
        snprintf(names[k], sizeof names[k], "%s", c.number[k].name);
        c.number[k].name = names[k];
    }
    ond_sim_destroy(s->sim);
    s->sim = ond_sim_remake(&s->scene, &assets, &c, &err);
    ond_checkpoint_free(&c);
    if (s->sim)
        stage_look(s);
    else
        print_message("%s\n", err.text);
}

static void test_same_bits(void **state)
{
    (void)state;
    write_cores(NULL);
    const char *const text = scene_of(GLOBAL,
                                      "    T_solid: 20\n    T_liquid: 60\n    temperature: 30\n"
                                      "    conductivity: 4000\n" SHELL
                                      "    regions: [{shape: {type: box, min: [0, 0, 0], max: "
                                      "[0.5, 1, 1]}, temperature: 10}]\n",
                                      ", loop: true");
    uint64_t want = 0;
    for (int threads = 1; threads <= 4; threads *= 2) {
        ond_threads_set(threads);
        Stage *s = stage_open_with(text, &assets);
        steps(s, 10);
        resume(s);
        steps(s, 10);
        const uint64_t got = hash_of(s);
        if (threads == 1) {
            stage_close(s);
            s = stage_open_with(text, &assets);
            steps(s, 20);
            want = hash_of(s);
        }
        stage_close(s);
        if (got != want) fail_msg("%d threads, stopped and resumed: other bits", threads);
    }
    ond_threads_set(0);
}

// With other files it does not go on.
static void test_other_files(void **state)
{
    (void)state;
    write_cores(NULL);
    Stage *s = stage_open_with(scene_of(GLOBAL, SHELL SOLID, ""), &assets);
    steps(s, 3);
    write_cores(&(Spoil){.file = 4, .shift = 1e-5});
    resume(s);
    assert_null(s->sim);
    stage_close(s);
}

// ---- what is refused

static void test_refused(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        Spoil spoil;
        const char *method, *keys, *says;
    } cases[] = {
        {"too few",
         {.file = 2, .count = 60},
         GLOBAL,
         "",
         "core_02.csv has 60 particles, but the first file has 64"},
        {"another id",
         {.file = 3, .id = 999},
         GLOBAL,
         "",
         "core_03.csv has no particle of id 105, which the first file has"},
        {"an id twice",
         {.file = 1, .twice = true},
         GLOBAL,
         "",
         "core_01.csv has two particles of id 106"},
        {"no ids", {.file = 4, .without_id = true}, GLOBAL, "", "core_04.csv has no `id`"},
        {"not a number", {.file = 2, .nan = true}, GLOBAL, "", "core_02.csv"},
        {"periodic",
         {.file = -1},
         GLOBAL "domain: {min: [0, 0, 0], max: [1, 1, 1], x: periodic}\n",
         "    rigidity: 0\n",
         "does not go round a periodic domain"},
        {"on a grid",
         {.file = -1},
         "domain: {min: [0, 0, 0], max: [1, 1, 1]}\nmethod: {type: smoke, cell: 0.1}\n",
         "",
         "'particles' means nothing"},
    };
    for (int c = 0; c < OND_COUNT(cases); ++c) {
        OndSceneDef scene;
        OndError err = {0};
        write_cores(&cases[c].spoil);
        const char *text = scene_of(cases[c].method, cases[c].keys, "");
        OndStatus status = load(text, &scene, &err);
        OndSim *sim = status == OND_OK ? ond_sim_make(&scene, &assets, &err) : NULL;
        CHECK_NEAR(sim == NULL, 1, 0, cases[c].name);
        CHECK_SAYS(err.text, cases[c].says, cases[c].name);
        CHECK_SAYS(err.text, "scene.yaml:", cases[c].name);
        ond_sim_destroy(sim);
        ond_scene_free(&scene);
    }
}

static void test_missing(void **state)
{
    (void)state;
    OndSceneDef scene;
    OndError err = {0};
    char path[256];
    write_cores(NULL);
    unlink(in_folder("core_02.csv", path));
    assert_int_equal(load(scene_of(GLOBAL, "", ""), &scene, &err), OND_OK);
    assert_null(ond_sim_make(&scene, &assets, &err));
    CHECK_SAYS(err.text, "core_02.csv is missing, but", "a gap");
    ond_scene_free(&scene);
    err = (OndError){0};
    static const char text[] = "fluid: [{spacing: 0.1, particles: {sequence: core.ply}}]\n";
    assert_int_not_equal(load(text, &scene, &err), OND_OK);
    CHECK_SAYS(err.text, "one place for the number", "no number");
    ond_scene_free(&scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_path),
        cmocka_unit_test(test_velocity),
        cmocka_unit_test_teardown(test_led, clear_folder),
        cmocka_unit_test_teardown(test_follows, clear_folder),
        cmocka_unit_test_teardown(test_conducts, clear_folder),
        cmocka_unit_test_teardown(test_let_go, clear_folder),
        cmocka_unit_test_teardown(test_same_bits, clear_folder),
        cmocka_unit_test_teardown(test_other_files, clear_folder),
        cmocka_unit_test_teardown(test_refused, clear_folder),
        cmocka_unit_test_teardown(test_missing, clear_folder),
    };
    return cmocka_run_group_tests_name("animated particles", tests, make_folder, remove_folder);
}
