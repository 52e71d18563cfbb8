// SPDX-License-Identifier: MIT
// Emitters: openings that are too small, too large, or that pour into a wall.
#include "base/words.h"
#include "sim/emitter.h"
#include "sim/scene/scene_check.h"
#include "sim/scene/scene_limits.h"

static const char axis_name[] = "xyz";

static OndStatus unknown_fluid(const OndSceneDef *scene, const OndEmitterDef *emitter,
                               OndError *err)
{
    const char *names[64];
    int count = 0;
    for (; count < scene->fluids.count && count < OND_COUNT(names); ++count)
        names[count] = ond_scene_fluid(scene, count)->name;
    if (count == 0 || !emitter->fluid)
        return FAIL(scene, emitter->node, "fluid",
                    "there is no fluid to pour; describe one under 'fluid'");
    char list[300];
    ond_words_list(names, count, list, sizeof list);
    const char *const nearest = ond_word_nearest(emitter->fluid, names, count);
    return FAIL(scene, emitter->node, "fluid", "there is no fluid '%.60s'; %s%s%s", emitter->fluid,
                nearest ? "did you mean '" : "the scene has ", nearest ? nearest : list,
                nearest ? "'?" : "");
}

static OndStatus check_opening_size(const OndSceneDef *scene, const OndEmitterDef *e, OndError *err)
{
    const bool disc = e->shape == OND_EMITTER_DISC, tall = scene->dimension == 3;
    const double across = disc ? 2.0 * e->radius : e->width;
    const double largest = !disc && tall ? fmax(across, e->height) : across;
    const char *const key = disc ? "radius" : largest > across ? "height" : "width";
    if (across < scene->spacing)
        return FAIL(scene, e->node, disc ? "radius" : "width",
                    "the opening is narrower than one %s (%s %g m)",
                    scene->has_grid ? "cell" : "particle", scene->has_grid ? "edge" : "spacing",
                    scene->spacing);
    if (largest > OND_OPENING_MAX * scene->spacing)
        return FAIL(scene, e->node, key,
                    "the opening is %.3g particles across; at most %d are poured side by side",
                    largest / scene->spacing, OND_OPENING_MAX);
    const double area =
        disc ? (tall ? M_PI * e->radius * e->radius : across) : across * (tall ? e->height : 1.0);
    if (e->rate > OND_FAST * area)
        return FAIL(scene, e->node, "rate",
                    "through this opening it would pour at %.3g m/s; at most %g m/s are taken",
                    e->rate / area, OND_FAST);
    return OND_OK;
}

static OndStatus check_opening(const OndSceneDef *scene, const OndEmitterDef *e, OndError *err)
{
    if (e->shape == OND_EMITTER_DISC && !(e->radius > 0.0))
        return FAIL(scene, e->node, "radius", "a disc needs a radius > 0");
    if (e->shape == OND_EMITTER_RECTANGLE && !(e->width > 0.0))
        return FAIL(scene, e->node, "width", "a rectangle needs a width > 0");
    if (e->shape == OND_EMITTER_RECTANGLE && scene->dimension == 3 && !(e->height > 0.0))
        return FAIL(scene, e->node, "height", "a rectangle needs a height > 0");
    return check_opening_size(scene, e, err);
}

// How far the opening reaches from its centre along an axis, to the outermost particles.
static double opening_reach(const OndSceneDef *scene, const OndEmitterDef *e, int axis)
{
    const OndEmitter opening = ond_emitter_make(scene, e);
    const double n = ond_axis(e->direction, axis);
    if (e->shape == OND_EMITTER_DISC)
        return e->radius * sqrt(fmax(1.0 - n * n, 0.0)) - 0.5 * scene->spacing;
    const double height = scene->dimension == 3 ? e->height : 0.0;
    return 0.5 * (e->width - scene->spacing) * fabs(ond_axis(opening.across, axis)) +
           0.5 * fmax(height - scene->spacing, 0.0) * fabs(ond_axis(opening.up, axis));
}

static OndStatus check_emitter_walls(const OndSceneDef *scene, const OndEmitterDef *e, int axis,
                                     OndError *err)
{
    const OndDomainDef *const d = &scene->domain;
    const double x = ond_axis(e->center, axis), n = ond_axis(e->direction, axis);
    const double below = x - ond_axis(d->min, axis), above = ond_axis(d->max, axis) - x;
    const double beyond = opening_reach(scene, e, axis) - fmin(below, above);
    if (beyond > 1e-6 * scene->spacing)
        return FAIL(scene, e->node, e->shape == OND_EMITTER_DISC ? "radius" : "width",
                    "the opening reaches %.3g m beyond the domain in %c",
                    beyond + 0.5 * scene->spacing, axis_name[axis]);
    if ((n > 0.5 && above < scene->spacing) || (n < -0.5 && below < scene->spacing))
        return FAIL(scene, e->node, "direction", "it pours into the wall where it stands: turn it");
    return OND_OK;
}

static OndStatus check_emitter_place(const OndSceneDef *scene, const OndEmitterDef *e,
                                     OndError *err)
{
    const OndDomainDef *const d = &scene->domain;
    for (int a = 0; scene->has_domain && a < scene->dimension; ++a) {
        const double x = ond_axis(e->center, a);
        if (d->axis[a] != OND_SIDE_OPEN && !(x >= ond_axis(d->min, a) && x <= ond_axis(d->max, a)))
            return FAIL(scene, e->node, "center", "the emitter is outside the domain in %c",
                        axis_name[a]);
        if (d->axis[a] != OND_SIDE_WALL) continue;
        const OndStatus status = check_emitter_walls(scene, e, a, err);
        if (status != OND_OK) return status;
    }
    return OND_OK;
}

// What needs no other section.
static OndStatus check_alone(const OndSceneDef *scene, const OndEmitterDef *e, OndError *err)
{
    if (!(ond_length(e->direction) > 0.0))
        return FAIL(scene, e->node, "direction", "direction must not be zero");
    return ond_scene_check_flat(scene, e->node, "direction", e->direction, err);
}

static OndStatus check_times(const OndSceneDef *scene, const OndEmitterDef *e, OndError *err)
{
    if (e->to > e->from) return OND_OK;
    return FAIL(scene, e->node, "to", "to must be later than from (%g s, %g s)", e->to, e->from);
}

// Sizes of the other shape of opening.
static OndStatus check_sizes(const OndSceneDef *scene, const OndEmitterDef *e, OndError *err)
{
    static const char *const of_disc[] = {"radius"}, *const of_rectangle[] = {"width", "height"};
    const bool disc = e->shape == OND_EMITTER_DISC;
    const char *const *const others = disc ? of_rectangle : of_disc;
    for (int k = 0; k < (disc ? OND_COUNT(of_rectangle) : OND_COUNT(of_disc)); ++k)
        if (ond_node_get(e->node, others[k]))
            return FAIL(scene, e->node, others[k], "'%s' means nothing here: %s", others[k],
                        disc ? "a disc has a radius; give `shape: rectangle`"
                             : "a rectangle has a width and a height; give `shape: disc`");
    return OND_OK;
}

static void check_emitter(const OndSceneDef *scene, const OndEmitterDef *e, bool sound,
                          OndFindings *f)
{
    const OndStatus alone = check_alone(scene, e, &f->one);
    ond_findings_add(f, alone);
    const OndStatus sizes = check_sizes(scene, e, &f->one);
    ond_findings_add(f, sizes);
    ond_findings_add(f, check_times(scene, e, &f->one));
    if (e->material < 0 && ond_scene_whole(scene, "fluid"))
        ond_findings_add(f, unknown_fluid(scene, e, &f->one));
    if (!sound || sizes != OND_OK) return;
    const OndStatus opening = check_opening(scene, e, &f->one);
    ond_findings_add(f, opening);
    if (alone == OND_OK && opening == OND_OK && e->material >= 0)
        ond_findings_add(f, check_emitter_place(scene, e, &f->one));
}

OndStatus ond_scene_check_emitters(const OndSceneDef *scene, bool sound, OndError *err)
{
    OndFindings f = {.err = err};
    for (int e = 0; e < scene->emitters.count; ++e)
        check_emitter(scene, ond_scene_emitter(scene, e), sound, &f);
    return f.status;
}
