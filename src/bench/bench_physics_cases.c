// SPDX-License-Identifier: MIT
// The cases of `ondine bench physics`: how each figure is read off its scene, and what it should
// be. Flows of particles first, then drops, heat, balls; those on grids are in bench_physics_grid.c.
// What is accepted is what the scene's resolution can give, not what it happens to give.
#include "bench/bench_physics.h"

#include <math.h>

#define G 9.81

// ---- still pool: a line through the pressures below the surface

static double fastest(const OndTrial *t)
{
    double most = 0.0;
    for (int i = 0; i < t->count; ++i)
        most = fmax(most, (double)t->v[0][i] * t->v[0][i] + (double)t->v[1][i] * t->v[1][i] +
                              (double)t->v[2][i] * t->v[2][i]);
    return sqrt(most);
}

static OndStatus still_pool(OndTrial *t, double *got, OndError *err)
{
    const double depth = 0.4, top = 3.0 * t->spacing; // the surface is one kernel thick
    const OndStatus status = ond_trial_run(t, t->duration, err);
    double n = 0, sy = 0, syy = 0, sp = 0, syp = 0;
    for (int i = 0; i < t->count; ++i) {
        const double y = t->x[1][i], p = t->pressure[i];
        if (y < depth - top) n += 1, sy += y, syy += y * y, sp += p, syp += y * p;
    }
    const double slope = (n * syp - sy * sp) / (n * syy - sy * sy);
    got[0] = (sp - slope * sy) / n;
    got[1] = -slope;
    got[2] = fastest(t);
    return status;
}

// ---- standing wave: how much of its velocity field is there

static double wave_mode(const OndTrial *t)
{
    const double k = 0.5 * M_PI;
    double sum = 0.0;
    for (int i = 0; i < t->count; ++i)
        sum += t->v[1][i] * cos(k * t->x[0][i]) * sinh(k * t->x[1][i]) -
               t->v[0][i] * sin(k * t->x[0][i]) * cosh(k * t->x[1][i]);
    return sum;
}

static OndStatus standing_wave(OndTrial *t, double *got, OndError *err)
{
    return ond_trial_period(t, 0.05, wave_mode, &got[0], err);
}

// ---- channels: the speed in the middle

static double middle_speed(const OndTrial *t)
{
    double sum = 0.0, n = 0.0;
    for (int i = 0; i < t->count; ++i)
        if (fabs(t->x[1][i] - 0.5) < 0.06) sum += t->v[0][i], n += 1.0;
    return sum / n;
}

OndStatus ond_trial_at_times(OndTrial *t, const double time[3], OndSwing *read, double *got,
                             OndError *err)
{
    OndStatus status = OND_OK;
    for (int k = 0; k < 3 && status == OND_OK; ++k) {
        status = ond_trial_run(t, time[k], err);
        got[k] = read(t);
    }
    return status;
}

static OndStatus poiseuille(OndTrial *t, double *got, OndError *err)
{
    return ond_trial_at_times(t, (const double[]){0.225, 1, 5}, middle_speed, got, err);
}

static OndStatus couette(OndTrial *t, double *got, OndError *err)
{
    return ond_trial_at_times(t, (const double[]){0.45, 1, 5}, middle_speed, got, err);
}

// ---- dam break: front, and height at the wall

#define DAM_A 0.05715

static double front(const OndTrial *t)
{
    double far = 0.0;
    for (int i = 0; i < t->count; ++i)
        far = fmax(far, t->x[0][i]);
    return (far + 0.5 * t->spacing) / DAM_A;
}

static double height(const OndTrial *t)
{
    double high = 0.0;
    for (int i = 0; i < t->count; ++i)
        if (t->x[0][i] < 0.1 * DAM_A) high = fmax(high, t->x[1][i]);
    return (high + 0.5 * t->spacing) / (2.0 * DAM_A);
}

static OndStatus dam_break(OndTrial *t, double *got, OndError *err)
{
    const double unit = sqrt(DAM_A / G); // s; the front is told in units of sqrt(a / 2 g)
    OndStatus status = ond_trial_run(t, 1.28 * unit, err);
    got[2] = height(t);
    if (status == OND_OK) status = ond_trial_run(t, 2.0 * unit, err);
    got[3] = height(t);
    if (status == OND_OK) status = ond_trial_run(t, 2.83 * M_SQRT1_2 * unit, err);
    got[0] = front(t);
    if (status == OND_OK) status = ond_trial_run(t, 3.33 * M_SQRT1_2 * unit, err);
    got[1] = front(t);
    return status;
}

// ---- drops: the pressure inside, the mean of the second half; and how one swings

static OndStatus drop_rest(OndTrial *t, double *got, OndError *err)
{
    const double inner = 0.6 * 0.001;
    double sum = 0.0, n = 0.0;
    OndStatus status = ond_trial_run(t, 0.5 * t->duration, err);
    while (status == OND_OK && !ond_sim_done(t->sim)) {
        status = ond_trial_step(t, err);
        for (int i = 0; i < t->count; ++i)
            if (hypot(hypot(t->x[0][i], t->x[1][i]), t->x[2][i]) < inner)
                sum += t->pressure[i], n += 1.0;
    }
    got[0] = sum / n;
    return status;
}

static double drop_mode(const OndTrial *t)
{
    double sum = 0.0;
    for (int i = 0; i < t->count; ++i)
        sum += (double)t->x[1][i] * t->x[1][i] - (double)t->x[0][i] * t->x[0][i];
    return sum;
}

// Two halves: it starts where it passes through being round.
static OndStatus drop_swing(OndTrial *t, double *got, OndError *err)
{
    return ond_trial_period(t, 0.0002, drop_mode, &got[0], err);
}

// ---- heat

// All layers' melted shares, as the way that a straight front would have come.
static OndStatus stefan(OndTrial *t, double *got, OndError *err)
{
    const OndStatus status = ond_trial_run(t, 60.0, err);
    double melted = 0.0;
    for (int i = 0; i < t->count; ++i)
        melted += 1.0 - t->rigidity[i];
    got[0] = 1e3 * melted / t->count * 0.004;
    return status;
}

// What is left of 100 degrees at a distance x R from the middle of a ball whose surface is kept at
// 0, at alpha t / R^2 = 0.1 [Carslaw and Jaeger 1959, 9.3 (4)]. 8 terms: the next is below 1e-33.
static double cooled(double x)
{
    double sum = 0.0;
    for (int k = 1; k <= 8; ++k)
        sum += (k % 2 ? 1.0 : -1.0) / k * sin(k * M_PI * x) * exp(-0.1 * k * k * M_PI * M_PI);
    return 200.0 * sum / (M_PI * x);
}

// At the places of the particles: a shell leaves no room for the outermost, the coldest, and a mean
// over those that are there lies above the whole ball's by 5 %.
static OndStatus cooling_sphere(OndTrial *t, double *got, OndError *err)
{
    const OndStatus status = ond_trial_run(t, t->duration, err);
    double sum = 0.0, exact = 0.0, square = 0.0;
    for (int i = 0; i < t->count; ++i) {
        const double r = hypot(hypot(t->x[0][i], t->x[1][i]), t->x[2][i]);
        const double there = cooled(fmax(r / 0.02, 1e-6)), off = t->temperature[i] - there;
        sum += t->temperature[i], exact += there, square += off * off;
    }
    got[0] = sum / exact;
    got[1] = sqrt(square / t->count);
    return status;
}

// ---- balls

// How high the middle of the only solid is.
static double ball_height(const OndTrial *t)
{
    OndSolidView ball;
    return ond_sim_solid(t->sim, 0, &ball) ? ball.center[1] : NAN;
}

// How high its middle is above the level that the water has when half of the ball is under it.
static double above_half(const OndTrial *t)
{
    const double s = t->spacing, water = t->count * s * s * s;
    const double half = 2.0 / 3.0 * M_PI * 0.001, level = (water + half) / 0.36;
    return ball_height(t) - level;
}

static OndStatus floating_ball(OndTrial *t, double *got, OndError *err)
{
    OndStatus status = ond_trial_run(t, 1.0, err);
    double sum = 0.0;
    for (int k = 1; k <= 50 && status == OND_OK; ++k) {
        status = ond_trial_run(t, 1.0 + 0.02 * k, err);
        sum += above_half(t);
    }
    got[0] = sum / 50.0 / 0.1;
    return status;
}

static OndStatus sinking_ball(OndTrial *t, double *got, OndError *err)
{
    const double start = ball_height(t);
    const OndStatus status = ond_trial_run(t, 0.1, err);
    const double way = start - ball_height(t);
    got[0] = way / (0.5 * 0.1 * 0.1);
    return status;
}

// ---- the table

const OndPhysicsCase ond_physics_cases[] = {
    {"still-pool",
     "hydrostatics",
     true,
     {{"pressure at the floor", "Pa", 3924, 0.02 * 3924},
      {"its slope", "Pa/m", 9810, 0.02 * 9810},
      {"fastest particle", "m/s", 0, 0.05}},
     still_pool},
    {"standing-wave",
     "linear theory",
     true,
     {{"period", "s", 1.6713, 0.02 * 1.6713}},
     standing_wave},
    {"standing-wave-3d",
     "linear theory",
     true,
     {{"period", "s", 1.6713, 0.02 * 1.6713}},
     standing_wave},
    {"poiseuille",
     "series solution",
     true,
     {{"u / u_max at nu t / L^2 = 0.0225", NULL, 0.17862, 0.02 * 0.17862},
      {"at 0.1", NULL, 0.61535, 0.02 * 0.61535},
      {"at 0.5", NULL, 0.99258, 0.02 * 0.99258}},
     poiseuille},
    {"couette",
     "series solution",
     true,
     {{"u / U at nu t / L^2 = 0.045", NULL, 0.09558, 0.02 * 0.09558},
      {"at 0.1", NULL, 0.26276, 0.02 * 0.26276},
      {"at 0.5", NULL, 0.49542, 0.02 * 0.49542}},
     couette},
    {"dam-break",
     "Martin and Moyce 1952, whose gate takes time to open",
     true,
     // heights were read in steps of a ninth of a, 0.056 of 2 a: half a step is accepted
     {{"front / a at t sqrt(2 g / a) = 2.83", NULL, 3.44, 0.05 * 3.44},
      {"at 3.33", NULL, 4.11, 0.05 * 4.11},
      {"height / 2 a at t sqrt(g / a) = 1.28", NULL, 0.72, 0.03},
      {"at 2.00", NULL, 0.50, 0.03}},
     dam_break},
    {"drop-rest-2d", "Laplace", false, {{"pressure inside", "Pa", 72.8, 0.05 * 72.8}}, drop_rest},
    {"drop-swing-2d",
     "Rayleigh 1879",
     true,
     {{"period", "s", 0.009507, 0.04 * 0.009507}},
     drop_swing},
    {"drop-rest", "Laplace", false, {{"pressure inside", "Pa", 145.6, 0.05 * 145.6}}, drop_rest},
    {"drop-swing",
     "Rayleigh 1879",
     false,
     {{"period", "s", 0.008233, 0.04 * 0.008233}},
     drop_swing},
    {"stefan", "Stefan 1891", true, {{"front after 60 s", "mm", 1.997, 0.02 * 1.997}}, stefan},
    {"cooling-sphere",
     "Carslaw and Jaeger 1959",
     false,
     {{"mean temperature at alpha t / R^2 = 0.1, over the exact one there", NULL, 1, 0.02},
      {"root mean square difference from it", "C", 0, 1}},
     cooling_sphere},
    {"cooling-sphere-rigid",
     "Carslaw and Jaeger 1959",
     false,
     {{"mean temperature at alpha t / R^2 = 0.1, over the exact one there", NULL, 1, 0.02},
      {"root mean square difference from it", "C", 0, 1}},
     cooling_sphere},
    {"floating-ball",
     "Archimedes",
     false,
     {{"middle of the ball above the water, radii", NULL, 0, 0.05}},
     floating_ball},
    {"sinking-ball",
     "potential flow: added mass 0.495",
     false,
     {{"way over t^2 / 2 after 0.1 s", "m/s^2", 3.932, 0.05 * 3.932}},
     sinking_ball},
    {"cavity",
     "converged values at the places of Ghia 1982",
     false,
     {{"largest difference of 14 places, lid speeds", NULL, 0, 0.005}},
     ond_case_cavity},
    {"convection",
     "de Vahl Davis 1983",
     false,
     {{"Nusselt number at the warm wall", NULL, 2.243, 0.01 * 2.243},
      {"at the cold wall", NULL, 2.243, 0.01 * 2.243}},
     ond_case_convection},
    {"poiseuille-grid",
     "series solution",
     true,
     {{"u / u_max at nu t / L^2 = 0.0225", NULL, 0.17862, 0.02 * 0.17862},
      {"at 0.1", NULL, 0.61535, 0.02 * 0.61535},
      {"at 0.5", NULL, 0.99258, 0.02 * 0.99258}},
     ond_case_poiseuille_grid},
    {"taylor-green",
     "exact solution",
     true,
     {{"kinetic energy after 1 s", NULL, 0.20615, 0.02 * 0.20615},
      {"after 2 s", NULL, 0.04250, 0.02 * 0.04250}},
     ond_case_taylor_green},
};

const int ond_physics_case_count = sizeof ond_physics_cases / sizeof ond_physics_cases[0];
