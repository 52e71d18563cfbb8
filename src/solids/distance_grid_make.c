// SPDX-License-Identifier: MIT
// Making a distance grid: which blocks are near the surface, and what their cells hold.
#include "base/memory.h"
#include "base/parallel.h"
#include "solids/distance_cell.h"

#define BLOCK      (OND_DISTANCE_SIDE * OND_DISTANCE_LAYER)
#define CORNERS    (OND_DISTANCE_SIDE + 1)
#define TABLE_MAX  1000000.0 // blocks there is a number for: 4 MB of them
#define WIDER      1.3       // cells, when there would be more: five tries, then none is any use
#define OFF_FACES  0.4       // cells: corners must not lie on the faces of a box
#define TURN       0.5       // most that a normal's component differs between corners of a cell
#define OFF_NORMAL 0.1       // most that the normal is off in the middle of a cell
#define DIAGONAL   1.7322    // of a cube, rounded up

// Cells: corners look a diagonal farther, 4.7 of them, and 5 is what a packed distance holds.
#define PER_REACH 3.0
// Of OND_DISTANCE_WITHIN, the most that the distance is off in the middle of a cell: only there it
// is tried, so half of what is promised is left for the rest of the cell.
#define OFF_MIDDLE 0.5

// A block under way.
typedef struct Draft {
    OndFour corner[CORNERS * CORNERS * CORNERS]; // normal and distance, in cells
    int near;                                    // cells that something is near
    OndDistanceKind kind[BLOCK];
} Draft;

typedef struct DistanceMaking {
    OndSolid solid;  // as it is, but where its own frame is: what is read depends on no pose
    OndSolids alone; // it alone
    const OndSolidMesh *mesh;
    OndDistanceGrid *grid;
    Draft *draft;
    int most;         // blocks
    bool starved;     // there is no memory
    double cell, far; // how wide they are, and how far their corners look
} DistanceMaking;

static OndVec block_origin(const DistanceMaking *m, int b)
{
    const OndDistanceGrid *g = m->grid;
    const int x = b % g->n[0], y = b / g->n[0] % g->n[1], z = b / g->n[0] / g->n[1];
    return ond_add(g->origin, ond_scale(ond_vec(x, y, z), OND_DISTANCE_SIDE * m->cell));
}

static OndVec place(const DistanceMaking *m, OndVec origin, double x, double y, double z)
{
    return ond_add(origin, ond_scale(ond_vec(x, y, z), m->cell));
}

// ---- which blocks

// Round the mesh and its reach. False when there are too many.
static bool lay(DistanceMaking *m, double reach)
{
    OndDistanceGrid *g = m->grid;
    const OndBox box = m->mesh->bounds;
    double blocks = 1.0;
    for (int a = 0; a < 3; ++a) {
        const double span = ond_axis(box.max, a) - ond_axis(box.min, a) + 2.0 * reach;
        const double n = ceil(span / (OND_DISTANCE_SIDE * m->cell)) + 1.0;
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
    const DistanceMaking *m = context;
    const double half = 0.5 * OND_DISTANCE_SIDE * m->cell;
    const double around = m->grid->reach + DIAGONAL * (half + m->cell);
    for (int b = first; b < last; ++b) {
        const OndVec middle = ond_add(block_origin(m, b), ond_vec(half, half, half));
        m->grid->block[b] = ond_solid_mesh_may_touch(m->mesh, middle, around) ? 0 : -1;
    }
}

// Numbers the blocks that are near; how many.
static int number_blocks(OndDistanceGrid *g)
{
    int count = 0;
    for (size_t b = 0; b < ond_distance_blocks(g); ++b)
        if (g->block[b] >= 0) g->block[b] = count++;
    return count;
}

// The grid in cells that are not too many. False when there is none.
static bool choose_blocks(DistanceMaking *m, double reach)
{
    OndDistanceGrid *g = m->grid;
    for (m->cell = reach / PER_REACH;; m->cell *= WIDER) {
        if (!(m->cell < reach)) return false;
        if (!lay(m, reach)) continue;
        g->block = OND_NEW_ARRAY(int, ond_distance_blocks(g));
        m->starved = !g->block;
        if (m->starved) return false;
        ond_parallel_for((int)ond_distance_blocks(g), 64, mark_some, m);
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
static OndFour look_from(const DistanceMaking *m, OndVec p)
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
static OndDistanceCell pack(const OndFour *corner)
{
    OndDistanceCell cell;
    const OndFour steps = {OND_NORMAL_STEPS, OND_NORMAL_STEPS, OND_NORMAL_STEPS,
                           OND_DISTANCE_STEPS};
    for (int k = 0; k < 8; ++k) {
        const OndFour c = steps * corner[((k >> 2) * CORNERS + (k >> 1 & 1)) * CORNERS + (k & 1)];
        for (int a = 0; a < 4; ++a)
            cell.corner[k][a] = (int16_t)(c[a] == c[a] ? lrintf(c[a]) : 0);
    }
    return cell;
}

// How many faces there are within the reach of anywhere in the cell round `middle`; the first of
// them is the nearest.
static int ask(const DistanceMaking *m, OndVec middle, OndTouch touch[OND_TOUCHES_MAX])
{
    const double far = m->grid->reach + 0.5 * DIAGONAL * m->cell;
    return ond_solids_near_one(&m->alone, 0, middle, far, touch);
}

// Whether the nearest face, as the triangles show it in the middle of a cell, is as it is read.
static bool is_as_read(const DistanceMaking *m, OndFour read, const OndTouch *touch)
{
    const OndVec off = ond_sub(touch->normal, ond_distance_normal(read));
    return fabs(read[3] * m->cell - touch->distance) <=
               OFF_MIDDLE * OND_DISTANCE_WITHIN * m->grid->reach &&
           ond_dot(off, off) <= OFF_NORMAL * OFF_NORMAL;
}

// What the triangles say of a cell whose corners may agree (`even`). From behind a face others are
// hidden: where one passes through the cell they are asked once more, from before it.
static OndDistanceKind try_cell(const DistanceMaking *m, const OndFour *corner, OndVec middle,
                                bool even)
{
    OndTouch touch[OND_TOUCHES_MAX];
    const int count = ask(m, middle, touch);
    if (count == 0) return OND_DISTANCE_NONE;
    if (count > 1 || !even) return OND_DISTANCE_ASK;
    const OndDistanceCell cell = pack(corner);
    const OndFour read = ond_distance_between(&cell, 0.5f, 0.5f, 0.5f);
    if (!is_as_read(m, read, &touch[0])) return OND_DISTANCE_ASK;
    const double lift = 0.5 * DIAGONAL * m->cell - touch[0].distance;
    const OndVec before = ond_add(middle, ond_scale(ond_distance_normal(read), lift));
    return lift <= 0.0 || ask(m, before, touch) == 1 ? OND_DISTANCE_ONE : OND_DISTANCE_ASK;
}

static OndDistanceKind kind_of(const DistanceMaking *m, const OndFour *corner, OndVec middle)
{
    bool far = false, known = true;
    OndFour least = ond_four(1.0f), most = ond_four(-1.0f);
    for (int k = 0; k < 8; ++k) {
        const OndFour c = corner[((k >> 2) * CORNERS + (k >> 1 & 1)) * CORNERS + (k & 1)];
        far |= c[3] == INFINITY;
        known &= c[3] == c[3];
        least = ond_four_min(c, least), most = ond_four_max(c, most);
    }
    if (far) return OND_DISTANCE_NONE; // the corner sees farther than the cell is wide
    const OndFour turn = most - least;
    const bool even = known && turn[0] <= TURN && turn[1] <= TURN && turn[2] <= TURN;
    return try_cell(m, corner, middle, even);
}

static const OndFour *first_corner(const Draft *draft, int cell)
{
    const int x = cell % OND_DISTANCE_SIDE, y = cell / OND_DISTANCE_SIDE % OND_DISTANCE_SIDE,
              z = cell / (OND_DISTANCE_SIDE * OND_DISTANCE_SIDE);
    return &draft->corner[(z * CORNERS + y) * CORNERS + x];
}

static void draft_block(const DistanceMaking *m, OndVec origin, Draft *draft)
{
    for (int i = 0; i < CORNERS * CORNERS * CORNERS; ++i)
        draft->corner[i] = look_from(
            m, place(m, origin, i % CORNERS, i / CORNERS % CORNERS, i / (CORNERS * CORNERS)));
    draft->near = 0;
    for (int i = 0; i < BLOCK; ++i) {
        const int x = i % OND_DISTANCE_SIDE, y = i / OND_DISTANCE_SIDE % OND_DISTANCE_SIDE,
                  z = i / (OND_DISTANCE_SIDE * OND_DISTANCE_SIDE);
        const OndVec middle = place(m, origin, x + 0.5, y + 0.5, z + 0.5);
        draft->kind[i] = kind_of(m, first_corner(draft, i), middle);
        draft->near += draft->kind[i] != OND_DISTANCE_NONE;
    }
}

static void draft_some(int first, int last, int worker, void *context)
{
    const DistanceMaking *m = context;
    for (int b = first; b < last; ++b)
        if (m->grid->block[b] >= 0)
            draft_block(m, block_origin(m, b), &m->draft[m->grid->block[b]]);
}

// ---- what is kept

static void keep_block(OndDistanceGrid *g, const Draft *draft, OndDistanceBlock *block)
{
    for (int i = 0; i < BLOCK; ++i) {
        const int layer = i / OND_DISTANCE_LAYER;
        const uint64_t bit = UINT64_C(1) << i % OND_DISTANCE_LAYER;
        if (i % OND_DISTANCE_LAYER == 0) block->first[layer] = g->cell_count;
        if (draft->kind[i] == OND_DISTANCE_NONE) continue;
        block->near[layer] |= bit;
        if (draft->kind[i] == OND_DISTANCE_ASK) block->ask[layer] |= bit;
        g->cell[g->cell_count++] = pack(first_corner(draft, i));
    }
}

// False when there is no memory.
static bool keep_all(const DistanceMaking *m)
{
    OndDistanceGrid *g = m->grid;
    int all = 0;
    for (int b = 0; b < g->count; ++b)
        all += m->draft[b].near;
    g->kept = OND_NEW_ARRAY(OndDistanceBlock, g->count + 1);
    g->cell = OND_NEW_ARRAY(OndDistanceCell, all + 1);
    for (int b = 0; g->kept && g->cell && b < g->count; ++b)
        keep_block(g, &m->draft[b], &g->kept[b]);
    return g->kept && g->cell;
}

bool ond_distance_grid_make(OndSolids *all, int which, double reach, int blocks)
{
    OndSolidMesh *mesh = &all->solid[which].mesh;
    OndDistanceGrid grid = {0};
    ond_distance_grid_free(&mesh->distance);
    if (all->flat || mesh->bent[0] || mesh->triangle_count == 0 || !(reach > 0.0)) return true;
    DistanceMaking m = {.solid = all->solid[which], .mesh = mesh, .grid = &grid, .most = blocks};
    m.solid.start.pose = ond_pose_still();
    m.alone = (OndSolids){.solid = &m.solid, .count = 1};
    if (choose_blocks(&m, reach)) {
        m.draft = OND_NEW_ARRAY(Draft, grid.count + 1);
        if (m.draft) ond_parallel_for((int)ond_distance_blocks(&grid), 1, draft_some, &m);
        m.starved = !m.draft || !keep_all(&m);
        ond_free(m.draft);
    }
    if (grid.cell && !m.starved)
        mesh->distance = grid;
    else
        ond_distance_grid_free(&grid);
    return !m.starved;
}
