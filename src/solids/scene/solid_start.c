// SPDX-License-Identifier: MIT
#include "solids/scene/solid_start.h"

#include "base/parallel.h"
#include "sim/emitter.h"
#include "solids/scene/solid_size.h"

#include <string.h>

// Spacings from a surface. What is flush with one stands half of one away; a lattice cut by a
// slanted or curved face comes nearer in places, and to leave all that out would leave a gap. A
// liquid that is packed before it starts (sph_pack.c) needs as many particles as fill the room: all
// that are outside at all. Beside faces along the lattice it is a whole layer or none, and half a
// layer too many would squeeze what fills a closed box.
#define NEAREST 0.25
#define PACKED  0.02
#define ALONG   0.99 // cosine

typedef struct BlockedLook {
    const OndSimSolids *solids;
    const OndStart *start;
    unsigned char *blocked;
} BlockedLook;

static OndVec place(const OndStart *s, int i)
{
    return ond_vec(s->position[0][i], s->position[1][i], s->position[2][i]);
}

static bool is_packed(const OndSceneDef *scene, uint32_t fluid)
{
    const OndMethod *const method = ond_scene_method(scene);
    return method->packs && method->packs(scene->method.def) &&
           !ond_fluid_can_set(ond_scene_fluid(scene, (int)fluid));
}

static bool is_along_lattice(OndVec normal)
{
    return fmax(fabs(normal.x), fmax(fabs(normal.y), fabs(normal.z))) > ALONG;
}

static bool is_too_near(const OndSimSolids *solids, OndVec at, bool packed)
{
    OndTouch touch[OND_TOUCHES_MAX];
    const double spacing = solids->scene->spacing;
    const int count = ond_solids_near(solids->solids, at, NEAREST * spacing, touch);
    for (int k = 0; k < count; ++k)
        if (!packed || touch[k].distance < PACKED * spacing || is_along_lattice(touch[k].normal))
            return true;
    return false;
}

static void look_range(int first, int last, int worker, void *context)
{
    const BlockedLook *const l = context;
    (void)worker;
    for (int i = first; i < last; ++i) {
        const OndVec at = place(l->start, i);
        l->blocked[i] =
            ond_sim_solids_block(l->solids, at, 0.0, NULL) ||
            is_too_near(l->solids, at, is_packed(l->solids->scene, l->start->material[i]));
    }
}

// Who covers it, for the message: asked of one of its particles.
static OndStatus fail_covered(const OndSimSolids *solids, const OndFluidDef *fluid, OndVec at,
                              OndError *err)
{
    int which = -1;
    ond_sim_solids_block(solids, at, NEAREST * solids->scene->spacing, &which);
    if (which < 0)
        return ond_tree_fail(&solids->scene->tree, fluid->shape.node, err,
                             "nothing is left of fluid '%.60s': it starts outside of all "
                             "containers; move one of them",
                             fluid->name);
    char size[80];
    ond_solid_size_words(&solids->solid[which], size, sizeof size);
    return ond_tree_fail(&solids->scene->tree, fluid->shape.node, err,
                         "nothing is left of fluid '%.60s': it starts inside solid '%.60s' (%s), "
                         "or too near to it; move one of them%s",
                         fluid->name, solids->solid[which].def->name, size,
                         solids->solid[which].mesh.triangle_count ? ", or give its scale" : "");
}

static OndStatus report(OndSimSolids *solids, const int *left, const int *gone, const OndVec *at,
                        OndError *err)
{
    const OndSceneDef *const scene = solids->scene;
    for (int f = 0; f < scene->fluids.count; ++f) {
        const OndFluidDef *const fluid = ond_scene_fluid(scene, f);
        if (gone[f] == 0) continue;
        if (left[f] == 0) return fail_covered(solids, fluid, at[f], err);
        ond_sim_solids_note(solids,
                            "%d of %d particles of fluid '%.60s' would start inside a solid, "
                            "outside a container, or too near to a surface: left out",
                            gone[f], gone[f] + left[f], fluid->name);
    }
    return OND_OK;
}

// ---- emitters

static bool moves(const OndSimSolid *s)
{
    return ond_motion_moves(&s->motion) || s->sequence.count > 0 || ond_solid_is_body(s->def);
}

// Whether what covers a place may be elsewhere later.
static bool may_uncover(const OndSimSolids *solids, int which)
{
    if (which >= 0) return moves(&solids->solid[which]);
    for (int k = 0; k < solids->count; ++k)
        if (solids->solid[k].solid.container && moves(&solids->solid[k])) return true;
    return false;
}

static OndStatus fail_emitter(const OndSimSolids *solids, const OndEmitterDef *emitter, int which,
                              OndError *err)
{
    const char *const name = which >= 0 ? solids->solid[which].def->name : NULL;
    return ond_tree_fail(&solids->scene->tree, ond_scene_at(emitter->node, "center"), err,
                         "nothing can come out of the emitter: all of its mouth is %s%.60s%s; move "
                         "one of them",
                         name ? "inside solid '" : "outside of all containers", name ? name : "",
                         name ? "', or too near to it" : "");
}

static OndStatus check_emitter(OndSimSolids *solids, int index, OndError *err)
{
    const OndEmitterDef *const def = ond_scene_emitter(solids->scene, index);
    const OndEmitter emitter = ond_emitter_make(solids->scene, def);
    int which = -1;
    const int covered = ond_emitter_covered(&emitter, solids, &which);
    const bool all = covered == emitter.layer_count;
    if (covered == 0) return OND_OK;
    if (all && !may_uncover(solids, which)) return fail_emitter(solids, def, which, err);
    ond_sim_solids_note(solids,
                        "%d of %d places in the mouth of emitter %d (of fluid '%.60s') are inside "
                        "a solid, outside a container, or too near to a surface at the start: "
                        "nothing comes out there",
                        covered, emitter.layer_count, index + 1,
                        ond_scene_fluid(solids->scene, def->material)->name);
    return OND_OK;
}

static OndStatus check_emitters(OndSimSolids *solids, OndError *err)
{
    OndStatus status = OND_OK;
    for (int e = 0; e < solids->scene->emitters.count && status == OND_OK; ++e)
        status = check_emitter(solids, e, err);
    return status;
}

OndStatus ond_solids_leave_out(OndSimSolids *solids, OndStart *start, OndError *err)
{
    if (solids->count == 0) return OND_OK;
    int left[OND_MATERIALS_MAX] = {0}, gone[OND_MATERIALS_MAX] = {0};
    OndVec at[OND_MATERIALS_MAX] = {{0, 0, 0}};
    unsigned char *const blocked = OND_NEW_ARRAY(unsigned char, start->count + 1);
    if (!blocked)
        return ond_fail(err, OND_NO_MEMORY, "not enough memory for %d particles", start->count);
    BlockedLook look = {solids, start, blocked};
    ond_parallel_for(start->count, 256, look_range, &look);
    for (int i = 0; i < start->count; ++i) {
        const uint32_t fluid = start->material[i];
        ++(blocked[i] ? gone : left)[fluid];
        if (blocked[i]) at[fluid] = place(start, i);
    }
    ond_start_remove(start, blocked);
    ond_free(blocked);
    const OndStatus status = report(solids, left, gone, at, err);
    return status == OND_OK ? check_emitters(solids, err) : status;
}
