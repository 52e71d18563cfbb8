// SPDX-License-Identifier: MIT
// Spray, foam and bubbles: where they come from, how they move, and that the liquid does not notice.
#include "base/memory.h"
#include "base/random.h"
#include "foam_scenes.h"
#include "folder.h"
#include "io/checkpoint_hdf5.h"
#include "io/formats/formats.h"
#include "io/run_foam.h"
#include "particles/foam/foam_state.h"
#include "physics/foam.h"
#include "sim/sim_state.h"

// ---- a liquid made by hand: particles in a box, lists of all in reach, filled up with themselves

#define REACH 0.1f

typedef struct Water {
    OndWorld world;
    float wall_at[6], *x[3], *v[3], *rigidity;
    uint32_t *pool, *first, *length, *id, *held, *key, *order;
    OndCells cells;
    int count;
    OndFoam *foam;
    OndFoamLiquid liquid;
} Water;

static OndWorld make_world(void)
{
    OndWorld w = {
        .dimension = 3, .gravity = {0, -9.81f, 0}, .box = {{0, 0, 0}, {1, 1, 1}}, .spacing = 0.05};
    w.foam = (OndFoamDef){
        .wanted = true, .amount = 3.0f, .rise = 0.25f, .most = 1000000, .lifetime = 2.0f};
    return w;
}

static void make_arrays(Water *w)
{
    const size_t n = (size_t)w->count;
    for (int a = 0; a < 3; ++a)
        w->x[a] = ond_alloc(4 * n), w->v[a] = ond_alloc(4 * n);
    w->rigidity = ond_alloc(4 * n), w->id = ond_alloc(4 * n), w->held = ond_alloc(4 * n);
    w->key = ond_alloc(4 * n), w->order = ond_alloc(4 * n), w->first = ond_alloc(4 * n);
    w->length = ond_alloc(4 * n), w->pool = ond_alloc(4 * n * 256);
}

static double distance(const Water *w, int i, int j)
{
    return sqrt(pow((double)w->x[0][i] - w->x[0][j], 2) + pow((double)w->x[1][i] - w->x[1][j], 2) +
                pow((double)w->x[2][i] - w->x[2][j], 2));
}

static void make_lists(Water *w)
{
    uint32_t at = 0;
    for (int i = 0; i < w->count; ++i) {
        w->first[i] = at;
        for (int j = 0; j < w->count; ++j)
            if (j != i && distance(w, i, j) < (double)REACH) w->pool[at++] = (uint32_t)j;
        while ((at - w->first[i]) % OND_LANES)
            w->pool[at++] = (uint32_t)i;
        w->length[i] = at - w->first[i];
    }
}

// Sorted by cells, as a method's particles are.
static void sort_water(Water *w)
{
    static const float low[3] = {0, 0, 0}, high[3] = {1, 1, 1};
    OndError err = {0};
    assert_int_equal(ond_cells_lay(&w->cells, low, high, REACH, w->count, &err), OND_OK);
    assert_int_equal(
        ond_cells_sort(&w->cells, w->x[0], w->x[1], w->x[2], w->count, w->key, w->order, &err),
        OND_OK);
    float *const all[] = {w->x[0], w->x[1], w->x[2], w->v[0], w->v[1], w->v[2]};
    float *const spare = ond_alloc(4 * (size_t)w->count);
    for (int k = 0; k < OND_COUNT(all); ++k) {
        memcpy(spare, all[k], 4 * (size_t)w->count);
        for (int i = 0; i < w->count; ++i)
            all[k][i] = spare[w->order[i]];
    }
    ond_free(spare);
    for (int i = 0; i < w->count; ++i)
        w->id[i] = 7u + (uint32_t)i;
}

static void finish_water(Water *w)
{
    OndError err = {0};
    sort_water(w);
    for (int side = 0; side < 6; ++side)
        w->wall_at[side] = side % 2 ? INFINITY : -INFINITY;
    w->foam = ond_foam_create(&w->world, w->wall_at, &err);
    assert_non_null(w->foam);
    ond_foam_set_speed(w->foam, 2.0);
    w->foam->stray = (OndBox){{-9, -9, -9}, {9, 9, 9}};
    w->liquid = (OndFoamLiquid){.pairs = {w->pool, w->first, w->length, w->x[0], w->x[1], w->x[2],
                                          w->v[0], w->v[1], w->v[2]},
                                .cells = &w->cells,
                                .loops = ond_loops(),
                                .id = w->id,
                                .held = w->held,
                                .rigidity = w->rigidity,
                                .count = w->count,
                                .reach = REACH,
                                .fastest = 3.0f};
}

// A ball of particles at random, each with a velocity of its own on top of a common one.
static Water *make_ball(int count)
{
    Water *const w = OND_NEW(Water);
    w->world = make_world();
    w->count = count;
    make_arrays(w);
    for (int i = 0, k = 0; i < count; ++k) {
        double at[3], r2 = 0;
        for (int a = 0; a < 3; ++a) {
            at[a] = ond_random(1, (uint64_t)(3 * k + a)) - 0.5;
            r2 += at[a] * at[a];
        }
        if (r2 > 0.03) continue;
        for (int a = 0; a < 3; ++a) {
            w->x[a][i] = (float)(0.5 + at[a]);
            w->v[a][i] = (a == 0 ? 1.2f : 0.3f) + 0.8f * ond_random(2, (uint64_t)(3 * i + a));
            w->v[a][i] *= 1.2f * ond_random(4, (uint64_t)i); // slow ones, too
        }
        ++i;
    }
    finish_water(w);
    make_lists(w);
    return w;
}

// A still block on a lattice.
static Water *make_block(int side)
{
    Water *const w = OND_NEW(Water);
    w->world = make_world();
    w->count = side * side * side;
    make_arrays(w);
    for (int i = 0; i < w->count; ++i) {
        const int n[3] = {i % side, i / side % side, i / side / side};
        for (int a = 0; a < 3; ++a)
            w->x[a][i] = 0.05f * ((float)n[a] + 0.5f);
    }
    finish_water(w);
    return w;
}

static void free_water(Water *w)
{
    void *const blocks[] = {w->x[0],  w->x[1],   w->x[2], w->v[0], w->v[1], w->v[2],  w->pool,
                            w->first, w->length, w->id,   w->held, w->key,  w->order, w->rigidity};
    for (int k = 0; k < OND_COUNT(blocks); ++k)
        ond_free(blocks[k]);
    ond_foam_free(w->foam);
    ond_cells_free(&w->cells);
    ond_free(w);
}

// Puts one of a kind at a place.
static void put_one(Water *w, OndFoamKind kind, OndVec at, OndVec v)
{
    OndFoam *const foam = w->foam;
    OndError err = {0};
    assert_int_equal(ond_fields_reserve(&foam->particles, 8, &err), OND_OK);
    ond_foam_bind(foam);
    for (int a = 0; a < 3; ++a)
        foam->x[a][0] = (float)ond_axis(at, a), foam->v[a][0] = (float)ond_axis(v, a);
    foam->kind[0] = kind, foam->age[0] = 0.0f, foam->life[0] = 9.0f, foam->id[0] = 0;
    foam->particles.count = 1;
}

// ---- potentials

typedef struct Plain {
    double trapped, normal[3], v2, crest, out;
} Plain;

#define FULL (M_PI / 3.0 * 8.0) // reach is two spacings

static Plain plain_sums(const Water *w, int i)
{
    Plain p = {0};
    double length = 0;
    for (int a = 0; a < 3; ++a)
        p.v2 += (double)w->v[a][i] * w->v[a][i];
    if (p.v2 < pow((double)OND_FOAM_SLOWEST, 2)) return p; // half the slowest: it is not asked
    for (int j = 0; j < w->count; ++j) {
        const double r = distance(w, i, j), weight = 1.0 - r / (double)REACH;
        if (j == i || weight <= 0.0) continue;
        double speed = 0, along = 0;
        for (int a = 0; a < 3; ++a) {
            const double d = (double)w->x[a][i] - w->x[a][j], u = (double)w->v[a][i] - w->v[a][j];
            speed += u * u, along += u * d / r;
            p.normal[a] += weight * d / r / FULL;
        }
        p.trapped += (sqrt(speed) - along) * weight / FULL; // |v| (1 - cos) w
    }
    for (int a = 0; a < 3; ++a)
        length += p.normal[a] * p.normal[a];
    length = sqrt(length);
    for (int a = 0; a < 3; ++a)
        p.normal[a] = length > (double)OND_FOAM_FACE ? p.normal[a] / length : 0.0;
    return p;
}

static void add_crest(const Water *w, Plain *all, int i)
{
    Plain *const p = &all[i];
    for (int a = 0; a < 3; ++a)
        p->out += p->normal[a] * w->v[a][i] / sqrt(p->v2);
    for (int j = 0; j < w->count; ++j) {
        const double r = distance(w, i, j), weight = 1.0 - r / (double)REACH;
        double below = 0, both = 0, own = 0;
        for (int a = 0; a < 3; ++a) {
            below += ((double)w->x[a][j] - w->x[a][i]) * p->normal[a];
            both += p->normal[a] * all[j].normal[a];
            own += all[j].normal[a] * all[j].normal[a];
        }
        if (j != i && weight > 0.0 && below < 0.0 && own > 0.5)
            p->crest += (1.0 - both) * weight / FULL;
    }
}

static double between(double x, double low, double high)
{
    return x < low ? 0.0 : x > high ? 1.0 : (x - low) / (high - low);
}

#define LONG 0.02 // s that seeds are for

// Of each particle as many come as the formula says, give or take the one by chance.
static void test_potentials(void **state)
{
    (void)state;
    Water *const w = make_ball(400);
    Plain *const all = ond_alloc((size_t)w->count * sizeof *all);
    double wanted = 0;
    int crests = 0, few = 0;
    OndError err = {0};
    assert_int_equal(ond_foam_seed(w->foam, &w->liquid, LONG, &err), OND_OK);
    for (int i = 0; i < w->count; ++i)
        all[i] = plain_sums(w, i);
    for (int i = 0; i < w->count; ++i) {
        Plain *const p = &all[i];
        add_crest(w, all, i);
        CHECK_NEAR(w->foam->trapped[i], p->trapped, 1e-5 * (1 + p->trapped), "trapped air");
        for (int a = 0; a < 3; ++a)
            CHECK_NEAR(w->foam->normal[a][i], p->normal[a], 1e-4, "normal");
        const double crest = p->out >= (double)OND_FOAM_OUTWARD
                                 ? between(p->crest, OND_FOAM_CREST_LEAST, OND_FOAM_CREST_MOST)
                                 : 0.0;
        const double trapped =
            between(p->trapped, 2 * OND_FOAM_TRAPPED_LEAST, 2 * OND_FOAM_TRAPPED_MOST);
        const double motion =
            between(p->v2, pow(2 * OND_FOAM_SLOWEST, 2), pow(2 * OND_FOAM_FAST, 2));
        const double each = 3.0 * motion *
                            (OND_FOAM_BY_TRAPPED * trapped + OND_FOAM_BY_CREST * crest) *
                            sqrt(p->v2) * LONG / 0.05;
        const int made = w->foam->seeds[i + 1] - w->foam->seeds[i];
        if (!(made > each - 1.0 - 1e-4 && made < each + 1.0 + 1e-4))
            fail_msg("particle %d makes %d, by the formula %g", i, made, each);
        wanted += each, crests += crest > 0.0, few += each < 0.5;
    }
    print_message("%d of %d particles make foam at a crest; %.1f wanted, %d made\n", crests,
                  w->count, wanted, w->foam->particles.count);
    CHECK_NEAR(few > 20 && few < w->count, 1, 0, "slow ones are, too");
    CHECK_NEAR(crests > 20 && crests < w->count / 2, 1, 0, "crests are tried");
    CHECK_NEAR(w->foam->particles.count, wanted, 4 * sqrt(wanted), "in all");
    ond_free(all);
    free_water(w);
}

// In the cylinder that a particle sweeps, not beside it.
static void test_cylinder(void **state)
{
    (void)state;
    Water *const w = make_ball(400);
    OndError err = {0};
    assert_int_equal(ond_foam_seed(w->foam, &w->liquid, LONG, &err), OND_OK);
    double farthest = 0, mean = 0;
    for (int i = 0; i < w->count; ++i)
        for (int row = w->foam->seeds[i]; row < w->foam->seeds[i + 1]; ++row) {
            OndVec d, v;
            d = ond_vec((double)w->foam->x[0][row] - w->x[0][i],
                        (double)w->foam->x[1][row] - w->x[1][i],
                        (double)w->foam->x[2][row] - w->x[2][i]);
            v = ond_vec(w->v[0][i], w->v[1][i], w->v[2][i]);
            const double along = ond_dot(d, v) / ond_dot(v, v);
            const double aside = ond_length(ond_sub(d, ond_scale(v, along)));
            CHECK_NEAR(along, 0.5 * LONG, 0.5 * LONG + 1e-5, "along the way");
            farthest = fmax(farthest, aside), mean += aside / w->foam->particles.count;
        }
    const double wide = 0.05 * (double)OND_FOAM_WIDE;
    CHECK_NEAR(farthest <= wide + 1e-6 && farthest > 0.93 * wide, 1, 0, "no farther aside");
    CHECK_NEAR(mean, wide * 2 / 3, 0.06 * wide, "evenly over the disc");
    free_water(w);
}

// ---- motion

// Without drag a droplet falls as a stone does, whatever the steps; with drag as the formula says.
static void test_ballistic(void **state)
{
    (void)state;
    static const double drag[] = {0.0, 0.8};
    for (int k = 0; k < 2; ++k) {
        Water *const w = make_block(2);
        w->foam->def.air_drag = (float)drag[k];
        put_one(w, OND_SPRAY, ond_vec(0.5, 1, 0.5), ond_vec(1.5, 3, -0.5));
        double t = 0;
        for (int step = 0; step < 100; ++step) {
            const double dt = 0.002 + 0.008 * ond_random(3, (uint64_t)step);
            ond_foam_drift(w->foam, dt);
            t += dt;
        }
        const double c = drag[k], faded = exp(-c * t), way = c > 0 ? (1 - faded) / c : t,
                     fall = c > 0 ? (t - way) / c : 0.5 * t * t;
        CHECK_NEAR(w->foam->x[0][0], 0.5 + 1.5 * way, 3e-6, "x");
        CHECK_NEAR(w->foam->x[1][0], 1 + 3 * way - 9.81f * fall, 1e-5, "y");
        CHECK_NEAR(w->foam->v[1][0], 3 * faded - 9.81f * way, 1e-5, "speed");
        CHECK_NEAR(w->foam->life[0], 9, 0, "spray does not burst");
        free_water(w);
    }
}

// A bubble gathers speed, with twice gravity at first, and then rises as fast as told.
static void test_bubble(void **state)
{
    (void)state;
    Water *const w = make_block(16);
    const double dt = 0.005, start = 2 * 9.81 / 0.25;
    put_one(w, OND_BUBBLE, ond_vec(0.4, 0.2, 0.4), ond_vec(0, 0, 0));
    double worst = 0;
    for (int k = 1; k <= 60; ++k) {
        ond_foam_follow(w->foam, &w->liquid, dt);
        CHECK_NEAR(w->foam->kind[0], OND_BUBBLE, 0, "kind");
        const double speed = 0.25 * (1 - exp(-start * dt * k));
        worst = fmax(worst, fabs(w->foam->v[1][0] - speed));
        ond_foam_drift(w->foam, dt);
    }
    CHECK_NEAR(worst, 0, 1e-5, "while it gathers speed");
    CHECK_NEAR(w->foam->v[1][0], 0.25, 1e-5, "at the end");
    CHECK_NEAR(w->foam->x[0][0], 0.4, 1e-6, "straight up");
    free_water(w);
}

// At a surface it is foam, which goes with the liquid and bursts; over it spray, below it a bubble.
static void test_kinds(void **state)
{
    (void)state;
    Water *const w = make_block(16);
    for (int i = 0; i < w->count; ++i)
        w->v[0][i] = 0.3f;
    static const struct {
        double y;
        OndFoamKind kind;
    } cases[] = {{0.86, OND_SPRAY}, {0.8, OND_FOAM}, {0.7, OND_BUBBLE}, {0.95, OND_SPRAY}};
    for (int c = 0; c < OND_COUNT(cases); ++c) {
        put_one(w, OND_SPRAY, ond_vec(0.41, cases[c].y, 0.4), ond_vec(0, -1, 0));
        ond_foam_follow(w->foam, &w->liquid, 0.01);
        CHECK_NEAR(w->foam->kind[0], cases[c].kind, 0, "kind");
        const double drawn[] = {0, 0.3, 0.3 * (1 - exp(-0.01 * 2 * 9.81 / 0.25))};
        CHECK_NEAR(w->foam->v[0][0], drawn[cases[c].kind], 1e-6, "drawn along");
    }
    put_one(w, OND_FOAM, ond_vec(0.41, 0.8, 0.4), ond_vec(0, 0, 0));
    w->foam->life[0] = 0.095f;
    for (int k = 0; k < 10; ++k)
        ond_foam_drift(w->foam, 0.01);
    CHECK_NEAR(w->foam->particles.count, 0, 0, "it has burst");
    free_water(w);
}

// ---- in scenes

static void test_still(void **state)
{
    (void)state;
    // without the pressure to start with it falls until it has squeezed itself, and bounces
    static const char *const pressure[] = {"wcsph, settle: false", "cg"};
    for (int k = 0; k < 2; ++k) {
        char yaml[512];
        snprintf(yaml, sizeof yaml,
                 "dimension: 2\nduration: 1\nframe_rate: 10\ndomain: {min: [0, 0], max: [1, 1]}\n"
                 "method: {type: sph, pressure: %s}\nfoam: {amount: 1000}\n"
                 "fluid: [{spacing: 0.04, shape: {type: box, min: [0, 0], max: [1, 0.6]}}]\n",
                 pressure[k]);
        Stage *s = stage_open(yaml);
        while (ond_sim_time(s->sim) < 0.4) {
            stage_step(s);
            if (foam_of(s)->count > 0)
                fail_msg("%s: foam on a still pool at %g s", pressure[k], ond_sim_time(s->sim));
        }
        stage_close(s);
    }
}

// No more than are allowed, and those that found no room are counted.
static void test_most(void **state)
{
    (void)state;
    OndStepRecord record;
    Stage *s = stage_open(JET("cg", "foam: {amount: 20, most: 50}\n"));
    while (ond_sim_time(s->sim) < 0.4) {
        stage_step(s);
        assert_true(foam_of(s)->count <= 50);
    }
    ond_sim_record(s->sim, &record);
    CHECK_NEAR(record.foam, 50, 5, "full");
    CHECK_NEAR(record.foam_refused > 50, 1, 0, "told");
    stage_close(s);
}

static void test_refused(void **state)
{
    (void)state;
    static const char *const yaml[] = {
        "{dimension: 2, domain: {min: [0, 0], max: [1, 1]}, method: {type: dem}, foam: {}, "
        "fluid: [{spacing: 0.05, shape: {type: box, min: [0, 0], max: [0.5, 0.5]}}]}",
        "{dimension: 2, domain: {min: [0, 0], max: [1, 1]}, method: {type: smoke, cell: 0.1}, "
        "foam: {}}"};
    static const char *const says[] = {"'foam' means nothing", "'foam' means nothing"};
    for (int k = 0; k < OND_COUNT(yaml); ++k) {
        OndTree tree = {0};
        OndSceneDef scene;
        OndError err = {0};
        OndStatus status = ond_yaml_parse("t.yaml", yaml[k], strlen(yaml[k]), &tree, &err);
        if (status == OND_OK) status = ond_scene_read(&tree, &scene, &err);
        assert_int_equal(status, OND_BAD_VALUE);
        CHECK_SAYS(err.text, says[k], "refused");
        CHECK_SAYS(err.text, "t.yaml:1:", "where");
    }
}

// ---- files

static void check_same(const OndFields *a, const OndFields *b)
{
    CHECK_NEAR(a->count, b->count, 0, "count");
    CHECK_NEAR(a->field_count, b->field_count, 0, "fields");
    for (int k = 0; k < b->field_count; ++k) {
        const OndField *const f = ond_fields_find(a, b->field[k].name);
        if (!f) fail_msg("no field '%s'", b->field[k].name);
        assert_int_equal(f->type, b->field[k].type);
        for (int c = 0; c < f->components; ++c)
            assert_memory_equal(f->data[c], b->field[k].data[c], 4 * (size_t)a->count);
    }
}

static void test_files(void **state)
{
    (void)state;
    OndError err = {0};
    OndRunFolder home = {0};
    char path[OND_PATH_MAX];
    Stage *s = stage_open(JET("cg", "foam: {amount: 4}\n"));
    stage_run(s, 0.4);
    assert_true(foam_of(s)->count > 50);
    snprintf(home.path, sizeof home.path, "%s", folder);
    char frames[OND_PATH_MAX];
    snprintf(frames, sizeof frames, "%s/frames", folder);
    assert_int_equal(ond_run_make_folders(frames, &err), OND_OK);
    const OndFrame written = ond_run_foam_frame(&s->frame);
    ond_run_path(&home, OND_RUN_FOAM_PLY, 3, path);
    CHECK_SAYS(path, "frames/foam_0003.ply", "name");
    assert_int_equal(ond_frame_write(path, &written, &err), OND_OK);
    OndFrame read = {.owned = true};
    assert_int_equal(ond_run_foam_read(&home, 3, &read, &err), OND_OK);
    check_same(&read.foam, foam_of(s));
    ond_frame_free(&read);
    read.owned = true;
    assert_int_equal(ond_run_foam_read(&home, 4, &read, &err), OND_OK); // none is no failure
    CHECK_NEAR(read.foam.field_count, 0, 0, "no file, no foam");
    assert_int_equal(unlink(path) | rmdir(frames), 0);
    stage_close(s);
}

// A frame with foam of these ids along x, each going so fast.
static OndFrame made_by_hand(double time, int count, const int *id, const double *x, double speed)
{
    OndFrame frame = {.time = time, .owned = true};
    OndWorld world = make_world();
    OndFoam *const foam = ond_foam_create(&world, NULL, NULL);
    assert_int_equal(ond_fields_reserve(&foam->particles, count, NULL), OND_OK);
    ond_foam_bind(foam);
    for (int i = 0; i < count; ++i) {
        foam->id[i] = (uint32_t)id[i], foam->x[0][i] = (float)x[i], foam->v[0][i] = (float)speed;
        foam->kind[i] = OND_FOAM, foam->life[i] = 0.1f, foam->age[i] = (float)(time - 0.03 * id[i]);
    }
    foam->particles.count = count;
    frame.foam = foam->particles;
    foam->particles = (OndFields){0};
    ond_foam_free(foam);
    return frame;
}

// As a program around the library sees it.
static void test_view(void **state)
{
    (void)state;
    OndFieldView kind, x, none;
    Stage *s = stage_open(JET("cg", "foam: {amount: 4}\n"));
    stage_run(s, 0.3);
    assert_int_equal(ond_sim_field_count(s->sim, OND_RIDERS), 6);
    assert_true(ond_sim_find_field(s->sim, OND_RIDERS, "kind", &kind));
    assert_true(ond_sim_find_field(s->sim, OND_RIDERS, "position", &x));
    CHECK_NEAR(kind.count, foam_of(s)->count, 0, "all of them");
    assert_true(kind.type == OND_U32 && x.components == 3 && x.count == kind.count && x.count > 50);
    assert_ptr_equal(x.data[1], column(foam_of(s), "position", 1));
    stage_close(s);
    s = stage_open(JET("cg", ""));
    assert_int_equal(ond_sim_field_count(s->sim, OND_RIDERS), 0);
    assert_false(ond_sim_find_field(s->sim, OND_RIDERS, "position", &none));
    stage_close(s);
}

// Between two frames each is on its way; who comes or goes does so in time.
static void test_between(void **state)
{
    (void)state;
    static const int before[] = {0, 1, 2}, after[] = {1, 2, 4, 5};
    static const double from[] = {1, 2, 3}, to[] = {2.5, 3.5, 9, 10};
    OndFrame a = made_by_hand(0.1, 3, before, from, 2), b = made_by_hand(0.2, 4, after, to, 2),
             between = {.owned = true};
    assert_int_equal(ond_run_foam_between(&a, &b, 0.5, &between, NULL), OND_OK);
    static const int ids[] = {0, 1, 2, 4}; // 5 is born at 0.15 s, when this is; 4 at 0.12 s
    static const double places[] = {1.1, 2.25, 3.25, 8.9};
    const uint32_t *const id = column(&between.foam, "id", 0);
    const float *const x = column(&between.foam, "position", 0), *const age = column(&between.foam,
                                                                                     "age", 0);
    CHECK_NEAR(between.foam.count >= 4 && between.foam.count <= 5, 1, 0, "those that are there");
    for (int i = 0; i < 4; ++i) {
        CHECK_NEAR(id[i], ids[i], 0, "id");
        CHECK_NEAR(x[i], places[i], 1e-6, "place");
        CHECK_NEAR(age[i], 0.15 - 0.03 * ids[i], 1e-6, "age");
    }
    ond_frame_free(&a), ond_frame_free(&b), ond_frame_free(&between);
}

// What a checkpoint file keeps is what was there, to the last bit.
static void test_checkpoint(void **state)
{
    (void)state;
    OndError err = {0};
    OndCheckpoint kept, read;
    char path[256], note[256] = "";
    Stage *s = stage_open(JET("cg", "foam: {amount: 4}\n"));
    stage_run(s, 0.3);
    assert_true(foam_of(s)->count > 50);
    ond_sim_checkpoint(s->sim, &kept);
    in_folder("checkpoint.h5", path);
    if (ond_checkpoint_write(path, &kept, &err) != OND_OK) fail_msg("%s", err.text);
    if (ond_checkpoint_read(path, &read, note, sizeof note, &err) != OND_OK)
        fail_msg("%s", err.text);
    check_same(&read.foam, &kept.foam);
    CHECK_NEAR(ond_checkpoint_number(&read, "foam_next", -1),
               ond_checkpoint_number(&kept, "foam_next", -2), 0, "numbers");
    ond_checkpoint_free(&read);
    assert_int_equal(unlink(path), 0);
    stage_close(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_potentials), cmocka_unit_test(test_cylinder),
        cmocka_unit_test(test_ballistic),  cmocka_unit_test(test_bubble),
        cmocka_unit_test(test_kinds),      cmocka_unit_test(test_still),
        cmocka_unit_test(test_most),       cmocka_unit_test(test_refused),
        cmocka_unit_test(test_files),      cmocka_unit_test(test_between),
        cmocka_unit_test(test_checkpoint), cmocka_unit_test(test_view),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
