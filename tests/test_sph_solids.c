// SPDX-License-Identifier: MIT
// ctest: slow
// The liquid and solids at rest: density, pressure, layers, loads, momentum.
#include "solid_meshes.h"
#include "wet.h"

#include "physics/wall_density.h"

static double of_weight(const Wet *w)
{
    return wet_mass(w) * 9.81;
}

// ---- a full box has no surface: everything is at rest density, and nothing moves

static void test_full_box(void **state)
{
    for (int d = 2; d <= 3; ++d) {
        Wet w = wet_make(d, 0.05);
        OndArena arena = {0};
        const OndBox box = {{0, 0, d == 2 ? -1 : 0}, {0.6, 0.5, d == 2 ? 1 : 0.4}};
        const OndSolidDef def = {.name = "box",
                                 .kind = OND_SOLID_SHAPE,
                                 .shape = ond_shape_box(&arena, box.min, box.max),
                                 .container = true,
                                 .slip = 1};
        memset(w.world.gravity, 0, sizeof w.world.gravity);
        w.def.sound_speed = 10;
        wet_solids(&w, &def, 1);
        wet_fill(&w, box, NULL);
        wet_step(&w);
        double most[4] = {0}; // by how many walls are near
        for (int i = 0; i < w.s->fields.count; ++i) {
            int walls = 0;
            for (int a = 0; a < d; ++a)
                walls += w.s->x[a][i] < 0.05 || w.s->x[a][i] > ond_axis(box.max, a) - 0.05;
            most[walls] = fmax(most[walls], fabs(w.s->density[i] / 1000.0 - 1.0));
        }
        print_message("full box, %dD: density off by %.2g inside, %.2g at walls, %.2g at edges, "
                      "%.2g in corners\n",
                      d, most[0], most[1], most[2], most[3]);
        CHECK_NEAR(most[0], 0, 1e-5, "density inside");
        CHECK_NEAR(most[1], 0, 1e-4, "density at a wall");
        CHECK_NEAR(most[2], 0, 1e-3, "density at an edge");
        CHECK_NEAR(most[3], 0, 0.02, "density in a corner");
        wet_close(&w);
        ond_arena_free(&arena);
    }
}

// ---- round a box that is flush with the lattice everything is at rest density, too

static const OndBox block = {{0.4, 0.35, 0.3}, {0.8, 0.6, 0.6}};

static bool is_round_block(const Wet *w, OndVec at)
{
    for (int a = 0; a < w->world.dimension; ++a)
        if (ond_axis(at, a) < ond_axis(block.min, a) || ond_axis(at, a) > ond_axis(block.max, a))
            return true;
    return false;
}

// Of how many faces it is in front; 0 when it is farther than a spacing from one.
static int faces_of_block(const Wet *w, int i)
{
    int faces = 0;
    for (int a = 0; a < w->world.dimension; ++a) {
        const double out =
            fmax(ond_axis(block.min, a) - w->s->x[a][i], w->s->x[a][i] - ond_axis(block.max, a));
        if (out > w->world.spacing) return 0;
        faces += out > 0.0;
    }
    return faces;
}

static void check_round_block(int dimension, const OndSolidDef *def, const char *name)
{
    Wet w = wet_make(dimension, 0.05);
    memset(w.world.gravity, 0, sizeof w.world.gravity);
    w.def.sound_speed = 10;
    wet_solids(&w, def, 1);
    wet_fill(&w, (OndBox){{0, 0, 0}, {1.2, 1, 0.9}}, is_round_block);
    wet_step(&w);
    double most[4] = {0};
    for (int i = 0; i < w.s->fields.count; ++i) {
        const int faces = faces_of_block(&w, i);
        most[faces] = fmax(most[faces], fabs(w.s->density[i] / 1000.0 - 1.0));
    }
    print_message("round a %s, %dD: density off by %.2g at faces, %.2g at edges, %.2g at corners\n",
                  name, dimension, most[1], most[2], most[3]);
    CHECK_NEAR(most[1], 0, 1e-4, "density at a face");
    CHECK_NEAR(most[2], 0, 4e-3, "density at an edge");
    CHECK_NEAR(most[3], 0, 2e-3, "density at a corner");
    wet_close(&w);
}

static void test_round_block(void **state)
{
    OndArena arena = {0};
    const OndSolidDef shape = shape_def(ond_shape_box(&arena, block.min, block.max), false);
    OndMesh coarse = box_mesh(block.min, block.max, 1, true),
            fine = box_mesh(block.min, block.max, 7, true);
    const OndSolidDef coarse_def = mesh_def(&coarse, false, true),
                      fine_def = mesh_def(&fine, false, true);
    check_round_block(2, &shape, "box");
    check_round_block(3, &shape, "box");
    check_round_block(3, &coarse_def, "mesh of 12 triangles");
    check_round_block(3, &fine_def, "mesh of 588 triangles");
    ond_mesh_free(&coarse), ond_mesh_free(&fine);
    ond_arena_free(&arena);
}

// ---- a still pool

typedef struct Still {
    double pressure, slope, speed, load; // rms share of rho g H; over rho g; m/s; of the weight
    double layer[4];                     // particles in the lowest layers over those that fill them
} Still;

// In a box of domain walls, or in the same box as a solid.
static Still still_pool(int dimension, double spacing, double seconds, bool solid)
{
    const double depth = 0.4;
    const OndBox box = {{0, 0, dimension == 2 ? -1 : 0}, {0.6, 0.8, dimension == 2 ? 1 : 0.3}};
    Wet w = wet_make(dimension, spacing);
    OndArena arena = {0};
    const OndSolidDef def = {.name = "tank",
                             .kind = OND_SOLID_SHAPE,
                             .shape = ond_shape_box(&arena, box.min, box.max),
                             .container = true,
                             .slip = 1};
    if (solid) wet_solids(&w, &def, 1);
    w.world.box = box;
    for (int side = 0; side < 6 && !solid; ++side)
        w.world.side[side].kind = OND_SIDE_WALL;
    wet_fill(&w, (OndBox){box.min, {0.6, depth, 0.3}}, NULL);
    const double filled = w.s->fields.count * pow(spacing, dimension) /
                          (dimension == 2 ? 0.6 : 0.6 * 0.3); // the depth that the lattice has
    Still r = {0};
    double steps = 0, n = 0, e2 = 0, sy = 0, syy = 0, sp = 0, syp = 0;
    while (w.time < seconds) {
        wet_step(&w);
        if (w.time < 0.5 * seconds || !solid) continue;
        r.load += ond_solids_loads(w.solids)[0].force.y, ++steps;
    }
    r.load = solid ? r.load / (-steps * of_weight(&w)) : 1;
    r.speed = wet_mean_speed(&w);
    for (int i = 0; i < w.s->fields.count; ++i) {
        const double y = w.s->x[1][i], p = w.s->pressure[i];
        if (y < 4 * spacing) r.layer[(int)(y / spacing)] += pow(spacing, dimension - 1);
        if (y > filled - 3 * spacing) continue;
        e2 += pow(p - 9810 * (filled - y), 2);
        n += 1, sy += y, syy += y * y, sp += p, syp += y * p;
    }
    for (int k = 0; k < 4; ++k)
        r.layer[k] /= dimension == 2 ? 0.6 : 0.6 * 0.3;
    r.pressure = sqrt(e2 / n) / (9810 * filled);
    r.slope = (n * syp - sy * sp) / (n * syy - sy * sy) / -9810;
    wet_close(&w);
    ond_arena_free(&arena);
    return r;
}

static void test_still_pool(void **state)
{
    for (int d = 2; d <= 3; ++d)
        for (int solid = 0; solid < 2; ++solid) {
            const Still r = still_pool(d, d == 2 ? 0.02 : 0.03, 2, solid);
            print_message("still pool, %dD, %s: pressure off by %.2f %% of rho g H (rms), slope "
                          "%.3f, mean speed %.4f m/s, load %.4f of the weight, layers %.3f %.3f "
                          "%.3f %.3f\n",
                          d, solid ? "solid" : "mirror", 100 * r.pressure, r.slope, r.speed, r.load,
                          r.layer[0], r.layer[1], r.layer[2], r.layer[3]);
            CHECK_NEAR(r.pressure, 0, 0.05, "hydrostatic pressure, share of rho g H");
            CHECK_NEAR(r.slope, 1, 0.05, "pressure gradient over rho g");
            CHECK_NEAR(r.speed, 0, 0.01, "mean speed of a still pool, m/s");
            if (!solid) continue;
            CHECK_NEAR(r.load, 1, 0.01, "load on the tank, share of the weight");
            for (int k = 0; k < 4; ++k)
                CHECK_NEAR(r.layer[k], r.layer[3], 0.05, "particles in a layer at the floor");
        }
}

// ---- what the liquid gains, solids lose

// Momentum at half steps, where leapfrog has it.
static OndVec momentum(const Wet *w)
{
    double sum[3] = {0};
    for (int i = 0; i < w->s->fields.count; ++i)
        for (int a = 0; a < 3; ++a)
            sum[a] += w->s->mass[0] *
                      ((double)w->s->v[a][i] - 0.5 * w->s->last_dt * (double)w->s->last[a][i]);
    return ond_vec(sum[0], sum[1], sum[2]);
}

static bool in_column(const Wet *w, OndVec at)
{
    return at.x < 0.3 && wet_free(w, at);
}

static void test_momentum(void **state)
{
    Wet w = wet_make(3, 0.05);
    OndArena arena = {0};
    const OndSolidDef def[] = {
        {.name = "tank",
         .kind = OND_SOLID_SHAPE,
         .container = true,
         .shape = ond_shape_box(&arena, ond_vec(0, 0, 0), ond_vec(1, 1, 0.4)),
         .slip = 0.5f,
         .restitution = 0.3f},
        {.name = "ball",
         .kind = OND_SOLID_SHAPE,
         .shape = ond_shape_sphere(&arena, ond_vec(0.6, 0.1, 0.2), 0.12),
         .slip = 0},
    };
    wet_solids(&w, def, 2);
    w.world.material[0].viscosity = 0.5f;
    w.def.step_rule = OND_STEP_FIXED;
    w.def.time_step = 0.001;
    wet_fill(&w, (OndBox){{0, 0, 0}, {1, 0.8, 0.4}}, in_column);
    wet_step(&w);
    double worst = 0, hardest = 0;
    for (int k = 0; k < 500; ++k) {
        const OndVec before = momentum(&w);
        wet_step(&w);
        OndVec given = ond_scale(ond_vec(0, -9.81f, 0), wet_mass(&w));
        for (int s = 0; s < 2; ++s)
            given = ond_sub(given, ond_solids_loads(w.solids)[s].force);
        const OndVec gained = ond_sub(momentum(&w), before);
        worst = fmax(worst, ond_length(ond_sub(gained, ond_scale(given, w.dt))));
        hardest = fmax(hardest, ond_length(given) * w.dt);
    }
    print_message("dam break on a ball: momentum astray by %.2g of what a step changes\n",
                  worst / hardest);
    CHECK_NEAR(worst / hardest, 0, 1e-4, "momentum of liquid and solids");
    wet_close(&w);
    ond_arena_free(&arena);
}

// ---- what is behind a face that bends

// Sums of W and of its slope over a ball of `radius`, or over all that is outside of a hollow one
// (below 0), as shares of those over the half-space; of W, also the mean depth there.
static void behind_ball(const OndKernelSet *kernel, double radius, double d, double share[3])
{
    enum { FINE = 400 };
    const double h = kernel->h, step = h / FINE;
    double sum[5] = {0};
    for (int k = -FINE; k < FINE; ++k)
        for (int l = 0; l < FINE; ++l) {
            const double z = (k + 0.5) * step, t = (l + 0.5) * step, r = hypot(z, t);
            const double off = z - d - radius;
            const double value = t * ond_kernel_value(*kernel, (float)(r * r));
            const double slope = -t * z * ond_kernel_gradient(*kernel, (float)r);
            const bool in = (off * off + t * t < radius * radius) == (radius > 0);
            if (r >= h) continue;
            if (z > d) sum[0] += value, sum[1] += slope, sum[2] += value * z;
            if (in) sum[3] += value, sum[4] += slope;
        }
    share[0] = sum[3] / sum[0], share[1] = sum[4] / sum[1], share[2] = sum[2] / sum[0];
}

static void test_bent(void **state)
{
    const OndKernelSet kernel = ond_kernel_set(OND_KERNEL_WENDLAND, 2, 3);
    static const double radius[] = {3, 5, 10, -10, -5};
    for (int k = 0; k < 5; ++k)
        for (double d = 0.25; d < 1.3; d += 0.25) {
            double share[3];
            behind_ball(&kernel, radius[k], d, share);
            const float bend = (float)(1 / radius[k]);
            CHECK_NEAR(ond_wall_bent(bend, (float)share[2]), share[0], 0.03 * share[0], "value");
            CHECK_NEAR(ond_wall_bent(bend, (float)d), share[1], 0.03 * share[1], "slope");
        }
}

int main(void)
{
    ond_threads_set(1); // too small for more
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_full_box),   cmocka_unit_test(test_round_block),
        cmocka_unit_test(test_still_pool), cmocka_unit_test(test_momentum),
        cmocka_unit_test(test_bent),
    };
    return cmocka_run_group_tests_name("sph_solids", tests, NULL, NULL);
}
