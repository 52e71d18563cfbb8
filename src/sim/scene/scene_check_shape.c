// SPDX-License-Identifier: MIT
// Shapes that enclose nothing, or cannot stand where they are used.
#include "sim/scene/scene_check.h"
#include "sim/scene/scene_shape.h"

static const char axis_name[] = "xyz";

OndStatus ond_shape_check_box(const OndSceneDef *scene, const OndVariant *shape, bool part,
                              OndError *err)
{
    const OndBoxDef *const box = shape->def;
    for (int a = 0; a < scene->dimension; ++a)
        if (!(ond_axis(box->max, a) > ond_axis(box->min, a)))
            return FAIL(scene, shape->node, "max",
                        "the box's max must be above its min in %c (%g, %g)", axis_name[a],
                        ond_axis(box->max, a), ond_axis(box->min, a));
    return OND_OK;
}

OndStatus ond_shape_check_rod(const OndSceneDef *scene, const OndVariant *shape, bool part,
                              OndError *err)
{
    const OndRodDef *const rod = shape->def;
    OndVec along = ond_sub(rod->to, rod->from);
    if (scene->dimension == 2) along.z = 0.0;
    if (ond_length(along) > 0.0) return OND_OK;
    return FAIL(scene, shape->node, "to", "its two ends are the same point");
}

OndStatus ond_shape_check_parts(const OndSceneDef *scene, const OndVariant *shape, bool part,
                                OndError *err)
{
    const OndPartsDef *const def = shape->def;
    const int least = shape->which == OND_SHAPE_UNION ? 1 : 2;
    if (def->parts.count < least)
        return FAIL(scene, shape->node, "parts", "%s needs at least %d part%s, not %d",
                    ond_shape_schemas[shape->which]->name, least, least > 1 ? "s" : "",
                    def->parts.count);
    OndStatus status = OND_OK;
    for (int p = 0; p < def->parts.count && status == OND_OK; ++p)
        status = ond_scene_check_shape(scene, (const OndVariant *)def->parts.items + p, true, err);
    return status;
}

OndStatus ond_shape_check_file(const OndSceneDef *scene, const OndVariant *shape, bool part,
                               OndError *err)
{
    const OndFileDef *const def = shape->def;
    if (def->file[0] == '\0')
        return FAIL(scene, shape->node, "file", "file must be a path, not empty");
    if (shape->which == OND_SHAPE_PARTICLES && part)
        return FAIL(scene, shape->node, "type",
                    "particles have no inside: they can be a fluid's shape and nothing else");
    return OND_OK;
}

OndStatus ond_shape_check_mesh(const OndSceneDef *scene, const OndVariant *shape, bool part,
                               OndError *err)
{
    const OndVariant *const stand_in = &((const OndMeshDef *)shape->def)->stand_in;
    const OndStatus status = ond_shape_check_file(scene, shape, true, err);
    if (status != OND_OK || stand_in->which < 0) return status;
    return ond_scene_check_shape(scene, stand_in, true, err);
}

OndStatus ond_shape_check_text(const OndSceneDef *scene, const OndVariant *shape, bool part,
                               OndError *err)
{
    if (((const OndTextDef *)shape->def)->text[0]) return OND_OK;
    return FAIL(scene, shape->node, "text", "text must not be empty");
}

OndStatus ond_scene_check_shape(const OndSceneDef *scene, const OndVariant *shape, bool part,
                                OndError *err)
{
    const OndSceneShape *const kind = shape->which >= 0 ? ond_shape_kinds[shape->which] : NULL;
    return kind && kind->check ? kind->check(scene, shape, part, err) : OND_OK;
}
