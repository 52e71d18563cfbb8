// SPDX-License-Identifier: MIT
#include "render/trace/trace_cover.h"

#include "base/memory.h"
#include "base/parallel.h"

#define NEAREST 1e-3f // in front of the eye: what is nearer may be seen anywhere
#define PAD     (OND_COVER_REACH + 0.25f) // pixels; the rest is for rounding

typedef struct CoverJob {
    OndCover *cover;
    const OndCamera *camera;
    const OndTraceMesh *mesh;
} CoverJob;

OndStatus ond_cover_create(OndCover *cover, int width, int height, OndError *err)
{
    cover->across = (width + OND_COVER_CELL - 1) / OND_COVER_CELL;
    cover->down = (height + OND_COVER_CELL - 1) / OND_COVER_CELL;
    cover->cell = OND_NEW_ARRAY(atomic_uchar, (size_t)cover->across * (size_t)cover->down);
    if (cover->cell) return OND_OK;
    return ond_fail(err, OND_NO_MEMORY, "no memory for a picture of %d x %d pixels", width, height);
}

void ond_cover_free(OndCover *cover)
{
    ond_free(cover->cell);
    *cover = (OndCover){0};
}

void ond_cover_fill(OndCover *cover, bool covered)
{
    const size_t cells = (size_t)cover->across * (size_t)cover->down;
    for (size_t k = 0; k < cells; ++k)
        atomic_store_explicit(&cover->cell[k], covered, memory_order_relaxed);
}

static int cell_of(float pixel, int count)
{
    const float cell = pixel / OND_COVER_CELL;
    return cell > 0.0f ? (cell < (float)count ? (int)cell : count - 1) : 0;
}

// Several threads may cover the same cell, all with the same value.
static void cover_box(OndCover *c, OndF3 min, OndF3 max)
{
    const float width = (float)(c->across * OND_COVER_CELL),
                height = (float)(c->down * OND_COVER_CELL);
    if (max.x < -PAD || max.y < -PAD || min.x > width + PAD || min.y > height + PAD) return;
    const int left = cell_of(min.x - PAD, c->across), right = cell_of(max.x + PAD, c->across),
              top = cell_of(min.y - PAD, c->down), bottom = cell_of(max.y + PAD, c->down);
    for (int y = top; y <= bottom; ++y)
        for (int x = left; x <= right; ++x)
            atomic_store_explicit(&c->cell[(size_t)y * (size_t)c->across + (size_t)x], 1,
                                  memory_order_relaxed);
}

// The corners of a triangle as the picture shows them; while the shutter is open they move.
static void cover_triangle(const CoverJob *job, const uint32_t triangle[3])
{
    const OndTraceMesh *m = job->mesh;
    OndF3 min = {INFINITY, INFINITY, INFINITY}, max = {-INFINITY, -INFINITY, -INFINITY};
    for (int t = 0; t < 2 && m->corner[t]; ++t)
        for (int k = 0; k < 3; ++k) {
            const float *at = m->corner[t] + 3 * (size_t)triangle[k];
            const OndF3 p = ond_camera_project(job->camera, ond_f3(at[0], at[1], at[2]));
            min = ond_f3(p.x < min.x ? p.x : min.x, p.y < min.y ? p.y : min.y,
                         p.z < min.z ? p.z : min.z);
            max = ond_f3(p.x > max.x ? p.x : max.x, p.y > max.y ? p.y : max.y,
                         p.z > max.z ? p.z : max.z);
        }
    if (job->camera->flat || min.z > NEAREST)
        cover_box(job->cover, min, max);
    else if (max.z > 0.0f)
        ond_cover_fill(job->cover, true);
}

static void cover_range(int first, int last, int worker, void *context)
{
    const CoverJob *job = context;
    for (int i = first; i < last; ++i)
        cover_triangle(job, job->mesh->triangle + 3 * (size_t)i);
}

static void cover_ball(OndCover *cover, const OndCamera *c, const OndSphere *b)
{
    const OndF3 p = ond_camera_project(c, ond_sphere_centre(b));
    if (!c->flat && p.z <= NEAREST + b->r) {
        if (p.z > -b->r) ond_cover_fill(cover, true);
        return;
    }
    // a ball beside the middle of the view is seen longer than wide
    const float stretch = c->flat ? 1.0f : 1.0f + c->half_width + c->half_height;
    const float reach = b->r * stretch * ond_camera_scale(c, c->flat ? 1.0f : p.z - b->r);
    cover_box(cover, ond_f3(p.x - reach, p.y - reach, p.z), ond_f3(p.x + reach, p.y + reach, p.z));
}

void ond_cover_add_balls(OndCover *cover, const OndCamera *camera, const OndSphere *ball, int count)
{
    for (int i = 0; i < count; ++i)
        cover_ball(cover, camera, &ball[i]);
}

void ond_cover_add(OndCover *cover, const OndCamera *camera, const OndTraceMesh *mesh)
{
    CoverJob job = {cover, camera, mesh};
    ond_parallel_for(mesh->triangle_count, 4096, cover_range, &job);
}
