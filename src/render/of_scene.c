// SPDX-License-Identifier: MIT
#include "render/of_scene.h"

#include "sim/scene/scene_check.h"
#include "sim/scene/scene_limits.h"

static const char *const axes[] = {"x", "y", "z", NULL};

#define AT(member) .offset = offsetof(OWNER, member)
#define SCHEMA(title, table, where, sentence)                                                      \
    {                                                                                              \
        .name = title, .size = sizeof(OWNER), .keys = table, .count = OND_COUNT(table),            \
        .node_offset = where, .help = sentence                                                     \
    }

#define OWNER OndCameraDef
static const OndKey camera_keys[] = {
    {"from", OND_KEY_VEC, AT(from), .unit = "m", .min = -OND_FAR, .max = OND_FAR, .required = true,
     .help = "Where the eye is."},
    {"to", OND_KEY_VEC, AT(to), .unit = "m", .min = -OND_FAR, .max = OND_FAR, .required = true,
     .help = "What it looks at."},
    {"fov", OND_KEY_NUMBER, AT(fov), .unit = "deg", .min = 1, .max = 150, .fallback = 35,
     .help = "Vertical angle of view."},
};
static const OndSchema camera_schema = SCHEMA("camera", camera_keys, offsetof(OndCameraDef, node),
                                              "The eye. A scene without this key is seen whole.");
#undef OWNER

#define OWNER OndSmokeSection
static const OndKey smoke_keys[] = {
    {"look", OND_KEY_CHOICE, AT(look), .choices = ond_smoke_names,
     .help = "`smoke` is grey, `steam` white, `ink` takes light away, `fire` is dark where it does "
             "not glow. `auto`: what the fluid is called, else smoke."},
    {"colour", OND_KEY_VEC, AT(colour), .max = 1, .text = "the look's own",
     .help = "Red, green and blue of what comes back of white light, as a screen shows them."},
    {"extinction", OND_KEY_NUMBER, AT(extinction), .unit = "1/m", .max = 1e9,
     .text = "0 (by the scene's size)",
     .help = "How fast smoke of density 1 takes light away: after 1/extinction a third is left."},
    {"glow", OND_KEY_NUMBER, AT(glow), .max = 1000, .fallback = 1,
     .help = "How bright what is hotter than 520 degrees shines; 1 is as lava does."},
};
static const OndSchema smoke_schema =
    SCHEMA("smoke-look", smoke_keys, offsetof(OndSmokeSection, node),
           "What the density of a grid looks like in 3D.");
#undef OWNER

#define OWNER OndPictureDef
static const OndKey render_keys[] = {
    {"width", OND_KEY_INT, AT(width), .unit = "pixels", .min = 1, .max = 16384, .fallback = 1280,
     .help = "Width of the pictures."},
    {"height", OND_KEY_INT, AT(height), .unit = "pixels", .min = 1, .max = 16384, .fallback = 720,
     .help = "Height of the pictures."},
    {"as", OND_KEY_CHOICE, AT(as), .choices = ond_drawn_names,
     .help =
         "`surface`: the liquid's surface, ray traced; `particles`: spheres, quick. Of grids: "
         "`volume`, smoke as it looks in the light; `slice`, its values in colours; `arrows` "
         "or `streamlines`, the flow over them. `auto`: surfaces or volumes in 3D, particles or "
         "slices in 2D; grains are always particles."},
    {"quality", OND_KEY_CHOICE, AT(quality), .choices = ond_quality_names,
     .help = "Of surfaces and volumes: how many rays are spent on a picture."},
    {"colour", OND_KEY_CHOICE, AT(colour), .choices = ond_colour_names,
     .help =
         "What the colours show, of particles, painted surfaces and slices. `vorticity`, how fast "
         "the flow turns, is known of grids alone. Grains are `plain`, like sand, unless told."},
    {"paint", OND_KEY_BOOL, AT(paint),
     .help = "Surfaces show `colour` instead of looking like their material."},
    {"min", OND_KEY_NUMBER, AT(min), .text = "0 (with `max` 0: automatic)",
     .help = "Value at the low end of the colours."},
    {"max", OND_KEY_NUMBER, AT(max), .text = "0 (with `min` 0: automatic)",
     .help = "Value at the high end of the colours."},
    {"legend", OND_KEY_BOOL, AT(legend), .fallback = 1, .help = "Draw the scale of the colours."},
    {"slice", OND_KEY_CHOICE, AT(slice), .choices = axes, .fallback = 2,
     .help = "Of grids in 3D: the axis that the picture of a slice looks along."},
    {"slice_at", OND_KEY_NUMBER, AT(slice_at), .unit = "m", .min = -OND_FAR, .max = OND_FAR,
     .text = "the middle", .help = "Where on that axis the slice lies."},
    {"arrows", OND_KEY_INT, AT(arrows), .max = 1000, .text = "0: none",
     .help = "Of grids: how many arrows of the velocity there are across the picture."},
    {"streamlines", OND_KEY_INT, AT(streamlines), .max = 1000, .text = "0: none",
     .help = "Of grids: from how many seeds across the picture streamlines are drawn."},
    {"smoke", OND_KEY_MAP, AT(smoke), .sub = &smoke_schema, .text = "its defaults",
     .help = "Of volumes: what they look like."},
    {"backdrop", OND_KEY_CHOICE, AT(backdrop), .choices = ond_backdrop_names,
     .help =
         "The studio. `auto`: light for 2D, for surfaces and for ink, dark for particles in 3D, "
         "for smoke and for what glows."},
    {"motion_blur", OND_KEY_NUMBER, AT(motion_blur), .max = 4,
     .help = "Of surfaces: the share of the time between two frames that the shutter is open; "
             "0.5 is usual in films, 0 is sharp."},
    {"lens", OND_KEY_NUMBER, AT(lens), .max = 1000, .text = "0: everything is sharp",
     .help = "Of surfaces: the f-number of the lens, as on a camera: the smaller, the less is "
             "sharp before and behind the focus."},
    {"focus", OND_KEY_NUMBER, AT(focus), .unit = "m", .max = OND_FAR,
     .text = "0: what the camera looks at", .help = "Distance from the eye that is sharp."},
};
static const OndSchema render_schema =
    SCHEMA("render", render_keys, offsetof(OndPictureDef, node), "How pictures look.");
#undef OWNER

// ---- the sections

static OndStatus check_camera(const OndSceneDef *scene, const void *def, OndError *err)
{
    const OndCameraDef *const c = def;
    if (!c->node || ond_length(ond_sub(c->to, c->from)) > 0.0) return OND_OK;
    return FAIL(scene, c->node, "to", "the camera stands where it looks");
}

static OndStatus check_picture(const OndSceneDef *scene, const void *def, OndError *err)
{
    const OndPictureDef *const r = def;
    if (!(r->max < r->min)) return OND_OK;
    return FAIL(scene, r->node, "max", "max must not be below min");
}

const OndSceneSection ond_camera_section = {
    .key = {"camera", OND_KEY_SECTION, .sub = &camera_schema, .text = "fitted to the scene",
            .help = "The eye."},
    .seen = true,
    .check = check_camera,
};
const OndSceneSection ond_picture_section = {
    .key = {"render", OND_KEY_SECTION, .sub = &render_schema, .text = "its defaults",
            .help = "How pictures look."},
    .seen = true,
    .check = check_picture,
};

const OndCameraDef *ond_scene_camera(const OndSceneDef *scene)
{
    return ond_scene_section(scene, &ond_camera_section);
}

const OndPictureDef *ond_scene_picture(const OndSceneDef *scene)
{
    return ond_scene_section(scene, &ond_picture_section);
}
