// SPDX-License-Identifier: MIT
// The push of an even pressure, and who it would push into the open.
#include "particles/sph/sph_even_push.h"

#define CONE   0.7f // cosine: half its angle
#define FACING 0.3f // cosine

const OndRow *ond_sph_row_of(const OndSph *s, int i)
{
    static const OndRow none = {.count = 0};
    const int slot = s->solids ? s->solids->slot[i] : -1;
    return slot >= 0 ? &s->solids->row[slot] : &none;
}

void ond_sph_even_push(const OndSph *s, int i, float c[3])
{
    const float *px = s->x[0], *py = s->x[1], *pz = s->x[2];
    const uint32_t *list = s->lists.pool + s->lists.first[i];
    const OndRow *row = ond_sph_row_of(s, i);
    c[0] = c[1] = c[2] = 0.0f;
    for (uint32_t e = 0; e < s->lists.length[i]; ++e) {
        const uint32_t j = list[e];
        const float d[3] = {px[i] - px[j], py[i] - py[j], pz[i] - pz[j]};
        const float g = ond_kernel_gradient(s->kernel, sqrtf(ond_dot3(d, d)));
        for (int a = 0; a < 3; ++a)
            c[a] -= s->rest_volume * g * d[a];
    }
    for (int k = 0; k < row->count; ++k) {
        const OndRowTouch *t = &row->touch[k];
        const float slope = ond_wall_sum(&s->solids->table, OND_WALL_SLOPE, t->distance);
        for (int a = 0; a < 3; ++a)
            c[a] += s->rest_volume * t->edge * slope * t->normal[a];
    }
}

static bool is_face_ahead(const OndRow *row, const float way[3])
{
    for (int k = 0; k < row->count; ++k)
        if (ond_dot3(row->touch[k].normal, way) < -FACING) return true;
    return false;
}

// What a wall mirrors stands for the wall, however far.
static bool is_wall(const OndSph *s, uint32_t j)
{
    const int k = (int)j - s->fields.count;
    for (int a = 0; k >= 0 && a < s->world.dimension; ++a)
        if (ond_images_mirror(&s->images, &s->world, k, a)) return true;
    return false;
}

// At a free surface nothing is in the cone that a particle is pushed to.
bool ond_sph_at_surface(const OndSph *s, int i, const float c[3], float far)
{
    const float size = sqrtf(ond_dot3(c, c));
    if (!(size * s->kernel.h > OND_EVEN)) return false;
    const float way[3] = {c[0] / size, c[1] / size, c[2] / size};
    if (is_face_ahead(ond_sph_row_of(s, i), way)) return false;
    for (uint32_t e = 0; e < s->lists.length[i]; ++e) {
        const uint32_t j = s->lists.pool[s->lists.first[i] + e];
        const float d[3] = {s->x[0][j] - s->x[0][i], s->x[1][j] - s->x[1][i],
                            s->x[2][j] - s->x[2][i]};
        const float ahead = ond_dot3(d, way), d2 = ond_dot3(d, d);
        if (!(ahead > 0.0f && ahead * ahead > CONE * CONE * d2)) continue;
        if (d2 < far * far || is_wall(s, j)) return false;
    }
    return true;
}
