// SPDX-License-Identifier: MIT
#include "sim/probe_field.h"

#include <string.h>

#define REACH      2.0   // spacings that a kernel of a read-out reaches
#define LEVEL_STEP 0.125 // spacings between two looks along a line
#define HALF       0.5
#define LEAST_FILL 0.3 // beside two walls a line sees a quarter of the kernel
#define SLAB       1.5 // spacings on each side of a rectangle in which particles count

OndProbeView ond_probe_view(const OndScene *scene, const OndFields *particles)
{
    OndProbeView view = {.count = particles->count,
                         .dimension = scene->dimension,
                         .spacing = scene->spacing,
                         .up = ond_unit(ond_scale(scene->gravity, -1.0))};
    const OndField *const pressure = ond_fields_find(particles, "pressure");
    for (int a = 0; a < 3; ++a) {
        view.x[a] = ond_fields_find(particles, "position")->data[a];
        view.v[a] = ond_fields_find(particles, "velocity")->data[a];
    }
    if (pressure && pressure->type == OND_F32) view.pressure = pressure->data[0];
    if (!(ond_length(view.up) > 0.0)) view.up = ond_vec(0, 1, 0);
    return view;
}

static OndVec place(const OndProbeView *v, int i)
{
    return ond_vec(v->x[0][i], v->x[1][i], v->x[2][i]);
}

// (1 - q^2)^3 with q = r / (REACH spacing); times this it sums up to 1 in a full lattice.
static double kernel(double r2, double reach2)
{
    const double q = 1.0 - r2 / reach2;
    return q > 0.0 ? q * q * q : 0.0;
}

static double kernel_factor(const OndProbeView *v)
{
    const double h = REACH; // in spacings
    return v->dimension == 3 ? 315.0 / (64.0 * M_PI * h * h * h) : 4.0 / (M_PI * h * h);
}

// ---- level

typedef struct Line {
    OndVec at, up;
    double reach2;
    double low, step; // height of the first look, between two
    int looks;
    double *fill;
} Line;

// Heights between which liquid may be found on the line; false when there is none.
static bool line_range(const OndProbeView *v, const Line *line, double *low, double *high)
{
    *low = INFINITY, *high = -INFINITY;
    for (int i = 0; i < v->count; ++i) {
        const OndVec d = ond_sub(place(v, i), line->at);
        const double along = ond_dot(d, line->up);
        if (ond_dot(d, d) - along * along >= line->reach2) continue;
        const double height = ond_dot(place(v, i), line->up);
        *low = fmin(*low, height);
        *high = fmax(*high, height);
    }
    return *low <= *high;
}

static void fill_line(const OndProbeView *v, Line *line)
{
    const double reach = sqrt(line->reach2);
    for (int i = 0; i < v->count; ++i) {
        const OndVec d = ond_sub(place(v, i), line->at);
        const double along = ond_dot(d, line->up), aside2 = ond_dot(d, d) - along * along;
        if (aside2 >= line->reach2) continue;
        const double height = ond_dot(place(v, i), line->up) - line->low;
        const int first = (int)fmax(ceil((height - reach) / line->step), 0.0);
        const int last = (int)fmin(floor((height + reach) / line->step), line->looks - 1);
        for (int k = first; k <= last; ++k) {
            const double away = k * line->step - height;
            line->fill[k] += kernel(aside2 + away * away, line->reach2);
        }
    }
}

// From above to where it is half as full as where it is fullest.
static double find_level(const Line *line, double factor)
{
    double most = 0.0;
    for (int k = 0; k < line->looks; ++k)
        most = fmax(most, line->fill[k] * factor);
    const double wanted = HALF * fmin(fmax(most, LEAST_FILL), 1.0) / factor;
    for (int k = line->looks - 2; k >= 0; --k) {
        const double below = line->fill[k], above = line->fill[k + 1];
        if (below >= wanted && above < wanted)
            return line->low + (k + (below - wanted) / (below - above)) * line->step;
    }
    return NAN;
}

double ond_probe_level(const OndProbeView *v, OndVec at)
{
    Line line = {.at = at, .up = v->up, .reach2 = REACH * REACH * v->spacing * v->spacing};
    double low, high;
    if (v->dimension == 2) line.at.z = 0.0;
    if (!line_range(v, &line, &low, &high)) return NAN;
    line.step = LEVEL_STEP * v->spacing;
    line.low = low - (REACH + LEVEL_STEP) * v->spacing;
    const double looks = (high - low) / line.step + 2.0 * (REACH / LEVEL_STEP + 2.0);
    if (!(looks < 1e7)) return NAN; // particles that have left all reason
    line.looks = (int)looks;
    line.fill = OND_NEW_ARRAY(double, line.looks);
    if (!line.fill) return NAN;
    fill_line(v, &line);
    const double level = find_level(&line, kernel_factor(v));
    ond_free(line.fill);
    return level;
}

// ---- pressure

#define TERMS 4 // a value and a slope along each axis

// Gaussian elimination; false when the particles do not fix the plane.
static bool solve(double a[TERMS][TERMS + 1], int terms)
{
    for (int k = 0; k < terms; ++k) {
        int best = k;
        for (int r = k + 1; r < terms; ++r)
            if (fabs(a[r][k]) > fabs(a[best][k])) best = r;
        if (!(fabs(a[best][k]) > 1e-2)) return false;
        for (int c = 0; c <= terms; ++c) {
            const double swap = a[k][c];
            a[k][c] = a[best][c];
            a[best][c] = swap;
        }
        for (int r = 0; r < terms; ++r) {
            const double share = a[r][k] / a[k][k];
            for (int c = k; r != k && c <= terms; ++c)
                a[r][c] -= share * a[k][c];
        }
    }
    return true;
}

double ond_probe_pressure(const OndProbeView *v, OndVec at)
{
    const int terms = v->dimension + 1;
    const double reach2 = REACH * REACH * v->spacing * v->spacing;
    double a[TERMS][TERMS + 1] = {{0}}, weight = 0.0, sum = 0.0;
    if (!v->pressure) return NAN;
    if (v->dimension == 2) at.z = 0.0;
    for (int i = 0; i < v->count; ++i) {
        const OndVec d = ond_sub(place(v, i), at);
        const double w = kernel(ond_dot(d, d), reach2), p = v->pressure[i];
        if (w == 0.0) continue;
        const double term[TERMS] = {1.0, d.x / v->spacing, d.y / v->spacing, d.z / v->spacing};
        for (int r = 0; r < terms; ++r) {
            for (int c = 0; c < terms; ++c)
                a[r][c] += w * term[r] * term[c];
            a[r][terms] += w * term[r] * p;
        }
        weight += w;
        sum += w * p;
    }
    if (!(weight > 0.0)) return NAN;
    if (weight > 1.0 && solve(a, terms)) return a[0][terms] / a[0][0];
    return sum / weight;
}

// ---- flow

double ond_probe_flow(const OndProbeView *v, const OndFlowProbe *p)
{
    const bool flat = v->dimension == 2, upright = fabs(p->normal.y) > 0.9;
    const OndVec side = flat || upright ? ond_vec(0, 0, 1) : ond_vec(0, 1, 0);
    const OndVec across = ond_unit(ond_cross(p->normal, side)), up = ond_cross(across, p->normal);
    const double slab = SLAB * v->spacing, volume = pow(v->spacing, v->dimension);
    double sum = 0.0;
    for (int i = 0; i < v->count; ++i) {
        const OndVec d = ond_sub(place(v, i), p->center);
        const double away = fabs(ond_dot(d, p->normal));
        if (away >= slab || 2.0 * fabs(ond_dot(d, across)) > p->width) continue;
        if (!flat && 2.0 * fabs(ond_dot(d, up)) > p->height) continue;
        const OndVec velocity = ond_vec(v->v[0][i], v->v[1][i], v->v[2][i]);
        sum += ond_dot(velocity, p->normal) * (1.0 - away / slab) / slab;
    }
    return volume * sum;
}
