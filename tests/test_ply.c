// SPDX-License-Identifier: MIT
// PLY in and out: round trips, the kinds of PLY that other programs write, and damage at every
// byte.
#include "folder.h"

#include "base/memory.h"
#include "io/file.h"
#include "io/formats/formats.h"
#include "io/formats/ply.h"

static void add_field(OndFields *set, const char *name, const char *unit, OndFieldType type,
                      int components)
{
    assert_true(ond_fields_add(set, name, unit, type, components, OND_FIELD_FRAME) >= 0);
}

// Every value is different, so that a mix-up of columns shows.
static OndFrame make_frame(int count)
{
    OndFrame f = {
        .index = 12, .time = 0.1 + 0.2, .dimension = 2, .spacing = 1.0 / 3, .owned = true};
    f.domain = (OndBox){{-1, 0, 0.1}, {2, 1.2, 0.6}};
    OndFields *set = &f.particles;
    add_field(set, "id", "", OND_U32, 1);
    add_field(set, "velocity", "m/s", OND_F32, 3);
    add_field(set, "material", "", OND_U32, 1);
    add_field(set, "position", "m", OND_F32, 3);
    add_field(set, "density", "kg/m^3", OND_F32, 1);
    add_field(set, "vorticity", "1/s", OND_F32, 3);
    assert_true(ond_fields_add(set, "scratch", "", OND_F32, 1, OND_FIELD_TEMP) >= 0);
    assert_int_equal(ond_fields_reserve(set, count, NULL), OND_OK);
    set->count = count;
    for (int n = 0; n < set->field_count; ++n)
        for (int c = 0; c < set->field[n].components; ++c)
            for (int k = 0; k < count; ++k) {
                if (set->field[n].type == OND_U32)
                    ((uint32_t *)set->field[n].data[c])[k] = 4000000000u + (uint32_t)(100 * n + k);
                else
                    ((float *)set->field[n].data[c])[k] = 1000.0f * n + 100.0f * c + 0.7f * k;
            }
    return f;
}

static void check_same_fields(const OndFields *a, const OndFields *b)
{
    CHECK_NEAR(b->count, a->count, 0, "count");
    for (int f = 0; f < a->field_count; ++f) {
        const OndField *want = &a->field[f], *got = ond_fields_find(b, want->name);
        if (!(want->flags & OND_FIELD_FRAME)) {
            assert_null(got);
            continue;
        }
        assert_non_null(got);
        assert_int_equal(got->type, want->type);
        assert_int_equal(got->components, want->components);
        for (int c = 0; c < want->components; ++c)
            assert_memory_equal(got->data[c], want->data[c], (size_t)a->count * 4);
    }
}

static void test_round_trip(void **state)
{
    (void)state;
    static const int counts[] = {0, 1, 5, 4096, 10001};
    char path[256];
    in_folder("frame.ply", path);
    for (int k = 0; k < OND_COUNT(counts); ++k) {
        OndError err = {0};
        OndFrame a = make_frame(counts[k]), b;
        assert_int_equal(ond_frame_write(path, &a, &err), OND_OK);
        if (ond_frame_read(path, &b, &err) != OND_OK) fail_msg("%s", err.text);
        check_same_fields(&a.particles, &b.particles);
        assert_string_equal(ond_fields_find(&b.particles, "vorticity")->unit, "1/s");
        CHECK_NEAR(b.time, a.time, 0, "time");
        CHECK_NEAR(b.index, 12, 0, "index");
        CHECK_NEAR(b.dimension, 2, 0, "dimension");
        CHECK_NEAR(b.spacing, a.spacing, 0, "spacing");
        CHECK_NEAR(b.domain.min.z, 0.1, 0, "domain");
        CHECK_NEAR(b.domain.max.y, 1.2, 0, "domain");
        ond_frame_free(&a);
        ond_frame_free(&b);
    }
    unlink(path);
}

static void test_special_values(void **state)
{
    (void)state;
    static const uint32_t bits[] = {0x7fc12345, 0x7f812345, 0xff800000, 0x80000000, 1, 0x7f7fffff};
    char path[256];
    OndFrame a = make_frame(OND_COUNT(bits)), b;
    memcpy(ond_fields_find(&a.particles, "density")->data[0], bits, sizeof bits);
    assert_int_equal(ond_ply_write(in_folder("special.ply", path), &a, NULL), OND_OK);
    assert_int_equal(ond_ply_read(path, &b, NULL), OND_OK);
    check_same_fields(&a.particles, &b.particles);
    ond_frame_free(&a);
    ond_frame_free(&b);
    unlink(path);
}

#define HEAD(format) "ply\r\nformat " format " 1.0\r\ncomment made by hand\r\n"

// Faces and a list inside the vertex must be passed over wherever they stand.
static void test_ascii(void **state)
{
    (void)state;
    static const char text[] =
        HEAD("ascii") "element face 2\nproperty list uchar int vertex_indices\nelement vertex 2\n"
                      "property uchar red\nproperty double y\nproperty float32 x\nproperty list "
                      "uint8 float tags\n"
                      "property int z\nproperty short temperature\nproperty int id\nend_header\n"
                      "3 0 1 2\n4 0 1 2 3\n255 2.5 1.5 2 9 9 3 -20 7\n0 -1e-3 1e3 0 -4 300 -1\n";
    OndFrame f;
    OndError err = {0};
    if (ond_ply_parse("text.ply", text, sizeof text - 1, &f, &err) != OND_OK)
        fail_msg("%s", err.text);
    const OndField *p = ond_fields_find(&f.particles, "position");
    CHECK_NEAR(((float *)p->data[0])[1], 1000, 0, "x");
    CHECK_NEAR(((float *)p->data[1])[0], 2.5, 0, "y");
    CHECK_NEAR(((float *)p->data[2])[1], -4, 0, "z");
    CHECK_NEAR(((float *)ond_fields_find(&f.particles, "temperature")->data[0])[0], -20, 0,
               "short");
    CHECK_NEAR(((float *)ond_fields_find(&f.particles, "red")->data[0])[0], 255, 0, "uchar");
    CHECK_NEAR(((uint32_t *)ond_fields_find(&f.particles, "id")->data[0])[0], 7, 0, "id");
    CHECK_NEAR(((uint32_t *)ond_fields_find(&f.particles, "id")->data[0])[1], 0, 0, "id below 0");
    assert_null(ond_fields_find(&f.particles, "tags"));
    CHECK_NEAR(f.dimension, 3, 0, "dimension when nothing is said");
    ond_frame_free(&f);
}

static size_t put(unsigned char *to, const void *value, int size, int big)
{
    const unsigned char *v = value; // the tests run on little-endian machines
    for (int k = 0; k < size; ++k)
        to[k] = v[big ? size - 1 - k : k];
    return (size_t)size;
}

// One row of every type, after an element with a list, in both byte orders.
static void test_binary_types(void **state)
{
    (void)state;
    for (int big = 0; big < 2; ++big) {
        unsigned char file[1024];
        const int head = snprintf(
            (char *)file, sizeof file,
            "ply\nformat binary_%s_endian 1.0\nelement edge 1\nproperty list ushort double w\n"
            "element vertex 1\nproperty double x\nproperty float y\nproperty char a\n"
            "property uchar b\nproperty short c\nproperty ushort d\nproperty int e\n"
            "property uint g\nproperty double z\nend_header\n",
            big ? "big" : "little");
        size_t n = (size_t)head;
        const uint16_t two = 2, d = 65535;
        const double w = 1, x = 0.1, z = -7.25;
        const float y = 2.5f;
        const int8_t a = -3;
        const uint8_t b = 200;
        const int16_t c = -300;
        const int32_t e = -70000;
        const uint32_t g = 4000000001u;
        n += put(file + n, &two, 2, big);
        n += put(file + n, &w, 8, big);
        n += put(file + n, &w, 8, big);
        n += put(file + n, &x, 8, big);
        n += put(file + n, &y, 4, big);
        n += put(file + n, &a, 1, big);
        n += put(file + n, &b, 1, big);
        n += put(file + n, &c, 2, big);
        n += put(file + n, &d, 2, big);
        n += put(file + n, &e, 4, big);
        n += put(file + n, &g, 4, big);
        n += put(file + n, &z, 8, big);
        OndFrame f;
        OndError err = {0};
        if (ond_ply_parse("binary.ply", file, n, &f, &err) != OND_OK) fail_msg("%s", err.text);
        static const struct {
            const char *name;
            double value;
        } want[] = {{"a", -3}, {"b", 200}, {"c", -300}, {"d", 65535}, {"e", -70000}};
        for (int k = 0; k < OND_COUNT(want); ++k)
            CHECK_NEAR(((float *)ond_fields_find(&f.particles, want[k].name)->data[0])[0],
                       want[k].value, 0, want[k].name);
        CHECK_NEAR(((uint32_t *)ond_fields_find(&f.particles, "g")->data[0])[0], 4000000001.0, 0,
                   "uint");
        const OndField *p = ond_fields_find(&f.particles, "position");
        CHECK_NEAR(((float *)p->data[0])[0], 0.1f, 0, "double");
        CHECK_NEAR(((float *)p->data[1])[0], 2.5, 0, "float");
        CHECK_NEAR(((float *)p->data[2])[0], -7.25, 0, "z");
        ond_frame_free(&f);
    }
}

#define XYZ "property float x\nproperty float y\nproperty float z\n"

static void test_bad_files(void **state)
{
    (void)state;
    static const struct {
        const char *name, *text, *says;
    } cases[] = {
        {"empty", "", "empty"},
        {"another format", "solid cube\n", "does not begin with 'ply'"},
        {"no end", "ply\nformat ascii 1.0\n", "ends within its PLY header"},
        {"no format", "ply\nelement vertex 0\n" XYZ "end_header\n", "without a line 'format"},
        {"unknown format", "ply\nformat text 1.0\n", "line 2"},
        {"unknown type", "ply\nformat ascii 1.0\nelement vertex 1\nproperty half x\n", "line 4"},
        {"unknown word", "ply\nformat ascii 1.0\nvertices 7\n", "line 3"},
        {"property first", "ply\nformat ascii 1.0\nproperty float x\n", "before any element"},
        {"negative count", "ply\nformat ascii 1.0\nelement vertex -1\n", "element NAME COUNT"},
        {"count overflows", "ply\nformat ascii 1.0\nelement vertex 99999999999999999999\n",
         "COUNT"},
        {"no vertex", "ply\nformat ascii 1.0\nelement face 0\nend_header\n", "no element 'vertex'"},
        {"no position", "ply\nformat ascii 1.0\nelement vertex 0\nproperty float s\nend_header\n",
         "no columns x and y"},
        {"twice", "ply\nformat ascii 1.0\nelement vertex 0\n" XYZ "property float x\nend_header\n",
         "'x' appears twice"},
        {"absurd count",
         HEAD("binary_little_endian") "element vertex 4000000000000\n" XYZ "end_header\n",
         "more than its bytes hold"},
        {"absurd other",
         HEAD("binary_little_endian") "element face 18446744073709551\n" XYZ
                                      "element vertex 0\n" XYZ "end_header\n",
         "'face'"},
        {"cut row", HEAD("ascii") "element vertex 2\n" XYZ "end_header\n1 2 3\n4 5 \n",
         "cut short"},
        {"not a number", HEAD("ascii") "element vertex 1\n" XYZ "end_header\n1 two 3\n",
         "no number"},
        {"list beyond the end",
         HEAD("binary_little_endian") "element f 1\nproperty list uchar int i\nelement vertex "
                                      "0\n" XYZ "end_header\n\377123",
         "'f'"},
        {"huge list",
         HEAD("ascii") "element f 1\nproperty list uint int i\nelement vertex 0\n" XYZ
                       "end_header\n4000000000 1 2\n",
         "'f'"},
    };
    for (int c = 0; c < OND_COUNT(cases); ++c) {
        OndError err = {0};
        OndFrame f;
        const OndStatus status =
            ond_ply_parse("bad.ply", cases[c].text, strlen(cases[c].text), &f, &err);
        CHECK_NEAR(status, OND_BAD_VALUE, 0, cases[c].name);
        CHECK_SAYS(err.text, cases[c].says, cases[c].name);
        CHECK_SAYS(err.text, "bad.ply", cases[c].name);
        assert_int_equal(f.particles.field_count, 0);
    }
}

// A lone number that is called like a vector must not stand in for it.
static void test_confusing_names(void **state)
{
    (void)state;
    static const char text[] =
        HEAD("ascii") "element vertex 1\nproperty float position\nproperty float flow\nproperty "
                      "float flow_x\n"
                      "property float flow_y\nproperty float flow_z\nproperty float velocity\n" XYZ
                      "property float vx\nproperty uint density\nproperty float odd_x\nend_header\n"
                      "1 2 3 4 5 6 7 8 9 10 11 12\n";
    OndFrame f;
    assert_int_equal(ond_ply_parse("names.ply", text, sizeof text - 1, &f, NULL), OND_OK);
    const OndField *p = ond_fields_find(&f.particles, "position");
    assert_int_equal(p->components, 3);
    CHECK_NEAR(((float *)p->data[0])[0], 7, 0, "x");
    const OndField *v = ond_fields_find(&f.particles, "velocity");
    assert_int_equal(v->components, 3);
    CHECK_NEAR(((float *)v->data[0])[0], 10, 0, "vx");
    CHECK_NEAR(((float *)v->data[2])[0], 0, 0, "vz that is not there");
    assert_int_equal(ond_fields_find(&f.particles, "density")->type, OND_F32);
    CHECK_NEAR(((float *)ond_fields_find(&f.particles, "density")->data[0])[0], 11, 0,
               "uint density");
    assert_int_equal(ond_fields_find(&f.particles, "odd_x")->components, 1);
    assert_int_equal(ond_fields_find(&f.particles, "flow")->components, 1);
    ond_frame_free(&f);
}

// Each beginning of a good file, in memory of exactly its size so that a sanitizer sees any step
// beyond.
static void test_cut_anywhere(void **state)
{
    (void)state;
    static const char ascii[] = HEAD(
        "ascii") "element vertex 2\n" XYZ
                 "element face 1\nproperty list uchar int v\nend_header\n1 2 3\n4 5 6\n2 0 1\n";
    char path[256], *bytes[2];
    size_t size[2] = {sizeof ascii - 1, 0};
    OndFrame a = make_frame(3);
    assert_int_equal(ond_ply_write(in_folder("whole.ply", path), &a, NULL), OND_OK);
    assert_int_equal(ond_file_read_all(path, 1 << 20, &bytes[1], &size[1], NULL), OND_OK);
    bytes[0] = (char *)ascii;
    for (int kind = 0; kind < 2; ++kind)
        for (size_t n = 0; n <= size[kind]; ++n) {
            char *cut = malloc(n ? n : 1);
            memcpy(cut, bytes[kind], n);
            OndFrame f;
            const OndStatus status = ond_ply_parse("cut.ply", cut, n, &f, NULL);
            // The text's last vertex may lose nothing that matters: faces come after it.
            const size_t enough = kind ? size[1] : (size_t)(strstr(ascii, "4 5 6") - ascii) + 5;
            CHECK_NEAR(status == OND_OK, n >= enough, 0, kind ? "binary cut" : "text cut");
            ond_frame_free(&f);
            free(cut);
        }
    ond_free(bytes[1]);
    ond_frame_free(&a);
    unlink(path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_round_trip),   cmocka_unit_test(test_special_values),
        cmocka_unit_test(test_ascii),        cmocka_unit_test(test_binary_types),
        cmocka_unit_test(test_bad_files),    cmocka_unit_test(test_confusing_names),
        cmocka_unit_test(test_cut_anywhere),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
