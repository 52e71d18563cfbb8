// SPDX-License-Identifier: MIT
// In-between frames: who is who, where they go, and that mass does not jump.
#include "surface/morph.h"

#include "base/parallel.h"
#include "surfaces.h"

// ---- helpers

#define STEP (1.0 / 24.0) // s between frames

// A frame with ids, at `time`.
static void open_frame(OndFrame *frame, double time, int room)
{
    frame_open(frame, 1.0, 3, room);
    ond_fields_add(&frame->particles, "id", "", OND_U32, 1, OND_FIELD_FRAME);
    frame->time = time;
}

static float *values(const OndFrame *frame, const char *name, int component)
{
    const OndField *field = ond_fields_find(&frame->particles, name);
    if (!field) fail_msg("no field %s", name);
    return field->data[component];
}

static void add_moving(OndFrame *frame, uint32_t id, const double at[3], const double speed[3])
{
    const int i = frame->particles.count;
    frame_add(frame, at[0], at[1], at[2]);
    for (int a = 0; a < 3; ++a)
        values(frame, "velocity", a)[i] = (float)speed[a];
    ((uint32_t *)ond_fields_find(&frame->particles, "id")->data[0])[i] = id;
}

static OndFrame between(const OndFrame *a, const OndFrame *b, double t)
{
    OndFrame out = {0};
    OndError err = {0};
    if (ond_morph_between(a, b, t, &out, &err) != OND_OK) fail_msg("%s", err.text);
    return out;
}

// A particle that flies: its place and velocity at a time.
static void fly(int k, double time, double at[3], double speed[3])
{
    static const double gravity[3] = {0.0, -9.81, 0.0};
    for (int a = 0; a < 3; ++a) {
        const double start = 2.0 * ((k >> (3 * a)) & 7);
        const double push = 20.0 * (ond_random((uint64_t)k, (uint64_t)a) - 0.5);
        at[a] = start + push * time + 0.5 * gravity[a] * time * time;
        speed[a] = push + gravity[a] * time;
    }
}

static OndFrame flying(double time, int count, bool reversed)
{
    OndFrame frame;
    open_frame(&frame, time, count);
    for (int n = 0; n < count; ++n) {
        const int k = reversed ? count - 1 - n : n;
        double at[3], speed[3];
        fly(k, time, at, speed);
        add_moving(&frame, (uint32_t)k, at, speed);
    }
    return frame;
}

static void drop_ids(OndFrame *frame)
{
    ond_fields_find(&frame->particles, "id")->name = "number";
}

// ---- matching

static void test_match(void **state)
{
    enum { COUNT = 512 };
    for (int ids = 0; ids <= 1; ++ids) {
        OndFrame a = flying(0.0, COUNT, false), b = flying(STEP, COUNT, true);
        if (!ids) drop_ids(&a), drop_ids(&b);
        uint32_t partner[COUNT];
        OndError err = {0};
        if (ond_morph_match(&a, &b, partner, &err) != OND_OK) fail_msg("%s", err.text);
        for (int i = 0; i < COUNT; ++i)
            CHECK_NEAR(partner[i], COUNT - 1 - i, 0, ids ? "by id" : "by place");
        ond_frame_free(&a), ond_frame_free(&b);
    }
}

static void test_match_odd_ids(void **state)
{
    static const uint32_t first[] = {5, 5, 9, 7, 0xffffffffu}, second[] = {9, 5, 8, 5, 5};
    static const uint32_t want[] = {1, 3, 0, OND_MORPH_NONE, OND_MORPH_NONE};
    const double at[3] = {0}, speed[3] = {0};
    OndFrame a, b;
    open_frame(&a, 0.0, 5), open_frame(&b, STEP, 5);
    for (int k = 0; k < 5; ++k)
        add_moving(&a, first[k], at, speed), add_moving(&b, second[k], at, speed);
    uint32_t partner[5];
    assert_int_equal(ond_morph_match(&a, &b, partner, NULL), OND_OK);
    for (int k = 0; k < 5; ++k)
        CHECK_NEAR(partner[k], want[k], 0, "equal ids pair up in order");
    ond_frame_free(&a), ond_frame_free(&b);
}

// ---- moving

// A cubic through places and velocities is exact for what falls freely.
static void test_flight(void **state)
{
    OndFrame a = flying(0.0, 512, false), b = flying(STEP, 512, true);
    for (int step = 0; step <= 4; ++step) {
        const double t = step / 4.0;
        OndFrame mid = between(&a, &b, t);
        assert_int_equal(mid.particles.count, 512);
        CHECK_NEAR(mid.time, t * STEP, 1e-12, "time");
        assert_null(ond_fields_find(&mid.particles, "spacing"));
        for (int k = 0; k < 512; ++k) {
            double at[3], speed[3];
            fly(k, t * STEP, at, speed);
            for (int c = 0; c < 3; ++c) {
                CHECK_NEAR(values(&mid, "position", c)[k], at[c], 2e-6, "place");
                CHECK_NEAR(values(&mid, "velocity", c)[k], speed[c], 1e-5, "velocity");
            }
        }
        ond_frame_free(&mid);
    }
    ond_frame_free(&a), ond_frame_free(&b);
}

static void test_fields(void **state)
{
    OndFrame a = flying(0.0, 4, false), b = flying(STEP, 4, false);
    for (int k = 0; k < 4; ++k) {
        values(&a, "temperature", 0)[k] = 10.0f, values(&b, "temperature", 0)[k] = 20.0f;
        ((uint32_t *)ond_fields_find(&a.particles, "material")->data[0])[k] = 1;
        ((uint32_t *)ond_fields_find(&b.particles, "material")->data[0])[k] = 2;
    }
    ond_fields_add(&a.particles, "only here", "", OND_F32, 1, OND_FIELD_FRAME);
    OndFrame mid = between(&a, &b, 0.25);
    CHECK_NEAR(values(&mid, "temperature", 0)[2], 12.5, 1e-5, "temperature");
    assert_int_equal(((uint32_t *)ond_fields_find(&mid.particles, "material")->data[0])[2], 1);
    assert_null(ond_fields_find(&mid.particles, "only here"));
    ond_frame_free(&mid), ond_frame_free(&a), ond_frame_free(&b);
}

// Down fast in one frame, at rest on the floor in the next: it does not go through the floor.
static void test_floor(void **state)
{
    const double high[3] = {5, 3, 5}, low[3] = {5, 0.5, 5}, fall[3] = {0, -400, 0}, rest[3] = {0};
    for (int walls = 0; walls <= 1; ++walls) {
        OndFrame a, b;
        open_frame(&a, 0.0, 1), open_frame(&b, STEP, 1);
        add_moving(&a, 1, high, fall), add_moving(&b, 1, low, rest);
        if (walls) a.domain = b.domain = (OndBox){{0, 0.25, 0}, {10, 10, 10}};
        for (int step = 0; step <= 20; ++step) {
            OndFrame mid = between(&a, &b, step / 20.0);
            const double y = values(&mid, "position", 1)[0];
            if (!(y >= (walls ? 0.25 : -0.5) && y <= 3.0)) fail_msg("at %g", y);
            ond_frame_free(&mid);
        }
        ond_frame_free(&a), ond_frame_free(&b);
    }
}

// ---- appearing and vanishing

static void test_fading(void **state)
{
    const double here[3] = {0}, there[3] = {8, 0, 0}, speed[3] = {24, 0, 0};
    OndFrame a, b;
    open_frame(&a, 0.0, 2), open_frame(&b, STEP, 2);
    add_moving(&a, 1, here, speed), add_moving(&b, 2, there, speed);
    double before = 2.0;
    for (int step = 0; step <= 10; ++step) {
        const double t = step / 10.0;
        OndFrame mid = between(&a, &b, t);
        assert_int_equal(mid.particles.count, step == 0 || step == 10 ? 1 : 2);
        if (step < 10) { // the one that goes, on its way and smaller each time
            const double size = step > 0 ? values(&mid, "spacing", 0)[0] : 1.0;
            CHECK_NEAR(values(&mid, "position", 0)[0], t, 1e-6, "moves on");
            if (!(size < before)) fail_msg("size %g after %g", size, before);
            before = size;
        }
        if (step > 0) { // the one that comes
            const int last = mid.particles.count - 1;
            const double size = step < 10 ? values(&mid, "spacing", 0)[last] : 1.0;
            CHECK_NEAR(values(&mid, "position", 0)[last], 8.0 - (1.0 - t), 1e-5, "comes");
            CHECK_NEAR(size * size * size, t * t * (3.0 - 2.0 * t), 1e-5, "grows");
        }
        ond_frame_free(&mid);
    }
    ond_frame_free(&a), ond_frame_free(&b);
}

// What an emitter pours comes in the order of its numbers, and as evenly as it was poured.
static void test_pouring(void **state)
{
    enum { OLD = 10, NEW = 200 };
    const double speed[3] = {24, 0, 0};
    OndFrame a, b;
    open_frame(&a, 0.0, OLD), open_frame(&b, STEP, OLD + NEW);
    for (int k = 0; k < OLD; ++k)
        add_moving(&a, (uint32_t)k, (const double[]){k, 0, 0}, speed);
    for (int k = OLD + NEW - 1; k >= 0; --k)
        add_moving(&b, (uint32_t)k, (const double[]){k + 1, 0, 0}, speed);
    double before = 0.0;
    for (int step = 1; step <= 9; ++step) {
        OndFrame mid = between(&a, &b, step / 10.0);
        const uint32_t *id = ond_fields_find(&mid.particles, "id")->data[0];
        double volume = 0.0, size[OLD + NEW] = {0};
        for (int i = 0; i < mid.particles.count; ++i) {
            size[id[i]] = values(&mid, "spacing", 0)[i];
            volume += size[id[i]] * size[id[i]] * size[id[i]];
        }
        for (int k = 1; k < OLD + NEW; ++k)
            if (size[k] > size[k - 1]) fail_msg("%d is larger than the one before it", k);
        CHECK_NEAR((volume - OLD) / NEW, step / 10.0, 0.05, "poured by then");
        if (!(volume > before)) fail_msg("%g after %g", volume, before);
        before = volume;
        ond_frame_free(&mid);
    }
    ond_frame_free(&a), ond_frame_free(&b);
}

// ---- mass does not jump

typedef struct Found {
    double before, middle, after; // volume where it was, where it must be, where it will be
} Found;

// `way` spacings between the two places of one particle on the x axis.
static Found find_volume(const OndSurface *s, double way)
{
    Found found = {0};
    for (int t = 0; t < s->mesh.triangle_count; ++t) {
        const uint32_t *c = s->mesh.triangle + 3 * (size_t)t;
        const OndVec a = mesh_corner(&s->mesh, c[0]), b = mesh_corner(&s->mesh, c[1]),
                     d = mesh_corner(&s->mesh, c[2]);
        const double x = (a.x + b.x + d.x) / 3.0, volume = ond_dot(a, ond_cross(b, d)) / 6.0;
        double *to = x < 0.25 * way ? &found.before : x > 0.75 * way ? &found.after : &found.middle;
        *to += volume;
    }
    return found;
}

typedef enum Way { FOLLOWED, MORPHED, MORPHED_WITH_GUIDES } Way;

static Found halfway(Way how, double way)
{
    const double from[3] = {0, 0.2, 0.1}, to[3] = {way, 0.2, 0.1}, speed[3] = {way / STEP, 0, 0};
    OndFrame a, b, mid = {0};
    open_frame(&a, 0.0, 1), open_frame(&b, STEP, 1);
    add_moving(&a, 1, from, speed), add_moving(&b, 1, to, speed);
    OndSurfaceDef def = ond_surface_default_def();
    def.field = "variational";
    def.cell = 0.2;
    OndSurface s = {0};
    OndError err = {0};
    OndStatus status = OND_OK;
    if (how == FOLLOWED) {
        mid = between(&a, &b, 0.5);
        status = ond_surface_make(&s, &mid, &def, NULL, &err);
    } else {
        status = ond_morph_surface(&s, &a, &b, 0.5, how == MORPHED ? 0 : 8, &def, &err);
    }
    if (status != OND_OK) fail_msg("%s", err.text);
    check_surface(&s, "halfway");
    const Found found = find_volume(&s, way);
    ond_surface_free(&s);
    ond_frame_free(&mid), ond_frame_free(&a), ond_frame_free(&b);
    return found;
}

// One fast particle, halfway: the source's morph has it in two places [F4.10], the default in one.
static void test_fast_particle(void **state)
{
    const Found followed = halfway(FOLLOWED, 6.0);
    CHECK_NEAR(followed.middle, 1.0, 0.12, "followed: where it must be");
    CHECK_NEAR(followed.before, 0.0, 0.0, "followed: where it was");
    CHECK_NEAR(followed.after, 0.0, 0.0, "followed: where it will be");

    const Found morphed = halfway(MORPHED, 6.0);
    CHECK_NEAR(morphed.middle, 0.0, 0.0, "the plain morph has nothing where it must be");
    CHECK_NEAR(morphed.before, 0.5, 0.15, "but half where it was");
    CHECK_NEAR(morphed.after, 0.5, 0.15, "and half where it will be");

    const Found guided = halfway(MORPHED_WITH_GUIDES, 6.0);
    CHECK_NEAR(guided.middle, 1.0, 0.15, "guided by velocities: where it must be");
    CHECK_NEAR(guided.before + guided.after, 0.0, 0.0, "guided by velocities: nowhere else");
}

// At its ends the morph is the frames' own surface.
static double ball(double x, double y, double z)
{
    return x * x + y * y + z * z - 9.0;
}

static void test_morph_ends(void **state)
{
    OndFrame a, b;
    open_frame(&a, 0.0, 400), open_frame(&b, STEP, 400);
    frame_fill(&a, ball, 5.0, 0.0), frame_fill(&b, ball, 5.0, 0.0);
    for (int i = 0; i < b.particles.count; ++i)
        values(&b, "position", 0)[i] *= 1.1f;
    OndSurfaceDef def = ond_surface_default_def();
    def.field = "variational";
    const OndFrame *const frame[] = {&a, &b};
    for (int f = 0; f < 2; ++f) {
        OndSurface own = surface_of(frame[f], &def), morph = {0};
        OndError err = {0};
        if (ond_morph_surface(&morph, &a, &b, f, 0, &def, &err) != OND_OK) fail_msg("%s", err.text);
        assert_int_equal(check_surface(&morph, "morph"), 2);
        CHECK_NEAR(mesh_volume(&morph.mesh) / mesh_volume(&own.mesh), 1.0, 0.05,
                   "volume at an end");
        ond_surface_free(&own), ond_surface_free(&morph);
    }
    ond_frame_free(&a), ond_frame_free(&b);
}

// Guides stand close in time, and must not become one: with 64 of them nothing was left.
static void test_many_guides(void **state)
{
    static const int guides[] = {5, 6, 20, 64};
    OndFrame a, b;
    const double from[3] = {0, 0.2, 0.1}, to[3] = {6, 0.2, 0.1}, speed[3] = {6 / STEP, 0, 0};
    open_frame(&a, 0.0, 1), open_frame(&b, STEP, 1);
    add_moving(&a, 1, from, speed), add_moving(&b, 1, to, speed);
    OndSurfaceDef def = ond_surface_default_def();
    def.cell = 0.25;
    for (int g = 0; g < OND_COUNT(guides); ++g) {
        OndSurface s = {0};
        OndError err = {0};
        if (ond_morph_surface(&s, &a, &b, 0.4, guides[g], &def, &err) != OND_OK)
            fail_msg("%s", err.text);
        CHECK_NEAR(check_surface(&s, "guided"), 2, 0, "one drop");
        CHECK_NEAR(mesh_volume(&s.mesh), 1.0, 0.2, "volume of the drop");
        ond_surface_free(&s);
    }
    ond_frame_free(&a), ond_frame_free(&b);
}

// A lone drop keeps its volume, in 2D and 3D: functions of space and time fall off otherwise.
static void test_morph_of_a_drop(void **state)
{
    for (int dimension = 2; dimension <= 3; ++dimension)
        for (double t = 0.0; t <= 1.0; t += 0.25) {
            OndFrame a, b;
            OndSurface s = {0};
            OndError err = {0};
            frame_open(&a, 1.0, dimension, 1), frame_open(&b, 1.0, dimension, 1);
            frame_add(&a, 0.1, 0.2, 0.0), frame_add(&b, 0.4, 0.2, 0.0);
            b.time = 1.0;
            OndSurfaceDef def = ond_surface_default_def();
            def.cell = 0.2;
            if (ond_morph_surface(&s, &a, &b, t, 4, &def, &err) != OND_OK) fail_msg("%s", err.text);
            CHECK_NEAR(check_surface(&s, "a drop"), 2, 0, "one drop");
            CHECK_NEAR(mesh_volume(&s.mesh), 1.0, 0.08, "volume of a drop in the morph");
            ond_surface_free(&s);
            ond_frame_free(&a), ond_frame_free(&b);
        }
}

// A pool between walls, in 2D and 3D: the morph fills it to its walls, as the frames' surfaces do.
static void test_morph_has_walls(void **state)
{
    for (int dimension = 2; dimension <= 3; ++dimension) {
        OndFrame pool;
        frame_open(&pool, 1.0, dimension, 1000);
        pool.domain = (OndBox){{0, 0, 0}, {7, 20, 6}};
        for (int k = 0; k < (dimension == 2 ? 1 : 6); ++k)
            for (int j = 0; j < 4; ++j)
                for (int i = 0; i < 7; ++i)
                    frame_add(&pool, i + 0.5, j + 0.5, dimension == 2 ? 0.0 : k + 0.5);
        OndSurfaceDef def = ond_surface_default_def();
        def.field = "variational";
        OndSurface own = surface_of(&pool, &def);
        for (int g = 0; g <= 5; g += 5) {
            OndSurface s = {0};
            OndError err = {0};
            if (ond_morph_surface(&s, &pool, &pool, 0.5, g, &def, &err) != OND_OK)
                fail_msg("%s", err.text);
            check_surface(&s, "pool");
            CHECK_NEAR(mesh_volume(&s.mesh) / mesh_volume(&own.mesh), 1.0, 0.01, "volume");
            double low = 1.0, high = 0.0;
            for (int c = 0; c < s.mesh.corner_count; ++c) {
                low = fmin(low, s.mesh.corner[3 * c]);
                high = fmax(high, s.mesh.corner[3 * c]);
            }
            CHECK_NEAR(low, 0.0, 1e-6, "left wall");
            CHECK_NEAR(high, 7.0, 1e-6, "right wall");
            ond_surface_free(&s);
        }
        ond_surface_free(&own);
        ond_frame_free(&pool);
    }
}

// ---- bad input

static void test_bad_input(void **state)
{
    static const struct {
        double t;
        int dimension;
        bool no_positions, no_ids;
        double spacing;
        const char *says;
    } cases[] = {
        {NAN, 3, false, false, 1, "at nan; accepted: 0 to 1"},
        {-0.1, 3, false, false, 1, "at -0.1; accepted"},
        {0.5, 2, false, false, 1, "one is 3D, one 2D"},
        {0.5, 3, true, false, 1, "has no positions"},
        {0.5, 3, false, true, 0, "no `id`, and their spacing is not known"},
    };
    for (int c = 0; c < OND_COUNT(cases); ++c) {
        OndFrame a = flying(0.0, 3, false), b = flying(STEP, 3, false), out = {0};
        OndError err = {0};
        b.dimension = cases[c].dimension;
        a.spacing = b.spacing = cases[c].spacing;
        if (cases[c].no_positions) ond_fields_find(&b.particles, "position")->name = "place";
        if (cases[c].no_ids) drop_ids(&a), drop_ids(&b);
        assert_int_equal(ond_morph_between(&a, &b, cases[c].t, &out, &err), OND_BAD_VALUE);
        CHECK_SAYS(err.text, cases[c].says, "bad input");
        assert_int_equal(out.particles.count, 0);
        ond_frame_free(&a), ond_frame_free(&b);
    }
}

// Frames with all the fields that there can be: no room for sizes, which is said.
static void test_no_room_for_sizes(void **state)
{
    OndFrame a = flying(0.0, 3, false), b = flying(STEP, 2, false), out = {0};
    OndFrame *const both[] = {&a, &b};
    static char name[2][OND_FIELDS_MAX][24];
    for (int f = 0; f < 2; ++f)
        for (int k = both[f]->particles.field_count; k < OND_FIELDS_MAX; ++k) {
            snprintf(name[f][k], sizeof name[f][k], "extra %d", k);
            ond_fields_add(&both[f]->particles, name[f][k], "", OND_F32, 1, OND_FIELD_FRAME);
        }
    OndError err = {0};
    assert_int_equal(ond_morph_between(&a, &b, 0.5, &out, &err), OND_BAD_VALUE);
    CHECK_SAYS(err.text, "48 fields in common", "no room");
    ond_frame_free(&a), ond_frame_free(&b);
}

static void test_not_finite(void **state)
{
    for (int ids = 0; ids <= 1; ++ids) {
        OndFrame a = flying(0.0, 20, false), b = flying(STEP, 20, false);
        values(&a, "position", 0)[3] = NAN;
        values(&b, "position", 1)[4] = INFINITY;
        values(&a, "velocity", 2)[5] = NAN;
        if (!ids) drop_ids(&a), drop_ids(&b);
        OndFrame mid = between(&a, &b, 0.6);
        assert_true(isfinite(values(&mid, "position", 2)[5]));
        if (ids) assert_true(isfinite(values(&mid, "position", 0)[3]));
        ond_frame_free(&mid), ond_frame_free(&a), ond_frame_free(&b);
    }
}

static void test_empty(void **state)
{
    OndFrame none, some = flying(STEP, 5, false);
    open_frame(&none, 0.0, 1);
    OndFrame mid = between(&none, &some, 0.5); // poured: by their numbers
    assert_int_equal(mid.particles.count, 3);
    CHECK_NEAR(values(&mid, "spacing", 0)[2], cbrt(0.5), 1e-6, "half grown");
    ond_frame_free(&mid);
    drop_ids(&none), drop_ids(&some);
    mid = between(&none, &some, 0.5); // few: all at once
    assert_int_equal(mid.particles.count, 5);
    CHECK_NEAR(values(&mid, "spacing", 0)[0], cbrt(0.5), 1e-6, "half grown");
    ond_frame_free(&mid);
    mid = between(&none, &none, 0.5);
    assert_int_equal(mid.particles.count, 0);
    ond_frame_free(&mid), ond_frame_free(&none), ond_frame_free(&some);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_match),           cmocka_unit_test(test_match_odd_ids),
        cmocka_unit_test(test_flight),          cmocka_unit_test(test_fields),
        cmocka_unit_test(test_floor),           cmocka_unit_test(test_fading),
        cmocka_unit_test(test_fast_particle),   cmocka_unit_test(test_morph_ends),
        cmocka_unit_test(test_many_guides),     cmocka_unit_test(test_morph_of_a_drop),
        cmocka_unit_test(test_morph_has_walls), cmocka_unit_test(test_bad_input),
        cmocka_unit_test(test_not_finite),      cmocka_unit_test(test_no_room_for_sizes),
        cmocka_unit_test(test_pouring),         cmocka_unit_test(test_empty),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
