// SPDX-License-Identifier: MIT
// Where in the picture a surface may be seen. Elsewhere are ground and backdrop alone, which need
// neither rays nor samples: in most pictures that is the larger part.
//
// The picture is cut into cells of 4 x 4 pixels. A cell is covered when the box round some triangle,
// and as much as a sample may lie beside its pixel, reaches into it; so no sample of a cell that is
// not covered can meet a triangle.
#ifndef OND_RENDER_TRACE_COVER_H
#define OND_RENDER_TRACE_COVER_H

#include "render/trace/trace_mesh.h"

#include <stdatomic.h>
#include <stddef.h>

#define OND_COVER_CELL  4
#define OND_COVER_REACH 0.75f // pixels that a sample may lie beside the middle of its pixel

typedef struct OndCover {
    int across, down;   ///< cells
    atomic_uchar *cell; ///< 1: covered
} OndCover;

OndStatus ond_cover_create(OndCover *cover, int width, int height, OndError *err);
void ond_cover_free(OndCover *cover);

/// Covers all of the picture, or nothing.
void ond_cover_fill(OndCover *cover, bool covered);

/// Covers what a mesh may be seen in.
void ond_cover_add(OndCover *cover, const OndCamera *camera, const OndTraceMesh *mesh);

/// Covers what balls may be seen in.
void ond_cover_add_balls(OndCover *cover, const OndCamera *camera, const OndSphere *ball,
                         int count);

static inline bool ond_cover_at(const OndCover *c, int x, int y)
{
    const size_t at =
        (size_t)(y / OND_COVER_CELL) * (size_t)c->across + (size_t)(x / OND_COVER_CELL);
    return atomic_load_explicit(&c->cell[at], memory_order_relaxed) != 0;
}

#endif
