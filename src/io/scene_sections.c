// SPDX-License-Identifier: MIT
#include "io/scene_sections.h"

#include "base/memory.h"
#include "render/of_scene.h"
#include "sim/scene/scene_check.h"
#include "sim/scene/scene_limits.h"
#include "surface/of_scene.h"

#define NAME(number, name) name,
static const char *const names[] = {OND_OUTPUT_FORMATS(NAME) NULL};

#define AT(member) .offset = offsetof(OndOutputDef, member)

static const OndKey keys[] = {
    {"format", OND_KEY_CHOICE, AT(format), .choices = names,
     .help = "Files for frames: `ply`, `vtk` (for ParaView) or `both`. Grids are always written as "
             "VTK image data; `vdb` adds OpenVDB files (for Blender and Houdini)."},
    {"checkpoint", OND_KEY_NUMBER, AT(checkpoint), .unit = "s", .max = OND_FAR,
     .help = "Wall-clock time between checkpoints; 0 writes one at every frame."},
};
static const OndSchema schema = {
    .name = "output",
    .help = "What is written.",
    .size = sizeof(OndOutputDef),
    .keys = keys,
    .count = OND_COUNT(keys),
    .node_offset = -1,
};

static OndStatus check(const OndSceneDef *scene, const void *def, OndError *err)
{
    const bool grids = scene->has_grid || !ond_scene_whole(scene, "dimension type");
    if (((const OndOutputDef *)def)->format != OND_OUTPUT_VDB || grids) return OND_OK;
    return FAIL(scene, ond_node_get(scene->tree.root, "output"), "format",
                "vdb files hold grids, and this method has particles; use ply or vtk");
}

const OndSceneSection ond_output_section = {
    .key = {"output", OND_KEY_SECTION, .sub = &schema, .text = "its defaults",
            .help = "What is written."},
    .seen = true,
    .check = check,
};

const OndOutputDef *ond_scene_output(const OndSceneDef *scene)
{
    return ond_scene_section(scene, &ond_output_section);
}

const OndSceneSection *const ond_scene_sections[] = {
    &ond_output_section, &ond_surface_section, &ond_camera_section, &ond_picture_section, NULL};

OndStatus ond_scene_read(OndTree *tree, OndSceneDef *out, OndError *err)
{
    return ond_scene_read_with(tree, ond_scene_sections, out, err);
}
