// SPDX-License-Identifier: MIT
#include "render/image.h"

#include "base/memory.h"

OndStatus ond_image_resize(OndImage *image, int width, int height, OndError *err)
{
    if (width < 1 || height < 1 || width > OND_IMAGE_SIDE_MAX || height > OND_IMAGE_SIDE_MAX)
        return ond_fail(err, OND_BAD_VALUE,
                        "a picture of %d x %d pixels cannot be made; each side must be 1 to %d",
                        width, height, OND_IMAGE_SIDE_MAX);
    if (image->rgb && image->width == width && image->height == height) return OND_OK;
    ond_image_free(image);
    image->rgb = ond_alloc((size_t)width * (size_t)height * 3);
    if (!image->rgb)
        return ond_fail(err, OND_NO_MEMORY,
                        "no memory for a picture of %d x %d pixels; make it smaller", width,
                        height);
    image->width = width;
    image->height = height;
    return OND_OK;
}

void ond_image_free(OndImage *image)
{
    ond_free(image->rgb);
    *image = (OndImage){0};
}

OndStatus ond_linear_resize(OndLinear *linear, int width, int height, OndError *err)
{
    if (linear->rgb && linear->width == width && linear->height == height) return OND_OK;
    ond_linear_free(linear);
    const size_t pixels = (size_t)width * (size_t)height;
    linear->rgb = ond_alloc(pixels * 3 * sizeof(float));
    linear->depth = ond_alloc(pixels * sizeof(float));
    linear->width = width;
    linear->height = height;
    if (linear->rgb && linear->depth) return OND_OK;
    ond_linear_free(linear);
    return ond_fail(err, OND_NO_MEMORY,
                    "no memory for a picture of %d x %d pixels in linear light; make it smaller",
                    width, height);
}

void ond_linear_free(OndLinear *linear)
{
    ond_free(linear->rgb);
    ond_free(linear->depth);
    *linear = (OndLinear){0};
}
