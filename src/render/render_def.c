// SPDX-License-Identifier: MIT
#include "render/render_def.h"

#include "render/quantity.h"
#include "render/spheres/band.h"
#include "render/trace/trace_look.h"

#define FARTHEST 1e12 // m; a camera's coordinates
#define COOKIE   0x52454E44u

OndRenderDef ond_render_default_def(void)
{
    return (OndRenderDef){.width = 1280,
                          .height = 720,
                          .colour = OND_COLOUR_SPEED,
                          .as = OND_AS_PARTICLES,
                          .fit = true,
                          .up = {0, 1, 0},
                          .fov = 28.0,
                          .samples = 4,
                          .legend = true,
                          .time = true,
                          .box = true,
                          .slice_axis = 2,
                          .slice_middle = true,
                          .surface = ond_surface_default_def(),
                          .smoke = {.kind = OND_SMOKE_GREY, .glow = 1.0},
                          .cookie = COOKIE};
}

static bool is_point(OndVec v)
{
    return fabs(v.x) <= FARTHEST && fabs(v.y) <= FARTHEST && fabs(v.z) <= FARTHEST;
}

static OndStatus check_view(const OndRenderDef *d, OndError *err)
{
    if (!(d->fov >= 1.0 && d->fov <= 150.0))
        return ond_fail(err, OND_BAD_VALUE,
                        "a camera's angle of %g degrees cannot be drawn; accepted: 1 to 150",
                        d->fov);
    if (!is_point(d->camera_from) || !is_point(d->camera_to) || !is_point(d->up))
        return ond_fail(err, OND_BAD_VALUE,
                        "the camera's place or direction is not a number, or beyond %g m",
                        FARTHEST);
    if (!(ond_length(d->up) > 0.0))
        return ond_fail(err, OND_BAD_VALUE,
                        "the camera's up direction is 0; give one, such as [0, 1, 0]");
    if (!d->fit && !(ond_length(ond_sub(d->camera_from, d->camera_to)) > 0.0))
        return ond_fail(err, OND_BAD_VALUE,
                        "the camera stands where it looks at (%g, %g, %g); move one of the two",
                        d->camera_to.x, d->camera_to.y, d->camera_to.z);
    return OND_OK;
}

OndStatus ond_render_check(const OndRenderDef *d, OndError *err)
{
    if (d->cookie != COOKIE)
        return ond_fail(err, OND_BAD_VALUE,
                        "OndRenderDef was not made by ond_render_default_def()");
    const int most = OND_IMAGE_SIDE_MAX;
    if (d->width < 1 || d->height < 1 || d->width > most || d->height > most)
        return ond_fail(err, OND_BAD_VALUE,
                        "a picture of %d x %d pixels cannot be drawn; each side must be 1 to %d",
                        d->width, d->height, most);
    if (d->samples < 1 || d->samples > OND_SAMPLES_MAX)
        return ond_fail(err, OND_BAD_VALUE,
                        "%d samples a pixel are not possible; accepted: 1 to %d", d->samples,
                        OND_SAMPLES_MAX);
    if (!ond_quantity(d->colour))
        return ond_fail(err, OND_BAD_VALUE, "there is no colour choice number %d", (int)d->colour);
    if (!isfinite(d->range_min) || !isfinite(d->range_max) || d->range_min > d->range_max)
        return ond_fail(err, OND_BAD_VALUE,
                        "the colours' range from %g to %g is empty; its lower end must come first",
                        d->range_min, d->range_max);
    if (!(d->radius >= 0.0 && d->radius < 1e12))
        return ond_fail(err, OND_BAD_VALUE,
                        "a particle radius of %g m cannot be drawn; give 0 or more", d->radius);
    return check_view(d, err);
}

OndStatus ond_render_check_trace(const OndRenderDef *d, OndError *err)
{
    if ((int)d->quality < 0 || (int)d->quality > OND_QUALITY_BEST)
        return ond_fail(err, OND_BAD_VALUE, "there is no quality number %d", (int)d->quality);
    if (!(d->shutter >= 0.0 && d->shutter < 1e6))
        return ond_fail(err, OND_BAD_VALUE,
                        "a shutter that is open for %g s cannot be drawn; give 0 or more",
                        d->shutter);
    if (d->lens != 0.0 && !(d->lens >= 0.1 && d->lens <= 1000.0))
        return ond_fail(err, OND_BAD_VALUE,
                        "a lens of f-number %g cannot be drawn; accepted: 0.1 to 1000, or 0 for "
                        "everything sharp",
                        d->lens);
    if (!(d->focus >= 0.0 && d->focus <= FARTHEST))
        return ond_fail(err, OND_BAD_VALUE,
                        "a focus at %g m cannot be drawn; give 0 (automatic) or more", d->focus);
    if ((int)d->smoke.kind < 0 || d->smoke.kind >= OND_SMOKE_KINDS)
        return ond_fail(err, OND_BAD_VALUE, "there is no smoke number %d", (int)d->smoke.kind);
    if (!(d->smoke.extinction >= 0.0 && d->smoke.extinction <= 1e9))
        return ond_fail(
            err, OND_BAD_VALUE,
            "smoke that takes %g of the light per metre cannot be drawn; give 0 (by the "
            "scene's size) to 1e9",
            d->smoke.extinction);
    if (!(d->smoke.glow >= 0.0 && d->smoke.glow <= 1e3))
        return ond_fail(err, OND_BAD_VALUE, "a glow of %g cannot be drawn; give 0 to 1000",
                        d->smoke.glow);
    if (d->look_count < 0 || d->look_count > OND_LOOKS_MAX)
        return ond_fail(err, OND_BAD_VALUE, "looks for %d materials cannot be kept; at most %d",
                        d->look_count, OND_LOOKS_MAX);
    return OND_OK;
}
