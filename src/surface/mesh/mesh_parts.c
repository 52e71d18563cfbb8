// SPDX-License-Identifier: MIT
#include "surface/mesh/mesh_parts.h"

static uint32_t root_of(uint32_t *part, uint32_t c)
{
    while (part[c] != c)
        c = part[c] = part[part[c]];
    return c;
}

void ond_mesh_parts(const OndMesh *mesh, uint32_t *part)
{
    for (uint32_t c = 0; c < (uint32_t)mesh->corner_count; ++c)
        part[c] = c;
    for (size_t t = 0; t < 3 * (size_t)mesh->triangle_count; t += 3)
        for (int k = 1; k < 3; ++k) {
            const uint32_t a = root_of(part, mesh->triangle[t]),
                           b = root_of(part, mesh->triangle[t + k]);
            part[a > b ? a : b] = a < b ? a : b;
        }
    for (uint32_t c = 0; c < (uint32_t)mesh->corner_count; ++c)
        part[c] = root_of(part, c);
}
