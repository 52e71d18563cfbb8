// SPDX-License-Identifier: MIT
// Images behind the faces of solids, for the two sums of the system (projection_sums.c).
//
// Behind a face stands liquid that moves and pushes as a mirror's images do, as at the walls of the
// domain: it has the particle's own pressure and comes nearer as fast as the particle does. Along its
// normal a face counts twice for that: once for the particle and once for its image. Along the face
// each particle sees the images of its neighbours that touch the same wall, pair by pair, so that
// both sums have the same factors and the system stays symmetric. With the half-space at rest alone
// the pressure in the outermost layer is twice what it should be, and layers pack.
//
// Beside an edge there are images on one side alone, which would drive all towards it, round and
// round: they fade there. A face that bends has none, and counts once, as a liquid that stands still
// does: images across its tangents are not where they should be, and a ball that is let go would set
// out 5 % too slowly instead of 1 %.
#include "base/memory.h"
#include "base/parallel.h"
#include "particles/incompressible/projection_state.h"
#include "particles/sph/sph_solids.h"

#include <string.h>

#define SAME_WAY 0.7f // cosine of normals that are of one wall
#define MISSED   8.0f // times the share of neighbours that have no image: then none is trusted
#define ROWS     256  // that a worker takes

// ---- who is whose image

static int source_of(const OndSph *s, uint32_t j)
{
    const uint32_t n = (uint32_t)s->fields.count;
    return (int)(j < n ? j : s->images.source[j - n]);
}

// The neighbour's face that is the same wall; NULL: it touches none.
static const OndRowTouch *wall_of(const OndSph *s, const OndRowTouch *mine, uint32_t j)
{
    const int slot = s->solids->slot[source_of(s, j)];
    const OndRow *row = slot < 0 ? NULL : &s->solids->row[slot];
    for (int k = 0; row && k < row->count; ++k)
        if (row->touch[k].solid == mine->solid && row->touch[k].flat == mine->flat &&
            ond_dot3(row->touch[k].face, mine->face) > SAME_WAY)
            return &row->touch[k];
    return NULL;
}

static void way_to(const OndSph *s, int i, uint32_t j, float d[3])
{
    for (int a = 0; a < 3; ++a)
        d[a] = s->x[a][i] - s->x[a][j];
}

static bool is_liquid(const OndSph *s, int i)
{
    return !(s->has_rigidity && s->piece[i]);
}

typedef struct Seen {
    int count;             // images that are near enough
    float matched, missed; // neighbours with and without one
} Seen;

static void see(const OndSph *s, int i, const OndRowTouch *mine, uint32_t j, Seen *seen)
{
    float d[3];
    way_to(s, i, j, d);
    const OndRowTouch *theirs = wall_of(s, mine, j);
    const float ahead = mine->distance - ond_dot3(mine->face, d);
    const float other = theirs ? theirs->distance : ahead;
    const float far2 = ond_wall_image(ond_dot3(d, d), mine->distance, fmaxf(other, 0.0f));
    if (far2 >= s->kernel.h2 || (!theirs && ahead <= 0.0f)) return;
    const float near = 1.0f - far2 / s->kernel.h2;
    if (theirs)
        ++seen->count, seen->matched += mine->news * theirs->news * near;
    else
        seen->missed += mine->news * near;
}

static void look_row(int first, int last, int worker, void *context)
{
    OndSph *s = context;
    for (int k = first; k < last; ++k) {
        OndRow *row = ond_sph_row(s, k);
        const int i = row->particle;
        const uint32_t *list = s->lists.pool + s->lists.first[i];
        uint32_t count = 0;
        for (int t = 0; t < row->count && is_liquid(s, i); ++t) {
            Seen seen = {0};
            row->touch[t].beside = 1.0f;
            if (row->touch[t].round) continue;
            for (uint32_t e = 0; e < s->lists.length[i]; ++e)
                if (list[e] != (uint32_t)i && is_liquid(s, source_of(s, list[e])))
                    see(s, i, &row->touch[t], list[e], &seen);
            const float all = seen.matched + seen.missed;
            row->touch[t].beside = all > 0.0f ? fminf(MISSED * seen.missed / all, 1.0f) : 0.0f;
            count += (uint32_t)seen.count;
        }
        s->projection->image_first[k + 1] = count;
    }
}

// ---- what they weigh

// The gradient of W at an image, along the wall that both see.
static OndQuad slope_of(const OndSph *s, int i, const OndRowTouch *mine, uint32_t j,
                        const OndRowTouch *theirs)
{
    float d[3], n[3];
    way_to(s, i, j, d);
    const float far2 =
        ond_wall_image(ond_dot3(d, d), mine->distance, fmaxf(theirs->distance, 0.0f));
    if (far2 >= s->kernel.h2) return (OndQuad){0};
    for (int a = 0; a < 3; ++a)
        n[a] = mine->face[a] + theirs->face[a];
    const float part = ond_dot3(d, n) / ond_dot3(n, n);
    const float counts =
        mine->news * theirs->news * (1.0f - mine->beside) * (1.0f - theirs->beside);
    const float g = counts * s->slope_ratio * ond_kernel_gradient(s->kernel, sqrtf(far2));
    return (OndQuad){g * (d[0] - part * n[0]), g * (d[1] - part * n[1]), g * (d[2] - part * n[2]),
                     0.0f};
}

static void fill_row(int first, int last, int worker, void *context)
{
    OndSph *s = context;
    for (int k = first; k < last; ++k) {
        const OndRow *row = ond_sph_row(s, k);
        const int i = row->particle;
        const uint32_t *list = s->lists.pool + s->lists.first[i];
        OndFaceImage *to = s->projection->image + s->projection->image_first[k];
        const OndFaceImage *const end = s->projection->image + s->projection->image_first[k + 1];
        for (int t = 0; t < row->count && to < end; ++t)
            for (uint32_t e = 0; e < s->lists.length[i] && to < end; ++e) {
                const uint32_t j = list[e];
                if (j == (uint32_t)i || !is_liquid(s, source_of(s, j))) continue;
                const OndRowTouch *theirs = wall_of(s, &row->touch[t], j);
                const OndQuad g = theirs ? slope_of(s, i, &row->touch[t], j, theirs) : (OndQuad){0};
                if (g[0] != 0.0f || g[1] != 0.0f || g[2] != 0.0f) *to++ = (OndFaceImage){g, j};
            }
        for (; to < end; ++to)
            *to = (OndFaceImage){{0}, (uint32_t)i};
    }
}

static bool make_rows(OndProjection *p, int rows)
{
    if (rows + 1 <= p->image_rows) return true;
    ond_free(p->image_first);
    p->image_rows = rows + rows / 8 + 1;
    p->image_first = OND_NEW_ARRAY(uint32_t, p->image_rows);
    if (!p->image_first) p->image_rows = 0;
    return p->image_first;
}

static bool make_images(OndProjection *p, uint32_t count)
{
    if (count <= p->image_room) return true;
    ond_free(p->image);
    p->image_room = count + count / 8;
    p->image = OND_NEW_ARRAY(OndFaceImage, p->image_room);
    if (!p->image) p->image_room = 0;
    return p->image;
}

OndStatus ond_projection_faces(OndSph *s, OndError *err)
{
    OndProjection *const p = s->projection;
    const int rows = s->solids ? s->solids->used_count : 0;
    bool room = make_rows(p, rows);
    if (room) {
        ond_parallel_for(rows, ROWS, look_row, s);
        p->image_first[0] = 0;
        for (int k = 0; k < rows; ++k)
            p->image_first[k + 1] += p->image_first[k];
        room = make_images(p, p->image_first[rows]);
    }
    if (!room)
        return ond_fail(err, OND_NO_MEMORY, "not enough memory for images at %d faces", rows);
    ond_parallel_for(rows, ROWS, fill_row, s);
    return OND_OK;
}

// ---- the sums

void ond_projection_push_along(const OndSph *s, int k, OndQuad *way)
{
    const OndProjection *p = s->projection;
    const int i = ond_sph_row(s, k)->particle;
    const float mine = p->place[i][3];
    OndQuad push = {0};
    for (uint32_t e = p->image_first[k]; e < p->image_first[k + 1]; ++e) {
        const float both = mine + p->place[p->image[e].of][3];
        push += p->image[e].slope * (OndQuad){both, both, both, 0.0f};
    }
    const float ease = s->inverse_mass[i];
    way[i] -= push * (OndQuad){ease, ease, ease, 0.0f};
}

float ond_projection_crowd_along(const OndSph *s, int k, const OndQuad *way)
{
    const OndProjection *p = s->projection;
    const OndQuad mine = way[ond_sph_row(s, k)->particle];
    OndQuad sum = {0};
    for (uint32_t e = p->image_first[k]; e < p->image_first[k + 1]; ++e)
        sum += p->image[e].slope * (mine - way[p->image[e].of]);
    return sum[0] + sum[1] + sum[2];
}

// ---- the diagonal

// All gradients together make a particle's own way: what it lacks of neighbours a face has.
void ond_projection_ease_row(const OndSph *s, int k, float *diagonal, OndQuad *slope)
{
    const OndRow *row = ond_sph_row(s, k);
    const OndProjection *p = s->projection;
    const int i = row->particle;
    const OndQuad bare = 0.5f * slope[i];
    OndQuad along = {0}, against = {0};
    for (uint32_t e = p->image_first[k]; e < p->image_first[k + 1]; ++e)
        along += p->image[e].slope;
    for (int t = 0; t < row->count; ++t) {
        const float steep = ond_projection_steepness(s, &row->touch[t]);
        for (int a = 0; a < 3; ++a)
            against[a] += steep * row->touch[t].normal[a];
    }
    const OndQuad all = (bare + along - against) * (bare + along - against) - bare * bare;
    diagonal[i] += s->inverse_mass[i] * (all[0] + all[1] + all[2]);
    slope[i] += 2.0f * along - against;
}
