// SPDX-License-Identifier: MIT
// ctest: long
// Closed meshes that are not convex hold 200000 particles of water for ten seconds while they rock
// and turn: the knot that ships with the scenes, and a scanned model when it is there (make
// models). Who is inside is asked of the triangles alone: how many of them are above a particle.
#include "base/parallel.h"
#include "scene_text.h"
#include "sim/sim.h"

#include <stdlib.h>

#define PARTICLES   200000
#define BINS        256 // columns along x and along z
#define CHECK_STEPS 50  // and at every frame

/// The triangles over each column of the mesh's own frame: those of bin b are
/// item[start[b]] .. item[start[b + 1] - 1].
typedef struct Columns {
    const OndMesh *mesh;
    OndBox box;
    int start[BINS * BINS + 1];
    int *item;
} Columns;

typedef struct Look {
    const Columns *columns;
    const OndPose *pose;
    float *x[3];
    int *out; ///< of each block of OND_SUM_BLOCK: how many are not inside
} Look;

static int bin_of(double at, double low, double high)
{
    const int bin = (int)((at - low) / (high - low) * BINS);
    return bin < 0 ? 0 : bin >= BINS ? BINS - 1 : bin;
}

// Counts or stores triangle t in all bins that its box covers.
static void enter(Columns *c, int t, int *fill)
{
    double low[2] = {INFINITY, INFINITY}, high[2] = {-INFINITY, -INFINITY};
    for (int k = 0; k < 3; ++k) {
        const OndVec p = ond_mesh_corner(c->mesh, c->mesh->triangle[3 * (size_t)t + k]);
        low[0] = fmin(low[0], p.x);
        high[0] = fmax(high[0], p.x);
        low[1] = fmin(low[1], p.z);
        high[1] = fmax(high[1], p.z);
    }
    const OndBox *b = &c->box;
    for (int j = bin_of(low[1], b->min.z, b->max.z); j <= bin_of(high[1], b->min.z, b->max.z); ++j)
        for (int i = bin_of(low[0], b->min.x, b->max.x); i <= bin_of(high[0], b->min.x, b->max.x);
             ++i) {
            const int bin = j * BINS + i;
            if (c->item) c->item[fill[bin]] = t;
            ++fill[bin];
        }
}

static Columns *columns_make(const OndMesh *mesh, OndBox box)
{
    Columns *c = calloc(1, sizeof *c);
    int *fill = calloc(BINS * BINS, sizeof *fill);
    assert_true(c && fill);
    c->mesh = mesh;
    c->box = box;
    for (int t = 0; t < mesh->triangle_count; ++t)
        enter(c, t, fill);
    for (int b = 0; b < BINS * BINS; ++b) {
        c->start[b + 1] = c->start[b] + fill[b];
        fill[b] = c->start[b];
    }
    c->item = calloc((size_t)c->start[BINS * BINS], sizeof *c->item);
    assert_non_null(c->item);
    for (int t = 0; t < mesh->triangle_count; ++t)
        enter(c, t, fill);
    free(fill);
    return c;
}

// Whether p is left of the edge from corner a to corner b, seen from above. Both triangles of an
// edge compute the same number, so a column passes through exactly one of them.
static bool left_of(const OndMesh *m, uint32_t a, uint32_t b, OndVec p)
{
    const bool swap = a > b;
    const OndVec from = ond_mesh_corner(m, swap ? b : a), to = ond_mesh_corner(m, swap ? a : b);
    const bool left = (to.x - from.x) * (p.z - from.z) - (to.z - from.z) * (p.x - from.x) >= 0.0;
    return left != swap;
}

static bool is_under(const OndMesh *m, int t, OndVec p)
{
    const uint32_t *v = m->triangle + 3 * (size_t)t;
    const bool side = left_of(m, v[0], v[1], p);
    if (left_of(m, v[1], v[2], p) != side || left_of(m, v[2], v[0], p) != side) return false;
    const OndVec a = ond_mesh_corner(m, v[0]);
    const OndVec n =
        ond_cross(ond_sub(ond_mesh_corner(m, v[1]), a), ond_sub(ond_mesh_corner(m, v[2]), a));
    return a.y - (n.x * (p.x - a.x) + n.z * (p.z - a.z)) / n.y > p.y;
}

static bool is_inside(const Columns *c, OndVec p)
{
    if (!(p.x > c->box.min.x && p.x < c->box.max.x && p.z > c->box.min.z && p.z < c->box.max.z))
        return false;
    const int bin =
        bin_of(p.z, c->box.min.z, c->box.max.z) * BINS + bin_of(p.x, c->box.min.x, c->box.max.x);
    int above = 0;
    for (int i = c->start[bin]; i < c->start[bin + 1]; ++i)
        above += is_under(c->mesh, c->item[i], p);
    return above % 2 == 1;
}

static void look_at_some(int first, int last, int worker, void *context)
{
    const Look *l = context;
    (void)worker;
    int out = 0;
    for (int i = first; i < last; ++i) {
        const OndVec p = ond_vec(l->x[0][i], l->x[1][i], l->x[2][i]);
        out += !is_inside(l->columns, ond_pose_in(l->pose, p));
    }
    l->out[first / OND_SUM_BLOCK] = out;
}

static int count_outside(OndSim *sim, const Columns *columns)
{
    OndFrame frame;
    ond_sim_frame(sim, &frame);
    const int count = frame.particles.count, blocks = ond_sum_block_count(count);
    Look look = {.columns = columns,
                 .pose = &ond_solids_state(ond_sim_solids(sim)->solids, 0)->pose,
                 .out = calloc((size_t)blocks, sizeof *look.out)};
    assert_non_null(look.out);
    memcpy(look.x, ond_fields_find(&frame.particles, "position")->data, sizeof look.x);
    ond_parallel_for(count, OND_SUM_BLOCK, look_at_some, &look);
    int out = 0;
    for (int b = 0; b < blocks; ++b)
        out += look.out[b];
    free(look.out);
    return out;
}

static void check_inside(OndSim *sim, const Columns *columns, const char *name, int step)
{
    const int out = count_outside(sim, columns);
    if (out) fail_msg("%s: %d outside at t = %g s, step %d", name, out, ond_sim_time(sim), step);
}

/// Runs the scene to its end. The test of the test: a point outside must be seen as such.
static void holds_all(const char *yaml, const char *name)
{
    OndSceneDef scene;
    OndError err = {0};
    if (load(yaml, &scene, &err) != OND_OK) fail_msg("%s: %s", name, err.text);
    OndSim *sim = ond_sim_make(&scene, &assets, &err);
    if (!sim) fail_msg("%s: %s", name, err.text);
    const OndSimSolid *solid = &ond_sim_solids(sim)->solid[0];
    Columns *columns = columns_make(&solid->mesh, solid->bounds);
    assert_false(is_inside(columns, solid->bounds.max));
    assert_true(ond_sim_particle_count(sim) >= PARTICLES);

    int steps = 0;
    check_inside(sim, columns, name, 0);
    while (!ond_sim_done(sim)) {
        if (ond_sim_step(sim, &err) != OND_OK) fail_msg("%s: %s", name, err.text);
        if (++steps % CHECK_STEPS == 0 || ond_sim_at_frame(sim))
            check_inside(sim, columns, name, steps);
    }
    print_message("%s: %d particles, %d steps, none outside\n", name, ond_sim_particle_count(sim),
                  steps);
    free(columns->item);
    free(columns);
    ond_sim_destroy(sim);
    ond_scene_free(&scene);
}

#define VESSEL(file, scale, top, spacing, sound)                                                   \
    "duration: 10\n"                                                                               \
    "method: {sound_speed: " sound ", courant: 0.4}\n"                                             \
    "fluid:\n"                                                                                     \
    "  - spacing: " spacing "\n"                                                                   \
    "    shape:\n"                                                                                 \
    "      type: intersection\n"                                                                   \
    "      parts:\n"                                                                               \
    "        - {type: mesh, file: " OND_SOURCE_DIR "/" file ", scale: " scale "}\n"                \
    "        - {type: box, min: [-999, -999, -999], max: [999, " top ", 999]}\n"                   \
    "solid:\n"                                                                                     \
    "  - use: container\n"                                                                         \
    "    shape: {type: mesh, file: " OND_SOURCE_DIR "/" file ", scale: " scale "}\n"               \
    "    move: [\"0.4*sin(2*t)*smoothstep(0, 2, t)\", 0, 0]\n"                                     \
    "    turn_by:\n"                                                                               \
    "      - \"40*sin(1.1*t)*smoothstep(0, 2, t)\"\n"                                              \
    "      - \"15*t*smoothstep(0, 2, t)\"\n"                                                       \
    "      - \"35*sin(1.3*t)*smoothstep(0, 2, t)\"\n"

static void test_knot(void **state)
{
    (void)state;
    holds_all(VESSEL("scenes/models/knot.obj", "20", "1.4", "0.138", "30"), "knot");
}

static void test_scan(void **state)
{
    (void)state;
    FILE *file = fopen(OND_SOURCE_DIR "/models/bunny.off", "rb");
    if (!file) skip();
    fclose(file);
    holds_all(VESSEL("models/bunny.off", "20", "2", "0.19", "40"), "bunny");
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_knot), cmocka_unit_test(test_scan)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
