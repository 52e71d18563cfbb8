// SPDX-License-Identifier: MIT
// The camera: from pixels to rays and from points to pixels.
#ifndef OND_RENDER_CAMERA_H
#define OND_RENDER_CAMERA_H

#include "render/f3.h"

#include <stdbool.h>

typedef struct OndCamera {
    OndF3 eye;
    OndF3 right, up, forward; ///< unit, at right angles
    float half_width; ///< of the view, at distance 1 (perspective) or anywhere (orthographic)
    float half_height;
    bool flat; ///< orthographic
    int width, height;
} OndCamera;

typedef struct OndRay {
    OndF3 origin, direction; ///< unit direction
} OndRay;

/// Whether Embree can take a ray. Beyond these bounds Debian's build of it aborts the program.
static inline bool ond_ray_is_fit(const OndRay *ray)
{
    const float most = 1e18f; // Embree's own bound is 1.8e18
    const OndF3 o = ray->origin, d = ray->direction;
    return fabsf(o.x) < most && fabsf(o.y) < most && fabsf(o.z) < most && fabsf(d.x) < most &&
           fabsf(d.y) < most && fabsf(d.z) < most;
}

/// Looks along `forward`; the picture's upper edge leans towards `up`. Shape of the view from the
/// picture.
OndCamera ond_camera_aim(OndF3 eye, OndF3 forward, OndF3 up, int width, int height);

/// Opens the view: `fov` is the angle between its upper and lower edge in degrees.
void ond_camera_open(OndCamera *camera, float fov);

/// Moves the camera (and widens a flat one) so that all points lie inside the view, centred, and
/// fill `fill_x` of its width or `fill_y` of its height.
void ond_camera_fit(OndCamera *camera, const OndF3 *point, int count, float fill_x, float fill_y);

/// The ray through a place of the picture, in pixels from the upper left corner.
static inline OndRay ond_camera_ray(const OndCamera *c, float px, float py)
{
    const float sx = (2.0f * px / (float)c->width - 1.0f) * c->half_width;
    const float sy = (1.0f - 2.0f * py / (float)c->height) * c->half_height;
    const OndF3 aside = ond_f3_step(ond_f3_scale(c->right, sx), c->up, sy);
    if (c->flat) return (OndRay){ond_f3_add(c->eye, aside), c->forward};
    return (OndRay){c->eye, ond_f3_unit(ond_f3_add(c->forward, aside))};
}

/// Where a point falls in the picture (x, y in pixels) and how far along `forward` it lies (z).
/// With z <= 0 in a perspective view, x and y mean nothing.
static inline OndF3 ond_camera_project(const OndCamera *c, OndF3 point)
{
    const OndF3 d = ond_f3_sub(point, c->eye);
    const float z = ond_f3_dot(d, c->forward);
    const float w = c->flat ? 1.0f : z;
    return ond_f3((ond_f3_dot(d, c->right) / (w * c->half_width) + 1.0f) * 0.5f * (float)c->width,
                  (1.0f - ond_f3_dot(d, c->up) / (w * c->half_height)) * 0.5f * (float)c->height,
                  z);
}

/// Pixels that a length of 1 covers at distance z.
static inline float ond_camera_scale(const OndCamera *c, float z)
{
    return 0.5f * (float)c->height / (c->half_height * (c->flat ? 1.0f : z));
}

#endif
