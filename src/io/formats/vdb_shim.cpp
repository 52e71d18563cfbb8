// SPDX-License-Identifier: MIT
// All of this library's C++.
#include "io/formats/vdb_shim.h"

#include <openvdb/io/Archive.h>
#include <openvdb/io/Stream.h>
#include <openvdb/openvdb.h>

#include <cmath>
#include <cstdio>
#include <new>
#include <sstream>
#include <string>
#include <vector>

namespace
{

using Scalars = openvdb::FloatGrid;
using Vectors = openvdb::Vec3SGrid;

int give_up(char *why, size_t room, int status, const char *reason)
{
    std::snprintf(why, room, "%s", reason);
    return status;
}

// What a body throws becomes a status and a sentence.
template <typename Body> int guarded(char *why, size_t room, Body body)
{
    try {
        body();
        return OND_VDB_OK;
    } catch (const std::bad_alloc &) {
        return give_up(why, room, OND_VDB_NO_MEMORY, "not enough memory");
    } catch (const std::exception &e) {
        return give_up(why, room, OND_VDB_WRONG, e.what());
    } catch (...) {
        return give_up(why, room, OND_VDB_WRONG, "OpenVDB failed");
    }
}

// ---- writing

// Voxels of OpenVDB have their middles at whole numbers.
openvdb::math::Transform::Ptr transform_of(const OndVdbShape &s)
{
    auto transform = openvdb::math::Transform::createLinearTransform(s.h);
    transform->postTranslate(
        openvdb::Vec3d(s.origin[0] + 0.5 * s.h, s.origin[1] + 0.5 * s.h, s.origin[2] + 0.5 * s.h));
    return transform;
}

float value_at(const float *row, int i, float)
{
    return row[i];
}

openvdb::Vec3s value_at(const float *row, int i, openvdb::Vec3s)
{
    return openvdb::Vec3s(row[3 * i], row[3 * i + 1], row[3 * i + 2]);
}

bool differs(float value, float background, float tolerance)
{
    return !(std::fabs(value - background) <= tolerance);
}

bool differs(const openvdb::Vec3s &v, const openvdb::Vec3s &b, float tolerance)
{
    return differs(v[0], b[0], tolerance) || differs(v[1], b[1], tolerance) ||
           differs(v[2], b[2], tolerance);
}

template <typename Grid> openvdb::GridBase::Ptr make_grid(const OndVdbSource &s, int index)
{
    using Value = typename Grid::ValueType;
    const OndVdbField &field = s.field[index];
    const Value background(field.background);
    const auto grid = Grid::create(background);
    auto accessor = grid->getAccessor();
    std::vector<float> row(static_cast<size_t>(s.shape.n[0]) *
                           static_cast<size_t>(field.components));
    for (int k = 0; k < s.shape.n[2]; ++k)
        for (int j = 0; j < s.shape.n[1]; ++j) {
            s.row(s.own, index, j, k, row.data());
            for (int i = 0; i < s.shape.n[0]; ++i) {
                const Value value = value_at(row.data(), i, background);
                if (differs(value, background, field.tolerance))
                    accessor.setValue(openvdb::Coord(i, j, k), value);
            }
        }
    grid->pruneGrid();
    grid->setName(field.name);
    grid->setTransform(transform_of(s.shape));
    return grid;
}

openvdb::GridBase::Ptr make_field(const OndVdbSource &s, int index)
{
    if (s.field[index].components == 3) {
        const auto grid = make_grid<Vectors>(s, index);
        grid->setVectorType(openvdb::VEC_CONTRAVARIANT_RELATIVE);
        return grid;
    }
    const auto grid = make_grid<Scalars>(s, index);
    grid->setGridClass(openvdb::GRID_FOG_VOLUME);
    return grid;
}

openvdb::MetaMap describe(const OndVdbShape &s)
{
    openvdb::MetaMap meta;
    meta.insertMeta("creator", openvdb::StringMetadata("ondine"));
    meta.insertMeta("ondine_time", openvdb::DoubleMetadata(s.time));
    meta.insertMeta("ondine_frame", openvdb::Int32Metadata(s.frame));
    meta.insertMeta("ondine_cells", openvdb::Vec3IMetadata(openvdb::Vec3i(s.n[0], s.n[1], s.n[2])));
    meta.insertMeta("ondine_min",
                    openvdb::Vec3DMetadata(openvdb::Vec3d(s.domain[0], s.domain[1], s.domain[2])));
    meta.insertMeta("ondine_max",
                    openvdb::Vec3DMetadata(openvdb::Vec3d(s.domain[3], s.domain[4], s.domain[5])));
    return meta;
}

// Into any stream, with the places of the grids, as OpenVDB's own files have them.
struct Writer : openvdb::io::Archive {
    void put(std::ostream &to, const openvdb::GridCPtrVec &grids, const openvdb::MetaMap &meta)
    {
        write(to, grids, true, meta);
    }
};

void write_all(const OndVdbSource &s)
{
    openvdb::initialize();
    openvdb::GridCPtrVec grids;
    for (int f = 0; f < s.field_count; ++f)
        grids.push_back(make_field(s, f));
    std::ostringstream stream(std::ios_base::out | std::ios_base::binary);
    stream.exceptions(std::ios_base::badbit | std::ios_base::failbit);
    Writer().put(stream, grids, describe(s.shape));
    const std::string bytes = stream.str();
    s.write(s.own, bytes.data(), bytes.size());
}

} // namespace

int ond_vdb_shim_write(const OndVdbSource *source, char *why, size_t room)
{
    return guarded(why, room, [&] { write_all(*source); });
}

// ---- reading

struct OndVdbFile {
    OndVdbShape shape = {};
    std::vector<openvdb::GridBase::Ptr> grid;
    std::vector<std::string> name;
    openvdb::Coord first; // the voxel that is our first cell
};

namespace
{

template <typename Meta, typename Value>
Value meta_or(const openvdb::MetaMap &map, const char *name, Value otherwise)
{
    const auto found = map.getMetadata<Meta>(name);
    return found ? Value(found->value()) : otherwise;
}

void take_grids(OndVdbFile &file, const openvdb::GridPtrVec &grids)
{
    for (const auto &grid : grids)
        if (grid && (grid->isType<Scalars>() || grid->isType<Vectors>())) {
            file.grid.push_back(grid);
            file.name.push_back(grid->getName());
        }
    if (file.grid.empty()) throw std::runtime_error("it has no grids of numbers or vectors");
}

// The box round everything, unless the file says how many cells there are.
void find_box(OndVdbFile &file, const openvdb::MetaMap &meta)
{
    openvdb::CoordBBox box;
    for (const auto &grid : file.grid)
        box.expand(grid->evalActiveVoxelBoundingBox());
    const auto cells = meta_or<openvdb::Vec3IMetadata>(meta, "ondine_cells", openvdb::Vec3i(0));
    if (cells[0] > 0 && cells[1] > 0 && cells[2] > 0)
        box = openvdb::CoordBBox(openvdb::Coord(0), openvdb::Coord(cells - openvdb::Vec3i(1)));
    if (box.empty()) throw std::runtime_error("all its grids are empty");
    file.first = box.min();
    for (int a = 0; a < 3; ++a) {
        const double n = double(box.max()[a]) - double(box.min()[a]) + 1.0;
        if (!(n >= 1.0 && n <= 65536.0)) throw std::runtime_error("it is too wide");
        file.shape.n[a] = int(n);
    }
}

void find_place(OndVdbFile &file)
{
    const auto &transform = file.grid[0]->transform();
    const openvdb::Vec3d size = transform.voxelSize();
    if (!transform.isLinear() || !(size[0] > 0.0) ||
        std::fabs(size[1] - size[0]) > 1e-6 * size[0] ||
        std::fabs(size[2] - size[0]) > 1e-6 * size[0])
        throw std::runtime_error("its voxels are no cubes");
    const openvdb::Vec3d middle = transform.indexToWorld(file.first);
    file.shape.h = size[0];
    for (int a = 0; a < 3; ++a)
        file.shape.origin[a] = middle[a] - 0.5 * size[0];
}

void describe_back(OndVdbFile &file, const openvdb::MetaMap &meta)
{
    OndVdbShape &s = file.shape;
    s.time = meta_or<openvdb::DoubleMetadata>(meta, "ondine_time", 0.0);
    s.frame = meta_or<openvdb::Int32Metadata>(meta, "ondine_frame", 0);
    const openvdb::Vec3d none(0.0);
    const auto min = meta_or<openvdb::Vec3DMetadata>(meta, "ondine_min", none),
               max = meta_or<openvdb::Vec3DMetadata>(meta, "ondine_max", none);
    for (int a = 0; a < 3; ++a)
        s.domain[a] = min[a], s.domain[3 + a] = max[a];
}

void read_all(OndVdbFile &file, const char *bytes, size_t size, double most)
{
    openvdb::initialize();
    std::istringstream stream(std::string(bytes, size), std::ios_base::in | std::ios_base::binary);
    stream.exceptions(std::ios_base::eofbit | std::ios_base::failbit | std::ios_base::badbit);
    openvdb::io::Stream archive(stream, /*delayLoad=*/false);
    const auto grids = archive.getGrids();
    const auto meta = archive.getMetadata();
    if (!grids || !meta) throw std::runtime_error("it is no OpenVDB file");
    take_grids(file, *grids);
    find_box(file, *meta);
    const int *n = file.shape.n;
    if (double(n[0]) * n[1] * n[2] > most) throw std::runtime_error("it has too many cells");
    find_place(file);
    describe_back(file, *meta);
}

template <typename Grid, typename Put>
void copy_row(const openvdb::GridBase &base, openvdb::Coord at, int count, Put put)
{
    const auto &grid = static_cast<const Grid &>(base);
    const auto accessor = grid.getConstUnsafeAccessor() /* allocates nothing */;
    for (int i = 0; i < count; ++i)
        put(i, accessor.getValue(at.offsetBy(i, 0, 0)));
}

} // namespace

OndVdbFile *ond_vdb_shim_open(const char *bytes, size_t size, double most, char *why, size_t room)
{
    OndVdbFile *file = nullptr;
    const int status = guarded(why, room, [&] {
        file = new OndVdbFile;
        read_all(*file, bytes, size, most);
    });
    if (status == OND_VDB_OK) return file;
    delete file;
    return nullptr;
}

void ond_vdb_shim_close(OndVdbFile *file)
{
    delete file;
}

const OndVdbShape *ond_vdb_shim_shape(const OndVdbFile *file)
{
    return &file->shape;
}

int ond_vdb_shim_fields(const OndVdbFile *file)
{
    return int(file->grid.size());
}

const char *ond_vdb_shim_name(const OndVdbFile *file, int field, int *components)
{
    *components = file->grid[size_t(field)]->isType<Vectors>() ? 3 : 1;
    return file->name[size_t(field)].c_str();
}

void ond_vdb_shim_row(const OndVdbFile *file, int field, int j, int k, float *out)
{
    const openvdb::GridBase &grid = *file->grid[size_t(field)];
    const openvdb::Coord at = file->first.offsetBy(0, j, k);
    const int count = file->shape.n[0];
    if (grid.isType<Vectors>())
        copy_row<Vectors>(grid, at, count, [&](int i, const openvdb::Vec3s &v) {
            out[3 * i] = v[0], out[3 * i + 1] = v[1], out[3 * i + 2] = v[2];
        });
    else
        copy_row<Scalars>(grid, at, count, [&](int i, float v) { out[i] = v; });
}
