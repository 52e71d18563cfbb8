// SPDX-License-Identifier: MIT
// The one place where OpenVDB, which is C++, meets this C library; vdb.c is its only caller.
//
// A file is made and read in memory: OpenVDB's own file class does not notice a full disk, and
// io/file.h does. Values are asked for, and handed out, row by row along x, so that neither side
// knows how the other keeps its cells. No exception leaves the shim.
#ifndef OND_IO_VDB_SHIM_H
#define OND_IO_VDB_SHIM_H

#include <stddef.h>

// OpenVDB's types must be seen by its library; these functions are ours alone.
#pragma GCC visibility push(hidden)

#ifdef __cplusplus
extern "C" {
#endif

enum { OND_VDB_OK, OND_VDB_WRONG, OND_VDB_NO_MEMORY };

typedef struct OndVdbShape {
    int n[3];         // cells
    double h;         // side of a cell, m
    double origin[3]; // lower corner of the first cell, m
    double time;
    int frame;
    double domain[6]; // min, max
} OndVdbShape;

typedef struct OndVdbField {
    const char *name;
    int components;   // 1 or 3
    float background; // where nothing is kept ...
    float tolerance;  // ... which is where no component differs from it by more than this
} OndVdbField;

typedef struct OndVdbSource {
    OndVdbShape shape;
    const OndVdbField *field;
    int field_count;
    // n[0] * components values, those of a cell side by side
    void (*row)(void *own, int field, int j, int k, float *out);
    void (*write)(void *own, const void *bytes, size_t size);
    void *own;
} OndVdbSource;

// On failure `why` holds the reason.
int ond_vdb_shim_write(const OndVdbSource *source, char *why, size_t room);

typedef struct OndVdbFile OndVdbFile;

// NULL and a reason when it cannot be read. At most `most` cells.
OndVdbFile *ond_vdb_shim_open(const char *bytes, size_t size, double most, char *why, size_t room);
void ond_vdb_shim_close(OndVdbFile *file);
const OndVdbShape *ond_vdb_shim_shape(const OndVdbFile *file);
int ond_vdb_shim_fields(const OndVdbFile *file);
const char *ond_vdb_shim_name(const OndVdbFile *file, int field, int *components);
void ond_vdb_shim_row(const OndVdbFile *file, int field, int j, int k, float *out);

#ifdef __cplusplus
}
#endif
#pragma GCC visibility pop
#endif
