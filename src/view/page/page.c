// SPDX-License-Identifier: MIT
// The page's simulation and its picture, as JavaScript (web/src/stage.js) sees them: plain functions of numbers and
// texts. Everything runs in one thread, a worker's or the page's own.
#include "base/memory.h"
#include "view/draw/draw.h"
#include "view/play/play.h"

#include <emscripten.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#define WORD 32
#define WIDE 1.5 // width of a picture by its height in which a scene's camera sees what it should

typedef struct Page {
    OndPlay *play; // NULL: no scene yet
    OndDraw *draw; // NULL: no picture (yet, or its context was lost)
    OndShown shown;
    bool uploaded; // `shown` is what was uploaded
    OndOrbit orbit;
    OndDrawOptions options;
    char colour[WORD], look[WORD];
    double low, high; // of the colours; equal: by themselves
    OndError err;
} Page;

EMSCRIPTEN_KEEPALIVE Page *ond_page_create(void)
{
    Page *const page = OND_NEW(Page);
    if (page) page->options.width = page->options.height = 1;
    return page;
}

EMSCRIPTEN_KEEPALIVE const char *ond_page_error(const Page *page)
{
    return page->err.text;
}

static double aspect_of(const Page *page)
{
    return (double)page->options.width / (double)page->options.height;
}

// ---- scenes

static OndPlay *play_of(const char *text, const char *name, OndError *err)
{
    OndScene *const scene = ond_scene_create();
    OndPlay *play = NULL;
    if (!scene)
        ond_fail(err, OND_NO_MEMORY, "no memory for a scene");
    else if (ond_scene_text(scene, text, name, err) == OND_OK)
        play = ond_play_create(scene, err);
    ond_scene_destroy(scene);
    return play;
}

// What cannot be shown anew, as there is no memory, is seen as it was.
static bool show(Page *page)
{
    const bool good = ond_shown_sim(&page->shown, ond_play_sim(page->play), page->colour,
                                    (float)page->low, (float)page->high, &page->err) == OND_OK;
    if (good) page->uploaded = false;
    return good;
}

// A scene's own camera was meant for a wide picture: where it is narrower, the eye steps back.
EMSCRIPTEN_KEEPALIVE void ond_page_fit(Page *page)
{
    const double aspect = aspect_of(page);
    if (!page->play) return;
    page->orbit = ond_orbit_fit(&page->shown, aspect);
    if (page->shown.has_camera && aspect < WIDE) ond_orbit_zoom(&page->orbit, WIDE / aspect);
}

/// Plays another scene; false, with an error, leaves the one there was. `same`: it is that one with other walls, in which
/// what flows goes on.
EMSCRIPTEN_KEEPALIVE bool ond_page_open(Page *page, const char *text, const char *name, bool same)
{
    page->err = (OndError){0};
    OndPlay *const play = play_of(text, name, &page->err);
    if (!play) return false;
    if (same && page->play) ond_play_take_over(play, page->play);
    ond_play_destroy(page->play);
    page->play = play;
    ond_shown_clear(&page->shown);
    const bool good = show(page);
    if (!same) ond_page_fit(page);
    return good;
}

/// The scene with its dials, as a text that the caller frees.
EMSCRIPTEN_KEEPALIVE char *ond_page_yaml(Page *page)
{
    return page->play ? ond_play_yaml(page->play, &page->err) : NULL;
}

// ---- pictures

/// There is a context now; or, after one was lost, another.
EMSCRIPTEN_KEEPALIVE bool ond_page_context(Page *page)
{
    ond_draw_destroy(page->draw, true);
    page->uploaded = false;
    page->draw = ond_draw_create(true, &page->err);
    return page->draw != NULL;
}

EMSCRIPTEN_KEEPALIVE void ond_page_context_lost(Page *page)
{
    ond_draw_destroy(page->draw, true);
    page->draw = NULL;
}

EMSCRIPTEN_KEEPALIVE void ond_page_size(Page *page, int width, int height)
{
    const double before = aspect_of(page);
    page->options.width = width > 0 ? width : 1;
    page->options.height = height > 0 ? height : 1;
    if (aspect_of(page) != before) ond_page_fit(page);
}

EMSCRIPTEN_KEEPALIVE void ond_page_look(Page *page, bool surface, const char *look,
                                        const char *colour, double low, double high, bool dark)
{
    page->options.style = surface ? OND_DRAW_SURFACE : OND_DRAW_SPHERES;
    snprintf(page->look, sizeof page->look, "%s", look);
    page->options.look = page->look[0] ? page->look : NULL;
    snprintf(page->colour, sizeof page->colour, "%s", colour);
    page->low = low;
    page->high = high;
    page->options.dark = dark;
    if (page->play) show(page);
}

EMSCRIPTEN_KEEPALIVE bool ond_page_picture(Page *page)
{
    OndDrawOptions *const o = &page->options;
    if (!page->draw || !page->play) return true;
    if (!page->uploaded && ond_draw_upload(page->draw, &page->shown, &page->err) != OND_OK)
        return false;
    page->uploaded = true;
    o->tool_radius = 0.0;
    if (!ond_play_tool_place(page->play, o->tool, &o->tool_radius)) o->tool_radius = 0.0;
    return ond_draw_picture(page->draw, &page->orbit, o, &page->err) == OND_OK;
}

// ---- time

EMSCRIPTEN_KEEPALIVE bool ond_page_advance(Page *page, double seconds, double budget)
{
    page->err = (OndError){0};
    if (!page->play) return true;
    if (ond_play_advance(page->play, seconds, budget, &page->err) != OND_OK) return false;
    if (show(page)) return true;
    if (page->err.status != OND_NO_MEMORY) return false;
    ond_play_starve(page->play, &page->err);
    return true;
}

EMSCRIPTEN_KEEPALIVE void ond_page_key(Page *page, int key)
{
    if (page->play) ond_play_key(page->play, (OndPlayKey)key);
}

/// What OndPlayStats holds, and how many dimensions there are.
EMSCRIPTEN_KEEPALIVE double ond_page_stat(const Page *page, int which)
{
    OndPlayStats s = {0};
    if (page->play) ond_play_stats(page->play, &s);
    const double all[] = {(double)s.particles,
                          s.time,
                          s.step_ms,
                          s.steps,
                          s.rate,
                          (double)s.paused,
                          (double)s.burst,
                          page->shown.low,
                          page->shown.high,
                          page->shown.dimension};
    return which >= 0 && which < OND_COUNT(all) ? all[which] : 0.0;
}

/// What is coloured, and its unit.
EMSCRIPTEN_KEEPALIVE const char *ond_page_shown(const Page *page, bool unit)
{
    const char *const text = unit ? page->shown.unit : page->shown.value;
    return text ? text : "";
}

EMSCRIPTEN_KEEPALIVE const char *ond_page_message(const Page *page)
{
    return page->play ? ond_play_message(page->play, NULL) : "";
}

EMSCRIPTEN_KEEPALIVE double ond_page_messages(const Page *page)
{
    long long number = 0;
    if (page->play) ond_play_message(page->play, &number);
    return (double)number;
}

// ---- tools and the eye

/// At a point of the picture: x and y from -1 (left, bottom) to 1.
EMSCRIPTEN_KEEPALIVE void ond_page_pointer(Page *page, int what, double x, double y)
{
    OndPlayRay ray;
    if (!page->play) return;
    ond_orbit_ray(&page->orbit, aspect_of(page), x, y, ray.from, ray.direction);
    ond_play_pointer(page->play, (OndPointer)what, &ray);
}

/// Where a ray through a point of the picture meets z = 0: coordinate 0 or 1.
EMSCRIPTEN_KEEPALIVE double ond_page_meets(const Page *page, double x, double y, int axis)
{
    double from[3], direction[3];
    ond_orbit_ray(&page->orbit, aspect_of(page), x, y, from, direction);
    const double t = direction[2] != 0.0 ? -from[2] / direction[2] : 0.0;
    return from[axis == 1] + t * direction[axis == 1];
}

EMSCRIPTEN_KEEPALIVE bool ond_page_tool(Page *page, int tool)
{
    return page->play && ond_play_tool(page->play, (OndTool)tool);
}

EMSCRIPTEN_KEEPALIVE int ond_page_tool_now(const Page *page)
{
    return page->play ? (int)ond_play_tool_now(page->play) : 0;
}

/// NULL: there is no such tool.
EMSCRIPTEN_KEEPALIVE const char *ond_page_tool_name(int tool)
{
    return tool >= 0 && tool < OND_TOOLS ? ond_tool_name((OndTool)tool) : NULL;
}

EMSCRIPTEN_KEEPALIVE bool ond_page_tool_works(const Page *page, int tool)
{
    return page->play && ond_play_tool_works(page->play, (OndTool)tool);
}

EMSCRIPTEN_KEEPALIVE void ond_page_turn(Page *page, double yaw, double pitch)
{
    ond_orbit_turn(&page->orbit, yaw, pitch);
}

EMSCRIPTEN_KEEPALIVE void ond_page_pan(Page *page, double right, double up)
{
    ond_orbit_pan(&page->orbit, right, up);
}

EMSCRIPTEN_KEEPALIVE void ond_page_zoom(Page *page, double factor)
{
    ond_orbit_zoom(&page->orbit, factor);
}

// ---- dials

EMSCRIPTEN_KEEPALIVE int ond_page_dial_count(const Page *page)
{
    return page->play ? ond_play_dial_count(page->play) : 0;
}

/// Its name, label, unit, or why it does not work.
EMSCRIPTEN_KEEPALIVE const char *ond_page_dial_text(const Page *page, int dial, int which)
{
    OndDial d;
    if (!page->play || !ond_play_dial(page->play, dial, &d)) return "";
    const char *const all[] = {d.name, d.label, d.unit, d.why ? d.why : ""};
    return which >= 0 && which < OND_COUNT(all) ? all[which] : "";
}

/// Its least, most and own value; whether it is logarithmic, restarts, works.
EMSCRIPTEN_KEEPALIVE double ond_page_dial_number(const Page *page, int dial, int which)
{
    OndDial d;
    if (!page->play || !ond_play_dial(page->play, dial, &d)) return 0.0;
    const double all[] = {d.least, d.most, d.value, d.logarithmic, d.restarts, d.works};
    return which >= 0 && which < OND_COUNT(all) ? all[which] : 0.0;
}

EMSCRIPTEN_KEEPALIVE bool ond_page_set_dial(Page *page, const char *name, double value)
{
    page->err = (OndError){0};
    const int dial = page->play ? ond_play_find_dial(page->play, name) : -1;
    return dial >= 0 && ond_play_set_dial(page->play, dial, value, &page->err) == OND_OK;
}

// ---- what tests ask

/// Least, mean and largest value of a field of the particles (of a vector: of its length).
EMSCRIPTEN_KEEPALIVE double ond_page_field(const Page *page, const char *name, int which)
{
    OndFieldView v;
    if (!page->play || !ond_sim_find_field(ond_play_sim(page->play), OND_PARTICLES, name, &v) ||
        v.type != OND_F32 || v.count == 0)
        return NAN;
    double least = INFINITY, most = -INFINITY, sum = 0.0;
    for (int i = 0; i < v.count; ++i) {
        double square = 0.0;
        for (int c = 0; c < v.components; ++c)
            square += (double)((const float *)v.data[c])[i] * (double)((const float *)v.data[c])[i];
        const double value =
            v.components == 1 ? (double)((const float *)v.data[0])[i] : sqrt(square);
        least = fmin(least, value), most = fmax(most, value), sum += value;
    }
    return which == 0 ? least : which == 1 ? sum / v.count : most;
}
