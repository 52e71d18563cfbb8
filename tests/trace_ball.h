// SPDX-License-Identifier: MIT
// A ball on the floor of a box, and its picture by the ray tracer, for tests of pictures.
#ifndef OND_TESTS_TRACE_BALL_H
#define OND_TESTS_TRACE_BALL_H

#include "check.h"

#include "base/memory.h"
#include "render/trace/trace.h"
#include "render/trace/trace_look.h"

enum { RINGS = 24, CORNERS = (RINGS + 1) * 2 * RINGS, TRIANGLES = 4 * RINGS * RINGS };

// A ball on the floor of a box, hot below and cold above, solid on its right.
static inline OndSurface make_ball(double x, double radius)
{
    OndSurface s = {.dimension = 3, .spacing = 0.02, .time = 0.5, .domain = {{0, 0, 0}, {2, 1, 1}}};
    assert_int_equal(ond_mesh_make(&s.mesh, CORNERS, TRIANGLES, NULL), OND_OK);
    s.normal = OND_NEW_ARRAY(float, 3 * CORNERS);
    ond_fields_add(&s.attributes, "velocity", "m/s", OND_F32, 3, 0);
    ond_fields_add(&s.attributes, "temperature", "C", OND_F32, 1, 0);
    ond_fields_add(&s.attributes, "material", "", OND_U32, 1, 0);
    ond_fields_add(&s.attributes, "rigidity", "", OND_F32, 1, 0);
    assert_int_equal(ond_fields_reserve(&s.attributes, CORNERS, NULL), OND_OK);
    s.attributes.count = CORNERS;
    for (int i = 0; i < CORNERS; ++i) {
        const double down = M_PI * (i / (2 * RINGS)) / RINGS,
                     round = M_PI * (i % (2 * RINGS)) / RINGS;
        const double n[3] = {sin(down) * cos(round), cos(down), sin(down) * sin(round)};
        const double middle[3] = {x, radius + 0.05, 0.5};
        for (int k = 0; k < 3; ++k) {
            s.mesh.corner[3 * i + k] = (float)(middle[k] + radius * n[k]);
            s.normal[3 * i + k] = (float)n[k];
        }
        ((float *)s.attributes.field[1].data[0])[i] = (float)(900 - 300 * n[1]);
        ((float *)s.attributes.field[3].data[0])[i] = (float)(0.5 + 0.5 * n[0]);
    }
    for (int j = 0; j < RINGS; ++j)
        for (int i = 0; i < 2 * RINGS; ++i) {
            const uint32_t next = (uint32_t)((i + 1) % (2 * RINGS)),
                           row = (uint32_t)(j * 2 * RINGS);
            const uint32_t a = row + (uint32_t)i, b = row + next, c = a + 2 * RINGS,
                           d = b + 2 * RINGS;
            const uint32_t two[6] = {a, b, c, b, d, c};
            memcpy(s.mesh.triangle + 6 * (j * 2 * RINGS + i), two, sizeof two);
        }
    return s;
}

static inline void free_ball(OndSurface *s)
{
    ond_mesh_free(&s->mesh);
    ond_free(s->normal);
    ond_fields_free(&s->attributes);
}

static inline void set_speed(OndSurface *s, float speed)
{
    for (int i = 0; i < s->mesh.corner_count; ++i)
        ((float *)ond_fields_find(&s->attributes, "velocity")->data[0])[i] = speed;
}

static inline OndRenderDef make_def(const char *look)
{
    OndRenderDef def = ond_render_default_def();
    def.as = OND_AS_SURFACE;
    def.width = 96, def.height = 54;
    def.box = def.legend = def.time = false;
    def.linear = true;
    def.looks[0] = (uint8_t)ond_look_find(look);
    def.look_count = 1;
    return def;
}

// Draws, and hands back the linear picture's copy in `out` (freed by ond_linear_free).
static inline OndLinear draw(const OndRenderDef *def, const OndSurface *s, OndImage *image)
{
    OndError err = {0};
    OndImage own = {0};
    OndLinear copy = {0};
    OndRenderer *r = ond_render_create(def, &err);
    if (!r) fail_msg("no renderer: %s", err.text);
    if (ond_render_surface(r, s, NULL, image ? image : &own, &err) != OND_OK)
        fail_msg("no picture: %s", err.text);
    const OndLinear *from = ond_render_linear(r);
    const size_t pixels = (size_t)def->width * (size_t)def->height;
    assert_int_equal(ond_linear_resize(&copy, def->width, def->height, NULL), OND_OK);
    memcpy(copy.rgb, from->rgb, pixels * 12);
    memcpy(copy.depth, from->depth, pixels * 4);
    ond_render_destroy(r);
    ond_image_free(&own);
    return copy;
}

static inline float mean_of(const OndLinear *p, int x0, int y0, int x1, int y1, int channel)
{
    double sum = 0.0;
    for (int y = y0; y < y1; ++y)
        for (int x = x0; x < x1; ++x)
            sum += p->rgb[3 * (y * p->width + x) + channel];
    return (float)(sum / ((x1 - x0) * (y1 - y0)));
}

static inline float mean(const OndLinear *p, int channel)
{
    return mean_of(p, 0, 0, p->width, p->height, channel);
}

#endif
