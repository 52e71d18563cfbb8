// SPDX-License-Identifier: MIT
// The numbers of a picture: where it is seen from, its light, its colours.
#include "render/colour.h"
#include "render/styles.h"
#include "render/trace/trace_look.h"
#include "view/draw/draw_state.h"

#include <math.h>
#include <string.h>

#define LIQUID_RADIUS 1.12f // of half the spacing: balls that just hide the gaps of a lattice

static void put4(float out[4], float x, float y, float z, float w)
{
    out[0] = x, out[1] = y, out[2] = z, out[3] = w;
}

static void put_hex(float out[4], unsigned hex, float w)
{
    const OndF3 c = ond_colour_hex(hex);
    put4(out, c.x, c.y, c.z, w);
}

// ---- where it is seen from

static float half_diagonal(const OndShown *s)
{
    float square = 0.0f;
    for (int a = 0; a < 3; ++a)
        square += (s->max[a] - s->min[a]) * (s->max[a] - s->min[a]);
    const float half = 0.5f * sqrtf(square);
    return half > 0.0f && isfinite(half) ? half : 1.0f;
}

static void look_at(OndFrameBlock *f, const OndOrbit *o, bool flat)
{
    const double yaw = flat ? 0.0 : o->yaw, pitch = flat ? 0.0 : o->pitch;
    const double sy = sin(yaw), cy = cos(yaw), sp = sin(pitch), cp = cos(pitch);
    const double axis[3][3] = {{cy, 0, -sy}, {-sy * sp, cp, -cy * sp}, {sy * cp, sp, cy * cp}};
    memset(f->view, 0, sizeof f->view);
    for (int r = 0; r < 3; ++r) {
        double along = 0.0;
        for (int c = 0; c < 3; ++c) {
            const double eye = o->at[c] + o->distance * axis[2][c];
            f->view[4 * c + r] = (float)axis[r][c];
            f->eye[c] = (float)eye;
            along += axis[r][c] * eye;
        }
        f->view[12 + r] = (float)-along;
    }
    f->view[15] = 1.0f;
    f->eye[3] = flat ? 1.0f : 0.0f;
}

static void project(OndFrameBlock *f, const OndOrbit *o, double aspect, bool flat, float size)
{
    const float tall = (float)tan(0.5 * o->angle), distance = (float)o->distance;
    const float half = flat ? tall * distance : tall;
    const float far = distance + 40.0f * size, near = fmaxf(0.002f * distance, 1e-4f * size);
    put4(f->lens, half * (float)aspect, half, near, far);
    memset(f->clip, 0, sizeof f->clip);
    f->clip[0] = 1.0f / f->lens[0];
    f->clip[5] = 1.0f / f->lens[1];
    f->clip[10] = flat ? -2.0f / (far - near) : -(far + near) / (far - near);
    f->clip[14] = flat ? -(far + near) / (far - near) : -2.0f * far * near / (far - near);
    f->clip[flat ? 15 : 11] = flat ? 1.0f : -1.0f;
}

// ---- light and colours

// The lamp sees the ball round the domain: x and y from 0 to 1 across it, z from -1 to 1 along the light.
static void look_from_lamp(OndFrameBlock *f, const OndShown *s, OndF3 key, float size)
{
    OndF3 u, v;
    ond_f3_frame(key, &u, &v);
    const OndF3 axis[3] = {u, v, ond_f3_scale(key, -1.0f)};
    const OndF3 middle = ond_f3(0.5f * (s->min[0] + s->max[0]), 0.5f * (s->min[1] + s->max[1]),
                                0.5f * (s->min[2] + s->max[2]));
    memset(f->lamp, 0, sizeof f->lamp);
    for (int r = 0; r < 3; ++r) {
        const float scale = (r < 2 ? 0.5f : 1.0f) / (1.05f * size);
        f->lamp[r] = scale * axis[r].x;
        f->lamp[4 + r] = scale * axis[r].y;
        f->lamp[8 + r] = scale * axis[r].z;
        f->lamp[12 + r] = (r < 2 ? 0.5f : 0.0f) - scale * ond_f3_dot(axis[r], middle);
    }
    f->lamp[15] = 1.0f;
}

static void light(OndFrameBlock *f, const OndDrawShot *shot, const OndShown *s, float size)
{
    const OndF3 key = ond_f3_unit(ond_f3(-0.55f, 0.85f, 0.45f));
    look_from_lamp(f, s, key, size);
    put4(f->key, key.x, key.y, key.z, shot->dark ? 0.95f : 0.78f);
    if (shot->dark) {
        put_hex(f->sky_top, 0x0f1620, 1.0f);
        put_hex(f->sky_bottom, 0x2f3b4a, 0.0f);
        put_hex(f->ground, shot->flat ? 0x1c2530 : 0x4a5766, 0.0f);
        put_hex(f->line, 0xb9c8d8, 0.40f);
    } else {
        put_hex(f->sky_top, shot->flat ? 0xf3f5f7 : 0xbccada, 0.0f);
        put_hex(f->sky_bottom, shot->flat ? 0xe3e8ee : 0xe2e7ed, 0.0f);
        put_hex(f->ground, shot->flat ? 0xfdfdfe : 0xbfc3ca, 0.0f);
        put_hex(f->line, 0x46535f, 0.45f);
    }
}

static const OndLook *look_of(const OndDraw *draw, const OndDrawShot *shot)
{
    const char *const asked = shot->options->look ? shot->options->look : draw->shown.look;
    const int known = ond_look_find(asked);
    if (known != OND_LOOK_NONE) return ond_look(known);
    const bool plain = asked && strcmp(asked, "plain") == 0;
    return ond_look(ond_look_find(plain ? "paint" : "water"));
}

static bool is_plain(const OndDraw *draw)
{
    return !draw->shown.value || strcmp(draw->shown.value, "plain") == 0;
}

// Where the grid is, for all that it shades, and how much light it takes. What it carries looks as in pictures.
static void smoke(OndDraw *draw, const OndDrawShot *shot, float size, bool itself)
{
    static const struct {
        const char *name;
        float colour[3], loss;
    } kinds[] = {
#define SMOKE_KIND(number, name, r, g, b, loss, lean) {name, {r, g, b}, loss},
        OND_SMOKE_STYLES(SMOKE_KIND)};
    OndFrameBlock *const f = &draw->now;
    const OndShown *const s = &draw->shown;
    const char *const asked = shot->options->look ? shot->options->look : s->look;
    size_t k = 0;
    while (asked && k + 1 < sizeof kinds / sizeof kinds[0] && strcmp(asked, kinds[k].name) != 0)
        ++k;
    const bool known = asked && strcmp(asked, kinds[k].name) == 0;
    if (!known) k = 0;
    const bool fire = strcmp(kinds[k].name, "fire") == 0;
    const bool plain = asked && strcmp(asked, "plain") == 0;
    if (itself) {
        put4(f->base, kinds[k].colour[0], kinds[k].colour[1], kinds[k].colour[2],
             fire || plain ? 1.0f : 0.0f);
        f->look[0] = fire ? 5.0f : plain ? 1.5f : 0.0f;
    }
    put4(f->grid_low, s->origin[0], s->origin[1], s->origin[2], kinds[k].loss / size);
    put4(f->grid_high, s->origin[0] + s->cell * (float)s->cells[0],
         s->origin[1] + s->cell * (float)s->cells[1], s->origin[2] + s->cell * (float)s->cells[2],
         s->cell);
}

static bool is_value(const OndShown *s, const char *name)
{
    return s->value && strcmp(s->value, name) == 0;
}

static void colours(OndDraw *draw, const OndDrawShot *shot, float size)
{
    OndFrameBlock *const f = &draw->now;
    const OndShown *const s = &draw->shown;
    const OndLook *const look = look_of(draw, shot);
    const float range = s->high - s->low;
    const bool sand = s->look && strcmp(s->look, "sand") == 0;
    const bool own_colour = is_plain(draw) || (shot->style == OND_DRAW_SURFACE && !shot->flat &&
                                               look->kind != OND_LOOK_PAINT);
    const OndF3 water = ond_colour_hex(0x3d8fd6);
    const bool through = look->kind == OND_LOOK_CLEAR && shot->style == OND_DRAW_SURFACE;
    const OndF3 sea = ond_colour_hex(0x3f9fc4); // what the depth of water sends back
    const OndF3 own = through && !shot->flat                                         ? sea
                      : look->kind == OND_LOOK_CLEAR || look->kind == OND_LOOK_PAINT ? water
                                                                                     : look->colour;
    put4(f->ball, s->radius * (sand ? 1.0f : LIQUID_RADIUS), s->low,
         range > 0.0f ? 1.0f / range : 0.0f, shot->flat || !draw->floats ? 0.0f : 1.0f);
    put4(f->base, own.x, own.y, own.z, own_colour && !sand ? 0.0f : 1.0f);
    const bool waxy = look->kind == OND_LOOK_WAXY && look->depth > 0.03f;
    const bool clear = look->kind == OND_LOOK_CLEAR;
    put4(f->look, sand ? 0.05f : 0.55f, waxy ? 1.0f : 0.0f,
         clear ? (is_value(s, "rigidity") ? 2.0f : 1.0f) : 0.0f, through ? 0.55f : 0.9f);
    f->grid_high[3] = 0.0f;
    if (s->cells[0] > 0) smoke(draw, shot, size, s->particles == 0);
    if (clear)
        put4(f->absorb, 1.5f * look->inside.x / size, 1.5f * look->inside.y / size,
             1.5f * look->inside.z / size, (0.9f + 9.0f * look->haze) / size);
    else // what is hot is clearer, and shows the colour of light that went through
        put4(f->absorb, look->inside.x, look->inside.y, look->inside.z,
             waxy && is_value(s, "temperature") ? 0.6f : 0.0f);
    if (look->kind == OND_LOOK_GLOW && is_value(s, "temperature")) f->look[2] = -1.0f;
}

static void hand_on(const OndDraw *draw)
{
    glBindBuffer(GL_UNIFORM_BUFFER, draw->frame);
    glBufferData(GL_UNIFORM_BUFFER, sizeof draw->now, &draw->now, GL_STREAM_DRAW);
    glBindBufferBase(GL_UNIFORM_BUFFER, 0, draw->frame);
}

void ond_frame_fill(OndDraw *draw, const OndDrawShot *shot)
{
    OndFrameBlock *const f = &draw->now;
    const OndShown *const s = &draw->shown;
    const OndDrawOptions *const o = shot->options;
    const float size = half_diagonal(s);
    const double aspect = (double)o->width / o->height;
    look_at(f, shot->orbit, shot->flat);
    project(f, shot->orbit, aspect, shot->flat, size);
    light(f, shot, s, size);
    colours(draw, shot, size);
    put4(f->low, s->min[0], s->min[1], s->min[2], shot->flat ? 0.0f : 1.0f);
    put4(f->high, s->max[0], s->max[1], s->max[2], size);
    f->ground[3] = s->min[1] - 0.002f * size;
    if (f->eye[1] < f->ground[3]) f->low[3] = 0.0f; // seen from below there is no floor
    put4(f->picture, (float)o->width, (float)o->height, 1.0f / (float)o->width,
         1.0f / (float)o->height);
    put4(f->tool, (float)o->tool[0], (float)o->tool[1], (float)o->tool[2], (float)o->tool_radius);
    hand_on(draw);
}

void ond_frame_fill_smoke(OndDraw *draw, const OndDrawShot *shot)
{
    smoke(draw, shot, half_diagonal(&draw->shown), true);
    hand_on(draw);
}

// ---- palette

static const struct {
    const char *name;
    OndPalette palette;
} palettes[] = {{"water", OND_PALETTE_WATER}, {"lagoon", OND_PALETTE_LAGOON},
                {"heat", OND_PALETTE_HEAT},   {"depth", OND_PALETTE_DEPTH},
                {"frost", OND_PALETTE_FROST}, {"sand", OND_PALETTE_SAND}};

static int palette_named(const char *name)
{
    const int count = (int)(sizeof palettes / sizeof palettes[0]);
    for (int k = 0; name && k < count; ++k)
        if (strcmp(name, palettes[k].name) == 0) return k;
    return 0;
}

static const char *palette_for(const OndDraw *draw, const OndDrawShot *shot)
{
    const char *const value = draw->shown.value;
    if (shot->options->palette) return shot->options->palette;
    if (is_plain(draw)) return "sand";
    if (is_value(&draw->shown, "temperature")) return "heat";
    if (strcmp(value, "rigidity") == 0) return "frost";
    if (strcmp(value, "speed") == 0) return shot->dark ? "water" : "lagoon"; // white would be lost
    return "depth";
}

void ond_palette_choose(OndDraw *draw, const OndDrawShot *shot)
{
    const int which = palette_named(palette_for(draw, shot));
    ond_unit_set(OND_UNIT_PALETTE, GL_TEXTURE_2D, draw->palette);
    if (draw->palette_is == palettes[which].name) return;
    OndF3 map[OND_COLOUR_STEPS];
    unsigned char texel[OND_COLOUR_STEPS][4];
    ond_colour_map(palettes[which].palette, map);
    for (int k = 0; k < OND_COLOUR_STEPS; ++k) {
        const float c[3] = {map[k].x, map[k].y, map[k].z};
        for (int a = 0; a < 3; ++a)
            texel[k][a] = (unsigned char)(255.0f * ond_colour_gamma(c[a]) + 0.5f);
        texel[k][3] = 255;
    }
    glTexImage2D(GL_TEXTURE_2D, 0, GL_SRGB8_ALPHA8, OND_COLOUR_STEPS, 1, 0, GL_RGBA,
                 GL_UNSIGNED_BYTE, texel);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_LINEAR);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
    draw->palette_is = palettes[which].name;
}
