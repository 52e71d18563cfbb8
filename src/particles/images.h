// SPDX-License-Identifier: MIT
// Copies of particles behind walls (mirrored) and beyond periodic sides (moved).
//
// They stand behind the particles in the same arrays, sorted by the same cells, and are read like
// any neighbour. A particle within reach of one such side has one image, near an edge or a corner
// one for each combination.
//
//     ond_images_count(images, &view, &total, err)    how many there will be
//     (the owner makes room for them behind its particles, and binds the view anew)
//     ond_images_place(images, &view, cells, total, err)
//     ond_images_velocity(images, &view, v)
#ifndef OND_PARTICLES_IMAGES_H
#define OND_PARTICLES_IMAGES_H

#include "method/world.h"
#include "space/cells.h"

#include <stdint.h>

#define OND_IMAGE_BLOCK 4096 // particles that put their images together, in order

typedef struct OndImages {
    OndCells cells;
    int count, capacity;
    uint32_t *source; // particle each one is a copy of
    uint8_t *code; // base 3 digits x, y, z: 0 as it is, 1 across the lower side, 2 across the upper
    float *place[3]; // scratch before sorting
    uint32_t *found_source, *key, *order;
    uint8_t *found_code;
    int *block_first; // where each block of particles puts its images
    int block_capacity;
} OndImages;

// The particles that are copied.
typedef struct OndImageView {
    const OndWorld *world;
    const float *near; // six: particles beyond these get an image; infinite where there are none
    float *const *x;   // three arrays
    int count;
} OndImageView;

OndStatus ond_images_count(OndImages *images, const OndImageView *view, int *total, OndError *err);
OndStatus ond_images_place(OndImages *images, const OndImageView *view, const OndCells *cells,
                           int total, OndError *err);
void ond_images_velocity(const OndImages *images, const OndImageView *view, float *const v[3]);
/// The wall that `image` was mirrored at across `axis`, or NULL.
const OndSide *ond_images_mirror(const OndImages *images, const OndWorld *world, int image,
                                 int axis);
size_t ond_images_bytes(const OndImages *images);
void ond_images_free(OndImages *images);

#endif
