// SPDX-License-Identifier: MIT
#include "render/stage/drawn_solids.h"

#include "base/memory.h"
#include "surface/mesh/solid_triangles.h"

#include <string.h>

// How large the scene is: planes are drawn so wide.
static double scene_size(const OndSimSolids *s)
{
    const OndSceneDef *const scene = s->scene;
    double size = 0.0;
    if (scene->has_domain) return ond_length(ond_sub(scene->domain.max, scene->domain.min));
    for (int k = 0; k < s->count; ++k)
        if (s->solid[k].solid.kind != OND_SOLID_PLANE)
            size = fmax(size, ond_length(ond_sub(s->solid[k].bounds.max, s->solid[k].bounds.min)));
    return 2.0 * fmax(size, 50.0 * scene->spacing);
}

static OndSolidLook look_of(const OndSimSolid *s)
{
    if (s->def->look != OND_SOLID_LOOK_AUTO) return s->def->look;
    const bool sheet = s->solid.kind == OND_SOLID_MESH && !s->solid.closed;
    return s->solid.container || sheet ? OND_SOLID_LOOK_GLASS : OND_SOLID_LOOK_PLAIN;
}

OndStatus ond_drawn_solid_make(const OndSimSolids *made, int which, OndMesh *room,
                               OndDrawnSolid *out, OndError *err)
{
    const OndSimSolid *const s = &made->solid[which];
    const bool bends = s->sequence.count > 0; // its corners must stay in their order
    *out = (OndDrawnSolid){.mesh = bends ? &s->mesh : room,
                           .look = look_of(s),
                           .has_colour = ond_node_get(s->def->node, "colour"),
                           .colour = s->def->colour,
                           .closed = s->solid.closed && !s->solid.container,
                           .endless = s->solid.kind == OND_SOLID_PLANE};
    return bends ? OND_OK : ond_solid_triangles(made, which, scene_size(made), room, err);
}

static OndStatus add(OndDrawnSolids *d, int k, OndError *err)
{
    OndDrawnSolid *const solid = &d->solid[d->count];
    if (!d->made->solid[k].def->shown) return OND_OK;
    const OndStatus status = ond_drawn_solid_make(d->made, k, &d->mesh[k], solid, err);
    if (status != OND_OK || solid->mesh->triangle_count == 0) return status;
    d->which[d->count++] = k;
    return OND_OK;
}

static OndStatus lay_out(OndDrawnSolids *d, const OndSimSolids *made, OndError *err)
{
    ond_drawn_solids_free(d);
    d->mesh = OND_NEW_ARRAY(OndMesh, made->count);
    d->solid = OND_NEW_ARRAY(OndDrawnSolid, made->count);
    d->which = OND_NEW_ARRAY(int, made->count);
    if (!d->mesh || !d->solid || !d->which)
        return ond_fail(err, OND_NO_MEMORY, "not enough memory to draw %d solids", made->count);
    d->made = made;
    d->mesh_count = made->count;
    OndStatus status = OND_OK;
    for (int k = 0; k < made->count && status == OND_OK; ++k)
        status = add(d, k, err);
    return status;
}

OndStatus ond_drawn_solids_place(OndDrawnSolids *d, const OndFrameSolids *frame, OndError *err)
{
    if (!frame || frame->count == 0) {
        ond_drawn_solids_free(d);
        return OND_OK;
    }
    const OndStatus status = d->made == frame->made ? OND_OK : lay_out(d, frame->made, err);
    if (status != OND_OK) {
        ond_drawn_solids_free(d);
        return status;
    }
    for (int k = 0; k < d->count; ++k) {
        const OndFrameSolid *const now = &frame->solid[d->which[k]];
        OndDrawnSolid *const drawn = &d->solid[k];
        drawn->corner = now->corner;
        drawn->pose = now->state.pose;
        drawn->velocity = now->state.velocity;
        drawn->spin = now->state.spin;
    }
    return OND_OK;
}

void ond_drawn_solids_free(OndDrawnSolids *d)
{
    for (int k = 0; k < d->mesh_count; ++k)
        ond_mesh_free(&d->mesh[k]);
    ond_free(d->mesh);
    ond_free(d->solid);
    ond_free(d->which);
    memset(d, 0, sizeof *d);
}
