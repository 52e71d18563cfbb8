// SPDX-License-Identifier: MIT
// Neighbour lists of all points at once, against the obvious loop over all pairs.
#include "spaces.h"

#include "base/hash.h"
#include "base/parallel.h"
#include "space/near.h"

static int compare(const void *a, const void *b)
{
    const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

// The list of sorted point k, in the caller's numbers and in order.
static int list_of(const OndNeighbours *n, int k, uint32_t *out)
{
    for (uint32_t m = 0; m < n->length[k]; ++m)
        out[m] = n->order[n->pool[n->first[k] + m]];
    qsort(out, n->length[k], sizeof *out, compare);
    return (int)n->length[k];
}

// A pair this close to the radius may be in or out: floats decide.
static bool at_the_edge(double d, double r)
{
    return fabs(d - r) <= 1e-6 * r;
}

static void check_list(const Points *p, const PointSet *set, int i, const uint32_t *list,
                       int length, bool flat, double r)
{
    int at = 0;
    for (int j = 0; j < set->count; ++j) {
        const double dx = (double)p->x[i] - p->x[j], dy = (double)p->y[i] - p->y[j];
        const double dz = flat ? 0.0 : (double)p->z[i] - p->z[j];
        const double d = sqrt(dx * dx + dy * dy + dz * dz);
        const bool listed = at < length && list[at] == (uint32_t)j;
        at += listed;
        if (at_the_edge(d, r)) continue;
        if (listed != (d < r && i != j))
            fail_msg("%s: %d and %d are %.9g apart (radius %g) and %s", set->name, i, j, d, r,
                     listed ? "listed" : "not listed");
    }
    if (at != length) fail_msg("%s: the list of %d holds strangers", set->name, i);
}

static void test_against_all_pairs(void **state)
{
    OndNearSearch *near = ond_near_create();
    OndError err = {0};
    for (int s = 0; s < OND_COUNT(point_sets); ++s)
        for (int flat = 0; flat < 2; ++flat) {
            const PointSet *set = &point_sets[s];
            if (strcmp(set->name, "odd") == 0) continue;
            const double r = set->reach > 0 ? set->reach : 0.08;
            Points p = make_points(set);
            OndNeighbours n;
            if (ond_near_find(near, p.x, p.y, flat ? NULL : p.z, set->count, (float)r, &n, &err))
                fail_msg("%s", err.text);
            assert_int_equal(n.count, set->count);
            uint32_t *list = calloc((size_t)set->count + 1, sizeof *list);
            double total = 0;
            for (int k = 0; k < n.count; ++k) {
                const int length = list_of(&n, k, list);
                check_list(&p, set, (int)n.order[k], list, length, flat, (double)(float)r);
                total += length;
            }
            CHECK_NEAR(n.total, total, 0, set->name);
            free(list);
            free_points(&p);
        }
    assert_true(ond_near_bytes(near) > 1000);
    ond_near_destroy(near);
}

// The same lists for any number of threads, wherever in the pool they stand.
static void test_threads(void **state)
{
    static const PointSet many = {"many", random_points, 60000, 0.04};
    Points p = make_points(&many);
    uint64_t want = 0;
    for (int threads = 1; threads <= 4; threads *= 2) {
        ond_threads_set(threads);
        OndNearSearch *near = ond_near_create();
        OndNeighbours n;
        OndError err = {0};
        assert_int_equal(
            ond_near_find(near, p.x, p.y, p.z, many.count, (float)many.reach, &n, &err), OND_OK);
        OndHash hash;
        ond_hash_begin(&hash);
        ond_hash_add(&hash, n.order, (size_t)n.count * sizeof *n.order);
        for (int k = 0; k < n.count; ++k)
            ond_hash_add(&hash, n.pool + n.first[k], n.length[k] * sizeof *n.pool);
        if (threads == 1) want = ond_hash_end(&hash);
        if (ond_hash_end(&hash) != want) fail_msg("other lists with %d threads", threads);
        ond_near_destroy(near);
    }
    ond_threads_set(0);
    free_points(&p);
}

// A second search of the same size needs no new memory: what stands beyond the lists stays there.
static void test_memory_is_kept(void **state)
{
    static const PointSet many = {"many", random_points, 60000, 0.04};
    Points p = make_points(&many);
    OndNearSearch *near = ond_near_create();
    OndNeighbours n;
    OndError err = {0};
    ond_threads_set(1);
    for (int run = 0; run < 2; ++run) {
        assert_int_equal(
            ond_near_find(near, p.x, p.y, p.z, many.count, (float)many.reach, &n, &err), OND_OK);
        uint32_t *beyond = (uint32_t *)n.pool + (size_t)n.total + 2 * OND_SLAB;
        assert_true((size_t)(beyond - n.pool) * sizeof *beyond < ond_near_bytes(near));
        if (run == 0) *beyond = 4711;
        assert_int_equal(*beyond, 4711);
    }
    ond_threads_set(0);
    ond_near_destroy(near);
    free_points(&p);
}

static void test_mistakes(void **state)
{
    OndNearSearch *near = ond_near_create();
    OndNeighbours n;
    OndError err = {0};
    const float x[3] = {0, 1, INFINITY}, y[3] = {0, 0, 0};
    assert_int_equal(ond_near_find(near, x, y, NULL, 2, 0, &n, &err), OND_BAD_VALUE);
    CHECK_SAYS(err.text, "radius must be above 0", "radius 0");
    assert_int_equal(ond_near_find(near, x, y, NULL, 2, NAN, &n, &err), OND_BAD_VALUE);
    assert_int_equal(ond_near_find(near, x, y, NULL, 3, 1, &n, &err), OND_BAD_VALUE);
    CHECK_SAYS(err.text, "finite", "infinite");
    assert_int_equal(ond_near_find(near, x, y, NULL, 0, 1, &n, &err), OND_OK);
    assert_int_equal(n.count, 0);
    assert_int_equal(ond_near_find(near, x, y, NULL, 2, 1.5f, &n, &err), OND_OK);
    CHECK_NEAR(n.total, 2, 0, "a pair, seen from both");
    ond_near_destroy(near);
    ond_near_destroy(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_against_all_pairs),
        cmocka_unit_test(test_threads),
        cmocka_unit_test(test_memory_is_kept),
        cmocka_unit_test(test_mistakes),
    };
    return cmocka_run_group_tests_name("near", tests, NULL, NULL);
}
