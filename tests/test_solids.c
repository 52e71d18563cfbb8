// SPDX-License-Identifier: MIT
// Balls that solids stop: none may come through, however they and the solids move.
#include "space/solids.h"

#include "base/parallel.h"
#include "solid_meshes.h"

#include <stdlib.h>

#define RADIUS 0.02

typedef struct Crowd {
    float (*at)[3];
    OndVec *velocity;
    int count;
} Crowd;

static Crowd make_crowd(int count)
{
    const Crowd crowd = {malloc((size_t)count * sizeof *crowd.at),
                         calloc((size_t)count, sizeof *crowd.velocity), count};
    return crowd;
}

static void free_crowd(Crowd *crowd)
{
    free(crowd->at);
    free(crowd->velocity);
}

typedef struct Push {
    const OndSolids *solids;
    Crowd *crowd;
    double dt, shake; ///< shake: random change of velocity
    OndVec gravity;
    uint64_t step;
    double radius;
} Push;

static void push_some(int first, int last, int worker, void *context)
{
    const Push *push = context;
    (void)worker;
    for (int i = first; i < last; ++i) {
        float *at = push->crowd->at[i];
        OndVec *v = &push->crowd->velocity[i];
        const OndVec kick = any_vec(push->step << 20 ^ (uint64_t)i, 7, -1, 1);
        *v = ond_add(*v, ond_add(ond_scale(push->gravity, push->dt), ond_scale(kick, push->shake)));
        const OndVec from = {at[0], at[1], at[2]};
        OndVec to = ond_add(from, ond_scale(*v, push->dt));
        ond_solids_stop(push->solids, from, &to, v, push->radius, push->dt, NULL);
        at[0] = (float)to.x;
        at[1] = (float)to.y;
        at[2] = (float)to.z;
    }
}

static OndVec place_of(const Crowd *crowd, int i)
{
    return ond_vec(crowd->at[i][0], crowd->at[i][1], crowd->at[i][2]);
}

static void test_knot_holds_all(void **state)
{
    (void)state;
    OndMesh mesh = knot_mesh(0.35, 160, 9);
    const OndSolidDef def = mesh_def(&mesh, true, true);
    OndSolids *solids = ond_solids_create(&def, 1, 0.1, false, NULL);
    OndArena arena = {0};
    const OndShape *inside = ond_shape_mesh(&arena, &mesh, 1.0, ond_vec(0, 0, 0), NULL);
    Crowd crowd = make_crowd(4000);
    for (int i = 0; i < crowd.count; ++i) {
        const OndVec at = knot(2.0 * M_PI * i / crowd.count);
        crowd.at[i][0] = (float)at.x;
        crowd.at[i][1] = (float)at.y;
        crowd.at[i][2] = (float)at.z;
    }
    Push push = {solids, &crowd, 0.01, 0.0, {0, -10, 0}, 0, RADIUS};
    for (int step = 0; step < 300; ++step) {
        push.step = (uint64_t)step;
        push.shake = step % 2 ? 0.5 : step % 100 ? 0.0 : 20.0;
        ond_parallel_for(crowd.count, 64, push_some, &push);
        if (step % 100 != 99) continue;
        for (int i = 0; i < crowd.count; ++i) {
            const double d = -ond_shape_distance(inside, place_of(&crowd, i), false);
            if (!(d >= RADIUS * (1.0 - 1e-6))) fail_msg("step %d: %d is %g inside", step, i, d);
        }
    }
    free_crowd(&crowd);
    ond_solids_destroy(solids);
    ond_arena_free(&arena);
    ond_mesh_free(&mesh);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_knot_holds_all),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
