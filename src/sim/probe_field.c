// SPDX-License-Identifier: MIT
#include "sim/probe_field.h"

#include <string.h>

#define REACH      2.0   // spacings that a kernel of a read-out reaches
#define LEVEL_STEP 0.125 // spacings between two looks along a line
#define HALF       0.5
#define LEAST_FILL 0.3   // beside two walls a line sees a quarter of the kernel
#define SLAB       1.5   // spacings on each side of a rectangle in which particles count
#define UPRIGHT    0.999 // cosine: a normal that is nearer to the vertical counts as vertical
#define EYE        0.1   // spacings from a surface from which a point on it looks round
#define ON_IT      0.01  // spacings: what is no farther inside of a surface is on it
#define SIGHT      0.05  // spacings: how wide what it sees must be

OndProbeView ond_probe_view(const OndSceneDef *scene, const OndSimSolids *solids,
                            const OndFields *particles)
{
    OndProbeView view = {.count = particles->count,
                         .scene = scene,
                         .solids = solids,
                         .period = ond_scene_period(scene),
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

// ---- what can be seen

// Where a point looks round from: one on a surface, or next to it, from a little off. False inside
// of solids.
static bool find_eye(const OndProbeView *v, OndVec at, OndVec *eye)
{
    OndTouch touch[OND_TOUCHES_MAX];
    const double edge = EYE * v->spacing;
    const OndSolids *const solids = v->solids->solids;
    *eye = at;
    if (v->solids->count == 0) return true;
    if (ond_sim_solids_block(v->solids, at, 0.0, NULL) &&
        ond_solids_near(solids, at, ON_IT * v->spacing, touch) == 0)
        return false;
    const int faces = ond_solids_near(solids, at, edge, touch);
    for (int k = 0; k < faces; ++k)
        *eye = ond_add(*eye, ond_scale(touch[k].normal, edge - touch[k].distance));
    return !ond_sim_solids_block(v->solids, *eye, 0.0, NULL);
}

// ---- level

typedef struct LevelLine {
    OndVec at, up;
    double reach2;
    double low, step; // height of the first look, between two
    int looks;
    double *fill;
} LevelLine;

// Whether a particle is near the line, and no solid between it and that.
static bool at_line(const OndProbeView *v, const LevelLine *line, int i, double *height,
                    double *aside2)
{
    const OndVec x = place(v, i), d = ond_sub(x, line->at);
    const double along = ond_dot(d, line->up);
    OndVec eye;
    *aside2 = ond_dot(d, d) - along * along;
    *height = ond_dot(x, line->up);
    if (*aside2 >= line->reach2) return false;
    if (v->solids->count == 0) return true;
    return find_eye(v, ond_add(line->at, ond_scale(line->up, along)), &eye) &&
           !ond_solids_between(v->solids->solids, eye, x, SIGHT * v->spacing);
}

// Heights between which liquid may be found on the line; false when there is none.
static bool line_range(const OndProbeView *v, const LevelLine *line, double *low, double *high)
{
    double height, aside2;
    *low = INFINITY, *high = -INFINITY;
    for (int i = 0; i < v->count; ++i) {
        if (!at_line(v, line, i, &height, &aside2)) continue;
        *low = fmin(*low, height);
        *high = fmax(*high, height);
    }
    return *low <= *high;
}

static void fill_line(const OndProbeView *v, LevelLine *line)
{
    const double reach = sqrt(line->reach2);
    double height, aside2;
    for (int i = 0; i < v->count; ++i) {
        if (!at_line(v, line, i, &height, &aside2)) continue;
        height -= line->low;
        const int first = (int)fmax(ceil((height - reach) / line->step), 0.0);
        const int last = (int)fmin(floor((height + reach) / line->step), line->looks - 1);
        for (int k = first; k <= last; ++k) {
            const double away = k * line->step - height;
            line->fill[k] += kernel(aside2 + away * away, line->reach2);
        }
    }
}

// From above to where it is half as full as where it is fullest.
static double find_level(const LevelLine *line, double factor)
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
    LevelLine line = {.at = at, .up = v->up, .reach2 = REACH * REACH * v->spacing * v->spacing};
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

typedef struct SurfaceFit {
    double a[TERMS][TERMS + 1];
    double weight, sum, least;
} SurfaceFit;

static void add_to_fit(SurfaceFit *f, int terms, OndVec d, double w, double p)
{
    const double term[TERMS] = {1.0, d.x, d.y, d.z};
    for (int r = 0; r < terms; ++r) {
        for (int c = 0; c < terms; ++c)
            f->a[r][c] += w * term[r] * term[c];
        f->a[r][terms] += w * term[r] * p;
    }
    f->weight += w;
    f->sum += w * p;
    f->least = fmin(f->least, p);
}

double ond_probe_pressure(const OndProbeView *v, OndVec at)
{
    const int terms = v->dimension + 1;
    const double reach2 = REACH * REACH * v->spacing * v->spacing;
    SurfaceFit fit = {.least = 0.0};
    OndVec eye;
    if (!v->pressure) return NAN;
    if (v->dimension == 2) at.z = 0.0;
    if (!find_eye(v, at, &eye)) return NAN;
    for (int i = 0; i < v->count; ++i) {
        const OndVec x = place(v, i), d = ond_sub(x, at);
        const double w = kernel(ond_dot(d, d), reach2);
        if (w == 0.0) continue;
        if (ond_solids_between(v->solids->solids, eye, x, SIGHT * v->spacing)) continue;
        add_to_fit(&fit, terms, ond_scale(d, 1.0 / v->spacing), w, v->pressure[i]);
    }
    if (!(fit.weight > 0.0)) return NAN;
    if (!(fit.weight > 1.0) || !solve(fit.a, terms)) return fit.sum / fit.weight;
    return fmax(fit.a[0][terms] / fit.a[0][0], fit.least); // beyond what it saw, but no tension
}

// ---- flow

typedef struct Gate {
    OndVec center, across, up;
    double slab;
} Gate;

// Past an open side nobody is left to count: what looks at one looks a little before it.
static OndVec before_open(const OndProbeView *v, const OndFlowProbe *p, double slab)
{
    const OndDomainDef *const d = &v->scene->domain;
    for (int side = 0; v->scene->has_domain && side < 2 * v->dimension; ++side) {
        const double at = ond_axis(p->center, side / 2);
        const double gap =
            side % 2 ? ond_axis(d->max, side / 2) - at : at - ond_axis(d->min, side / 2);
        const double along = ond_axis(p->normal, side / 2), in = side % 2 ? -1.0 : 1.0;
        if (d->side[side].kind != OND_SIDE_OPEN || fabs(along) < UPRIGHT) continue;
        if (gap > -1e-6 * slab && gap < slab)
            return ond_add(p->center, ond_scale(p->normal, in / along * (slab - gap)));
    }
    return p->center;
}

static Gate gate_of(const OndProbeView *v, const OndFlowProbe *p)
{
    const bool flat = v->dimension == 2, upright = fabs(p->normal.y) > UPRIGHT;
    const OndVec side = flat || upright ? ond_vec(0, 0, 1) : ond_vec(0, 1, 0);
    const OndVec across = ond_unit(ond_cross(p->normal, side));
    const double slab = SLAB * v->spacing;
    return (Gate){before_open(v, p, slab), across, ond_cross(across, p->normal), slab};
}

static double nearest_image(double away, double period)
{
    return period > 0.0 ? away - period * floor(away / period + 0.5) : away;
}

// How far past the rectangle's plane a particle is; false: beside the rectangle, or far from it.
static bool at_gate(const OndProbeView *v, const OndFlowProbe *p, const Gate *g, int i,
                    double *past)
{
    const OndVec away = ond_sub(place(v, i), g->center);
    const OndVec d = {nearest_image(away.x, v->period.x), nearest_image(away.y, v->period.y),
                      nearest_image(away.z, v->period.z)};
    *past = ond_dot(d, p->normal);
    if (!(fabs(*past) < g->slab) || 2.0 * fabs(ond_dot(d, g->across)) > p->width) return false;
    return v->dimension == 2 || 2.0 * fabs(ond_dot(d, g->up)) <= p->height;
}

double ond_probe_flow(const OndProbeView *v, const OndFlowProbe *p)
{
    const Gate gate = gate_of(v, p);
    double sum = 0.0, past;
    for (int i = 0; i < v->count; ++i) {
        if (!at_gate(v, p, &gate, i, &past)) continue;
        const OndVec velocity = ond_vec(v->v[0][i], v->v[1][i], v->v[2][i]);
        sum += ond_dot(velocity, p->normal) * (1.0 - fabs(past) / gate.slab) / gate.slab;
    }
    return pow(v->spacing, v->dimension) * sum;
}

// Over its way through the slab a particle counts once, and from its beginning to `past` this much.
static double passed(double past, double slab)
{
    const double left = 1.0 - fabs(past) / slab;
    return past < 0.0 ? 0.5 * left * left : 1.0 - 0.5 * left * left;
}

double ond_probe_born(const OndProbeView *v, const OndFlowProbe *p, int first)
{
    const Gate gate = gate_of(v, p);
    double sum = 0.0, past;
    for (int i = first; i < v->count; ++i)
        if (at_gate(v, p, &gate, i, &past))
            sum += passed(past, gate.slab) - (past < 0.0 ? 0.0 : 1.0);
    return pow(v->spacing, v->dimension) * sum;
}
