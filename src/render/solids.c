// SPDX-License-Identifier: MIT
#include "render/solids.h"

#include "base/memory.h"
#include "base/parallel.h"
#include "geom/mesh_normals.h"
#include "render/colour.h"

#include <string.h>

#define FLAT_GREY 0.26f // of plain solids in 2D

// ---- looks

static float linear(double screen)
{
    const double c = fmin(fmax(screen, 0.0), 1.0);
    return (float)(c <= 0.04045 ? c / 12.92 : pow((c + 0.055) / 1.055, 2.4));
}

static OndF3 tint_of(const OndDrawnSolid *s, OndF3 own)
{
    if (!s->has_colour) return own;
    return ond_f3(linear(s->colour.x), linear(s->colour.y), linear(s->colour.z));
}

// Glass of a colour takes the other ones away on the way.
static float lost(float share)
{
    return -2.0f * logf(fmaxf(share, 0.02f));
}

static OndLook look_of(const OndDrawnSolid *s, bool flat)
{
    const int glass = ond_look_find("glass"), clay = ond_look_find("clay"),
              steel = ond_look_find("steel");
    OndLook look;
    switch (s->look) {
    case OND_SOLID_LOOK_GLASS: {
        look = *ond_look(glass);
        const OndF3 c = tint_of(s, ond_f3(1, 1, 1));
        if (s->has_colour) look.inside = ond_f3(lost(c.x), lost(c.y), lost(c.z));
        look.colour = c;
        look.thin = !s->closed;
        break;
    }
    case OND_SOLID_LOOK_METAL:
        look = *ond_look(steel);
        look.colour = tint_of(s, look.colour);
        break;
    case OND_SOLID_LOOK_CLAY:
        look = *ond_look(clay);
        look.colour = look.inside = tint_of(s, look.colour);
        break;
    default:
        look = *ond_look(clay);
        look.depth = 0.0f;
        look.rough = look.rough_solid = 0.45f;
        look.colour = tint_of(s, flat ? ond_f3(FLAT_GREY, FLAT_GREY, FLAT_GREY)
                                      : ond_f3(0.55f, 0.54f, 0.52f));
        break;
    }
    return look;
}

static bool same_look(const OndDrawnSolid *a, const OndDrawnSolid *b)
{
    return a->look == b->look && a->has_colour == b->has_colour && a->closed == b->closed &&
           memcmp(&a->colour, &b->colour, sizeof a->colour) == 0;
}

// ---- corners

typedef struct SolidBuilder {
    OndSolidSurface *out;
    const OndDrawnSolid *solid;
    const float *corner; // of the mesh, in its own frame
    int first;           // its first triangle in the surface
    uint32_t material;
    OndVec *normal; // of the corners of its triangles
} SolidBuilder;

static OndVec own_corner(const SolidBuilder *b, size_t i)
{
    const float *const c = b->corner + 3 * (size_t)b->solid->mesh->triangle[i];
    return ond_vec(c[0], c[1], c[2]);
}

static void put_corner(const SolidBuilder *b, int triangle, int k)
{
    OndSurface *const s = &b->out->surface;
    const OndDrawnSolid *const d = b->solid;
    const size_t from = 3 * (size_t)triangle + (size_t)k;
    const size_t to = 3 * ((size_t)b->first + (size_t)triangle) + (size_t)k;
    const OndVec arm = ond_pose_turn(&d->pose, own_corner(b, from));
    const OndVec at = ond_add(d->pose.at, arm);
    const OndVec n = ond_pose_turn(&d->pose, b->normal[from]);
    const OndVec v = ond_add(d->velocity, ond_cross(d->spin, arm));
    for (int a = 0; a < 3; ++a) {
        s->mesh.corner[3 * to + (size_t)a] = (float)ond_axis(at, a);
        s->normal[3 * to + (size_t)a] = (float)ond_axis(n, a);
        ((float *)s->attributes.field[1].data[a])[to] = (float)ond_axis(v, a);
    }
    ((uint32_t *)s->attributes.field[0].data[0])[to] = b->material;
    s->mesh.triangle[to] = (uint32_t)to;
}

static void put_range(int first, int last, int worker, void *context)
{
    const SolidBuilder *const b = context;
    (void)worker;
    for (int t = first; t < last; ++t)
        for (int k = 0; k < 3; ++k)
            put_corner(b, t, k);
}

static OndStatus add_solid(OndSolidSurface *out, const OndDrawnSolid *solid, uint32_t material,
                           int first, OndError *err)
{
    SolidBuilder b = {.out = out,
                      .solid = solid,
                      .corner = solid->corner ? solid->corner : solid->mesh->corner,
                      .first = first,
                      .material = material,
                      .normal = OND_NEW_ARRAY(OndVec, 3 * (size_t)solid->mesh->triangle_count + 1)};
    OndStatus status = OND_OK;
    if (b.normal)
        status = ond_mesh_normals(solid->mesh, b.corner, b.normal, err);
    else
        status = ond_fail(err, OND_NO_MEMORY, "no memory to draw a solid of %d triangles",
                          solid->mesh->triangle_count);
    if (status == OND_OK) ond_parallel_for(solid->mesh->triangle_count, 1024, put_range, &b);
    ond_free(b.normal);
    return status;
}

// ---- all

static OndStatus make_room(OndSurface *s, long long triangles, OndError *err)
{
    OndStatus status = ond_mesh_make(&s->mesh, 3 * triangles, triangles, err);
    if (status == OND_OK) status = ond_fields_reserve(&s->attributes, (int)(3 * triangles), err);
    if (status != OND_OK) return status;
    s->normal = OND_NEW_ARRAY(float, 9 * (size_t)triangles + 1);
    if (!s->normal || ond_fields_add(&s->attributes, "material", "", OND_U32, 1, 0) != 0 ||
        ond_fields_add(&s->attributes, "velocity", "m/s", OND_F32, 3, 0) != 1)
        return ond_fail(err, OND_NO_MEMORY, "no memory to draw solids of %lld triangles",
                        triangles);
    s->attributes.count = (int)(3 * triangles);
    return OND_OK;
}

// Solids of the same look share one.
static uint32_t material_of(OndSolidSurface *out, const OndDrawnSolid *solid, int which, int *seen,
                            bool flat)
{
    for (int k = 0; k < out->look_count; ++k)
        if (same_look(&solid[seen[k]], &solid[which])) return (uint32_t)k;
    if (out->look_count == OND_SOLID_LOOKS) return OND_SOLID_LOOKS - 1;
    seen[out->look_count] = which;
    out->look[out->look_count] = look_of(&solid[which], flat);
    return (uint32_t)out->look_count++;
}

OndStatus ond_solid_surface_make(OndSolidSurface *out, const OndDrawnSolid *solid, int count,
                                 bool flat, OndError *err)
{
    int seen[OND_SOLID_LOOKS], first = 0;
    long long triangles = 0;
    memset(out, 0, sizeof *out);
    for (int k = 0; k < count; ++k)
        triangles += solid[k].mesh->triangle_count;
    if (triangles == 0) return OND_OK;
    OndStatus status = make_room(&out->surface, triangles, err);
    for (int k = 0; k < count && status == OND_OK; ++k) {
        status = add_solid(out, &solid[k], material_of(out, solid, k, seen, flat), first, err);
        first += solid[k].mesh->triangle_count;
    }
    return status;
}

void ond_solid_surface_free(OndSolidSurface *s)
{
    ond_surface_free(&s->surface);
    memset(s, 0, sizeof *s);
}

void ond_solid_surface_box(const OndDrawnSolid *solid, int count, OndBox *box)
{
    for (int k = 0; k < count; ++k) {
        const float *const corner = solid[k].corner ? solid[k].corner : solid[k].mesh->corner;
        for (int c = 0; c < solid[k].mesh->corner_count && !solid[k].endless; ++c) {
            const float *const p = corner + 3 * (size_t)c;
            const OndVec at = ond_pose_out(&solid[k].pose, ond_vec(p[0], p[1], p[2]));
            if (!isfinite(at.x + at.y + at.z)) continue;
            *box = ond_box_add(*box, at);
        }
    }
}
