// SPDX-License-Identifier: MIT
#include "io/run_foam.h"

#include "io/formats/formats.h"
#include "method/world.h"

#include <unistd.h>

OndFrame ond_run_foam_frame(const OndFrame *frame)
{
    return (OndFrame){.index = frame->index,
                      .time = frame->time,
                      .dimension = frame->dimension,
                      .spacing = frame->spacing,
                      .domain = frame->domain,
                      .particles = frame->foam};
}

OndStatus ond_run_foam_read(const OndRunFolder *home, int number, OndFrame *frame, OndError *err)
{
    int count = 0;
    char path[OND_PATH_MAX];
    const OndFormat *const *const formats = ond_formats(&count);
    for (int k = 0; k < count && home->path[0]; ++k) {
        OndFrame foam;
        if (!formats[k]->read || formats[k]->grid) continue;
        ond_run_path(home, ond_run_foam_item(k), number, path);
        if (access(path, R_OK) != 0) continue;
        const OndStatus status = ond_frame_read(path, &foam, err);
        if (status != OND_OK) return status;
        ond_fields_free(&frame->foam);
        frame->foam = foam.particles;
        foam.particles = (OndFields){0};
        ond_frame_free(&foam);
        return OND_OK;
    }
    return OND_OK;
}

// ---- between frames

enum { POSITION, VELOCITY, KIND, AGE, LIFE, ID, FIELDS };
static const struct {
    const char *name, *unit;
    OndFieldType type;
    int components;
} wanted[FIELDS] = {
    [POSITION] = {"position", "m", OND_F32, 3}, [VELOCITY] = {"velocity", "m/s", OND_F32, 3},
    [KIND] = {"kind", "", OND_U32, 1},          [AGE] = {"age", "s", OND_F32, 1},
    [LIFE] = {"life", "s", OND_F32, 1},         [ID] = {"id", "", OND_U32, 1}};

// False where it lacks one: then there is nothing to follow.
static bool find_all(const OndFields *set, const OndField *field[FIELDS])
{
    for (int k = 0; k < FIELDS; ++k) {
        field[k] = ond_fields_find(set, wanted[k].name);
        if (!field[k] || field[k]->type != wanted[k].type ||
            field[k]->components != wanted[k].components)
            return false;
    }
    return true;
}

static float number(const OndField *const field[FIELDS], int which, int component, int row)
{
    return ((const float *)field[which]->data[component])[row];
}

static uint32_t word(const OndField *const field[FIELDS], int which, int row)
{
    return ((const uint32_t *)field[which]->data[0])[row];
}

// Puts row `row` as it is `later` seconds after (before: below 0), by its velocity. One that is not
// born yet, or gone by then, is left out.
static void carry(OndFields *out, const OndField *const from[FIELDS], int row, double later)
{
    const int at = out->count;
    const float age = number(from, AGE, 0, row) + (float)later;
    const bool bursts = word(from, KIND, row) == OND_FOAM;
    const float life = number(from, LIFE, 0, row) - (bursts ? (float)later : 0.0f);
    if (age < 0.0f || life < 0.0f) return;
    for (int a = 0; a < 3; ++a) {
        const float v = number(from, VELOCITY, a, row);
        ((float *)out->field[POSITION].data[a])[at] =
            number(from, POSITION, a, row) + (float)later * v;
        ((float *)out->field[VELOCITY].data[a])[at] = v;
    }
    ((uint32_t *)out->field[KIND].data[0])[at] = word(from, KIND, row);
    ((uint32_t *)out->field[ID].data[0])[at] = word(from, ID, row);
    ((float *)out->field[AGE].data[0])[at] = age;
    ((float *)out->field[LIFE].data[0])[at] = life;
    ++out->count;
}

// Of one that is in both: the place on the straight way.
static void go_straight(OndFields *out, const OndField *const from[FIELDS], int i,
                        const OndField *const to[FIELDS], int j, double share)
{
    const int at = out->count - 1;
    for (int a = 0; a < 3; ++a) {
        const float x = number(from, POSITION, a, i), y = number(to, POSITION, a, j);
        ((float *)out->field[POSITION].data[a])[at] = x + (float)share * (y - x);
    }
}

// Both stand in the order of their ids.
static void merge(const OndFrame *a, const OndFrame *b, double share, OndFields *out)
{
    const OndField *from[FIELDS], *to[FIELDS];
    const double dt = b->time - a->time;
    if (!find_all(&a->foam, from) || !find_all(&b->foam, to)) return;
    for (int i = 0, j = 0; i < a->foam.count || j < b->foam.count;) {
        const bool old = i < a->foam.count, new = j < b->foam.count;
        const bool first = old && (!new || word(from, ID, i) <= word(to, ID, j));
        const bool both = first && new &&word(from, ID, i) == word(to, ID, j);
        const int before = out->count;
        if (first)
            carry(out, from, i, share * dt);
        else
            carry(out, to, j, (share - 1.0) * dt);
        if (both && out->count > before) go_straight(out, from, i, to, j, share);
        i += first, j += both || !first;
    }
}

OndStatus ond_run_foam_between(const OndFrame *a, const OndFrame *b, double share, OndFrame *frame,
                               OndError *err)
{
    OndFields out = {0};
    if (a->foam.field_count == 0 || b->foam.field_count == 0) return OND_OK;
    OndStatus status = OND_OK;
    for (int k = 0; k < FIELDS && status == OND_OK; ++k)
        if (ond_fields_add(&out, wanted[k].name, wanted[k].unit, wanted[k].type,
                           wanted[k].components, OND_FIELD_FRAME) != k)
            status = ond_fail(err, OND_NO_MEMORY, "not enough memory for foam");
    if (status == OND_OK) status = ond_fields_reserve(&out, a->foam.count + b->foam.count, err);
    if (status == OND_OK) merge(a, b, share, &out);
    ond_fields_free(&frame->foam);
    frame->foam = out;
    return status;
}
