// SPDX-License-Identifier: MIT
#include "render/text.h"

#include "base/memory.h"

#include <ft2build.h>
#include <math.h>
#include FT_FREETYPE_H

struct OndText {
    FT_Library library;
    FT_Face face;
};

static const char *const usual_places[] = {
    "/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf",   // Debian, Ubuntu
    "/usr/share/fonts/dejavu-sans-fonts/DejaVuSans.ttf", // Fedora
    "/usr/share/fonts/TTF/DejaVuSans.ttf",               // Arch
    "/usr/share/fonts/dejavu/DejaVuSans.ttf",            // Alpine
};

static FT_Face open_face(FT_Library library, const char *path)
{
    FT_Face face = NULL;
    if (path) return FT_New_Face(library, path, 0, &face) == 0 ? face : NULL;
    for (int i = 0; i < OND_COUNT(usual_places); ++i)
        if (FT_New_Face(library, usual_places[i], 0, &face) == 0) return face;
    return NULL;
}

OndText *ond_text_open(const char *path)
{
    OndText *text = OND_NEW(OndText);
    if (!text) return NULL;
    if (FT_Init_FreeType(&text->library) == 0) {
        text->face = open_face(text->library, path);
        if (text->face) return text;
    }
    ond_text_close(text);
    return NULL;
}

void ond_text_close(OndText *text)
{
    if (!text) return;
    if (text->face) FT_Done_Face(text->face);
    if (text->library) FT_Done_FreeType(text->library);
    ond_free(text);
}

// The next character of UTF-8 text; a broken one counts as U+FFFD and one byte.
static unsigned long next_char(const unsigned char **at)
{
    const unsigned char *s = *at;
    const int more = s[0] < 0x80 ? 0 : s[0] >= 0xF0 ? 3 : s[0] >= 0xE0 ? 2 : s[0] >= 0xC2 ? 1 : -1;
    unsigned long code = more == 0 ? s[0] : more < 0 ? 0xFFFD : s[0] & (0x3Fu >> more);
    for (int i = 1; i <= more; ++i) {
        if ((s[i] & 0xC0) != 0x80) {
            *at = s + 1;
            return 0xFFFD;
        }
        code = code << 6 | (s[i] & 0x3Fu);
    }
    *at = s + 1 + (more > 0 ? more : 0);
    return code;
}

typedef void GlyphFn(FT_GlyphSlot glyph, float x, void *context);

// Sets the letters one after another from `x`; returns where the next would begin.
static float set_line(OndText *text, float size, const char *words, float x, GlyphFn *draw,
                      void *context)
{
    if (FT_Set_Char_Size(text->face, 0, (FT_F26Dot6)lroundf(size * 64.0f), 72, 72)) return x;
    FT_UInt previous = 0;
    for (const unsigned char *at = (const unsigned char *)words; *at;) {
        const FT_UInt index = FT_Get_Char_Index(text->face, next_char(&at));
        FT_Vector kern = {0, 0};
        if (previous && index)
            FT_Get_Kerning(text->face, previous, index, FT_KERNING_UNFITTED, &kern);
        previous = index;
        x += (float)kern.x / 64.0f;
        FT_Vector shift = {(FT_Pos)lroundf((x - floorf(x)) * 64.0f),
                           0}; // letters may start between pixels
        FT_Set_Transform(text->face, NULL, &shift);
        const FT_Int32 flags = FT_LOAD_NO_HINTING | (draw ? FT_LOAD_RENDER : 0);
        if (FT_Load_Glyph(text->face, index, flags)) continue;
        if (draw) draw(text->face->glyph, x, context);
        x += (float)text->face->glyph->linearHoriAdvance / 65536.0f;
    }
    return x;
}

float ond_text_width(OndText *text, float size, const char *words)
{
    return text ? set_line(text, size, words, 0.0f, NULL, NULL) : 0.0f;
}

typedef struct Pen {
    OndImage *image;
    float y, alpha;
    const uint8_t *rgb;
} Pen;

static void draw_glyph(FT_GlyphSlot glyph, float x, void *context)
{
    const Pen *pen = context;
    const FT_Bitmap *map = &glyph->bitmap;
    const int left = (int)floorf(x) + glyph->bitmap_left;
    const int top = (int)lroundf(pen->y) - glyph->bitmap_top;
    if (map->pixel_mode != FT_PIXEL_MODE_GRAY) return;
    for (int j = 0; j < (int)map->rows; ++j)
        for (int i = 0; i < (int)map->width; ++i) {
            const int px = left + i, py = top + j;
            if (px < 0 || py < 0 || px >= pen->image->width || py >= pen->image->height) continue;
            const float cover = (float)map->buffer[j * map->pitch + i] / 255.0f * pen->alpha;
            uint8_t *out =
                pen->image->rgb + ((size_t)py * (size_t)pen->image->width + (size_t)px) * 3;
            for (int k = 0; k < 3; ++k)
                out[k] =
                    (uint8_t)lroundf((float)out[k] + ((float)pen->rgb[k] - (float)out[k]) * cover);
        }
}

void ond_text_draw(OndText *text, OndImage *image, float x, float y, float size, const char *words,
                   const uint8_t rgb[3], float alpha)
{
    Pen pen = {image, y, alpha, rgb};
    if (text && x > -1e4f && x < 1e5f) set_line(text, size, words, x, draw_glyph, &pen);
}
