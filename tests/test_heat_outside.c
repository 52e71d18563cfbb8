// SPDX-License-Identifier: MIT
// Heat from outside: walls by their area, air by what is exposed, sources by their power.
#include "still.h"

// ---- walls, air, sources

static const struct {
    const char *name;
    int walls, solver;
    double jitter, pitch;
    double area, flux; // how far these may be off
} floors[] = {{"mirrored", OND_WALL_MIRROR, OND_HEAT_IMPLICIT, 0, 1, 0.002, 0.002},
              {"bare", OND_WALL_PROJECT, OND_HEAT_IMPLICIT, 0, 1, 0.002, 0.002},
              {"mirrored, disordered", OND_WALL_MIRROR, OND_HEAT_IMPLICIT, 0.2, 1, 0.2, 0.06},
              {"bare, disordered", OND_WALL_PROJECT, OND_HEAT_IMPLICIT, 0.2, 1, 0.05, 0.06},
              {"bare, very disordered", OND_WALL_PROJECT, OND_HEAT_IMPLICIT, 0.35, 1, 0.1, 0.1},
              {"bare, crowded", OND_WALL_PROJECT, OND_HEAT_IMPLICIT, 0.1, 0.75, 0.05, INFINITY},
              {"bare, thesis", OND_WALL_PROJECT, OND_HEAT_THESIS, 0, 1, 0.002, INFINITY},
              {"mirrored, thesis", OND_WALL_MIRROR, OND_HEAT_THESIS, 0, 1, 0.002, INFINITY}};

// What flows out through the ceiling once all is steady and the floor is shut.
static double steady_flux(Still *b)
{
    spread(b, 1e9);
    b->s->world.side[2].heats = false;
    const double before = total_heat(b);
    spread(b, 1e-3);
    return (before - total_heat(b)) / 1e-3;
}

// At first a floor gives the heat of its area, half a spacing deep; at last what goes through a
// layer of that height.
static void test_wall_area(void **state)
{
    for (int k = 0; k < OND_COUNT(floors); ++k) {
        Still b = strip(16, 8, 16, 0.01);
        set_sides(&b, OND_SIDE_PERIODIC, OND_SIDE_WALL, OND_SIDE_PERIODIC);
        b.world.wall_model = floors[k].walls;
        b.jitter = floors[k].jitter, b.pitch = floors[k].pitch;
        b.world.box.max.x *= b.pitch;
        b.def.heat.solver = floors[k].solver;
        warm_side(&b, 2, 1);
        open_still(&b);
        const double dt = 1e-4 * 1e-4 / 1e-6, area = 0.16 * 0.16 * b.pitch;
        spread(&b, dt);
        const double share = total_heat(&b) / (1.0 * area / 0.005 * dt);
        CHECK_NEAR(share, 1, floors[k].area, floors[k].name);
        b.s->world.side[3].heats = true; // 0 degrees
        const bool both = isfinite(floors[k].flux);
        const double flux = both ? steady_flux(&b) / (1.0 * area / 0.08) : 1;
        print_message("wall, %s: area %.4f%s", floors[k].name, share, both ? "" : "\n");
        if (both) print_message(" and flux %.4f of what they are\n", flux);
        CHECK_NEAR(flux, 1, floors[k].flux, floors[k].name);
        close_still(&b);
    }
}

static bool in_ball(double x, double y, double z)
{
    x -= 0.1, y -= 0.1, z -= 0.1;
    return x * x + y * y + z * z < 0.08 * 0.08;
}

static bool under_slope(double x, double y, double z)
{
    return y < x - 0.001; // 45 degrees
}

static double exposed(const Still *b, int *inside)
{
    double sum = 0;
    *inside = 0;
    for (int i = 0; i < b->s->fields.count; ++i) {
        sum += b->s->heat->area[i];
        *inside += b->s->heat->area[i] == 0;
    }
    return sum;
}

static void test_exposed_area(void **state)
{
    enum { P = OND_SIDE_PERIODIC, O = OND_SIDE_OPEN, W = OND_SIDE_WALL };
    static const struct {
        const char *name;
        int size[3], side[3];
        double smoothing, jitter;
        double area, within; // spacings^2
        bool (*keep)(double, double, double);
        int walls;
    } cases[] = {
        {"sheet", {16, 16, 16}, {P, O, P}, 2, 0, 512, 5, NULL, 0},
        {"flat sheet", {20, 20, 0}, {P, O, P}, 2, 0, 40, 0.4, NULL, 0},
        {"wide kernel", {16, 16, 16}, {P, O, P}, 3, 0, 512, 5, NULL, 0},
        {"disordered", {16, 16, 16}, {P, O, P}, 2, 0.1, 512, 26, NULL, 0},
        {"very disordered", {16, 16, 16}, {P, O, P}, 2, 0.2, 512, 80, NULL, 0},
        {"block", {16, 16, 16}, {O, O, O}, 2, 0, 1536, 120, NULL, 0}, // its edges are round
        {"one layer", {16, 1, 16}, {P, O, P}, 2, 0, 512, 5, NULL, 0},
        {"one particle", {1, 1, 1}, {O, O, O}, 2, 0, 6, 0.1, NULL, 0},
        {"ball", {20, 20, 20}, {O, O, O}, 2, 0, 4 * OND_PI * 64, 80, in_ball, 0},
        {"slope", {20, 20, 16}, {O, O, P}, 2, 0, 16 * (40 + 20 * 1.41421), 60, under_slope, 0},
        {"full box", {12, 12, 12}, {W, W, W}, 2, 0.1, 0, 0, NULL, OND_WALL_MIRROR},
        {"full bare box", {12, 12, 12}, {W, W, W}, 2, 0.1, 0, 1, NULL, OND_WALL_PROJECT},
        {"disorder inside", {16, 16, 16}, {P, P, P}, 2, 0.15, 0, 0, NULL, 0},
    };
    for (int k = 0; k < OND_COUNT(cases); ++k) {
        Still b = strip(cases[k].size[0], cases[k].size[1], cases[k].size[2], 0.01);
        set_sides(&b, cases[k].side[0], cases[k].side[1], cases[k].side[2]);
        b.world.wall_model = cases[k].walls, b.jitter = cases[k].jitter, b.keep = cases[k].keep;
        b.def.smoothing = cases[k].smoothing;
        b.world.air_exchange = 1, b.world.air_temperature = 1;
        open_still(&b);
        spread(&b, 1e-3);
        int inside;
        const double unit = pow(0.01, b.world.dimension - 1), area = exposed(&b, &inside) / unit;
        print_message("exposed, %s: %.1f of %.1f; %d of %d inside\n", cases[k].name, area,
                      cases[k].area, inside, b.s->fields.count);
        CHECK_NEAR(area, cases[k].area, cases[k].within, cases[k].name);
        close_still(&b);
    }
}

// A pool that has come to rest, where particles crowd at bare walls: its surface and its floor have
// the area of the box.
static void test_pool(void **state)
{
    for (int walls = OND_WALL_MIRROR; walls <= OND_WALL_PROJECT; ++walls) {
        Still b = strip(12, 8, 12, 0.01);
        set_sides(&b, OND_SIDE_WALL, OND_SIDE_WALL, OND_SIDE_WALL);
        b.world.box.max.y = 0.2;
        b.world.gravity[1] = -9.81f;
        b.world.wall_model = walls;
        b.world.air_exchange = 1, b.world.air_temperature = 0;
        warm_side(&b, 2, 1);
        open_still(&b);
        OndError err = {0};
        while (b.s->time < 0.3)
            if (ond_sph_method.prepare(b.s, &err) != OND_OK ||
                ond_sph_method.advance(b.s, ond_sph_method.largest_step(b.s), NULL, &err) != OND_OK)
                fail_msg("%s", err.text);
        for (int i = 0; i < b.s->fields.count; ++i)
            ond_heat_store(b.s, i, 0);
        look(&b);
        spread(&b, 0.01);
        int inside;
        const double floor = total_heat(&b) / (0.0144 / 0.005 * 0.01),
                     surface = exposed(&b, &inside) / 0.0144;
        print_message("pool, %s walls: surface %.3f, floor %.3f\n", walls ? "bare" : "mirrored",
                      surface, floor);
        CHECK_NEAR(surface, 1, 0.2, "surface");
        CHECK_NEAR(floor, 1, walls ? 0.03 : 0.12, "floor");
        close_still(&b);
    }
}

// A block that conducts well cools as one: T = exp(-h A t / (rho c V)).
static void test_air_cools(void **state)
{
    Still b = strip(12, 12, 12, 0.01);
    set_sides(&b, OND_SIDE_PERIODIC, OND_SIDE_OPEN, OND_SIDE_PERIODIC);
    b.temperature = hot;
    b.world.material[0].conductivity = 400;
    b.world.air_exchange = 50; // Biot number 0.0075
    open_still(&b);
    const double rate = 50 * 2 / (1e6 * 0.12), time = 1 / rate; // two sides, 0.12 m thick
    for (int step = 0; step < 200; ++step)
        spread(&b, time / 200);
    print_message("air: %.4f left, exact %.4f\n", mean_temperature(&b), exp(-1));
    CHECK_NEAR(mean_temperature(&b), exp(-1), 0.01 * exp(-1), "cooled");
    close_still(&b);
}

static bool left_of(const void *shape, OndVec at)
{
    return at.x < *(const double *)shape;
}

// A source brings what its power and time say, whatever the steps are, and to what is there.
static void test_power(void **state)
{
    const double left = 0.03;
    const OndHeatSource sources[] = {
        {.inside = anywhere, .power = 5, .from = 0.35, .to = 1.65},
        {.inside = left_of, .shape = &left, .power = 3, .from = 0, .to = 1e9},
        {.inside = anywhere, .power = -2, .surface = true, .from = 1, .to = 1.5},
    };
    static const double steps[] = {0.01, 0.1, 0.7, 1.9};
    for (int melts = 0; melts < 2; ++melts)
        for (int k = 0; k < OND_COUNT(steps); ++k) {
            Still b = mixture(3, melts);
            set_sides(&b, OND_SIDE_OPEN, OND_SIDE_WALL, OND_SIDE_WALL);
            b.world.material[2].conductivity = 0.5f;
            b.world.heat = sources, b.world.heat_count = 3;
            open_still(&b);
            const double before = total_heat(&b);
            while (b.s->time < 1.9 - 1e-9)
                spread(&b, fmin(steps[k], 1.9 - b.s->time));
            const double got = total_heat(&b) - before, want = 5 * 1.3 + 3 * 1.9 - 2 * 0.5;
            print_message("power in steps of %g s: %.6f J of %.6f J\n", steps[k], got, want);
            CHECK_NEAR(got, want, 1e-7 * want, "power");
            close_still(&b);
        }
}

static bool in_two_pieces(double x, double y, double z)
{
    return x < 0.04 || x > 0.08; // out of each other's reach
}

static double half_frozen(double x, double y, double z)
{
    return x < 0.02 ? -273.15 : x < 0.04 ? -273.15 + 50 * y : 20;
}

// Heat on one side of x = 0.06, J above absolute zero.
static double above_zero(const Still *b, bool left)
{
    double sum = 0;
    for (int i = 0; i < b->s->fields.count; ++i)
        if ((b->s->x[0][i] < 0.06f) == left)
            sum += ond_heat_held(curve_of(b, i), ond_heat_load(b->s, i)) -
                   ond_heat_held(curve_of(b, i), -273.15);
    return sum;
}

// A sink takes what is there where it acts, and not what is elsewhere: one piece is cooled to
// absolute zero and beyond, if it went by power and time alone; the other is not touched. Two
// sinks at one place do not take the same heat twice.
static void test_sink(void **state)
{
    const double left = 0.06;
    static const double powers[] = {-0.001, -1, -1e3, -1e12}, steps[] = {1e-3, 1, 1e4};
    for (int k = 0; k < OND_COUNT(powers) * OND_COUNT(steps); ++k) {
        const double power = powers[k % 4], dt = steps[k / 4];
        const OndHeatSource sinks[] = {
            {.inside = left_of, .shape = &left, .power = (float)power, .to = 1e9},
            {.inside = left_of, .shape = &left, .power = (float)power, .surface = true, .to = 1e9}};
        Still b = strip(12, 6, 6, 0.01);
        b.keep = in_two_pieces, b.temperature = half_frozen;
        b.world.heat = sinks, b.world.heat_count = 2;
        open_still(&b);
        const double mine = above_zero(&b, true), others = above_zero(&b, false);
        for (int step = 0; step < 5; ++step)
            spread(&b, dt);
        const double gone = mine - above_zero(&b, true), most = fmin(-10 * power * dt, mine);
        float low, high;
        bounds(&b, &low, &high);
        print_message("sinks of %g W, steps of %g s: %.6g J of %.6g J, elsewhere %.2g\n", power, dt,
                      gone, most, above_zero(&b, false) / others - 1);
        CHECK_NEAR(above_zero(&b, false) / others, 1, 1e-13, "what is elsewhere");
        if (!(gone > 0 && gone <= most + 1e-12 * others))
            fail_msg("sinks of %g W took %.9g J in %g s", power, gone, 5 * dt);
        if (low < -273.15f) fail_msg("colder than can be: %.9g", low);
        if (power * dt < -1e6) CHECK_NEAR(gone / mine, 1, 1e-9, "all that was there");
        close_still(&b);
    }
}

// A source with a temperature leads towards it and never beyond.
static void test_transfer(void **state)
{
    const OndHeatSource source = {
        .inside = anywhere, .transfer = 1e5, .temperature = 80, .to = 1e9};
    Still b = strip(8, 8, 8, 0.01);
    b.world.heat = &source, b.world.heat_count = 1;
    open_still(&b);
    for (int step = 0; step < 100; ++step)
        spread(&b, 0.05);
    CHECK_NEAR(mean_temperature(&b), 80 * (1 - exp(-0.5)), 0.2,
               "after half its time"); // rho c / h: 10 s
    float low, high;
    spread(&b, 1e7);
    bounds(&b, &low, &high);
    CHECK_NEAR(low, 80, 1e-3, "at last");
    if (high > 80) fail_msg("hotter than the source: %.9g", high);
    close_still(&b);
}

// Walls and air at any step: within the bounds of all that is there.
static void test_bounds_with_walls(void **state)
{
    for (int walls = 0; walls < 2; ++walls)
        for (double dt = 1e-2; dt < 1e12; dt *= 100) {
            Still b = mixture(3, true);
            b.world.wall_model = walls ? OND_WALL_PROJECT : OND_WALL_MIRROR;
            set_sides(&b, OND_SIDE_WALL, OND_SIDE_WALL, OND_SIDE_OPEN);
            warm_side(&b, 0, 120), warm_side(&b, 2, -15), warm_side(&b, 3, 30);
            b.world.air_exchange = 20, b.world.air_temperature = 15;
            open_still(&b);
            float low, high;
            for (int step = 0; step < 3; ++step) {
                spread(&b, dt);
                bounds(&b, &low, &high);
                if (!(low >= -15 && high <= 120))
                    fail_msg("step of %g s: %.9g to %.9g", dt, low, high);
            }
            close_still(&b);
        }
}

int main(void)
{
    ond_threads_set(1); // too small for more
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_wall_area), cmocka_unit_test(test_exposed_area),
        cmocka_unit_test(test_pool),      cmocka_unit_test(test_air_cools),
        cmocka_unit_test(test_power),     cmocka_unit_test(test_sink),
        cmocka_unit_test(test_transfer),  cmocka_unit_test(test_bounds_with_walls),
    };
    return cmocka_run_group_tests_name("heat from outside", tests, NULL, NULL);
}
