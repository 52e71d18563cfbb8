// SPDX-License-Identifier: MIT
#include "surface/mesh/solid_fit.h"

#include "base/parallel.h"

// in spacings
#define HELD  0.45 // nearer corners are put onto the solid
#define FREE  0.95 // farther ones stay
#define INTO  0.12 // how deep into a solid
#define ABOVE 0.03 // how far from a sheet

typedef struct CornerFit {
    OndSurface *surface;
    const OndSolids *solids;
} CornerFit;

static double target(const OndSolidDef *def, double distance, double spacing)
{
    const bool sheet = def->kind == OND_SOLID_MESH && !def->closed;
    const double on = sheet ? ABOVE * spacing : -INTO * spacing;
    const double free = (distance / spacing - HELD) / (FREE - HELD);
    const double share = free > 0.0 ? free < 1.0 ? free : 1.0 : 0.0;
    return on + share * share * (3.0 - 2.0 * share) * (distance - on);
}

static void fit_corner(const CornerFit *f, float *corner)
{
    const double spacing = f->surface->spacing;
    OndTouch touch[OND_TOUCHES_MAX];
    OndVec p = ond_vec(corner[0], corner[1], corner[2]);
    const int count = ond_solids_near(f->solids, p, FREE * spacing, touch);
    for (int k = 0; k < count; ++k) {
        const double distance = ond_dot(ond_sub(p, touch[k].at), touch[k].normal);
        if (distance < -FREE * spacing || distance > FREE * spacing) continue;
        const double wanted = target(ond_solids_def(f->solids, touch[k].solid), distance, spacing);
        p = ond_add(p, ond_scale(touch[k].normal, wanted - distance));
    }
    corner[0] = (float)p.x, corner[1] = (float)p.y, corner[2] = (float)p.z;
}

static void fit_range(int first, int last, int worker, void *context)
{
    const CornerFit *const f = context;
    (void)worker;
    for (int i = first; i < last; ++i)
        fit_corner(f, f->surface->mesh.corner + 3 * (size_t)i);
}

void ond_surface_fit(OndSurface *surface, const OndSolids *solids)
{
    if (!solids || !(surface->spacing > 0.0) || surface->dimension != 3) return;
    CornerFit fit = {surface, solids};
    ond_parallel_for(surface->mesh.corner_count, 1024, fit_range, &fit);
}
