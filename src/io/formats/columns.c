// SPDX-License-Identifier: MIT
#include "io/formats/columns.h"

#include <stdio.h>
#include <string.h>

typedef struct Known {
    const char *name, *unit;
    OndFieldType type;
    const char *column[3]; // of a vector
} Known;

// In the order in which they are written.
static const Known known[] = {
    {"position", "m", OND_F32, {"x", "y", "z"}},
    {"velocity", "m/s", OND_F32, {"vx", "vy", "vz"}},
    {"density", "kg/m^3", OND_F32, {0}},
    {"temperature", "C", OND_F32, {0}},
    {"rigidity", "", OND_F32, {0}},
    {"id", "", OND_U32, {0}},
    {"normal", "", OND_F32, {"nx", "ny", "nz"}},
    {"pressure", "Pa", OND_F32, {0}},
};
#define KNOWN_COUNT ((int)(sizeof known / sizeof known[0]))

static const Known *find_known(const char *name)
{
    for (int k = 0; k < KNOWN_COUNT; ++k)
        if (strcmp(known[k].name, name) == 0) return &known[k];
    return NULL;
}

// Whether it is a known field, or a component of one.
static bool is_known(const char *column)
{
    for (int k = 0; k < KNOWN_COUNT; ++k)
        for (int c = 0; c < 3; ++c)
            if (known[k].column[c] && strcmp(known[k].column[c], column) == 0) return true;
    return find_known(column) != NULL;
}

// The unit that a well-known field has; "" for others.
static const char *unit_of(const char *field)
{
    const Known *k = find_known(field);
    return k ? k->unit : "";
}

static void make_name(const OndField *field, int component, char out[OND_COLUMN_NAME_MAX])
{
    const Known *k = find_known(field->name);
    if (field->components == 1)
        snprintf(out, OND_COLUMN_NAME_MAX, "%s", field->name);
    else if (k && k->column[component])
        snprintf(out, OND_COLUMN_NAME_MAX, "%s", k->column[component]);
    else
        snprintf(out, OND_COLUMN_NAME_MAX, "%.60s_%c", field->name, "xyz"[component]);
    for (char *c = out; *c; ++c)
        if ((unsigned char)*c <= ' ' || strchr(",\"'<>&;", *c)) *c = '_';
}

static int add_field(const OndField *field, OndColumn *out, int count)
{
    for (int c = 0; c < field->components; ++c) {
        OndColumn *column = &out[count++];
        make_name(field, c, column->name);
        column->type = field->type;
        column->data = field->data[c];
        column->step = 1;
        column->field = field;
    }
    return count;
}

int ond_columns_of(const OndFields *set, OndColumn out[OND_COLUMNS_MAX])
{
    int count = 0;
    for (int k = 0; k < KNOWN_COUNT; ++k) {
        const OndField *field = ond_fields_find(set, known[k].name);
        if (field && (field->flags & OND_FIELD_FRAME)) count = add_field(field, out, count);
    }
    for (int f = 0; f < set->field_count; ++f)
        if ((set->field[f].flags & OND_FIELD_FRAME) && !find_known(set->field[f].name))
            count = add_field(&set->field[f], out, count);
    return count;
}

static int find_column(const OndColumnIn *columns, int count, const char *name)
{
    for (int k = 0; k < count; ++k)
        if (strcmp(columns[k].name, name) == 0) return k;
    return -1;
}

// Which field a column belongs to. A vector is told from a scalar whose name ends in _x by having
// _y beside it.
static int split_name(const OndColumnIn *columns, int count, int which,
                      char field[OND_COLUMN_NAME_MAX], bool *vector)
{
    const char *name = columns[which].name;
    const size_t length = strlen(name);
    *vector = true;
    for (int k = 0; k < KNOWN_COUNT; ++k)
        for (int c = 0; c < 3; ++c)
            if (known[k].column[c] && strcmp(known[k].column[c], name) == 0) {
                strcpy(field, known[k].name);
                return c;
            }
    strcpy(field, name);
    if (length > 2 && name[length - 2] == '_' && strchr("xyz", name[length - 1])) {
        char other[2][OND_COLUMN_NAME_MAX];
        for (int c = 0; c < 2; ++c) {
            strcpy(other[c], name);
            other[c][length - 1] = "xy"[c];
        }
        field[length - 2] = 0;
        if (find_column(columns, count, other[0]) >= 0 &&
            find_column(columns, count, other[1]) >= 0 && !find_known(field))
            return name[length - 1] - 'x';
        strcpy(field, name);
    }
    *vector = false;
    return 0;
}

// Consumers look fields up by name and expect the usual type, whatever the file's author chose.
static OndFieldType choose_type(const char *field, const OndColumnIn *column)
{
    const Known *k = find_known(field);
    if (k) return k->type;
    return column->unsigned_int ? OND_U32 : OND_F32;
}

static OndStatus place_column(OndColumnIn *columns, int count, int which, OndFields *set,
                              OndError *err)
{
    char name[OND_COLUMN_NAME_MAX];
    bool vector;
    OndColumnIn *column = &columns[which];
    const int component = split_name(columns, count, which, name, &vector);
    OndField *field = ond_fields_find(set, name);
    const Known *k = find_known(name);
    if (k && (k->column[0] != NULL) != vector) return OND_OK; // a lone number called "position"
    if (!field) {
        if (set->field_count == OND_FIELDS_MAX) return OND_OK;
        const int index = ond_fields_add(set, ond_fields_keep_text(set, name), unit_of(name),
                                         choose_type(name, column), vector ? 3 : 1,
                                         OND_FIELD_FRAME | OND_FIELD_STATE);
        if (index < 0) return ond_fail(err, OND_NO_MEMORY, "not enough memory for a particle file");
        field = &set->field[index];
    }
    if ((field->components == 3) != vector)
        return OND_OK; // both "flow" and "flow_x": the first wins
    column->type = field->type;
    column->data = field->data[component];
    return OND_OK;
}

static OndStatus check_names(const char *file, const OndColumnIn *columns, int count, OndError *err)
{
    for (int k = 0; k < count; ++k)
        if (find_column(columns, k, columns[k].name) >= 0)
            return ond_fail(err, OND_BAD_VALUE, "%s: the column '%s' appears twice", file,
                            columns[k].name);
    if (find_column(columns, count, "x") < 0 || find_column(columns, count, "y") < 0)
        return ond_fail(err, OND_BAD_VALUE,
                        "%s: no columns x and y among its %d; particles need positions", file,
                        count);
    return OND_OK;
}

OndStatus ond_columns_make(const char *file, OndColumnIn *columns, int count, int rows,
                           OndFields *set, OndError *err)
{
    OndStatus status = check_names(file, columns, count, err);
    if (status != OND_OK) return status;
    status = ond_fields_reserve(set, rows, err);
    for (int k = 0; k < count; ++k)
        columns[k].data = NULL;
    // what everybody asks for goes first: a file may have more fields than there is room for
    for (int others = 0; others < 2; ++others)
        for (int k = 0; k < count && status == OND_OK; ++k)
            if (is_known(columns[k].name) != others)
                status = place_column(columns, count, k, set, err);
    if (status == OND_OK)
        set->count = rows;
    else
        ond_fields_free(set);
    return status;
}
