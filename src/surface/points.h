// SPDX-License-Identifier: MIT
// The particles that a surface is made from: a frame's usable positions, sorted by bin, each with
// its size, and the bins that find who is near (bins.h: walk with ond_near). Images of particles
// behind walls (walls.h) are points like all others, and know whose they are.
#ifndef OND_SURFACE_POINTS_H
#define OND_SURFACE_POINTS_H

#include "sim/frame.h"
#include "surface/bins.h"
#include "surface/mesh/walls.h"

#include <stdbool.h>

/// Particles farther from the origin than this many spacings are dropped: a float could not tell
/// their neighbours apart there.
#define OND_POINTS_FAR 67108864.0

/// Radius of the kernel that `volume` and `surface` are found with, in sizes.
#define OND_POINTS_KERNEL 2.0

typedef struct OndPoints {
    int count;
    const OndFrame *frame; ///< that they are of; it outlives them
    int dimension;         ///< 2 or 3; in 2D all z are 0
    double spacing; ///< rest distance of the particles, m: the frame's own, or the median of sizes
    float *x, *y, *z; ///< m
    float *size;      ///< rest distance of each particle, m
    float *volume;    ///< m^3 (2D: m^2): what each stands for where it lies, by its own density;
                      ///< size^3 inside, more where neighbours are missing
    uint32_t *source; ///< which particle of the frame each one is
    unsigned char *surface; ///< 1: near the free surface
    int dropped;            ///< particles left out because their position is not usable
    double largest;         ///< size, m
    OndBins bins;
    OndBox box; ///< round all of them
    OndWalls walls;
    uint32_t *image_of;  ///< which point each is the image of, itself if of none; NULL: no images
    unsigned char *flip; ///< axes along which an image is mirrored, as bits; NULL: no images
} OndPoints;

/// Copies and sorts a frame's particles; `reach` is the width of the bins in spacings, best the
/// farthest that a neighbour may be. A frame without particles, or without a known or guessable
/// spacing, is an error that says so. Frees what `points` held.
OndStatus ond_points_take(OndPoints *points, const OndFrame *frame, double reach, OndError *err);
/// The same, with images of what is near the walls of the frame's domain.
OndStatus ond_points_take_walled(OndPoints *points, const OndFrame *frame, double reach,
                                 const OndWallsDef *walls, OndError *err);
void ond_points_free(OndPoints *points);
size_t ond_points_bytes(const OndPoints *points);

static inline bool ond_points_is_image(const OndPoints *points, uint32_t i)
{
    return points->flip && points->flip[i];
}

/// What particle i fills at rest, m^3 (2D: m^2).
static inline float ond_points_rest_volume(const OndPoints *p, uint32_t i)
{
    const float size = p->size[i];
    return p->dimension == 2 ? size * size : size * size * size;
}

/// Finds `volume` and `surface`; ond_points_take has called it.
OndStatus ond_points_weigh(OndPoints *points, OndError *err);

#endif
