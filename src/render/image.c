// SPDX-License-Identifier: MIT
#include "render/image.h"

#include <stdlib.h>

void ond_image_free(OndImage *image)
{
    free(image->rgb);
    *image = (OndImage){0};
}
