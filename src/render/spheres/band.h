// SPDX-License-Identifier: MIT
// Some rows of a picture on their way from rays to colours.
//
// A picture is made band by band, so that a very large one needs no more memory than a screenful:
// rays find the spheres (ond_band_trace), those newly seen gather light (ond_band_light), then
// every pixel is the mean of its samples (ond_band_shade). Samples lie in the same places in every
// pixel, so there is no noise to hide.
#ifndef OND_RENDER_SPHERES_BAND_H
#define OND_RENDER_SPHERES_BAND_H

#include "render/image.h"
#include "render/stage/stage.h"

#define OND_SAMPLES_MAX  64
#define OND_BAND_SAMPLES (1 << 22) // a band holds about so many

typedef struct OndBand {
    int top, rows, width;
    int samples;
    float offset[OND_SAMPLES_MAX][2]; ///< inside a pixel
    uint32_t *sphere;                 ///< what each sample hit: rows x width x samples
    uint32_t *mirrored;               ///< what the floor reflects in each pixel: rows x width
    OndF3 *light;                     ///< rows x width
    OndTone tone;
    uint8_t *tile;   ///< tiles that some sphere may touch
    uint8_t *seen;   ///< per sphere: its light is known
    uint32_t *fresh; ///< spheres whose light is wanted
} OndBand;

/// Room for the widest band of a picture; `height` rows or fewer at once.
OndStatus ond_band_create(OndBand *band, int width, int height, int samples, OndError *err);
void ond_band_free(OndBand *band);

/// Forgets the last picture's spheres; `count` is how many there are now.
OndStatus ond_band_begin(OndBand *band, int count, OndError *err);

/// Rows a band may have.
int ond_band_rows(int width, int height, int samples);

void ond_band_trace(OndBand *band, const OndStage *stage);
void ond_band_light(OndBand *band, const OndStage *stage);
void ond_band_shade(OndBand *band, const OndStage *stage);

/// Writes the band's light into its rows of the picture.
void ond_band_encode(const OndBand *band, OndImage *image);

/// The part of pixel (x, y)'s samples that nothing nearer than a plane `depth` along the view
/// hides.
float ond_band_open(const OndBand *band, const OndStage *stage, int x, int y, float depth);

#endif
