// SPDX-License-Identifier: MIT
// The arrays of a VTK XML file: announced in the XML, then as raw bytes behind it ("appended"),
// each after its length in 64 bits.
//
//     OndVtkFile vtk = {.file = file};
//     ond_vtk_begin(&vtk, &meta);
//     ond_file_print(file, "<Points>"), ond_vtk_announce(&vtk, &points), ...
//     ond_vtk_append(&vtk);     // closes the XML and writes all arrays in the same order
#ifndef OND_IO_VTK_ARRAYS_H
#define OND_IO_VTK_ARRAYS_H

#include "io/file.h"
#include "sim/frame.h"

#include <stdint.h>

typedef struct OndVtkArray {
    const char *name, *unit; ///< unit "" for pure numbers
    const char *type;        ///< "Float32", "UInt32", "Int32": four bytes each
    int components;
    const void *data[3]; ///< one array a component; NULL: start, start + each, start + 2 each, ...
    int step;            ///< numbers from one element to the next
    const OndGrid *grid; ///< elements are its cells, in arrays of its layout; NULL: one by one
    bool faces; ///< of a grid's faces: a cell gets the mean of the two across the component's axis
    int count;
    uint32_t start, each;
} OndVtkArray;

#define OND_VTK_ARRAYS_MAX (OND_FIELDS_MAX + 8)

typedef struct OndVtkFile {
    OndFile *file;
    OndVtkArray array[OND_VTK_ARRAYS_MAX];
    int arrays;
    uint64_t offset;     ///< of the next array in the appended data
    const char *dataset; ///< "PolyData" where NULL, or "ImageData"
} OndVtkFile;

/// An array of a set's field, for `count` elements.
OndVtkArray ond_vtk_field(const OndField *field, int count);

/// What a file begins with, up to the time, index, dimension, spacing and domain that `meta` has;
/// of ImageData also the size of its grid.
void ond_vtk_begin(OndVtkFile *vtk, const OndFrame *meta);

/// The XML of an array; its numbers, which must stay, come later.
void ond_vtk_announce(OndVtkFile *vtk, const OndVtkArray *array);

/// Closes the piece and writes the numbers of all arrays.
void ond_vtk_append(OndVtkFile *vtk);

#endif
