// SPDX-License-Identifier: MIT
// Flat closed outlines: what a line of text is, once a font has been read.
#ifndef OND_GEOM_OUTLINE_H
#define OND_GEOM_OUTLINE_H

/// Closed polygons in one plane; a point is inside where the winding number is not 0.
typedef struct OndOutline {
    float *point;  ///< x y of each point
    int *loop_end; ///< index one past the last point of each polygon
    int point_count, loop_count;
} OndOutline;

/// Frees the arrays (they come from ond_alloc); the struct is empty and usable again.
void ond_outline_free(OndOutline *outline);

#endif
