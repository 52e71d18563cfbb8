// SPDX-License-Identifier: MIT
// Glyphs are read in the font's own units, unhinted; curves become lines that stay within a
// fraction of a percent of the capitals' height; then everything is scaled so that capitals are 1
// high.
#include "io/text_freetype.h"

#include "base/memory.h"
#include "io/font_find.h"

#include FT_OUTLINE_H
#include FT_TRUETYPE_TABLES_H
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#define TEXT_MAX  10000 // bytes: a page of text, far more than anyone pours
#define TOLERANCE 0.001 // of the capitals' height, between a curve and its lines
#define LINES_MAX 64    // for one curve

typedef struct OutlinePoint {
    double x, y;
} OutlinePoint;

typedef struct OutlineWriter {
    FT_Face face;
    OndOutline *out;
    int point_room, loop_room;
    double scale;      ///< 1 / height of capitals in font units
    OutlinePoint pen;  ///< font units: where the next glyph stands
    OutlinePoint last; ///< font units: where the curve is
    bool no_memory;
} OutlineWriter;

// ---- growing an outline --------------------------------------------------------------------

static bool grow(void **block, int *room, int used, size_t each)
{
    if (used < *room) return true;
    if (*room > INT32_MAX / 4) return false;
    const int more = *room ? 2 * *room : 256;
    void *copy = ond_alloc((size_t)more * each);
    if (!copy) return false;
    if (used) memcpy(copy, *block, (size_t)used * each);
    ond_free(*block);
    *block = copy;
    *room = more;
    return true;
}

static int add_point(OutlineWriter *w, OutlinePoint p)
{
    OndOutline *out = w->out;
    void *block = out->point;
    if (!grow(&block, &w->point_room, out->point_count, 2 * sizeof(float))) {
        w->no_memory = true;
        return 1; // FreeType stops and hands this on
    }
    out->point = block;
    float *to = out->point + 2 * (size_t)out->point_count++;
    to[0] = (float)((w->pen.x + p.x) * w->scale);
    to[1] = (float)((w->pen.y + p.y) * w->scale);
    w->last = p;
    return 0;
}

static int end_loop(OutlineWriter *w)
{
    OndOutline *out = w->out;
    const int start = out->loop_count ? out->loop_end[out->loop_count - 1] : 0;
    if (out->point_count == start) return 0;
    void *block = out->loop_end;
    if (!grow(&block, &w->loop_room, out->loop_count, sizeof(int))) {
        w->no_memory = true;
        return 1;
    }
    out->loop_end = block;
    out->loop_end[out->loop_count++] = out->point_count;
    return 0;
}

// ---- what FreeType calls for each piece of a glyph ------------------------------------------

static OutlinePoint from_ft(const FT_Vector *v)
{
    const OutlinePoint p = {(double)v->x, (double)v->y};
    return p;
}

/// How sharply the control points a, b, c turn: the length of their second difference.
static double bend(OutlinePoint a, OutlinePoint b, OutlinePoint c)
{
    return hypot(a.x - 2.0 * b.x + c.x, a.y - 2.0 * b.y + c.y);
}

/// Lines for a curve that strays `stray` from one chord: the error falls with the square.
static int line_count(const OutlineWriter *w, double stray)
{
    const double count = ceil(sqrt(stray * w->scale / TOLERANCE));
    return count >= LINES_MAX ? LINES_MAX : count > 1.0 ? (int)count : 1;
}

static int move_to(const FT_Vector *to, void *user)
{
    OutlineWriter *w = user;
    return end_loop(w) || add_point(w, from_ft(to));
}

static int line_to(const FT_Vector *to, void *user)
{
    return add_point(user, from_ft(to));
}

static int conic_to(const FT_Vector *control, const FT_Vector *to, void *user)
{
    OutlineWriter *w = user;
    const OutlinePoint a = w->last, b = from_ft(control), c = from_ft(to);
    const int count = line_count(w, bend(a, b, c) / 4.0);
    for (int i = 1; i <= count; ++i) {
        const double t = (double)i / count, s = 1.0 - t;
        const double wa = s * s, wb = 2.0 * s * t, wc = t * t;
        const OutlinePoint p = {wa * a.x + wb * b.x + wc * c.x, wa * a.y + wb * b.y + wc * c.y};
        if (add_point(w, p)) return 1;
    }
    return 0;
}

static int cubic_to(const FT_Vector *first, const FT_Vector *second, const FT_Vector *to,
                    void *user)
{
    OutlineWriter *w = user;
    const OutlinePoint a = w->last, b = from_ft(first), c = from_ft(second), d = from_ft(to);
    const int count = line_count(w, 0.75 * fmax(bend(a, b, c), bend(b, c, d)));
    for (int i = 1; i <= count; ++i) {
        const double t = (double)i / count, s = 1.0 - t;
        const double wa = s * s * s, wb = 3.0 * s * s * t, wc = 3.0 * s * t * t, wd = t * t * t;
        const OutlinePoint p = {wa * a.x + wb * b.x + wc * c.x + wd * d.x,
                                wa * a.y + wb * b.y + wc * c.y + wd * d.y};
        if (add_point(w, p)) return 1;
    }
    return 0;
}

// ---- text ----------------------------------------------------------------------------------

/// The character at *text, which moves past it; -1 when the bytes are not UTF-8.
static long next_character(const char **text)
{
    const unsigned char *s = (const unsigned char *)*text;
    const int more = s[0] < 0x80   ? 0
                     : s[0] < 0xC2 ? -1
                     : s[0] < 0xE0 ? 1
                     : s[0] < 0xF0 ? 2
                     : s[0] < 0xF5 ? 3
                                   : -1;
    static const long least[] = {0, 0x80, 0x800, 0x10000};
    if (more < 0) return -1;
    long code = more ? s[0] & (0x3F >> more) : s[0];
    for (int i = 1; i <= more; ++i) {
        if ((s[i] & 0xC0) != 0x80) return -1; // the end of the text, too
        code = code << 6 | (s[i] & 0x3F);
    }
    if (code < least[more] || code > 0x10FFFF || (code >= 0xD800 && code < 0xE000)) return -1;
    *text += more + 1;
    return code;
}

/// Height of capitals in font units: of an H where there is one, else what the font claims.
static double capital_height(FT_Face face)
{
    const FT_UInt h = FT_Get_Char_Index(face, 'H');
    if (h && FT_Load_Glyph(face, h, FT_LOAD_NO_SCALE) == 0 &&
        face->glyph->format == FT_GLYPH_FORMAT_OUTLINE) {
        FT_BBox box;
        FT_Outline_Get_CBox(&face->glyph->outline, &box);
        if (box.yMax > 0) return (double)box.yMax;
    }
    const TT_OS2 *os2 = FT_Get_Sfnt_Table(face, FT_SFNT_OS2);
    if (os2 && os2->version >= 2 && os2->version != 0xFFFF && os2->sCapHeight > 0)
        return os2->sCapHeight;
    return face->units_per_EM > 0 ? 0.7 * face->units_per_EM : 1.0;
}

static OndStatus add_glyph(OutlineWriter *w, FT_UInt glyph, long code, OndError *err)
{
    static const FT_Outline_Funcs funcs = {move_to, line_to, conic_to, cubic_to, 0, 0};
    FT_GlyphSlot slot = w->face->glyph;
    if (FT_Load_Glyph(w->face, glyph, FT_LOAD_NO_SCALE) != 0 ||
        slot->format != FT_GLYPH_FORMAT_OUTLINE)
        return ond_fail(err, OND_BAD_VALUE, "the font has no outline for the character U+%04lX",
                        code);
    const FT_Error failed = FT_Outline_Decompose(&slot->outline, &funcs, w);
    if (w->no_memory || end_loop(w))
        return ond_fail(err, OND_NO_MEMORY, "no memory for the outline of a text");
    if (failed)
        return ond_fail(err, OND_BAD_VALUE,
                        "the font's outline for the character U+%04lX is broken", code);
    w->pen.x += (double)slot->metrics.horiAdvance;
    return OND_OK;
}

static OndStatus find_glyph(FT_Face face, long code, const char *text, int bytes, FT_UInt *glyph,
                            OndError *err)
{
    *glyph = FT_Get_Char_Index(face, (FT_ULong)code);
    if (*glyph) return OND_OK;
    const bool shown = code >= 0x20 && code != 0x7F;
    return ond_fail(err, OND_BAD_VALUE,
                    "the font %s has no character '%.*s' (U+%04lX); choose another font or text",
                    face->family_name ? face->family_name : "", shown ? bytes : 0, text, code);
}

static void kern(OutlineWriter *w, FT_UInt left, FT_UInt right)
{
    FT_Vector move;
    if (left && FT_HAS_KERNING(w->face) &&
        FT_Get_Kerning(w->face, left, right, FT_KERNING_UNSCALED, &move) == 0)
        w->pen.x += (double)move.x;
}

static OndStatus write_text(OutlineWriter *w, const char *text, OndError *err)
{
    FT_UInt previous = 0, glyph = 0;
    for (const char *s = text; *s;) {
        const char *start = s;
        const long code = next_character(&s);
        if (code < 0)
            return ond_fail(err, OND_BAD_VALUE,
                            "the text is not UTF-8 at byte %d; save the file as UTF-8",
                            (int)(start - text));
        if (code == '\n') {
            w->pen = (OutlinePoint){0.0, w->pen.y - w->face->height};
            previous = 0;
            continue;
        }
        OndStatus status = find_glyph(w->face, code, start, (int)(s - start), &glyph, err);
        if (status != OND_OK) return status;
        kern(w, previous, glyph);
        status = add_glyph(w, glyph, code, err);
        if (status != OND_OK) return status;
        previous = glyph;
    }
    return OND_OK;
}

/// Moves the ink to x = 0 and the last line to y = 0.
static void settle(OndOutline *out, float down)
{
    float left = INFINITY;
    for (int i = 0; i < out->point_count; ++i)
        left = fminf(left, out->point[2 * i]);
    for (int i = 0; i < out->point_count; ++i) {
        out->point[2 * i] -= left;
        out->point[2 * i + 1] += down;
    }
}

static OndStatus check_text(const char *text, OndError *err)
{
    const size_t length = strlen(text);
    if (length > TEXT_MAX)
        return ond_fail(err, OND_BAD_VALUE, "the text is %zu bytes long; at most %d can be used",
                        length, TEXT_MAX);
    if (strspn(text, " \n") == length)
        return ond_fail(err, OND_BAD_VALUE, "the text is blank; give at least one letter");
    return OND_OK;
}

static OndStatus outline_with(FT_Face face, const char *text, OndOutline *out, OndError *err)
{
    char line[TEXT_MAX + 1];
    size_t length = strlen(text);
    while (length > 0 && text[length - 1] == '\n')
        --length; // a block in a scene file ends in a newline
    memcpy(line, text, length);
    line[length] = '\0';
    OutlineWriter w = {.face = face, .out = out, .scale = 1.0 / capital_height(face)};
    const OndStatus status = write_text(&w, line, err);
    if (status == OND_OK) settle(out, (float)(-w.pen.y * w.scale));
    return status;
}

OndStatus ond_text_outline(const char *text, const char *font, OndOutline *out, OndError *err)
{
    const OndOutline empty = {0};
    *out = empty;
    OndStatus status = check_text(text, err);
    if (status != OND_OK) return status;
    FT_Library library;
    if (FT_Init_FreeType(&library) != 0)
        return ond_fail(err, OND_NO_MEMORY, "FreeType could not be started");
    FT_Face face;
    status = ond_font_open(library, font && *font ? font : "DejaVu Sans Bold", &face, err);
    if (status == OND_OK) {
        status = outline_with(face, text, out, err);
        FT_Done_Face(face);
    }
    FT_Done_FreeType(library);
    if (status != OND_OK) ond_outline_free(out);
    return status;
}
