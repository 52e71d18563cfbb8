// SPDX-License-Identifier: MIT
#include "solids/solids_felt.h"

#include "base/memory.h"
#include "base/parallel.h"

#include <string.h>

#define SIDE       8 // cells of a block along a side
#define LAYER      (SIDE * SIDE)
#define BLOCK      (SIDE * LAYER)
#define CORNERS    (SIDE + 1)
#define PER_REACH  3.0
#define TABLE_MAX  1000000.0 // blocks there is a number for
#define WIDER      1.3       // cells, when there would be more
#define OFF_FACES  0.4       // cells: corners must not lie on the faces of a box
#define TURN       0.5       // most that a normal's component differs between corners of a cell
#define OFF_MIDDLE (0.5 * OND_FELT_WITHIN) // most that the distance is off in the middle of a cell
#define OFF_NORMAL 0.1                     // most that the normal is
#define ROUNDING   1e-3                    // cells
#define DIAGONAL   1.7322                  // of a cube

#define OUTSIDE (-2)
#define NOTHING (-1) // a cell that nothing is near; else twice its number, + 1: ask

// Steps to 1: normals are at most 1 long, distances at most 5 cells.
#define NORMAL_STEPS   32767.0f
#define DISTANCE_STEPS 6553.0f

// A block under way.
typedef struct Draft {
    OndFour corner[CORNERS * CORNERS * CORNERS]; // normal and distance, in cells
    int near;                                    // cells that something is near
    OndFelt kind[BLOCK];
} Draft;

typedef struct FeltMaking {
    OndSolid solid;  // as it is, but where its own frame is: what is felt depends on no pose
    OndSolids alone; // it alone
    const OndSolidMesh *mesh;
    OndFeltGrid *grid;
    Draft *draft;
    int most;         // blocks
    bool starved;     // there is no memory
    double cell, far; // how wide they are, and how far their corners look
} FeltMaking;

static size_t block_count(const OndFeltGrid *g)
{
    return (size_t)g->n[0] * (size_t)g->n[1] * (size_t)g->n[2];
}

static inline size_t block_at(const OndFeltGrid *g, unsigned x, unsigned y, unsigned z)
{
    return ((size_t)z * (size_t)g->n[1] + y) * (size_t)g->n[0] + x;
}

static OndVec block_origin(const FeltMaking *m, int b)
{
    const OndFeltGrid *g = m->grid;
    const int x = b % g->n[0], y = b / g->n[0] % g->n[1], z = b / g->n[0] / g->n[1];
    return ond_add(g->origin, ond_scale(ond_vec(x, y, z), SIDE * m->cell));
}

static OndVec place(const FeltMaking *m, OndVec origin, double x, double y, double z)
{
    return ond_add(origin, ond_scale(ond_vec(x, y, z), m->cell));
}

// ---- which blocks

// Round the mesh and its reach. False when there are too many.
static bool lay(FeltMaking *m, double reach)
{
    OndFeltGrid *g = m->grid;
    const OndBox box = m->mesh->bounds;
    double blocks = 1.0;
    for (int a = 0; a < 3; ++a) {
        const double span = ond_axis(box.max, a) - ond_axis(box.min, a) + 2.0 * reach;
        const double n = ceil(span / (SIDE * m->cell)) + 1.0;
        blocks *= n;
        g->n[a] = n < TABLE_MAX ? (int)n : 0;
    }
    const double aside = reach + OFF_FACES * m->cell;
    g->origin = ond_sub(box.min, ond_vec(aside, aside, aside));
    g->per_cell = 1.0 / m->cell;
    g->reach = reach;
    return blocks <= TABLE_MAX;
}

static void mark_some(int first, int last, int worker, void *context)
{
    const FeltMaking *m = context;
    const double half = 0.5 * SIDE * m->cell;
    const double around = m->grid->reach + DIAGONAL * (half + m->cell);
    for (int b = first; b < last; ++b) {
        const OndVec middle = ond_add(block_origin(m, b), ond_vec(half, half, half));
        m->grid->block[b] = ond_solid_mesh_may_touch(m->mesh, middle, around) ? 0 : -1;
    }
}

// Numbers the blocks that are near; how many.
static int number_blocks(OndFeltGrid *g)
{
    int count = 0;
    for (size_t b = 0; b < block_count(g); ++b)
        if (g->block[b] >= 0) g->block[b] = count++;
    return count;
}

// The grid in cells that are not too many. False when there is none.
static bool choose_blocks(FeltMaking *m, double reach)
{
    OndFeltGrid *g = m->grid;
    for (m->cell = reach / PER_REACH;; m->cell *= WIDER) {
        if (!(m->cell < reach)) return false;
        if (!lay(m, reach)) continue;
        g->block = OND_NEW_ARRAY(int, block_count(g));
        m->starved = !g->block;
        if (m->starved) return false;
        ond_parallel_for((int)block_count(g), 64, mark_some, m);
        g->count = number_blocks(g);
        m->far = reach + DIAGONAL * m->cell;
        if (g->count <= m->most) return true;
        ond_free(g->block);
        g->block = NULL;
    }
}

// ---- what is in them

// The nearest face seen from a corner, as a block keeps it; its distance is INFINITY where none is
// in sight, and NAN on the face itself, where it has no direction.
static OndFour look_from(const FeltMaking *m, OndVec p)
{
    const OndMeshTouch touch = ond_solid_mesh_touch(m->mesh, p, m->far);
    if (touch.distance == INFINITY) return ond_four(INFINITY);
    if (touch.distance < 1e-3 * m->cell) return ond_four(NAN);
    const bool wrong = m->mesh->closed && touch.behind != m->solid.def.container;
    const double distance = wrong ? -touch.distance : touch.distance;
    const OndVec normal = ond_scale(ond_sub(p, touch.at), 1.0 / distance);
    return (OndFour){(float)normal.x, (float)normal.y, (float)normal.z,
                     (float)(distance / m->cell)};
}

// The corners of a cell, from its first on.
static OndFeltCell pack(const OndFour *corner)
{
    OndFeltCell cell;
    const OndFour steps = {NORMAL_STEPS, NORMAL_STEPS, NORMAL_STEPS, DISTANCE_STEPS};
    for (int k = 0; k < 8; ++k) {
        const OndFour c = steps * corner[((k >> 2) * CORNERS + (k >> 1 & 1)) * CORNERS + (k & 1)];
        for (int a = 0; a < 4; ++a)
            cell.corner[k][a] = (int16_t)(c[a] == c[a] ? lrintf(c[a]) : 0);
    }
    return cell;
}

static inline OndFour corner_of(const OndFeltCell *cell, int k)
{
    return __builtin_convertvector(cell->corner[k], OndFour);
}

static inline OndFour mix(OndFour a, OndFour b, float t)
{
    return a + ond_four(t) * (b - a);
}

// Between the corners of a cell, at (x, y, z) of the way: normal, and distance in cells. What is
// interpolated is too large where faces are hollow by as much as what the corners' planes give is
// too small. Their mean, which is right to the second order, differs from the first by how much
// the normals turn.
static inline OndFour between(const OndFeltCell *cell, float x, float y, float z)
{
    OndFour row[4], turn[4]; // along x
    for (int k = 0; k < 4; ++k) {
        const OndFour first = corner_of(cell, 2 * k);
        turn[k] = corner_of(cell, 2 * k + 1) - first;
        row[k] = first + ond_four(x) * turn[k];
    }
    const OndFour low = mix(row[0], row[1], y), high = mix(row[2], row[3], y);
    const OndFour turn_x = mix(mix(turn[0], turn[1], y), mix(turn[2], turn[3], y), z),
                  turn_y = mix(row[1] - row[0], row[3] - row[2], z), turn_z = high - low;
    const float turned =
        x * (1.0f - x) * turn_x[0] + y * (1.0f - y) * turn_y[1] + z * (1.0f - z) * turn_z[2];
    OndFour felt = mix(low, high, z);
    felt *= (OndFour){1.0f / NORMAL_STEPS, 1.0f / NORMAL_STEPS, 1.0f / NORMAL_STEPS,
                      1.0f / DISTANCE_STEPS};
    felt[3] -= 0.5f / NORMAL_STEPS * turned;
    return felt;
}

static OndVec direction(OndFour felt)
{
    return ond_unit(ond_vec(felt[0], felt[1], felt[2]));
}

// How many faces there are within the reach of anywhere in the cell round `middle`; the first of
// them is the nearest.
static int ask(const FeltMaking *m, OndVec middle, OndTouch touch[OND_TOUCHES_MAX])
{
    const double far = m->grid->reach + 0.5 * DIAGONAL * m->cell;
    return ond_solids_near_one(&m->alone, 0, middle, far, touch);
}

// Whether the nearest face, as the triangles show it in the middle of a cell, is as it is felt.
static bool is_as_felt(const FeltMaking *m, OndFour felt, const OndTouch *touch)
{
    const OndVec off = ond_sub(touch->normal, direction(felt));
    return fabs(felt[3] * m->cell - touch->distance) <= OFF_MIDDLE * m->grid->reach &&
           ond_dot(off, off) <= OFF_NORMAL * OFF_NORMAL;
}

// What the triangles say of a cell whose corners may agree (`even`). From behind a face others are
// hidden: where one passes through the cell they are asked once more, from before it.
static OndFelt try_cell(const FeltMaking *m, const OndFour *corner, OndVec middle, bool even)
{
    OndTouch touch[OND_TOUCHES_MAX];
    const int count = ask(m, middle, touch);
    if (count == 0) return OND_FELT_NOTHING;
    if (count > 1 || !even) return OND_FELT_ASK;
    const OndFeltCell cell = pack(corner);
    const OndFour felt = between(&cell, 0.5f, 0.5f, 0.5f);
    if (!is_as_felt(m, felt, &touch[0])) return OND_FELT_ASK;
    const double lift = 0.5 * DIAGONAL * m->cell - touch[0].distance;
    const OndVec before = ond_add(middle, ond_scale(direction(felt), lift));
    return lift <= 0.0 || ask(m, before, touch) == 1 ? OND_FELT_ONE : OND_FELT_ASK;
}

static OndFelt kind_of(const FeltMaking *m, const OndFour *corner, OndVec middle)
{
    bool far = false, known = true;
    OndFour least = ond_four(1.0f), most = ond_four(-1.0f);
    for (int k = 0; k < 8; ++k) {
        const OndFour c = corner[((k >> 2) * CORNERS + (k >> 1 & 1)) * CORNERS + (k & 1)];
        far |= c[3] == INFINITY;
        known &= c[3] == c[3];
        least = ond_four_min(c, least), most = ond_four_max(c, most);
    }
    if (far) return OND_FELT_NOTHING; // the corner sees farther than the cell is wide
    const OndFour turn = most - least;
    const bool even = known && turn[0] <= TURN && turn[1] <= TURN && turn[2] <= TURN;
    return try_cell(m, corner, middle, even);
}

static const OndFour *first_corner(const Draft *draft, int cell)
{
    const int x = cell % SIDE, y = cell / SIDE % SIDE, z = cell / (SIDE * SIDE);
    return &draft->corner[(z * CORNERS + y) * CORNERS + x];
}

static void draft_block(const FeltMaking *m, OndVec origin, Draft *draft)
{
    for (int i = 0; i < CORNERS * CORNERS * CORNERS; ++i)
        draft->corner[i] = look_from(
            m, place(m, origin, i % CORNERS, i / CORNERS % CORNERS, i / (CORNERS * CORNERS)));
    draft->near = 0;
    for (int i = 0; i < BLOCK; ++i) {
        const int x = i % SIDE, y = i / SIDE % SIDE, z = i / (SIDE * SIDE);
        const OndVec middle = place(m, origin, x + 0.5, y + 0.5, z + 0.5);
        draft->kind[i] = kind_of(m, first_corner(draft, i), middle);
        draft->near += draft->kind[i] != OND_FELT_NOTHING;
    }
}

static void draft_some(int first, int last, int worker, void *context)
{
    const FeltMaking *m = context;
    for (int b = first; b < last; ++b)
        if (m->grid->block[b] >= 0)
            draft_block(m, block_origin(m, b), &m->draft[m->grid->block[b]]);
}

// ---- what is kept

static void keep_block(OndFeltGrid *g, const Draft *draft, OndFeltBlock *block)
{
    for (int i = 0; i < BLOCK; ++i) {
        const int layer = i / LAYER;
        const uint64_t bit = UINT64_C(1) << i % LAYER;
        if (i % LAYER == 0) block->first[layer] = g->felt_count;
        if (draft->kind[i] == OND_FELT_NOTHING) continue;
        block->near[layer] |= bit;
        if (draft->kind[i] == OND_FELT_ASK) block->ask[layer] |= bit;
        g->felt[g->felt_count++] = pack(first_corner(draft, i));
    }
}

// False when there is no memory.
static bool keep_all(const FeltMaking *m)
{
    OndFeltGrid *g = m->grid;
    int all = 0;
    for (int b = 0; b < g->count; ++b)
        all += m->draft[b].near;
    g->kept = OND_NEW_ARRAY(OndFeltBlock, g->count + 1);
    g->felt = OND_NEW_ARRAY(OndFeltCell, all + 1);
    for (int b = 0; g->kept && g->felt && b < g->count; ++b)
        keep_block(g, &m->draft[b], &g->kept[b]);
    return g->kept && g->felt;
}

void ond_solid_felt_free(OndFeltGrid *grid)
{
    ond_free(grid->block);
    ond_free(grid->kept);
    ond_free(grid->felt);
    memset(grid, 0, sizeof *grid);
}

size_t ond_solid_felt_bytes(const OndFeltGrid *grid)
{
    if (!grid->felt) return 0;
    return block_count(grid) * sizeof *grid->block + (size_t)grid->count * sizeof *grid->kept +
           (size_t)grid->felt_count * sizeof *grid->felt;
}

bool ond_solid_felt_make(OndSolids *all, int which, double reach, int blocks)
{
    OndSolidMesh *mesh = &all->solid[which].mesh;
    OndFeltGrid grid = {0};
    ond_solid_felt_free(&mesh->felt);
    if (all->flat || mesh->bent[0] || mesh->triangle_count == 0 || !(reach > 0.0)) return true;
    FeltMaking m = {.solid = all->solid[which], .mesh = mesh, .grid = &grid, .most = blocks};
    m.solid.start.pose = ond_pose_still();
    m.alone = (OndSolids){.solid = &m.solid, .count = 1};
    if (choose_blocks(&m, reach)) {
        m.draft = OND_NEW_ARRAY(Draft, grid.count + 1);
        if (m.draft) ond_parallel_for((int)block_count(&grid), 1, draft_some, &m);
        m.starved = !m.draft || !keep_all(&m);
        ond_free(m.draft);
    }
    if (grid.felt && !m.starved)
        mesh->felt = grid;
    else
        ond_solid_felt_free(&grid);
    return !m.starved;
}

// ---- reading

// Whether nothing is within `reach` cells, whatever there is. The square of a distance, less the
// square of the place, is the least of linear functions: between corners it is no less than what is
// interpolated.
static bool is_far(const OndFeltCell *cell, const float at[3], double reach)
{
    float square = 0.0f, bent = 0.0f;
    for (int k = 0; k < 8; ++k) {
        float weight = 1.0f;
        for (int a = 0; a < 3; ++a)
            weight *= k >> a & 1 ? at[a] : 1.0f - at[a];
        const float d = (float)cell->corner[k][3];
        square += weight * d * d;
    }
    for (int a = 0; a < 3; ++a)
        bent += at[a] * (1.0f - at[a]);
    const double least = square / (DISTANCE_STEPS * DISTANCE_STEPS) - bent;
    return least > (reach + ROUNDING) * (reach + ROUNDING);
}

// The number of the cell that a point is in: NOTHING, or OUTSIDE.
static inline int cell_at(const OndFeltGrid *g, OndVec at)
{
    if (!(at.x >= 0.0 && at.x < SIDE * g->n[0] && at.y >= 0.0 && at.y < SIDE * g->n[1] &&
          at.z >= 0.0 && at.z < SIDE * g->n[2]))
        return OUTSIDE;
    const unsigned x = (unsigned)at.x, y = (unsigned)at.y, z = (unsigned)at.z;
    const int b = g->block[block_at(g, x / SIDE, y / SIDE, z / SIDE)];
    if (b < 0) return NOTHING;
    const OndFeltBlock *block = &g->kept[b];
    const unsigned layer = z % SIDE, i = y % SIDE * SIDE + x % SIDE;
    const uint64_t near = block->near[layer], before = near & ((UINT64_C(1) << i) - 1);
    if (!(near >> i & 1)) return NOTHING;
    return 2 * (block->first[layer] + __builtin_popcountll(before)) + (block->ask[layer] >> i & 1);
}

OndFelt ond_solid_felt_read(const OndSolidMesh *s, OndVec p, double reach, double *distance,
                            OndVec *normal)
{
    const OndFeltGrid *g = &s->felt;
    if (!ond_solid_felt_knows(s, reach)) return OND_FELT_ASK;
    const OndVec at = ond_scale(ond_sub(p, g->origin), g->per_cell);
    const int cell = cell_at(g, at);
    if (cell < 0) return cell == NOTHING ? OND_FELT_NOTHING : OND_FELT_ASK;
    const float in[3] = {(float)(at.x - (int)at.x), (float)(at.y - (int)at.y),
                         (float)(at.z - (int)at.z)};
    if (cell & 1)
        return is_far(&g->felt[cell / 2], in, reach * g->per_cell) ? OND_FELT_NOTHING
                                                                   : OND_FELT_ASK;
    const OndFour felt = between(&g->felt[cell / 2], in[0], in[1], in[2]);
    *distance = felt[3] / g->per_cell;
    *normal = direction(felt);
    return fabs(*distance) > reach ? OND_FELT_NOTHING : OND_FELT_ONE;
}

void ond_solid_felt_fetch(const OndSolidMesh *s, OndVec p)
{
    const OndFeltGrid *g = &s->felt;
    if (!g->felt) return;
    const int cell = cell_at(g, ond_scale(ond_sub(p, g->origin), g->per_cell));
    if (cell >= 0) __builtin_prefetch(&g->felt[cell / 2]);
}

// Cells of the grid, from the first along each axis to the one after the last.
typedef struct CellSpan {
    int first[3], last[3];
} CellSpan;

static CellSpan span_of(const OndFeltGrid *g, const OndBox *box)
{
    CellSpan span;
    for (int a = 0; a < 3; ++a) {
        const double low = ond_axis(g->origin, a), all = SIDE * g->n[a];
        const double first = (ond_axis(box->min, a) - low) * g->per_cell,
                     last = (ond_axis(box->max, a) - low) * g->per_cell;
        span.first[a] = (int)fmin(fmax(first - ROUNDING, 0.0), all);
        span.last[a] = (int)fmin(fmax(last + 1.0 + ROUNDING, 0.0), all);
    }
    return span;
}

// The part of a span that is in a block.
static bool has_any(const OndFeltGrid *g, const CellSpan *span, int x, int y, int z)
{
    const int b = g->block[block_at(g, (unsigned)x, (unsigned)y, (unsigned)z)], at[3] = {x, y, z};
    if (b < 0) return false;
    int first[3], last[3];
    for (int a = 0; a < 3; ++a) {
        first[a] = span->first[a] > SIDE * at[a] ? span->first[a] - SIDE * at[a] : 0;
        last[a] = span->last[a] < SIDE * (at[a] + 1) ? span->last[a] - SIDE * at[a] : SIDE;
    }
    const uint64_t row = (UINT64_C(1) << last[0]) - (UINT64_C(1) << first[0]);
    uint64_t layer = 0;
    for (int j = first[1]; j < last[1]; ++j)
        layer |= row << SIDE * j;
    for (int k = first[2]; k < last[2]; ++k)
        if (g->kept[b].near[k] & layer) return true;
    return false;
}

bool ond_solid_felt_may_touch(const OndSolidMesh *s, const OndBox *box)
{
    const OndFeltGrid *g = &s->felt;
    const CellSpan span = span_of(g, box);
    const int past[3] = {(span.last[0] + SIDE - 1) / SIDE, (span.last[1] + SIDE - 1) / SIDE,
                         (span.last[2] + SIDE - 1) / SIDE};
    for (int z = span.first[2] / SIDE; z < past[2]; ++z)
        for (int y = span.first[1] / SIDE; y < past[1]; ++y)
            for (int x = span.first[0] / SIDE; x < past[0]; ++x)
                if (has_any(g, &span, x, y, z)) return true;
    return false;
}
