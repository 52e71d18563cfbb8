// SPDX-License-Identifier: MIT
// Boxes and points of `ondine bench hash`.
//
// Times are of the wall clock, the quickest of a few runs, with all threads. A question's answer is
// complete: exact, each object once, in increasing order. Questions are asked through the function
// that takes many at once, and its sorting of them along a curve is counted as part of the answer.
#include "bench/bench_hash.h"

#include "base/clock.h"
#include "base/memory.h"
#include "base/parallel.h"
#include "base/random.h"
#include "space/near.h"

#include <string.h>
#include <time.h>

#define SIDE      8192.0    // of the square of boxes
#define POINTS    1048576.0 // of the square of points
#define TRACED    1000      // questions whose cells are counted
#define BUDGET_MS 1000.0    // a structure that would take longer answers part of the questions

OndHashRow *ond_hash_row(OndHashRows *rows, const char *figure, const char *structure)
{
    OndHashRow *row = &rows->row[rows->count < OND_HASH_ROWS_MAX ? rows->count++ : 0];
    *row = (OndHashRow){.figure = figure, .structure = structure};
    return row;
}

double ond_hash_core_ms(void)
{
    return 1e3 * (double)clock() / CLOCKS_PER_SEC;
}

// ---- answers, added up

typedef struct Tally {
    _Alignas(64) uint64_t found, check;
} Tally;

static void add_up(int question, const OndHits *hits, int worker, void *context)
{
    Tally *tally = (Tally *)context + worker;
    uint64_t sum = 0;
    for (int k = 0; k < hits->count; ++k)
        sum += (uint64_t)hits->item[k];
    tally->found += (uint64_t)hits->count;
    tally->check += (sum + 1) * (uint64_t)(question % 1021 + 1);
}

static void take_tally(OndHashRow *row, Tally *tally)
{
    uint64_t found = 0, check = 0;
    for (int w = 0; w < ond_threads(); ++w)
        found += tally[w].found, check += tally[w].check;
    row->near = (double)found / row->questions;
    row->check = check;
    memset(tally, 0, (size_t)ond_threads() * sizeof *tally);
}

// All structures must have found the same.
static void compare(OndHashRows *rows, const OndHashRow *row)
{
    for (int k = 0; k < rows->count; ++k) {
        const OndHashRow *other = &rows->row[k];
        if (strcmp(other->figure, row->figure) == 0 && other->dimension == row->dimension &&
            other->objects == row->objects && other->of == row->of &&
            other->questions == row->questions && other->near == row->near)
            rows->wrong |= other->check != row->check;
    }
}

static void count_cell(OndBox cell, bool empty, void *context)
{
    ++*(double *)context;
}

// ---- figures 2.4 and 2.5

// Objects of figure 2.4: 10 % about 2^10 large, 25 % about 2^6, the rest about 2^4, in a square of
// 2^13.
static OndBox object_box(int i)
{
    const uint64_t key = (uint64_t)i;
    const double kind = (double)ond_random(key, 0);
    const double mean = kind < 0.1 ? 1024.0 : kind < 0.35 ? 64.0 : 16.0;
    const double w = mean * (0.5 + (double)ond_random(key, 1));
    const double h = mean * (0.5 + (double)ond_random(key, 2));
    const double x = SIDE * (double)ond_random(key, 3), y = SIDE * (double)ond_random(key, 4);
    return (OndBox){{x - 0.5 * w, y - 0.5 * h, 0}, {x + 0.5 * w, y + 0.5 * h, 0}};
}

// Path number i: at most 2^4 long.
static OndBox path_box(int i)
{
    const uint64_t key = (uint64_t)i;
    const double x = SIDE * (double)ond_random(key, 5), y = SIDE * (double)ond_random(key, 6);
    const double length = 16.0 * (double)ond_random(key, 7);
    const double angle = 6.283185307 * (double)ond_random(key, 8);
    const double dx = length * cos(angle), dy = length * sin(angle);
    return (OndBox){{fmin(x, x + dx), fmin(y, y + dy), 0}, {fmax(x, x + dx), fmax(y, y + dy), 0}};
}

typedef struct Boxes {
    OndBox *object, *path;
    int paths;
    Tally *tally;
} Boxes;

static double time_build(OndSpace *space, const OndBox *box, int count, OndError *err)
{
    double best = HUGE_VAL;
    for (int run = 0; run < 3; ++run) {
        const double start = ond_now_ms();
        if (ond_space_set_boxes(space, box, count, err) != OND_OK) return -1.0;
        best = fmin(best, ond_now_ms() - start);
    }
    return best;
}

static double time_paths(const OndSpace *space, const Boxes *b, int questions, OndError *err)
{
    const double start = ond_now_ms();
    if (ond_space_touch_all(space, b->path, questions, add_up, b->tally, err) != OND_OK)
        return -1.0;
    return ond_now_ms() - start;
}

// As many questions as fit the budget: all, or the first of them (they are in no order).
static int choose_questions(const OndSpace *space, const Boxes *b, OndHashRow *row)
{
    const int few = b->paths / 512 + 1;
    row->questions = few;
    const double ms = time_paths(space, b, few, NULL);
    take_tally(row, b->tally);
    int questions = b->paths;
    while (questions > few && ms * questions / few > BUDGET_MS)
        questions /= 2;
    return questions > b->paths / 64 ? questions : b->paths / 64 + 1; // enough to be in order
}

static OndStatus measure_boxes(OndHashRows *rows, int kind, const Boxes *b, int count,
                               OndError *err)
{
    OndSpace *space = ond_space_create((OndSpaceKind)kind, 2, err);
    if (!space) return OND_NO_MEMORY;
    OndHashRow *row = ond_hash_row(rows, "2.4", ond_space_name((OndSpaceKind)kind));
    row->dimension = 2, row->objects = count, row->of = b->paths;
    row->build_ms = time_build(space, b->object, count, err);
    row->questions = row->build_ms >= 0.0 ? choose_questions(space, b, row) : 0;
    double best = row->questions ? HUGE_VAL : -1.0, core = HUGE_VAL;
    for (int run = 0; run < 3 && best >= 0.0 && (run == 0 || best < 2.0 * BUDGET_MS); ++run) {
        const double before = ond_hash_core_ms();
        best = fmin(best, time_paths(space, b, row->questions, err));
        core = fmin(core, ond_hash_core_ms() - before);
        take_tally(row, b->tally);
    }
    const double scale = b->paths / fmax(row->questions, 1);
    row->query_ms = best * scale, row->core_ms = core * scale;
    row->bytes = (double)ond_space_bytes(space);
    for (int k = 0; k < TRACED && best >= 0.0; ++k)
        ond_space_trace(space, &b->path[k % b->paths], count_cell, &row->cells, NULL);
    row->cells /= TRACED;
    compare(rows, row);
    ond_space_destroy(space);
    return best >= 0.0 ? OND_OK : OND_NO_MEMORY;
}

OndStatus ond_bench_hash_boxes(OndHashRows *rows, OndError *err)
{
    static const int sizes[] = {1000, 10000, 100000, 1000000};
    const int last = rows->quick ? 2 : OND_COUNT(sizes), most = sizes[last - 1];
    Boxes b = {.paths = rows->quick ? 20000 : 1000000};
    b.object = OND_NEW_ARRAY(OndBox, most), b.path = OND_NEW_ARRAY(OndBox, b.paths);
    b.tally = OND_NEW_ARRAY(Tally, ond_threads());
    OndStatus status = OND_OK;
    if (!b.object || !b.path || !b.tally)
        status = ond_fail(err, OND_NO_MEMORY, "not enough memory for %d boxes", most);
    for (int i = 0; i < most && status == OND_OK; ++i)
        b.object[i] = object_box(i);
    for (int i = 0; i < b.paths && status == OND_OK; ++i)
        b.path[i] = path_box(i);
    for (int s = 0; s < last; ++s)
        for (int kind = 0; kind < OND_SPACE_KINDS && status == OND_OK; ++kind) {
            ond_bench_show("2.4", ond_space_name((OndSpaceKind)kind));
            status = measure_boxes(rows, kind, &b, sizes[s], err);
        }
    ond_bench_show(NULL, NULL);
    ond_free(b.object), ond_free(b.path), ond_free(b.tally);
    return status;
}

// ---- figures 2.6 and 2.7

typedef struct Cloud {
    float *x[3];
    int count, dimension;
    double side;
    Tally *tally;
} Cloud;

static double radius_for(const Cloud *c, double neighbours)
{
    const double share = neighbours / c->count; // of the square or cube
    return c->side * (c->dimension == 2 ? sqrt(share / 3.14159265) : cbrt(share / 4.18879020));
}

static OndHashRow *begin_row(OndHashRows *rows, const Cloud *c, const char *structure)
{
    OndHashRow *row = ond_hash_row(rows, "2.6", structure);
    row->dimension = c->dimension, row->objects = row->questions = c->count, row->of = c->count;
    return row;
}

static OndStatus measure_points(OndHashRows *rows, int kind, const Cloud *c, double r,
                                OndError *err)
{
    OndSpace *space = ond_space_create((OndSpaceKind)kind, c->dimension, err);
    if (!space) return OND_NO_MEMORY;
    OndHashRow *row = begin_row(rows, c, ond_space_name((OndSpaceKind)kind));
    const OndSpacePoints points = {c->x[0], c->x[1], c->x[2], NULL, c->count, r};
    OndStatus status = OND_OK;
    row->build_ms = row->query_ms = row->core_ms = HUGE_VAL;
    for (int run = 0; run < 2 && status == OND_OK; ++run) {
        const double start = ond_now_ms();
        status = ond_space_set_points(space, &points, err);
        const double built = ond_now_ms(), before = ond_hash_core_ms();
        if (status == OND_OK) status = ond_space_near_all(space, r, add_up, c->tally, err);
        row->build_ms = fmin(row->build_ms, built - start);
        row->query_ms = fmin(row->query_ms, ond_now_ms() - built);
        row->core_ms = fmin(row->core_ms, ond_hash_core_ms() - before);
        take_tally(row, c->tally);
    }
    row->near -= 1.0; // itself
    row->bytes = (double)ond_space_bytes(space);
    compare(rows, row);
    ond_space_destroy(space);
    return status;
}

// The lists of all points at once: sorting is the building, the rest the question.
static OndStatus measure_lists(OndHashRows *rows, const Cloud *c, double r, OndError *err)
{
    OndNearSearch *near = ond_near_create();
    if (!near) return ond_fail(err, OND_NO_MEMORY, "not enough memory");
    OndHashRow *row = begin_row(rows, c, "lists, sorted");
    OndStatus status = OND_OK;
    row->query_ms = row->core_ms = HUGE_VAL;
    for (int run = 0; run < 5 && status == OND_OK; ++run) {
        OndNeighbours found;
        const double start = ond_now_ms(), before = ond_hash_core_ms();
        status = ond_near_find(near, c->x[0], c->x[1], c->x[2], c->count, (float)r, &found, err);
        const double all = ond_now_ms() - start;
        if (all < row->build_ms + row->query_ms)
            row->build_ms = found.sort_ms, row->query_ms = all - found.sort_ms;
        row->core_ms = fmin(row->core_ms, ond_hash_core_ms() - before);
        row->near = found.total / c->count;
    }
    row->bytes = (double)ond_near_bytes(near);
    ond_near_destroy(near);
    return status;
}

static OndStatus measure_cloud(OndHashRows *rows, const Cloud *c, double neighbours, OndError *err)
{
    const double r = radius_for(c, neighbours);
    OndStatus status = OND_OK;
    for (int kind = 0; kind < OND_SPACE_KINDS && status == OND_OK; ++kind) {
        ond_bench_show("2.6", ond_space_name((OndSpaceKind)kind));
        status = measure_points(rows, kind, c, r, err);
    }
    return status == OND_OK ? measure_lists(rows, c, r, err) : status;
}

OndStatus ond_bench_hash_points(OndHashRows *rows, OndError *err)
{
    static const double neighbours[] = {1, 5, 10, 30, 50};
    Cloud c = {.count = rows->quick ? 20000 : 1000000, .dimension = 2, .side = POINTS};
    OndStatus status = OND_OK;
    c.tally = OND_NEW_ARRAY(Tally, ond_threads());
    float *block = OND_NEW_ARRAY(float, 3 * (size_t)c.count);
    if (!block || !c.tally) status = ond_fail(err, OND_NO_MEMORY, "not enough memory for points");
    for (int i = 0; i < 3 * c.count && status == OND_OK; ++i)
        block[i] = (float)(c.side * (double)ond_random((uint64_t)i, 11));
    c.x[0] = block, c.x[1] = block + c.count;
    for (int k = 0; k < OND_COUNT(neighbours) && status == OND_OK; ++k)
        status = measure_cloud(rows, &c, neighbours[k], err);
    c.dimension = 3, c.x[2] = block + 2 * (size_t)c.count;
    if (status == OND_OK) status = measure_cloud(rows, &c, 30, err);
    ond_bench_show(NULL, NULL);
    ond_free(block), ond_free(c.tally);
    return status;
}
