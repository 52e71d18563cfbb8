// SPDX-License-Identifier: MIT
// The camera that a hand turns: it looks at a point, from a distance, upright.
#include "render/camera.h"
#include "view/draw/draw.h"

#include <math.h>

#define STEEPEST    1.55 // rad: upright is lost at a quarter turn
#define NEAREST     1e-4 // m
#define FARTHEST    1e7  // m
#define USUAL_ANGLE 28.0 // degrees, as pictures have it
#define RADIAN      0.017453292519943295

static double clamp(double x, double low, double high)
{
    return x > low ? (x < high ? x : high) : low; // NaN becomes `low`
}

// From what is looked at to the eye, and the picture's axes; all one long.
typedef struct OrbitFrame {
    double back[3], right[3], up[3];
} OrbitFrame;

static OrbitFrame frame_of(const OndOrbit *o)
{
    const double sy = sin(o->yaw), cy = cos(o->yaw), sp = sin(o->pitch), cp = cos(o->pitch);
    return (OrbitFrame){{sy * cp, sp, cy * cp}, {cy, 0.0, -sy}, {-sy * sp, cp, -cy * sp}};
}

// ---- fitting

// The corners of a box, moved and scaled so that half its diagonal is one.
static double unit_corners(const OndShown *shown, OndF3 corner[8], double middle[3])
{
    double half = 0.0;
    for (int a = 0; a < 3; ++a) {
        const double low = shown->min[a], high = shown->max[a];
        middle[a] = 0.5 * (low + high);
        half += 0.25 * (high - low) * (high - low);
    }
    half = half > 0.0 && isfinite(half) ? sqrt(half) : 1.0;
    for (int k = 0; k < 8; ++k) {
        float p[3];
        for (int a = 0; a < 3; ++a)
            p[a] = (float)(((k >> a & 1 ? shown->max[a] : shown->min[a]) - middle[a]) / half);
        corner[k] = ond_f3(p[0], p[1], p[2]);
    }
    return half;
}

static OndOrbit fit_flat(const OndF3 corner[8], const double middle[3], double half, double aspect)
{
    OndCamera c = ond_camera_aim(ond_f3(0, 0, 10), ond_f3(0, 0, -1), ond_f3(0, 1, 0),
                                 (int)(1000.0 * aspect), 1000);
    c.flat = true;
    ond_camera_fit(&c, corner, 8, 0.92f, 0.88f);
    OndOrbit o = {.angle = USUAL_ANGLE * RADIAN};
    o.at[0] = middle[0] + half * c.eye.x, o.at[1] = middle[1] + half * c.eye.y;
    o.distance = half * c.half_height / tan(0.5 * o.angle);
    return o;
}

// The point looked at is where the middle of the box lies along the view.
static OndOrbit fit_round(const OndF3 corner[8], const double middle[3], double half, double aspect)
{
    const OndF3 away =
        ond_f3_unit(ond_f3(0.38f, 0.34f, 1.0f)); // as the pictures of `ondine render`
    OndCamera c = ond_camera_aim(ond_f3(0, 0, 0), ond_f3_scale(away, -1.0f), ond_f3(0, 1, 0),
                                 (int)(1000.0 * aspect), 1000);
    ond_camera_open(&c, (float)USUAL_ANGLE);
    ond_camera_fit(&c, corner, 8, 0.88f, 0.80f);
    const double along = -ond_f3_dot(c.eye, c.forward);
    const float eye[3] = {c.eye.x, c.eye.y, c.eye.z};
    const float forward[3] = {c.forward.x, c.forward.y, c.forward.z};
    OndOrbit o = {.yaw = atan2(away.x, away.z),
                  .pitch = asin(away.y),
                  .distance = half * along,
                  .angle = USUAL_ANGLE * RADIAN};
    for (int a = 0; a < 3; ++a)
        o.at[a] = middle[a] + half * (eye[a] + along * forward[a]);
    return o;
}

static bool as_scene_says(const OndShown *shown, OndOrbit *o)
{
    double way[3], square = 0.0;
    for (int a = 0; a < 3; ++a) {
        way[a] = shown->camera_from[a] - shown->camera_to[a];
        square += way[a] * way[a];
    }
    if (!shown->has_camera || !(square > 0.0 && square < FARTHEST * FARTHEST)) return false;
    *o = (OndOrbit){.distance = sqrt(square), .angle = RADIAN * clamp(shown->camera_angle, 1, 150)};
    for (int a = 0; a < 3; ++a)
        o->at[a] = shown->camera_to[a];
    if (shown->dimension == 2) {
        o->at[2] = 0.0;
        return true;
    }
    o->yaw = atan2(way[0], way[2]);
    o->pitch = clamp(asin(way[1] / o->distance), -STEEPEST, STEEPEST);
    return true;
}

OndOrbit ond_orbit_fit(const OndShown *shown, double aspect)
{
    OndF3 corner[8];
    OndOrbit o;
    double middle[3];
    aspect = clamp(aspect, 0.01, 100.0);
    if (as_scene_says(shown, &o)) return o;
    const double half = unit_corners(shown, corner, middle);
    return shown->dimension == 2 ? fit_flat(corner, middle, half, aspect)
                                 : fit_round(corner, middle, half, aspect);
}

// ---- by hand

void ond_orbit_turn(OndOrbit *orbit, double yaw, double pitch)
{
    orbit->yaw = remainder(orbit->yaw + yaw, 2.0 * M_PI);
    orbit->pitch = clamp(orbit->pitch + pitch, -STEEPEST, STEEPEST);
}

void ond_orbit_pan(OndOrbit *orbit, double right, double up)
{
    const OrbitFrame f = frame_of(orbit);
    const double height = 2.0 * orbit->distance * tan(0.5 * orbit->angle);
    for (int a = 0; a < 3; ++a)
        orbit->at[a] += height * (right * f.right[a] + up * f.up[a]);
}

void ond_orbit_zoom(OndOrbit *orbit, double factor)
{
    orbit->distance = clamp(orbit->distance * factor, NEAREST, FARTHEST);
}

void ond_orbit_ray(const OndOrbit *orbit, double aspect, double x, double y, double from[3],
                   double direction[3])
{
    const OrbitFrame f = frame_of(orbit);
    const double tall = tan(0.5 * orbit->angle), wide = tall * aspect;
    const double length = sqrt(1.0 + x * wide * x * wide + y * tall * y * tall);
    for (int a = 0; a < 3; ++a) {
        from[a] = orbit->at[a] + orbit->distance * f.back[a];
        direction[a] = (x * wide * f.right[a] + y * tall * f.up[a] - f.back[a]) / length;
    }
}
