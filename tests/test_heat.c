// SPDX-License-Identifier: MIT
// Heat against exact solutions, and what it must keep at any step: all heat, and the bounds.
//
// Most tests put still particles on a lattice (or a disordered one) and let only heat move.
#include "base/hash.h"
#include "base/parallel.h"
#include "base/random.h"
#include "particles/heat_state.h"
#include "particles/sph.h"
#include "stage.h"

// ---- particles that stay where they are

typedef struct Still {
    OndWorld world;
    OndSphDef def;
    int cells[3];  // of the lattice
    double jitter; // spacings
    double squash; // share by which the lowest layer is crowded along x
    uint32_t (*kind)(double x, double y, double z); // material; NULL: the first
    double (*temperature)(double x, double y, double z);
    OndSph *s;
} Still;

static double cold(double x, double y, double z)
{
    return 0.0;
}

static double hot(double x, double y, double z)
{
    return 1.0;
}

static double scattered(double x, double y, double z)
{
    return 100.0 *
           ond_random((uint64_t)(x * 1e6) * 7919 + (uint64_t)(y * 1e6), 3 + (uint64_t)(z * 1e6));
}

// A box of nx x ny x nz spacings (nz 0: flat), walls across x, repeated across y and z.
static Still strip(int nx, int ny, int nz, double spacing)
{
    Still b = {.cells = {nx, ny, nz ? nz : 1}, .temperature = cold};
    ond_schema_defaults(&ond_sph_schema, &b.def);
    b.def.settle = false;
    b.world = (OndWorld){.dimension = nz ? 3 : 2, .spacing = spacing, .material_count = 1};
    b.world.box = (OndBox){{0, 0, 0}, {nx * spacing, ny * spacing, nz * spacing}};
    for (int side = 0; side < 6; ++side)
        b.world.side[side].kind = side < 2 ? OND_SIDE_WALL : OND_SIDE_PERIODIC;
    b.world.material[0] = (OndMaterial){.name = "stuff",
                                        .density = 1000,
                                        .conductivity = 1,
                                        .specific_heat = 1000,
                                        .held_until = 1e9}; // diffusivity 1e-6
    return b;
}

static void warm_side(Still *b, int side, double temperature)
{
    b->world.side[side].heats = true;
    b->world.side[side].temperature = (float)temperature;
}

static void place(Still *b, OndFields *f, int at, int x, int y, int z)
{
    const double spacing = b->world.spacing;
    const int cell[3] = {x, y, z};
    double where[3] = {0};
    for (int a = 0; a < b->world.dimension; ++a) {
        const double off = b->jitter * (2.0 * ond_random((uint64_t)at, (uint64_t)a) - 1.0);
        where[a] = (cell[a] + 0.5 + off) * spacing;
        ((float *)ond_fields_find(f, "position")->data[a])[at] = (float)where[a];
    }
    const double u = where[0], v = where[1], w = where[2];
    ((float *)ond_fields_find(f, "temperature")->data[0])[at] = (float)b->temperature(u, v, w);
    ((uint32_t *)ond_fields_find(f, "material")->data[0])[at] = b->kind ? b->kind(u, v, w) : 0;
}

static void look(Still *b)
{
    OndError err = {0};
    double dt;
    b->s->ready = false;
    if (ond_sph_method.largest_step(b->s, &dt, &err) != OND_OK) fail_msg("%s", err.text);
}

static void open_still(Still *b)
{
    OndError err = {0};
    const int count = b->cells[0] * b->cells[1] * b->cells[2];
    b->s = ond_sph_method.create(&(OndSetup){&b->world, &b->def, count}, &err);
    if (!b->s) fail_msg("%s", err.text);
    OndFields *f = ond_sph_method.particles(b->s);
    if (ond_fields_reserve(f, count, &err) != OND_OK) fail_msg("%s", err.text);
    for (int at = 0; at < count; ++at)
        place(b, f, at, at % b->cells[0], at / b->cells[0] % b->cells[1],
              at / (b->cells[0] * b->cells[1]));
    f->count = count;
    ond_sph_method.added(b->s, 0, &err);
    ond_sph_method.start(b->s, &err);
    look(b);
}

static void close_still(Still *b)
{
    ond_sph_method.destroy(b->s);
}

static void spread(Still *b, double dt)
{
    OndError err = {0};
    b->s->unconverged = false;
    if (ond_heat_spread(b->s, dt, &err) != OND_OK) fail_msg("%s", err.text);
    b->s->time += dt;
    if (b->s->unconverged) fail_msg("a step of %g s did not converge", dt);
}

static OndHeatCurve curve_of(const Still *b, int i)
{
    const OndMaterial *m = &b->world.material[b->s->material[i]];
    const double mass = b->s->mass[b->s->material[i]], range = m->liquid - m->solid;
    const bool melts = b->s->def.heat.latent && range > 0 && m->latent_heat > 0;
    return (OndHeatCurve){mass * m->specific_heat, melts ? mass * m->latent_heat / range : 0,
                          melts ? m->solid : 0, melts ? m->liquid : 0};
}

static double total_heat(const Still *b) // J
{
    double sum = 0;
    for (int i = 0; i < b->s->fields.count; ++i)
        sum += ond_heat_held(curve_of(b, i), ond_heat_load(b->s, i));
    return sum;
}

// Mean temperature of the particles nearest to x, and between layers linearly.
static double at_x(const Still *b, double x)
{
    const double spacing = b->world.spacing, place = x / spacing - 0.5;
    const int layer = (int)floor(place);
    double sum[2] = {0}, count[2] = {0};
    for (int i = 0; i < b->s->fields.count; ++i) {
        const int l = (int)floor(b->s->x[0][i] / spacing) - layer;
        if (l < 0 || l > 1) continue;
        sum[l] += ond_heat_load(b->s, i), count[l] += 1;
    }
    const double w = place - layer;
    return (1 - w) * sum[0] / count[0] + (count[1] ? w * sum[1] / count[1] : 0);
}

static double mean_temperature(const Still *b)
{
    double sum = 0;
    for (int i = 0; i < b->s->fields.count; ++i)
        sum += ond_heat_load(b->s, i);
    return sum / b->s->fields.count;
}

static void bounds(const Still *b, float *low, float *high)
{
    *low = INFINITY, *high = -INFINITY;
    for (int i = 0; i < b->s->fields.count; ++i) {
        *low = fminf(*low, b->s->temperature[i]);
        *high = fmaxf(*high, b->s->temperature[i]);
    }
}

// ---- exact solutions

static const struct {
    const char *name;
    int ny, nz, kernel, walls;
    double smoothing, jitter, within;
} strips[] = {
    {"flat, mirrored walls", 6, 0, OND_KERNEL_MUELLER, OND_WALL_MIRROR, 2, 0, 0.01},
    {"flat, bare walls", 6, 0, OND_KERNEL_MUELLER, OND_WALL_PROJECT, 2, 0, 0.01},
    {"mirrored walls", 6, 6, OND_KERNEL_MUELLER, OND_WALL_MIRROR, 2, 0, 0.01},
    {"wendland, wide", 8, 8, OND_KERNEL_WENDLAND, OND_WALL_MIRROR, 2.5, 0, 0.01},
    {"cubic", 6, 6, OND_KERNEL_CUBIC, OND_WALL_PROJECT, 2, 0, 0.01},
    {"disordered", 6, 6, OND_KERNEL_MUELLER, OND_WALL_MIRROR, 2, 0.2, 0.03},
};

static Still strip_of(int which, int nx, double spacing)
{
    Still b = strip(nx, strips[which].ny, strips[which].nz, spacing);
    b.def.kernel = strips[which].kernel;
    b.def.smoothing = strips[which].smoothing;
    b.world.wall_model = strips[which].walls;
    b.jitter = strips[which].jitter;
    return b;
}

// A slab of 1 between walls of 0.
static void test_slab(void **state)
{
    static const double fo[] = {0.1, 0.2, 0.5}, centre[] = {0.94931, 0.77231, 0.37078},
                        mean[] = {0.64318, 0.49591, 0.23605};
    for (int k = 0; k < OND_COUNT(strips); ++k) {
        Still b = strip_of(k, 40, 0.005);
        b.temperature = hot;
        warm_side(&b, 0, 0), warm_side(&b, 1, 0);
        open_still(&b);
        const double half = 0.1, dt = 0.001 * half * half / 1e-6;
        double off = 0, mean_off = 0;
        for (int p = 0, step = 0; p < 3; ++p) {
            for (; step < (int)round(fo[p] * 1000); ++step)
                spread(&b, dt);
            off = fmax(off, fabs(at_x(&b, half) / centre[p] - 1));
            mean_off = fmax(mean_off, fabs(mean_temperature(&b) / mean[p] - 1));
        }
        print_message("slab, %s: centre within %.2f %%, mean within %.2f %%\n", strips[k].name,
                      100 * off, 100 * mean_off);
        CHECK_NEAR(off, 0, strips[k].within, strips[k].name);
        CHECK_NEAR(mean_off, 0, strips[k].within, strips[k].name);
        close_still(&b);
    }
}

// A half space of 0 whose wall is at 1.
static void test_half_space(void **state)
{
    static const double eta[] = {0.1, 0.5, 1, 2}, want[] = {0.887537, 0.479500, 0.157299, 0.004678};
    for (int k = 0; k < OND_COUNT(strips); ++k) {
        Still b = strip_of(k, 60, 0.005);
        warm_side(&b, 0, 1);
        open_still(&b);
        for (int step = 0; step < 250; ++step)
            spread(&b, 10.0);
        const double reach = 2 * sqrt(1e-6 * 2500);
        double off = 0;
        for (int p = 0; p < 4; ++p)
            off = fmax(off, fabs(at_x(&b, eta[p] * reach) - want[p]));
        print_message("half space, %s: within %.4f\n", strips[k].name, off);
        CHECK_NEAR(off, 0, strips[k].within, strips[k].name);
        close_still(&b);
    }
}

// How far the melt has come: all that is molten, as a layer.
static double front(const Still *b)
{
    const OndMaterial *m = &b->world.material[0];
    double sum = 0;
    for (int i = 0; i < b->s->fields.count; ++i) {
        const double share = (ond_heat_load(b->s, i) - m->solid) / (m->liquid - m->solid);
        sum += fmin(fmax(share, 0), 1);
    }
    return sum / (b->cells[1] * b->cells[2]) * b->world.spacing;
}

// Stefan's problem: all at its melting point, a wall that is hotter. s = 2 lambda sqrt(alpha t).
static void test_stefan(void **state)
{
    static const struct {
        const char *name;
        double ste, lambda, range; // melting range as a share of the wall's excess
        int walls;
    } cases[] = {{"Ste 0.01", 0.01, 0.070593, 0.005, OND_WALL_MIRROR},
                 {"Ste 0.1", 0.1, 0.220016, 0.005, OND_WALL_MIRROR},
                 {"Ste 0.1, bare wall", 0.1, 0.220016, 0.005, OND_WALL_PROJECT},
                 {"Ste 1", 1, 0.620063, 0.005, OND_WALL_MIRROR}};
    for (int k = 0; k < OND_COUNT(cases); ++k) {
        Still b = strip(60, 5, 0, 0.001);
        b.world.wall_model = cases[k].walls;
        b.world.material[0].solid = 0, b.world.material[0].liquid = (float)(10 * cases[k].range);
        b.world.material[0].latent_heat = (float)(1000 * 10 / cases[k].ste);
        warm_side(&b, 0, 10);
        open_still(&b);
        const double reach = 0.04, time = pow(reach / (2 * cases[k].lambda), 2) / 1e-6;
        int solves = 0, iterations = 0;
        for (int step = 0; step < 400; ++step) {
            spread(&b, time / 400);
            solves += b.s->heat->solves, iterations += b.s->heat->iterations;
        }
        const double off = front(&b) / reach - 1;
        print_message("stefan, %s: front off by %.2f %%; %.1f systems and %.1f iterations a step\n",
                      cases[k].name, 100 * off, solves / 400.0, iterations / 400.0);
        CHECK_NEAR(off, 0, 0.01, cases[k].name);
        close_still(&b);
    }
}

static void test_melting_ice(void **state)
{
    Still b = strip(75, 5, 0, 0.0001);
    b.world.material[0] = (OndMaterial){.name = "water",
                                        .density = 1000,
                                        .conductivity = 0.6f,
                                        .specific_heat = 4180,
                                        .latent_heat = 334e3f,
                                        .solid = 0,
                                        .liquid = 0.1f,
                                        .held_until = 1e9};
    warm_side(&b, 0, 20);
    open_still(&b);
    for (int step = 0; step < 240; ++step)
        spread(&b, 0.25);
    const double early = front(&b);
    for (int step = 0; step < 540; ++step)
        spread(&b, 1);
    print_message("ice: %.3f mm at 60 s, %.3f mm at 600 s\n", 1e3 * early, 1e3 * front(&b));
    CHECK_NEAR(early, 1.997e-3, 0.01 * 1.997e-3, "front at 60 s");
    CHECK_NEAR(front(&b), 6.316e-3, 0.01 * 6.316e-3, "front at 600 s");
    close_still(&b);
}

static uint32_t right_half(double x, double y, double z)
{
    return x > 0.2;
}

static double right_hot(double x, double y, double z)
{
    return x > 0.2;
}

// Two half spaces in contact: the seam is at the mean of both, weighted with sqrt(k rho c).
static void test_two_materials(void **state)
{
    Still b = strip(80, 6, 0, 0.005);
    b.world.material_count = 2;
    b.world.material[1] = (OndMaterial){.name = "metal",
                                        .density = 4000,
                                        .conductivity = 20,
                                        .specific_heat = 500,
                                        .held_until = 1e9};
    b.kind = right_half, b.temperature = right_hot;
    open_still(&b);
    for (int step = 0; step < 100; ++step)
        spread(&b, 5);
    const double e1 = sqrt(1.0 * 1000 * 1000), e2 = sqrt(20.0 * 4000 * 500);
    const double left = at_x(&b, 0.2 - 0.0025), right = at_x(&b, 0.2 + 0.0025);
    const double seam = (1 * left + 20 * right) / 21;
    print_message("two materials: seam at %.4f, exact %.4f\n", seam, e2 / (e1 + e2));
    CHECK_NEAR(seam, e2 / (e1 + e2), 0.01, "seam");
    close_still(&b);
}

// ---- heat is kept, and so are the bounds

static uint32_t three_kinds(double x, double y, double z)
{
    return (uint32_t)(3 * ond_random((uint64_t)(x * 1e6), (uint64_t)(y * 1e6 + z * 7e6))) % 3;
}

static Still mixture(int dimension, bool melts)
{
    Still b = dimension == 2 ? strip(30, 30, 0, 0.01) : strip(12, 12, 12, 0.01);
    b.jitter = 0.45;
    b.temperature = scattered;
    b.kind = three_kinds;
    b.world.material_count = 3;
    b.world.material[1] = (OndMaterial){.name = "heavy",
                                        .density = 7800,
                                        .conductivity = 50,
                                        .specific_heat = 460,
                                        .held_until = 1e9};
    b.world.material[2] = (OndMaterial){.name = "insulator",
                                        .density = 30,
                                        .conductivity = 0.03f,
                                        .specific_heat = 1400,
                                        .held_until = 1e9};
    if (melts) {
        b.world.material[0].solid = 40, b.world.material[0].liquid = 40.1f;
        b.world.material[0].latent_heat = 80 * 1000;
        b.world.material[1].solid = 20, b.world.material[1].liquid = 70;
        b.world.material[1].latent_heat = 10 * 460;
    }
    return b;
}

static void test_kept_at_any_step(void **state)
{
    for (int d = 2; d <= 3; ++d)
        for (int melts = 0; melts < 2; ++melts)
            for (double ratio = 1e-4; ratio < 2e6; ratio *= 10) {
                Still b = mixture(d, melts);
                open_still(&b);
                const double size = b.cells[0] * b.world.spacing, before = total_heat(&b);
                float low, high, now_low, now_high;
                bounds(&b, &low, &high);
                spread(&b, ratio * size * size / 1e-6);
                const int iterations = b.s->heat->iterations, solves = b.s->heat->solves;
                bounds(&b, &now_low, &now_high);
                const double lost = fabs(total_heat(&b) / before - 1);
                print_message("%dD%s, step of %g diffusion times: heat off by %.1e, span %.3g -> "
                              "%.3g; %d systems, %d iterations\n",
                              d, melts ? ", melting" : "", ratio, lost, high - low,
                              now_high - now_low, solves, iterations);
                CHECK_NEAR(lost, 0, 1e-10, "heat");
                if (!(now_low >= low && now_high <= high))
                    fail_msg("%g to %g became %g to %g", low, high, now_low, now_high);
                spread(&b, 1e-3 * ratio * size * size / 1e-6); // and on
                CHECK_NEAR(total_heat(&b) / before, 1, 1e-10, "heat after another step");
                close_still(&b);
            }
}

// Many short steps, each of which changes less than a float can tell.
static void test_small_changes_add_up(void **state)
{
    Still b = strip(10, 6, 0, 0.01);
    b.temperature = scattered;
    open_still(&b);
    for (int i = 0; i < b.s->fields.count; ++i)
        b.s->temperature[i] += 1200;
    const double before = total_heat(&b);
    OndHeatSource source = {.inside = NULL};
    (void)source;
    for (int step = 0; step < 2000; ++step)
        spread(&b, 1e-5);
    CHECK_NEAR(total_heat(&b) / before, 1, 1e-12, "heat");
    Still once = strip(10, 6, 0, 0.01);
    once.temperature = scattered;
    open_still(&once);
    for (int i = 0; i < once.s->fields.count; ++i)
        once.s->temperature[i] += 1200;
    double most = 0, off = 0;
    for (int i = 0; i < once.s->fields.count; ++i)
        most = fmax(most, fabs(ond_heat_load(once.s, i) - ond_heat_load(b.s, i)));
    spread(&once, 2000e-5);
    for (int i = 0; i < once.s->fields.count; ++i)
        off = fmax(off, fabs(ond_heat_load(once.s, i) - ond_heat_load(b.s, i)));
    print_message("2000 short steps or one: %.3g K of %.3g K apart\n", off, most);
    CHECK_NEAR(off, 0, 0.01 * most, "short steps against one");
    close_still(&once);
    close_still(&b);
}

int main(void)
{
    ond_threads_set(1); // too small for more
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_slab),
        cmocka_unit_test(test_half_space),
        cmocka_unit_test(test_stefan),
        cmocka_unit_test(test_melting_ice),
        cmocka_unit_test(test_two_materials),
        cmocka_unit_test(test_kept_at_any_step),
        cmocka_unit_test(test_small_changes_add_up),
    };
    return cmocka_run_group_tests_name("heat", tests, NULL, NULL);
}
