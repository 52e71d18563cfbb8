// SPDX-License-Identifier: MIT
#include "surface/of_scene.h"

#include "sim/scene/scene_shape.h"

typedef struct OndSurfaceSection {
    int field;                                ///< index into ond_field_names
    double cell, radius, threshold, decimate; ///< radius, threshold 0: the field's own
    int polygons;                             ///< OndPolygons
    int smooth;
    bool walls; ///< faces against the domain's walls are flat
    const OndNode *node;
} OndSurfaceSection;

#define AT(member) .offset = offsetof(OndSurfaceSection, member)

static const OndKey keys[] = {
    {"field", OND_KEY_CHOICE, AT(field), .choices = ond_field_names,
     .text = "`anisotropic`; `carried` where a fluid has `carry: true`",
     .help = "What makes one surface of many particles. See docs/surfaces.md."},
    {"cell", OND_KEY_NUMBER, AT(cell), .unit = "spacings", .min = 0.02, .max = 4, .fallback = 0.5,
     .help = "Edge of the cells that the triangles come from: half of it means four times the "
             "triangles."},
    {"radius", OND_KEY_NUMBER, AT(radius), .unit = "spacings", .max = 100,
     .text = "0 (the field's own)", .help = "How far a particle reaches."},
    {"threshold", OND_KEY_NUMBER, AT(threshold), .min = -1e6, .max = 1e6,
     .text = "0 (the field's own)",
     .help = "Where the surface lies, in the field's own measure: more makes it thinner."},
    {"polygons", OND_KEY_CHOICE, AT(polygons), .choices = ond_polygons_names,
     .help = "How cells become triangles: `cubes` makes fewer, `tetrahedra` has no special cases."},
    {"smooth", OND_KEY_INT, AT(smooth), .unit = "rounds", .max = 100,
     .help = "Rounds of smoothing, which keeps the volume."},
    {"decimate", OND_KEY_NUMBER, AT(decimate), .unit = "cells", .max = 1,
     .help =
         "Flat parts get fewer triangles, as long as no place moves by more than this; 0: off."},
    {"walls", OND_KEY_BOOL, AT(walls), .fallback = 1,
     .help = "What stands against a wall of the domain ends on it, flat."},
};
static const OndSchema schema = {
    .name = "surface",
    .help = "How `ondine mesh` makes a surface of the particles; its options go before.",
    .size = sizeof(OndSurfaceSection),
    .keys = keys,
    .count = OND_COUNT(keys),
    .node_offset = offsetof(OndSurfaceSection, node),
};

const OndSceneSection ond_surface_section = {
    .key = {"surface", OND_KEY_SECTION, .sub = &schema, .text = "its defaults",
            .help = "How particles become a surface."},
};

OndSurfaceDef ond_surface_def_of_scene(const OndSceneDef *scene)
{
    const OndSurfaceSection *const section = ond_scene_section(scene, &ond_surface_section);
    OndSurfaceDef def = ond_surface_default_def();
    if (!section) return def;
    def.field = ond_field_names[section->field];
    if (ond_scene_carries(scene) && !ond_node_get(section->node, "field")) def.field = "carried";
    def.cell = section->cell;
    def.how.radius = section->radius;
    def.how.threshold = section->threshold;
    def.polygons = (OndPolygons)section->polygons;
    def.smooth = section->smooth;
    def.decimate = section->decimate;
    for (int side = 0; side < 6; ++side)
        if (!section->walls || !scene->has_domain || scene->domain.axis[side / 2] != OND_SIDE_WALL)
            def.walls &= ~(1u << side);
    return def;
}
