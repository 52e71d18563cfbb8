// SPDX-License-Identifier: MIT
// What a scene with a grid can say: every key is heard or refused; sources, sinks and heat.
#include "tank.h"

#define BOX(more) "domain: {min: [0, 0, 0], max: [1, 1, 1]" more "}\n"
#define SMOKE     "method: {type: smoke, cell: 0.125}\n"
#define STAM      "method: {type: stam, cell: 0.125}\n"
#define BALL      "shape: {type: sphere, center: [0.5, 0.5, 0.5], radius: 0.2}"

// Keys that do nothing on a grid, by section, and a part of what is said.
static void test_refused_keys(void **state)
{
    (void)state;
    static const struct {
        const char *yaml, *says;
    } cases[] = {
        {BOX(", restitution: 0.5") SMOKE, "restitution"},
        {BOX(", friction: 0.5") SMOKE, "friction"},
        {BOX(", walls: mirror") SMOKE, "walls"},
        {BOX(", margin: 0.01") SMOKE, "margin"},
        {BOX(", temperature: 50") SMOKE, "heat_diffusion"},
        {BOX(", sides: [{side: -x, friction: 1}]") SMOKE, "friction"},
        {BOX(", sides: [{side: -x, restitution: 1}]") SMOKE, "restitution"},
        {BOX(", sides: [{side: -x, temperature: 90}]") SMOKE, "heat_diffusion"},
        {BOX(", sides: [{side: +y, velocity: [1, 0, 0]}]") SMOKE, "give it `slip: 0`"},
        {BOX(", sides: [{side: -x, kind: open, slip: 0}]") SMOKE, "'slip' means nothing"},
        {BOX(", sides: [{side: -x, kind: open, velocity: [1, 0, 0]}]") SMOKE, "is open"},
        {BOX(", sides: [{side: -x, kind: open, temperature: 9}]") SMOKE, "is open"},
        {BOX("") SMOKE "fluid: [{spacing: 0.1}]\n", "`cell`"},
        {BOX("") SMOKE "fluid: [{material: water}]\n", "material"},
        {BOX("") SMOKE "fluid: [{density: 2}]\n", "`weight`"},
        {BOX("") SMOKE "fluid: [{viscosity: 2}]\n", "key of the method"},
        {BOX("") SMOKE "fluid: [{tension: 2}]\n", "free surface"},
        {BOX("") SMOKE "fluid: [{rigidity: 1}]\n", "melts or sets"},
        {BOX("") SMOKE "fluid: [{T_solid: 1, T_liquid: 2}]\n", "T_solid"},
        {BOX("") SMOKE "fluid: [{T_liquid: 2}]\n", "T_liquid"},
        {BOX("") SMOKE "fluid: [{conductivity: 2}]\n", "`heat_diffusion`"},
        {BOX("") SMOKE "fluid: [{specific_heat: 2}]\n", "key of the method"},
        {BOX("") SMOKE "fluid: [{latent_heat: 2}]\n", "latent_heat"},
        {BOX("") SMOKE "fluid: [{fixed: true}]\n", "nothing is held"},
        {BOX("") SMOKE "fluid: [{fixed_until: 2}]\n", "nothing is held"},
        {BOX("") SMOKE "fluid: [{" BALL ", regions: [{temperature: 3, " BALL "}]}]\n", "regions"},
        {BOX("") SMOKE "solid: [{friction: 1, " BALL "}]\n", "friction"},
        {BOX("") SMOKE "solid: [{restitution: 1, " BALL "}]\n", "restitution"},
        {BOX("") SMOKE "solid: [{temperature: 90, " BALL "}]\n", "heat_diffusion"},
        {BOX("") SMOKE "solid: [{sequence: {files: a_%d.obj}}]\n", "keep their shape"},
        {BOX("") SMOKE "air: {exchange: 20}\n", "`cooling`"},
        {BOX("") SMOKE "heat: [{surface: true, power: 3, " BALL "}]\n", "thin shape"},
        {BOX("") SMOKE "heat: [{" BALL "}]\n", "gives no heat"},
        {BOX("") SMOKE "surface: {cell: 1}\n", "free surface"},
        {BOX("") SMOKE "probe: [{type: level, at: [0, 0, 0]}]\n", "probes look at particles"},
        {BOX("") STAM "gravity: [0, -9, 0]\n", "gravity"},
        {BOX("") STAM "air: {temperature: 3}\n", "no temperature"},
        {BOX("") STAM "heat: [{power: 3, " BALL "}]\n", "no temperature"},
        {BOX("") STAM "source: [{flow: 1, " BALL "}]\n", "no sources"},
        {BOX("") STAM "fluid: [{temperature: 3, " BALL "}]\n", "no temperature"},
        {BOX(", temperature: 3") STAM, "no temperature"},
        {BOX(", sides: [{side: +y, temperature: 3}]") STAM, "no temperature"},
        {BOX("") STAM "solid: [{temperature: 3, " BALL "}]\n", "no temperature"},
        {BOX("") STAM "solid: [{slip: 1, " BALL "}]\n", "sticks to solids"},
        {BOX("") STAM "solid: [{density: 500, " BALL "}]\n", "no bodies"},
        {BOX("") STAM "solid: [{mass: 500, " BALL "}]\n", "no bodies"},
    };
    for (int c = 0; c < OND_COUNT(cases); ++c)
        tank_refused(cases[c].yaml, cases[c].says);
}

static void test_wrong(void **state)
{
    (void)state;
    static const struct {
        const char *yaml, *says;
    } cases[] = {
        {BOX("") "method: {type: current, cell: 0.125, solver: magic}\n", "2:46"},
        {BOX("") SMOKE "source: [{flow: 1, " BALL "}]\n",
         "closed domain with net inflow: at t = 0"},
        {BOX("") SMOKE "source: [{flow: 1, " BALL "}, {flow: -1, from: 0.5, " BALL "}]\n",
         "at t = 0 s"},
        {BOX("") SMOKE "source: [{flow: 1, from: 1, to: 2, " BALL "}, {flow: -1, from: 1, " BALL
                       "}]\n",
         "at t = 2 s"},
        {BOX(", sides: [{side: -x, velocity: [-1, 0, 0]}]") SMOKE "source: [{flow: 0.5, " BALL
                                                                  "}]\n",
         "-0.5 m^3/s"},
        {BOX(", x: open") SMOKE "source: [{flow: 1, shape: {type: sphere, center: [3, 3, 3], "
                                "radius: 0.1}}]\n",
         "no cell of the grid"},
        {BOX("") SMOKE "source: [{" BALL "}]\n", "brings nothing"},
        {BOX("") SMOKE "fluid: [{velocity: [\"1/x\", 0, 0], shape: {type: box, min: [0, 0, 0], "
                       "max: [1, 1, 1]}}]\n",
         "the velocity at the start is not finite"},
        {BOX("") SMOKE "source: [{rate: -1, density: 2, " BALL "}]\n", "nothing does"},
        {BOX("") SMOKE "source: [{rate: 1, from: 2, to: 1, " BALL "}]\n", "later than from"},
        {BOX("") SMOKE "tracer: [{" BALL "}]\n", "no tracers"},
        {BOX("") SMOKE "tracer: [{count: 3, spacing: 0.1, " BALL "}]\n", "not both"},
        {BOX("") SMOKE "tracer: [{count: 3, shape: {type: sphere, center: [3, 3, 3], radius: "
                       "0.1}}]\n",
         "outside the domain"},
        {BOX("") SMOKE "tracer: [{count: 3, " BALL "}]\nsolid: [{shape: {type: box, min: [0.2, "
                       "0.2, 0.2], max: [0.8, 0.8, 0.8]}}]\n",
         "solids fill it"},
        {BOX("") "tracer: [{count: 3, " BALL "}]\nfluid: [{spacing: 0.1, " BALL "}]\n",
         "drift in the flow of a grid"},
        {BOX("") "source: [{flow: 3, " BALL "}]\nfluid: [{spacing: 0.1, " BALL "}]\n",
         "use an emitter"},
    };
    for (int c = 0; c < OND_COUNT(cases); ++c)
        tank_refused(cases[c].yaml, cases[c].says);
}

// What a source brings leaves through the open side, and fills what is round it.
static void test_source(void **state)
{
    (void)state;
    Tank t;
    tank_open(&t, "dimension: 2\nduration: 9\nframe_rate: 10\ngravity: [0, 0]\n"
                  "domain: {min: [0, 0], max: [1, 1], sides: [{side: +x, kind: open}]}\n"
                  "method: {type: smoke, cell: 0.03125, tolerance: 1e-6}\n"
                  "source: [{flow: 0.3, temperature: 60, density: 0.5, shape: {type: sphere, "
                  "center: [0.3, 0.5, 0], radius: 0.1}}]\n");
    tank_run(&t, 0.5);
    double out = 0.0;
    for (int j = 0; j < 32; ++j)
        out += t.v[0][tank_at(&t, 32, j, 0)] * t.grid->h;
    CHECK_NEAR(out, 0.3, 1e-4, "as much leaves as comes");
    CHECK_NEAR(t.density[tank_at(&t, 9, 16, 0)], 0.5, 0.01, "as dense as the source");
    CHECK_NEAR(t.temperature[tank_at(&t, 9, 16, 0)], 60, 1, "as warm");
    CHECK_NEAR(t.density[tank_at(&t, 30, 16, 0)], 0, 0.02, "not there yet");
    const double area = tank_sum(&t, t.density) * t.grid->h * t.grid->h;
    CHECK_NEAR(area, 0.5 * 0.3 * 0.5, 0.01, "what came in half a second");
    OndStepRecord record;
    ond_sim_record(t.sim, &record);
    CHECK_NEAR(record.unconverged, 0, 0, "the source is part of what is solved");
    tank_close(&t);
}

// From a source to a sink in a closed box; and smoke that comes and goes without any volume.
static void test_sink(void **state)
{
    (void)state;
    Tank t;
    tank_open(&t, "dimension: 2\nduration: 9\nframe_rate: 10\ngravity: [0, 0]\n"
                  "domain: {min: [0, 0], max: [1, 1]}\n"
                  "method: {type: smoke, cell: 0.03125, tolerance: 1e-6}\n"
                  "source:\n"
                  "- {flow: 0.2, density: 0, shape: {type: sphere, center: [0.25, 0.5, 0], "
                  "radius: 0.1}}\n"
                  "- {flow: -0.2, shape: {type: sphere, center: [0.75, 0.5, 0], radius: 0.1}}\n");
    tank_run(&t, 0.2);
    double through = 0.0;
    for (int j = 0; j < 32; ++j)
        through += t.v[0][tank_at(&t, 16, j, 0)] * t.grid->h;
    CHECK_NEAR(through, 0.2, 1e-4, "from one to the other");
    tank_close(&t);

    tank_open(&t, "dimension: 2\nduration: 9\nframe_rate: 10\ngravity: [0, 0]\n"
                  "domain: {min: [0, 0], max: [1, 1]}\nmethod: {type: smoke, cell: 0.03125}\n"
                  "source:\n"
                  "- {rate: 0.5, to: 1, shape: {type: box, min: [0.25, 0.25, 0], max: [0.5, 0.5, "
                  "0]}}\n"
                  "- {rate: -0.5, from: 1, shape: {type: box, min: [0, 0, 0], max: [1, 1, 0]}}\n");
    tank_run(&t, 1);
    CHECK_NEAR(tank_sum(&t, t.density), 64 * 0.5, 1e-3, "added");
    tank_run(&t, 2);
    CHECK_NEAR(tank_sum(&t, t.density), 64 * 0.5 * exp(-0.5), 1e-3, "taken");
    tank_close(&t);
}

// A start velocity by formulas, right on the sides of a periodic domain too: Taylor and Green's
// vortices, which keep their form and fade.
static void test_velocity_by_formulas(void **state)
{
    (void)state;
    Tank t;
    tank_open(&t, "dimension: 2\nduration: 9\nframe_rate: 10\ngravity: [0, 0]\n"
                  "domain: {min: [0, 0], max: [1, 1], x: periodic, y: periodic}\n"
                  "method: {type: smoke, cell: 0.03125, viscosity: 0.01}\n"
                  "fluid: [{velocity: [\"sin(2*pi*x)*cos(2*pi*y)\", "
                  "\"-cos(2*pi*x)*sin(2*pi*y)\"], shape: {type: box, min: [0, 0, 0], max: [1, 1, "
                  "0]}}]\n");
    for (int i = 0; i < 32; ++i)
        CHECK_NEAR(t.v[0][tank_at(&t, i, 0, 0)], sin(2 * M_PI * i / 32) * cos(2 * M_PI * 0.5 / 32),
                   1e-6, "start");
    tank_run(&t, 1);
    CHECK_NEAR(t.v[0][tank_at(&t, 8, 0, 0)], exp(-8 * M_PI * M_PI * 0.01) * cos(M_PI / 32), 0.01,
               "after a second");
    tank_close(&t);
}

// A fan in a ring of air sets it going.
static void test_fan(void **state)
{
    (void)state;
    Tank t;
    tank_open(&t, "dimension: 2\nduration: 9\nframe_rate: 10\ngravity: [0, 0]\n"
                  "domain: {min: [0, 0], max: [2, 1], x: periodic}\n"
                  "method: {type: smoke, cell: 0.0625}\n"
                  "source: [{velocity: [1, 0], shape: {type: box, min: [0.5, 0, 0], max: [1, 1, "
                  "0]}}]\n");
    tank_run(&t, 1);
    CHECK_NEAR(t.v[0][tank_at(&t, 28, 8, 0)], 1, 0.05, "far from the fan");
    tank_close(&t);
}

// Power warms all of a closed box by as much as it must; a transfer drives towards its temperature.
static void test_heat(void **state)
{
    (void)state;
    Tank t;
    tank_open(&t,
              "duration: 9\nframe_rate: 10\ngravity: [0, 0, 0]\n" BOX(
                  "") "method: {type: smoke, cell: 0.125, density: 1.2, specific_heat: 1000}\n"
                      "heat:\n"
                      "- {power: 2400, to: 1, " BALL "}\n"
                      "- {transfer: 1200, temperature: 80, from: 1, shape: {type: box, min: [0, 0, "
                      "0], max: [1, 1, 1]}}\n");
    tank_run(&t, 1);
    CHECK_NEAR(tank_sum(&t, t.temperature) / 512 - 20, 2, 1e-3, "2400 J in 1.2 kg");
    tank_run(&t, 2);
    CHECK_NEAR(80 - tank_sum(&t, t.temperature) / 512, 58 * exp(-1), 0.01, "towards 80");
    tank_close(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_refused_keys),
        cmocka_unit_test(test_wrong),
        cmocka_unit_test(test_source),
        cmocka_unit_test(test_sink),
        cmocka_unit_test(test_velocity_by_formulas),
        cmocka_unit_test(test_fan),
        cmocka_unit_test(test_heat),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
