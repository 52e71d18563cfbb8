// SPDX-License-Identifier: MIT
// Bad meshes in every format, given to the command as a user would: mended and told, or refused
// with the file and the triangle.
#include "base/memory.h"
#include "command.h"

#include <math.h>
#include <stdint.h>

// ---- a box of twelve triangles, with faults

#define ROOM 24

typedef struct Box {
    float corner[8][3];
    int triangle[ROOM][3];
    int count;
} Box;

static Box good_box(void)
{
    static const int triangle[12][3] = {{0, 2, 1}, {1, 2, 3}, {4, 5, 6}, {5, 7, 6},
                                        {0, 1, 4}, {1, 5, 4}, {2, 6, 3}, {3, 6, 7},
                                        {0, 4, 2}, {2, 4, 6}, {1, 3, 5}, {3, 7, 5}};
    Box box = {.count = 12};
    for (int c = 0; c < 8; ++c)
        for (int a = 0; a < 3; ++a)
            box.corner[c][a] = c >> a & 1 ? 0.8f : 0.2f;
    memcpy(box.triangle, triangle, sizeof triangle);
    return box;
}

static void leave_good(Box *box)
{
    (void)box;
}

static void open_hole(Box *box)
{
    --box->count;
}

static void flip_one(Box *box)
{
    box->triangle[0][0] = 1, box->triangle[0][2] = 0;
}

static void add_empty(Box *box)
{
    for (int k = 0; k < 3; ++k)
        box->triangle[box->count][k] = k == 2;
    ++box->count;
}

static void lose_corner(Box *box)
{
    box->corner[3][0] = NAN;
}

static void twist(Box *box)
{
    box->corner[6][0] = 0.8f, box->corner[7][0] = 0.2f;
}

static void fling_corner(Box *box)
{
    box->corner[7][0] = 1e30f;
}

static void shrink_to_point(Box *box)
{
    memset(box->corner, 0, sizeof box->corner);
}

// Every triangle once more, seen from behind: no edge is open, and still a face is missing.
static void make_two_sided(Box *box)
{
    box->count = 10;
    for (int t = 0; t < 10; ++t)
        for (int k = 0; k < 3; ++k)
            box->triangle[10 + t][k] = box->triangle[t][2 - k];
    box->count = 20;
}

// ---- as files

static void write_obj(FILE *file, const Box *box)
{
    for (int c = 0; c < 8; ++c)
        fprintf(file, "v %g %g %g\n", box->corner[c][0], box->corner[c][1], box->corner[c][2]);
    for (int t = 0; t < box->count; ++t)
        fprintf(file, "f %d %d %d\n", box->triangle[t][0] + 1, box->triangle[t][1] + 1,
                box->triangle[t][2] + 1);
}

static void write_lists(FILE *file, const Box *box)
{
    for (int c = 0; c < 8; ++c)
        fprintf(file, "%g %g %g\n", box->corner[c][0], box->corner[c][1], box->corner[c][2]);
    for (int t = 0; t < box->count; ++t)
        fprintf(file, "3 %d %d %d\n", box->triangle[t][0], box->triangle[t][1],
                box->triangle[t][2]);
}

static void write_off(FILE *file, const Box *box)
{
    fprintf(file, "OFF\n8 %d 0\n", box->count);
    write_lists(file, box);
}

static void write_ply(FILE *file, const Box *box)
{
    fprintf(file,
            "ply\nformat ascii 1.0\nelement vertex 8\nproperty float x\nproperty float y\n"
            "property float z\nelement face %d\nproperty list uchar int vertex_indices\n"
            "end_header\n",
            box->count);
    write_lists(file, box);
}

static void write_stl(FILE *file, const Box *box)
{
    fputs("solid box\n", file);
    for (int t = 0; t < box->count; ++t) {
        fputs("facet normal 0 0 0\nouter loop\n", file);
        for (int k = 0; k < 3; ++k) {
            const float *const c = box->corner[box->triangle[t][k]];
            fprintf(file, "vertex %g %g %g\n", c[0], c[1], c[2]);
        }
        fputs("endloop\nendfacet\n", file);
    }
    fputs("endsolid box\n", file);
}

// JSON has no word for NaN: numbers are in a file beside it.
static void write_gltf(FILE *file, const Box *box)
{
    FILE *numbers = fopen("box.bin", "wb");
    assert_non_null(numbers);
    assert_int_equal(fwrite(box->corner, 12, 8, numbers), 8);
    for (int t = 0; t < box->count; ++t)
        for (int k = 0; k < 3; ++k) {
            const uint32_t corner = (uint32_t)box->triangle[t][k];
            assert_int_equal(fwrite(&corner, 4, 1, numbers), 1);
        }
    assert_int_equal(fclose(numbers), 0);
    fprintf(file,
            "{\"asset\":{\"version\":\"2.0\"},\"scene\":0,\"scenes\":[{\"nodes\":[0]}],"
            "\"nodes\":[{\"mesh\":0}],\"meshes\":[{\"primitives\":[{\"attributes\":"
            "{\"POSITION\":0},\"indices\":1}]}],\"buffers\":[{\"uri\":\"box.bin\","
            "\"byteLength\":%d}],\"bufferViews\":[{\"buffer\":0,\"byteLength\":96},"
            "{\"buffer\":0,\"byteOffset\":96,\"byteLength\":%d}],\"accessors\":["
            "{\"bufferView\":0,\"componentType\":5126,\"count\":8,\"type\":\"VEC3\","
            "\"min\":[0,0,0],\"max\":[1,1,1]},{\"bufferView\":1,\"componentType\":5125,"
            "\"count\":%d,\"type\":\"SCALAR\"}]}\n",
            96 + 12 * box->count, 12 * box->count, 3 * box->count);
}

static const struct Format {
    const char *file;
    void (*write)(FILE *file, const Box *box);
} formats[] = {{"box.obj", write_obj},
               {"box.off", write_off},
               {"box.ply", write_ply},
               {"box.stl", write_stl},
               {"box.gltf", write_gltf}};

// ---- what is said

static const struct Case {
    const char *name, *use;
    void (*spoil)(Box *box);
    int code;
    const char *says; // behind the file's name; NULL: nothing of it
} cases[] = {
    {"good", "use: obstacle", leave_good, 0, NULL},
    {"good", "use: container", leave_good, 0, NULL},
    {"hole", "use: obstacle", open_hole, 0, ": 3 open edges left: it is a sheet with two sides"},
    {"hole", "use: container", open_hole, 2,
     ": the mesh has holes, so it contains nothing: 3 open edges, one of triangle "},
    {"hole", "density: 500", open_hole, 2,
     ": the mesh has holes, so it has no volume and cannot float: 3 open edges, one of triangle "},
    {"far", "use: obstacle", fling_corner, 2,
     ": the mesh has no triangle with an area: all are lines or points, or nothing beside its "},
    {"point", "density: 500", shrink_to_point, 2, ": the mesh is a single point"},
    {"flipped", "use: container", flip_one, 0, ": 1 triangles turned to face outwards"},
    {"no area", "use: container", add_empty, 0, ": 1 triangles without area left out"},
    {"not a number", "use: obstacle", lose_corner, 2,
     ": triangle 1 (from 0) has a corner at (nan, 0.8, 0.2); every coordinate must be a finite "
     "number"},
    {"twisted", "use: container", twist, 2,
     ": triangles 9 and 11 (from 0) pass through each other at (0"},
    {"twisted", "density: 500", twist, 0,
     ": triangles 9 and 11 (from 0) pass through each other: "},
};

static void check(const struct Case *c, const struct Format *f)
{
    Box box = good_box();
    char name[100], says[300], scene[500], text[TEXT_ROOM];
    c->spoil(&box);
    FILE *file = fopen(f->file, "w");
    assert_non_null(file);
    f->write(file, &box);
    assert_int_equal(fclose(file), 0);
    snprintf(scene, sizeof scene,
             "duration: 0.01\nfluid: [{spacing: 0.1, shape: {type: box, min: [0, 0, 0], max: "
             "[1, 1, 1]}}]\nsolid: [{name: thing, %s, shape: {type: mesh, file: %s}}]\n",
             c->use, f->file);
    write_text("scene.yaml", scene);
    snprintf(name, sizeof name, "%s, %s, %s", c->name, c->use, f->file);
    CHECK_NEAR(ondine("check scene.yaml", text), c->code, 0, name);
    snprintf(says, sizeof says, "%s%s", f->file, c->says ? c->says : ": ");
    if (c->says)
        CHECK_SAYS(text, says, name);
    else if (strstr(text, says))
        fail_msg("%s: %s", name, text);
}

// What is filled with particles is taken as a body is, and refused for the same reason.
static void test_filled_as_bodies_are(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        void (*spoil)(Box *box);
        int code;
        const char *says[2]; // as wax, as a body
    } both[] = {
        {"good", leave_good, 0, {"particles   216", "particles"}},
        {"flipped", flip_one, 0, {"particles   216", "1 triangles turned"}},
        {"no area", add_empty, 0, {"particles   216", "1 triangles without area"}},
        {"hole", open_hole, 2, {"cannot be filled: 3 open edges", "cannot float: 3 open edges"}},
        {"two-sided",
         make_two_sided,
         2,
         {"cannot be filled: 4 open edges", "cannot float: 4 open edges"}},
        {"far", fling_corner, 2, {"corner 7 (from 0) at (1e+30", "corner 7 (from 0) at (1e+30"}},
        {"point", shrink_to_point, 2, {"the mesh is a single point", "the mesh is a single point"}},
    };
    for (int c = 0; c < OND_COUNT(both); ++c)
        for (int as_body = 0; as_body < 2; ++as_body) {
            static char text[TEXT_ROOM];
            Box box = good_box();
            both[c].spoil(&box);
            FILE *file = fopen("box.obj", "w");
            assert_non_null(file);
            write_obj(file, &box);
            assert_int_equal(fclose(file), 0);
            write_text(
                "scene.yaml",
                as_body ? "duration: 0.01\nfluid: [{spacing: 0.1, shape: {type: box, min: [0, 0, "
                          "0], max: [1, 1, 1]}}]\nsolid: [{density: 500, shape: {type: mesh, "
                          "file: box.obj}}]\n"
                        : "duration: 0.01\nfluid: [{spacing: 0.1, material: wax, shape: {type: "
                          "mesh, file: box.obj}}]\n");
            CHECK_NEAR(ondine("check scene.yaml", text), both[c].code, 0, both[c].name);
            CHECK_SAYS(text, both[c].says[as_body], both[c].name);
        }
}

static void test_faults_in_formats(void **state)
{
    (void)state;
    for (int c = 0; c < OND_COUNT(cases); ++c)
        for (int f = 0; f < OND_COUNT(formats); ++f)
            check(&cases[c], &formats[f]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_filled_as_bodies_are),
                                       cmocka_unit_test(test_faults_in_formats)};
    return cmocka_run_group_tests_name("bad meshes", tests, enter_folder, leave_folder);
}
