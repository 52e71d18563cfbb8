// SPDX-License-Identifier: MIT
// The neighbour loops of every instruction set against plain sums over all pairs, in double.
//
// Sums over neighbours cancel, so each is held against the sum of its terms' magnitudes.
#include "base/cpu.h"
#include "base/memory.h"
#include "base/random.h"
#include "check.h"
#include "particles/loops/loops.h"
#include "physics/viscosity.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>

#define ROOM    1024 // particles and images, with the 64 entries that vectors may read past the end
#define POOL    (1 << 20)
#define SPACING 0.1
#define WITHIN  1e-5 // of the sum of magnitudes

extern const OndLoops ond_loops_base;
extern const OndLoops ond_loops_v3 __attribute__((weak)), ond_loops_v4 __attribute__((weak));

static const struct {
    const char *name;
    const OndLoops *loops;
    OndIsa needs;
} sets[] = {
    {"base", &ond_loops_base, OND_ISA_BASE},
    {"v3", &ond_loops_v3, OND_ISA_V3},
    {"v4", &ond_loops_v4, OND_ISA_V4},
};

static const OndLoops *usable(int set)
{
    if (set == 0) ond_loops(); // pulls the others out of the library where it has them
    return sets[set].needs <= ond_cpu_isa() ? sets[set].loops : NULL;
}

// ---- clouds

typedef struct Cloud {
    float x[3][ROOM], v[3][ROOM], density[ROOM], volume[ROOM];
    float weight[ROOM], load[ROOM], scale[ROOM], mu[ROOM], pull[ROOM];
    float a[3][ROOM], out[4][ROOM];
    int dimension, count, images; // images stand behind the particles
    float reach;
    OndKernelSet kernel;
    OndCells cells, image_cells;
    uint32_t pool[POOL], first[ROOM], length[ROOM];
    float sum[ROOM], candidate[3][ROOM];
    uint32_t candidate_id[ROOM];
    _Atomic(uint32_t) used;
    _Atomic(int) overflow;
    const char *name;
} Cloud;

typedef enum Kind { JITTERED_2D, JITTERED_3D, WITH_IMAGES, COINCIDENT, KIND_COUNT } Kind;

static const char *const kind_names[] = {"2D lattice", "3D lattice", "lattice with images",
                                         "coincident"};

static float noise(int i, int stream)
{
    return 2 * ond_random((uint64_t)i, (uint64_t)stream) - 1;
}

static void place(Cloud *c, Kind kind, int i, int at[3])
{
    for (int a = 0; a < 3; ++a) {
        const bool there = a < c->dimension;
        const double jitter = 0.25 * noise(i, a);
        c->x[a][i] = there ? (float)(SPACING * (at[a] + jitter) - 0.3) : 0.0f;
    }
    if (kind == COINCIDENT) { // knots of particles in one place, and some a hair apart
        for (int a = 0; a < 3; ++a)
            c->x[a][i] =
                (float)(0.15 * ((i / 40) >> a & 1)) + (i % 40 == 0 ? 1e-20f * (float)a : 0);
    }
}

static void fill(Cloud *c, Kind kind)
{
    const int side = c->dimension == 2 ? 24 : 8, layers = c->dimension == 2 ? 1 : 8;
    for (int i = 0; i < side * side * layers; ++i) {
        int at[3] = {i % side, i / side % side, i / side / side};
        place(c, kind, i, at);
        for (int a = 0; a < 3; ++a)
            c->v[a][i] = a < c->dimension ? 2 * noise(i, 10 + a) : 0.0f;
        c->density[i] = 1000 + 80 * noise(i, 20);
        c->volume[i] = (float)pow(SPACING, c->dimension) * (1 + 0.1f * noise(i, 21));
        c->weight[i] = 2 + noise(i, 22);
        c->load[i] = 5 * noise(i, 23);
        c->scale[i] = 1 + 0.5f * noise(i, 24);
        c->mu[i] = 1 + noise(i, 25);
        c->pull[i] = 0.07f * (1 + noise(i, 26));
    }
    c->count = side * side * layers;
    if (kind == WITH_IMAGES) { // the last third are images, most of them outside the particles' box
        c->images = c->count / 3;
        c->count -= c->images;
    }
}

// Sorts particles [first, first + count) into the grid, all their values with them.
static void sort_part(Cloud *c, OndCells *cells, int first, int count)
{
    static uint32_t key[ROOM], order[ROOM];
    OndError err = {0};
    if (ond_cells_sort(cells, c->x[0] + first, c->x[1] + first, c->x[2] + first, count, key, order,
                       &err) != OND_OK)
        fail_msg("%s", err.text);
    float *const arrays[] = {c->x[0],   c->x[1],   c->x[2], c->v[0],  c->v[1], c->v[2], c->density,
                             c->volume, c->weight, c->load, c->scale, c->mu,   c->pull};
    for (int f = 0; f < OND_COUNT(arrays); ++f) {
        float moved[ROOM];
        for (int k = 0; k < count; ++k)
            moved[k] = arrays[f][first + (int)order[k]];
        memcpy(arrays[f] + first, moved, (size_t)count * sizeof(float));
    }
}

// A cloud, sorted. `stretch` is how much farther than the kernel the lists reach.
static Cloud *make_cloud(Kind kind, int kernel, double stretch)
{
    Cloud *c = calloc(1, sizeof *c);
    c->dimension = kind == JITTERED_2D ? 2 : 3;
    c->name = kind_names[kind];
    c->kernel = ond_kernel_set(kernel, 2 * SPACING, c->dimension);
    c->reach = (float)(2 * SPACING * stretch);
    fill(c, kind);
    float low[3], high[3];
    for (int a = 0; a < 3; ++a) {
        low[a] = high[a] = c->x[a][0];
        for (int i = 0; i < c->count; ++i)
            low[a] = fminf(low[a], c->x[a][i]), high[a] = fmaxf(high[a], c->x[a][i]);
    }
    OndError err = {0};
    if (ond_cells_lay(&c->cells, low, high, c->reach, c->count, &err) != OND_OK ||
        ond_cells_lay_like(&c->image_cells, &c->cells, &err) != OND_OK)
        fail_msg("%s", err.text);
    sort_part(c, &c->cells, 0, c->count);
    sort_part(c, &c->image_cells, c->count, c->images);
    return c;
}

static void free_cloud(Cloud *c)
{
    ond_cells_free(&c->cells);
    ond_cells_free(&c->image_cells);
    free(c);
}

// ---- quads

// Places with a fourth value, and velocities as ways.
static OndQuad place_of[ROOM], way_of[ROOM];

static void fill_quads(const Cloud *c, const float *places, const float *ways)
{
    for (int i = 0; i < c->count + c->images; ++i) {
        place_of[i] = (OndQuad){c->x[0][i], c->x[1][i], c->x[2][i], places[i]};
        way_of[i] = (OndQuad){c->v[0][i], c->v[1][i], c->v[2][i], ways[i]};
    }
}

// ---- search

static void search(Cloud *c, const OndLoops *loops, uint32_t capacity)
{
    OndNearBuffer worker = {
        .x = c->candidate[0], .y = c->candidate[1], .z = c->candidate[2], .id = c->candidate_id};
    fill_quads(c, c->load, c->load);
    atomic_store(&c->used, 0);
    atomic_store(&c->overflow, 0);
    const OndSearchLoop s = {
        .cells = &c->cells,
        .images = c->images ? &c->image_cells : NULL,
        .image_base = (uint32_t)c->count,
        .px = c->x[0],
        .py = c->x[1],
        .pz = c->x[2],
        .place = place_of,
        .kernel = c->kernel,
        .reach2 = c->reach * c->reach,
        .lists = {c->pool, c->first, c->length, capacity, &c->used, &c->overflow},
        .worker = &worker,
        .sum = c->sum};
    loops->search(&s, 0, c->cells.cell_count, 0);
}

static double offset(const Cloud *c, int i, int j, double d[3])
{
    double r2 = 0;
    for (int a = 0; a < 3; ++a) {
        d[a] = (double)c->x[a][i] - c->x[a][j];
        r2 += d[a] * d[a];
    }
    return r2;
}

static void check_list(const Cloud *c, int i, const char *set)
{
    unsigned char listed[ROOM] = {0};
    if (c->length[i] % OND_LANES) fail_msg("%s: list of %u entries", set, c->length[i]);
    uint32_t padding = 0;
    for (uint32_t k = 0; k < c->length[i]; ++k) {
        const uint32_t j = c->pool[c->first[i] + k];
        if (j == (uint32_t)i) {
            ++padding;
            continue;
        }
        if (padding) fail_msg("%s: %u comes after the padding", set, j);
        if (j >= (uint32_t)(c->count + c->images) || listed[j]++)
            fail_msg("%s, %s: %d lists %u wrongly or twice", c->name, set, i, j);
    }
    if (padding >= OND_LANES) fail_msg("%s: padded by %u", set, padding);
    double sum = 0, d[3];
    for (int j = 0; j < c->count + c->images; ++j) {
        const double r2 = offset(c, i, j, d), edge = r2 / ((double)c->reach * c->reach) - 1;
        sum += ond_kernel_value(c->kernel, (float)r2);
        if (j == i || fabs(edge) < 1e-5) continue; // on the edge rounding decides
        if (listed[j] != (edge < 0))
            fail_msg("%s, %s: %d and %d are %.7g apart (reach %g): listed %d", c->name, set, i, j,
                     sqrt(r2), (double)c->reach, listed[j]);
    }
    CHECK_NEAR(c->sum[i], sum, 3e-6 * sum, set);
}

static void test_lists(void **state)
{
    static const double stretches[] = {1, 1.5};
    for (int set = 0; set < 3; ++set) {
        const OndLoops *loops = usable(set);
        print_message("instruction set %s: %s\n", sets[set].name, loops ? "tested" : "not here");
        for (int kind = 0; loops && kind < KIND_COUNT; ++kind)
            for (int kernel = 0; kernel < OND_KERNEL_COUNT; ++kernel)
                for (int s = 0; s < 2; ++s) {
                    Cloud *c = make_cloud((Kind)kind, kernel, stretches[s]);
                    search(c, loops, POOL);
                    assert_int_equal(c->overflow, 0);
                    for (int i = 0; i < c->count; ++i)
                        check_list(c, i, sets[set].name);
                    free_cloud(c);
                }
    }
}

// A pool that is too small is reported and never overrun.
static void test_small_pool(void **state)
{
    for (int set = 0; set < 3; ++set) {
        const OndLoops *loops = usable(set);
        if (!loops) continue;
        Cloud *c = make_cloud(JITTERED_3D, OND_KERNEL_CUBIC, 1);
        static const uint32_t capacities[] = {0, 1, 1000, 65535};
        for (int k = 0; k < 4; ++k) {
            memset(c->pool, 0xAB, sizeof c->pool);
            search(c, loops, capacities[k]);
            CHECK_NEAR(c->overflow, 1, 0, "overflow reported");
            for (uint32_t p = capacities[k]; p < POOL; ++p)
                if (c->pool[p] != 0xABABABABu)
                    fail_msg("%s: entry %u written, capacity %u", sets[set].name, p, capacities[k]);
        }
        free_cloud(c);
    }
}

// ---- pair loops

static OndPairs pairs_of(Cloud *c)
{
    return (OndPairs){c->pool, c->first, c->length, c->x[0],    c->x[1],   c->x[2],
                      c->v[0], c->v[1],  c->v[2],   c->density, c->volume, c->kernel,
                      c->a[0], c->a[1],  c->a[2],   place_of,   way_of};
}

static OndPairs pairs_with(Cloud *c, const float *fourth)
{
    fill_quads(c, fourth, c->volume);
    return pairs_of(c);
}

// What pair (i, j) adds to the loop's outputs: a vector and a scalar. d = x_i - x_j, r its length.
typedef struct Pair {
    const Cloud *c;
    int i, j;
    double d[3], v[3], r, g; // v = v_i - v_j; g = W'(r) / r
} Pair;

static void pair_pressure(const Pair *p, double out[4])
{
    const Cloud *c = p->c;
    const double push = (double)c->scale[p->i] * c->weight[p->j] * (c->load[p->i] + c->load[p->j]);
    for (int a = 0; a < 3; ++a)
        out[a] = -push * p->g * p->d[a];
}

static void pair_impulse(const Pair *p, double out[4])
{
    const Cloud *c = p->c;
    const double push = (double)c->scale[p->i] * ((double)c->load[p->i] + c->load[p->j]);
    for (int a = 0; a < 3; ++a)
        out[a] = -push * p->g * p->d[a];
}

static void pair_crowding(const Pair *p, double out[4])
{
    out[3] = p->g * (p->v[0] * p->d[0] + p->v[1] * p->d[1] + p->v[2] * p->d[2]);
}

#define FAR 20.0f // 1/m^2

// What a pair pulls, by velocities in c->v; `pull` says what share of it goes along the line.
static double pull_of(const Pair *p)
{
    const Cloud *c = p->c;
    const double mine = c->mu[p->i], other = c->mu[p->j];
    return -2 / (1 / mine + 1 / other) * (1 + (double)FAR * p->r * p->r) * p->g;
}

static void pair_rub(const Pair *p, double out[4])
{
    const double line = p->c->pull[p->j], pull = pull_of(p);
    const double closing = p->v[0] * p->d[0] + p->v[1] * p->d[1] + p->v[2] * p->d[2];
    for (int a = 0; a < 3; ++a)
        out[a] = pull * p->d[a] * (line * closing + (1 - line) * p->v[a] * p->d[a]);
}

static void pair_block_along(const Pair *p, double out[4])
{
    for (int a = 0; a < 3; ++a)
        out[a] = pull_of(p) * p->d[a] * p->d[a];
}

static void pair_block_crossed(const Pair *p, double out[4])
{
    const double pull = p->c->pull[p->j] * pull_of(p);
    out[0] = pull * p->d[0] * p->d[1];
    out[1] = pull * p->d[0] * p->d[2];
    out[2] = pull * p->d[1] * p->d[2];
}

// Of the diagonal what is a sum.
static void pair_ease(const Pair *p, double out[4])
{
    out[3] = p->c->scale[p->j] * p->g * p->g * p->r * p->r;
}

#define LINEAR    3.0f // alpha c
#define QUADRATIC 1.5f // xi

static void pair_artificial(const Pair *p, double out[4])
{
    const Cloud *c = p->c;
    const double closing = p->v[0] * p->d[0] + p->v[1] * p->d[1] + p->v[2] * p->d[2];
    const double h = c->kernel.h, mu = fmin(0, h * closing / (p->r * p->r + 0.01 * h * h));
    const double rub =
        2 * (-LINEAR * mu + QUADRATIC * mu * mu) / ((double)c->density[p->i] + c->density[p->j]);
    for (int a = 0; a < 3; ++a)
        out[a] = -(double)c->density[p->j] * c->volume[p->j] * rub * p->g * p->d[a];
}

// By half the sum of both shares.
static void pair_spare(const Pair *p, double out[4])
{
    const double share = 0.5 * ((double)p->c->pull[p->i] + p->c->pull[p->j]);
    pair_artificial(p, out);
    for (int a = 0; a < 3; ++a)
        out[a] *= share;
}

static void pair_viscosity(const Pair *p, double out[4])
{
    const Cloud *c = p->c;
    const double drag = 0.5 * ((double)c->mu[p->i] + c->mu[p->j]) / c->density[p->i] *
                        c->volume[p->j] * ond_kernel_laplacian(c->kernel, (float)p->r);
    for (int a = 0; a < 3; ++a)
        out[a] = -drag * p->v[a];
}

#define DIFFUSION 0.4f // delta c h

// The diffusion compares packings and is softened at a thousandth of h.
static void pair_continuity(const Pair *p, double out[4])
{
    const Cloud *c = p->c;
    const double flow = p->v[0] * p->d[0] + p->v[1] * p->d[1] + p->v[2] * p->d[2];
    const double mass = (double)c->density[p->i] * c->volume[p->i];
    const double denser = mass * (1.0 / c->volume[p->i] - 1.0 / c->volume[p->j]);
    const double soft = p->r * p->r / (p->r * p->r + 1e-6 * c->kernel.h2);
    out[3] = p->g * c->volume[p->j] * (c->density[p->i] * flow + 2 * DIFFUSION * denser * soft);
}

#define SHARE 0.3f

static void pair_xsph(const Pair *p, double out[4])
{
    const Cloud *c = p->c;
    const double mass = (double)c->density[p->j] * c->volume[p->j];
    const double w = ond_kernel_value(c->kernel, (float)(p->r * p->r));
    for (int a = 0; a < 3; ++a)
        out[a] =
            -SHARE * mass * w * p->v[a] / (0.5 * ((double)c->density[p->i] + c->density[p->j]));
}

// Trapped air, and the way to where the liquid is missing (physics/foam.h).
static void pair_trap(const Pair *p, double out[4])
{
    const double w = 1.0 - p->r / p->c->kernel.h;
    double speed = 0.0, along = 0.0;
    for (int a = 0; a < 3; ++a) {
        speed += p->v[a] * p->v[a];
        along += p->v[a] * p->d[a] / p->r;
        out[a] = SHARE * w * p->d[a] / p->r;
    }
    out[3] = SHARE * w * (sqrt(speed) - along);
}

static double wendland_slope(const Pair *p) // W'(r) / r
{
    const double q = p->r * p->c->kernel.inv_h;
    return q < 1 ? -p->c->kernel.gradient * pow(1 - q, 3) : 0;
}

#define REST_VOLUME 0.9f // times the first particle's

static double volume_at_most(const Cloud *c, int j)
{
    return fmin(c->volume[j], REST_VOLUME * c->volume[0]);
}

static void pair_slope(const Pair *p, double out[4])
{
    for (int a = 0; a < 3; ++a)
        out[a] = volume_at_most(p->c, p->j) * wendland_slope(p) * p->d[a];
}

static void pair_narrow(const Pair *p, double out[4])
{
    const double q = 1.6 * p->r * p->c->kernel.inv_h;
    for (int a = 0; a < 3; ++a)
        out[a] = q < 1
                     ? -volume_at_most(p->c, p->j) * p->c->kernel.gradient * pow(1 - q, 3) * p->d[a]
                     : 0;
}

static float bent[ROOM]; // the loop's curvatures: with the right ones all pairs sum up to 0

static void pair_curvature(const Pair *p, double out[4])
{
    const Cloud *c = p->c;
    double mine = 0, theirs = 0;
    for (int a = 0; a < 3; ++a)
        mine += (double)c->out[a][p->i] * p->d[a], theirs += (double)c->out[a][p->j] * p->d[a];
    const double way = p->r * p->r - mine * mine;
    out[3] = c->pull[p->j] * wendland_slope(p) * (theirs - mine - bent[p->i] * way);
}

static void pair_colour(const Pair *p, double out[4])
{
    const Cloud *c = p->c;
    const double q = p->r * c->kernel.inv_h, volume = c->volume[p->j];
    for (int a = 0; a < 3; ++a)
        out[a] = volume * wendland_slope(p) * p->d[a];
    // W'' + (d - 1) W' / r
    const double bend = pow(1 - q, 2) * (1 - 4 * q) + (c->dimension - 1) * pow(1 - q, 3);
    out[3] = q < 1 ? -volume * c->kernel.gradient * bend : 0;
}

static void run_pressure(const OndLoops *l, Cloud *c, int first, int last)
{
    const OndPressureLoop loop = {pairs_with(c, c->load), c->weight, c->scale};
    l->pressure(&loop, first, last);
}

// All weights are 1: what impulses do.
static void run_alike(const OndLoops *l, Cloud *c, int first, int last)
{
    const OndPressureLoop loop = {pairs_with(c, c->load), NULL, c->scale};
    l->pressure(&loop, first, last);
}

static OndImpulseLoop quads_of(Cloud *c, const float *fourth)
{
    fill_quads(c, fourth, c->weight); // a way's is not read
    return (OndImpulseLoop){c->pool,  c->first, c->length, c->kernel,
                            place_of, c->scale, way_of,    c->out[3]};
}

static void run_impulse(const OndLoops *l, Cloud *c, int first, int last)
{
    const OndImpulseLoop loop = quads_of(c, c->load);
    l->impulse(&loop, first, last);
    for (int i = first; i < last; ++i)
        for (int a = 0; a < 3; ++a)
            c->a[a][i] = way_of[i][a];
}

static void run_crowding(const OndLoops *l, Cloud *c, int first, int last)
{
    const OndImpulseLoop loop = quads_of(c, c->load);
    l->crowding(&loop, first, last);
}

static OndQuad rubbed[ROOM];
static float block_of[ROOM][6];

static OndViscousLoop viscous_of(Cloud *c)
{
    fill_quads(c, c->mu, c->pull);
    return (OndViscousLoop){c->pool,  c->first, c->length, c->kernel, FAR,
                            place_of, way_of,   rubbed,    block_of};
}

static void run_rub(const OndLoops *l, Cloud *c, int first, int last)
{
    const OndViscousLoop loop = viscous_of(c);
    l->rub(&loop, first, last);
    for (int i = first; i < last; ++i)
        for (int a = 0; a < 3; ++a)
            c->a[a][i] = rubbed[i][a];
}

static void run_block(const OndLoops *l, Cloud *c, int first, int last, int half)
{
    const OndViscousLoop loop = viscous_of(c);
    l->rub_block(&loop, first, last);
    for (int i = first; i < last; ++i)
        for (int a = 0; a < 3; ++a)
            c->a[a][i] = block_of[i][3 * half + a];
}

static void run_block_along(const OndLoops *l, Cloud *c, int first, int last)
{
    run_block(l, c, first, last, 0);
}

static void run_block_crossed(const OndLoops *l, Cloud *c, int first, int last)
{
    run_block(l, c, first, last, 1);
}

// Without what the sum of all gradients adds, which is no sum over pairs.
static void run_ease(const OndLoops *l, Cloud *c, int first, int last)
{
    OndImpulseLoop loop = quads_of(c, c->scale);
    l->ease(&loop, first, last);
    for (int i = first; i < last; ++i) {
        double slope[3] = {0};
        for (uint32_t k = 0; k < c->length[i]; ++k) {
            const int j = (int)c->pool[c->first[i] + k];
            double d[3];
            const double r = sqrt(offset(c, i, j, d));
            for (int a = 0; a < 3; ++a)
                slope[a] += ond_kernel_gradient(c->kernel, (float)r) * d[a];
        }
        c->out[3][i] -= (float)(c->scale[i] *
                                (slope[0] * slope[0] + slope[1] * slope[1] + slope[2] * slope[2]));
    }
}

static void run_artificial(const OndLoops *l, Cloud *c, int first, int last)
{
    const OndArtificialLoop loop = {pairs_with(c, c->density), LINEAR, QUADRATIC};
    l->artificial(&loop, first, last);
}

static void run_spare(const OndLoops *l, Cloud *c, int first, int last)
{
    const OndSpareLoop loop = {{pairs_with(c, c->density), LINEAR, QUADRATIC}, c->pull};
    l->spare(&loop, first, last);
}

static void run_viscosity(const OndLoops *l, Cloud *c, int first, int last)
{
    const OndViscosityLoop loop = {pairs_with(c, c->mu)};
    l->viscosity(&loop, first, last);
}

static void run_continuity(const OndLoops *l, Cloud *c, int first, int last)
{
    const OndContinuityLoop loop = {pairs_with(c, c->density), DIFFUSION, 1e30f, c->out[3]};
    l->continuity(&loop, first, last);
}

static void run_xsph(const OndLoops *l, Cloud *c, int first, int last)
{
    const OndXsphLoop loop = {pairs_with(c, c->density), SHARE, c->out[0], c->out[1], c->out[2]};
    l->xsph(&loop, first, last);
    for (int a = 0; a < 3; ++a) // what it added to the velocity
        for (int i = first; i < last; ++i)
            c->a[a][i] = c->out[a][i] - c->v[a][i];
}

static OndSlopeLoop slope_loop(Cloud *c)
{
    OndSlopeLoop loop = {.pairs = pairs_of(c), .rest_volume = REST_VOLUME * c->volume[0]};
    loop.narrow = c->kernel; // with the same factor
    loop.narrow.inv_h *= 1.6f;
    return loop;
}

static void run_slope(const OndLoops *l, Cloud *c, int first, int last)
{
    OndSlopeLoop loop = slope_loop(c);
    loop.nx = c->a[0], loop.ny = c->a[1], loop.nz = c->a[2];
    loop.fx = c->out[0], loop.fy = c->out[1], loop.fz = c->out[2];
    l->slope(&loop, first, last);
}

static void run_narrow(const OndLoops *l, Cloud *c, int first, int last)
{
    OndSlopeLoop loop = slope_loop(c);
    loop.nx = c->out[0], loop.ny = c->out[1], loop.nz = c->out[2];
    loop.fx = c->a[0], loop.fy = c->a[1], loop.fz = c->a[2];
    l->slope(&loop, first, last);
}

static void run_curvature(const OndLoops *l, Cloud *c, int first, int last)
{
    for (int i = 0; i < c->count + c->images; ++i) {
        const float v =
            sqrtf(c->v[0][i] * c->v[0][i] + c->v[1][i] * c->v[1][i] + c->v[2][i] * c->v[2][i]);
        for (int a = 0; a < 3; ++a)
            c->out[a][i] = c->v[a][i] / (v + 1e-6f);
    }
    const OndCurvatureLoop loop = {pairs_of(c), c->out[0], c->out[1], c->out[2], c->pull, bent};
    l->curvature(&loop, first, last);
}

static void run_colour(const OndLoops *l, Cloud *c, int first, int last)
{
    const OndColourLoop loop = {pairs_of(c), c->dimension, c->a[0], c->a[1], c->a[2], c->out[3]};
    l->colour(&loop, first, last);
}

static void run_trap(const OndLoops *l, Cloud *c, int first, int last)
{
    const OndTrapLoop loop = {
        pairs_of(c), 1.0f / c->kernel.h, SHARE, 0.0f, c->out[3], c->a[0], c->a[1], c->a[2]};
    l->trap(&loop, first, last);
}

static const struct {
    const char *name;
    void (*run)(const OndLoops *, Cloud *, int first, int last);
    void (*pair)(const Pair *, double out[4]);
    bool wendland; // made for that kernel alone
    bool self;     // counts the particle itself
    double floor;  // of the tolerance: what is left when velocities are subtracted again
} loops_table[] = {
    {"pressure", run_pressure, pair_pressure, false, false, 0},
    {"pressure of alike", run_alike, pair_impulse, false, false, 0},
    {"impulse", run_impulse, pair_impulse, false, false, 0},
    {"crowding", run_crowding, pair_crowding, false, false, 0},
    {"ease", run_ease, pair_ease, false, false, 0},
    {"rub", run_rub, pair_rub, false, false, 0},
    {"block, along", run_block_along, pair_block_along, false, false, 0},
    {"block, crossed", run_block_crossed, pair_block_crossed, false, false, 0},
    {"artificial", run_artificial, pair_artificial, false, false, 0},
    {"spare", run_spare, pair_spare, false, false, 0},
    {"viscosity", run_viscosity, pair_viscosity, false, false, 0},
    {"continuity", run_continuity, pair_continuity, false, false, 0},
    {"xsph", run_xsph, pair_xsph, false, false, 3e-7},
    {"trap", run_trap, pair_trap, false, false, 0},
    {"slope", run_slope, pair_slope, true, false, 0},
    {"narrow slope", run_narrow, pair_narrow, true, false, 0},
    {"curvature", run_curvature, pair_curvature, true, false, 0},
    {"colour", run_colour, pair_colour, true, true, 0},
};

// The plain sum for particle i, and the sum of magnitudes.
static void plain_sum(const Cloud *c, int which, int i, double sum[4], double size[4])
{
    memset(sum, 0, 4 * sizeof *sum), memset(size, 0, 4 * sizeof *size);
    for (int j = 0; j < c->count + c->images; ++j) {
        if (j == i && !loops_table[which].self) continue;
        Pair p = {c, i, j, {0}, {0}, 0, 0};
        p.r = sqrt(offset(c, i, j, p.d));
        if (p.r >= c->kernel.h) continue;
        p.g = ond_kernel_gradient(c->kernel, (float)p.r);
        for (int a = 0; a < 3; ++a)
            p.v[a] = (double)c->v[a][i] - c->v[a][j];
        double out[4] = {0};
        loops_table[which].pair(&p, out);
        for (int k = 0; k < 4; ++k)
            sum[k] += out[k], size[k] += fabs(out[k]);
    }
}

static void check_loop(Cloud *c, int which, const char *set, double *worst)
{
    for (int i = 0; i < c->count; ++i) {
        double sum[4], size[4];
        plain_sum(c, which, i, sum, size);
        for (int k = 0; k < 4; ++k) {
            const double got = k < 3 ? c->a[k][i] : c->out[3][i];
            if (fabs(got) > 0 && size[k] > 0)
                *worst = fmax(*worst, (fabs(got - sum[k]) - loops_table[which].floor) / size[k]);
            if (!(fabs(got - sum[k]) <= WITHIN * size[k] + loops_table[which].floor))
                fail_msg("%s, %s, kernel %d, %s: component %d of particle %d is %.9g, want %.9g "
                         "(terms add up to %.4g)",
                         loops_table[which].name, c->name, c->kernel.kind, set, k, i, got, sum[k],
                         size[k]);
        }
    }
}

static void test_pair_loops(void **state)
{
    for (int which = 0; which < OND_COUNT(loops_table); ++which) {
        double worst = 0;
        for (int set = 0; set < 3; ++set)
            for (int kind = 0; usable(set) && kind < COINCIDENT; ++kind)
                for (int kernel = 0; kernel < OND_KERNEL_COUNT; ++kernel) {
                    if (loops_table[which].wendland && kernel != OND_KERNEL_WENDLAND) continue;
                    Cloud *c = make_cloud((Kind)kind, kernel, 1.2);
                    search(c, usable(set), POOL);
                    loops_table[which].run(usable(set), c, 0, c->count);
                    check_loop(c, which, sets[set].name, &worst);
                    free_cloud(c);
                }
        print_message("%-10s off by at most %.1e of its terms\n", loops_table[which].name, worst);
    }
}

// Particles on top of each other have no direction to push in; nothing may become infinite or NaN.
static void test_coincident(void **state)
{
    for (int set = 0; set < 3; ++set)
        for (int which = 0; usable(set) && which < OND_COUNT(loops_table); ++which)
            for (int kernel = 0; kernel < OND_KERNEL_COUNT; ++kernel) {
                Cloud *c = make_cloud(COINCIDENT, kernel, 1);
                search(c, usable(set), POOL);
                loops_table[which].run(usable(set), c, 0, c->count);
                for (int k = 0; k < 4; ++k)
                    for (int i = 0; i < c->count; ++i) {
                        const double got = k < 3 ? c->a[k][i] : c->out[3][i];
                        if (!isfinite(got) || fabs(got) > 1e9)
                            fail_msg("%s, kernel %d, %s: component %d of particle %d is %g",
                                     loops_table[which].name, kernel, sets[set].name, k, i, got);
                    }
                free_cloud(c);
            }
}

// Loops that add must keep what was there; none may touch what is outside its range, nor depend on
// it.
static void test_ranges(void **state)
{
    for (int set = 0; set < 3; ++set)
        for (int which = 0; usable(set) && which < OND_COUNT(loops_table); ++which) {
            Cloud *whole = make_cloud(JITTERED_3D, OND_KERNEL_WENDLAND, 1);
            Cloud *cut = make_cloud(JITTERED_3D, OND_KERNEL_WENDLAND, 1);
            search(whole, usable(set), POOL), search(cut, usable(set), POOL);
            loops_table[which].run(usable(set), whole, 0, whole->count);
            for (int i = 0; i < cut->count; i += 7)
                loops_table[which].run(usable(set), cut, i,
                                       i + 7 < cut->count ? i + 7 : cut->count);
            if (memcmp(whole->a, cut->a, sizeof cut->a) ||
                memcmp(whole->out, cut->out, sizeof cut->out))
                fail_msg("%s, %s: depends on how the range is cut", loops_table[which].name,
                         sets[set].name);
            free_cloud(whole), free_cloud(cut);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_lists),      cmocka_unit_test(test_small_pool),
        cmocka_unit_test(test_pair_loops), cmocka_unit_test(test_coincident),
        cmocka_unit_test(test_ranges),
    };
    return cmocka_run_group_tests_name("loops", tests, NULL, NULL);
}
