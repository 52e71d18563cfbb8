// SPDX-License-Identifier: MIT
// Bounds for what a host hands in: what is beyond is refused with a sentence, and nothing changes.
#include "library.h"

static const char deep[] = "frame_rate: 100\n"
                           "domain: {min: [0, 0, 0], max: [1, 1, 1]}\n"
                           "fluid: [{name: water, spacing: 0.1, shape: {type: box, min: [0, 0, 0], "
                           "max: [0.5, 0.5, 1]}}]\n"
                           "solid: [{name: ball, density: 300, shape: {type: sphere, center: [0.7, "
                           "0.7, 0.5], radius: 0.15}}]\n";

enum { BALL, PADDLE }; // solids of the stage

// ---- one number is handed in, the rest is good

typedef OndStatus HandIn(OndSim *sim, double value, OndError *err);

static OndStatus add_one(OndSim *sim, const float x[3], const float v[3], const float *celsius,
                         OndError *err)
{
    const OndNewParticles one = {.count = 1, .position = x, .velocity = v, .temperature = celsius};
    return ond_sim_add_particles(sim, &one, err);
}

static OndStatus new_place(OndSim *sim, double value, OndError *err)
{
    return add_one(sim, (const float[]){(float)value, 1.9f, 0}, NULL, NULL, err);
}

static OndStatus new_velocity(OndSim *sim, double value, OndError *err)
{
    return add_one(sim, (const float[]){0.2f, 1.8f, 0}, (const float[]){(float)value, 0, 0}, NULL,
                   err);
}

static OndStatus new_temperature(OndSim *sim, double value, OndError *err)
{
    const float celsius = (float)value;
    return add_one(sim, (const float[]){0.2f, 1.8f, 0}, NULL, &celsius, err);
}

static OndStatus push(OndSim *sim, double value, OndError *err)
{
    const OndRegion all = ond_everywhere();
    return ond_sim_push_region(sim, &all, (const double[]){0, value, 0}, err);
}

static OndStatus warm(OndSim *sim, double value, OndError *err)
{
    const OndRegion all = ond_everywhere();
    return ond_sim_heat_region(sim, &all, value, err);
}

static OndStatus gravity_y(OndSim *sim, double value, OndError *err)
{
    return ond_sim_set_gravity(sim, (const double[]){0, value, 0}, err);
}

static OndStatus gravity_z(OndSim *sim, double value, OndError *err)
{
    return ond_sim_set_gravity(sim, (const double[]){0, -9.81, value}, err);
}

static OndStatus kick(OndSim *sim, double value, OndError *err)
{
    OndSolidView ball;
    ond_sim_solid(sim, BALL, &ball);
    return ond_sim_push_solid(sim, BALL, (const double[]){value * ball.mass, 0, 0}, NULL, err);
}

static OndStatus kick_at(OndSim *sim, double value, OndError *err)
{
    return ond_sim_push_solid(sim, BALL, (const double[]){0, 1, 0}, (const double[]){value, 1, 0},
                              err);
}

static OndStatus place(OndSim *sim, OndPlacement at, double velocity, double spin, OndError *err)
{
    return ond_sim_place_body(sim, BALL, &at, (const double[]){velocity, 0, 0},
                              (const double[]){0, 0, spin}, err);
}

static OndStatus place_x(OndSim *sim, double value, OndError *err)
{
    return place(sim, (OndPlacement){.at = {value, 0, 0}, .turn = {1}}, 0, 0, err);
}

static OndStatus place_z(OndSim *sim, double value, OndError *err)
{
    return place(sim, (OndPlacement){.at = {0, 0, value}, .turn = {1}}, 0, 0, err);
}

static OndStatus place_long(OndSim *sim, double value, OndError *err)
{
    return place(sim, (OndPlacement){.turn = {value}}, 0, 0, err);
}

// A turn about an axis in the plane.
static OndStatus place_over(OndSim *sim, double value, OndError *err)
{
    return place(sim, (OndPlacement){.turn = {sqrt(1 - value * value), value}}, 0, 0, err);
}

static OndStatus place_fast(OndSim *sim, double value, OndError *err)
{
    return place(sim, (OndPlacement){.turn = {1}}, value, 0, err);
}

static OndStatus place_spinning(OndSim *sim, double value, OndError *err)
{
    return place(sim, (OndPlacement){.turn = {1}}, 0, value, err);
}

static OndStatus lead_within(OndSim *sim, double value, OndError *err)
{
    const OndPlacement there = {.at = {0.01, 0, 0}, .turn = {1}};
    return ond_sim_move_solid(sim, PADDLE, &there, value, err);
}

static OndStatus lead_z(OndSim *sim, double value, OndError *err)
{
    const OndPlacement there = {.at = {0, 0, value}, .turn = {1}};
    return ond_sim_move_solid(sim, PADDLE, &there, 1, err);
}

static OndStatus heat_solid(OndSim *sim, double value, OndError *err)
{
    return ond_sim_set_solid_temperature(sim, PADDLE, value, err);
}

static OndStatus heat_power(OndSim *sim, double value, OndError *err)
{
    return ond_sim_set_heat(sim, 0, "power", value, err);
}

static OndStatus heat_by(OndSim *sim, double value, OndError *err)
{
    return ond_sim_move_heat(sim, 0, (const double[]){0, value, 0}, err);
}

static OndStatus air_temperature(OndSim *sim, double value, OndError *err)
{
    return ond_sim_set_air(sim, "temperature", value, err);
}

static OndStatus air_exchange(OndSim *sim, double value, OndError *err)
{
    return ond_sim_set_air(sim, "exchange", value, err);
}

static OndStatus viscosity(OndSim *sim, double value, OndError *err)
{
    return ond_sim_set_fluid(sim, 0, "viscosity", value, err);
}

static OndStatus specific_heat(OndSim *sim, double value, OndError *err)
{
    return ond_sim_set_fluid(sim, 0, "specific_heat", value, err);
}

static OndStatus melting(OndSim *sim, double value, OndError *err)
{
    return ond_sim_set_fluid(sim, 1, "T_solid", value, err);
}

static OndStatus wait(OndSim *sim, double value, OndError *err)
{
    OndAdvance done = {.steps = -1, .frames = -1, .time = -1};
    const OndStatus status = ond_sim_advance(sim, value, &done, err);
    assert_true(done.steps == 0 && done.frames == 0 && done.time == ond_sim_time(sim));
    return status;
}

// ---- the table

static const struct {
    const char *scene;
    HandIn *hand_in;
    double value;
    const char *says; // NULL: accepted
} cases[] = {
    {stage, new_place, 1.9, NULL},
    {stage, new_place, 2, "new particle 0 at [2, 1.9, 0] is outside of the domain"},
    {stage, new_place, NAN, "is outside of the domain"},
    {stage, new_velocity, -9e5, NULL},
    {stage, new_velocity, 1e6, "new particle 0 has 1e+06 m/s"},
    {stage, new_velocity, NAN, "new particle 0 has nan m/s"},
    {stage, new_temperature, -273, NULL},
    {stage, new_temperature, 1e5, NULL},
    {stage, new_temperature, -274, "and -274 C; accepted: below 1e+06 m/s, -273.15 to 1e5 C"},
    {stage, new_temperature, 1.1e5, "and 110000 C"},
    {stage, new_temperature, NAN, "and nan C"},
    {stage, push, 9e5, NULL},
    {stage, push, -1e6, "a push by 1e+06 m/s is none; at most 1e6"},
    {stage, push, NAN, "a push by nan m/s is none"},
    {smoke, push, 9e5, NULL},
    {smoke, push, INFINITY, "a push by inf m/s is none"},
    {stage, warm, -9e4, NULL},
    {stage, warm, 1e5, "a change by 100000 K is none; at most 1e5"},
    {stage, warm, NAN, "a change by nan K is none"},
    {stage, gravity_y, -1e6, NULL},
    {stage, gravity_y, 1.1e6, "`gravity` is 1.1e+06; accepted: -1e+06 to 1e+06"},
    {stage, gravity_y, NAN, "`gravity` is nan"},
    {stage, gravity_z, 0, NULL},
    {stage, gravity_z, 1e-9, "`gravity` is 1e-09; accepted: 0 to 0"},
    {deep, gravity_z, 3, NULL},
    {stage, kick, 9e5, NULL},
    {stage, kick, -1.1e6, "an impulse that gives 1.1e+06 m/s is none; at most 1e6"},
    {stage, kick, NAN, "an impulse and its place must be finite numbers"},
    {stage, kick_at, INFINITY, "an impulse and its place must be finite numbers"},
    {stage, kick_at, 0.5, NULL},
    {stage, place_x, 0.1, NULL},
    {stage, place_x, 1.6, "solid 'ball' would be outside of the domain"},
    {stage, place_x, 1.1e9, "a placement needs a place in metres"},
    {stage, place_x, NAN, "a placement needs a place in metres"},
    {stage, place_z, 0.1, "in 2D a solid stays in the plane z = 0 and turns in it"},
    {deep, place_z, 0.1, NULL},
    {stage, place_over, 0.1, "in 2D a solid stays in the plane z = 0 and turns in it"},
    {deep, place_over, 0.1, NULL},
    {stage, place_long, -1, NULL}, // the same turn as 1
    {stage, place_long, 1.01, "a turn of length 1 (this one is 1.01)"},
    {stage, place_long, 0, "a turn of length 1 (this one is 0)"},
    {stage, place_long, NAN, "a turn of length 1 (this one is nan)"},
    {stage, place_fast, NAN, "needs a velocity and a spin that are finite numbers"},
    {stage, place_spinning, INFINITY, "needs a velocity and a spin that are finite numbers"},
    {stage, place_spinning, 3, NULL},
    {stage, lead_within, 1e-4, NULL},
    {stage, lead_within, 9e-5, "`seconds` is 9e-05; accepted: 0.0001 to 1e+06"},
    {stage, lead_within, NAN, "`seconds` is nan"},
    {stage, lead_z, 0.01, "in 2D a solid stays in the plane z = 0 and turns in it"},
    {stage, lead_z, 0, NULL},
    {stage, heat_solid, -273.15, NULL},
    {stage, heat_solid, -274, "`temperature` is -274; accepted: -273.15 to 100000"},
    {stage, heat_solid, NAN, "`temperature` is nan"},
    {stage, heat_power, -1e15, NULL},
    {stage, heat_power, 2e15, "`power` is 2e+15"},
    {stage, heat_power, NAN, "`power` is nan"},
    {stage, heat_by, -1e9, NULL},
    {stage, heat_by, 2e9, "`by` is 2e+09"},
    {stage, heat_by, NAN, "`by` is nan"},
    {stage, air_temperature, 1e5, NULL},
    {stage, air_temperature, -274, "`temperature` is -274"},
    {stage, air_exchange, 0, NULL},
    {stage, air_exchange, -1, "`exchange` is -1; accepted: 0 to 1e+09"},
    {stage, viscosity, 0, NULL},
    {stage, viscosity, -1e-9, "`viscosity` is -1e-09; accepted: 0 to 1e+09"},
    {stage, viscosity, NAN, "`viscosity` is nan"},
    {stage, specific_heat, 1e-6, NULL},
    {stage, specific_heat, 0, "`specific_heat` is 0; accepted: 1e-06 to 1e+09"},
    {stage, melting, -273.15, NULL},
    {stage, melting, 1e5, "T_liquid must not be below T_solid"},
    {stage, melting, NAN, "`T_solid` is nan"},
    {stage, wait, 0, NULL},
    {stage, wait, -1e-9, "cannot advance by -1e-09 s: give 0 to 1e+06"},
    {stage, wait, 1.1e6, "cannot advance by 1.1e+06 s"},
    {stage, wait, NAN, "cannot advance by nan s"},
};

static void bounds_hold(void **state)
{
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; ++k) {
        char what[64];
        OndError err = {0};
        OndSim *const sim = make(cases[k].scene, NULL);
        const uint64_t before = hash_of(sim);
        const OndStatus status = cases[k].hand_in(sim, cases[k].value, &err);
        snprintf(what, sizeof what, "case %zu, %g", k, cases[k].value);
        CHECK_NEAR(status, cases[k].says ? OND_BAD_VALUE : OND_OK, 0, what);
        if (cases[k].says) {
            CHECK_SAYS(err.text, cases[k].says, what);
            CHECK_NEAR(hash_of(sim) == before, 1, 0, what); // nothing has changed
        }
        ond_sim_destroy(sim);
    }
}

// ---- numbers of things

static void indices_are_checked(void **state)
{
    OndSim *const sim = make(stage, NULL);
    const OndPlacement here = {.turn = {1}};
    OndSolidView solid;
    OndEmitterView emitter;
    OndFieldView field;
    static const int wrong[] = {-1, 2, 1 << 30};
    for (int k = 0; k < 3; ++k) {
        const int i = wrong[k];
        assert_null(ond_sim_note(sim, i));
        assert_null(ond_sim_fluid_name(sim, i));
        assert_false(ond_sim_solid(sim, i, &solid));
        assert_false(ond_sim_emitter_view(sim, i, &emitter));
        assert_false(ond_sim_field(sim, OND_CELLS, i, &field));
        assert_int_equal(ond_sim_push_solid(sim, i, here.at, NULL, NULL), OND_BAD_VALUE);
        assert_int_equal(ond_sim_place_body(sim, i, &here, NULL, NULL, NULL), OND_BAD_VALUE);
        assert_int_equal(ond_sim_move_solid(sim, i, &here, 1, NULL), OND_BAD_VALUE);
        assert_int_equal(ond_sim_set_solid_temperature(sim, i, 20, NULL), OND_BAD_VALUE);
        assert_int_equal(ond_sim_open_emitter(sim, i, true, NULL), OND_BAD_VALUE);
        assert_int_equal(ond_sim_set_heat(sim, i, "power", 0, NULL), OND_BAD_VALUE);
        assert_int_equal(ond_sim_move_heat(sim, i, here.at, NULL), OND_BAD_VALUE);
        assert_int_equal(ond_sim_set_fluid(sim, i, "viscosity", 1, NULL), OND_BAD_VALUE);
    }
    ond_sim_destroy(sim);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bounds_hold),
        cmocka_unit_test(indices_are_checked),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
