// SPDX-License-Identifier: MIT
// ctest: isa
// The grids that answer slow waves of pressure: what particles give their corners and get of them is
// the obvious sum, the matrices have the energy that they claim, the answer is symmetric and positive,
// and with it iterations hardly grow with the liquid's depth, nor once it moves.
#include "base/random.h"
#include "particles/incompressible/multigrid_state.h"
#include "particles/incompressible/projection_state.h"
#include "wet.h"

#define MOST 4096

static struct {
    bool done;
    double depth_iterations;
} seen;

// ---- the obvious way

typedef struct Spot {
    int node[OND_CORNERS];
    double weight[OND_CORNERS], slope[OND_CORNERS][3];
} Spot;

static Spot spot_of(const OndPressureGrids *m, const OndSph *s, int i)
{
    const OndPressureGrid *g = &m->level[0];
    Spot out;
    int cell[3];
    double share[3];
    for (int a = 0; a < 3; ++a) {
        const double way = ((double)s->x[a][i] - m->origin[a]) * m->inv_size[a];
        cell[a] = (int)fmin(fmax(floor(way), 0), g->cells[a] - 1);
        share[a] = way - cell[a];
    }
    for (int k = 0; k < OND_CORNERS; ++k) {
        double f[3];
        for (int a = 0; a < 3; ++a)
            f[a] = k >> a & 1 ? share[a] : 1.0 - share[a];
        out.node[k] =
            ond_grid_node(g, cell[0] + (k & 1), cell[1] + (k >> 1 & 1), cell[2] + (k >> 2));
        out.weight[k] = f[0] * f[1] * f[2];
        for (int a = 0; a < 3; ++a)
            out.slope[k][a] =
                (k >> a & 1 ? 1.0 : -1.0) * m->inv_size[a] * f[(a + 1) % 3] * f[(a + 2) % 3];
    }
    return out;
}

static void pull_of(const OndSph *s, int i, double out[3]) // T
{
    const uint32_t *list = s->lists.pool + s->lists.first[i];
    out[0] = out[1] = out[2] = 0;
    for (uint32_t e = 0; e < s->lists.length[i]; ++e) {
        double d[3], r2 = 0;
        for (int a = 0; a < 3; ++a)
            d[a] = (double)s->x[a][i] - s->x[a][list[e]], r2 += d[a] * d[a];
        const double g = s->slope_ratio * ond_kernel_gradient(s->kernel, (float)sqrt(r2));
        for (int a = 0; a < 3; ++a)
            out[a] += 2 * g * d[a];
    }
}

// ---- what is compared

static void fill(OndSph *s, uint64_t seed, float *out)
{
    for (int i = 0; i < s->fields.count; ++i)
        out[i] = (float)ond_random(seed, (uint64_t)i) - 0.5f;
    memcpy(s->crowded, out, (size_t)s->fields.count * sizeof *out);
}

// The grids' part of the answer to s->crowded, of those who are pushed.
static double answer(OndPressureGrids *m, OndSph *s, float *out)
{
    ond_multigrid_take(m, s, 1);
    const double dot = ond_multigrid_answer(m);
    for (int i = 0; i < s->fields.count; ++i)
        s->projection->place[i][3] = 0.0f;
    ond_multigrid_turn(m, s, 0.0f);
    for (int i = 0; i < s->fields.count; ++i)
        out[i] = s->projection->place[i][3] - s->crowded[i] * s->ease[i];
    return dot;
}

static double dot_of(const OndSph *s, const float *a, const float *b)
{
    double sum = 0;
    for (int i = 0; i < s->fields.count; ++i)
        if (s->ease[i] > 0.0f) sum += (double)a[i] * b[i];
    return sum;
}

static void check_symmetry(OndPressureGrids *m, OndSph *s)
{
    static float a[MOST], b[MOST], to_a[MOST], to_b[MOST];
    for (uint64_t seed = 1; seed < 6; ++seed) {
        fill(s, 2 * seed, a);
        const double own = answer(m, s, to_a);
        fill(s, 2 * seed + 1, b);
        const double other = answer(m, s, to_b);
        if (!(own > 0 && other > 0)) fail_msg("not positive: %g, %g", own, other);
        CHECK_NEAR(dot_of(s, a, to_a) / own, 1, 1e-3, "product with the answer");
        CHECK_NEAR(dot_of(s, b, to_a) / sqrt(own * other), dot_of(s, a, to_b) / sqrt(own * other),
                   1e-4, "symmetry");
    }
}

static void check_sums(OndPressureGrids *m, OndSph *s)
{
    static float a[MOST];
    static double want[MOST];
    const OndPressureGrid *g = &m->level[0];
    assert_true(g->count <= MOST);
    memset(want, 0, sizeof want);
    fill(s, 77, a);
    ond_multigrid_take(m, s, 1);
    for (int i = 0; i < s->fields.count; ++i) {
        const Spot at = spot_of(m, s, i);
        for (int k = 0; k < OND_CORNERS && s->ease[i] > 0.0f; ++k)
            want[at.node[k]] += at.weight[k] * a[i];
    }
    for (int n = 0; n < g->count; ++n)
        CHECK_NEAR(g->r[n], want[n], 2e-5, "what a node gets");
}

// Of values at nodes, by the elements and by particles.
static void check_energy(OndPressureGrids *m, OndSph *s)
{
    static float x[MOST];
    const OndPressureGrid *g = &m->level[0];
    double want = 0, found = 0;
    for (int n = 0; n < g->count; ++n)
        x[n] = (float)ond_random(5, (uint64_t)n);
    for (int i = 0; i < s->fields.count; ++i) {
        const Spot at = spot_of(m, s, i);
        const double q = s->slope_ratio / s->rest_room[i];
        double pull[3], value = 0, way[3] = {0};
        pull_of(s, i, pull);
        for (int k = 0; k < OND_CORNERS; ++k)
            value += at.weight[k] * x[at.node[k]];
        for (int a = 0; a < 3; ++a) {
            for (int k = 0; k < OND_CORNERS; ++k)
                way[a] += q * at.slope[k][a] * x[at.node[k]];
            way[a] += pull[a] * value;
            want += s->inverse_mass[i] * way[a] * way[a];
        }
    }
    for (int n = 0; n < g->count; ++n)
        for (int k = 0; k < OND_STENCIL; ++k) {
            const float of = g->stencil[k * g->count + n];
            const int to =
                n + ((k / 9 - 1) * g->nodes[1] + k / 3 % 3 - 1) * g->nodes[0] + k % 3 - 1;
            if (of != 0.0f) found += (double)of * x[n] * x[to];
        }
    CHECK_NEAR(found / want, 1, 1e-4, "energy of values at nodes");
}

static void look(OndSph *s, int pass)
{
    if (strcmp(ond_sph_passes[pass].name, "volume") != 0 || seen.done) return;
    OndPressureGrids *const m = s->projection->grids;
    seen.done = true;
    check_sums(m, s);
    check_energy(m, s);
    check_symmetry(m, s);
}

// ---- scenes

static Wet pool(int dimension, double spacing, double width, double depth)
{
    Wet w = wet_make(dimension, spacing);
    w.def.pressure = OND_PRESSURE_CG;
    for (int side = 0; side < 2 * dimension; ++side)
        w.world.side[side].kind = OND_SIDE_WALL;
    w.world.box = (OndBox){{0, 0, 0}, {width, 2 * depth, dimension == 3 ? width : 0}};
    wet_fill(&w, (OndBox){{0, 0, 0}, {width, depth, dimension == 3 ? width : 0}}, NULL);
    return w;
}

static void close_pool(Wet *w)
{
    ond_sph_method.destroy(w->s);
}

static void test_grids(void **state)
{
    (void)state;
    for (int dimension = 2; dimension <= 3; ++dimension) {
        Wet w = pool(dimension, 0.05, dimension == 2 ? 1.5 : 0.5, 0.9);
        for (int k = 0; k < 5; ++k)
            wet_step(&w);
        assert_true(w.s->fields.count <= MOST);
        seen.done = false;
        w.s->watch = look;
        wet_step(&w);
        assert_true(seen.done);
        close_pool(&w);
    }
}

// The first step of a pool that begins without pressure.
static int first_iterations(double depth)
{
    Wet w = pool(2, 0.05, 0.8, depth);
    wet_step(&w);
    const int iterations = w.s->iterations;
    print_message("%g spacings deep: %d iterations\n", depth / 0.05, iterations);
    close_pool(&w);
    return iterations;
}

static void test_depth(void **state)
{
    (void)state;
    const int shallow = first_iterations(1), deep = first_iterations(8);
    if (!(shallow > 0 && deep <= shallow + shallow / 2))
        fail_msg("%d iterations, %d at eight times the depth", shallow, deep);
}

// A basin ten times as wide as deep, with a column at its end.
static bool in_basin(const Wet *w, OndVec at)
{
    const double wide = w->world.box.max.x;
    return at.y < 0.1 * wide || at.x < 0.15 * wide;
}

// In a deep liquid that moves, what is left of each search piled up from step to step until every other
// particle was in doubt: 45 iterations a step, with 176 in some.
static void test_collapse(void **state)
{
    (void)state;
    const double wide = 30, from = 0.2, until = 0.5; // s: after its start from rest
    Wet w = wet_make(2, 0.05);
    w.def.pressure = OND_PRESSURE_CG;
    w.def.density_error = 0.005;
    for (int side = 0; side < 4; ++side)
        w.world.side[side].kind = OND_SIDE_WALL;
    w.world.box = (OndBox){{0, 0, 0}, {wide, 0.4 * wide, 0}};
    wet_fill(&w, (OndBox){{0, 0, 0}, {wide, 0.2 * wide, 0}}, in_basin);
    w.s->def.courant = 0.6; // as games take it
    int steps = 0, iterations = 0, most = 0;
    wet_run(&w, from);
    for (; w.time < until; ++steps) {
        wet_step(&w);
        iterations += w.s->iterations;
        most = w.s->iterations > most ? w.s->iterations : most;
    }
    const double mean = (double)iterations / steps;
    print_message("%d particles, %d steps: %.1f iterations a step, at most %d\n", w.s->fields.count,
                  steps, mean, most);
    if (!(mean < 12)) fail_msg("%g iterations a step as a wide column collapses", mean);
    close_pool(&w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_grids), cmocka_unit_test(test_depth),
                                       cmocka_unit_test(test_collapse)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
