// SPDX-License-Identifier: MIT
#include "view/window/face.h"

#include "base/clock.h"
#include "base/memory.h"
#include "io/font_find.h"
#include "io/formats/png.h"
#include "view/window/pixels.h"

#include <math.h>
#include <stdarg.h>
#include <string.h>
#include <unistd.h>

#define SAID_FOR 4000.0 // ms that a line is shown

struct OndFace {
    OndFaceDef def;
    OndDraw *draw;
    OndPanel *panel;
    char *font;
    const OndShown *shown; // of the source
    bool uploaded, any;    // that one; any at all
    int width, height;

    OndOrbit orbit;
    bool has_orbit;
    int style; // OndDrawStyle; -1: not chosen yet
    bool help, hidden, closed;
    int dirty;  // pictures that are owed: a panel needs two to follow
    bool saves; // the next picture goes into a file, too

    double x, y; // of the pointer
    bool inside, down[3], heard_down;

    char said[512];
    double said_at; // ms
    long long pictures;
    double seconds; // of a picture, smoothed

    long long last_asked; // number of the last input
    long long asked;      // of one that no picture showed yet; 0: none
    long long asked_at;   // states that had been shown then
    double asked_ms;
    long long news; // states that were shown
    long long
        most_pictures; // of other states, from an input to the one that shows it, that one included
    double most_ms;
    int inputs;
};

// ---- making it

static OndPanel *make_panel(OndFace *face, OndError *err)
{
    size_t size = 0;
    ond_font_read("DejaVu Sans Book", &face->font, &size, NULL); // else Dear ImGui's own is used
    return ond_panel_create(face->font, size, face->def.scale, err);
}

OndFace *ond_face_create(const OndFaceDef *def, OndError *err)
{
    OndFace *const face = OND_NEW(OndFace);
    if (!face) {
        ond_fail(err, OND_NO_MEMORY, "not enough memory for a window");
        return NULL;
    }
    face->def = *def;
    face->style = def->style;
    face->dirty = 2;
    face->draw = ond_draw_create(false, err);
    if (face->draw && !def->no_panel) face->panel = make_panel(face, err);
    if (face->draw && (face->panel || def->no_panel)) return face;
    ond_face_destroy(face);
    return NULL;
}

void ond_face_destroy(OndFace *face)
{
    if (!face) return;
    ond_panel_destroy(face->panel);
    ond_draw_destroy(face->draw, false);
    ond_free(face->font);
    ond_free(face);
}

// ---- small answers

const OndSource *ond_face_source(const OndFace *face, void **self)
{
    *self = face->def.self;
    return face->def.source;
}

OndOrbit *ond_face_orbit(OndFace *face)
{
    face->dirty = 2;
    return &face->orbit;
}

bool ond_face_closed(const OndFace *face)
{
    return face->closed;
}

double ond_face_rate(const OndFace *face)
{
    return face->seconds > 0.0 ? 1.0 / face->seconds : 0.0;
}

void ond_face_size(const OndFace *face, int *width, int *height)
{
    *width = face->width;
    *height = face->height;
}

void ond_face_say(OndFace *face, const char *format, ...)
{
    va_list parts;
    va_start(parts, format);
    vsnprintf(face->said, sizeof face->said, format, parts);
    va_end(parts);
    face->said_at = ond_now_ms();
    face->dirty = 2;
}

// ---- the eye

static double aspect_of(const OndFace *face)
{
    return face->height > 0 && face->width > 0 ? (double)face->width / face->height : 1.0;
}

// The orbit is that of a picture without a panel. What the panel and a bar leave free shows that picture, made
// smaller: so nothing is hidden, what turns, turns in the middle, and the camera that is kept is the right one.
static OndOrbit eye_of(const OndFace *face)
{
    const double tall = face->height > 0 ? face->height : 1, aspect = aspect_of(face);
    const bool there = face->panel && !face->hidden;
    double left = there ? ond_panel_wide(face->panel) / tall : 0.0; // shares of the height
    double below = there && face->def.source->bar ? ond_panel_bar(face->panel) / tall : 0.0;
    OndOrbit eye = face->orbit;
    if (left > 0.5 * aspect) left = 0.0;
    if (below > 0.5) below = 0.0;
    ond_orbit_zoom(&eye, 1.0 / fmin(1.0 - left / aspect, 1.0 - below));
    ond_orbit_pan(&eye, -0.5 * left, -0.5 * below);
    return eye;
}

OndPlayRay ond_face_ray(const OndFace *face, double x, double y)
{
    OndPlayRay ray = {{0, 0, 0}, {0, 0, -1}};
    const double w = face->width > 0 ? face->width : 1, h = face->height > 0 ? face->height : 1;
    const OndOrbit eye = eye_of(face);
    ond_orbit_ray(&eye, aspect_of(face), 2.0 * x / w - 1.0, 1.0 - 2.0 * y / h, ray.from,
                  ray.direction);
    return ray;
}

static void fit(OndFace *face)
{
    if (!face->shown) return;
    face->orbit = ond_orbit_fit(face->shown, aspect_of(face));
    face->has_orbit = true;
}

static void drag(OndFace *face, double dx, double dy)
{
    const double tall = face->height > 0 ? face->height : 1;
    const bool flat = face->shown && face->shown->dimension == 2;
    if (face->down[OND_BUTTON_MIDDLE] || (flat && face->down[OND_BUTTON_RIGHT]))
        ond_orbit_pan(&face->orbit, -dx / tall, dy / tall);
    else if (face->down[OND_BUTTON_RIGHT])
        ond_orbit_turn(&face->orbit, -4.0 * dx / tall, 4.0 * dy / tall);
}

// ---- events

// What the source does not show at once needs no picture before it does.
static void wait_for(OndFace *face, long long number)
{
    if (number <= 0) {
        face->dirty = 2;
        return;
    }
    ++face->inputs;
    face->last_asked = number;
    if (face->asked) return; // one at a time is measured
    face->asked = number;
    face->asked_at = face->news;
    face->asked_ms = ond_now_ms();
}

static void next_style(OndFace *face)
{
    face->style = (face->style + 1) % OND_DRAW_STYLES;
    ond_face_say(face, "drawn as %s", ond_draw_style_name((OndDrawStyle)face->style));
}

static void press(OndFace *face, int key)
{
    const OndSource *const source = face->def.source;
    const int owed = face->dirty;
    face->dirty = 2;
    switch (key) {
    case 'H':
        face->help = !face->help;
        break;
    case OND_KEY_ESCAPE:
        if (!face->help) face->closed = true;
        face->help = false;
        break;
    case 'Q':
        face->closed = true;
        break;
    case OND_KEY_TAB:
        face->hidden = !face->hidden;
        break;
    case 'F':
        fit(face);
        break;
    case 'V':
        next_style(face);
        break;
    case 'X':
        face->saves = true;
        break;
    case 'C':
        source->camera(face->def.self, face, &face->orbit);
        break;
    default:
        face->dirty = owed;
        wait_for(face, source->key(face->def.self, face, key));
        break;
    }
}

static void point(OndFace *face, OndPointer what)
{
    const OndSource *const source = face->def.source;
    const OndPlayRay ray = ond_face_ray(face, face->x, face->y);
    source->pointer(face->def.self, face, what, &ray);
}

static void button(OndFace *face, const OndEvent *e, bool over_panel)
{
    if (e->key < 0 || e->key > 2 || (e->down && over_panel)) return;
    if (face->down[e->key] == e->down) return;
    face->down[e->key] = e->down;
    if (e->key == OND_BUTTON_LEFT) point(face, e->down ? OND_POINTER_DOWN : OND_POINTER_UP);
}

static void move(OndFace *face, const OndEvent *e, bool over_panel)
{
    const bool held = face->down[0] || face->down[1] || face->down[2];
    drag(face, e->x - face->x, e->y - face->y);
    if (held || over_panel || !face->inside) face->dirty = 2;
    face->x = e->x;
    face->y = e->y;
    face->inside = !over_panel;
    if (face->down[OND_BUTTON_LEFT])
        point(face, OND_POINTER_MOVE);
    else if (!over_panel)
        point(face, OND_POINTER_HOVER);
}

// Of keys that are held down.
static bool repeats(int key)
{
    return key == OND_KEY_LEFT || key == OND_KEY_RIGHT;
}

void ond_face_event(OndFace *face, const OndEvent *e)
{
    if (face->panel) ond_panel_event(face->panel, e);
    const bool over = face->panel && ond_panel_wants_pointer(face->panel);
    const bool typing = face->panel && ond_panel_wants_keys(face->panel);
    if (e->kind != OND_EVENT_MOVE && e->kind != OND_EVENT_KEY) face->dirty = 2;
    switch (e->kind) {
    case OND_EVENT_KEY:
        if (typing)
            face->dirty = 2;
        else if (e->down && (!e->again || repeats(e->key)))
            press(face, e->key);
        break;
    case OND_EVENT_MOVE:
        move(face, e, over);
        break;
    case OND_EVENT_LEAVE:
        face->inside = false;
        break;
    case OND_EVENT_BUTTON:
        button(face, e, over);
        break;
    case OND_EVENT_WHEEL:
        if (!over) ond_orbit_zoom(&face->orbit, pow(0.9, e->y));
        break;
    case OND_EVENT_TEXT:
        break;
    }
}

// ---- what is new

static bool is_liquid(const OndShown *shown)
{
    return shown->particles > 0 && shown->look && strcmp(shown->look, "sand") != 0;
}

bool ond_face_look(OndFace *face, int width, int height)
{
    bool fresh = false;
    const OndShown *const shown = face->def.source->take(face->def.self, &fresh);
    if (fresh) {
        face->uploaded = false;
        ++face->news;
    }
    face->shown = shown;
    if (width != face->width || height != face->height) face->dirty = 2;
    face->width = width;
    face->height = height;
    if (shown && !face->has_orbit) fit(face);
    if (shown && face->style < 0)
        face->style = is_liquid(shown) ? OND_DRAW_SURFACE : OND_DRAW_SPHERES;
    if (face->said[0] && ond_now_ms() - face->said_at > SAID_FOR) {
        face->said[0] = '\0';
        face->dirty = 2;
    }
    return fresh || face->dirty > 0;
}

// ---- a picture

static void show_help(OndFace *face)
{
    char all[2048];
    snprintf(all, sizeof all,
             "%s"
             "right button\tturn the view (2D: move it)\n"
             "middle button\tmove the view\n"
             "wheel\tnearer, farther\n"
             "F\tsee all again\n"
             "V\tspheres or a smooth surface\n"
             "X\tsave the picture\n"
             "C\tkeep this view in the scene's file\n"
             "tab\thide the panel\n"
             "H\tthis help\n"
             "Q\tclose",
             face->def.source->help);
    ond_panel_open(face->panel, "help", OND_PANEL_MIDDLE);
    ond_panel_heading("Keys and mouse");
    ond_panel_lines(all, OND_TONE_PLAIN);
    ond_panel_close(face->panel);
}

// How it is drawn: for the panels of all sources.
void ond_face_style_choice(OndFace *face)
{
    const char *names[OND_DRAW_STYLES];
    for (int k = 0; k < OND_DRAW_STYLES; ++k)
        names[k] = ond_draw_style_name((OndDrawStyle)k);
    ond_panel_choice("drawn as", names, OND_DRAW_STYLES, &face->style);
}

static void show_panel(OndFace *face, double seconds)
{
    const OndSource *const source = face->def.source;
    ond_panel_begin(face->panel, face->width, face->height, seconds);
    if (!face->hidden) {
        ond_panel_open(face->panel, "panel", OND_PANEL_LEFT);
        source->panel(face->def.self, face);
        ond_panel_close(face->panel);
    }
    source->over(face->def.self, face, face->panel);
    if (face->said[0]) {
        ond_panel_open(face->panel, "said", OND_PANEL_TOP);
        ond_panel_lines(face->said, OND_TONE_PLAIN);
        ond_panel_close(face->panel);
    }
    if (face->help) show_help(face);
    ond_panel_end(face->panel);
}

static bool is_dark(const OndFace *face)
{
    if (face->def.backdrop >= 0) return face->def.backdrop == 0;
    if (face->shown && face->shown->backdrop > 0) return face->shown->backdrop == 2;
    return !face->shown || face->shown->dimension == 3;
}

static OndDrawStyle style_of(const OndFace *face)
{
    return face->style >= 0 ? (OndDrawStyle)face->style : OND_DRAW_SPHERES;
}

static OndDrawOptions options_of(const OndFace *face)
{
    const OndSource *const source = face->def.source;
    void *const self = face->def.self;
    OndDrawOptions o = {.width = face->width,
                        .height = face->height,
                        .style = style_of(face),
                        .palette = source->palette(self),
                        .look = source->look(self),
                        .dark = is_dark(face)};
    const bool pointed = face->inside || face->down[OND_BUTTON_LEFT];
    if (!source->tool(self, pointed, o.tool, &o.tool_radius)) o.tool_radius = 0.0;
    return o;
}

static void count_picture(OndFace *face, double seconds)
{
    ++face->pictures;
    face->seconds = face->seconds > 0.0 ? 0.9 * face->seconds + 0.1 * seconds : seconds;
    const OndSource *const source = face->def.source;
    if (!face->asked || source->heard(face->def.self) < face->asked) return;
    const long long pictures = face->news - face->asked_at;
    const double ms = ond_now_ms() - face->asked_ms;
    if (pictures > face->most_pictures) face->most_pictures = pictures;
    if (ms > face->most_ms) face->most_ms = ms;
    face->asked = 0;
}

// Into the folder where the command was started, under the first name that is free.
static void save_picture(OndFace *face)
{
    OndImage image = {0};
    OndError err = {0};
    char path[32];
    int number = 1;
    face->saves = false;
    do
        snprintf(path, sizeof path, "ondine-%04d.png", number);
    while (access(path, F_OK) == 0 && ++number < 10000);
    if (ond_image_resize(&image, face->width, face->height, &err) == OND_OK &&
        ond_pixels_read(&image, &err) == OND_OK && ond_png_write(path, &image, &err) == OND_OK)
        ond_face_say(face, "saved as %s", path);
    else
        ond_face_say(face, "not saved: %.400s", err.text);
    ond_image_free(&image);
}

static OndStatus draw_picture(OndFace *face, OndError *err)
{
    const OndDrawOptions options = options_of(face);
    const OndOrbit eye = eye_of(face);
    return ond_draw_picture(face->draw, &eye, &options, err);
}

OndStatus ond_face_draw(OndFace *face, double seconds, OndError *err)
{
    OndStatus status = OND_OK;
    if (face->dirty > 0) --face->dirty;
    if (face->width < 1 || face->height < 1) return OND_OK; // minimised
    if (face->shown && !face->uploaded) {
        status = ond_draw_upload(face->draw, face->shown, err);
        face->uploaded = face->any = status == OND_OK;
    }
    if (status == OND_OK && face->any) status = draw_picture(face, err);
    if (status == OND_OK && face->panel) show_panel(face, seconds);
    if (status == OND_OK) count_picture(face, seconds);
    if (status == OND_OK && face->saves) save_picture(face);
    return status;
}

bool ond_face_settled(const OndFace *face)
{
    return face->def.source->heard(face->def.self) >= face->last_asked;
}

// ---- for programs

static void report_values(const OndShown *shown, FILE *out)
{
    double low = INFINITY, high = -INFINITY, sum = 0.0;
    for (int k = 0; k < shown->particles; ++k) {
        const double value = shown->particle[4 * (size_t)k + 3];
        low = value < low ? value : low;
        high = value > high ? value : high;
        sum += value;
    }
    fprintf(out, "\"particles\":%d,\"riders\":%d,\"time_s\":%.9g,\n", shown->particles,
            shown->riders, shown->time);
    if (shown->particles > 0)
        fprintf(out,
                "\"value\":\"%s\",\"value_min\":%.9g,\"value_max\":%.9g,\"value_mean\":%.9g,\n",
                shown->value ? shown->value : "", low, high, sum / shown->particles);
}

void ond_face_report(const OndFace *face, FILE *out)
{
    if (face->shown) report_values(face->shown, out);
    face->def.source->report(face->def.self, out);
    fprintf(out, "\"style\":\"%s\",\"width\":%d,\"height\":%d,\"help\":%s,\n",
            ond_draw_style_name(style_of(face)), face->width, face->height,
            face->help ? "true" : "false");
    fprintf(
        out,
        "\"inputs\":%d,\"pictures\":%lld,\"pictures_until_shown\":%lld,\"ms_until_shown\":%.3g\n",
        face->inputs, face->pictures, face->most_pictures, face->most_ms);
}
