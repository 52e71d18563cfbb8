// SPDX-License-Identifier: MIT
// The hot loops of the fields by ellipsoids and by averages: arithmetic only, compiled once for
// each instruction set as those of surface/loops.h are.
#ifndef OND_SURFACE_FIELD_LOOPS_H
#define OND_SURFACE_FIELD_LOOPS_H

#include "surface/fields/crowd.h"
#include "surface/fields/field.h"

/// Neighbours side by side. `pull` is what ellipsoids.h calls their mean.
typedef struct OndNeighbourArrays {
    int count;
    float x[OND_CROWD], y[OND_CROWD], z[OND_CROWD], volume[OND_CROWD];
    float px[OND_CROWD], py[OND_CROWD], pz[OND_CROWD];
} OndNeighbourArrays;

/// Weighted sums of 1, d and d d^T.
typedef struct OndMoments {
    float w, x, y, z, xx, yy, zz, xy, xz, yz;
} OndMoments;

/// Ellipsoids side by side: weight (1 - q^2)^3 with q^2 = d^T inverse d, order xx yy zz xy xz yz.
typedef struct OndEllipsoidArrays {
    float *centre[3];
    float *extent[3]; ///< half of the bounding box
    float *inverse[6];
    float *weight;
} OndEllipsoidArrays;

/// A place in two parts, so that differences keep their digits far from the origin.
typedef struct OndSplitPlace {
    float high[3], low[3];
} OndSplitPlace;

typedef struct OndNodeSpan {
    int first, last; ///< last excluded
} OndNodeSpan;

/// Nodes of a row of n that lie within `reach` of `at`, all in cells.
static inline OndNodeSpan ond_span_of(float at, float reach, int n)
{
    const float low = at - reach, high = at + reach;
    const int first = low < 0.0f ? 0 : low < (float)n ? (int)low + 1 : n;
    const int last = high < 0.0f ? 0 : high < (float)n ? (int)high + 1 : n;
    return (OndNodeSpan){first, last};
}

/// A block of nodes; rows of a layer are OND_BLOCK apart, whatever n is.
typedef struct OndNodes {
    OndSplitPlace start;
    float cell;
    int n[3];
    float value[OND_BLOCK * OND_BLOCK][OND_BLOCK];
} OndNodes;

/// What is summed for averages (averages.h), with d = x_i - p.
enum {
    OND_SUM_K,
    OND_SUM_L,
    OND_SUM_X,
    OND_SUM_GX = OND_SUM_X + 3,
    OND_SUM_XX = OND_SUM_GX + 3, // xx yy zz xy xz yz
    OND_SUMS = OND_SUM_XX + 6
};
typedef float OndSumRow[OND_SUMS * OND_BLOCK]; ///< sum after sum, each for OND_BLOCK places

/// Where the places of such a row are.
typedef struct OndRowLanes {
    float x[OND_BLOCK], y[OND_BLOCK], z[OND_BLOCK];
} OndRowLanes;

typedef struct OndFieldLoops {
    /// Adds the moments of neighbours, weighed 1 - q^4, about a place.
    void (*moments)(const OndNeighbourArrays *n, const float at[3], float inv_r2, OndMoments *sum);
    /// Adds weight and pull (x y z) of neighbours whose pull is like the one given.
    void (*pulls)(const OndNeighbourArrays *n, const float at[3], const float pull[3],
                  const float inv_square[2], float sum[4]);
    /// Adds ellipsoids [first, last) to the nodes.
    void (*splat)(const OndEllipsoidArrays *e, uint32_t first, uint32_t last, OndNodes *nodes);
    /// Adds value and gradient (x y z) of ellipsoids [first, last) at a place.
    void (*at)(const OndEllipsoidArrays *e, uint32_t first, uint32_t last,
               const OndSplitPlace *place, float sum[4]);
    /// Adds a particle at d to all places of a row.
    void (*average)(OndSumRow row, const OndRowLanes *lanes, const float d[3], float inv_r2,
                    float length);
} OndFieldLoops;

/// The best set for this processor.
const OndFieldLoops *ond_field_loops(void);

OndSplitPlace ond_place(const double at[3]);

#endif
