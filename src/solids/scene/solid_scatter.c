// SPDX-License-Identifier: MIT
#include "solids/scene/solid_scatter.h"

#include "base/random.h"
#include "sim/scene/scene_check.h"
#include "sim/scene/scene_limits.h"

#include <stdio.h>
#include <string.h>

#define AT(member) .offset = offsetof(OndScatterDef, member)
#define POINT      .unit = "m", .min = -OND_FAR, .max = OND_FAR
#define LENGTH     .unit = "m", .above = true, .max = OND_FAR

static const OndKey keys[] = {
    {"count", OND_KEY_INT, AT(count), .min = 1, .max = OND_SOLIDS_MAX, .required = true,
     .help = "How many balls."},
    {"min", OND_KEY_VEC, AT(min), POINT, .required = true,
     .help = "Lowest corner of the box that their centres lie in."},
    {"max", OND_KEY_VEC, AT(max), POINT, .required = true, .help = "Highest corner of it."},
    {"smallest", OND_KEY_NUMBER, AT(smallest), LENGTH, .required = true,
     .help = "Smallest diameter."},
    {"largest", OND_KEY_NUMBER, AT(largest), LENGTH, .required = true, .help = "Largest diameter."},
    {"falloff", OND_KEY_NUMBER, AT(falloff), .max = 10, .fallback = 0,
     .help = "How much rarer large ones are: half as large is 2^falloff times as frequent, 0 gives "
             "every size class its share."},
    {"seed", OND_KEY_INT, AT(seed), .max = 1e9, .fallback = 1,
     .help = "Another number, another arrangement."},
};

const OndSchema ond_scatter_schema = {
    .name = "scatter",
    .help = "Balls at random places, with random sizes; they may overlap.",
    .size = sizeof(OndScatterDef),
    .keys = keys,
    .count = OND_COUNT(keys),
    .node_offset = offsetof(OndScatterDef, node),
};

static OndStatus check(const OndSceneDef *scene, const OndSceneSolid *solid, OndError *err)
{
    static const char *const others[] = {"shape", "sequence", "at", "pivot"};
    const OndScatterDef *const s = &solid->scatter;
    for (int k = 0; k < OND_COUNT(others); ++k)
        if (ond_node_get(solid->node, others[k]))
            return FAIL(scene, solid->node, others[k],
                        "scatter says where its balls are: leave "
                        "out %s",
                        others[k]);
    if (s->largest < s->smallest)
        return FAIL(scene, s->node, "largest", "largest (%g m) must not be below smallest (%g m)",
                    s->largest, s->smallest);
    for (int a = 0; a < scene->dimension; ++a)
        if (ond_axis(s->max, a) < ond_axis(s->min, a))
            return FAIL(scene, s->node, "max", "max must not be below min");
    return OND_OK;
}

// Two draws make a double fine enough.
static double draw(const OndScatterDef *s, int ball, int what)
{
    const uint64_t key = (uint64_t)s->seed << 32 | (uint64_t)ball;
    return ond_random(key, 2 * (uint64_t)what) +
           ond_random(key, 2 * (uint64_t)what + 1) / 16777216.0;
}

// Diameters d with a density that goes as d^-(1 + falloff).
static double draw_size(const OndScatterDef *s, int ball)
{
    const double u = draw(s, ball, 3), f = s->falloff;
    if (f < 1e-6) return s->smallest * pow(s->largest / s->smallest, u);
    const double most = pow(s->smallest, -f), least = pow(s->largest, -f);
    return pow(most + u * (least - most), -1.0 / f);
}

static OndStatus put_balls(OndSceneDef *scene, const OndSceneSolid *from, OndSceneSolid *out,
                           OndError *err)
{
    const OndScatterDef *const s = &from->scatter;
    OndSphereDef *const ball = ond_arena_take(&scene->arena, (size_t)s->count * sizeof *ball);
    const OndVec size = ond_sub(s->max, s->min);
    for (int k = 0; ball && k < s->count; ++k) {
        char name[100];
        snprintf(name, sizeof name, "%.80s %d", from->name ? from->name : "ball", k);
        ball[k].center = ond_add(s->min, ond_vec(size.x * draw(s, k, 0), size.y * draw(s, k, 1),
                                                 size.z * draw(s, k, 2)));
        if (scene->dimension == 2) ball[k].center.z = 0.0;
        ball[k].radius = 0.5 * draw_size(s, k);
        out[k] = *from;
        out[k].shape = (OndVariant){OND_SHAPE_SPHERE, &ball[k], s->node};
        out[k].name = ond_arena_text(&scene->arena, name, strlen(name));
        if (!out[k].name) break;
    }
    if (ball && out[s->count - 1].name) return OND_OK;
    return ond_fail(err, OND_NO_MEMORY, "not enough memory for the scene");
}

OndStatus ond_scene_scatter(OndSceneDef *scene, OndError *err)
{
    const OndSceneSolid *const given = scene->solids.items;
    long long count = 0;
    bool any = false;
    for (int k = 0; k < scene->solids.count; ++k) {
        const bool scattered = given[k].scatter.node;
        const OndStatus status = scattered ? check(scene, &given[k], err) : OND_OK;
        if (status != OND_OK) return status;
        any = any || scattered;
        count += scattered ? given[k].scatter.count : 1;
    }
    if (!any) return OND_OK;
    if (count > OND_SOLIDS_MAX)
        return FAIL(scene, scene->tree.root, "solid", "at most %d solids, not %lld", OND_SOLIDS_MAX,
                    count);
    OndSceneSolid *const all = ond_arena_take(&scene->arena, (size_t)count * sizeof *all);
    if (!all) return ond_fail(err, OND_NO_MEMORY, "not enough memory for the scene");
    int at = 0;
    for (int k = 0; k < scene->solids.count; ++k) {
        if (!given[k].scatter.node) {
            all[at++] = given[k];
            continue;
        }
        const OndStatus status = put_balls(scene, &given[k], all + at, err);
        if (status != OND_OK) return status;
        at += given[k].scatter.count;
    }
    scene->solids = (OndList){all, at};
    return OND_OK;
}
