// SPDX-License-Identifier: MIT
// The thesis's way from pair to pair, and the explicit forms it improves on (physics/heat.h):
// solenthaler, stora, paiva.
//
// k = conductivity / (rho c). The thesis's order is that of the neighbour lists, and heat is kept
// only roughly; it is stable at any step. The explicit ones burst when k dt is beyond about h^2 /
// 4. They read the temperatures of before the step. What comes from outside follows after, by
// itself and implicitly.
#include "base/parallel.h"
#include "particles/heat/heat_state.h"

typedef struct ExactPairs {
    OndSph *s;
    OndHeat *h;
    double dt;
} ExactPairs;

static double diffusivity(const OndSph *s, uint32_t i)
{
    const OndMaterial *m = &s->world.material[s->material[i]];
    return m->conductivity / ((double)m->density * m->specific_heat);
}

// k of a pair; into `conduct`, images included.
static void fill_range(int first, int last, int worker, void *context)
{
    const ExactPairs *p = context;
    for (int i = first; i < last; ++i)
        p->h->conduct[i] = (float)diffusivity(p->s, (uint32_t)i);
}

static inline double pair_k(const OndHeat *h, uint32_t i, uint32_t j)
{
    return ond_heat_diffusivity(h->conduct[i], h->conduct[j]);
}

// x_i - x_j; returns the distance.
static inline float offset(const OndSph *s, uint32_t i, uint32_t j, float d[3])
{
    for (int a = 0; a < 3; ++a)
        d[a] = s->x[a][i] - s->x[a][j];
    return sqrtf(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
}

static double thesis(const ExactPairs *p, uint32_t i, uint32_t j, double now)
{
    float d[3];
    const OndSph *s = p->s;
    const double lap = ond_kernel_laplacian(s->kernel, offset(s, i, j, d));
    const double both = pair_k(p->h, i, j) * lap * p->dt;
    return ond_heat_pair(now, p->h->value[j], both * s->volume[i], both * s->volume[j]);
}

static double solenthaler(const ExactPairs *p, uint32_t i, uint32_t j, double now)
{
    float d[3];
    const OndSph *s = p->s;
    const double lap = ond_kernel_laplacian(s->kernel, offset(s, i, j, d));
    return now + ond_heat_solenthaler(pair_k(p->h, i, j), s->volume[j], p->h->value[i],
                                      p->h->value[j], lap, p->dt);
}

static double paiva(const ExactPairs *p, uint32_t i, uint32_t j, double now)
{
    float d[3];
    const OndSph *s = p->s;
    const double r = offset(s, i, j, d);
    const double slope =
        ond_heat_paiva_slope(r, s->kernel.h, ond_kernel_gradient(s->kernel, (float)r));
    const double dense = ond_heat_paiva_dense(s->density[i], s->density[j]);
    return now + ond_heat_paiva(pair_k(p->h, i, j), s->volume[j], dense, p->h->value[i],
                                p->h->value[j], slope, p->dt);
}

// The gradients of the temperature stand in these three, which the implicit solver uses otherwise.
static double *gradient(const OndHeat *h, int axis)
{
    double *const where[3] = {h->pulled, h->residual, h->capacity};
    return where[axis];
}

static void gradient_range(int first, int last, int worker, void *context)
{
    const ExactPairs *p = context;
    const OndSph *s = p->s;
    for (int i = first; i < last; ++i) {
        double sum[3] = {0};
        for (uint32_t k = 0; k < s->lists.length[i]; ++k) {
            float d[3];
            const uint32_t j = s->lists.pool[s->lists.first[i] + k];
            const double g = ond_kernel_gradient(s->kernel, offset(s, (uint32_t)i, j, d));
            for (int a = 0; a < 3; ++a)
                sum[a] +=
                    ond_heat_stora_gradient(s->volume[j], p->h->value[i], p->h->value[j], g, d[a]);
        }
        for (int a = 0; a < 3; ++a)
            gradient(p->h, a)[i] = sum[a];
    }
}

// An image's gradient is its particle's, turned round at a mirror.
static double stora(const ExactPairs *p, uint32_t i, uint32_t j, double now)
{
    static const int power3[3] = {1, 3, 9};
    float d[3];
    const OndSph *s = p->s;
    const double g = ond_kernel_gradient(s->kernel, offset(s, i, j, d));
    const bool image = j >= (uint32_t)s->fields.count;
    const uint32_t k = image ? j - (uint32_t)s->fields.count : 0;
    const uint32_t from = image ? s->images.source[k] : j;
    double sum = 0;
    for (int a = 0; a < s->world.dimension; ++a) {
        const int way = image ? s->images.code[k] / power3[a] % 3 : 0;
        const bool flip = way && s->world.side[2 * a + way - 1].kind == OND_SIDE_WALL;
        sum += (flip ? -1.0 : 1.0) * gradient(p->h, a)[from] * g * d[a];
    }
    return now + ond_heat_stora(pair_k(p->h, i, j), s->volume[j], sum, p->dt);
}

static void pair_range(int first, int last, int worker, void *context)
{
    static double (*const forms[])(const ExactPairs *, uint32_t, uint32_t, double) = {
        [OND_HEAT_THESIS] = thesis,
        [OND_HEAT_STORA] = stora,
        [OND_HEAT_SOLENTHALER] = solenthaler,
        [OND_HEAT_PAIVA] = paiva,
    };
    const ExactPairs *p = context;
    const OndSph *s = p->s;
    for (int i = first; i < last; ++i) {
        double now = p->h->value[i];
        for (uint32_t k = 0; k < s->lists.length[i]; ++k) {
            const uint32_t j = s->lists.pool[s->lists.first[i] + k];
            if (j != (uint32_t)i) now = forms[s->def.heat.solver](p, (uint32_t)i, j, now);
        }
        p->h->start[i] = now;
    }
}

// What the pairs gave warms (or melts), and then the outside has its turn.
static void finish_range(int first, int last, int worker, void *context)
{
    const ExactPairs *p = context;
    OndHeat *h = p->h;
    for (int i = first; i < last; ++i) {
        const OndHeatCurve c = h->curve[p->s->material[i]];
        const double gain = c.capacity * (h->start[i] - h->value[i]);
        const double held = ond_heat_held(c, h->value[i]) + gain + h->toward[i];
        ond_heat_store(p->s, i, ond_heat_temperature(c, h->outside[i], held));
    }
}

OndStatus ond_heat_pairs(OndSph *s, double dt, OndError *err)
{
    OndHeat *h = s->heat;
    const int n = s->fields.count;
    ExactPairs p = {s, h, dt};
    ond_parallel_for(n, 8 * OND_GRAIN, fill_range, &p);
    ond_sph_image_scalar(s, h->conduct);
    ond_heat_plain_images(s);
    ond_heat_images(s, h->value, true);
    if (s->def.heat.solver == OND_HEAT_STORA) ond_parallel_for(n, OND_GRAIN, gradient_range, &p);
    ond_parallel_for(n, OND_GRAIN, pair_range, &p);
    ond_parallel_for(n, 8 * OND_GRAIN, finish_range, &p);
    return OND_OK;
}
