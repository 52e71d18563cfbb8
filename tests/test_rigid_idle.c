// SPDX-License-Identifier: MIT
// Groups of particles that stand in a line are known, and rounding cannot turn them.
#include "base/random.h"
#include "check.h"
#include "particles/rigid/rigid_state.h"

#include <math.h>
#include <string.h>

#define PLACES 8
#define TRIES  500

// Two levels over some places: the first level's groups are `first` to `first + 1`, the second's is all of them.
typedef struct Levels {
    OndRigid g;
    float place[3][PLACES];
    double center[2][PLACES][3], line[2][PLACES][3];
    int child[2][PLACES], child_first[2][PLACES + 1], body_of_group[PLACES];
    enum OndIdle idle[2][PLACES];
} Levels;

static double within(double low, double high, int key, int stream)
{
    return low + (high - low) * (double)ond_random((uint64_t)key, (uint64_t)stream);
}

static void set_center(Levels *l, int level, int k, const int *child, int count)
{
    for (int a = 0; a < 3; ++a) {
        double sum = 0;
        for (int n = 0; n < count; ++n)
            sum += level ? l->center[0][child[n]][a] : (double)l->place[a][child[n]];
        l->center[level][k][a] = sum / count;
    }
}

// Groups of `size` places each, in order, and one of all groups.
static void make(Levels *l, int dimension, int places, int size)
{
    const int groups = places / size;
    l->g.dimension = dimension;
    for (int n = 0; n < 2; ++n) {
        OndGroupLevel *level = &l->g.level[n];
        *level = (OndGroupLevel){.count = n ? 1 : groups,
                                 .center = l->center[n],
                                 .line = l->line[n],
                                 .child = l->child[n],
                                 .child_first = l->child_first[n],
                                 .idle = l->idle[n]};
        for (int k = 0; k <= level->count; ++k)
            l->child_first[n][k] = n ? k * groups : k * size;
        for (int k = 0; k < PLACES; ++k)
            l->child[n][k] = k;
    }
    for (int a = 0; a < 3; ++a)
        l->g.px[a] = l->place[a];
    l->g.body_of_group = l->body_of_group;
    for (int k = 0; k < groups; ++k) {
        l->body_of_group[k] = OND_NO_BODY;
        set_center(l, 0, k, &l->child[0][k * size], size);
    }
    set_center(l, 1, 0, l->child[1], groups);
    ond_rigid_find_idle(&l->g, 0);
    ond_rigid_find_idle(&l->g, 1);
}

static void random_direction(int key, double n[3])
{
    double size = 0;
    for (int a = 0; a < 3; ++a)
        n[a] = within(-1, 1, key, a), size += n[a] * n[a];
    for (int a = 0; a < 3; ++a)
        n[a] /= sqrt(size);
}

// In a row from some place on, as floats have it.
static void make_row(Levels *l, int key, const double n[3])
{
    for (int k = 0; k < PLACES; ++k)
        for (int a = 0; a < 3; ++a)
            l->place[a][k] = (float)(within(-3, 3, key, 10 + a) + 0.02 * k * n[a]);
}

static void test_rows(void **state)
{
    (void)state;
    for (int key = 0; key < TRIES; ++key) {
        static Levels l;
        double n[3];
        random_direction(key, n);
        make_row(&l, key, n);
        make(&l, 3, PLACES, 2);
        double along = 0;
        for (int a = 0; a < 3; ++a)
            along += l.line[0][1][a] * n[a];
        assert_int_equal(l.idle[0][1], OND_IDLE_LINE);
        CHECK_NEAR(fabs(along), 1.0, 1e-4, "the line of a pair");
        assert_int_equal(l.idle[1][0], OND_IDLE_LINE);
        make(&l, 3, PLACES, 1);
        assert_int_equal(l.idle[0][3], OND_IDLE_POINT);
        assert_int_equal(l.idle[1][0], OND_IDLE_LINE);
        make(&l, 2, PLACES, 2);
        assert_int_equal(l.idle[0][1], OND_IDLE_NONE);
        l.place[0][5] += 0.002f; // a tenth of a spacing off
        make(&l, 3, PLACES, 4);
        assert_int_equal(l.idle[0][0], OND_IDLE_LINE);
        assert_int_equal(l.idle[0][1], fabs(n[0]) > 0.9999 ? OND_IDLE_LINE : OND_IDLE_NONE);
        assert_int_equal(l.idle[1][0], l.idle[0][1]);
    }
}

// A pair that stiff links hold on the outside, as they are summed: along directions that floats have rounded.
static void hold_pair(const Levels *l, int key, double m[6][6])
{
    memset(m, 0, 36 * sizeof m[0][0]);
    for (int e = 0; e < 6; ++e) {
        double n[3], r[3], row[6];
        random_direction(1000 * key + e, n);
        for (int a = 0; a < 3; ++a)
            r[a] = l->place[a][e % 2] - l->center[0][0][a];
        for (int axis = 0; axis < 3; ++axis) { // the pull at the particle, and its torque
            row[axis] = (float)n[axis];
            const int p = (axis + 1) % 3, q = (axis + 2) % 3;
            row[3 + axis] = r[p] * (float)n[q] - r[q] * (float)n[p];
        }
        for (int a = 0; a < 6; ++a)
            row[a] *= 1.0 + 1e-7 * within(-1, 1, key, 100 + 6 * e + a);
        ond_add_square(m, row, pow(10, within(-3, 5, key, 50 + e)));
    }
}

static double dot(const double a[6], const double b[6])
{
    double sum = 0;
    for (int k = 0; k < 6; ++k)
        sum += a[k] * b[k];
    return sum;
}

// What a push on the pair is answered with neither moves it far nor draws it backwards.
static void test_rounding(void **state)
{
    (void)state;
    for (int key = 0; key < TRIES; ++key) {
        static Levels l;
        double n[3], m[6][6], held[6][6], push[6] = {0}, turn[6];
        random_direction(key, n);
        make_row(&l, key, n);
        make(&l, 3, PLACES, 2);
        hold_pair(&l, key, m);
        memcpy(held, m, sizeof m);
        ond_rigid_stiffen_idle(l.idle[0][0], l.line[0][0], held[0], 6);
        assert_true(ond_cholesky6(held));
        for (int a = 0; a < 3; ++a)
            push[a] = within(-1, 1, key, 200 + a), push[3 + a] = 1e-3 * within(-1, 1, key, 203 + a);
        memcpy(turn, push, sizeof push);
        ond_cholesky6_solve((const double(*)[6])held, turn);
        double spin = 0, of = 0;
        for (int a = 0; a < 3; ++a)
            spin += turn[3 + a] * l.line[0][0][a], of += push[3 + a] * l.line[0][0][a];
        double stiff = m[3][3] + m[4][4] + m[5][5];
        assert_true(dot(push, turn) > 0.0);
        CHECK_NEAR(spin * stiff, of, 0.05 * fabs(of) + 1e-4, "a turn that moves nothing is stiff");
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_rows),
                                       cmocka_unit_test(test_rounding)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
