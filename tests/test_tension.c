// SPDX-License-Identifier: MIT
// ctest: slow
#include "stage.h"

#define RADIUS  0.001
#define TENSION 0.0728

static Stage *drop(int dimension, double cells, double swing)
{
    char yaml[1024];
    const double rate = swing * sqrt((dimension == 2 ? 6 : 8) * TENSION / (1000 * pow(RADIUS, 3)));
    snprintf(yaml, sizeof yaml,
             "dimension: %d\nduration: 1\nframe_rate: 10000\ngravity: [0, 0, 0]\nmethod: {type: "
             "sph%s%s}\n"
             "fluid: [{spacing: %.9g, density: 1000, tension: %g, stretch: [%g, %g, %g],\n"
             "  shape: {type: sphere, center: [0, 0, 0], radius: %g}}]\n",
             dimension, getenv("MORE") ? "," : "", getenv("MORE") ? getenv("MORE") : "",
             RADIUS / cells, TENSION, dimension == 2 ? -rate : -rate / 2, rate,
             dimension == 2 ? 0 : -rate / 2, RADIUS);
    return stage_open(yaml);
}

static double jump(int dimension, double cells)
{
    Stage *s = drop(dimension, cells, 0);
    double sum = 0, n = 0, size = 0;
    while (ond_sim_time(s->sim) < 0.010) {
        stage_step(s);
        double in = 0, ni = 0, v2 = 0;
        size = 0;
        for (int i = 0; i < s->count; ++i) {
            const double r =
                sqrt(s->x[0][i] * s->x[0][i] + s->x[1][i] * s->x[1][i] + s->x[2][i] * s->x[2][i]);
            size = fmax(size, r);
            v2 += s->v[0][i] * s->v[0][i] + s->v[1][i] * s->v[1][i] + s->v[2][i] * s->v[2][i];
            if (r < 0.6 * RADIUS) in += s->pressure[i], ni += 1;
        }
        if (ond_sim_time(s->sim) > 0.004) sum += in, n += ni;
        if (getenv("SAY") && fmod(ond_sim_time(s->sim) + 1e-9, 0.001) < 5e-6)
            print_message("  t %.4g p %.3f outermost %.4f rms v %.3g\n", ond_sim_time(s->sim),
                          in / ni * RADIUS / TENSION / (dimension - 1), size / RADIUS,
                          sqrt(v2 / s->count));
    }
    if (getenv("PROFILE"))
        for (int k = 0; k < 40; ++k) {
            double p = 0, d = 0, m = 0;
            for (int i = 0; i < s->count; ++i) {
                const double r = sqrt(s->x[0][i] * s->x[0][i] + s->x[1][i] * s->x[1][i] +
                                      s->x[2][i] * s->x[2][i]);
                if ((int)(r / RADIUS * cells * 2) == k)
                    p += s->pressure[i], d += s->density[i], m += 1;
            }
            if (m > 0)
                print_message("  r %.1f n %.0f p %.3f rho %.3f\n", (k + 0.5) / 2, m,
                              p / m * RADIUS / TENSION, d / m);
        }
    stage_close(s);
    return sum / n / ((dimension - 1) * TENSION / RADIUS);
}

static double stretch_of(const Stage *s)
{
    double sum = 0;
    for (int i = 0; i < s->count; ++i)
        sum += (double)s->x[1][i] * s->x[1][i] - (double)s->x[0][i] * s->x[0][i];
    return sum / s->count;
}

static double period(int dimension, double cells, double swing)
{
    Stage *s = drop(dimension, cells, swing);
    double before, crossing[3] = {0}, top[4] = {0};
    int crossings = 0;
    stage_run(s, 0.0002);
    before = stretch_of(s);
    while (crossings < 3 && ond_sim_time(s->sim) < 0.03) {
        const double t0 = ond_sim_time(s->sim);
        stage_step(s);
        const double now = stretch_of(s), t1 = ond_sim_time(s->sim);
        top[crossings] = fmax(top[crossings], fabs(now));
        if (before * now < 0) crossing[crossings++] = t0 + (t1 - t0) * before / (before - now);
        before = now;
    }
    stage_close(s);
    if (getenv("SAY"))
        print_message("  crossings %g %g %g tops %g %g %g\n", 1e3 * crossing[0], 1e3 * crossing[1],
                      1e3 * crossing[2], top[0] * 1e6, top[1] * 1e6, top[2] * 1e6);
    return (crossing[2] - crossing[0]) / (dimension == 2 ? 0.009507 : 0.008233);
}

int main(int argc, char **argv)
{
    const int d = atoi(argv[2]);
    const double n = atof(argv[3]);
    if (argv[1][0] == 'j')
        print_message("jump %dD R/%g: %+.1f %%\n", d, n, 100 * (jump(d, n) - 1));
    else
        print_message("period %dD R/%g %s: %+.1f %%\n", d, n, argv[4],
                      100 * (period(d, n, atof(argv[4])) - 1));
}
