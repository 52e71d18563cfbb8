// SPDX-License-Identifier: MIT
// The HDF5 part of a checkpoint back into memory. Its seal was right, so it is what some version of
// this program wrote; sizes are checked all the same before memory is taken for them.
#include "io/checkpoint_hdf5.h"

#include "base/memory.h"
#include "io/checkpoint_parts.h"

#include <hdf5.h>
#include <limits.h>
#include <string.h>

#define MOST_NUMBERS 1000000 // more are no checkpoint's

typedef struct CheckpointReader {
    const char *path;
    OndCheckpoint *out;
    hid_t file;
    uint64_t file_bytes;
    OndError *err;
} CheckpointReader;

static OndStatus lacks(const CheckpointReader *r, const char *what, const char *name)
{
    return ond_fail(r->err, OND_BAD_VALUE,
                    "the checkpoint %s cannot be used: its %s '%s' is missing or of another kind",
                    r->path, what, name);
}

// One number; H5Aread converts from what the file has.
static bool get_attribute(hid_t at, const char *name, hid_t type, void *out)
{
    const hid_t a = H5Aopen(at, name, H5P_DEFAULT);
    if (a < 0) return false;
    const hid_t space = H5Aget_space(a);
    const bool good =
        space >= 0 && H5Sget_simple_extent_npoints(space) == 1 && H5Aread(a, type, out) >= 0;
    if (space >= 0) H5Sclose(space);
    H5Aclose(a);
    return good;
}

// A fixed-length text that fits; what is longer is refused.
static bool get_text(hid_t at, const char *name, char *out, size_t room)
{
    const hid_t a = H5Aopen(at, name, H5P_DEFAULT);
    if (a < 0) return false;
    const hid_t type = H5Aget_type(a), space = H5Aget_space(a);
    memset(out, 0, room);
    const bool good = type >= 0 && H5Tget_class(type) == H5T_STRING &&
                      H5Tis_variable_str(type) == 0 && H5Tget_size(type) < room && space >= 0 &&
                      H5Sget_simple_extent_npoints(space) == 1 && H5Aread(a, type, out) >= 0;
    if (space >= 0) H5Sclose(space);
    if (type >= 0) H5Tclose(type);
    H5Aclose(a);
    return good;
}

static OndStatus check_count(const CheckpointReader *r, long long total, const char *what,
                             int *count)
{
    if (total < 0 || total > INT_MAX - 1024 || (uint64_t)total > r->file_bytes / 4)
        return ond_fail(r->err, OND_BAD_VALUE,
                        "the checkpoint %s claims %lld %s, which its %.1f MB cannot hold", r->path,
                        total, what, (double)r->file_bytes * 1e-6);
    *count = (int)total;
    return OND_OK;
}

// How many there are of each.
typedef struct Counts {
    int particles, cells, foam;
} Counts;

// What a checkpoint may say nothing of: cells in those of before there were grids, foam where there
// is none.
static OndStatus get_other(CheckpointReader *r, const char *name, int *count)
{
    long long total = 0;
    if (H5Aexists(r->file, name) > 0 && !get_attribute(r->file, name, H5T_NATIVE_LLONG, &total))
        return lacks(r, "attribute", name);
    return check_count(r, total, name, count);
}

static OndStatus get_root(CheckpointReader *r, Counts *counts)
{
    OndCheckpoint *c = r->out;
    int version;
    long long total;
    if (!get_attribute(r->file, "format_version", H5T_NATIVE_INT, &version))
        return lacks(r, "attribute", "format_version");
    if (version != OND_CHECKPOINT_VERSION)
        return ond_fail(
            r->err, OND_BAD_VALUE,
            "the checkpoint %s has format version %d; this program reads version %d: resume "
            "with the version that wrote it, or start the run anew",
            r->path, version, OND_CHECKPOINT_VERSION);
    const struct {
        const char *name;
        hid_t type;
        void *to;
    } wanted[] = {
        {"time", H5T_NATIVE_DOUBLE, &c->time},
        {"step", H5T_NATIVE_LLONG, &c->step},
        {"frame", H5T_NATIVE_INT, &c->frame},
        {"dt_previous", H5T_NATIVE_DOUBLE, &c->dt_previous},
        {"scene_hash", H5T_NATIVE_UINT64, &c->scene_hash},
        {"count", H5T_NATIVE_LLONG, &total},
    };
    for (size_t k = 0; k < sizeof wanted / sizeof wanted[0]; ++k)
        if (!get_attribute(r->file, wanted[k].name, wanted[k].type, wanted[k].to))
            return lacks(r, "attribute", wanted[k].name);
    OndStatus status = check_count(r, total, "particles", &counts->particles);
    if (status == OND_OK) status = get_other(r, "cells", &counts->cells);
    return status == OND_OK ? get_other(r, "foam", &counts->foam) : status;
}

// Called for each number; below 0 ends the walk.
static herr_t get_number(hid_t group, const char *name, const H5A_info_t *info, void *reader)
{
    CheckpointReader *const r = reader;
    double value = 0.0;
    if (!get_attribute(group, name, H5T_NATIVE_DOUBLE, &value)) return -1;
    const char *const kept = ond_fields_keep_text(&r->out->fields, name);
    ond_checkpoint_add(r->out, kept[0] ? kept : NULL, value);
    return 0;
}

// In one walk: asking for the k-th one makes HDF5 list them all anew each time, which took minutes
// for the 16 000 of a thousand solids that are led.
static OndStatus get_numbers(CheckpointReader *r)
{
    const hid_t group = H5Gopen2(r->file, "numbers", H5P_DEFAULT);
    if (group < 0) return lacks(r, "group", "numbers");
    H5O_info_t info;
    hsize_t at = 0;
    const bool good = H5Oget_info2(group, &info, H5O_INFO_NUM_ATTRS) >= 0 &&
                      info.num_attrs <= MOST_NUMBERS &&
                      H5Aiterate2(group, H5_INDEX_CRT_ORDER, H5_ITER_INC, &at, get_number, r) >= 0;
    H5Gclose(group);
    return good ? ond_checkpoint_check(r->out, r->err) : lacks(r, "group", "numbers");
}

// What the dataset is, as a field without data. False when it is nothing that is written here.
static bool describe(hid_t set, int count, char unit[64], OndField *out)
{
    char type[8];
    unsigned flags = 0;
    hsize_t size[2];
    const hid_t space = H5Dget_space(set);
    const bool shaped = space >= 0 && H5Sget_simple_extent_ndims(space) == 2 &&
                        H5Sget_simple_extent_dims(space, size, NULL) == 2 &&
                        (size[0] == 1 || size[0] == 3) && size[1] == (hsize_t)count;
    if (space >= 0) H5Sclose(space);
    if (!shaped || H5Dget_storage_size(set) != size[0] * size[1] * 4) return false;
    if (!get_text(set, "unit", unit, 64) || !get_text(set, "type", type, sizeof type) ||
        !get_attribute(set, "flags", H5T_NATIVE_UINT, &flags))
        return false;
    out->type = strcmp(type, "u32") == 0 ? OND_U32 : OND_F32;
    out->components = (int)size[0];
    out->flags = flags;
    return true;
}

static bool get_component(hid_t set, const OndField *field, int component, hsize_t count)
{
    const hsize_t start[2] = {(hsize_t)component, 0}, size[2] = {1, count};
    const hid_t type = field->type == OND_U32 ? H5T_NATIVE_UINT32 : H5T_NATIVE_FLOAT;
    const hid_t space = H5Dget_space(set), memory = H5Screate_simple(1, &count, NULL);
    const bool good = space >= 0 && memory >= 0 &&
                      H5Sselect_hyperslab(space, H5S_SELECT_SET, start, NULL, size, NULL) >= 0 &&
                      H5Dread(set, type, memory, space, H5P_DEFAULT, field->data[component]) >= 0;
    if (memory >= 0) H5Sclose(memory);
    if (space >= 0) H5Sclose(space);
    return good;
}

static OndStatus get_field(CheckpointReader *r, OndFields *fields, hid_t set, const char *name,
                           int count)
{
    OndField like = {0};
    char unit[64];
    if (!describe(set, count, unit, &like)) return lacks(r, "field", name);
    const int index =
        ond_fields_add(fields, ond_fields_keep_text(fields, name),
                       ond_fields_keep_text(fields, unit), like.type, like.components, like.flags);
    if (index < 0)
        return ond_fail(r->err, OND_NO_MEMORY, "not enough memory for the checkpoint %s", r->path);
    for (int c = 0; c < like.components && count; ++c)
        if (!get_component(set, &fields->field[index], c, (hsize_t)count))
            return lacks(r, "field", name);
    return OND_OK;
}

static OndStatus get_link(CheckpointReader *r, OndFields *fields, hid_t group, int k, int count)
{
    char name[128];
    const ssize_t length = H5Lget_name_by_idx(group, ".", H5_INDEX_CRT_ORDER, H5_ITER_INC,
                                              (hsize_t)k, name, sizeof name, H5P_DEFAULT);
    if (length < 0 || length >= (ssize_t)sizeof name) return lacks(r, "group", "fields");
    const hid_t set = H5Dopen2(group, name, H5P_DEFAULT);
    if (set < 0) return lacks(r, "field", name);
    const OndStatus status = get_field(r, fields, set, name, count);
    H5Dclose(set);
    return status;
}

static OndStatus get_fields(CheckpointReader *r, const char *name, int count, OndFields *fields)
{
    H5G_info_t info;
    const hid_t group = H5Gopen2(r->file, name, H5P_DEFAULT);
    if (group < 0) return lacks(r, "group", name);
    OndStatus status = OND_OK;
    if (H5Gget_info(group, &info) < 0 || info.nlinks > OND_FIELDS_MAX)
        status = lacks(r, "group", name);
    else
        status = ond_fields_reserve(fields, count, r->err);
    for (int k = 0; status == OND_OK && k < (int)info.nlinks; ++k)
        status = get_link(r, fields, group, k, count);
    if (status == OND_OK) fields->count = count;
    H5Gclose(group);
    return status;
}

// As many values as the dataset has; none when it is not there.
static OndStatus get_bodies(CheckpointReader *r)
{
    if (H5Lexists(r->file, "bodies", H5P_DEFAULT) <= 0) return OND_OK;
    const hid_t set = H5Dopen2(r->file, "bodies", H5P_DEFAULT);
    const hid_t space = set >= 0 ? H5Dget_space(set) : -1;
    const hssize_t count = space >= 0 ? H5Sget_simple_extent_npoints(space) : -1;
    OndStatus status = OND_OK;
    if (count < 0 || (uint64_t)count > r->file_bytes / 8)
        status = lacks(r, "field", "bodies");
    else if (!(r->out->body = OND_NEW_ARRAY(double, count + 1)))
        status =
            ond_fail(r->err, OND_NO_MEMORY, "not enough memory for the checkpoint %s", r->path);
    else if (H5Dread(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, r->out->body) < 0)
        status = lacks(r, "field", "bodies");
    else
        r->out->body_values = (int)count;
    if (space >= 0) H5Sclose(space);
    if (set >= 0) H5Dclose(set);
    return status;
}

static hid_t open_file(const char *path)
{
    const hid_t access = H5Pcreate(H5P_FILE_ACCESS);
    hid_t file = -1;
    // Locking fails on some network disks, and a checkpoint that has its name never changes.
    if (access >= 0 && H5Pset_fclose_degree(access, H5F_CLOSE_STRONG) >= 0 &&
        H5Pset_file_locking(access, 0, 1) >= 0)
        file = H5Fopen(path, H5F_ACC_RDONLY, access);
    if (access >= 0) H5Pclose(access);
    return file;
}

static OndStatus read_all(CheckpointReader *r)
{
    Counts counts = {0};
    hsize_t bytes = 0;
    if (r->file < 0 || H5Fget_filesize(r->file, &bytes) < 0)
        return ond_fail(r->err, OND_BAD_VALUE, "HDF5 cannot open the checkpoint %s", r->path);
    r->file_bytes = bytes;
    OndStatus status = get_root(r, &counts);
    if (status == OND_OK) status = get_numbers(r);
    if (status == OND_OK) status = get_fields(r, "particles", counts.particles, &r->out->fields);
    if (status == OND_OK && counts.cells > 0)
        status = get_fields(r, "grid", counts.cells, &r->out->cells);
    if (status == OND_OK && H5Lexists(r->file, "foam", H5P_DEFAULT) > 0)
        status = get_fields(r, "foam", counts.foam, &r->out->foam);
    if (status == OND_OK) status = get_bodies(r);
    return status;
}

OndStatus ond_checkpoint_read_image(const char *path, OndCheckpoint *out, OndError *err)
{
    H5E_auto2_t report;
    void *report_data;
    H5Eget_auto2(H5E_DEFAULT, &report, &report_data);
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL); // HDF5 would print
    CheckpointReader r = {path, out, open_file(path), 0, err};
    const OndStatus status = read_all(&r);
    if (r.file >= 0) H5Fclose(r.file);
    H5Eset_auto2(H5E_DEFAULT, report, report_data);
    return status;
}
