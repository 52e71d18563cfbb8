// SPDX-License-Identifier: MIT
// A picture for docs/hierarchy.md: one scene, one question, and for each structure the cells that
// it looks at.
//
//   ondine bench hash --picture docs/images/hierarchy-cells.png
//
// The scene has a few large objects, some middling and many small ones, and a corner with nothing
// in it.
#include "bench/bench_hash.h"

#include "base/memory.h"
#include "base/random.h"
#include "io/formats/png.h"
#include "render/text.h"

#define SIDE    64.0 // of the scene
#define PANEL   400  // pixels
#define GAP     20
#define TITLE   44
#define COLUMNS 3
#define ROWS    2
#define LARGE   4
#define MIDDLE  25
#define SMALL   260

typedef struct Colour {
    uint8_t rgb[3];
} Colour;

static const Colour paper = {{255, 255, 255}}, ink = {{40, 44, 52}}, thing = {{196, 200, 206}},
                    found = {{240, 150, 40}}, cell = {{40, 105, 200}}, question = {{205, 30, 45}};

typedef struct Panel {
    OndImage *image;
    int left, top;
    int cells, empty; // looked at so far
} Panel;

// ---- drawing

static void blend(OndImage *image, int x, int y, Colour c, float alpha)
{
    uint8_t *at = image->rgb + 3 * ((size_t)y * (size_t)image->width + (size_t)x);
    for (int k = 0; k < 3; ++k)
        at[k] = (uint8_t)((float)at[k] + alpha * ((float)c.rgb[k] - (float)at[k]) + 0.5f);
}

static int pixel(double at)
{
    const double p = at / SIDE * PANEL;
    return (int)(p < -1.0 ? -1.0 : p > PANEL ? PANEL : floor(p));
}

// Fills with one strength, draws the border with another; what is outside the panel is cut off.
static void draw_box(const Panel *p, const OndBox *box, Colour c, float inside, float border)
{
    const int x0 = pixel(box->min.x), x1 = pixel(box->max.x);
    const int y0 = PANEL - 1 - pixel(box->max.y), y1 = PANEL - 1 - pixel(box->min.y);
    for (int y = y0; y <= y1; ++y)
        for (int x = x0; x <= x1; ++x) {
            if (x < 0 || y < 0 || x >= PANEL || y >= PANEL) continue;
            const bool edge = x == x0 || x == x1 || y == y0 || y == y1;
            blend(p->image, p->left + x, p->top + y, c, edge ? border : inside);
        }
}

// ---- the scene

// Small and middling ones keep out of the upper right.
static OndBox object(int i)
{
    const uint64_t key = (uint64_t)i;
    const double size = i < LARGE ? 22.0 : i < LARGE + MIDDLE ? 6.0 : 1.6;
    const double w = size * (0.75 + 0.25 * (double)ond_random(key, 1));
    const double h = size * (0.75 + 0.25 * (double)ond_random(key, 2));
    double x = 0.0, y = 0.0;
    for (uint64_t attempt = 0; attempt < 50; ++attempt) {
        x = (SIDE - w) * (double)ond_random(key, 3 + 2 * attempt);
        y = (SIDE - h) * (double)ond_random(key, 4 + 2 * attempt);
        if (i < LARGE || x + w + y + h < 1.1 * SIDE) break;
    }
    return (OndBox){{x, y, 0}, {x + w, y + h, 0}};
}

static void show_cell(OndBox box, bool empty, void *context)
{
    Panel *p = context;
    ++p->cells;
    p->empty += empty;
    draw_box(p, &box, cell, empty ? 0.02f : 0.05f, empty ? 0.35f : 0.9f);
}

static OndStatus draw_panel(Panel *p, int kind, const OndBox *box, int count, OndText *text,
                            OndError *err)
{
    const OndBox asked = {{32.6, 33.6, 0}, {38.4, 38.6, 0}};
    OndHits hits = {0};
    OndSpace *space = ond_space_create((OndSpaceKind)kind, 2, err);
    if (!space) return OND_NO_MEMORY;
    OndStatus status = ond_space_set_boxes(space, box, count, err);
    for (int i = 0; i < count; ++i)
        draw_box(p, &box[i], thing, 0.45f, 1.0f);
    if (status == OND_OK) status = ond_space_touch(space, &asked, &hits, err);
    for (int k = 0; k < hits.count; ++k)
        draw_box(p, &box[hits.item[k]], found, 0.5f, 1.0f);
    if (status == OND_OK) status = ond_space_trace(space, &asked, show_cell, p, err);
    draw_box(p, &asked, question, 0.25f, 1.0f);
    const OndBox frame = {{0, 0, 0}, {SIDE - 1e-9, SIDE - 1e-9, 0}};
    draw_box(p, &frame, ink, 0.0f, 0.6f);
    char words[96];
    snprintf(words, sizeof words, "%s: %d looked at, %d in vain",
             ond_space_name((OndSpaceKind)kind), p->cells, p->empty);
    ond_text_draw(text, p->image, (float)p->left, (float)(p->top - 12), 17, words, ink.rgb, 1);
    ond_hits_free(&hits);
    ond_space_destroy(space);
    return status;
}

OndStatus ond_bench_hash_picture(const char *path, OndError *err)
{
    enum { count = LARGE + MIDDLE + SMALL };
    OndImage image = {0};
    OndBox *box = OND_NEW_ARRAY(OndBox, count);
    OndText *text = ond_text_open(NULL);
    OndStatus status =
        ond_image_resize(&image, COLUMNS * (PANEL + GAP) + GAP, ROWS * (PANEL + TITLE) + GAP, err);
    if (!box) status = ond_fail(err, OND_NO_MEMORY, "not enough memory for a picture");
    for (int k = 0; status == OND_OK && k < image.width * image.height; ++k)
        blend(&image, k % image.width, k / image.width, paper, 1.0f);
    for (int i = 0; i < count && status == OND_OK; ++i)
        box[i] = object(i);
    for (int kind = 0; kind < OND_SPACE_KINDS && status == OND_OK; ++kind) {
        Panel p = {&image, GAP + kind % COLUMNS * (PANEL + GAP),
                   TITLE + kind / COLUMNS * (PANEL + TITLE), 0, 0};
        status = draw_panel(&p, kind, box, count, text, err);
    }
    if (status == OND_OK) status = ond_png_write(path, &image, err);
    ond_text_close(text);
    ond_image_free(&image);
    ond_free(box);
    return status;
}
