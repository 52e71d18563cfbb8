// SPDX-License-Identifier: MIT
// The Open Dynamics Engine says nothing and never ends the program: a message makes a step count as
// lost, an error comes back to who called.
#include "check.h"

#if __has_include(<ode/ode.h>)

#include "base/memory.h"
#include "solids/bodies/body_ode.h"

#include <unistd.h>

// ODE's own ways to complain, called from within its work.
static const char *fault;

static void complain(void)
{
    if (fault[0] == 'm') dMessage(d_ERR_LCP, "LCP internal error, s <= 0 (s=%.4e)", -1e-3);
    if (fault[0] == 'e') dError(d_ERR_UNKNOWN, "an error");
    if (fault[0] == 'd') dDebug(d_ERR_IASSERT, "a failed assertion");
}

static void moved(dBodyID body)
{
    (void)body;
    complain();
}

static int collide(dGeomID a, dGeomID b, int flags, dContactGeom *found, int skip)
{
    (void)a, (void)b, (void)flags, (void)found, (void)skip;
    complain();
    return 0;
}

static dColliderFn *collider(int other)
{
    (void)other;
    return collide;
}

static const struct {
    const char *fault;
    int collides;
    OndOdeEnd steps;
} cases[] = {
    {"none", 0, OND_ODE_GOOD},
    {"message", 0, OND_ODE_LOST},
    {"error", -1, OND_ODE_BROKEN},
    {"debug", -1, OND_ODE_BROKEN},
};

// A step that is broken off leaves memory behind, which a sanitizer would tell.
#ifdef __SANITIZE_ADDRESS__
#define STEPS 2
#else
#define STEPS OND_COUNT(cases)
#endif

static OndOdeEnd step_one(int rounds)
{
    OndOdeWorld w = ond_ode_world_make();
    dBodySetMovedCallback(dBodyCreate(w.world), moved);
    OndOdeEnd end = ond_ode_step(&w, 0.01, rounds);
    if (end == OND_ODE_BROKEN) end = ond_ode_step(&w, 0.01, rounds); // it stays so
    ond_ode_world_free(&w);
    return end;
}

static int collide_one(void)
{
    dGeomClass own = {.collider = collider, .aabb = dInfiniteAABB};
    const dGeomID a = dCreateGeom(dCreateGeomClass(&own)), b = dCreateSphere(0, 1);
    dContactGeom found[4];
    const int count = ond_ode_collide(a, b, 4, found);
    dGeomDestroy(a), dGeomDestroy(b);
    return count;
}

static void test_silent(void **state)
{
    (void)state;
    int collides[OND_COUNT(cases)];
    OndOdeEnd steps[OND_COUNT(cases)][2];
    const int kept = dup(2);
    FILE *const said = tmpfile();
    assert_non_null(said);
    fflush(stderr);
    dup2(fileno(said), 2);
    ond_ode_open();
    for (int k = 0; k < OND_COUNT(cases); ++k) {
        fault = cases[k].fault;
        collides[k] = collide_one();
        if (k < STEPS) steps[k][0] = step_one(0), steps[k][1] = step_one(20);
    }
    ond_ode_close();
    fflush(stderr);
    dup2(kept, 2);
    close(kept);
    fseek(said, 0, SEEK_END);
    CHECK_NEAR(ftell(said), 0, 0, "bytes on the error stream");
    fclose(said);
    for (int k = 0; k < OND_COUNT(cases); ++k) {
        CHECK_NEAR(collides[k], cases[k].collides, 0, cases[k].fault);
        if (k >= STEPS) continue;
        CHECK_NEAR(steps[k][0], cases[k].steps, 0, cases[k].fault);
        CHECK_NEAR(steps[k][1], cases[k].steps, 0, cases[k].fault);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_silent)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

#else

int main(void)
{
    return 0;
}

#endif
