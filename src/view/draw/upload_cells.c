// SPDX-License-Identifier: MIT
// A grid's cells as a texture: density, and the share of the colours of what is warm.
#include "view/draw/draw_state.h"

#include <stdlib.h>

static float share_of(const OndShown *shown, size_t i)
{
    const float range = shown->warm_high - shown->warm_low;
    const float x = range > 0.0f ? (shown->warmth[i] - shown->warm_low) / range : 0.0f;
    return x > 0.0f ? (x < 1.0f ? x : 1.0f) : 0.0f;
}

static void put_cells(OndDraw *draw, const int n[3], const float *texel)
{
    if (!draw->cells) glGenTextures(1, &draw->cells);
    ond_unit_set(OND_UNIT_CELLS, GL_TEXTURE_3D, draw->cells);
    glPixelStorei(GL_UNPACK_ALIGNMENT, 4);
    glTexImage3D(GL_TEXTURE_3D, 0, GL_RG16F, n[0], n[1], n[2], 0, GL_RG, GL_FLOAT, texel);
    glTexParameteri(GL_TEXTURE_3D, GL_TEXTURE_MIN_FILTER, GL_LINEAR);
    glTexParameteri(GL_TEXTURE_3D, GL_TEXTURE_MAG_FILTER, GL_LINEAR);
    glTexParameteri(GL_TEXTURE_3D, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
    glTexParameteri(GL_TEXTURE_3D, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
    glTexParameteri(GL_TEXTURE_3D, GL_TEXTURE_WRAP_R, GL_CLAMP_TO_EDGE);
}

OndStatus ond_upload_cells(OndDraw *draw, const OndShown *shown, OndError *err)
{
    const int *const n = shown->cells;
    if (n[0] <= 0 || n[1] <= 0 || n[2] <= 0 || !shown->density) {
        const int one[3] = {1, 1, 1};
        const float nothing[2] = {0, 0};
        draw->shown.cells[0] = 0;
        if (!draw->cells) put_cells(draw, one, nothing); // shaders that ask for smoke find none
        return OND_OK;
    }
    const size_t cells = (size_t)n[0] * (size_t)n[1] * (size_t)n[2];
    float *const texel = malloc(2 * cells * sizeof *texel);
    if (!texel) return ond_fail(err, OND_NO_MEMORY, "no memory to draw a grid of %zu cells", cells);
    for (size_t i = 0; i < cells; ++i) {
        const float d = shown->density[i];
        texel[2 * i] = d > 0.0f ? (d < 60.0f ? d : 60.0f) : 0.0f; // NaN becomes 0
        texel[2 * i + 1] = shown->warmth ? share_of(shown, i) : 0.0f;
    }
    put_cells(draw, n, texel);
    free(texel);
    return OND_OK;
}
