// SPDX-License-Identifier: MIT
#include "solids/scene/solid_size.h"

#include <stdio.h>

#define LARGE      20.0 // times the domain's longest side
#define SMALL      2.0  // spacings
#define NEAR       2.0  // spacings from a periodic side
#define SEAM_LOOKS 500

static double longest(OndBox b)
{
    return fmax(b.max.x - b.min.x, fmax(b.max.y - b.min.y, b.max.z - b.min.z));
}

// Round it as it stands.
static OndBox world_box(const OndSimSolid *solid, const OndPose *pose)
{
    OndBox box = ond_box_empty();
    for (int c = 0; c < 8; ++c)
        box = ond_box_add(box, ond_pose_out(pose, ond_box_corner(solid->bounds, c)));
    return box;
}

static OndBox domain_of(const OndSceneDef *scene)
{
    return (OndBox){scene->domain.min, scene->domain.max};
}

static bool apart(const OndBox *a, const OndBox *b, bool flat)
{
    return a->min.x > b->max.x || a->max.x < b->min.x || a->min.y > b->max.y ||
           a->max.y < b->min.y || (!flat && (a->min.z > b->max.z || a->max.z < b->min.z));
}

void ond_solid_size_words(const OndSimSolid *solid, char *out, size_t room)
{
    const OndBox b = solid->bounds;
    if (solid->solid.kind == OND_SOLID_PLANE)
        snprintf(out, room, "endless");
    else
        snprintf(out, room, "%.3g x %.3g x %.3g m", b.max.x - b.min.x, b.max.y - b.min.y,
                 b.max.z - b.min.z);
}

static void note_size(OndSimSolids *s, const OndSimSolid *solid)
{
    const OndSceneDef *const scene = s->scene;
    const double size = longest(solid->bounds), domain = longest(domain_of(scene));
    const bool small = size < SMALL * scene->spacing;
    char words[80];
    ond_solid_size_words(solid, words, sizeof words);
    if (scene->has_domain && size > LARGE * domain)
        ond_sim_solids_note(s,
                            "solid '%.60s' is %s, but the domain %.3g m at most: is its file in "
                            "%smillimetres? Then it needs %sscale: 0.001",
                            solid->def->name, words, domain,
                            0.01 * size <= domain ? "centimetres or " : "",
                            0.01 * size <= domain ? "scale: 0.01 or " : "");
    if (small)
        ond_sim_solids_note(s,
                            "solid '%.60s' is %s, smaller than two particles of %.3g m, which "
                            "hardly feel it: does it need another scale?",
                            solid->def->name, words, scene->spacing);
}

static bool stays_outside(const OndSimSolids *s, int which)
{
    const OndSimSolid *const solid = &s->solid[which];
    if (!s->scene->has_domain || solid->solid.kind == OND_SOLID_PLANE) return false;
    if (ond_motion_moves(&solid->motion) || solid->sequence.count > 0) return false;
    if (ond_solid_is_body(solid->def)) return false;
    const OndBox box = world_box(solid, &ond_solids_state(s->solids, which)->pose),
                 domain = domain_of(s->scene);
    return apart(&box, &domain, s->scene->dimension == 2);
}

// Each container keeps what starts in it, and walls of others stand in it.
static void note_overlaps(OndSimSolids *s)
{
    for (int a = 0; a < s->count; ++a)
        for (int b = 0; b < a; ++b) {
            if (!s->solid[a].solid.container || !s->solid[b].solid.container) continue;
            if (s->solid[a].solid.kind == OND_SOLID_PLANE) continue;
            if (s->solid[b].solid.kind == OND_SOLID_PLANE) continue;
            const OndBox one = world_box(&s->solid[a], &ond_solids_state(s->solids, a)->pose),
                         other = world_box(&s->solid[b], &ond_solids_state(s->solids, b)->pose);
            if (apart(&one, &other, s->scene->dimension == 2)) continue;
            ond_sim_solids_note(s,
                                "containers '%.60s' and '%.60s' may overlap: each keeps its walls; "
                                "make one of a union if they are to be one space",
                                s->solid[b].def->name, s->solid[a].def->name);
            return;
        }
}

void ond_solid_sizes_note(OndSimSolids *s)
{
    int outside = 0, first = 0;
    for (int k = 0; k < s->count; ++k) {
        if (s->solid[k].mesh.triangle_count > 0) note_size(s, &s->solid[k]);
        if (stays_outside(s, k) && outside++ == 0) first = k;
    }
    note_overlaps(s);
    if (outside == 1)
        ond_sim_solids_note(s, "solid '%.60s' stands outside the domain, where nothing touches it",
                            s->solid[first].def->name);
    if (outside > 1)
        ond_sim_solids_note(s,
                            "%d solids, '%.60s' the first, stand outside the domain, where nothing "
                            "touches them",
                            outside, s->solid[first].def->name);
}

// ---- periodic sides

// Beyond a side or near it, without reaching past both.
static bool meets_seam(const OndBox *box, const OndBox *domain, int axis, double near)
{
    const double low = ond_axis(domain->min, axis), high = ond_axis(domain->max, axis);
    const double from = ond_axis(box->min, axis), to = ond_axis(box->max, axis);
    if (from <= low && to >= high) return false;
    return from < low + near || to > high - near;
}

static OndStatus check_seam(const OndSimSolids *s, const OndSimSolid *solid, int axis, double time,
                            OndError *err)
{
    const OndSceneDef *const scene = s->scene;
    const OndPose pose = ond_motion_at(&solid->motion, time).pose;
    const OndBox box = world_box(solid, &pose), domain = domain_of(scene);
    if (apart(&box, &domain, scene->dimension == 2)) return OND_OK;
    if (!meets_seam(&box, &domain, axis, NEAR * scene->spacing)) return OND_OK;
    return ond_tree_fail(&scene->tree, solid->def->node, err,
                         "solid '%.60s' reaches from %c = %.3g to %.3g at t = %.3g s, to the "
                         "domain's periodic side or within two spacings of it; solids are not "
                         "repeated beyond it: keep it away, or let it reach past both sides",
                         solid->def->name, "xyz"[axis], ond_axis(box.min, axis),
                         ond_axis(box.max, axis), time);
}

OndStatus ond_solids_check_seams(const OndSimSolids *s, OndError *err)
{
    const OndSceneDef *const scene = s->scene;
    OndStatus status = OND_OK;
    for (int k = 0; k < s->count && scene->has_domain && !scene->has_grid; ++k) {
        const OndSimSolid *const solid = &s->solid[k];
        const int looks = ond_motion_moves(&solid->motion) ? SEAM_LOOKS : 0;
        if (solid->solid.kind == OND_SOLID_PLANE) continue;
        for (int axis = 0; axis < scene->dimension; ++axis)
            for (int l = 0; l <= looks && scene->domain.axis[axis] == OND_SIDE_PERIODIC; ++l) {
                status = check_seam(s, solid, axis, looks ? scene->duration * l / looks : 0, err);
                if (status != OND_OK) return status;
            }
    }
    return status;
}
