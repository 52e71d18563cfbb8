// SPDX-License-Identifier: MIT
// Fields as flat columns, for formats whose rows are particles.
//
// A field of one component is a column of its own name. Vectors become three: "position" is x y z,
// "velocity" vx vy vz, "normal" nx ny nz, any other name_x name_y name_z. Reading goes the same way
// back, so a new field passes through every such format without a line here.
#ifndef OND_IO_COLUMNS_H
#define OND_IO_COLUMNS_H

#include "base/fields.h"

#include <stdbool.h>

#define OND_COLUMNS_MAX     (3 * OND_FIELDS_MAX)
#define OND_COLUMN_NAME_MAX 64

typedef struct OndColumn {
    char name[OND_COLUMN_NAME_MAX];
    OndFieldType type;
    void *data; ///< float or uint32_t, one for each element
    int step;   ///< numbers from one element to the next; 1 for the columns of a set
    const OndField *field;
} OndColumn;

/// The columns of all OND_FIELD_FRAME fields: position, velocity, density, temperature, rigidity
/// and id first, the rest in the order of the set. Returns how many. Characters of a name that
/// formats cannot carry (blanks, commas) become underscores.
int ond_columns_of(const OndFields *set, OndColumn out[OND_COLUMNS_MAX]);

/// What a column of a file was called and held, and where its values go.
typedef struct OndColumnIn {
    char name[OND_COLUMN_NAME_MAX];
    bool unsigned_int;
    OndFieldType type; ///< set by ond_columns_make
    void *data;        ///< set by ond_columns_make; NULL: nobody wants it
} OndColumnIn;

/// Builds the fields of `set` (empty) for `rows` elements from the names of a file's columns. x and
/// y must be there; other missing components of a vector are left 0. Columns beyond what a set can
/// hold get no place. On failure `set` is empty; `file` is for the message.
OndStatus ond_columns_make(const char *file, OndColumnIn *columns, int count, int rows,
                           OndFields *set, OndError *err);

/// Any number as an unsigned integer: rounded towards 0, what is out of range becomes the nearest
/// end.
static inline uint32_t ond_column_to_u32(double value)
{
    if (!(value > 0.0)) return 0; // NaN too
    return value < 4294967295.0 ? (uint32_t)value : 4294967295u;
}

#endif
