// SPDX-License-Identifier: MIT
#include "lib/render_look.h"

#include "lib/fluid_look.h"
#include "render/of_scene.h"
#include "render/overlay.h"
#include "surface/of_scene.h"

#include <math.h>

#define SLOW_MOTION_ABOVE 60.0
#define SLOW_MOTION_FPS   30.0

static void surface_look(const OndSceneDef *scene, OndRenderDef *look)
{
    const OndPictureDef *r = ond_scene_picture(scene);
    const bool grains = ond_scene_method(scene)->grains;
    const bool surface =
        r->as == OND_AS_SURFACE || (r->as == OND_AS_AUTO && scene->dimension == 3 && !grains);
    look->as = surface ? OND_AS_SURFACE : OND_AS_PARTICLES;
    look->surface = ond_surface_def_of_scene(scene);
    look->quality = (OndQuality)r->quality;
    look->paint = r->paint;
    look->backdrop = (OndBackdrop)r->backdrop;
    look->shutter = r->motion_blur / scene->frame_rate;
    look->lens = r->lens;
    look->focus = r->focus;
    for (int f = 0; f < scene->fluids.count && f < OND_LOOKS_MAX; ++f)
        look->looks[look->look_count++] =
            (uint8_t)ond_fluid_look(ond_scene_fluid(scene, f), grains);
}

// Grains are seen one by one, in the size they have.
static void grain_look(const OndSceneDef *scene, OndRenderDef *look)
{
    look->grains = true;
    look->radius = 0.5 * scene->spacing;
    if (!ond_node_get(ond_scene_picture(scene)->node, "colour")) look->colour = OND_COLOUR_PLAIN;
}

static void smoke_look(const OndSceneDef *scene, OndSmokeLook *look)
{
    const OndSmokeSection *const s = &ond_scene_picture(scene)->smoke;
    const char *name = scene->fluids.count > 0 ? ond_scene_fluid(scene, 0)->name : "";
    look->kind = s->look == OND_SMOKE_AUTO ? ond_smoke_named(name) : (OndSmokeKind)s->look;
    look->has_colour = ond_node_get(s->node, "colour");
    look->colour = s->colour;
    look->extinction = s->extinction;
    if (s->node) look->glow = s->glow;
}

// Something that is seen besides tracers.
static bool carries_something(const OndSceneDef *scene)
{
    bool something = scene->emitters.count > 0 || scene->sources.count > 0;
    for (int f = 0; f < scene->fluids.count; ++f)
        something = something || ond_scene_fluid(scene, f)->shape.which >= 0;
    return something;
}

static OndDrawn grid_drawn(const OndSceneDef *scene)
{
    const OndDrawn as = (OndDrawn)ond_scene_picture(scene)->as;
    const bool drifting =
        scene->tracers.count > 0 && (ond_scene_method(scene)->unseen || !carries_something(scene));
    switch (as) {
    case OND_AS_PARTICLES:
    case OND_AS_SLICE:
    case OND_AS_ARROWS:
    case OND_AS_STREAMLINES:
        return as;
    default:
        if (drifting && as == OND_AS_AUTO) return OND_AS_PARTICLES;
        return scene->dimension == 3 ? OND_AS_VOLUME : OND_AS_SLICE;
    }
}

static void grid_look(const OndSceneDef *scene, OndRenderDef *look)
{
    const OndPictureDef *r = ond_scene_picture(scene);
    look->as = grid_drawn(scene);
    smoke_look(scene, &look->smoke);
    if (!ond_node_get(r->node, "colour") && look->as != OND_AS_PARTICLES)
        look->colour = OND_COLOUR_DENSITY;
    look->slice_axis = r->slice;
    look->slice_middle = !ond_node_get(r->node, "slice_at");
    look->slice_at = r->slice_at;
    look->arrows = r->arrows;
    look->streamlines = r->streamlines;
}

OndRenderDef ond_look_of_scene(const OndSceneDef *scene)
{
    const OndPictureDef *const r = ond_scene_picture(scene);
    const OndCameraDef *const camera = ond_scene_camera(scene);
    OndRenderDef look = ond_render_default_def();
    look.width = r->width;
    look.height = r->height;
    look.colour = (OndColour)r->colour;
    look.range_min = r->min;
    look.range_max = r->max;
    look.legend = r->legend;
    look.title = scene->title;
    surface_look(scene, &look);
    if (scene->has_grid) grid_look(scene, &look);
    if (ond_scene_method(scene)->grains) grain_look(scene, &look);
    if (camera->node) {
        look.fit = false;
        look.camera_from = camera->from;
        look.camera_to = camera->to;
        look.fov = camera->fov;
    }
    return look;
}

static OndVec position(const OndFrame *frame, int i)
{
    const OndField *x = ond_fields_find(&frame->particles, "position");
    return ond_vec(((const float *)x->data[0])[i], ((const float *)x->data[1])[i],
                   ((const float *)x->data[2])[i]);
}

// Lowest and highest potential -g x of the liquid and its openings; the domain's floor counts.
static double fall(const OndSceneDef *scene, const OndFrame *first)
{
    double low = INFINITY, high = -INFINITY;
    for (int i = 0; i < first->particles.count; ++i) {
        const double p = -ond_dot(scene->gravity, position(first, i));
        low = fmin(low, p);
        high = fmax(high, p);
    }
    for (int e = 0; e < scene->emitters.count; ++e) {
        const double p = -ond_dot(scene->gravity, ond_scene_emitter(scene, e)->center);
        low = fmin(low, p);
        high = fmax(high, p);
    }
    for (int c = 0; scene->has_domain && c < 8; ++c) {
        const OndDomainDef *d = &scene->domain;
        const OndVec corner = ond_vec(c & 1 ? d->max.x : d->min.x, c & 2 ? d->max.y : d->min.y,
                                      c & 4 ? d->max.z : d->min.z);
        low = fmin(low, -ond_dot(scene->gravity, corner));
    }
    return high > low ? high - low : 0.0;
}

static double start_speed(const OndSceneDef *scene, const OndFrame *first)
{
    const OndField *v = ond_fields_find(&first->particles, "velocity");
    double fastest = 0.0;
    for (int i = 0; v && i < first->particles.count; ++i) {
        const OndVec u = ond_vec(((const float *)v->data[0])[i], ((const float *)v->data[1])[i],
                                 ((const float *)v->data[2])[i]);
        fastest = fmax(fastest, ond_length(u));
    }
    for (int e = 0; e < scene->emitters.count; ++e) {
        const OndEmitterDef *d = ond_scene_emitter(scene, e);
        const double area =
            d->shape == OND_EMITTER_DISC
                ? (scene->dimension == 2 ? 2.0 * d->radius : M_PI * d->radius * d->radius)
                : (scene->dimension == 2 ? d->width : d->width * d->height);
        if (area > 0.0) fastest = fmax(fastest, d->rate / area);
    }
    return fastest;
}

// What moves a weightless drop: surface tension, over a length of some ten particles.
static double tension_speed(const OndSceneDef *scene)
{
    double most = 0.0;
    for (int f = 0; f < scene->fluids.count; ++f) {
        const OndFluidDef *fluid = ond_scene_fluid(scene, f);
        most = fmax(most, fluid->tension / (fluid->density * 10.0 * scene->spacing));
    }
    return sqrt(most);
}

static void speed_range(const OndSceneDef *scene, const OndFrame *first, OndRenderDef *look)
{
    const double start = start_speed(scene, first);
    double top = sqrt(start * start + 2.0 * fall(scene, first));
    if (top == 0.0) top = tension_speed(scene);
    look->range_max = top;
}

static void fluid_range(const OndSceneDef *scene, OndRenderDef *look)
{
    double low = INFINITY, high = -INFINITY;
    for (int f = 0; f < scene->fluids.count; ++f) {
        const OndFluidDef *fluid = ond_scene_fluid(scene, f);
        const bool density = look->colour == OND_COLOUR_DENSITY;
        low = fmin(low, density ? 0.95 * fluid->density : fluid->temperature);
        high = fmax(high, density ? 1.05 * fluid->density : fluid->temperature);
    }
    if (!(high > low)) return; // one temperature: each frame's own range will do
    look->range_min = low;
    look->range_max = high;
}

// A stream is fastest beside what stands in it: about half as fast again.
static double stream_speed(const OndSceneDef *scene, const OndFrame *first)
{
    double most = start_speed(scene, first);
    for (int side = 0; side < 2 * scene->dimension; ++side) {
        const float *const v = scene->domain.side[side].velocity;
        most = fmax(most, sqrt((double)v[0] * v[0] + (double)v[1] * v[1] + (double)v[2] * v[2]));
    }
    double low = INFINITY, high = -INFINITY;
    if (ond_render_range(first, OND_COLOUR_SPEED, &low, &high)) most = fmax(most, high);
    for (int k = 0; k < scene->sources.count; ++k)
        most = fmax(most, ond_length(ond_scene_source(scene, k)->velocity));
    return 1.5 * most;
}

// What is carried has a density of 1. Where nothing tells the speed (warm air rises), and for the
// rest, each frame has its own range.
static void grid_range(const OndSceneDef *scene, const OndFrame *first, OndRenderDef *look)
{
    if (look->colour == OND_COLOUR_DENSITY) look->range_max = 1.0;
    if (look->colour != OND_COLOUR_SPEED) return;
    look->range_max = stream_speed(scene, first);
    if (look->range_max > 0.0) ond_overlay_round(&look->range_min, &look->range_max);
}

void ond_look_forecast(const OndSceneDef *scene, const OndFrame *first, OndRenderDef *look)
{
    if (look->range_min != 0.0 || look->range_max != 0.0) return;
    if (scene->has_grid) {
        grid_range(scene, first, look);
        return;
    }
    if (look->colour == OND_COLOUR_SPEED)
        speed_range(scene, first, look);
    else if (look->colour == OND_COLOUR_RIGIDITY)
        look->range_max = 1.0; // from liquid to solid
    else if (look->colour != OND_COLOUR_PLAIN)
        fluid_range(scene, look);
    if (look->range_max > look->range_min) ond_overlay_round(&look->range_min, &look->range_max);
}

double ond_look_fps(double frame_rate)
{
    if (frame_rate > SLOW_MOTION_ABOVE) return SLOW_MOTION_FPS;
    return frame_rate < 1.0 ? 1.0 : frame_rate;
}
