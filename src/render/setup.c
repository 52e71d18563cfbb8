// SPDX-License-Identifier: MIT
#include "render/setup.h"

#include "render/overlay.h"
#include "render/quantity.h"

#define FLOOR_HALF 1.8f  // half the side of the floor's light map; the scene's half diagonal is 1
#define FAR        1e6f  // nothing is seen from farther away, and rays must stay finite
#define KEY_SIZE   0.10f // radius of the key light over its distance: how soft shadows are

static bool is_box(OndBox b)
{
    const OndVec s = ond_sub(b.max, b.min);
    const bool finite = isfinite(s.x) && isfinite(s.y) && isfinite(s.z);
    return finite && s.x > 0.0 && s.y > 0.0 && s.z >= 0.0 && ond_length(s) < 1e15;
}

OndBox ond_setup_box(const OndFrame *frame, bool *has_domain)
{
    OndBox box = frame->domain;
    *has_domain = is_box(box);
    if (!*has_domain) {
        if (!ond_cloud_bounds(frame, &box)) box = (OndBox){ond_vec(-1, -1, -1), ond_vec(1, 1, 1)};
        const double r = ond_cloud_radius(frame, &box);
        box = ond_box_widen(box, r);
    }
    if (frame->dimension == 2) box.min.z = box.max.z = 0.0;
    return box;
}

bool ond_setup_mesh_box(const OndMesh *mesh, OndBox *box)
{
    OndBox b = ond_box_empty();
    for (int i = 0; i < mesh->corner_count; ++i) {
        const float *p = mesh->corner + 3 * (size_t)i;
        if (!(fabsf(p[0]) < 1e15f && fabsf(p[1]) < 1e15f && fabsf(p[2]) < 1e15f)) continue;
        b = ond_box_add(b, ond_vec(p[0], p[1], p[2]));
    }
    if (!(b.min.x <= b.max.x)) return false;
    *box = b;
    return true;
}

OndPlace ond_setup_place(OndBox box)
{
    const double half = 0.5 * ond_length(ond_sub(box.max, box.min));
    return (OndPlace){ond_scale(ond_add(box.min, box.max), 0.5), 1.0 / fmax(half, 1e-9)};
}

void ond_setup_corners(OndBox box, const OndPlace *place, OndF3 corner[8])
{
    for (int i = 0; i < 8; ++i)
        corner[i] = ond_place(place, ond_box_corner(box, i));
}

void ond_setup_studio(OndStage *stage, const OndRenderDef *def, bool flat)
{
    const bool dark =
        def->backdrop == OND_BACKDROP_DARK || (def->backdrop == OND_BACKDROP_AUTO && !flat);
    if (dark)
        stage->studio = (OndStudio){.top = ond_colour_hex(0x10161f),
                                    .bottom = ond_colour_hex(0x2b3644),
                                    .floor = ond_colour_hex(0x52606f),
                                    .line = ond_colour_hex(0xb9c8d8),
                                    .ink = ond_colour_hex(0xe8eef5),
                                    .line_alpha = 0.45f,
                                    .shadow = 0.85f,
                                    .fog = 0.16f,
                                    .mirror = 0.5f};
    else
        stage->studio = (OndStudio){.top = ond_colour_hex(0xf3f5f7),
                                    .bottom = ond_colour_hex(0xdde2e8),
                                    .floor = ond_colour_hex(0xf6f7f9),
                                    .line = ond_colour_hex(0x46535f),
                                    .ink = ond_colour_hex(0x1d2733),
                                    .line_alpha = 0.6f,
                                    .shadow = flat ? 0.45f : 0.75f,
                                    .fog = 0.08f,
                                    .mirror = 0.25f};
    const OndQuantity *quantity = ond_quantity(def->colour);
    const bool pale = quantity->palette == OND_PALETTE_WATER && !dark; // white foam would be lost
    const bool sand = def->grains && def->colour == OND_COLOUR_PLAIN;
    ond_colour_map(sand   ? OND_PALETTE_SAND
                   : pale ? OND_PALETTE_LAGOON
                          : quantity->palette,
                   stage->map);
    stage->plain = ond_colour_hex(def->grains ? 0xc8a878 : 0x3d8fd6);
}

// Level directions for an upright of `up`: to the viewer and to the right.
static void level_frame(OndF3 up, OndF3 *back, OndF3 *right)
{
    const OndF3 guess = fabsf(up.z) < 0.9f ? ond_f3(0, 0, 1) : ond_f3(0, -1, 0);
    *right = ond_f3_unit(ond_f3_cross(up, guess));
    *back = ond_f3_cross(*right, up);
}

static OndF3 usual_direction(OndF3 up)
{
    OndF3 back, right;
    level_frame(up, &back, &right);
    return ond_f3_step(ond_f3_step(back, right, 0.38f), up, 0.34f);
}

// How much of the height a fitted camera fills: at most `most`, and nothing under the words.
static float fill_height(const OndRenderDef *def, float most)
{
    return fmaxf(fminf(most, 1.0f - 2.0f * ond_overlay_share(def->width, def->height)), 0.3f);
}

static OndF3 place_near(const OndPlace *place, OndVec point)
{
    const OndF3 p = ond_place(place, point);
    return ond_f3(fminf(fmaxf(p.x, -FAR), FAR), fminf(fmaxf(p.y, -FAR), FAR),
                  fminf(fmaxf(p.z, -FAR), FAR));
}

static void aim_flat(OndStage *stage, const OndRenderDef *def, const OndF3 corner[8],
                     const OndPlace *place)
{
    OndCamera *c = &stage->camera;
    *c = ond_camera_aim(ond_f3(0, 0, 10), ond_f3(0, 0, -1), ond_f3(0, 1, 0), def->width,
                        def->height);
    c->flat = true;
    if (def->fit) {
        ond_camera_fit(c, corner, 8, 0.86f, fill_height(def, 0.76f));
        return;
    }
    const OndF3 to = place_near(place, def->camera_to);
    const double away = ond_length(ond_sub(def->camera_from, def->camera_to));
    const double far = fmin(away * place->scale, FAR);
    c->eye.x = to.x, c->eye.y = to.y;
    c->half_height = fmaxf((float)(far * tan(0.5 * def->fov * 0.017453292519943295)), 1e-6f);
    c->half_width = c->half_height * (float)def->width / (float)def->height;
}

void ond_setup_camera(OndStage *stage, const OndRenderDef *def, const OndF3 corner[8],
                      const OndPlace *place, bool flat)
{
    if (flat) {
        aim_flat(stage, def, corner, place);
        return;
    }
    const OndF3 up = ond_f3_of(ond_unit(def->up));
    const OndF3 eye = place_near(place, def->camera_from);
    OndF3 away = ond_f3_of(ond_unit(ond_sub(def->camera_from, def->camera_to)));
    if (ond_f3_dot(away, away) < 0.5f) away = usual_direction(up);
    stage->camera = ond_camera_aim(def->fit ? ond_f3(0, 0, 0) : eye, ond_f3_scale(away, -1.0f), up,
                                   def->width, def->height);
    ond_camera_open(&stage->camera, (float)def->fov);
    if (def->fit) ond_camera_fit(&stage->camera, corner, 8, 0.88f, fill_height(def, 0.80f));
}

static void set_floor(OndStage *stage, const OndF3 corner[8], bool flat)
{
    OndFloor *f = &stage->floor;
    const OndF3 up = flat ? ond_f3(0, 0, 1) : stage->lights.up;
    float low = INFINITY;
    for (int i = 0; i < 8; ++i)
        low = fminf(low, ond_f3_dot(corner[i], up));
    if (flat) low = -1.5f * stage->cloud.radius;
    f->normal = up;
    f->middle = ond_f3_scale(up, low);
    f->half = FLOOR_HALF;
    ond_f3_frame(up, &f->u, &f->v);
    stage->has_floor = ond_f3_dot(ond_f3_sub(stage->camera.eye, f->middle), up) > 0.0f;
}

void ond_setup_lights(OndStage *stage, const OndRenderDef *def, const OndF3 corner[8], bool flat)
{
    const OndCamera *c = &stage->camera;
    OndLights *l = &stage->lights;
    l->up = flat ? ond_f3(0, 0, 1) : ond_f3_of(ond_unit(def->up));
    const OndF3 level = ond_f3_unit(ond_f3_step(c->forward, l->up, -ond_f3_dot(c->forward, l->up)));
    const OndF3 aside = ond_f3_scale(c->right, -0.62f);
    OndF3 key = ond_f3_step(ond_f3_step(aside, l->up, 0.85f), level, -0.30f);
    if (flat) key = ond_f3(-0.45f, 0.6f, 1.0f);
    l->key = ond_f3_unit(key);
    ond_f3_frame(l->key, &l->key_u, &l->key_v);
    l->key_u = ond_f3_scale(l->key_u, KEY_SIZE);
    l->key_v = ond_f3_scale(l->key_v, KEY_SIZE);
    l->key_strength = flat ? 0.85f : 0.92f;
    l->sky_strength = flat ? 0.85f : 0.62f;
    l->ground = 0.35f;
    l->reach = 0.5f;
    float near = INFINITY, far = -INFINITY;
    for (int i = 0; i < 8; ++i) {
        const float z = ond_f3_dot(ond_f3_sub(corner[i], c->eye), c->forward);
        near = fminf(near, z), far = fmaxf(far, z);
    }
    stage->fog_start = near;
    stage->fog_rate = flat ? 0.0f : stage->studio.fog / fmaxf(far - near, 1e-3f);
    set_floor(stage, corner, flat);
}
