// SPDX-License-Identifier: MIT
// ctest: slow
// Heat against exact solutions, and what it must keep at any step: all heat, and the bounds.
#include "base/cpu.h"
#include "same_bits.h"
#include "still.h"

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

static uint32_t every_other(double x, double y, double z)
{
    return (uint32_t)(x / 0.01) % 2;
}

// Layers of two materials, one particle each, between walls of 0 and 1: in a row they resist as the
// sum of both.
static void test_layers(void **state)
{
    Still b = strip(8, 6, 0, 0.01);
    b.def.smoothing = 1.4; // only the next layer is in reach
    b.world.material_count = 2;
    b.world.material[1] = b.world.material[0];
    b.world.material[1].conductivity = 20;
    b.kind = every_other;
    warm_side(&b, 1, 1);
    open_still(&b);
    spread(&b, 1e9);
    spread(&b, 1e9);
    b.s->world.side[0].heats = true, b.s->world.side[0].temperature = 0;
    spread(&b, 1e9);
    const double flux = 1 / (4 * 0.01 / 1 + 4 * 0.01 / 20);
    for (int layer = 0; layer < 8; ++layer) {
        const double before = layer / 2 * (0.01 / 1 + 0.01 / 20) + (layer % 2 ? 0.01 / 1 : 0);
        const double want = flux * (before + 0.005 / (layer % 2 ? 20 : 1));
        CHECK_NEAR(at_x(&b, (layer + 0.5) * 0.01), want, 1e-3, "a layer");
    }
    close_still(&b);
}

// ---- heat is kept, and so are the bounds

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

// ---- the thesis and the explicit forms

// Dagenais 2012, after eq. 3.8, written down once more.
static double transcribed(const OndSph *s, int i, const double *old, double dt)
{
    const double k = 1.0 / (1000.0 * 1000.0);
    double t = old[i];
    for (uint32_t n = 0; n < s->lists.length[i]; ++n) {
        const uint32_t j = s->lists.pool[s->lists.first[i] + n];
        if (j == (uint32_t)i) continue;
        const uint32_t from =
            j < (uint32_t)s->fields.count ? j : s->images.source[j - (uint32_t)s->fields.count];
        const float dx = s->x[0][i] - s->x[0][j], dy = s->x[1][i] - s->x[1][j],
                    dz = s->x[2][i] - s->x[2][j];
        const double lap = ond_kernel_laplacian(s->kernel, sqrtf(dx * dx + dy * dy + dz * dz));
        const double vi = s->mass[0] / s->density[i], vj = s->mass[0] / s->density[from];
        t += k * vj * (old[from] - t) / (1 + k * (vi + vj) * lap * dt) * lap * dt;
    }
    return t;
}

static void test_thesis(void **state)
{
    static const double steps[] = {0.1, 10, 1000, 1e6};
    for (int k = 0; k < OND_COUNT(steps); ++k) {
        Still b = strip(10, 10, 10, 0.01);
        b.def.preset = OND_PRESET_THESIS;
        b.temperature = scattered, b.jitter = 0.2;
        open_still(&b);
        const int n = b.s->fields.count;
        double *old = malloc((size_t)n * sizeof *old), off = 0;
        for (int i = 0; i < n; ++i)
            old[i] = ond_heat_load(b.s, i);
        spread(&b, steps[k]);
        for (int i = 0; i < n; ++i)
            off = fmax(off, fabs(ond_heat_load(b.s, i) - transcribed(b.s, i, old, steps[k])));
        print_message("thesis, step of %g s: within %.1e of its formula\n", steps[k], off);
        CHECK_NEAR(off, 0, 1e-4, "thesis");
        float low, high;
        bounds(&b, &low, &high);
        if (!(low >= 0 && high <= 100)) fail_msg("%g to %g", low, high);
        free(old);
        close_still(&b);
    }
}

// With short steps all agree; with long ones the explicit forms burst, the others do not.
static void test_explicit_bursts(void **state)
{
    static const struct {
        const char *name;
        int solver;
        double within; // in the slab, of its exact temperature
        bool bursts;
    } cases[] = {{"implicit", OND_HEAT_IMPLICIT, 0.01, false},
                 {"thesis", OND_HEAT_THESIS, 0.05, false},
                 {"stora", OND_HEAT_STORA, 0.05, true},
                 {"solenthaler", OND_HEAT_SOLENTHALER, 0.02, true},
                 {"paiva", OND_HEAT_PAIVA, 0.02, true}};
    for (int k = 0; k < OND_COUNT(cases); ++k) {
        Still b = strip(20, 6, 6, 0.01);
        b.def.heat.solver = cases[k].solver;
        b.temperature = hot;
        warm_side(&b, 0, 0), warm_side(&b, 1, 0);
        open_still(&b);
        for (int step = 0; step < 500; ++step)
            spread(&b, 0.2 * 0.1 * 0.1 / 1e-6 / 500);
        const double centre = at_x(&b, 0.1);
        float low, high;
        for (int step = 0; step < 20; ++step)
            spread(&b, 2000);
        bounds(&b, &low, &high);
        print_message("%s: centre %.4f of 0.7723; after long steps %.3g to %.3g\n", cases[k].name,
                      centre, low, high);
        CHECK_NEAR(centre, 0.77231, cases[k].within * 0.77231, cases[k].name);
        CHECK_NEAR(low < -1 || high > 2, cases[k].bursts, 0, cases[k].name);
        close_still(&b);
    }
}

// Any kernel, any solver, and particles on top of each other: the implicit one keeps what it must.
static void test_every_kernel(void **state)
{
    static const double smoothing[OND_KERNEL_COUNT] = {2, 2, 2.5, 1.0526};
    for (int kernel = 0; kernel < OND_KERNEL_COUNT; ++kernel)
        for (int solver = OND_HEAT_IMPLICIT; solver <= OND_HEAT_PAIVA; ++solver)
            for (int shape = 0; shape < 3; ++shape) {
                Still b = shape == 1 ? strip(8, 8, 8, 0.01) : strip(6, 6, 0, 0.01);
                b.def.kernel = kernel, b.def.smoothing = smoothing[kernel];
                b.def.heat.solver = solver;
                b.temperature = scattered, b.jitter = 0.1, b.pitch = shape == 2 ? 1e-6 : 1;
                open_still(&b);
                const double before = total_heat(&b);
                float low, high, now_low, now_high;
                bounds(&b, &low, &high);
                for (int step = 0; step < 3; ++step)
                    spread(&b, solver == OND_HEAT_IMPLICIT ? 1000 : 1e-6);
                bounds(&b, &now_low, &now_high);
                if (!isfinite(now_low + now_high)) fail_msg("kernel %d solver %d", kernel, solver);
                if (solver == OND_HEAT_IMPLICIT) {
                    CHECK_NEAR(total_heat(&b) / before, 1, 1e-10, "heat");
                    if (!(now_low >= low && now_high <= high)) fail_msg("kernel %d", kernel);
                }
                close_still(&b);
            }
}

// The loops of every instruction set, from the same start.
extern const OndLoops ond_loops_base;
extern const OndLoops ond_loops_v3 __attribute__((weak)), ond_loops_v4 __attribute__((weak));

static void test_instruction_sets(void **state)
{
    const OndLoops *sets[] = {&ond_loops_base, &ond_loops_v3, &ond_loops_v4};
    float *first = NULL;
    for (int k = 0; k <= (int)ond_cpu_isa(); ++k) {
        Still b = mixture(3, true);
        set_sides(&b, OND_SIDE_WALL, OND_SIDE_OPEN, OND_SIDE_PERIODIC);
        warm_side(&b, 0, 90);
        b.world.air_exchange = 200;
        open_still(&b);
        b.s->loops = sets[k];
        for (int step = 0; step < 4; ++step)
            spread(&b, 0.01 * pow(30, step));
        const size_t bytes = (size_t)b.s->fields.count * sizeof *first;
        if (!first) first = memcpy(malloc(bytes), b.s->temperature, bytes);
        for (int i = 0; i < b.s->fields.count; ++i)
            CHECK_NEAR(b.s->temperature[i], first[i], 0.01, "instruction set");
        close_still(&b);
    }
    free(first);
}

// ---- the same bits

static void test_any_number_of_threads(void **state)
{
    static const int threads[] = {1, 2, 4};
    for (int solver = OND_HEAT_IMPLICIT; solver <= OND_HEAT_THESIS; ++solver) {
        uint64_t first = 0;
        for (int t = 0; t < 3; ++t) {
            ond_threads_set(threads[t]);
            Still b = mixture(3, true);
            const OndHeatSource source = {
                .inside = anywhere, .power = 9, .surface = true, .to = 99};
            b.cells[0] = b.cells[2] = 24;
            b.world.box.max.x = b.world.box.max.z = 0.24;
            set_sides(&b, OND_SIDE_WALL, OND_SIDE_OPEN, OND_SIDE_WALL);
            warm_side(&b, 1, 90);
            b.world.air_exchange = 20;
            b.world.heat = &source, b.world.heat_count = 1;
            b.def.heat.solver = solver;
            open_still(&b);
            for (int step = 0; step < 3; ++step)
                spread(&b, 0.1 * pow(30, step));
            const uint64_t got = hash_fields(&b.s->fields);
            if (t == 0) first = got;
            if (got != first) fail_msg("%d threads give other bits", threads[t]);
            close_still(&b);
        }
    }
    ond_threads_set(1);
}

// A run that goes on from a checkpoint equals one that never stopped.
static void test_resumed(void **state)
{
    Stage *s = stage_open(
        "dimension: 2\nduration: 10\n"
        "domain: {min: [0, 0], max: [0.4, 0.4], temperature: 90}\n"
        "fluid:\n  - {spacing: 0.02, conductivity: 500, latent_heat: 200000, T_solid: 30,\n"
        "     T_liquid: 31, rigidity: 0, shape: {type: box, min: [0, 0], max: [0.2, 0.3]}}\n"
        "  - {spacing: 0.02, conductivity: 0.6, temperature: 60,\n"
        "     shape: {type: box, min: [0.2, 0], max: [0.4, 0.1]}}\n");
    for (int step = 0; step < 40; ++step)
        stage_step(s);
    OndCheckpoint c;
    OndError err = {0};
    ond_sim_checkpoint(s->sim, &c);
    OndSim *other = ond_sim_remake(&s->scene, NULL, &c, &err);
    if (!other) fail_msg("%s", err.text);
    for (int step = 0; step < 40; ++step) {
        stage_step(s);
        if (ond_sim_step(other, &err) != OND_OK) fail_msg("%s", err.text);
    }
    OndFrame frame;
    ond_sim_frame(other, &frame);
    if (hash_fields(&frame.particles) != hash_fields(&s->frame.particles)) fail_msg("other bits");
    ond_sim_destroy(other);
    stage_close(s);
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
        cmocka_unit_test(test_layers),
        cmocka_unit_test(test_kept_at_any_step),
        cmocka_unit_test(test_small_changes_add_up),
        cmocka_unit_test(test_thesis),
        cmocka_unit_test(test_explicit_bursts),
        cmocka_unit_test(test_every_kernel),
        cmocka_unit_test(test_instruction_sets),
        cmocka_unit_test(test_any_number_of_threads),
        cmocka_unit_test(test_resumed),
    };
    return cmocka_run_group_tests_name("heat", tests, NULL, NULL);
}
