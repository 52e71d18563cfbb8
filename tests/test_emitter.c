// SPDX-License-Identifier: MIT
// Emitters: what comes out is rate times time, as a lattice at rest, between the two times only.
#include "base/parallel.h"
#include "sim/emitter.h"
#include "stage.h"

static const struct Tap {
    const char *name;
    int dimension;
    const char *keys; // of the emitter
    double rate, from, to;
    double speed; // m/s, from the mouth's lattice
    int layer;    // particles in one
} taps[] = {
    {"disc", 3, "radius: 0.1, direction: [0, -1, 0]", 0.02, 0, 1e9, 0.02 / (12 * 0.0025), 12},
    {"slanted disc", 3, "radius: 0.1, direction: [1, -2, 0.5]", 0.02, 0, 1e9, 0.02 / (12 * 0.0025),
     12},
    {"rectangle", 3, "shape: rectangle, width: 0.2, height: 0.1, direction: [1, 0, 0]", 0.02, 0,
     1e9, 1, 8},
    {"slit", 2, "shape: rectangle, width: 0.2, direction: [1, 0]", 0.3, 0, 1e9, 1.5, 4},
    {"disc in 2D", 2, "radius: 0.1, direction: [-1, -1]", 0.3, 0, 1e9, 1.5, 4},
    {"from", 3, "radius: 0.1", 0.02, 0.21, 1e9, 0.02 / (12 * 0.0025), 12},
    {"to", 2, "radius: 0.1", 0.3, 0, 0.2, 1.5, 4},
    {"from and to", 2, "shape: rectangle, width: 0.2", 0.3, 0.13, 0.37, 1.5, 4},
    {"single file", 3, "radius: 0.03", 0.00125, 0, 1e9, 0.5, 1},
    {"many layers a step", 2, "shape: rectangle, width: 0.05", 20, 0, 1e9, 400, 1},
};

#define SPACING 0.05

static Stage *open_tap(const struct Tap *t)
{
    char yaml[1024], to[32] = "";
    if (t->to < 1e8) snprintf(to, sizeof to, ", to: %g", t->to);
    snprintf(yaml, sizeof yaml,
             "dimension: %d\nduration: 0.6\nframe_rate: 20\ngravity: [0, 0, 0]\n"
             "method: {type: sph, sound_speed: 30}\n"
             "fluid: [{name: other, spacing: %g}, {name: water, spacing: %g, temperature: 66}]\n"
             "emitter: [{fluid: water, center: [1, 2, 0], %s, rate: %g, from: %g%s}]\n",
             t->dimension, SPACING, SPACING, t->keys, t->rate, t->from, to);
    return stage_open(yaml);
}

// ---- in a simulation

static void test_poured_volume(void **state)
{
    for (int c = 0; c < OND_COUNT(taps); ++c) {
        const struct Tap *t = &taps[c];
        const double each = pow(SPACING, t->dimension), layer = t->layer * each;
        Stage *s = open_tap(t);
        double most = 0;
        if (t->speed > 100) { // would need very short steps; see test_layers
            stage_close(s);
            continue;
        }
        while (!ond_sim_done(s->sim)) {
            const double open = fmax(0, fmin(ond_sim_time(s->sim), t->to) - t->from); // at the pour
            const bool before = ond_sim_time(s->sim) < t->from;
            stage_step(s);
            const double want = t->rate * open, got = s->count * each;
            most = fmax(most, fabs(got - want) / layer);
            CHECK_NEAR(got, before ? 0 : want, before ? 0 : layer * (1 + 1e-9), t->name);
        }
        print_message("%s: %d particles, volume within %.2f layers\n", t->name, s->count, most);
        assert_true(s->count > 0 && s->count % t->layer == 0);
        const uint32_t *material = ond_fields_find(&s->frame.particles, "material")->data[0];
        const float *temperature = ond_fields_find(&s->frame.particles, "temperature")->data[0];
        for (int i = 0; i < s->count; ++i) {
            assert_int_equal(material[i], 1);
            CHECK_NEAR(temperature[i], 66, 1e-5, t->name);
        }
        stage_close(s);
    }
}

// What is promised to the memory is what comes.
static void test_forecast(void **state)
{
    for (int c = 0; c < OND_COUNT(taps); ++c) {
        Stage *s = open_tap(&taps[c]);
        OndEmitter e = ond_emitter_make(&s->scene, ond_scene_emitter(&s->scene, 0));
        const double end = fmin(0.6, taps[c].to) - taps[c].from;
        CHECK_NEAR(e.layer_count, taps[c].layer, 0, taps[c].name);
        CHECK_NEAR(e.speed, taps[c].speed, 1e-9 * taps[c].speed, taps[c].name);
        CHECK_NEAR(ond_emitter_layers(&e, 0.6), floor(end * e.speed / SPACING + 1e-9) + 1, 0,
                   taps[c].name);
        CHECK_NEAR(ond_emitter_layers(&e, taps[c].from - 1e-9), 0, 0, "none before its time");
        stage_close(s);
    }
}

// ---- layer by layer

static OndFields empty_fields(void)
{
    OndFields f = {0};
    OndError err = {0};
    assert_true(ond_fields_add(&f, "position", "m", OND_F32, 3, 0) >= 0);
    assert_true(ond_fields_add(&f, "velocity", "m/s", OND_F32, 3, 0) >= 0);
    assert_true(ond_fields_add(&f, "temperature", "C", OND_F32, 1, 0) >= 0);
    assert_true(ond_fields_add(&f, "material", "", OND_U32, 1, 0) >= 0);
    assert_int_equal(ond_fields_reserve(&f, 4, &err), OND_OK); // so that it has to grow
    return f;
}

static OndVec vec_at(const OndFields *f, const char *name, int i)
{
    void *const *data = ond_fields_find(f, name)->data;
    return ond_vec(((float *)data[0])[i], ((float *)data[1])[i], ((float *)data[2])[i]);
}

// Poured at uneven times, and moved on meanwhile as free flight would: a lattice without gaps.
static void test_layers(void **state)
{
    for (int c = 0; c < OND_COUNT(taps); ++c) {
        const struct Tap *t = &taps[c];
        Stage *s = open_tap(t);
        OndEmitter e = ond_emitter_make(&s->scene, ond_scene_emitter(&s->scene, 0));
        const OndVec way = e.def->direction;
        OndFields f = empty_fields();
        OndError err = {0};
        double last = 0;
        for (int k = 0; k < 40; ++k) {
            const double now = fmin(0.6, last + 0.001 * (1 + 37 * k % 23)), dt = now - last;
            for (int i = 0; i < f.count; ++i)
                for (int a = 0; a < 3; ++a)
                    ((float *)f.field[0].data[a])[i] += (float)(dt * e.speed * ond_axis(way, a));
            assert_int_equal(ond_emitter_pour(&e, now, NULL, &f, &err), OND_OK);
            last = now;
        }
        assert_int_equal(f.count, (int)e.poured * t->layer);
        for (int i = 0; i < f.count; ++i) {
            const OndVec v = vec_at(&f, "velocity", i), x = vec_at(&f, "position", i);
            CHECK_NEAR(ond_dot(v, way), t->speed, 1e-5 * t->speed, t->name);
            CHECK_NEAR(ond_dot(v, v), t->speed * t->speed, 1e-4 * t->speed * t->speed, t->name);
            // the middle of its layer: this far from the mouth
            const double gone = ond_dot(ond_sub(x, e.def->center), way);
            const double want = e.speed * (last - t->from) - i / t->layer * SPACING;
            CHECK_NEAR(gone, want, 1e-3 * SPACING + 1e-6 * e.speed, t->name);
            const OndVec aside = ond_sub(ond_sub(x, e.def->center), ond_scale(way, gone));
            assert_true(sqrt(ond_dot(aside, aside)) <= 0.5 * sqrt(0.2 * 0.2 + 0.1 * 0.1) + 1e-4);
        }
        ond_fields_free(&f);
        stage_close(s);
    }
}

// No particle stands straight behind one of the layer before: columns would come out as pillars.
static void test_layers_differ(void **state)
{
    static const char *const mouths[] = {
        "radius: 0.1", "radius: 0.13", "radius: 0.03",
        "shape: rectangle, width: 0.2, height: 0.1, direction: [0, -1, 0]"};
    for (int c = 0; c < OND_COUNT(mouths); ++c) {
        const struct Tap tap = {"layers", 3, mouths[c], 0.02, 0, 1e9, 0, 0};
        Stage *s = open_tap(&tap);
        OndEmitter e = ond_emitter_make(&s->scene, ond_scene_emitter(&s->scene, 0));
        OndFields f = empty_fields();
        assert_int_equal(ond_emitter_pour(&e, 0.5, NULL, &f, NULL), OND_OK);
        const int layer = e.layer_count;
        double nearest = 1;
        for (int i = layer; i < f.count; ++i)
            for (int j = i / layer * layer - layer; j < i / layer * layer; ++j) {
                const OndVec a = vec_at(&f, "position", i), b = vec_at(&f, "position", j);
                nearest = fmin(nearest, hypot(a.x - b.x, a.z - b.z) / SPACING);
            }
        print_message("%s: %d particles, never nearer aside than %.2f spacings\n", mouths[c],
                      f.count, nearest);
        if (nearest < 0.01) fail_msg("%s: one stands behind another", mouths[c]);
        ond_fields_free(&f);
        stage_close(s);
    }
}

// However wide the mouth, each layer has somebody in it, and shifted layers stay inside.
static void test_mouths_of_any_width(void **state)
{
    for (int c = 0; c < 3 * 60; ++c) {
        const double wide = SPACING * (1 + (c / 3) * 0.07);
        char keys[120];
        if (c % 3 == 2)
            snprintf(keys, sizeof keys, "shape: rectangle, width: %.9g, height: %.9g", wide,
                     wide * (1 + c % 7 * 0.3) - 0.6 * SPACING);
        else
            snprintf(keys, sizeof keys, "radius: %.9g", 0.5 * wide);
        const struct Tap tap = {"any width", c % 3 ? 3 : 2, keys, 0.02, 0, 1e9, 0, 0};
        Stage *s = open_tap(&tap);
        OndEmitter e = ond_emitter_make(&s->scene, ond_scene_emitter(&s->scene, 0));
        OndFields f = empty_fields();
        assert_int_equal(ond_emitter_pour(&e, 20 * SPACING / e.speed, NULL, &f, NULL), OND_OK);
        if (e.layer_count < 1 || f.count != e.layer_count * (int)e.poured || e.poured < 20)
            fail_msg("%s: %d in %g layers of %d", keys, f.count, e.poured, e.layer_count);
        for (int i = 0; i < f.count; ++i) {
            const OndVec from = ond_sub(vec_at(&f, "position", i), e.def->center);
            const double a = ond_dot(from, e.across), u = ond_dot(from, e.up);
            if (!ond_emitter_in_mouth(&e, a * (1 - 1e-5), u * (1 - 1e-5)))
                fail_msg("%s: %d is outside the mouth, at %g, %g", keys, i, a, u);
        }
        ond_fields_free(&f);
        stage_close(s);
    }
}

// ---- solids in the way

#define TAP_DOMAIN "domain: {min: [-1, 0, -1], max: [1, 2, 1]}\nfluid: [{name: w, spacing: 0.05}]\n"

static const struct Cover {
    const char *name, *scene;
    OndBox solid; // at the start; what it may not hold, less a hundredth of a spacing
    double speed; // of it, along x
    int least, most;
    const char *note;
} covers[] = {
    // a lattice of 12 x 12: 132 of 312 particles came to be in the box
    {"half a mouth in a box",
     "duration: 0.4\nframe_rate: 50\n" TAP_DOMAIN
     "emitter: [{fluid: w, center: [0, 1, 0], radius: 0.2, rate: 0.1}]\n"
     "solid: [{name: b, shape: {type: box, min: [-0.9, 0.4, -0.6], max: [-0.02, 1.6, 0.6]}}]\n",
     {{-0.9, 0.4, -0.6}, {-0.02, 1.6, 0.6}},
     0,
     120,
     200,
     "in the mouth of emitter 1 (of fluid 'w')"},
    {"a plank that comes by",
     "duration: 0.6\nframe_rate: 50\n" TAP_DOMAIN
     "emitter: [{fluid: w, center: [0, 1, 0], radius: 0.12, rate: 0.05}]\n"
     "solid: [{name: plank, shape: {type: box, min: [-0.9, 0.9, -0.2], max: [-0.5, 1.1, 0.2]}, "
     "move: [\"1.4*t\", 0, 0]}]\n",
     {{-0.9, 0.9, -0.2}, {-0.5, 1.1, 0.2}},
     1.4,
     100,
     200,
     NULL},
    {"a lid that is drawn away",
     "duration: 0.4\nframe_rate: 50\n" TAP_DOMAIN
     "emitter: [{fluid: w, center: [0, 1, 0], radius: 0.12, rate: 0.05}]\n"
     "solid: [{name: lid, shape: {type: box, min: [-0.2, 0.9, -0.2], max: [0.2, 1.1, 0.2]}, move: "
     "[\"1.4*t\", 0, 0]}]\n",
     {{-0.2, 0.9, -0.2}, {0.2, 1.1, 0.2}},
     1.4,
     20,
     100,
     "16 of 16 places"},
    {"grains beside a wall",
     "duration: 0.3\nframe_rate: 50\nmethod: {type: dem}\n" TAP_DOMAIN
     "emitter: [{fluid: w, center: [0, 1, 0], radius: 0.2, rate: 0.1}]\n"
     "solid: [{name: b, shape: {type: box, min: [-0.9, 0.4, -0.6], max: [-0.02, 1.6, 0.6]}}]\n",
     {{-0.9, 0.4, -0.6}, {0, 1.6, 0.6}},
     0,
     60,
     160,
     "in the mouth of emitter 1"},
    {"a tap in a wall",
     "duration: 0.3\nframe_rate: 50\ngravity: [0, 0, 0]\n" TAP_DOMAIN
     "emitter: [{fluid: w, center: [-0.3, 1, 0], direction: [1, 0, 0], radius: 0.12, rate: 0.05}]\n"
     "solid: [{name: b, shape: {type: box, min: [-0.9, 0.4, -0.6], max: [-0.3, 1.6, 0.6]}}]\n",
     {{-0.9, 0.4, -0.6}, {-0.3, 1.6, 0.6}},
     0,
     120,
     132,
     NULL},
};

static int inside_of(const Stage *s, const struct Cover *c)
{
    const double shift = c->speed * ond_sim_time(s->sim), margin = 0.01 * SPACING;
    int inside = 0;
    for (int i = 0; i < s->count; ++i) {
        const double x = s->x[0][i] - shift, y = s->x[1][i], z = s->x[2][i];
        inside += x > c->solid.min.x + margin && x < c->solid.max.x - margin &&
                  y > c->solid.min.y + margin && y < c->solid.max.y - margin &&
                  z > c->solid.min.z + margin && z < c->solid.max.z - margin;
    }
    return inside;
}

static void check_note(const Stage *s, const struct Cover *c)
{
    const char *note = ond_sim_note(s->sim, 0);
    if (!c->note && note) fail_msg("%s: %s", c->name, note);
    if (c->note && (!note || !strstr(note, c->note)))
        fail_msg("%s: the note is: %s", c->name, note ? note : "none");
}

// Nobody is poured into a solid, wherever it is at the time; the rest of the mouth goes on.
static void test_covered(void **state)
{
    (void)state;
    for (int c = 0; c < OND_COUNT(covers); ++c) {
        Stage *s = stage_open(covers[c].scene);
        check_note(s, &covers[c]);
        while (!ond_sim_done(s->sim)) {
            stage_step(s);
            const int inside = inside_of(s, &covers[c]);
            if (inside > 0)
                fail_msg("%s: t = %g: %d of %d particles are inside", covers[c].name,
                         ond_sim_time(s->sim), inside, s->count);
        }
        print_message("%s: %d particles\n", covers[c].name, s->count);
        if (s->count < covers[c].least || s->count > covers[c].most)
            fail_msg("%s: %d particles, not %d to %d", covers[c].name, s->count, covers[c].least,
                     covers[c].most);
        stage_close(s);
    }
}

// Stopped while the plank is over the mouth: goes on as if it had not been.
static void test_covered_resumed(void **state)
{
    (void)state;
    Stage *s = stage_open(covers[1].scene);
    OndCheckpoint from;
    OndError err = {0};
    stage_run(s, 0.34);
    ond_sim_checkpoint(s->sim, &from);
    Stage again = {.sim = ond_sim_remake(&s->scene, NULL, &from, &err)};
    if (!again.sim) fail_msg("%s", err.text);
    while (!ond_sim_done(s->sim))
        stage_step(s), stage_step(&again);
    assert_int_equal(s->count, again.count);
    for (int a = 0; a < 3; ++a)
        assert_memory_equal(s->x[a], again.x[a], (size_t)s->count * sizeof(float));
    ond_sim_destroy(again.sim);
    stage_close(s);
}

#define FULL_BOX                                                                                   \
    "duration: 1.5\ndomain: {min: [0, 0, 0], max: [0.3, 0.3, 0.3]}\n"                              \
    "fluid: [{name: w, spacing: 0.05, shape: {type: box, min: [0, 0, 0], max: [0.3, %s, 0.3]}}]\n" \
    "emitter: [{fluid: w, center: [0.15, 0.15, 0.15], direction: [0, 1, 0], radius: 0.06, rate: "  \
    "0.01}]\n"

// Into a full closed box nothing more comes, where it was squeezed to 1.7 times its density; into a
// half full one it comes until that is full.
static void test_full_box(void **state)
{
    (void)state;
    static const struct {
        const char *level;
        double least, most; // closes between these times
        int particles;      // of the box, and no more than this share above
        double above;
    } cases[] = {{"0.3", 0.02, 0.4, 216, 0.16}, {"0.2", 0.8, 1.3, 216, 0.16}};
    for (int c = 0; c < OND_COUNT(cases); ++c) {
        char yaml[512];
        snprintf(yaml, sizeof yaml, FULL_BOX, cases[c].level);
        Stage *s = stage_open(yaml);
        while (!ond_sim_done(s->sim))
            stage_step(s);
        const OndEmitter *const e = ond_sim_emitter(s->sim, 0);
        double mean = 0;
        for (int i = 0; i < s->count; ++i)
            mean += s->density[i] / (1000.0 * s->count);
        print_message("full to %s m: closed at %.3g s, %d particles, density %.3f\n",
                      cases[c].level, e->shut_first, s->count, mean);
        CHECK_NEAR(e->shut_first >= cases[c].least && e->shut_first <= cases[c].most, 1, 0,
                   "when it closed");
        CHECK_NEAR(e->shut, 1, 0, "still closed");
        CHECK_NEAR(e->shut_s, 1.5 - e->shut_first, 1e-9, "for how long");
        CHECK_NEAR(mean, 1.05, 0.1, "density, where rest is 1");
        assert_true(s->count <= (1 + cases[c].above) * cases[c].particles);
        stage_close(s);
    }
}

// Soft liquid is squeezed by its own weight, by g H / c^2, which is 18 and 12 % at the floor
// here, and by more while it swings. There is room above, and the emitter stays open.
static void test_deep_and_soft(void **state)
{
    (void)state;
    static const char *const methods[] = {"preset: thesis, sound_speed: 10", "sound_speed: 12"};
    for (int c = 0; c < OND_COUNT(methods); ++c) {
        char yaml[512];
        snprintf(yaml, sizeof yaml,
                 "dimension: 2\nduration: 1\ndomain: {min: [0, 0], max: [1, 4]}\nmethod: {%s}\n"
                 "fluid: [{name: a, spacing: 0.04, shape: {type: box, min: [0, 0], max: [1, 1.8]}}]"
                 "\nemitter: [{fluid: a, shape: rectangle, width: 0.2, height: 0.1, center: [0.1, "
                 "0.3], direction: [1, 0], rate: 0.1}]\n",
                 methods[c]);
        Stage *s = stage_open(yaml);
        const int before = s->count;
        while (!ond_sim_done(s->sim))
            stage_step(s);
        const OndEmitter *const e = ond_sim_emitter(s->sim, 0);
        print_message("%s: squeezed to %.3f, %d poured\n", methods[c], e->squeeze,
                      s->count - before);
        CHECK_NEAR(e->shut_first < 0.0, 1, 0, methods[c]);
        CHECK_NEAR(s->count - before, 0.1 / (0.04 * 0.04), 5, "particles of 0.1 m^2");
        stage_close(s);
    }
}

// A checkpoint knows that it is closed.
static void test_full_box_resumed(void **state)
{
    (void)state;
    char yaml[512];
    OndCheckpoint from;
    OndError err = {0};
    snprintf(yaml, sizeof yaml, FULL_BOX, "0.3");
    Stage *s = stage_open(yaml);
    stage_run(s, 0.5);
    assert_true(ond_sim_emitter(s->sim, 0)->shut);
    ond_sim_checkpoint(s->sim, &from);
    Stage again = {.sim = ond_sim_remake(&s->scene, NULL, &from, &err)};
    if (!again.sim) fail_msg("%s", err.text);
    while (!ond_sim_done(s->sim))
        stage_step(s), stage_step(&again);
    assert_int_equal(s->count, again.count);
    for (int a = 0; a < 3; ++a)
        assert_memory_equal(s->x[a], again.x[a], (size_t)s->count * sizeof(float));
    const OndEmitter *const e = ond_sim_emitter(s->sim, 0), *const f =
                                                                ond_sim_emitter(again.sim, 0);
    CHECK_NEAR(f->shut_s, e->shut_s, 0, "time closed");
    CHECK_NEAR(f->shut_first, e->shut_first, 0, "time when it closed");
    ond_sim_destroy(again.sim);
    stage_close(s);
}

// Room that comes back opens it; what was due meanwhile is lost, not made up for.
static void test_opens_again(void **state)
{
    (void)state;
    static const struct {
        double density;
        bool shut;
    } course[] = {{1000, 0}, {1090, 0}, {1300, 1}, {1060, 1}, {1020, 0}, {1000, 0}};
    Stage *s = open_tap(&taps[0]);
    OndEmitter e = ond_emitter_make(&s->scene, ond_scene_emitter(&s->scene, 0));
    OndFields f = empty_fields();
    OndError err = {0};
    ond_fields_add(&f, "density", "kg/m^3", OND_F32, 1, OND_FIELD_FRAME);
    double time = 0;
    int before = 0;
    for (int c = 0; c < OND_COUNT(course); ++c)
        for (int k = 0; k < 400; ++k, time += 0.005) {
            const bool shut = e.shut;
            assert_int_equal(ond_emitter_pour(&e, time, NULL, &f, &err), OND_OK);
            if (shut && f.count != before) fail_msg("t = %g s: poured while closed", time);
            if (f.count - before > 2 * taps[0].layer) fail_msg("t = %g s: made up for", time);
            before = f.count;
            for (int i = 0; i < f.count; ++i)
                ((float *)ond_fields_find(&f, "density")->data[0])[i] = (float)course[c].density;
            ond_emitter_watch(&e, &s->scene, time, 0.005, &f);
            if (k == 399) CHECK_NEAR(e.shut, course[c].shut, 0, "after two seconds");
        }
    assert_true(before > 4 * taps[0].layer);
    ond_fields_free(&f);
    stage_close(s);
}

int main(void)
{
    ond_threads_set(1); // too small for more
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_poured_volume),
        cmocka_unit_test(test_forecast),
        cmocka_unit_test(test_layers),
        cmocka_unit_test(test_layers_differ),
        cmocka_unit_test(test_mouths_of_any_width),
        cmocka_unit_test(test_covered),
        cmocka_unit_test(test_covered_resumed),
        cmocka_unit_test(test_full_box),
        cmocka_unit_test(test_deep_and_soft),
        cmocka_unit_test(test_full_box_resumed),
        cmocka_unit_test(test_opens_again),
    };
    return cmocka_run_group_tests_name("emitter", tests, NULL, NULL);
}
