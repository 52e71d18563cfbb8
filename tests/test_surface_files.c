// SPDX-License-Identifier: MIT
// Surfaces as files: what is written comes back, other programs' files are read, damaged ones and
// full disks give a sentence.
#include "check.h"
#include "folder.h"
#include "round.h"

#include "io/formats/stl.h"
#include "io/formats/surface_files.h"
#include "io/mesh_assimp.h"
#include "io/run_folder.h"

#include <sys/stat.h>

static const char *const extensions[] = {"ply", "obj", "stl", "vtp", "pov"};

static char *read_bytes(const char *path, size_t *size)
{
    char *bytes;
    OndError err = {0};
    if (ond_file_read_all(path, (size_t)1 << 30, &bytes, size, &err) != OND_OK)
        fail_msg("%s", err.text);
    return bytes;
}

static void write_or_fail(const char *path, const OndSurface *s, const OndSurfaceAbout *about)
{
    OndError err = {0};
    if (ond_surface_write(path, s, about, &err) != OND_OK) fail_msg("%s", err.text);
}

static OndSurface read_or_fail(const char *path)
{
    OndSurface s;
    OndError err = {0};
    if (ond_surface_read(path, &s, &err) != OND_OK) fail_msg("%s", err.text);
    return s;
}

static void check_same_mesh(const OndMesh *a, const OndMesh *b)
{
    CHECK_NEAR(b->corner_count, a->corner_count, 0, "corners");
    CHECK_NEAR(b->triangle_count, a->triangle_count, 0, "triangles");
    assert_memory_equal(a->corner, b->corner, (size_t)a->corner_count * 12);
    assert_memory_equal(a->triangle, b->triangle, (size_t)a->triangle_count * 12);
}

// ---- round trips

static void test_ply_keeps_everything(void **state)
{
    (void)state;
    char path[256];
    OndSurface a = round_surface(3);
    write_or_fail(in_folder("a.ply", path), &a, NULL);
    OndSurface b = read_or_fail(path);
    check_same_mesh(&a.mesh, &b.mesh);
    for (int k = 0; k < 3 * a.mesh.corner_count; ++k)
        CHECK_NEAR(b.normal[k], a.normal[k], 1e-6, "normal");
    CHECK_NEAR(b.attributes.field_count, a.attributes.field_count, 0, "attributes");
    for (int f = 0; f < a.attributes.field_count; ++f) {
        const OndField *x = &a.attributes.field[f], *y = ond_fields_find(&b.attributes, x->name);
        if (!y) fail_msg("%s is lost", x->name);
        assert_string_equal(x->unit, y->unit);
        assert_int_equal(x->type, y->type);
        assert_int_equal(x->components, y->components);
        for (int c = 0; c < x->components; ++c)
            assert_memory_equal(x->data[c], y->data[c], (size_t)a.mesh.corner_count * 4);
    }
    CHECK_NEAR(b.frame, 7, 0, "frame");
    CHECK_NEAR(b.time, 0.1, 0, "time");
    CHECK_NEAR(b.spacing, 0.125, 0, "spacing");
    CHECK_NEAR(b.domain.max.y, 3, 0, "domain");
    ond_surface_free(&a);
    ond_surface_free(&b);
    unlink(path);
}

static void test_obj_keeps_mesh_and_normals(void **state)
{
    (void)state;
    char path[256];
    OndSurface a = round_surface(2);
    for (int k = 0; k < 3 * a.mesh.corner_count; ++k)
        a.mesh.corner[k] = a.mesh.corner[k] / 3.0f + 1e-5f * (float)k;
    write_or_fail(in_folder("a.obj", path), &a, NULL);
    OndSurface b = read_or_fail(path);
    check_same_mesh(&a.mesh, &b.mesh);
    for (int k = 0; k < 3 * a.mesh.corner_count; ++k)
        CHECK_NEAR(b.normal[k], a.normal[k], 1e-6, "normal");
    ond_surface_free(&a);
    ond_surface_free(&b);
    unlink(path);
}

// ---- the forms that are only written, taken apart by hand

static float float_at(const char *bytes)
{
    float f;
    memcpy(&f, bytes, 4);
    return f;
}

static uint32_t word_at(const char *bytes)
{
    uint32_t v;
    memcpy(&v, bytes, 4);
    return v;
}

static void test_stl(void **state)
{
    (void)state;
    char path[256];
    size_t size;
    OndSurface s = round_surface(2);
    write_or_fail(in_folder("a.stl", path), &s, NULL);
    char *bytes = read_bytes(path, &size);
    assert_true(strncmp(bytes, "solid", 5) != 0);
    CHECK_NEAR((double)size, 84 + 50 * s.mesh.triangle_count, 0, "bytes");
    CHECK_NEAR(word_at(bytes + 80), s.mesh.triangle_count, 0, "triangles");
    for (int t = 0; t < s.mesh.triangle_count; ++t) {
        const char *at = bytes + 84 + 50 * t;
        double outwards = 0.0;
        for (int k = 0; k < 3; ++k)
            outwards += (double)float_at(at + 4 * k) * (double)float_at(at + 12 + 4 * k);
        assert_true(outwards > 0.9); // the sphere's normal is its place
        for (int k = 0; k < 9; ++k)
            CHECK_NEAR(float_at(at + 12 + 4 * k),
                       s.mesh.corner[3 * s.mesh.triangle[3 * t + k / 3] + (uint32_t)k % 3], 0,
                       "corner");
    }
    ond_free(bytes);
    ond_surface_free(&s);
    unlink(path);
}

// The appended array that is announced with that name.
static const char *vtk_array(const char *bytes, const char *name, uint64_t *length)
{
    char key[64];
    snprintf(key, sizeof key, "Name=\"%s\"", name);
    const char *at = strstr(bytes, key);
    if (!at) fail_msg("no array %s", name);
    at = strstr(at, "offset=\"");
    assert_non_null(at);
    const char *data = strstr(bytes, "<AppendedData encoding=\"raw\">\n_");
    assert_non_null(data);
    data += strlen("<AppendedData encoding=\"raw\">\n_") + strtoull(at + 8, NULL, 10);
    memcpy(length, data, 8);
    return data + 8;
}

static void test_vtp(void **state)
{
    (void)state;
    char path[256];
    size_t size;
    uint64_t length;
    OndSurface s = round_surface(2);
    write_or_fail(in_folder("a.vtp", path), &s, NULL);
    char *bytes = read_bytes(path, &size);
    CHECK_SAYS(bytes, "NumberOfPolys=\"128\"", "polygons");
    CHECK_SAYS(bytes, "Normals=\"normal\"", "normals");
    const char *at = vtk_array(bytes, "position", &length);
    CHECK_NEAR((double)length, 12 * s.mesh.corner_count, 0, "bytes of the points");
    assert_memory_equal(at, s.mesh.corner, length);
    at = vtk_array(bytes, "normal", &length);
    assert_memory_equal(at, s.normal, length);
    at = vtk_array(bytes, "connectivity", &length);
    CHECK_NEAR((double)length, 12 * s.mesh.triangle_count, 0, "bytes of the polygons");
    assert_memory_equal(at, s.mesh.triangle, length);
    at = vtk_array(bytes, "offsets", &length);
    CHECK_NEAR((double)length, 4 * s.mesh.triangle_count, 0, "bytes of the offsets");
    for (int t = 0; t < s.mesh.triangle_count; ++t)
        CHECK_NEAR(word_at(at + 4 * t), 3 * (t + 1), 0, "end of a polygon");
    at = vtk_array(bytes, "velocity", &length);
    CHECK_NEAR((double)length, 12 * s.mesh.corner_count, 0, "bytes of the velocity");
    CHECK_NEAR(float_at(at + 12 * 5 + 8), 0.1 * 5 + 2, 1e-6, "z of the sixth velocity");
    assert_string_equal(bytes + size - strlen("</VTKFile>\n"), "</VTKFile>\n");
    ond_free(bytes);
    ond_surface_free(&s);
    unlink(path);
}

// ---- others read ours

static void test_assimp_reads_them(void **state)
{
    (void)state;
    static const char *const read_by_it[] = {"a.ply", "a.obj", "a.stl"};
    OndSurface s = round_surface(2);
    for (int k = 0; k < OND_COUNT(read_by_it); ++k) {
        char path[256];
        bool oriented = false;
        OndMesh mesh = {0}, welded = {0};
        OndError err = {0};
        write_or_fail(in_folder(read_by_it[k], path), &s, NULL);
        if (ond_mesh_load(path, &mesh, &err) != OND_OK ||
            ond_mesh_weld(&mesh, &welded, &err) != OND_OK ||
            ond_mesh_check_closed(&welded, &oriented, &err) != OND_OK)
            fail_msg("%s: %s", read_by_it[k], err.text);
        CHECK_NEAR(welded.corner_count, s.mesh.corner_count, 0, read_by_it[k]);
        CHECK_NEAR(welded.triangle_count, s.mesh.triangle_count, 0, read_by_it[k]);
        CHECK_NEAR(oriented, 1, 0, read_by_it[k]);
        ond_mesh_free(&mesh);
        ond_mesh_free(&welded);
        unlink(path);
    }
    ond_surface_free(&s);
}

// ---- STL without assimp

static void test_stl_back(void **state)
{
    (void)state;
    char path[256], *bytes;
    size_t size;
    OndError err = {0};
    OndMesh mesh, welded = {0};
    bool oriented = false;
    OndSurface s = round_surface(2);
    write_or_fail(in_folder("back.stl", path), &s, NULL);
    assert_int_equal(ond_file_read_all(path, 1 << 24, &bytes, &size, &err), OND_OK);
    assert_int_equal(ond_stl_parse("back.stl", bytes, size, &mesh, &err), OND_OK);
    CHECK_NEAR(mesh.triangle_count, s.mesh.triangle_count, 0, "triangles");
    assert_int_equal(ond_mesh_weld(&mesh, &welded, &err), OND_OK);
    assert_int_equal(ond_mesh_check_closed(&welded, &oriented, &err), OND_OK);
    CHECK_NEAR(oriented, 1, 0, "outside");
    ond_mesh_free(&mesh);
    assert_int_equal(ond_stl_parse("cut.stl", bytes, size - 1, &mesh, &err), OND_BAD_VALUE);
    CHECK_SAYS(err.text, "cut.stl: not a usable STL file", "cut off");
    ond_mesh_free(&welded);
    ond_free(bytes);
    ond_surface_free(&s);
    unlink(path);
}

static void test_stl_text(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        int triangles; ///< 0: refused
    } cases[] = {
        {"solid a\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1e0 -0.5\n"
         "endloop\nendfacet\nendsolid a\n",
         1},
        {"solid a\nvertex 0 0 0\nvertex 1 0 0\nendsolid\n", 0},
        {"solid a\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 x 0\n", 0},
        {"solid a\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1", 0},
        {"", 0},
    };
    for (int c = 0; c < OND_COUNT(cases); ++c) {
        OndMesh mesh;
        OndError err = {0};
        const OndStatus status =
            ond_stl_parse("a.stl", cases[c].text, strlen(cases[c].text), &mesh, &err);
        CHECK_NEAR(status == OND_OK, cases[c].triangles > 0, 0, cases[c].text);
        CHECK_NEAR(mesh.triangle_count, cases[c].triangles, 0, cases[c].text);
        if (status == OND_OK) CHECK_NEAR(mesh.corner[8], -0.5f, 0, "the last number");
        ond_mesh_free(&mesh);
    }
}

// ---- others' files

static void test_obj_of_others(void **state)
{
    (void)state;
#define SQUARE "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\n"
    static const struct {
        const char *name, *text;
        int triangles;
        uint32_t last; // corner of the last triangle
        float nz;      // of corner 0
    } cases[] = {
        {"a square", SQUARE "f 1 2 3 4\n", 2, 3, 1},
        {"the other way round", SQUARE "f 4 3 2 1\n", 2, 0, -1},
        {"from the end", SQUARE "f -4 -3 -2\n", 1, 2, 1},
        {"with texture", SQUARE "vt 0 0\nf 1/1 2/1 3/1\n", 1, 2, 1},
        {"with all", SQUARE "vt 0 0\nvn 0 3 4\nf 1/1/1 2/1/1 3/1/1\n", 1, 2, 0.8f},
        {"with normals", SQUARE "vn 0 -0.6 0.8\nf 1//-1 2//-1 3//-1\n", 1, 2, 0.8f},
        {"normals turned round", SQUARE "vn 0 0 -1\nf 1//1 2//1 3//1\n", 1, 2, 1},
        {"normals that are none", SQUARE "vn nan 0 1\nvn 0 0 0\nf 1//1 2//2 3//1\n", 1, 2, 1},
        {"corners later", "f 1 2 3\n" SQUARE, 1, 2, 1},
        {"lines of Windows", "v 0 0 0\r\nv 1 0 0\r\nv 1 1 0\r\nf 1 2 3\r\n", 1, 2, 1},
        {"words around", "# hello\nmtllib x.mtl\no thing\n" SQUARE "usemtl a\ns off\nf 1 2 3", 1, 2,
         1},
        {"colours", "v 0 0 0 1 1 1\nv 1 0 0 1 1 1\nv 1 1 0 1 1 1\nf 1 2 3\n", 1, 2, 1},
    };
    for (int c = 0; c < OND_COUNT(cases); ++c) {
        OndSurface s;
        OndError err = {0};
        const char *text = cases[c].text;
        if (ond_surface_obj_parse("x.obj", text, strlen(text), &s, &err) != OND_OK)
            fail_msg("%s: %s", cases[c].name, err.text);
        CHECK_NEAR(s.mesh.triangle_count, cases[c].triangles, 0, cases[c].name);
        CHECK_NEAR(s.mesh.triangle[3 * cases[c].triangles - 1], cases[c].last, 0, cases[c].name);
        CHECK_NEAR(s.normal[2], cases[c].nz, 1e-6, cases[c].name);
        ond_surface_free(&s);
    }
}

#define HEAD    "ply\nformat ascii 1.0\n"
#define CORNERS "element vertex 4\nproperty float x\nproperty float y\nproperty float z\n"
#define FACES   "element face 1\nproperty list uchar int vertex_indices\n"
#define POINTS  "end_header\n0 0 0\n1 0 0\n1 1 0\n0 1 0\n"

static void test_ply_of_others(void **state)
{
    (void)state;
    static const struct {
        const char *name, *text;
        int triangles;
    } cases[] = {
        {"a square", HEAD CORNERS FACES POINTS "4 0 1 2 3\n", 2},
        {"the other name",
         HEAD CORNERS "element face 2\nproperty list uchar uint vertex_index\n" POINTS
                      "3 0 1 2\n3 0 2 3\n",
         2},
        {"more in a face",
         HEAD CORNERS "element face 1\nproperty uchar red\nproperty list uchar int vertex_indices\n"
                      "property list uchar float uv\n" POINTS "9 3 0 1 2 2 0.5 0.5\n",
         1},
        {"edges too", HEAD CORNERS "element edge 1\nproperty int a\n" FACES POINTS "5\n3 0 1 2\n",
         1},
        {"no faces at all",
         HEAD CORNERS "element face 0\nproperty list uchar int vertex_indices\n" POINTS, 0},
        {"a line as a face", HEAD CORNERS FACES POINTS "2 0 1\n", 0},
    };
    for (int c = 0; c < OND_COUNT(cases); ++c) {
        OndSurface s;
        OndError err = {0};
        const char *text = cases[c].text;
        if (ond_surface_ply_parse("x.ply", text, strlen(text), &s, &err) != OND_OK)
            fail_msg("%s: %s", cases[c].name, err.text);
        CHECK_NEAR(s.mesh.corner_count, 4, 0, cases[c].name);
        CHECK_NEAR(s.mesh.triangle_count, cases[c].triangles, 0, cases[c].name);
        if (cases[c].triangles) CHECK_NEAR(s.normal[2], 1, 1e-6, cases[c].name);
        assert_int_equal(s.attributes.field_count, 0);
        ond_surface_free(&s);
    }
}

static void test_bad_files(void **state)
{
    (void)state;
    static const struct {
        const char *name, *text, *says;
        bool obj;
    } cases[] = {
        {"empty", "", "empty", false},
        {"points alone", HEAD CORNERS POINTS, "not a surface", false},
        {"an index too far", HEAD CORNERS FACES POINTS "3 0 1 4\n", "face 0 of 1", false},
        {"a negative index", HEAD CORNERS FACES POINTS "3 0 1 -1\n", "face 0 of 1", false},
        {"cut short", HEAD CORNERS FACES POINTS "3 0 1\n", "cut short", false},
        {"more faces than bytes",
         HEAD CORNERS "element face 4000000000\nproperty list uchar int vertex_indices\n" POINTS,
         "cut short", false},
        {"a corner at no place",
         HEAD CORNERS FACES "end_header\n0 0 0\n1 nan 0\n1 1 0\n0 1 0\n3 0 1 2\n",
         "corner 1 of the surface is not finite", false},
        {"empty OBJ", "", "no line begins with 'v'", true},
        {"two numbers", "v 1 2\n", "line 1 needs three numbers", true},
        {"no numbers", "v a b c\n", "line 1 needs three numbers", true},
        {"a corner that is not there", SQUARE "f 1 2 5\n", "line 5 has a corner", true},
        {"corner 0", SQUARE "f 0 1 2\n", "line 5 has a corner", true},
        {"too far back", SQUARE "f -5 1 2\n", "line 5 has a corner", true},
        {"a huge corner", SQUARE "f 99999999999999999999 1 2\n", "line 5 has a corner", true},
        {"a word", SQUARE "f one 2 3\n", "line 5 has a corner", true},
        {"infinite", "v inf 0 0\nv 0 0 0\nv 0 1 0\nf 1 2 3\n", "corner 0 of the surface", true},
    };
    for (int c = 0; c < OND_COUNT(cases); ++c) {
        OndSurface s;
        OndError err = {0};
        const char *text = cases[c].text;
        const OndStatus status =
            cases[c].obj ? ond_surface_obj_parse("bad.obj", text, strlen(text), &s, &err)
                         : ond_surface_ply_parse("bad.ply", text, strlen(text), &s, &err);
        if (status != OND_BAD_VALUE) fail_msg("%s: status %d", cases[c].name, (int)status);
        CHECK_SAYS(err.text, cases[c].says, cases[c].name);
        CHECK_SAYS(err.text, "bad.", cases[c].name);
        assert_null(s.mesh.corner);
        assert_null(s.normal);
    }
}

// More values than a surface can carry, before the place: the place is read all the same.
static void test_place_comes_late(void **state)
{
    (void)state;
    char path[256];
    FILE *file = fopen(in_folder("late.ply", path), "w");
    assert_non_null(file);
    fprintf(file, "ply\nformat ascii 1.0\nelement vertex 3\n");
    for (int k = 0; k < 40; ++k)
        fprintf(file, "property float v%d\n", k);
    fprintf(file, "property float x\nproperty float y\nproperty float z\n"
                  "element face 1\nproperty list uchar int vertex_indices\nend_header\n");
    for (int v = 0; v < 3; ++v) {
        for (int k = 0; k < 40; ++k)
            fprintf(file, "0 ");
        fprintf(file, "%d %d 0\n", v == 1, v == 2);
    }
    fprintf(file, "3 0 1 2\n");
    assert_int_equal(fclose(file), 0);
    OndSurface surface = {0};
    OndError err = {0};
    if (ond_surface_read(path, &surface, &err) != OND_OK) fail_msg("%s", err.text);
    CHECK_NEAR(surface.mesh.corner[3], 1, 0, "x of the second corner");
    CHECK_NEAR(surface.mesh.corner[7], 1, 0, "y of the third corner");
    unlink(path);
    ond_surface_free(&surface);
}

// A whole binary file, cut at every length: never a surface, always a sentence.
static void test_cut_files(void **state)
{
    (void)state;
    char path[256];
    size_t size;
    OndSurface a = round_surface(0), b;
    write_or_fail(in_folder("a.ply", path), &a, NULL);
    char *bytes = read_bytes(path, &size);
    for (size_t length = 0; length < size; ++length) {
        OndError err = {0};
        char *part = malloc(length ? length : 1); // its own block, so that a sanitizer sees its end
        assert_non_null(part);
        memcpy(part, bytes, length);
        if (ond_surface_ply_parse("cut.ply", part, length, &b, &err) == OND_OK)
            fail_msg("%zu of %zu bytes made a surface", length, size);
        assert_true(err.text[0] != 0);
        free(part);
    }
    ond_free(bytes);
    ond_surface_free(&a);
    unlink(path);
}

// ---- what cannot be written

static void test_refused(void **state)
{
    (void)state;
    char path[256], name[32];
    struct stat info;
    for (int e = 0; e < OND_COUNT(extensions); ++e) {
        OndError err = {0};
        OndSurface s = round_surface(1);
        snprintf(name, sizeof name, "a.%s", extensions[e]);
        in_folder(name, path);
        s.mesh.corner[7] = NAN;
        assert_int_equal(ond_surface_write(path, &s, NULL, &err), OND_BAD_VALUE);
        CHECK_SAYS(err.text, "corner 2 of the surface is not finite (y is nan)", name);
        s.mesh.corner[7] = 1;
        s.mesh.triangle[5] = 99;
        assert_int_equal(ond_surface_write(path, &s, NULL, &err), OND_BAD_VALUE);
        CHECK_SAYS(err.text, "triangle 1 of the surface has a corner 99", name);
        assert_true(stat(path, &info) != 0);
        ond_surface_free(&s);
    }
}

static void test_full_disk(void **state)
{
    (void)state;
    char path[256], name[32];
    OndSurface s = round_surface(4);
    for (int e = 0; e < OND_COUNT(extensions); ++e) {
        OndError err = {0};
        snprintf(name, sizeof name, "full.%s", extensions[e]);
        in_folder(name, path);
        assert_int_equal(symlink("/dev/full", path), 0);
        assert_int_equal(ond_surface_write(path, &s, NULL, &err), OND_IO);
        CHECK_SAYS(err.text, "no space left", name);
        unlink(path);
        snprintf(path, sizeof path, "%s/none/a.%s", folder, extensions[e]);
        assert_int_equal(ond_surface_write(path, &s, NULL, &err), OND_IO);
        CHECK_SAYS(err.text, path, name);
    }
    ond_surface_free(&s);
    assert_int_equal(ond_file_status(&(OndError){.status = OND_NO_MEMORY}), OND_NO_MEMORY);
    assert_int_equal(ond_file_status(NULL), OND_IO);
}

static void test_unknown_formats(void **state)
{
    (void)state;
    OndSurface s = round_surface(0), t;
    OndError err = {0};
    assert_int_equal(ond_surface_write("a.fbx", &s, NULL, &err), OND_BAD_VALUE);
    CHECK_SAYS(err.text, ".ply, .obj, .stl, .vtp, .pov", "writing");
    assert_int_equal(ond_surface_read("a.stl", &t, &err), OND_BAD_VALUE);
    CHECK_SAYS(err.text, "known: .ply, .obj", "reading");
    assert_int_equal(ond_surface_read("a.b/none", &t, &err), OND_BAD_VALUE);
    assert_int_equal(ond_surface_read("/none/a.ply", &t, &err), OND_IO);
    assert_int_equal(ond_surface_read("/none/a.obj", &t, &err), OND_IO);
    ond_surface_free(&s);
}

static void test_empty(void **state)
{
    (void)state;
    char path[256], name[32];
    OndSurface s = {.dimension = 3, .time = 2};
    assert_int_equal(ond_mesh_make(&s.mesh, 0, 0, NULL), OND_OK);
    for (int e = 0; e < OND_COUNT(extensions); ++e) {
        snprintf(name, sizeof name, "empty.%s", extensions[e]);
        write_or_fail(in_folder(name, path), &s, NULL);
        if (e == 0) {
            OndSurface back = read_or_fail(path);
            CHECK_NEAR(back.mesh.triangle_count, 0, 0, "triangles");
            CHECK_NEAR(back.time, 2, 0, "time");
            ond_surface_free(&back);
        }
        unlink(path);
    }
    ond_surface_free(&s);
}

static void test_recipes(void **state)
{
    (void)state;
    char path[256], name[32];
    OndSurface s = round_surface(2);
    const OndSurfaceAbout about = {.recipe = 0x123456789abcdef0u};
    for (int e = 0; e < OND_COUNT(extensions); ++e) {
        snprintf(name, sizeof name, "a.%s", extensions[e]);
        write_or_fail(in_folder(name, path), &s, &about);
        CHECK_NEAR(ond_surface_made_by(path, about.recipe), 1, 0, name);
        CHECK_NEAR(ond_surface_made_by(path, about.recipe + 1), 0, 0, name);
        unlink(path);
        CHECK_NEAR(ond_surface_made_by(path, about.recipe), 0, 0, name);
    }
    ond_surface_free(&s);
}

// Tables that must agree: they stand in folders that cannot see each other.
static void test_tables(void **state)
{
    (void)state;
    int formats, kinds;
    const OndSurfaceFormat *const *format = ond_surface_formats(&formats);
    for (int k = 0; k < formats; ++k) {
        char name[64], want[64];
        snprintf(want, sizeof want, "surfaces/surface_0012.%s", format[k]->extension);
        assert_string_equal(ond_run_name(OND_RUN_SURFACE_PLY + k, 12, name), want);
        assert_string_equal(format[k]->extension, extensions[k]);
    }
    CHECK_NEAR(formats, OND_RUN_ITEMS - OND_RUN_SURFACE_PLY, 0, "formats");
    const OndFieldKind *const *kind = ond_field_kinds(&kinds);
    for (int k = 0; k < kinds; ++k)
        assert_string_equal(ond_field_names[k], kind[k]->name);
    assert_null(ond_field_names[kinds]);
    assert_string_equal(ond_field_names[0], ond_surface_default_def().field);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_ply_keeps_everything),
        cmocka_unit_test(test_obj_keeps_mesh_and_normals),
        cmocka_unit_test(test_stl),
        cmocka_unit_test(test_vtp),
        cmocka_unit_test(test_assimp_reads_them),
        cmocka_unit_test(test_stl_back),
        cmocka_unit_test(test_stl_text),
        cmocka_unit_test(test_obj_of_others),
        cmocka_unit_test(test_ply_of_others),
        cmocka_unit_test(test_bad_files),
        cmocka_unit_test(test_cut_files),
        cmocka_unit_test(test_place_comes_late),
        cmocka_unit_test(test_refused),
        cmocka_unit_test(test_full_disk),
        cmocka_unit_test(test_unknown_formats),
        cmocka_unit_test(test_empty),
        cmocka_unit_test(test_recipes),
        cmocka_unit_test(test_tables),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
