// SPDX-License-Identifier: MIT
// Filling a shape with the points of a lattice.
//
// The lattice is asked row by row along x. Rows are dealt to threads in units of consecutive rows;
// one pass counts each unit's points, a second writes them where the counts before say, so the
// order is that of the lattice for any number of threads, and nothing is allocated.
#include "base/parallel.h"
#include "base/random.h"
#include "geom/shape_kind.h"

#include <limits.h>

// The shape is asked this far, in spacings, beyond each point along every axis: enough to outweigh
// the rounding of float meshes, so that a face on a lattice plane counts for one side, not for
// chance.
#define NUDGE           1e-4
#define UNITS_MAX       1024 // enough to keep many threads busy, few enough for the stack
#define ROWS_MAX        1e10
#define WORK_MAX        2e9 // points asked: some seconds. A full shape of 2e8 points is well below
#define WORK_QUESTION   16  // what a question costs besides its points
#define ESTIMATE_POINTS 64  // along each axis
#define ESTIMATE_BLOCKS (1 << 22)

typedef struct SampleLattice {
    OndVec corner, step;
    long long nx, ny, nz;
    bool flat;
} SampleLattice;

typedef struct SampleJob {
    const OndShape *shape;
    SampleLattice lattice;
    int unit_count;
    long long found[UNITS_MAX]; ///< points of each unit; then the place of its first one
    float *point;               ///< NULL: only count
    long long room;
    _Atomic long long work; ///< done so far by all threads, but for what is in their cursors
} SampleJob;

/// Where the next point of a unit goes.
typedef struct Cursor {
    SampleJob *job;
    long long place;
    long long work; ///< since it was last added to the job's
} Cursor;

static double lattice_at(double corner, double step, long long i, double nudge)
{
    return corner + ((double)i + 0.5 + nudge) * step;
}

// ---- rows ----------------------------------------------------------------------------------

static long long count_inside(const unsigned char *inside, int count)
{
    int sum = 0;
    for (int i = 0; i < count; ++i)
        sum += inside[i];
    return sum;
}

static void write_points(Cursor *cursor, const unsigned char *inside, long long i, long long j,
                         long long k, int count)
{
    const SampleLattice *l = &cursor->job->lattice;
    const float y = (float)lattice_at(l->corner.y, l->step.y, j, 0.0);
    const float z = l->flat ? 0.0f : (float)lattice_at(l->corner.z, l->step.z, k, 0.0);
    for (int n = 0; n < count; ++n) {
        if (!inside[n]) continue;
        if (cursor->place >= cursor->job->room) return;
        float *p = cursor->job->point + 3 * cursor->place++;
        p[0] = (float)lattice_at(l->corner.x, l->step.x, i + n, 0.0);
        p[1] = y;
        p[2] = z;
    }
}

static void add_work(Cursor *cursor)
{
    cursor->job->work += cursor->work;
    cursor->work = 0;
}

static bool too_much_work(Cursor *cursor)
{
    if (cursor->work > 1000000) add_work(cursor);
    return cursor->job->work > WORK_MAX;
}

/// Points from the row's first one on that are certainly outside. Only long rows are worth asking.
static long long clear_ahead(const SampleJob *job, const OndPointRow *row)
{
    if (job->lattice.nx <= OND_ROW_MAX) return 0;
    const double distance =
        ond_shape_distance(job->shape, ond_vec(row->x, row->y, row->z), job->lattice.flat);
    const double clear = distance / row->step * (1.0 - 1e-9);
    return clear >= 1.0 ? (long long)ond_min(clear, 1e15) : 0;
}

static void visit_row(Cursor *cursor, long long j, long long k)
{
    const SampleLattice *l = &cursor->job->lattice;
    unsigned char inside[OND_ROW_MAX];
    OndPointRow row = {0.0, l->step.x, lattice_at(l->corner.y, l->step.y, j, NUDGE),
                       l->flat ? 0.0 : lattice_at(l->corner.z, l->step.z, k, NUDGE), 0};
    for (long long i = 0; i < l->nx; i += row.count) {
        row.x = lattice_at(l->corner.x, l->step.x, i, NUDGE);
        cursor->work += WORK_QUESTION;
        i += clear_ahead(cursor->job, &row);
        if (i >= l->nx) return;
        row.x = lattice_at(l->corner.x, l->step.x, i, NUDGE);
        row.count = l->nx - i < OND_ROW_MAX ? (int)(l->nx - i) : OND_ROW_MAX;
        cursor->work += WORK_QUESTION + row.count;
        ond_shape_row(cursor->job->shape, &row, l->flat, inside);
        if (cursor->job->point)
            write_points(cursor, inside, i, j, k, row.count);
        else
            cursor->place += count_inside(inside, row.count);
    }
}

/// Rows [first, last) of layer k, leaving out by halves those that no part of the shape reaches: a
/// union of small things far apart has mostly such rows.
static void visit_rows(Cursor *cursor, long long k, long long first, long long last)
{
    const SampleLattice *l = &cursor->job->lattice;
    const double z = l->flat ? 0.0 : lattice_at(l->corner.z, l->step.z, k, NUDGE);
    const OndBox box = {{-INFINITY, lattice_at(l->corner.y, l->step.y, first, NUDGE), z},
                        {INFINITY, lattice_at(l->corner.y, l->step.y, last - 1, NUDGE), z}};
    cursor->work += 1;
    if (too_much_work(cursor) || !ond_shape_touches(cursor->job->shape, &box, l->flat)) return;
    if (last - first == 1) {
        visit_row(cursor, first, k);
        return;
    }
    const long long half = first + (last - first) / 2;
    visit_rows(cursor, k, first, half);
    visit_rows(cursor, k, half, last);
}

// ---- units ---------------------------------------------------------------------------------

static long long unit_start(const SampleJob *job, int unit)
{
    const long long rows = job->lattice.ny * job->lattice.nz;
    return rows / job->unit_count * unit + rows % job->unit_count * unit / job->unit_count;
}

static void visit_unit(Cursor *cursor, int unit)
{
    const long long ny = cursor->job->lattice.ny, end = unit_start(cursor->job, unit + 1);
    for (long long row = unit_start(cursor->job, unit); row < end;) {
        const long long first = row % ny, left = end - row;
        const long long last = left < ny - first ? first + left : ny;
        visit_rows(cursor, row / ny, first, last);
        row += last - first;
    }
}

static void count_units(int first, int last, int worker, void *context)
{
    SampleJob *job = context;
    (void)worker;
    for (int unit = first; unit < last; ++unit) {
        Cursor cursor = {job, 0, 0};
        visit_unit(&cursor, unit);
        add_work(&cursor);
        job->found[unit] = cursor.place;
    }
}

static void write_units(int first, int last, int worker, void *context)
{
    SampleJob *job = context;
    (void)worker;
    for (int unit = first; unit < last; ++unit) {
        Cursor cursor = {job, job->found[unit], 0};
        if (cursor.place < job->room) visit_unit(&cursor, unit);
    }
}

/// -1: too much to ask.
static long long sample(const OndShape *shape, const SampleLattice *lattice, float *point,
                        long long room)
{
    SampleJob job = {.shape = shape, .lattice = *lattice, .room = room};
    const long long rows = lattice->ny * lattice->nz;
    job.unit_count = rows < UNITS_MAX ? (int)rows : UNITS_MAX;
    ond_parallel_for(job.unit_count, 1, count_units, &job);
    if (job.work > WORK_MAX) return -1;
    long long total = 0;
    for (int unit = 0; unit < job.unit_count; ++unit) {
        const long long here = job.found[unit];
        job.found[unit] = total;
        total += here;
    }
    if (!point || room <= 0) return total;
    job.work = 0;
    job.point = point;
    ond_parallel_for(job.unit_count, 1, write_units, &job);
    return total;
}

// ---- the lattice ---------------------------------------------------------------------------

/// Points along one axis; 0 when none fits or the numbers are not sane.
static long long axis_count(double min, double max, double spacing)
{
    const double most = 1e30; // points are floats
    if (!(fabs(min) < most && fabs(max) < most)) return 0;
    const double count = ceil((max - min) / spacing - 0.5 - NUDGE);
    if (!(count >= 1.0)) return 0;
    return count < 1e15 ? (long long)count : (long long)1e15;
}

static SampleLattice make_lattice(OndBox bounds, double spacing, bool flat)
{
    const SampleLattice lattice = {bounds.min,
                                   {spacing, spacing, spacing},
                                   axis_count(bounds.min.x, bounds.max.x, spacing),
                                   axis_count(bounds.min.y, bounds.max.y, spacing),
                                   flat ? 1 : axis_count(bounds.min.z, bounds.max.z, spacing),
                                   flat};
    return lattice;
}

static void coarsen(long long *count, double *step)
{
    if (*count <= ESTIMATE_POINTS) return;
    *step *= (double)*count / ESTIMATE_POINTS;
    *count = ESTIMATE_POINTS;
}

static double candidates(const SampleLattice *l)
{
    return (double)l->nx * (double)l->ny * (double)l->nz;
}

/// The share of a coarse lattice that is inside, times the points of the fine one. Exact for a box,
/// blind to what is thinner than the coarse spacing.
static double estimate_thick(const OndShape *shape, const SampleLattice *fine)
{
    SampleLattice coarse = *fine;
    coarsen(&coarse.nx, &coarse.step.x);
    coarsen(&coarse.ny, &coarse.step.y);
    coarsen(&coarse.nz, &coarse.step.z);
    const double share = (double)sample(shape, &coarse, NULL, 0) / candidates(&coarse);
    return share * candidates(fine);
}

/// Volume of the shape in a box, from questions to at most `budget` parts of it. The distance tells
/// which parts are all inside or all outside; the rest is halved, and in the end one point of each
/// stands for it. So nothing is too thin to be found. `block` names the part, for its random point.
static double estimate_volume(const OndShape *shape, OndBox box, bool flat, int budget,
                              uint64_t block)
{
    const OndVec size = ond_sub(box.max, box.min);
    const double volume = size.x * size.y * (flat ? 1.0 : size.z);
    const OndVec middle = ond_scale(ond_add(box.min, box.max), 0.5);
    const double distance = ond_shape_distance(shape, middle, flat);
    if (fabs(distance) > 0.5 * ond_length(ond_vec(size.x, size.y, flat ? 0.0 : size.z)))
        return distance < 0.0 ? volume : 0.0;
    if (budget < 2) {
        const OndVec some = {box.min.x + size.x * (double)ond_random(block, 0),
                             box.min.y + size.y * (double)ond_random(block, 1),
                             box.min.z + size.z * (double)ond_random(block, 2)};
        return ond_shape_distance(shape, some, flat) < 0.0 ? volume : 0.0;
    }
    OndBox low = box, high = box;
    if (!flat && size.z >= size.x && size.z >= size.y)
        low.max.z = high.min.z = middle.z;
    else if (size.y >= size.x)
        low.max.y = high.min.y = middle.y;
    else
        low.max.x = high.min.x = middle.x;
    return estimate_volume(shape, low, flat, budget / 2, 2 * block) +
           estimate_volume(shape, high, flat, budget / 2, 2 * block + 1);
}

static long long whole_number(double guess)
{
    return guess < 9e18 ? (long long)guess : LLONG_MAX;
}

/// Points of a lattice that is too large to be counted point by point; -1 when it has to be,
/// because they may be no more than the limit.
static long long estimate(const OndShape *shape, const SampleLattice *l, long long give_up_at)
{
    const double thick = estimate_thick(shape, l);
    // Near the limit an estimate is not good enough to refuse by.
    if (thick > 2.0 * (double)give_up_at) return whole_number(thick);
    const double volume = estimate_volume(shape, shape->bounds, l->flat, ESTIMATE_BLOCKS, 1);
    const double thin = volume / l->step.x / l->step.y / (l->flat ? 1.0 : l->step.z);
    return thin > 2.0 * (double)give_up_at ? whole_number(thin) : -1;
}

long long ond_shape_sample(const OndShape *shape, double spacing, bool flat, float *point,
                           long long room, long long give_up_at)
{
    if (!(spacing > 0.0)) return 0;
    const SampleLattice lattice = make_lattice(shape->bounds, spacing, flat);
    if (lattice.nx == 0 || lattice.ny == 0 || lattice.nz == 0) return 0;
    const bool too_fine = (double)lattice.ny * (double)lattice.nz > ROWS_MAX;
    const bool may_give_up = !point && give_up_at > 0 && candidates(&lattice) > (double)give_up_at;
    if (too_fine || may_give_up) {
        const long long guess = estimate(shape, &lattice, give_up_at);
        if (too_fine || guess >= 0) return guess;
    }
    return sample(shape, &lattice, point, room);
}
