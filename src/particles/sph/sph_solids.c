// SPDX-License-Identifier: MIT
// Which particles are near solids, and which faces they touch there.
//
// Cells are asked for in groups, then one by one, and only particles of those that may touch a
// solid are looked at. Each gets a row with its nearest faces. At an edge or a corner what is
// behind all the faces that meet there is wall, not all that is behind one plane; where the face of
// another solid goes on past an edge, that face stands for what the edge lacks.
#include "particles/sph/sph_solids.h"

#include "base/memory.h"
#include "base/parallel.h"

#include <string.h>

#define CELL_GRAIN  64
#define CELL_GROUP  8
#define GROUP_GRAIN 16
#define RADIUS      0.2 // spacings: nothing comes nearer to a face

// How far the farthest of a solid is from its own origin; planes have no end.
static double size_of(const OndSolidDef *def)
{
    double most = 0.0;
    if (def->kind == OND_SOLID_PLANE) return INFINITY;
    for (int c = 0; def->kind == OND_SOLID_MESH && c < def->mesh->corner_count; ++c)
        most = fmax(most, ond_length(ond_mesh_corner(def->mesh, (uint32_t)c)));
    if (def->kind == OND_SOLID_MESH) return most;
    const OndBox box = ond_shape_bounds(def->shape);
    return hypot(
        fmax(fabs(box.min.x), fabs(box.max.x)),
        hypot(fmax(fabs(box.min.y), fabs(box.max.y)), fmax(fabs(box.min.z), fabs(box.max.z))));
}

OndStatus ond_sph_solids_create(OndSph *s, OndError *err)
{
    const int count = ond_solids_count(s->world.solids);
    if (count == 0) return OND_OK;
    s->solids = OND_NEW(OndSphSolids);
    if (s->solids) s->solids->size = OND_NEW_ARRAY(float, count);
    if (!s->solids || !s->solids->size)
        return ond_fail(err, OND_NO_MEMORY, "not enough memory for %d solids", count);
    for (int k = 0; k < count; ++k)
        s->solids->size[k] = (float)size_of(ond_solids_def(s->world.solids, k));
    ond_wall_table_make(s, &s->solids->table);
    s->solids->radius = (float)(RADIUS * s->world.spacing);
    s->solids->reach = (float)fmax(s->reach - 0.5 * s->world.spacing, s->world.spacing);
    return ond_solids_expect(s->world.solids, s->solids->reach, err);
}

void ond_sph_solids_free(OndSphSolids *solids)
{
    if (!solids) return;
    ond_free(solids->size);
    ond_free(solids->cell_first);
    ond_free(solids->row);
    ond_free(solids->used);
    ond_free(solids->slot);
    ond_free(solids->nearest);
    ond_free(solids);
}

size_t ond_sph_solids_bytes(const OndSphSolids *solids)
{
    if (!solids) return 0;
    return sizeof *solids + (size_t)solids->cell_room * sizeof(int) +
           (size_t)solids->row_room * (sizeof(OndRow) + sizeof(int)) +
           (size_t)solids->slot_room * (sizeof(int) + sizeof(float));
}

// ---- room

OndStatus ond_sph_row_room(OndSphSolids *solids, int count, OndError *err)
{
    if (count <= solids->row_room) return OND_OK;
    const int room = count + count / 4 + 256;
    OndRow *row = OND_NEW_ARRAY(OndRow, room);
    int *used = OND_NEW_ARRAY(int, room);
    if (!row || !used) {
        ond_free(row), ond_free(used);
        return ond_fail(err, OND_NO_MEMORY, "not enough memory for %d particles near solids",
                        count);
    }
    if (solids->row_count) memcpy(row, solids->row, (size_t)solids->row_count * sizeof *row);
    if (solids->used_count) memcpy(used, solids->used, (size_t)solids->used_count * sizeof *used);
    ond_free(solids->row), ond_free(solids->used);
    solids->row = row, solids->used = used, solids->row_room = room;
    return OND_OK;
}

static void forget_slot(OndSphSolids *solids, int i)
{
    solids->slot[i] = -1, solids->nearest[i] = OND_NO_FACE;
}

static bool make_slots(OndSphSolids *solids, int room)
{
    ond_free(solids->slot), ond_free(solids->nearest);
    solids->slot = OND_NEW_ARRAY(int, room);
    solids->nearest = OND_NEW_ARRAY(float, room);
    solids->slot_room = solids->slot && solids->nearest ? room : 0;
    for (int i = 0; i < solids->slot_room; ++i)
        forget_slot(solids, i);
    return solids->slot_room > 0;
}

// Rows of the step before; nobody else has a slot.
static void forget_rows(OndSphSolids *solids)
{
    for (int k = 0; k < solids->used_count; ++k)
        forget_slot(solids, solids->row[solids->used[k]].particle);
    solids->row_count = solids->used_count = 0;
}

static OndStatus make_room(OndSph *s, OndError *err)
{
    OndSphSolids *const solids = s->solids;
    const int cells = s->cells.cell_count + 1, n = s->fields.count;
    if (cells > solids->cell_room) {
        ond_free(solids->cell_first);
        solids->cell_room = cells + cells / 4;
        solids->cell_first = OND_NEW_ARRAY(int, solids->cell_room);
        if (!solids->cell_first) solids->cell_room = 0;
    }
    const bool held = n <= solids->slot_room || make_slots(solids, n + n / 8);
    if (solids->cell_first && held) return OND_OK;
    return ond_fail(err, OND_NO_MEMORY, "not enough memory for %d particles near solids", n);
}

// ---- faces

// Round particles that follow each other, which are not everywhere in their cells.
static OndBox box_of(const OndSph *s, uint32_t first, uint32_t last)
{
    float low[3], high[3];
    for (int a = 0; a < 3; ++a)
        ond_sorting_range(s->x[a], (int)first, (int)last, &low[a], &high[a]);
    return (OndBox){ond_vec(low[0], low[1], low[2]), ond_vec(high[0], high[1], high[2])};
}

static bool may_touch(const OndSph *s, OndBox box)
{
    return ond_solids_may_touch(s->world.solids, box, s->solids->reach);
}

// Several cells are asked for together; only where that is not enough, particles are looked at.
static void look_at_cells(int first, int last, int worker, void *context)
{
    const OndSph *s = context;
    for (int group = first; group < last; ++group) {
        const int begin = group * CELL_GROUP;
        const int end =
            begin + CELL_GROUP < s->cells.cell_count ? begin + CELL_GROUP : s->cells.cell_count;
        const bool some = s->cells.first[end] > s->cells.first[begin];
        const bool any = some && may_touch(s, ond_cells_box_of(&s->cells, begin, end));
        for (int cell = begin; cell < end; ++cell) {
            const uint32_t from = s->cells.first[cell], to = s->cells.first[cell + 1];
            const bool near = any && to > from && may_touch(s, box_of(s, from, to));
            s->solids->cell_first[cell] = near ? (int)(to - from) : 0;
        }
    }
}

// What was a count becomes the place of the first; returns the sum.
static int count_candidates(OndSphSolids *solids, int cells)
{
    int sum = 0;
    for (int cell = 0; cell < cells; ++cell) {
        const int here = solids->cell_first[cell];
        solids->cell_first[cell] = sum;
        sum += here;
    }
    solids->cell_first[cells] = sum;
    return sum;
}

// The way is a sum of the faces' normals, a_k n_k, all of them 0 but one where a face begins; here
// the shares of a_k^2. Of three normals the cosines count as alike.
static void parts_of(const OndSharp *sharp, float part[3])
{
    const float c = sharp->cosine, n = (float)sharp->faces;
    float sum = 0.0f, all = 1e-12f;
    for (int k = 0; k < sharp->faces; ++k)
        sum += sharp->toward[k];
    for (int k = 0; k < sharp->faces; ++k) {
        const float rest = c * sum / fmaxf(1.0f + (n - 1.0f) * c, 0.1f);
        const float own = fmaxf(sharp->toward[k] - rest, 0.0f);
        part[k] = own * own, all += part[k];
    }
    for (int k = 0; k < sharp->faces; ++k)
        part[k] /= all;
}

// 1 in the middle before an edge, 0 where one of its faces begins: there the half-space counts that
// the face's particles see, less what they see past the edge. Before a corner it is as much as
// before the edges that end there.
static float middle_of(const float part[3], int faces)
{
    float rest = 1.0f;
    for (int k = 0; k < faces; ++k)
        for (int l = 0; l < k; ++l)
            rest *= 1.0f - 4.0f * part[k] * part[l];
    return 1.0f - rest;
}

// Of what is behind face k, the share that is behind the others too. The third face of a corner
// comes in by degrees, from the edge of the other two on.
static float behind_others(const OndWallTable *table, const OndSharp *sharp, const float part[3],
                           int k, float d, float mine)
{
    float share = 1.0f;
    for (int l = 0; l < sharp->faces; ++l) {
        if (l == k) continue;
        const float counts = sharp->faces > 2 ? fminf(3.0f * part[l], 1.0f) : 1.0f;
        share *= 1.0f - counts * (1.0f - ond_wall_covered(mine, d * fmaxf(sharp->toward[l], 0.0f),
                                                          sharp->cosine, table->width));
    }
    return share;
}

// At an edge or a corner what is behind all its faces is wall, not all that is behind the plane.
// Few touches are there: it stays out of the way of the others.
__attribute__((noinline)) static void weigh_sharp(const OndWallTable *table, const OndSharp *sharp,
                                                  OndRowTouch *touch)
{
    const float d = fmaxf(touch->distance, 0.0f);
    const float value = ond_wall_sum(table, OND_WALL_VALUE, d);
    const float slope = ond_wall_sum(table, OND_WALL_SLOPE, d);
    float sum = 0.0f, part[3], across[3] = {0};
    if (!(value > 0.0f) || !(slope > 0.0f)) return;
    parts_of(sharp, part);
    for (int k = 0; k < sharp->faces; ++k) {
        const float at = d * fmaxf(sharp->toward[k], 0.0f);
        sum += part[k] * ond_wall_sum(table, OND_WALL_VALUE, at) *
               behind_others(table, sharp, part, k, d, at + table->beyond);
        const float push =
            ond_wall_sum(table, OND_WALL_SLOPE, at) * behind_others(table, sharp, part, k, d, at);
        across[0] += push * (float)sharp->face[k].x;
        across[1] += push * (float)sharp->face[k].y;
        across[2] += push * (float)sharp->face[k].z;
    }
    const float most = fmaxf(slope, sqrtf(ond_dot3(across, across)));
    for (int a = 0; a < 3; ++a)
        touch->narrow[a] = across[a] / most;
    touch->sharp = fminf(sum / value, 1.0f);
    touch->middle = middle_of(part, sharp->faces);
}

static OndRowTouch keep_touch(const OndWallTable *table, const OndTouch *t)
{
    OndRowTouch touch = {
        .normal = {(float)t->normal.x, (float)t->normal.y, (float)t->normal.z},
        .distance = (float)t->distance,
        .velocity = {(float)t->velocity.x, (float)t->velocity.y, (float)t->velocity.z},
        .bend = (float)t->bend,
        .sharp = 1.0f,
        .solid = t->solid,
        .share = (float)t->news,
        .edge = (float)t->news,
        .news = (float)t->news,
        .flat = t->sharp.faces < 2,
        .round = t->bend != 0.0,
    };
    memcpy(touch.face, touch.normal, sizeof touch.face);
    memcpy(touch.narrow, touch.normal, sizeof touch.narrow);
    if (t->sharp.faces > 1) weigh_sharp(table, &t->sharp, &touch);
    return touch;
}

static inline OndVec place_of(const OndSph *s, int i)
{
    return ond_vec(s->x[0][i], s->x[1][i], s->x[2][i]);
}

// What an edge lacks of a whole wall the face of another solid has that goes on there.
static void go_on(const OndRowTouch *edge, float reach, OndRowTouch *touch)
{
    const float farther = fmaxf(touch->distance - edge->distance, 0.0f);
    const float c = ond_dot3(edge->face, touch->face);
    if (edge->solid == touch->solid || farther >= reach) return;
    const float alike = (1.0f - (float)ond_touch_apart((double)c)) * (1.0f - farther / reach);
    const float lacks = edge->middle * (1.0f - edge->sharp);
    const float more = fminf(alike * edge->news * lacks, 1.0f - touch->news);
    touch->share += more, touch->edge += more, touch->news += more;
}

static void go_on_past_edges(OndRow *row, float reach)
{
    for (int k = 0; k < row->count; ++k)
        for (int l = 0; l < row->count; ++l)
            if (!row->touch[k].flat && row->touch[l].flat)
                go_on(&row->touch[k], reach, &row->touch[l]);
}

static void fill_row(const OndSph *s, int i, OndRow *row)
{
    OndTouch found[OND_TOUCHES_MAX];
    const int count = ond_solids_feel(s->world.solids, place_of(s, i), s->solids->reach, found);
    row->particle = i;
    row->count = count < OND_ROW_TOUCHES ? count : OND_ROW_TOUCHES;
    for (int k = 0; k < row->count; ++k) {
        row->touch[k] = keep_touch(&s->solids->table, &found[k]);
        s->solids->nearest[i] = fminf(s->solids->nearest[i], row->touch[k].distance);
    }
    if (row->count > 1) go_on_past_edges(row, (float)(OND_GOES_ON * s->world.spacing));
    if (row->count) s->solids->slot[i] = (int)(row - s->solids->row);
}

// Solids are told of all places before they are asked of any: they wait for memory once.
static void fill_cells(int first, int last, int worker, void *context)
{
    const OndSph *s = context;
    const OndSphSolids *solids = s->solids;
    for (int cell = first; cell < last; ++cell) {
        const int begin = (int)s->cells.first[cell];
        const int count = solids->cell_first[cell + 1] - solids->cell_first[cell];
        for (int k = 0; k < count; ++k)
            ond_solids_feel_soon(s->world.solids, place_of(s, begin + k));
    }
    for (int cell = first; cell < last; ++cell) {
        const int begin = (int)s->cells.first[cell], to = solids->cell_first[cell];
        for (int k = to; k < solids->cell_first[cell + 1]; ++k)
            fill_row(s, begin + k - to, &solids->row[k]);
    }
}

// The farthest place of the liquid from a point.
static double farthest(const OndCells *cells, OndVec from)
{
    const double size = 1.0 / cells->inv_size;
    const double x = cells->origin[0] - from.x, y = cells->origin[1] - from.y,
                 z = cells->origin[2] - from.z;
    return hypot(fmax(fabs(x), fabs(x + cells->nx * size)),
                 hypot(fmax(fabs(y), fabs(y + cells->ny * size)),
                       fmax(fabs(z), fabs(z + cells->nz * size))));
}

// No face near the liquid is faster, whether it is near enough to act or still on its way.
static float speed_of(const OndSph *s, int which)
{
    const OndSolidState *state = ond_solids_state(s->world.solids, which);
    const double reach = fmin(s->solids->size[which], farthest(&s->cells, state->pose.at));
    return (float)(ond_length(state->velocity) + ond_length(state->spin) * reach);
}

static void gather_rows(OndSph *s)
{
    OndSphSolids *const solids = s->solids;
    float speed2 = 0.0f; // of faces that bend, which nothing else tells
    solids->used_count = 0;
    for (int r = 0; r < solids->row_count; ++r) {
        const OndRow *row = &solids->row[r];
        if (row->count) solids->used[solids->used_count++] = r;
        for (int k = 0; k < row->count; ++k)
            speed2 = fmaxf(speed2, ond_dot3(row->touch[k].velocity, row->touch[k].velocity));
    }
    solids->speed = sqrtf(speed2);
    for (int k = 0; k < ond_solids_count(s->world.solids); ++k)
        solids->speed = fmaxf(solids->speed, speed_of(s, k));
}

OndStatus ond_sph_solids_find(OndSph *s, OndError *err)
{
    OndSphSolids *const solids = s->solids;
    if (!solids) return OND_OK;
    forget_rows(solids);
    OndStatus status = make_room(s, err);
    if (status != OND_OK) return status;
    const int groups = (s->cells.cell_count + CELL_GROUP - 1) / CELL_GROUP;
    ond_parallel_for(groups, GROUP_GRAIN, look_at_cells, s);
    const int rows = count_candidates(solids, s->cells.cell_count);
    status = ond_sph_row_room(solids, rows, err);
    if (status != OND_OK) return status;
    solids->row_count = rows;
    ond_parallel_for(s->cells.cell_count, CELL_GRAIN, fill_cells, s);
    gather_rows(s);
    ond_sph_solids_weigh(s);
    return OND_OK;
}
