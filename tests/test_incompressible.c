// SPDX-License-Identifier: MIT
// ctest: slow
// Pressure solvers that keep the volume: what rests stays at rest, under the right pressure, at walls
// and at faces of solids of any shape; nothing bursts.
#include "stage.h"

#define G 9.81

// What a pool did.
typedef struct Rest {
    double fastest, mean; // m/s, in the last second
    double layer, slope; // pressure of layers: the worst, and how it grows with depth; over rho g d
    double density, level; // mean error; how far the middle of the mass sank, spacings
    double surface;        // how far the highest particle has gone, spacings
    double gained;         // the most energy above what it began with, over m g d
    double iterations;
} Rest;

typedef struct Pool {
    const char *name;
    double spacing, depth, middle; // how far from x = 0 pressures are looked at; 0: everywhere
    const char *scene;             // with %g for the spacing, after its method
} Pool;

static Stage *open_pool(const Pool *p, const char *method)
{
    char yaml[3000], scene[2000];
    snprintf(scene, sizeof scene, p->scene, p->spacing);
    snprintf(yaml, sizeof yaml, "duration: 30\nframe_rate: 20\nmethod: {%s}\n%s", method, scene);
    return stage_open(yaml);
}

static double mean_height(const Stage *s)
{
    double sum = 0;
    for (int i = 0; i < s->count; ++i)
        sum += s->x[1][i] / s->count;
    return sum;
}

#define SLABS 16

// What is two spacings thick, added up over time. (Layers of a lattice may alternate by some per cent: that
// pushes nobody.)
typedef struct Slab {
    double count, y, pressure;
} Slab;

static void add_slabs(const Stage *s, const Pool *p, Slab slab[SLABS])
{
    for (int i = 0; i < s->count; ++i) {
        const int l = (int)floor(0.5 * s->x[1][i] / p->spacing);
        if (p->middle > 0 && hypot(s->x[0][i], s->x[2][i]) > p->middle) continue;
        if (l < 0 || l >= SLABS) continue;
        slab[l].count += 1, slab[l].y += s->x[1][i], slab[l].pressure += s->pressure[i];
    }
}

// Without what is within the kernel of the surface.
static void look_at_slabs(const Slab slab[SLABS], const Pool *p, Rest *r)
{
    double n = 0, sy = 0, syy = 0, sp = 0, syp = 0;
    const int slabs = ((int)lround(p->depth / p->spacing) - 2) / 2;
    assert_true(slabs <= SLABS);
    for (int l = p->middle > 0; l < slabs; ++l) {
        const double y = slab[l].y / slab[l].count, pressure = slab[l].pressure / slab[l].count;
        const double off = pressure / (1000 * G * (p->depth - y)) - 1;
        if (!(slab[l].count > 0)) continue;
        if (fabs(off) > fabs(r->layer)) r->layer = off;
        n += 1, sy += y, syy += y * y, sp += pressure, syp += y * pressure;
    }
    r->slope = (n * syp - sy * sp) / (n * syy - sy * sy) / (-1000 * G);
}

static double top_of(const Stage *s)
{
    double top = -INFINITY;
    for (int i = 0; i < s->count; ++i)
        top = fmax(top, s->x[1][i]);
    return top;
}

static Rest rest_of(const Pool *p, const char *method, double seconds)
{
    Stage *s = open_pool(p, method);
    Rest r = {0};
    Slab slab[SLABS] = {{0}};
    const double start = mean_height(s), top = top_of(s);
    double began = NAN, mass = s->count * 1000 * pow(p->spacing, s->scene.dimension);
    int steps = 0, late = 0;
    for (; ond_sim_time(s->sim) < seconds - 1e-9; ++steps) {
        OndStepRecord now;
        stage_step(s);
        ond_sim_record(s->sim, &now);
        if (isnan(began)) began = now.potential;
        r.gained = fmax(r.gained, (now.kinetic + now.potential - began) / (mass * G * p->depth));
        r.iterations += now.iterations;
        if (now.time < seconds - 1) continue;
        r.fastest = fmax(r.fastest, now.max_speed);
        r.mean += sqrt(2 * now.kinetic / mass), r.density += now.density_error, ++late;
        add_slabs(s, p, slab);
    }
    r.iterations /= steps, r.mean /= late, r.density /= late;
    r.level = (start - mean_height(s)) / p->spacing;
    r.surface = (top_of(s) - top) / p->spacing;
    look_at_slabs(slab, p, &r);
    print_message(
        "%s, %s: pressure of layers %+.1f %%, slope %.3f; fastest %.3f m/s, %.4f in the "
        "mean; %.4f %% too dense; sank by %.2f spacings, its top by %.2f; gained %.1e; %.1f "
        "iterations\n",
        p->name, method, 100 * r.layer, r.slope, r.fastest, r.mean, 100 * r.density, r.level,
        -r.surface, r.gained, r.iterations);
    stage_close(s);
    return r;
}

// ---- still pools, 1 m deep

#define WATER_2D(wide, more)                                                                       \
    "fluid: [{spacing: %g, density: 1000, shape: {type: box, min: [0, 0], max: [" wide             \
    ", 1]}}]\n" more
#define WATER_3D(more)                                                                             \
    "fluid: [{spacing: %g, density: 1000, shape: {type: box, min: [0, 0, 0], max: [0.4, 1, "       \
    "0.4]}}]\n" more

static const Pool walls[] = {
    {"walls, 2D", 0.05, 1, 0,
     "dimension: 2\ndomain: {min: [0, 0], max: [0.6, 1.4]}\n" WATER_2D("0.6", "")},
    {"walls, 3D", 0.05, 1, 0, "domain: {min: [0, 0, 0], max: [0.4, 1.4, 0.4]}\n" WATER_3D("")},
    {"faces, 2D", 0.05, 1, 0,
     "dimension: 2\ndomain: {min: [-1, -1], max: [2, 2]}\n" WATER_2D(
         "0.6", "solid: [{name: tank, use: container, shape: {type: box, min: [0, 0], max: [0.6, "
                "1.4]}}]\n")},
    {"faces, 3D", 0.05, 1, 0,
     "domain: {min: [-1, -1, -1], max: [2, 2, 2]}\n" WATER_3D(
         "solid: [{name: tank, use: container, shape: {type: box, min: [0, 0, 0], max: [0.4, 1.4, "
         "0.4]}}]\n")},
};

// From the first step on no energy comes from nowhere: a solve that counts what is crowded alone
// throws the second of them up by 8 m/s.
static void test_still_pools(void **state)
{
    (void)state;
    for (int k = 0; k < OND_COUNT(walls); ++k) {
        const Rest r = rest_of(&walls[k], "pressure: cg", k == 3 ? 3 : 5);
        const bool faces = k >= 2;
        CHECK_NEAR(r.layer, 0, 0.02, "pressure of a layer over rho g d");
        CHECK_NEAR(r.slope, 1, 0.01, "pressure's slope over rho g");
        CHECK_NEAR(r.density, 0, 1e-4, "mean density error");
        CHECK_NEAR(r.level, 0, 0.05, "how far the middle of the pool sank, spacings");
        CHECK_NEAR(r.surface, 0, 0.5, "how far its surface went, spacings");
        CHECK_NEAR(r.gained, 0, faces ? 5e-4 : 1e-5, "energy from nowhere over m g d");
        CHECK_NEAR(r.mean, 0, 0.006, "mean speed, m/s"); // a fifth of 1 % of sqrt(g d)
    }
}

// As they were published they stop at the scene's density error; but they need more iterations.
static void test_published_solvers(void **state)
{
    (void)state;
    const char *const name[] = {"pressure: pcisph", "pressure: iisph", "pressure: dfsph"};
    for (int m = 0; m < OND_COUNT(name); ++m)
        for (int k = 0; k < 3; k += 2) {
            const Rest r = rest_of(&walls[k], name[m], 3);
            CHECK_NEAR(r.layer, 0, 0.02, name[m]);
            CHECK_NEAR(r.slope, 1, 0.015, name[m]);
            CHECK_NEAR(r.density, 0, 6e-4, name[m]);
            CHECK_NEAR(r.level, 0, 0.05, name[m]);
            CHECK_NEAR(r.gained, 0, 5e-4, name[m]);
            CHECK_NEAR(r.mean, 0, 0.015, name[m]);
        }
}

// ---- pools in and round what is no box

static const Pool shapes[] = {
    {"wedge", 0.04, 1, 0,
     "dimension: 2\ndomain: {min: [-1.5, -0.2], max: [1.5, 1.6]}\n"
     "fluid: [{spacing: %g, density: 1000, shape: {type: box, min: [-1.4, 0], max: [1.4, 1]}}]\n"
     "solid:\n  - {name: left, shape: {type: plane, point: [0, 0], normal: [1, 1]}}\n"
     "  - {name: right, shape: {type: plane, point: [0, 0], normal: [-1, 1]}}\n"},
    {"round a ball and a box", 0.04, 1, 0,
     "dimension: 2\ndomain: {min: [0, 0], max: [1, 1.4]}\n" WATER_2D(
         "1", "solid:\n  - {name: rock, shape: {type: sphere, center: [0.5, 0.35], radius: 0.2}}\n"
              "  - {name: box, shape: {type: box, min: [0.7, 0], max: [0.9, 0.3]}}\n")},
    {"bowl", 0.0833333, 1, 0.3,
     "domain: {min: [-1.2, -0.2, -1.2], max: [1.2, 2, 1.2]}\n"
     "fluid: [{spacing: %g, density: 1000, shape: {type: box, min: [-1, 0, -1], max: [1, 1, 1]}}]\n"
     "solid: [{name: bowl, use: container, shape: {type: sphere, center: [0, 1, 0], radius: "
     "1}}]\n"},
};

// Beside what is round the pressure of the outermost particles is too high, up to twice in the first
// layer: in the bowl the lowest are left out.
static void test_shapes(void **state)
{
    (void)state;
    for (int k = 0; k < OND_COUNT(shapes); ++k) {
        const Rest r = rest_of(&shapes[k], "pressure: cg", 5);
        CHECK_NEAR(r.slope, 1, 0.08, shapes[k].name);
        CHECK_NEAR(r.density, 0, 1e-4, shapes[k].name);
        CHECK_NEAR(r.level, 0, 0.5, shapes[k].name);
        CHECK_NEAR(r.mean, 0, 0.02, shapes[k].name);
        CHECK_NEAR(r.fastest, 0, 0.3, shapes[k].name); // single ones, in a gap of 2.5 spacings
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_still_pools),
        cmocka_unit_test(test_published_solvers),
        cmocka_unit_test(test_shapes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
