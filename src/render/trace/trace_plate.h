// SPDX-License-Identifier: MIT
// The plate behind the lens: light of some rows of a picture, and what guides the filter.
//
// Tiles of 16 x 16 pixels are exposed one by one: a few samples for every pixel that a surface may
// be seen in, then more for those whose samples or whose neighbours' disagree, and for rims and folds.
// What a tile does depends on its own pixels alone.
#ifndef OND_RENDER_TRACE_PLATE_H
#define OND_RENDER_TRACE_PLATE_H

#include "render/trace/trace_cover.h"
#include "render/trace/trace_stage.h"

#define OND_PLATE_TILE   16
#define OND_PLATE_MARGIN 32 // rows that the filter wants to see beyond those it makes
#define OND_PLATE_PIXELS (4 * 1024 * 1024) // a plate holds about so many

/// What leads the filter at a pixel.
typedef struct OndGuide {
    OndF3 normal;
    float distance;
    OndF3 colour;
    bool there; ///< while it is at work, where a surface may be seen
    bool soft;  ///< has soft light
} OndGuide;

/// What it changes.
typedef struct OndTint {
    OndF3 light;
    float noise;
    OndF3 soft;
    float bright; ///< of `light`
} OndTint;

typedef struct OndPlate {
    int width, height; ///< of the whole picture
    int top, rows;     ///< what the plate holds now: whole tiles of the picture
    int room;          ///< pixels
    OndF3 *light;      ///< linear
    OndF3 *normal, *colour;
    float *distance; ///< along the view; INFINITY: backdrop
    float *shows;    ///< how much of a line behind it shows
    float *noise;    ///< variance of the mean brightness
    OndF3 *soft;     ///< light that comes apart (OndSoft), of a sample that has it
    float *opaque;   ///< share of the samples that have it
    OndGuide *guide; ///< these are the filter's
    OndTint *tint, *other_tint;
    OndCover cover;    ///< of the whole picture
    long long samples; ///< taken in all
} OndPlate;

OndStatus ond_plate_create(OndPlate *plate, int width, int height, OndError *err);
void ond_plate_free(OndPlate *plate);

/// Rows of the picture that a plate can take at once, margins not counted.
int ond_plate_rows(const OndPlate *plate);

/// Finds where in the picture surfaces may be seen; comes before exposing.
void ond_plate_frame(OndPlate *plate, const OndTraceStage *stage);

/// Exposes rows [top, top + rows).
void ond_plate_expose(OndPlate *plate, const OndTraceStage *stage);

/// Takes out noise: neighbours are averaged where their normals, colours, distances and brightness
/// agree, brightness as far as the noise allows. Leaves pixels without noise as they are. Then adds
/// the soft light, for which brightness need not agree.
void ond_plate_filter(OndPlate *plate);

#endif
