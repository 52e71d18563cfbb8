// SPDX-License-Identifier: MIT
#include "render/camera.h"

OndCamera ond_camera_aim(OndF3 eye, OndF3 forward, OndF3 up, int width, int height)
{
    OndCamera c = {.eye = eye, .forward = ond_f3_unit(forward), .width = width, .height = height};
    c.right = ond_f3_unit(ond_f3_cross(c.forward, up));
    if (ond_f3_dot(c.right, c.right) < 0.5f) // looks straight up or down
        ond_f3_frame(c.forward, &c.right, &c.up);
    c.up = ond_f3_cross(c.right, c.forward);
    c.half_height = 1.0f;
    c.half_width = (float)width / (float)height;
    return c;
}

void ond_camera_open(OndCamera *camera, float fov)
{
    camera->half_height = tanf(0.5f * fov * 0.01745329252f);
    camera->half_width = camera->half_height * (float)camera->width / (float)camera->height;
}

typedef struct Extent {
    float min, max;
} Extent;

static Extent extent_along(const OndF3 *point, int count, OndF3 eye, OndF3 axis)
{
    Extent e = {INFINITY, -INFINITY};
    for (int i = 0; i < count; ++i) {
        const float d = ond_f3_dot(ond_f3_sub(point[i], eye), axis);
        e.min = fminf(e.min, d);
        e.max = fmaxf(e.max, d);
    }
    return e;
}

static void fit_flat(OndCamera *c, const OndF3 *point, int count, float fill_x, float fill_y)
{
    const Extent x = extent_along(point, count, c->eye, c->right);
    const Extent y = extent_along(point, count, c->eye, c->up);
    const float aspect = (float)c->width / (float)c->height;
    const float by_height = 0.5f * (y.max - y.min) / fill_y;
    const float by_width = 0.5f * (x.max - x.min) / (fill_x * aspect);
    c->half_height = fmaxf(fmaxf(by_height, by_width), 1e-6f);
    c->half_width = c->half_height * aspect;
    c->eye = ond_f3_step(c->eye, c->right, 0.5f * (x.min + x.max));
    c->eye = ond_f3_step(c->eye, c->up, 0.5f * (y.min + y.max));
}

// Shift sideways that centres the points along one axis of the picture, and the distance to step
// back.
static float centre(const OndCamera *c, const OndF3 *point, int count, OndF3 axis, float half,
                    float *back)
{
    Extent s = {INFINITY, -INFINITY};
    *back = -INFINITY;
    float depth = 0.0f;
    for (int i = 0; i < count; ++i) {
        const OndF3 d = ond_f3_sub(point[i], c->eye);
        const float z = ond_f3_dot(d, c->forward), x = ond_f3_dot(d, axis);
        *back = fmaxf(*back, fabsf(x) / half - z);
        s.min = fminf(s.min, x / fmaxf(z, 1e-3f));
        s.max = fmaxf(s.max, x / fmaxf(z, 1e-3f));
        depth += z / (float)count;
    }
    return 0.5f * (s.min + s.max) * fmaxf(depth, 1e-3f);
}

static void fit_perspective(OndCamera *c, const OndF3 *point, int count, float fill_x, float fill_y)
{
    const Extent z = extent_along(point, count, c->eye, c->forward);
    c->eye =
        ond_f3_step(c->eye, c->forward, z.min - 4.0f); // in front of all, then closer in rounds
    for (int round = 0; round < 12; ++round) {
        float back_x, back_y;
        const float x = centre(c, point, count, c->right, c->half_width * fill_x, &back_x);
        const float y = centre(c, point, count, c->up, c->half_height * fill_y, &back_y);
        c->eye = ond_f3_step(c->eye, c->forward, -fmaxf(back_x, back_y));
        if (round == 11) break; // the last word is the distance: nothing may be cut off
        c->eye = ond_f3_step(c->eye, c->right, x);
        c->eye = ond_f3_step(c->eye, c->up, y);
    }
}

void ond_camera_fit(OndCamera *camera, const OndF3 *point, int count, float fill_x, float fill_y)
{
    if (count <= 0) return;
    if (camera->flat)
        fit_flat(camera, point, count, fill_x, fill_y);
    else
        fit_perspective(camera, point, count, fill_x, fill_y);
}
