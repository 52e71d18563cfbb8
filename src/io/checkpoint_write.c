// SPDX-License-Identifier: MIT
// The HDF5 part of a checkpoint, made in memory (HDF5's "core" driver without a file behind it) and
// then written by io/file.h. HDF5 itself leaves a file it could not finish open for good when the
// disk is full.
#include "io/checkpoint_hdf5.h"
#include "io/checkpoint_parts.h"

#include <hdf5.h>
#include <string.h>

// Every function returns false on failure; HDF5 tells by negative numbers.

static bool put_attribute(hid_t at, const char *name, hid_t file_type, hid_t type,
                          const void *value)
{
    const hid_t space = H5Screate(H5S_SCALAR);
    const hid_t a = H5Acreate2(at, name, file_type, space, H5P_DEFAULT, H5P_DEFAULT);
    const bool good = a >= 0 && H5Awrite(a, type, value) >= 0;
    if (a >= 0) H5Aclose(a);
    if (space >= 0) H5Sclose(space);
    return good;
}

static bool put_double(hid_t at, const char *name, double value)
{
    return put_attribute(at, name, H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, &value);
}

static bool put_integer(hid_t at, const char *name, int64_t value)
{
    return put_attribute(at, name, H5T_STD_I64LE, H5T_NATIVE_INT64, &value);
}

static bool put_text(hid_t at, const char *name, const char *text)
{
    const hid_t type = H5Tcopy(H5T_C_S1);
    const size_t size = strlen(text) + 1;
    const bool good =
        type >= 0 && H5Tset_size(type, size) >= 0 && put_attribute(at, name, type, type, text);
    if (type >= 0) H5Tclose(type);
    return good;
}

static bool put_root(hid_t file, const OndCheckpoint *c)
{
    return put_integer(file, "format_version", OND_CHECKPOINT_VERSION) &&
           put_double(file, "time", c->time) && put_integer(file, "step", c->step) &&
           put_integer(file, "frame", c->frame) &&
           put_double(file, "dt_previous", c->dt_previous) &&
           put_attribute(file, "scene_hash", H5T_STD_U64LE, H5T_NATIVE_UINT64, &c->scene_hash) &&
           put_integer(file, "count", c->fields.count) &&
           put_integer(file, "cells", c->cells.count) &&
           (c->foam.field_count == 0 || put_integer(file, "foam", c->foam.count));
}

// What is in it keeps the order in which it was made. No times are kept: the same state gives the
// same file.
static hid_t make_group(hid_t file, const char *name)
{
    const unsigned order = H5P_CRT_ORDER_TRACKED | H5P_CRT_ORDER_INDEXED;
    const hid_t how = H5Pcreate(H5P_GROUP_CREATE);
    hid_t group = -1;
    if (how >= 0 && H5Pset_link_creation_order(how, order) >= 0 &&
        H5Pset_attr_creation_order(how, order) >= 0 && H5Pset_obj_track_times(how, 0) >= 0)
        group = H5Gcreate2(file, name, H5P_DEFAULT, how, H5P_DEFAULT);
    if (how >= 0) H5Pclose(how);
    return group;
}

static bool put_numbers(hid_t file, const OndCheckpoint *c)
{
    const hid_t group = make_group(file, "numbers");
    bool good = group >= 0;
    for (int k = 0; k < c->number_count && good; ++k)
        good = put_double(group, c->number[k].name, c->number[k].value);
    if (group >= 0) H5Gclose(group);
    return good;
}

static bool put_component(hid_t set, hid_t space, const OndField *field, int component,
                          hsize_t count)
{
    const hsize_t start[2] = {(hsize_t)component, 0}, size[2] = {1, count};
    const hid_t memory = H5Screate_simple(1, &count, NULL);
    const hid_t type = field->type == OND_U32 ? H5T_NATIVE_UINT32 : H5T_NATIVE_FLOAT;
    const bool good = memory >= 0 &&
                      H5Sselect_hyperslab(space, H5S_SELECT_SET, start, NULL, size, NULL) >= 0 &&
                      H5Dwrite(set, type, memory, space, H5P_DEFAULT, field->data[component]) >= 0;
    if (memory >= 0) H5Sclose(memory);
    return good;
}

static bool put_field(hid_t group, const OndField *field, int count)
{
    const hsize_t size[2] = {(hsize_t)field->components, (hsize_t)count};
    const hid_t type = field->type == OND_U32 ? H5T_STD_U32LE : H5T_IEEE_F32LE;
    const hid_t space = H5Screate_simple(2, size, NULL);
    const hid_t how = H5Pcreate(H5P_DATASET_CREATE);
    H5Pset_obj_track_times(how, 0);
    const hid_t set = H5Dcreate2(group, field->name, type, space, H5P_DEFAULT, how, H5P_DEFAULT);
    bool good = set >= 0 && put_text(set, "unit", field->unit) &&
                put_text(set, "type", field->type == OND_U32 ? "u32" : "f32") &&
                put_integer(set, "flags", field->flags);
    for (int c = 0; c < field->components && good && count; ++c)
        good = put_component(set, space, field, c, (hsize_t)count);
    if (set >= 0) H5Dclose(set);
    if (how >= 0) H5Pclose(how);
    if (space >= 0) H5Sclose(space);
    return good;
}

static bool put_fields(hid_t file, const char *name, const OndFields *fields)
{
    const hid_t group = make_group(file, name);
    bool good = group >= 0;
    for (int f = 0; f < fields->field_count && good; ++f)
        if (fields->field[f].flags & OND_FIELD_STATE)
            good = put_field(group, &fields->field[f], fields->count);
    if (group >= 0) H5Gclose(group);
    return good;
}

// Absent where there can be none.
static bool put_foam(hid_t file, const OndCheckpoint *c)
{
    return c->foam.field_count == 0 || put_fields(file, "foam", &c->foam);
}

// Absent where there are no bodies.
static bool put_bodies(hid_t file, const OndCheckpoint *c)
{
    if (c->body_values == 0) return true;
    const hsize_t size = (hsize_t)c->body_values;
    const hid_t space = H5Screate_simple(1, &size, NULL);
    const hid_t how = H5Pcreate(H5P_DATASET_CREATE);
    H5Pset_obj_track_times(how, 0);
    const hid_t set =
        H5Dcreate2(file, "bodies", H5T_IEEE_F64LE, space, H5P_DEFAULT, how, H5P_DEFAULT);
    const bool good =
        set >= 0 && H5Dwrite(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, c->body) >= 0;
    if (set >= 0) H5Dclose(set);
    if (how >= 0) H5Pclose(how);
    if (space >= 0) H5Sclose(space);
    return good;
}

// Memory grows in steps of this size: one step for all the arrays.
static size_t field_bytes(const OndFields *fields)
{
    size_t bytes = 0;
    for (int f = 0; f < fields->field_count; ++f)
        if (fields->field[f].flags & OND_FIELD_STATE)
            bytes += (size_t)fields->field[f].components * (size_t)fields->count * 4;
    return bytes;
}

static size_t state_bytes(const OndCheckpoint *c)
{
    return 65536 + field_bytes(&c->fields) + field_bytes(&c->cells) + field_bytes(&c->foam);
}

static hid_t create_in_memory(const char *path, size_t step)
{
    const hid_t access = H5Pcreate(H5P_FILE_ACCESS);
    hid_t file = -1;
    if (access >= 0 && H5Pset_fapl_core(access, step, 0) >= 0 &&
        H5Pset_fclose_degree(access, H5F_CLOSE_STRONG) >= 0)
        file = H5Fcreate(path, H5F_ACC_TRUNC, H5P_DEFAULT, access);
    if (access >= 0) H5Pclose(access);
    return file;
}

// The core driver's handle is the address of its memory.
static bool copy_out(hid_t file, OndFile *to)
{
    void *handle = NULL;
    if (H5Fflush(file, H5F_SCOPE_GLOBAL) < 0) return false;
    const ssize_t size =
        H5Fget_file_image(file, NULL, 0); // how long the image is, without a copy of it
    if (size <= 0 || H5Fget_vfd_handle(file, H5P_DEFAULT, &handle) < 0 || !handle) return false;
    const void *image = *(void **)handle;
    unsigned char seal[OND_SEAL_BYTES];
    ond_checkpoint_seal((uint64_t)size, ond_hash_bytes(image, (size_t)size), seal);
    ond_file_write(to, image, (size_t)size);
    ond_file_write(to, seal, sizeof seal);
    return true;
}

OndStatus ond_checkpoint_write_image(const char *path, const OndCheckpoint *c, OndFile *to,
                                     OndError *err)
{
    H5E_auto2_t report;
    void *report_data;
    H5Eget_auto2(H5E_DEFAULT, &report, &report_data);
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL); // HDF5 would print
    const hid_t file = create_in_memory(path, state_bytes(c));
    bool good = file >= 0 && put_root(file, c) && put_numbers(file, c) &&
                put_fields(file, "particles", &c->fields) && put_fields(file, "grid", &c->cells) &&
                put_foam(file, c) && put_bodies(file, c) && copy_out(file, to);
    if (file >= 0) H5Fclose(file);
    H5Eset_auto2(H5E_DEFAULT, report, report_data);
    if (good) return OND_OK;
    return ond_fail(
        err, OND_NO_MEMORY,
        "cannot put the checkpoint %s together: HDF5 failed, most likely for want of %.1f MB "
        "of memory",
        path, (double)state_bytes(c) * 1e-6);
}
