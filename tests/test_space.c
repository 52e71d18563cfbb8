// SPDX-License-Identifier: MIT
// ctest: slow
// All structures of src/space/ against the obvious loop over all objects: the same objects, each
// once, in increasing order, whatever the input and the number of threads.
#include "spaces.h"

#include "base/hash.h"
#include "base/parallel.h"

typedef struct Spaces {
    OndSpace *of[OND_SPACE_KINDS];
    OndHits hits;
    int *want;
} Spaces;

static OndSpace *make(int kind, int dimension)
{
    OndError err = {0};
    OndSpace *space = ond_space_create((OndSpaceKind)kind, dimension, &err);
    if (!space) fail_msg("%s", err.text);
    return space;
}

static Spaces make_all(int dimension, int count)
{
    Spaces s = {.want = calloc((size_t)count + 1, sizeof(int))};
    for (int kind = 0; kind < OND_SPACE_KINDS; ++kind)
        s.of[kind] = make(kind, dimension);
    return s;
}

static void free_all(Spaces *s)
{
    for (int kind = 0; kind < OND_SPACE_KINDS; ++kind)
        ond_space_destroy(s->of[kind]);
    ond_hits_free(&s->hits);
    free(s->want);
}

static void compare(const Spaces *s, int count, int kind, const char *set, int dimension,
                    int question)
{
    const OndHits *hits = &s->hits;
    for (int k = 0; k < hits->count || k < count; ++k)
        if (k >= hits->count || k >= count || hits->item[k] != s->want[k])
            fail_msg("%s, %s, %dD, question %d: %d found, %d expected; first difference at %d: "
                     "found %d, expected %d",
                     ond_space_name((OndSpaceKind)kind), set, dimension, question, hits->count,
                     count, k, k < hits->count ? hits->item[k] : -1, k < count ? s->want[k] : -1);
}

// ---- boxes

static bool sound(const double lo[3], const double hi[3], int dimension)
{
    for (int a = 0; a < dimension; ++a)
        if (!(lo[a] <= hi[a])) return false;
    return true;
}

static bool touch_brute(const OndBox *p, const OndBox *q, int dimension)
{
    const double plo[3] = {p->min.x, p->min.y, p->min.z}, phi[3] = {p->max.x, p->max.y, p->max.z};
    const double qlo[3] = {q->min.x, q->min.y, q->min.z}, qhi[3] = {q->max.x, q->max.y, q->max.z};
    if (!sound(plo, phi, dimension) || !sound(qlo, qhi, dimension)) return false;
    for (int a = 0; a < dimension; ++a)
        if (plo[a] > qhi[a] || phi[a] < qlo[a]) return false;
    return true;
}

// Asks all structures; returns how many objects there were to find.
static long long ask_boxes(Spaces *s, const BoxSet *set, const OndBox *box, int dimension)
{
    OndError err = {0};
    long long found = 0;
    for (int kind = 0; kind < OND_SPACE_KINDS; ++kind)
        if (ond_space_set_boxes(s->of[kind], box, set->count, &err) != OND_OK)
            fail_msg("%s", err.text);
    for (int q = 0; q < QUESTIONS; ++q) {
        const OndBox b = question_box(set, q);
        int n = 0;
        for (int i = 0; i < set->count; ++i)
            if (touch_brute(&box[i], &b, dimension)) s->want[n++] = i;
        for (int kind = 0; kind < OND_SPACE_KINDS; ++kind) {
            assert_int_equal(ond_space_touch(s->of[kind], &b, &s->hits, &err), OND_OK);
            compare(s, n, kind, set->name, dimension, q);
        }
        found += n;
    }
    return found;
}

static void check_boxes(const BoxSet *set, int dimension)
{
    Spaces s = make_all(dimension, set->count);
    OndBox *box = calloc((size_t)set->count + 1, sizeof *box);
    for (int i = 0; i < set->count; ++i)
        box[i] = set->make(i);
    const long long found = ask_boxes(&s, set, box, dimension);
    if (set->count) assert_true(found > 0);
    // again in other places: nothing may be left of the first time
    for (int i = 0; i < set->count; ++i)
        box[i].min.x += 0.37, box[i].max.x += 0.37;
    ask_boxes(&s, set, box, dimension);
    for (int kind = 0; kind < OND_SPACE_KINDS; ++kind)
        if (set->count) assert_true(ond_space_bytes(s.of[kind]) > (size_t)set->count);
    free(box);
    free_all(&s);
}

static void test_boxes(void **state)
{
    for (int k = 0; k < OND_COUNT(box_sets); ++k)
        for (int dimension = 2; dimension <= 3; ++dimension)
            check_boxes(&box_sets[k], dimension);
}

// ---- points

static double distance2(const Points *p, OndVec at, int i, int dimension)
{
    const double dx = (double)p->x[i] - at.x, dy = (double)p->y[i] - at.y;
    const double dz = dimension == 3 ? (double)p->z[i] - at.z : 0.0;
    return dx * dx + dy * dy + dz * dz;
}

// Balls whose radius is below 0 or not a number are not there.
static bool there(const Points *p, int i, int dimension)
{
    return p->radius[i] >= 0 && isfinite(p->radius[i]) && isfinite(p->x[i]) && isfinite(p->y[i]) &&
           (dimension == 2 || isfinite(p->z[i]));
}

static int near_brute(const Points *p, OndVec at, double r, int dimension, int *want)
{
    int n = 0;
    for (int i = 0; i < p->view.count; ++i)
        if (there(p, i, dimension) && distance2(p, at, i, dimension) <= r * r) want[n++] = i;
    return n;
}

static int larger_brute(const Points *p, int i, int dimension, int *want)
{
    int n = 0;
    if (!there(p, i, dimension)) return 0;
    const OndVec at = ond_vec(p->x[i], p->y[i], p->z[i]);
    for (int j = 0; j < p->view.count; ++j) {
        const double sum = (double)p->radius[i] + (double)p->radius[j];
        if (!there(p, j, dimension) || p->radius[j] < p->radius[i]) continue;
        if (p->radius[j] == p->radius[i] && j <= i) continue;
        if (distance2(p, at, j, dimension) <= sum * sum) want[n++] = j;
    }
    return n;
}

static void ask_near(Spaces *s, const PointSet *set, const Points *p, int dimension)
{
    static const double factors[] = {1, 0, 0.3, 2.5, 1, 40};
    const double reach = set->reach > 0 ? set->reach : 0.1;
    for (int q = 0; q < QUESTIONS && set->count; ++q) {
        const int i = q * 7 % set->count;
        OndVec at = ond_vec(p->x[i], p->y[i], p->z[i]);
        if (q % 3 == 2) at = ond_add(at, ond_scale(random_vec(q, 40), 0.5 * reach));
        const double r = reach * factors[q % OND_COUNT(factors)];
        const int n = near_brute(p, at, r, dimension, s->want);
        for (int kind = 0; kind < OND_SPACE_KINDS; ++kind) {
            assert_int_equal(ond_space_near(s->of[kind], at, r, &s->hits, NULL), OND_OK);
            compare(s, n, kind, set->name, dimension, q);
        }
    }
}

static void check_points(const PointSet *set, int dimension)
{
    Spaces s = make_all(dimension, set->count);
    Points p = make_points(set);
    OndError err = {0};
    for (int kind = 0; kind < OND_SPACE_KINDS; ++kind)
        if (ond_space_set_points(s.of[kind], &p.view, &err) != OND_OK) fail_msg("%s", err.text);
    ask_near(&s, set, &p, dimension);
    for (int i = 0; i < set->count; ++i) {
        const int n = larger_brute(&p, i, dimension, s.want);
        for (int kind = 0; kind < OND_SPACE_KINDS; ++kind) {
            assert_int_equal(ond_space_larger(s.of[kind], i, &s.hits, &err), OND_OK);
            compare(&s, n, kind, set->name, dimension, i);
        }
    }
    free_points(&p);
    free_all(&s);
}

static void test_points(void **state)
{
    for (int k = 0; k < OND_COUNT(point_sets); ++k)
        for (int dimension = 2; dimension <= 3; ++dimension)
            check_points(&point_sets[k], dimension);
}

// ---- many at once

static void take_hash(int question, const OndHits *hits, int worker, void *context)
{
    uint64_t *hash = context;
    hash[question] = ond_hash_bytes(hits->item, (size_t)hits->count * sizeof(int));
}

#define MANY  20000
#define REACH 0.025 // in 3D some 8 points are near, in nearly as many rows of cells

typedef struct Batches {
    OndBox *box, *path;
    Points points;
    uint64_t *want, *got; // hashes of answers: touch, near, larger
} Batches;

static Batches make_batches(void)
{
    static const PointSet many = {"many", sized_points, MANY, REACH};
    Batches b = {calloc(MANY, sizeof(OndBox)), calloc(MANY, sizeof(OndBox)), make_points(&many),
                 calloc(3 * MANY, sizeof(uint64_t)), calloc(3 * MANY, sizeof(uint64_t))};
    for (int i = 0; i < MANY; ++i) {
        b.box[i] = mixed_boxes(i);
        b.path[i] = box_at(ond_scale(random_vec(i, 50), 8192), ond_scale(random_vec(i, 53), 16));
    }
    return b;
}

static void free_batches(Batches *b)
{
    free_points(&b->points);
    free(b->got), free(b->want), free(b->path), free(b->box);
}

static void set_points(OndSpace *space, const Batches *b, bool sized)
{
    OndSpacePoints points = b->points.view;
    if (!sized) points.radius = NULL;
    assert_int_equal(ond_space_set_points(space, &points, NULL), OND_OK);
}

// One question after another.
static void ask_singly(Batches *b, int boxes, int dimension)
{
    OndSpace *space = make(OND_SPACE_HIERARCHICAL_GRID, dimension);
    OndHits hits = {0};
    assert_int_equal(ond_space_set_boxes(space, b->box, boxes, NULL), OND_OK);
    for (int i = 0; i < MANY; ++i) {
        assert_int_equal(ond_space_touch(space, &b->path[i], &hits, NULL), OND_OK);
        take_hash(i, &hits, 0, b->want);
    }
    set_points(space, b, false);
    for (int i = 0; i < MANY; ++i) {
        const OndVec at = ond_vec(b->points.x[i], b->points.y[i], b->points.z[i]);
        assert_int_equal(ond_space_near(space, at, REACH, &hits, NULL), OND_OK);
        take_hash(i, &hits, 0, b->want + MANY);
    }
    set_points(space, b, true);
    for (int i = 0; i < MANY && dimension == 2; ++i) { // in 3D each touches hundreds
        assert_int_equal(ond_space_larger(space, i, &hits, NULL), OND_OK);
        take_hash(i, &hits, 0, b->want + 2 * MANY);
    }
    ond_hits_free(&hits);
    ond_space_destroy(space);
}

static void ask_at_once(Batches *b, int kind, int boxes, int dimension, int threads)
{
    ond_threads_set(threads);
    OndSpace *space = make(kind, dimension);
    uint64_t *got = b->got;
    assert_int_equal(ond_space_set_boxes(space, b->box, boxes, NULL), OND_OK);
    assert_int_equal(ond_space_touch_all(space, b->path, MANY, take_hash, got, NULL), OND_OK);
    set_points(space, b, false);
    assert_int_equal(ond_space_near_all(space, REACH, take_hash, got + MANY, NULL), OND_OK);
    set_points(space, b, true);
    if (dimension == 2)
        assert_int_equal(ond_space_larger_all(space, take_hash, got + 2 * MANY, NULL), OND_OK);
    ond_space_destroy(space);
    for (int k = 0; k < (dimension == 2 ? 3 : 2) * MANY; ++k)
        if (got[k] != b->want[k])
            fail_msg("%s of %d boxes in %dD with %d threads: another answer to %d",
                     ond_space_name((OndSpaceKind)kind), boxes, dimension, threads, k);
}

// Whether they are asked singly or together, with any number of threads and of all structures: the
// same answers. With few boxes dozens of questions are tested together, with many only some.
static void test_batches(void **state)
{
    static const struct {
        int dimension, boxes, threads;
    } cases[] = {{2, 500, 1}, {2, MANY, 2}, {2, MANY, 4}, {3, 500, 1}};
    Batches b = make_batches();
    for (int c = 0; c < OND_COUNT(cases); ++c) {
        if (cases[c].threads < 4) ask_singly(&b, cases[c].boxes, cases[c].dimension);
        for (int kind = 0; kind < OND_SPACE_KINDS; ++kind)
            ask_at_once(&b, kind, cases[c].boxes, cases[c].dimension, cases[c].threads);
    }
    ond_threads_set(0);
    free_batches(&b);
}

// ---- mistakes

static void test_mistakes(void **state)
{
    OndError err = {0};
    OndHits hits = {0};
    assert_null(ond_space_create(OND_SPACE_KINDS, 3, &err));
    CHECK_SAYS(err.text, "no space of kind", "kind");
    assert_null(ond_space_create(OND_SPACE_KD_TREE, 4, &err));
    for (int kind = 0; kind < OND_SPACE_KINDS; ++kind) {
        OndSpace *space = make(kind, 3);
        const OndBox all = {{-1, -1, -1}, {1, 1, 1}};
        assert_int_equal(ond_space_touch(space, &all, &hits, &err), OND_OK); // before any object
        assert_int_equal(hits.count, 0);
        assert_int_equal(ond_space_set_boxes(space, NULL, 0, &err), OND_OK);
        assert_int_equal(ond_space_near(space, ond_vec(0, 0, 0), 1, &hits, &err), OND_BAD_VALUE);
        CHECK_SAYS(err.text, "holds boxes", "near among boxes");
        assert_int_equal(ond_space_set_boxes(space, &all, -1, &err), OND_BAD_VALUE);
        const OndSpacePoints none = {0};
        assert_int_equal(ond_space_set_points(space, &none, &err), OND_OK);
        assert_int_equal(ond_space_larger(space, 0, &hits, &err), OND_BAD_VALUE);
        assert_int_equal(ond_space_near(space, ond_vec(0, 0, 0), NAN, &hits, &err), OND_OK);
        assert_int_equal(hits.count, 0);
        ond_space_destroy(space);
    }
    ond_hits_free(&hits);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_boxes),
        cmocka_unit_test(test_points),
        cmocka_unit_test(test_batches),
        cmocka_unit_test(test_mistakes),
    };
    return cmocka_run_group_tests_name("space", tests, NULL, NULL);
}
