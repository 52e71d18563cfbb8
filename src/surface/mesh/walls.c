// SPDX-License-Identifier: MIT
#include "surface/mesh/walls.h"

#define OFFSET    0.372 // cells: surfaces of liquids that start on a lattice do not fall on nodes
#define OTHERWISE 0.45  // where the upper wall would fall on nodes
#define ON_NODES  0.05  // cells: as near as that
#define ASTRAY    1e-3  // of all points may lie beyond a wall

OndWalls ond_walls(OndBox box, const OndWallsDef *def, int dimension, double spacing)
{
    OndWalls walls = {.box = box};
    for (int a = 0; a < dimension; ++a) {
        const double low = ond_axis(box.min, a), high = ond_axis(box.max, a);
        if (isfinite(low) && isfinite(high) && high - low > 0.0 &&
            high - low >= def->thinnest * spacing)
            walls.asked |= def->sides & 3u << (2 * a);
    }
    walls.sides = walls.asked;
    return walls;
}

void ond_walls_check(OndWalls *walls, const float *const at[3], int count, double far)
{
    walls->far = far;
    for (int side = 0; side < 6; ++side) {
        const float *x = at[side / 2];
        int astray = 0;
        for (int i = 0; i < count && walls->sides >> side & 1; ++i)
            astray += ond_walls_depth(walls, side, x[i]) < -far;
        if (astray > ASTRAY * count) walls->sides &= ~(1u << side);
    }
}

// Coordinates along one axis: the point's own, then those of its images.
static int mirrored(const OndWalls *walls, int axis, double at, double reach, double out[3])
{
    int count = 0;
    out[count++] = at;
    for (int side = 2 * axis; side < 2 * axis + 2; ++side)
        if (walls->sides >> side & 1 && ond_walls_depth(walls, side, at) < reach &&
            ond_walls_depth(walls, side, at) >= -walls->far)
            out[count++] = 2.0 * ond_walls_at(walls, side) - at;
    return count;
}

int ond_walls_images(const OndWalls *walls, const double at[3], double reach,
                     float image[OND_IMAGES_MAX][3], unsigned char flip[OND_IMAGES_MAX])
{
    double x[3][3];
    int n[3], count = 0;
    for (int a = 0; a < 3; ++a)
        n[a] = mirrored(walls, a, at[a], reach, x[a]);
    for (int k = 1; k < n[0] * n[1] * n[2]; ++k) { // 0 is the point itself
        const int i[3] = {k % n[0], k / n[0] % n[1], k / n[0] / n[1]};
        flip[count] = (unsigned char)((i[0] > 0) | (i[1] > 0) << 1 | (i[2] > 0) << 2);
        for (int a = 0; a < 3; ++a)
            image[count][a] = (float)x[a][i[a]];
        ++count;
    }
    return count;
}

bool ond_walls_hold(const OndWalls *walls, double margin, const float before[3], float corner[3])
{
    bool held = false;
    for (int side = 0; side < 6; ++side) {
        const int axis = side / 2;
        if (!(walls->sides >> side & 1)) continue;
        if (ond_walls_depth(walls, side, before[axis]) < margin)
            corner[axis] = before[axis], held = true;
        else if (ond_walls_depth(walls, side, corner[axis]) < 0.0)
            corner[axis] = (float)ond_walls_at(walls, side);
    }
    return held;
}

bool ond_walls_near(const OndWalls *walls, const double at[3], double margin)
{
    for (int side = 0; side < 6; ++side)
        if (walls->sides >> side & 1 && ond_walls_depth(walls, side, at[side / 2]) < margin)
            return true;
    return false;
}

double ond_walls_anchor(const OndWalls *walls, int axis, double cell)
{
    if (!(walls->asked >> (2 * axis) & 3)) return OFFSET * cell;
    const double low = ond_axis(walls->box.min, axis), high = ond_axis(walls->box.max, axis);
    const double cells = (high - low) / cell - OFFSET, off = cells - floor(cells);
    const bool on_nodes = off < ON_NODES || off > 1.0 - ON_NODES;
    return fmod(low, cell) + (on_nodes ? OTHERWISE : OFFSET) * cell;
}
