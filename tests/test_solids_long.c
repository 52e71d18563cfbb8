// SPDX-License-Identifier: MIT
// ctest: long
// Closed meshes that are not convex hold 20000 balls for thousands of steps: a knot, and the
// models when they are there (make models). Not one may be outside.
#include "base/parallel.h"
#include "geom/mesh_repair.h"
#include "io/mesh_assimp.h"
#include "solid_meshes.h"

#include <stdlib.h>

#define COUNT 20000

typedef struct Fill {
    const OndSolids *solids;
    const OndShape *inside;
    float (*at)[3];
    OndVec *velocity;
    double dt, shake, radius;
    OndVec gravity;
    uint64_t step;
    unsigned char *out; ///< of each ball: it is not where it must be
} Fill;

static OndVec place_of(const Fill *f, int i)
{
    return ond_vec(f->at[i][0], f->at[i][1], f->at[i][2]);
}

static void move_some(int first, int last, int worker, void *context)
{
    const Fill *f = context;
    (void)worker;
    for (int i = first; i < last; ++i) {
        const OndVec kick = any_vec(f->step << 20 ^ (uint64_t)i, 7, -1, 1), from = place_of(f, i);
        OndVec *v = &f->velocity[i];
        *v = ond_add(*v, ond_add(ond_scale(f->gravity, f->dt), ond_scale(kick, f->shake)));
        OndVec to = ond_add(from, ond_scale(*v, f->dt));
        ond_solids_stop(f->solids, from, &to, v, f->radius, f->dt, NULL);
        f->at[i][0] = (float)to.x;
        f->at[i][1] = (float)to.y;
        f->at[i][2] = (float)to.z;
    }
}

static void look_at_some(int first, int last, int worker, void *context)
{
    const Fill *f = context;
    (void)worker;
    for (int i = first; i < last; ++i) {
        const double inside = -ond_shape_distance(f->inside, place_of(f, i), false);
        f->out[i] = !(inside >= f->radius * (1.0 - 1e-6));
    }
}

static void place_balls(Fill *f, OndBox box)
{
    int count = 0;
    for (uint64_t key = 0; count < COUNT; ++key) {
        const OndVec p = {any(key, 1, box.min.x, box.max.x), any(key, 2, box.min.y, box.max.y),
                          any(key, 3, box.min.z, box.max.z)};
        if (ond_shape_distance(f->inside, p, false) > -2.0 * f->radius) continue;
        f->at[count][0] = (float)p.x;
        f->at[count][1] = (float)p.y;
        f->at[count][2] = (float)p.z;
        ++count;
    }
}

/// `radius` as a share of the mesh's height; speeds go with it.
static void holds_all(const OndMesh *mesh, const char *name, double share, int steps)
{
    OndArena arena = {0};
    const OndSolidDef def = mesh_def(mesh, true, true);
    Fill f = {.inside = ond_shape_mesh(&arena, mesh, 1.0, ond_vec(0, 0, 0), NULL), .dt = 0.01};
    assert_non_null(f.inside);
    const OndBox box = ond_shape_bounds(f.inside);
    const double height = box.max.y - box.min.y;
    f.radius = share * height;
    f.solids = ond_solids_create(&def, 1, 5.0 * f.radius, false, NULL);
    f.at = calloc(COUNT, sizeof *f.at);
    f.velocity = calloc(COUNT, sizeof *f.velocity);
    f.out = calloc(COUNT, 1);
    assert_true(f.solids && f.at && f.velocity && f.out);
    place_balls(&f, box);
    for (int step = 0; step < steps; ++step) {
        f.step = (uint64_t)step;
        f.gravity = ond_scale(ond_unit(any_vec((uint64_t)step / 200, 3, -1, 1)), 5.0 * height);
        f.shake = height * (step % 500 == 0 ? 20.0 : step / 100 % 2 ? 0.2 : 0.0);
        ond_parallel_for(COUNT, 64, move_some, &f);
        if (step % 250 != 249) continue;
        ond_parallel_for(COUNT, 64, look_at_some, &f);
        for (int i = 0; i < COUNT; ++i)
            if (f.out[i]) fail_msg("%s: step %d, ball %d", name, step, i);
    }
    free(f.at);
    free(f.velocity);
    free(f.out);
    ond_solids_destroy((OndSolids *)f.solids);
    ond_arena_free(&arena);
}

static void test_knot(void **state)
{
    (void)state;
    OndMesh mesh = knot_mesh(0.35, 300, 12);
    holds_all(&mesh, "knot", 0.01, 2000);
    ond_mesh_free(&mesh);
}

static void test_models(void **state)
{
    (void)state;
    static const char *file[] = {OND_SOURCE_DIR "/models/bunny.off",
                                 OND_SOURCE_DIR "/models/armadillo.off"};
    int found = 0;
    for (int i = 0; i < OND_COUNT(file); ++i) {
        OndMesh mesh, mended;
        OndMeshRepair report;
        OndError err;
        if (ond_mesh_load(file[i], &mesh, &err) != OND_OK) continue;
        if (ond_mesh_repair(&mesh, OND_MESH_CONTAINER, &mended, &report, &err) != OND_OK)
            fail_msg("%s: %s", file[i], err.text);
        holds_all(&mended, file[i], 0.004, 500);
        ond_mesh_free(&mesh);
        ond_mesh_free(&mended);
        ++found;
    }
    if (!found) skip();
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_knot), cmocka_unit_test(test_models)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
