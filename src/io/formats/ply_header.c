// SPDX-License-Identifier: MIT
#include "io/formats/ply_header.h"

#include "io/file.h"

#include <limits.h>
#include <string.h>

#define WORDS_MAX 8

typedef struct Word {
    const char *text;
    size_t length;
} Word;

typedef struct PlyReader {
    const char *name, *bytes;
    size_t size, at;
    int line;
    Word word[WORDS_MAX]; // of the current line
    int words;
    OndPlyHeader *out;
    OndError *err;
} PlyReader;

static const struct {
    const char *name, *other;
    int size;
} types[OND_PLY_TYPES] = {
    {"char", "int8", 1}, {"uchar", "uint8", 1}, {"short", "int16", 2},   {"ushort", "uint16", 2},
    {"int", "int32", 4}, {"uint", "uint32", 4}, {"float", "float32", 4}, {"double", "float64", 8},
};

int ond_ply_size(OndPlyType type)
{
    return types[type].size;
}

static OndStatus complain(const PlyReader *r, const char *what)
{
    return ond_fail(r->err, OND_BAD_VALUE, "%s: not a usable PLY file: line %d of its header %s",
                    r->name, r->line, what);
}

static bool is(Word w, const char *text)
{
    return w.length == strlen(text) && memcmp(w.text, text, w.length) == 0;
}

static bool copy_name(Word w, char *out, size_t room)
{
    if (w.length >= room || memchr(w.text, 0, w.length)) return false;
    memcpy(out, w.text, w.length);
    out[w.length] = 0;
    return true;
}

// Splits the next line into words; false at the end of the file. A line may end in \r\n.
static bool next_line(PlyReader *r)
{
    const char *start = r->bytes + r->at;
    const char *end = r->at < r->size ? memchr(start, '\n', r->size - r->at) : NULL;
    if (!end) return false;
    r->at += (size_t)(end - start) + 1;
    r->line++;
    r->words = 0;
    while (start < end && r->words < WORDS_MAX) {
        while (start < end && strchr(" \t\r", *start))
            ++start;
        const char *from = start;
        while (start < end && !strchr(" \t\r", *start))
            ++start;
        if (start > from) r->word[r->words++] = (Word){from, (size_t)(start - from)};
    }
    return true;
}

static bool read_type(Word w, OndPlyType *out)
{
    for (int t = 0; t < OND_PLY_TYPES; ++t)
        if (is(w, types[t].name) || is(w, types[t].other)) {
            *out = (OndPlyType)t;
            return true;
        }
    return false;
}

static OndStatus read_format(PlyReader *r)
{
    static const char *const names[] = {"ascii", "binary_little_endian", "binary_big_endian"};
    for (int f = 0; f < 3; ++f)
        if (r->words >= 2 && is(r->word[1], names[f])) {
            r->out->format = (OndPlyFormat)f;
            return OND_OK;
        }
    return complain(r,
                    "names no format that PLY has: ascii, binary_little_endian, binary_big_endian");
}

static bool read_count(Word w, unsigned long long *out)
{
    *out = 0;
    for (size_t k = 0; k < w.length; ++k) {
        if (w.text[k] < '0' || w.text[k] > '9' || *out > ULLONG_MAX / 10 - 1) return false;
        *out = *out * 10 + (unsigned long long)(w.text[k] - '0');
    }
    return w.length > 0;
}

static OndStatus read_element(PlyReader *r)
{
    OndPlyHeader *h = r->out;
    if (h->element_count == OND_PLY_ELEMENTS) return complain(r, "has more than 16 elements");
    OndPlyElement *e = &h->element[h->element_count];
    if (r->words != 3 || !copy_name(r->word[1], e->name, sizeof e->name) ||
        !read_count(r->word[2], &e->count))
        return complain(r, "must read 'element NAME COUNT'");
    e->first = h->property_count;
    h->element_count++;
    return OND_OK;
}

static OndStatus read_property(PlyReader *r)
{
    OndPlyHeader *h = r->out;
    if (h->element_count == 0) return complain(r, "has a property before any element");
    if (h->property_count == OND_PLY_PROPERTIES) return complain(r, "has more than 256 properties");
    OndPlyProperty *p = &h->property[h->property_count];
    p->list = r->words == 5 && is(r->word[1], "list");
    bool good = r->words == (p->list ? 5 : 3);
    if (good && p->list)
        good = read_type(r->word[2], &p->count_type) && p->count_type < OND_PLY_F32;
    good = good && read_type(r->word[r->words - 2], &p->type) &&
           copy_name(r->word[r->words - 1], p->name, sizeof p->name);
    if (!good)
        return complain(r, "must read 'property TYPE NAME' or 'property list TYPE TYPE NAME'");
    h->property_count++;
    h->element[h->element_count - 1].property_count++;
    return OND_OK;
}

static bool numbers(const PlyReader *r, int first, int count, double *out)
{
    for (int k = 0; k < count; ++k)
        if (first + k >= r->words ||
            !ond_text_number(r->word[first + k].text, r->word[first + k].length, &out[k]) ||
            !(out[k] > -1e300 && out[k] < 1e300))
            return false;
    return true;
}

static void read_unit(PlyReader *r)
{
    OndPlyHeader *h = r->out;
    if (r->words != 5 || h->unit_count == OND_FIELDS_MAX) return;
    OndPlyUnit *u = &h->unit[h->unit_count];
    if (copy_name(r->word[3], u->field, sizeof u->field) &&
        copy_name(r->word[4], u->unit, sizeof u->unit))
        h->unit_count++;
}

// Comments are free text: one that does not fit is no error.
static void read_comment(PlyReader *r)
{
    OndFrame *meta = &r->out->meta;
    double n[2];
    if (r->words < 4 || !is(r->word[1], "ondine")) return;
    if (is(r->word[2], "time") && numbers(r, 3, 1, n)) meta->time = n[0];
    if (is(r->word[2], "spacing") && numbers(r, 3, 1, n) && n[0] >= 0) meta->spacing = n[0];
    if (is(r->word[2], "index") && numbers(r, 3, 1, n) && n[0] >= 0 && n[0] < INT_MAX)
        meta->index = (int)n[0];
    if (is(r->word[2], "dimension") && numbers(r, 3, 1, n) && (n[0] == 2 || n[0] == 3))
        meta->dimension = (int)n[0];
    double v[3];
    if (is(r->word[2], "domain_min") && numbers(r, 3, 3, v))
        meta->domain.min = ond_vec(v[0], v[1], v[2]);
    if (is(r->word[2], "domain_max") && numbers(r, 3, 3, v))
        meta->domain.max = ond_vec(v[0], v[1], v[2]);
    if (is(r->word[2], "unit")) read_unit(r);
}

static OndStatus read_lines(PlyReader *r)
{
    bool format = false;
    while (next_line(r)) {
        OndStatus status = OND_OK;
        if (r->words == 0) continue;
        if (is(r->word[0], "end_header"))
            return format ? OND_OK : complain(r, "ends it without a line 'format ...'");
        if (is(r->word[0], "format")) {
            status = read_format(r);
            format = true;
        } else if (is(r->word[0], "element")) {
            status = read_element(r);
        } else if (is(r->word[0], "property")) {
            status = read_property(r);
        } else if (is(r->word[0], "comment")) {
            read_comment(r);
        } else if (!is(r->word[0], "obj_info")) {
            status = complain(r, "begins with a word that PLY does not have");
        }
        if (status != OND_OK) return status;
    }
    return ond_fail(r->err, OND_BAD_VALUE, "%s: the file ends within its PLY header (%zu bytes)",
                    r->name, r->size);
}

OndStatus ond_ply_header_read(const char *name, const char *bytes, size_t size, OndPlyHeader *out,
                              OndError *err)
{
    memset(out, 0, sizeof *out);
    out->meta.dimension = 3;
    PlyReader r = {.name = name, .bytes = bytes, .size = size, .out = out, .err = err};
    if (size == 0) return ond_fail(err, OND_BAD_VALUE, "%s: the file is empty", name);
    if (!next_line(&r) || r.words != 1 || !is(r.word[0], "ply"))
        return ond_fail(err, OND_BAD_VALUE, "%s: not a PLY file: it does not begin with 'ply'",
                        name);
    const OndStatus status = read_lines(&r);
    out->body_start = r.at;
    return status;
}
