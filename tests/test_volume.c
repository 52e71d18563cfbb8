// SPDX-License-Identifier: MIT
// Smoke in pictures: it takes light away as Beer says, throws shadows and catches them, glows where
// it is hot, has the same bits for any number of threads, and nothing in a frame breaks it.
// ctest: isa
#include "frame_solids.h"

#include "base/hash.h"
#include "base/memory.h"
#include "base/parallel.h"
#include "geom/mesh.h"
#include "render/trace/trace_smoke_grid.h"

enum { NX = 24, NY = 30, NZ = 20 };
static const double edge = 0.05; // of a cell, m

typedef double Field(double x, double y, double z); // in m

static double everywhere(double x, double y, double z)
{
    return 0.7;
}

static double nowhere(double x, double y, double z)
{
    return 0.0;
}

// Two puffs with smooth rims, and empty air between them.
static double puffs(double x, double y, double z)
{
    const double a = hypot(hypot(x - 0.4, y - 0.5), z - 0.5),
                 b = hypot(hypot(x - 0.9, y - 1.3), z - 0.5);
    return fmax(0.0, 1.0 - a / 0.3) + fmax(0.0, 1.0 - b / 0.2);
}

static double middle_hot(double x, double y, double z)
{
    return hypot(hypot(x - 0.6, y - 0.75), z - 0.5) < 0.3 ? 1300.0 : 20.0;
}

static void set_field(OndFrame *f, const char *name, const char *unit, Field *value)
{
    const int at = ond_fields_add(&f->cells, name, unit, OND_F32, 1, OND_FIELD_FRAME);
    assert_true(at >= 0);
    float *const data = f->cells.field[at].data[0];
    for (int k = 0; k < f->grid.n[2]; ++k)
        for (int j = 0; j < f->grid.n[1]; ++j)
            for (int i = 0; i < f->grid.n[0]; ++i)
                data[ond_grid_at(&f->grid, i, j, k)] = (float)value(
                    (i + 0.5) * f->grid.h, (j + 0.5) * f->grid.h, (k + 0.5) * f->grid.h);
}

static OndFrame make_frame(const int n[3], Field *density)
{
    OndFrame f = {.dimension = n[2] > 1 ? 3 : 2, .spacing = edge, .owned = true};
    assert_int_equal(ond_grid_set(&f.grid, n, edge, ond_vec(0, 0, 0), NULL, NULL), OND_OK);
    f.domain = (OndBox){{0, 0, 0}, {n[0] * edge, n[1] * edge, n[2] > 1 ? n[2] * edge : 0.0}};
    f.cells.count = f.cells.capacity = (int)f.grid.length;
    set_field(&f, "density", "", density);
    return f;
}

static OndFrame make_smoke(Field *density)
{
    return make_frame((const int[3]){NX, NY, NZ}, density);
}

static OndRenderDef make_def(void)
{
    OndRenderDef def = ond_render_default_def();
    def.as = OND_AS_VOLUME;
    def.width = 96, def.height = 72;
    def.box = def.legend = def.time = false;
    def.linear = true;
    return def;
}

// ---- along rays

static const OndPlace as_it_is = {{0, 0, 0}, 1.0};

static void test_beer(void **state)
{
    OndFrame f = make_smoke(everywhere);
    OndRenderDef def = make_def();
    OndSmokeVolume s;
    def.smoke.extinction = 3.0;
    assert_int_equal(ond_smoke_build(&s, &f, &def, &as_it_is, NULL), OND_OK);
    for (size_t i = 0; i < ond_smoke_room(s.lights); ++i)
        s.light[i] = ond_f3(2.0f, 1.0f, 0.5f);
    static const struct {
        const char *name;
        OndRay ray;
        float length;
        double inside; // m
    } cases[] = {
        {"along x", {{-1, 0.7f, 0.5f}, {1, 0, 0}}, INFINITY, NX * 0.05},
        {"against y", {{0.3f, 9, 0.2f}, {0, -1, 0}}, INFINITY, NY * 0.05},
        {"from inside", {{0.6f, 0.7f, 0.5f}, {0, 0, 1}}, INFINITY, 0.5},
        {"up to something", {{0.5f, 0.2f, -2}, {0, 0, 1}}, 2.25f, 0.25},
        {"past it", {{-1, 2, 0.5f}, {1, 0, 0}}, INFINITY, 0},
        {"away from it", {{-1, 0.7f, 0.5f}, {-1, 0, 0}}, INFINITY, 0},
        {"slanting", {{-0.6f, 0.1f, 0.5f}, {0.8f, 0.6f, 0}}, INFINITY, 1.5},
    };
    for (int c = 0; c < OND_COUNT(cases); ++c) {
        const double want = exp(-3.0 * 0.7 * cases[c].inside);
        const OndF3 passes = ond_medium_passes(&s.medium, &cases[c].ray, cases[c].length);
        CHECK_NEAR(passes.y, want, 0.06 * want, cases[c].name);
        double mean = 0.0, light = 0.0;
        for (int k = 0; k < 16; ++k) {
            OndF3 through;
            const OndF3 sum = s.medium.cross(&s.medium, &cases[c].ray, cases[c].length,
                                             (float)(k + 0.5) / 16.0f, &through);
            mean += through.y / 16.0, light += sum.x / 16.0;
            CHECK_NEAR(sum.x, 2.0 * (1.0 - through.x), 1e-4, cases[c].name);
        }
        CHECK_NEAR(mean, want, 0.01 * want + 1e-3, cases[c].name);
        CHECK_NEAR(light, 2.0 * (1.0 - want), 0.02, cases[c].name);
    }
    ond_smoke_free(&s);
    ond_frame_free(&f);
}

// Leaving out empty boxes changes nothing.
static void test_skips(void **state)
{
    OndFrame f = make_smoke(puffs);
    const OndRenderDef def = make_def();
    OndSmokeVolume s;
    int empty = 0;
    assert_int_equal(ond_smoke_build(&s, &f, &def, &as_it_is, NULL), OND_OK);
    const int blocks = s.blocks[0] * s.blocks[1] * s.blocks[2];
    float *const kept = OND_NEW_ARRAY(float, blocks);
    memcpy(kept, s.most, (size_t)blocks * sizeof *kept);
    for (int b = 0; b < blocks; ++b)
        empty += kept[b] == 0.0f;
    assert_true(empty > blocks / 8);
    for (int k = 0; k < 200; ++k) {
        const float a = (float)k * 2.4f, h = -0.95f + 0.0095f * (float)k;
        const OndF3 go = ond_f3_unit(ond_f3(cosf(a), h, sinf(a)));
        const OndRay ray = {ond_f3_step(ond_f3(0.6f, 0.8f, 0.5f), go, -2.0f), go};
        const float fast = ond_medium_passes(&s.medium, &ray, INFINITY).x;
        for (int b = 0; b < blocks; ++b)
            s.most[b] = 1.0f;
        CHECK_NEAR(fast, ond_medium_passes(&s.medium, &ray, INFINITY).x, 2e-4, "skipped");
        memcpy(s.most, kept, (size_t)blocks * sizeof *kept);
    }
    ond_free(kept);
    ond_smoke_free(&s);
    ond_frame_free(&f);
}

// ---- pictures

static OndLinear draw(const OndRenderDef *def, const OndFrame *f)
{
    OndError err = {0};
    OndImage image = {0};
    OndLinear copy = {0};
    OndRenderer *r = ond_render_create(def, &err);
    if (!r) fail_msg("no renderer: %s", err.text);
    if (ond_render_frame(r, f, &image, &err) != OND_OK) fail_msg("no picture: %s", err.text);
    assert_int_equal(ond_linear_resize(&copy, def->width, def->height, NULL), OND_OK);
    memcpy(copy.rgb, ond_render_linear(r)->rgb, (size_t)def->width * (size_t)def->height * 12);
    ond_render_destroy(r);
    ond_image_free(&image);
    return copy;
}

static OndLinear draw_with(const OndRenderDef *def, OndFrame *f, const char *solid)
{
    FrameSolids *const set = solids_give(f, solid);
    const OndLinear picture = draw(def, f);
    solids_drop(set);
    ond_free(f->solids.solid);
    f->solids = (OndFrameSolids){0};
    return picture;
}

static double mean(const OndLinear *p, int channel)
{
    double sum = 0.0;
    const int pixels = p->width * p->height;
    for (int i = 0; i < pixels; ++i)
        sum += p->rgb[3 * i + channel] / pixels;
    return sum;
}

static double darkest_change(const OndLinear *from, const OndLinear *to, int channel)
{
    double least = 1.0;
    for (int i = 0; i < from->width * from->height; ++i)
        least = fmin(least, to->rgb[3 * i + channel] / (from->rgb[3 * i + channel] + 1e-6));
    return least;
}

static void test_looks(void **state)
{
    static const struct {
        const char *name;
        OndSmokeKind kind;
        double brighter; // than empty air, at least (green)
        double shadow;   // darkest pixel as a share of empty air's, at most
    } cases[] = {{"smoke", OND_SMOKE_GREY, 1.1, 0.75},
                 {"steam", OND_SMOKE_STEAM, 1.1, 0.75},
                 {"ink", OND_SMOKE_INK, 0.0, 0.5},
                 {"fire that is cold", OND_SMOKE_FIRE, 0.9, 0.75}};
    OndFrame f = make_smoke(puffs), clear = make_smoke(nowhere);
    for (int c = 0; c < OND_COUNT(cases); ++c) {
        OndRenderDef def = make_def();
        def.smoke.kind = cases[c].kind;
        OndLinear p = draw(&def, &f), none = draw(&def, &clear);
        const double share = mean(&p, 1) / mean(&none, 1);
        if (!(share > cases[c].brighter)) fail_msg("%s: %g of empty air", cases[c].name, share);
        const double dark = darkest_change(&none, &p, 1);
        if (!(dark < cases[c].shadow)) fail_msg("%s: shadow %g", cases[c].name, dark);
        for (int i = 0; i < 3 * p.width * p.height; ++i)
            if (!(p.rgb[i] > 0.0f && p.rgb[i] < 20.0f)) fail_msg("%s: pixel %d", cases[c].name, i);
        ond_linear_free(&p);
        ond_linear_free(&none);
    }
    ond_frame_free(&f);
    ond_frame_free(&clear);
}

static void test_colour(void **state)
{
    OndFrame f = make_smoke(puffs);
    OndRenderDef def = make_def();
    OndLinear grey = draw(&def, &f);
    def.smoke.has_colour = true;
    def.smoke.colour = ond_vec(0.9, 0.2, 0.1);
    OndLinear red = draw(&def, &f);
    assert_true(mean(&red, 0) / mean(&red, 2) > 1.2 * mean(&grey, 0) / mean(&grey, 2));
    ond_linear_free(&grey);
    ond_linear_free(&red);
    ond_frame_free(&f);
}

static void test_glow(void **state)
{
    OndFrame f = make_smoke(everywhere);
    OndRenderDef def = make_def();
    OndLinear cold = draw(&def, &f);
    set_field(&f, "temperature", "C", middle_hot);
    OndLinear hot = draw(&def, &f);
    def.smoke.glow = 0.0;
    OndLinear off = draw(&def, &f);
    assert_true(mean(&hot, 0) > 1.02 * mean(&cold, 0));
    assert_true(mean(&hot, 0) - mean(&cold, 0) > 2.0 * (mean(&hot, 2) - mean(&cold, 2)));
    CHECK_NEAR(mean(&off, 0), mean(&cold, 0), 1e-6, "no glow");
    ond_linear_free(&cold);
    ond_linear_free(&hot);
    ond_linear_free(&off);
    ond_frame_free(&f);
}

// A lid over the smoke keeps its light away; the smoke darkens a slab that lies below it.
static void test_solids(void **state)
{
    OndFrame f = make_smoke(puffs), clear = make_smoke(nowhere);
    static const char lid[] =
        "{shape: {type: box, min: [-1, 1.62, -1], max: [2.2, 1.66, 2]}, look: "
        "plain}",
                      slab[] =
                          "{shape: {type: box, min: [0, 0, 0], max: [1.2, 0.1, 1]}, look: plain}";
    OndRenderDef def = make_def();
    def.camera_from = ond_vec(0, 0.1, 1); // as much from the front as can be: the lid hides little
    OndLinear bare = draw(&def, &clear), lit = draw(&def, &f),
              lidded_bare = draw_with(&def, &clear, lid), lidded = draw_with(&def, &f, lid);
    const double open = mean(&lit, 1) - mean(&bare, 1),
                 shut = mean(&lidded, 1) - mean(&lidded_bare, 1);
    if (!(shut < 0.6 * open)) fail_msg("under a lid the smoke adds %g, without %g", shut, open);
    OndLinear bright = draw_with(&def, &clear, slab), dim = draw_with(&def, &f, slab);
    const double dark = darkest_change(&bright, &dim, 1);
    if (!(dark < 0.75)) fail_msg("the darkest place of the slab has %g of its light", dark);
    ond_linear_free(&bare), ond_linear_free(&lit), ond_linear_free(&lidded_bare);
    ond_linear_free(&lidded), ond_linear_free(&bright), ond_linear_free(&dim);
    ond_frame_free(&f), ond_frame_free(&clear);
}

static void test_threads(void **state)
{
    OndFrame f = make_smoke(puffs);
    set_field(&f, "temperature", "C", middle_hot);
    const OndRenderDef def = make_def();
    uint64_t hash[3];
    for (int k = 0; k < 3; ++k) {
        ond_threads_set(1 + 2 * k);
        OndLinear p = draw(&def, &f);
        hash[k] = ond_hash_bytes(p.rgb, (size_t)p.width * (size_t)p.height * 12);
        ond_linear_free(&p);
    }
    ond_threads_set(0);
    assert_true(hash[0] == hash[1] && hash[0] == hash[2]);
    ond_frame_free(&f);
}

// Preview comes near to best: there is little noise to begin with.
static void test_qualities(void **state)
{
    OndFrame f = make_smoke(puffs);
    OndRenderDef def = make_def();
    def.width = 48, def.height = 36;
    OndLinear quick = draw(&def, &f);
    def.quality = OND_QUALITY_BEST;
    OndLinear best = draw(&def, &f);
    double sum = 0.0;
    for (int i = 0; i < 3 * 48 * 36; ++i)
        sum += fabs((double)quick.rgb[i] - best.rgb[i]) / (3 * 48 * 36);
    CHECK_NEAR(sum / mean(&best, 1), 0, 0.02, "mean difference");
    ond_linear_free(&quick);
    ond_linear_free(&best);
    ond_frame_free(&f);
}

// ---- what is wrong

static double nonsense(double x, double y, double z)
{
    const int k = (int)(x * 100 + y * 57 + z * 31);
    return k % 5 == 0   ? NAN
           : k % 5 == 1 ? -INFINITY
           : k % 5 == 2 ? INFINITY
           : k % 5 == 3 ? 1e30
                        : -3;
}

static void test_nonsense(void **state)
{
    static const int sizes[][3] = {{NX, NY, NZ}, {1, 1, 2}, {2, 40, 3}, {8, 8, 8}, {1, 200, 9}};
    for (int c = 0; c < OND_COUNT(sizes); ++c) {
        OndFrame f = make_frame(sizes[c], nonsense);
        set_field(&f, "temperature", "C", nonsense);
        OndRenderDef def = make_def();
        def.width = 32, def.height = 24;
        OndLinear p = draw(&def, &f);
        for (int i = 0; i < 3 * 32 * 24; ++i)
            assert_true(p.rgb[i] >= 0.0f && p.rgb[i] < 1e6f);
        ond_linear_free(&p);
        ond_frame_free(&f);
    }
}

static void test_refused(void **state)
{
    OndFrame none = {.dimension = 3}, bare = make_smoke(puffs);
    OndImage image = {0};
    OndError err = {0};
    OndRenderDef def = make_def();
    OndRenderer *r = ond_render_create(&def, &err);
    assert_non_null(r);
    assert_int_equal(ond_render_frame(r, &none, &image, &err), OND_BAD_VALUE);
    CHECK_SAYS(err.text, "no grid", "a frame of particles");
    ond_fields_remove(&bare.cells, "density");
    assert_int_equal(ond_render_frame(r, &bare, &image, &err), OND_BAD_VALUE);
    CHECK_SAYS(err.text, "no density", "a grid without density");
    ond_render_destroy(r);
    ond_frame_free(&bare);
    ond_image_free(&image);
    static const struct {
        OndSmokeLook look;
        const char *says;
    } cases[] = {{{.kind = (OndSmokeKind)9}, "no smoke number 9"},
                 {{.extinction = -1}, "takes -1"},
                 {{.extinction = NAN}, "per metre"},
                 {{.glow = INFINITY}, "glow"}};
    for (int c = 0; c < OND_COUNT(cases); ++c) {
        def = make_def();
        def.smoke = cases[c].look;
        assert_null(ond_render_create(&def, &err));
        CHECK_SAYS(err.text, cases[c].says, "a look that cannot be");
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_beer),     cmocka_unit_test(test_skips),
        cmocka_unit_test(test_looks),    cmocka_unit_test(test_colour),
        cmocka_unit_test(test_glow),     cmocka_unit_test(test_solids),
        cmocka_unit_test(test_threads),  cmocka_unit_test(test_qualities),
        cmocka_unit_test(test_nonsense), cmocka_unit_test(test_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
