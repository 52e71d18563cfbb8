// SPDX-License-Identifier: MIT
// VTK files, taken apart by hand: the XML must nest, every offset must lead to an array of the
// length announced, and the numbers must be those of the frame.
#include "folder.h"

#include "base/memory.h"
#include "io/file.h"
#include "io/formats/formats.h"
#include "io/formats/vtk.h"

static OndFrame make_frame(int count)
{
    OndFrame f = {.index = 3, .time = 0.125, .dimension = 3, .spacing = 0.5, .owned = true};
    OndFields *set = &f.particles;
    const unsigned flag = OND_FIELD_FRAME;
    ond_fields_add(set, "position", "m", OND_F32, 3, flag);
    ond_fields_add(set, "velocity", "m/s", OND_F32, 3, flag);
    ond_fields_add(set, "id", "", OND_U32, 1, flag);
    ond_fields_add(set, "odd <\"&> name", "a<b", OND_F32, 1, flag);
    ond_fields_add(set, "hidden", "", OND_F32, 1, OND_FIELD_STATE);
    assert_int_equal(ond_fields_reserve(set, count, NULL), OND_OK);
    set->count = count;
    for (int n = 0; n < set->field_count; ++n)
        for (int c = 0; c < set->field[n].components; ++c)
            for (int k = 0; k < count; ++k) {
                if (set->field[n].type == OND_U32)
                    ((uint32_t *)set->field[n].data[c])[k] = 77u + (uint32_t)k;
                else
                    ((float *)set->field[n].data[c])[k] = 1000.0f * n + 10.0f * c + 0.5f * k;
            }
    return f;
}

// Every tag that opens must close, in order. Returns the number of tags; stops before the raw
// bytes.
static int check_nesting(const char *xml, const char *end)
{
    char open[32][64];
    int depth = 0, tags = 0;
    for (const char *at = xml; (at = memchr(at, '<', (size_t)(end - at))); ++tags) {
        const char *close = memchr(at, '>', (size_t)(end - at));
        assert_non_null(close);
        char name[64];
        const size_t length = strcspn(at + 1 + (at[1] == '/'), " />");
        snprintf(name, sizeof name, "%.*s", (int)length, at + 1 + (at[1] == '/'));
        if (at[1] == '/') {
            assert_true(depth > 0);
            assert_string_equal(open[--depth], name);
        } else if (close[-1] != '/' && at[1] != '?') {
            assert_true(depth < 32);
            strcpy(open[depth++], name);
        }
        at = close;
    }
    return depth == 2 ? tags : -1; // AppendedData within VTKFile
}

static uint64_t number64(const char *at)
{
    uint64_t v;
    memcpy(&v, at, 8);
    return v;
}

// The array of that (escaped) name: its bytes, after checking the length in front of them.
static const char *find_array(const char *xml, const char *raw, const char *end, const char *name,
                              size_t want)
{
    char key[128];
    snprintf(key, sizeof key, "Name=\"%s\"", name);
    const char *tag = strstr(xml, key);
    if (!tag) fail_msg("no array %s", name);
    const char *offset = strstr(tag, "offset=\"");
    assert_non_null(offset);
    const char *at = raw + strtoull(offset + 8, NULL, 10);
    assert_true(at + 8 + want <= end);
    CHECK_NEAR((double)number64(at), (double)want, 0, name);
    return at + 8;
}

static void check_vector(const char *bytes, const OndFields *set, const char *name)
{
    const OndField *field = ond_fields_find(set, name);
    for (int k = 0; k < set->count; ++k)
        for (int c = 0; c < 3; ++c) {
            float v;
            memcpy(&v, bytes + 4 * (3 * (size_t)k + (size_t)c), 4);
            CHECK_NEAR(v, ((float *)field->data[c])[k], 0, name);
        }
}

static void check_file(const char *path, const OndFrame *f)
{
    char *xml;
    size_t size;
    const size_t n = (size_t)f->particles.count;
    assert_int_equal(ond_file_read_all(path, 1 << 24, &xml, &size, NULL), OND_OK);
    char *raw = strstr(xml, "<AppendedData encoding=\"raw\">\n_");
    assert_non_null(raw);
    raw = strchr(raw, '_') + 1;
    raw[-1] = 0; // the XML ends here
    assert_true(check_nesting(xml, raw - 1) > 10);
    const char *end = xml + size;
    check_vector(find_array(xml, raw, end, "position", 12 * n), &f->particles, "position");
    check_vector(find_array(xml, raw, end, "velocity", 12 * n), &f->particles, "velocity");
    const char *id = find_array(xml, raw, end, "id", 4 * n);
    assert_memory_equal(id, ond_fields_find(&f->particles, "id")->data[0], 4 * n);
    find_array(xml, raw, end, "odd &lt;&quot;&amp;&gt; name", 4 * n);
    const char *points = find_array(xml, raw, end, "connectivity", 4 * n);
    const char *ends = find_array(xml, raw, end, "offsets", 4 * n);
    for (size_t k = 0; k < n; ++k) {
        int32_t point, last;
        memcpy(&point, points + 4 * k, 4);
        memcpy(&last, ends + 4 * k, 4);
        CHECK_NEAR(point, (double)k, 0, "connectivity");
        CHECK_NEAR(last, (double)k + 1, 0, "offsets");
    }
    CHECK_SAYS(ends + 4 * n, "\n</AppendedData>\n</VTKFile>\n", "what follows the arrays");
    assert_null(strstr(xml, "hidden"));
    CHECK_SAYS(xml, "location=\"vtkDataArray\">m/s<", "unit");
    CHECK_SAYS(xml, "\"TimeValue\">0.125<", "time");
    ond_free(xml);
}

static void test_polydata(void **state)
{
    (void)state;
    static const int counts[] = {0, 1, 7, 8192, 20000};
    char path[256];
    snprintf(path, sizeof path, "%s/frame.VTP", folder);
    for (int k = 0; k < OND_COUNT(counts); ++k) {
        OndFrame f = make_frame(counts[k]);
        OndError err = {0};
        if (ond_frame_write(path, &f, &err) != OND_OK) fail_msg("%s", err.text);
        check_file(path, &f);
        ond_frame_free(&f);
    }
    unlink(path);
}

static void test_no_position(void **state)
{
    (void)state;
    OndFrame f = {0};
    OndError err = {0};
    assert_int_equal(ond_vtp_write("/tmp/never.vtp", &f, &err), OND_BAD_VALUE);
    CHECK_SAYS(err.text, "no positions", "message");
    assert_int_equal(access("/tmp/never.vtp", F_OK), -1);
}

static void test_collection(void **state)
{
    (void)state;
    static const struct {
        const char *file;
        double time;
    } added[] = {{"frames/frame_0000.vtp", 0},
                 {"frames/frame_0002.vtp", 0.5},
                 {"frames/frame_0002.vtp", 0.75},
                 {"frames/frame_0001.vtp", 0.25}};
    char path[256], *text;
    size_t size;
    snprintf(path, sizeof path, "%s/frames.pvd", folder);
    for (int k = 0; k < OND_COUNT(added); ++k)
        assert_int_equal(ond_pvd_add(path, added[k].file, added[k].time, NULL), OND_OK);
    assert_int_equal(ond_file_read_all(path, 1 << 20, &text, &size, NULL), OND_OK);
    assert_string_equal(text,
                        "<?xml version=\"1.0\"?>\n<VTKFile type=\"Collection\" version=\"0.1\" "
                        "byte_order=\"LittleEndian\">\n<Collection>\n"
                        "<DataSet timestep=\"0\" part=\"0\" file=\"frames/frame_0000.vtp\"/>\n"
                        "<DataSet timestep=\"0.25\" part=\"0\" file=\"frames/frame_0001.vtp\"/>\n"
                        "<DataSet timestep=\"0.75\" part=\"0\" file=\"frames/frame_0002.vtp\"/>\n"
                        "</Collection>\n</VTKFile>\n");
    ond_free(text);
    OndError err = {0};
    assert_int_equal(ond_pvd_add(path, "a<b.vtp", 1, &err), OND_BAD_VALUE);
    unlink(path);
}

// A collection that another program or a crash left is replaced by a whole one.
static void test_collection_garbage(void **state)
{
    (void)state;
    char path[256], *text;
    size_t size;
    snprintf(path, sizeof path, "%s/frames.pvd", folder);
    FILE *f = fopen(path, "wb");
    fputs("<DataSet timestep=\"x\" file=\"a\"/>\n<DataSet timestep=\"1\" file=\"b\n\n<DataSet", f);
    fclose(f);
    assert_int_equal(ond_pvd_add(path, "c.vtp", 2, NULL), OND_OK);
    assert_int_equal(ond_file_read_all(path, 1 << 20, &text, &size, NULL), OND_OK);
    CHECK_SAYS(text, "<Collection>\n<DataSet timestep=\"2\" part=\"0\" file=\"c.vtp\"/>\n</Coll",
               "text");
    ond_free(text);
    unlink(path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_polydata),
        cmocka_unit_test(test_no_position),
        cmocka_unit_test(test_collection),
        cmocka_unit_test(test_collection_garbage),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
