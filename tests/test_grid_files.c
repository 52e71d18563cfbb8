// SPDX-License-Identifier: MIT
// Frames with a grid: written for ParaView, read back, kept in checkpoints, drawn.
#include "folder.h"

#include "base/memory.h"
#include "io/checkpoint_hdf5.h"
#include "io/file.h"
#include "io/formats/formats.h"
#include "io/formats/vtk.h"
#include "render/stage/slice.h"
#include "tank.h"

static const char scene[] =
    "frame_rate: 10\nduration: 2\ndomain: {min: [1, 0, 0], max: [6, 6, 4]}\n"
    "method: {type: stam, cell: 1, viscosity: 0.1}\n"
    "fluid: [{name: ink, velocity: [2, 1, 0.5], shape: {type: sphere, center: [3, 3, 2], radius: "
    "1.5}}]\n";

static void test_round_trip(void **state)
{
    (void)state;
    Tank t;
    OndFrame back;
    OndError err = {0};
    char path[256];
    in_folder("frame.vti", path);
    tank_open(&t, scene);
    tank_step(&t);
    if (ond_frame_write(path, &t.frame, &err) != OND_OK) fail_msg("%s", err.text);
    if (ond_frame_read(path, &back, &err) != OND_OK) fail_msg("%s", err.text);
    CHECK_NEAR(back.time, t.frame.time, 0, "time");
    CHECK_NEAR(back.index, t.frame.index, 0, "index");
    CHECK_NEAR(back.dimension, 3, 0, "dimension");
    CHECK_NEAR(back.domain.max.y, 6, 0, "domain");
    assert_int_equal(back.cells.field_count, 2);
    for (int k = 0; k < 4; ++k)
        for (int j = 0; j < 6; ++j)
            for (int i = 0; i < 5; ++i)
                for (int f = 0; f < 2; ++f)
                    for (int c = 0; c < back.cells.field[f].components; ++c)
                        CHECK_NEAR(((float *)back.cells.field[f]
                                        .data[c])[ond_grid_at(&back.grid, i, j, k)],
                                   ((float *)t.frame.cells.field[f].data[c])[tank_at(&t, i, j, k)],
                                   0, back.cells.field[f].name);
    assert_string_equal(back.cells.field[0].unit, "m/s");
    ond_frame_free(&back);
    tank_close(&t);
    unlink(path);
}

// What stands on faces comes to the middles of cells.
static void test_faces(void **state)
{
    (void)state;
    OndFrame f = {.dimension = 2}, back;
    OndError err = {0};
    const int n[3] = {3, 2, 1};
    char path[256];
    in_folder("faces.vti", path);
    assert_int_equal(ond_grid_set(&f.grid, n, 0.5, ond_vec(0, 0, 0), NULL, &err), OND_OK);
    f.cells.count = f.cells.capacity = (int)f.grid.length;
    ond_fields_add(&f.cells, "velocity", "m/s", OND_F32, 3, OND_FIELD_FRAME | OND_FIELD_FACES);
    float *const *v = (float *const *)f.cells.field[0].data;
    for (int j = 0; j <= 2; ++j)
        for (int i = 0; i <= 3; ++i) {
            v[0][ond_grid_at(&f.grid, i, j, 0)] = (float)(i * i);
            v[1][ond_grid_at(&f.grid, i, j, 0)] = (float)(10 * j);
            v[2][ond_grid_at(&f.grid, i, j, 0)] = 3.0f; // in 2D nothing lies beyond
        }
    if (ond_vti_write(path, &f, &err) != OND_OK) fail_msg("%s", err.text);
    if (ond_vti_read(path, &back, &err) != OND_OK) fail_msg("%s", err.text);
    float *const *u = (float *const *)back.cells.field[0].data;
    for (int i = 0; i < 3; ++i) {
        const double at[3] = {i, 1, 0};
        CHECK_NEAR(u[0][ond_grid_at(&back.grid, i, 1, 0)], 0.5 * (i * i + (i + 1) * (i + 1)), 0,
                   "x");
        CHECK_NEAR(u[1][ond_grid_at(&back.grid, i, 1, 0)], 15, 0, "y");
        CHECK_NEAR(u[2][ond_grid_at(&back.grid, i, 1, 0)], 3, 0, "z");
        CHECK_NEAR(ond_slice_sample(&f.grid, &f.cells.field[0], 0, at),
                   u[0][ond_grid_at(&back.grid, i, 1, 0)], 1e-6, "a sample of faces");
    }
    ond_frame_free(&back);
    ond_fields_free(&f.cells);
    unlink(path);
}

// Whatever is cut off or changed is read or refused, nothing else.
static void test_damage(void **state)
{
    (void)state;
    Tank t;
    OndError err = {0};
    OndFrame back;
    char path[256], *bytes;
    size_t size;
    in_folder("frame.vti", path);
    tank_open(&t, scene);
    if (ond_vti_write(path, &t.frame, &err) != OND_OK) fail_msg("%s", err.text);
    assert_int_equal(ond_file_read_all(path, 1 << 20, &bytes, &size, &err), OND_OK);
    for (size_t cut = 0; cut < size - 40; cut += 13) {
        char *part = malloc(cut + 1);
        memcpy(part, bytes, cut);
        assert_int_not_equal(ond_vti_parse("cut", part, cut, &back, &err), OND_OK);
        free(part);
    }
    unsigned seed = 1;
    for (int k = 0; k < 2000; ++k) {
        seed = seed * 1664525u + 1013904223u;
        const size_t at = seed % 1600;
        const char was = bytes[at];
        bytes[at] = (char)(seed >> 24);
        if (ond_vti_parse("changed", bytes, size, &back, &err) == OND_OK) ond_frame_free(&back);
        bytes[at] = was;
    }
    ond_free(bytes);
    tank_close(&t);
    unlink(path);
}

static void test_checkpoint(void **state)
{
    (void)state;
    Tank t;
    OndError err = {0};
    OndCheckpoint c, back;
    char path[256], note[256];
    in_folder("checkpoint.h5", path);
    tank_open(&t, scene);
    tank_step(&t);
    ond_sim_checkpoint(t.sim, &c);
    if (ond_checkpoint_write(path, &c, &err) != OND_OK) fail_msg("%s", err.text);
    if (ond_checkpoint_read(path, &back, note, sizeof note, &err) != OND_OK)
        fail_msg("%s", err.text);
    OndSim *sim = ond_sim_remake(&t.scene, NULL, &back, &err);
    if (!sim) fail_msg("%s", err.text);
    OndFrame frame;
    ond_sim_frame(sim, &frame);
    assert_memory_equal(ond_fields_find(&frame.cells, "density")->data[0], t.density,
                        t.grid->length * sizeof(float));
    ond_sim_destroy(sim);
    // a grid of another size must not be taken
    back.cells.count -= 8;
    assert_null(ond_sim_remake(&t.scene, NULL, &back, &err));
    CHECK_SAYS(err.text, "start the run anew", "another size");
    ond_checkpoint_free(&back);
    tank_close(&t);
    unlink(path);
}

static void test_picture(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        int axis, arrows, streamlines;
        OndColour colour;
    } cases[] = {{"slice along z", 2, 0, 0, OND_COLOUR_DENSITY},
                 {"along x", 0, 4, 0, OND_COLOUR_SPEED},
                 {"along y", 1, 0, 4, OND_COLOUR_DENSITY}};
    Tank t;
    OndError err = {0};
    tank_open(&t, scene);
    tank_step(&t);
    for (int k = 0; k < 3; ++k) {
        OndImage image = {0};
        OndRenderDef def = ond_render_default_def();
        def.width = 240, def.height = 180;
        def.slice_axis = cases[k].axis;
        def.colour = cases[k].colour;
        def.arrows = cases[k].arrows;
        def.streamlines = cases[k].streamlines;
        OndRenderer *r = ond_render_create(&def, &err);
        if (!r) fail_msg("%s", err.text);
        if (ond_render_frame(r, &t.frame, &image, &err) != OND_OK) fail_msg("%s", err.text);
        // the middle is not the corner's colour
        const size_t middle = 3 * ((size_t)90 * 240 + 120);
        assert_memory_not_equal(image.rgb, image.rgb + middle, 3);
        ond_image_free(&image);
        ond_render_destroy(r);
    }
    OndRenderDef def = ond_render_default_def();
    OndImage image = {0};
    def.colour = OND_COLOUR_RIGIDITY;
    OndRenderer *r = ond_render_create(&def, &err);
    assert_int_not_equal(ond_render_frame(r, &t.frame, &image, &err), OND_OK);
    CHECK_SAYS(err.text, "no field 'rigidity'", "a field that is not there");
    ond_render_destroy(r);
    ond_image_free(&image);
    tank_close(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_round_trip), cmocka_unit_test(test_faces),
        cmocka_unit_test(test_damage),     cmocka_unit_test(test_checkpoint),
        cmocka_unit_test(test_picture),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
