// SPDX-License-Identifier: MIT
// A shape in one file, for tests/check_one_file.sh: two balls that touch.
#include "sim/scene/scene.h"

#include <stddef.h>

typedef struct PairDef {
    OndVec middle;
    double radius;
} PairDef;

static const OndKey keys[] = {
    {"middle", OND_KEY_VEC, offsetof(PairDef, middle), .unit = "m", .required = true,
     .help = "Where they touch."},
    {"radius", OND_KEY_NUMBER, offsetof(PairDef, radius), .unit = "m", .above = true, .max = 1e6,
     .required = true, .help = "Of each."},
};
const OndSchema ond_shape_schema_pair = {
    .name = "pair",
    .help = "Two balls side by side.",
    .size = sizeof(PairDef),
    .keys = keys,
    .count = OND_COUNT(keys),
    .node_offset = -1,
};

static OndStatus make(const OndShapeMaker *m, const OndVariant *shape, OndShape **out)
{
    const PairDef *const d = shape->def;
    const OndVec aside = ond_vec(d->radius, 0, 0);
    OndShape *const ball[2] = {ond_shape_sphere(m->arena, ond_sub(d->middle, aside), d->radius),
                               ond_shape_sphere(m->arena, ond_add(d->middle, aside), d->radius)};
    const bool both = ball[0] && ball[1];
    return ond_shape_made(m, both ? ond_shape_union(m->arena, ball, 2) : NULL, out);
}

const OndSceneShape ond_shape_kind_pair = {NULL, make};
