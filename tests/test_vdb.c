// SPDX-License-Identifier: MIT
// Grids as OpenVDB: what is read back by OpenVDB itself is what was written; runs write them when
// asked; Blender opens them, where it is. In a build without OpenVDB: what is said then.
#include "command.h"
#include "io/file.h"
#include "io/formats/formats.h"
#include "io/formats/vdb.h"
#include "tank.h"

static const char scene[] =
    "frame_rate: 10\nduration: 2\ndomain: {min: [1, 0, 0], max: [6, 6, 4], sides: [{side: +y, "
    "kind: "
    "open}]}\nmethod: {type: smoke, cell: 0.5}\n"
    "fluid: [{name: smoke, temperature: 80, velocity: [2, 1, 0.5], shape: {type: sphere, center: "
    "[3, 3, 2], radius: 1.5}}]\n";

static bool without(void)
{
    OndFrame frame = {0};
    OndError err = {0};
    if (ond_vdb_here()) return false;
    assert_int_equal(ond_vdb_write("x.vdb", &frame, &err), OND_MISSING);
    CHECK_SAYS(err.text, "libopenvdb-dev", "writing");
    assert_int_equal(ond_vdb_read("x.vdb", &frame, &err), OND_MISSING);
    CHECK_SAYS(err.text, "libopenvdb-dev", "reading");
    return true;
}

// What the frame says of a cell: faces are brought to its middle.
static double value_of(const Tank *t, const char *name, int c, int i, int j, int k)
{
    const OndField *f = ond_fields_find(&t->frame.cells, name);
    const float *const data = f->data[c];
    const size_t at = ond_grid_at(t->grid, i, j, k);
    if (!(f->flags & OND_FIELD_FACES)) return data[at];
    return 0.5 * ((double)data[at] + data[at + (size_t)ond_grid_stride(t->grid, c)]);
}

static void check_frame(const Tank *t, const OndFrame *back)
{
    static const struct {
        const char *name;
        int components;
        double within;
    } fields[] = {{"velocity", 3, 1.1e-5}, {"density", 1, 1.1e-5}, {"temperature", 1, 1.1e-2}};
    for (int f = 0; f < 3; ++f) {
        const OndField *got = ond_fields_find(&back->cells, fields[f].name);
        assert_non_null(got);
        assert_int_equal(got->components, fields[f].components);
        for (int r = 0; r < t->grid->rows; ++r)
            for (int i = 0; i < t->grid->n[0]; ++i)
                for (int c = 0; c < fields[f].components; ++c) {
                    const int j = r % t->grid->n[1], k = r / t->grid->n[1];
                    CHECK_NEAR(((float *)got->data[c])[ond_grid_at(&back->grid, i, j, k)],
                               value_of(t, fields[f].name, c, i, j, k), fields[f].within,
                               fields[f].name);
                }
    }
}

static void test_round_trip(void **state)
{
    (void)state;
    Tank t;
    OndFrame back;
    OndError err = {0};
    if (without()) return;
    tank_open(&t, scene);
    tank_step(&t);
    if (ond_frame_write("frame.vdb", &t.frame, &err) != OND_OK) fail_msg("%s", err.text);
    if (ond_vdb_read("frame.vdb", &back, &err) != OND_OK) fail_msg("%s", err.text);
    CHECK_NEAR(back.time, t.frame.time, 0, "time");
    CHECK_NEAR(back.index, t.frame.index, 0, "index");
    CHECK_NEAR(back.grid.h, 0.5, 1e-12, "cell");
    CHECK_NEAR(back.grid.origin.x, 1, 1e-12, "origin");
    CHECK_NEAR(back.domain.max.y, 6, 0, "domain");
    for (int a = 0; a < 3; ++a)
        assert_int_equal(back.grid.n[a], t.grid->n[a]);
    check_frame(&t, &back);
    assert_false(exists("frame.vdb.part"));
    ond_frame_free(&back);
    tank_close(&t);
}

static void test_flat(void **state)
{
    (void)state;
    Tank t;
    OndFrame back;
    OndError err = {0};
    if (without()) return;
    tank_open(&t, "dimension: 2\ndomain: {min: [0, 0], max: [4, 3]}\nmethod: {type: smoke, cell: "
                  "0.25}\nfluid: [{name: ink, shape: {type: box, min: [1, 1, 0], max: [2, 2, "
                  "0]}}]\nemitter: [{center: [0.5, 1.6], direction: [1, 0.2, 0], "
                  "radius: 0.4, rate: 1}]\n");
    tank_step(&t);
    if (ond_vdb_write("flat.vdb", &t.frame, &err) != OND_OK) fail_msg("%s", err.text);
    if (ond_vdb_read("flat.vdb", &back, &err) != OND_OK) fail_msg("%s", err.text);
    assert_int_equal(back.dimension, 2);
    assert_int_equal(back.grid.n[0], 16);
    for (int j = 0; j < 12; ++j)
        for (int i = 0; i < 16; ++i) {
            const size_t at = ond_grid_at(&back.grid, i, j, 0), here = tank_at(&t, i, j, 0);
            const float *const density = ond_fields_find(&back.cells, "density")->data[0],
                               *const v = ond_fields_find(&back.cells, "velocity")->data[0];
            const double u = 0.5 * (t.v[0][here] + t.v[0][here + 1]);
            CHECK_NEAR(density[at], t.density[here], 1.1e-5, "density");
            CHECK_NEAR(v[at], u, 1.1e-5, "velocity");
        }
    ond_frame_free(&back);
    tank_close(&t);
}

// A file that is cut off in its head is refused, and so is one that is something else. (Later on
// OpenVDB refuses it, too, but leaks what it had.)
static void test_damage(void **state)
{
    (void)state;
    Tank t;
    OndFrame back;
    OndError err = {0};
    char *bytes;
    size_t size;
    if (without()) return;
    tank_open(&t, scene);
    if (ond_vdb_write("whole.vdb", &t.frame, &err) != OND_OK) fail_msg("%s", err.text);
    assert_int_equal(ond_file_read_all("whole.vdb", 1 << 24, &bytes, &size, &err), OND_OK);
    for (size_t cut = 0; cut < 60; cut += 9) {
        FILE *file = fopen("cut.vdb", "wb");
        assert_true(fwrite(bytes, 1, cut, file) == cut && fclose(file) == 0);
        assert_int_not_equal(ond_vdb_read("cut.vdb", &back, &err), OND_OK);
        assert_int_equal(back.grid.n[0], 0);
    }
    write_text("text.vdb", "this is no such file, but it is long enough to be looked at\n");
    assert_int_equal(ond_vdb_read("text.vdb", &back, &err), OND_BAD_VALUE);
    CHECK_SAYS(err.text, "text.vdb", "its name");
    assert_int_not_equal(ond_vdb_read("nowhere.vdb", &back, &err), OND_OK);
    assert_int_not_equal(ond_vdb_write("nowhere/frame.vdb", &t.frame, &err), OND_OK);
    CHECK_SAYS(err.text, "nowhere/frame.vdb", "its name");
    OndFrame particles = {.dimension = 3};
    assert_int_equal(ond_vdb_write("x.vdb", &particles, &err), OND_BAD_VALUE);
    CHECK_SAYS(err.text, "no grid", "particles");
    ond_free(bytes);
    tank_close(&t);
}

static void test_run(void **state)
{
    (void)state;
    char text[TEXT_ROOM];
    write_text("s.yaml", scene);
    const int code = run_line(
        OND_COMMAND " run s.yaml -o s --frames 2 --quiet --set output.format=vdb 2>&1", text);
    if (!ond_vdb_here()) {
        assert_int_equal(code, 2);
        CHECK_SAYS(text, "libopenvdb-dev", "a build without");
        return;
    }
    if (code != 0) fail_msg("%s", text);
    assert_true(exists("s/frames/frame_0002.vdb") && exists("s/frames/frame_0002.vti"));
    const char *convert = OND_COMMAND " convert s/frames/frame_0001.vti one.vdb 2>&1";
    if (run_line(convert, text) != 0) fail_msg("%s", text);
    OndFrame frame;
    OndError err = {0};
    if (ond_vdb_read("one.vdb", &frame, &err) != OND_OK) fail_msg("%s", err.text);
    assert_int_equal(frame.index, 1);
    ond_frame_free(&frame);
}

static void test_particles(void **state)
{
    (void)state;
    char text[TEXT_ROOM];
    write_text("p.yaml", "output: {format: vdb}\ndomain: {min: [0, 0, 0], max: [1, 1, 1]}\nfluid: "
                         "[{name: water, spacing: 0.1, shape: {type: box, min: [0, 0, 0], max: "
                         "[0.5, 0.5, 0.5]}}]\n");
    assert_int_equal(run_line(OND_COMMAND " check p.yaml 2>&1", text), 2);
    CHECK_SAYS(text, "vdb files hold grids", "a scene of particles");
}

// Blender reads the grids under the names its shaders look for.
static void test_blender(void **state)
{
    (void)state;
    char text[TEXT_ROOM];
    Tank t;
    OndError err = {0};
    if (without()) return;
    if (run_line("blender --version 2>&1", text) != 0) skip();
    tank_open(&t, scene);
    if (ond_vdb_write("blender.vdb", &t.frame, &err) != OND_OK) fail_msg("%s", err.text);
    write_text("look.py",
               "import bpy, os\n"
               "bpy.ops.object.volume_import(filepath=os.path.abspath('blender.vdb'))\n"
               "v = bpy.context.object.data\n"
               "v.grids.load()\n"
               "print('GRIDS', sorted(g.name for g in v.grids), v.grids['density'].data_type)\n");
    run_line("blender --background --factory-startup --python look.py 2>&1", text);
    CHECK_SAYS(text, "GRIDS ['density', 'temperature', 'velocity'] FLOAT", "Blender");
    tank_close(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_round_trip), cmocka_unit_test(test_flat),
        cmocka_unit_test(test_damage),     cmocka_unit_test(test_run),
        cmocka_unit_test(test_particles),  cmocka_unit_test(test_blender),
    };
    return cmocka_run_group_tests(tests, enter_folder, leave_folder);
}
