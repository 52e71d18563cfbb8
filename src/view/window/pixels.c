// SPDX-License-Identifier: MIT
#include "view/window/pixels.h"

#include "base/memory.h"

#include <epoxy/gl.h>
#include <string.h>

// OpenGL's rows come from below.
OndStatus ond_pixels_read(OndImage *image, OndError *err)
{
    const size_t row = 3 * (size_t)image->width;
    uint8_t *const spare = OND_NEW_ARRAY(uint8_t, row);
    if (!spare) return ond_fail(err, OND_NO_MEMORY, "not enough memory for the picture");
    glPixelStorei(GL_PACK_ALIGNMENT, 1);
    glReadPixels(0, 0, image->width, image->height, GL_RGB, GL_UNSIGNED_BYTE, image->rgb);
    for (int y = 0; y < image->height / 2; ++y) {
        uint8_t *const a = image->rgb + row * (size_t)y, *const b =
                                                             image->rgb +
                                                             row * (size_t)(image->height - 1 - y);
        memcpy(spare, a, row);
        memcpy(a, b, row);
        memcpy(b, spare, row);
    }
    ond_free(spare);
    return OND_OK;
}
