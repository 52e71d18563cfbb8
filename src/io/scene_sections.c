// SPDX-License-Identifier: MIT
#include "io/scene_sections.h"

#include "base/memory.h"
#include "render/of_scene.h"
#include "sim/scene/scene_check.h"
#include "sim/scene/scene_limits.h"
#include "surface/of_scene.h"

// Those of the register, then the two that stand for others.
#define CALLED(name, NAME) #name,
#define NUMBER(name, NAME) OUTPUT_##NAME,
static const char *const names[] = {OND_FORMATS(CALLED) "vtk", "both", NULL};
enum { OND_FORMATS(NUMBER) OUTPUT_VTK, OUTPUT_BOTH };

#define AT(member) .offset = offsetof(OndOutputDef, member)

static const OndKey keys[] = {
    {"format", OND_KEY_CHOICE, AT(format), .choices = names,
     .help =
         "Files for frames of particles: `ply`, `vtk` (.vtp, for ParaView), `both` of these, or "
         "another that `ondine convert` writes. Grids are always written as VTK image data; "
         "`vdb` adds OpenVDB files (for Blender and Houdini)."},
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

// NULL: one of the names that stand for others.
static const OndFormat *format_asked(const OndOutputDef *output)
{
    int count = 0;
    const OndFormat *const *const formats = ond_formats(&count);
    return output->format < count ? formats[output->format] : NULL;
}

static OndStatus check(const OndSceneDef *scene, const void *def, OndError *err)
{
    const OndFormat *const asked = format_asked(def);
    const bool grids = scene->has_grid || !ond_scene_whole(scene, "dimension type");
    const OndNode *const output = ond_node_get(scene->tree.root, "output");
    if (asked && !asked->write)
        return FAIL(scene, output, "format", "%s files can be read, not written", asked->extension);
    if (!asked || !asked->grid || grids) return OND_OK;
    return FAIL(scene, output, "format",
                "%s files hold grids, and this method has particles; use ply or vtk",
                asked->extension);
}

bool ond_output_writes(const OndOutputDef *output, const OndFormat *format)
{
    const OndFormat *const asked = format_asked(output);
    const bool both = output->format == OUTPUT_BOTH;
    if (!format->write) return false;
    if (format == asked || format == &ond_format_vti) return true;
    if (format == &ond_format_ply) return both || (asked && asked->grid);
    return format == &ond_format_vtp && (both || output->format == OUTPUT_VTK);
}

int ond_output_read_back(const OndOutputDef *output)
{
    int count = 0;
    const OndFormat *const *const formats = ond_formats(&count);
    for (int k = 0; k < count; ++k)
        if (formats[k]->read && !formats[k]->grid && ond_output_writes(output, formats[k]))
            return k;
    return -1;
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
