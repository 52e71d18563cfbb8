// SPDX-License-Identifier: MIT
// ctest: slow
// Moments between frames as people ask for them: `ondine mesh --between` and `ondine render
// --between`. A falling drop, a splash and a tap: names in the order of time, nothing jumps, swells
// or tears, and what a plain command made stays as it was.
#include "command.h"
#include "surfaces.h"

#include "io/file.h"
#include "io/formats/formats.h"
#include "io/formats/surface_files.h"

static const char dam[] =
    "duration: 0.5\n"
    "frame_rate: 20\n"
    "domain: {min: [0, 0, 0], max: [0.6, 0.5, 0.2]}\n"
    "render: {width: 96, height: 54}\n"
    "fluid:\n"
    "  - {spacing: 0.025, shape: {type: box, min: [0, 0, 0], max: [0.25, 0.35, 0.2]}}\n";

static const char drop[] = "duration: 0.1\n"
                           "frame_rate: 20\n"
                           "domain: {min: [0, 0, 0], max: [1, 1, 1]}\n"
                           "fluid:\n"
                           "  - spacing: 0.02\n"
                           "    velocity: [1, 0, 0]\n"
                           "    shape: {type: sphere, center: [0.4, 0.7, 0.5], radius: 0.1}\n";

static const char tap[] = "duration: 0.25\n"
                          "method: {pressure: wcsph}\n"
                          "frame_rate: 20\n"
                          "domain: {min: [0, 0, 0], max: [1, 1, 1]}\n"
                          "render: {width: 96, height: 54}\n"
                          "fluid:\n"
                          "  - {name: water, spacing: 0.04}\n"
                          "emitter:\n"
                          "  - {center: [0.5, 0.8, 0.5], radius: 0.1, rate: 0.02, from: 0.04}\n";

static int set_up(void **state)
{
    if (enter_folder(state) != 0) return -1;
    write_text("dam.yaml", dam);
    write_text("drop.yaml", drop);
    write_text("tap.yaml", tap);
    expect("run dam.yaml -o dam --quiet", 0, "");
    expect("run drop.yaml -o drop --quiet", 0, "");
    expect("run tap.yaml -o tap --quiet", 0, "");
    return 0;
}

// ---- looking at surfaces

// What is asked of one, in the order of the names.
typedef struct Seen {
    double time, volume;
    OndVec middle;
} Seen;

static OndVec middle_of(const OndMesh *mesh)
{
    OndVec sum = ond_vec(0, 0, 0);
    double all = 0.0;
    for (int t = 0; t < mesh->triangle_count; ++t) {
        const uint32_t *c = mesh->triangle + 3 * (size_t)t;
        const OndVec a = mesh_corner(mesh, c[0]), b = mesh_corner(mesh, c[1]),
                     d = mesh_corner(mesh, c[2]);
        const double volume = ond_dot(a, ond_cross(b, d));
        sum = ond_add(sum, ond_scale(ond_add(a, ond_add(b, d)), 0.25 * volume));
        all += volume;
    }
    return ond_scale(sum, 1.0 / all);
}

static Seen look(const char *path)
{
    OndSurface s = {0};
    OndError err = {0};
    if (ond_surface_read(path, &s, &err) != OND_OK) fail_msg("%s", err.text);
    Seen seen = {.time = s.time};
    if (s.mesh.triangle_count > 0) {
        check_surface(&s, path);
        seen.volume = mesh_volume(&s.mesh);
        seen.middle = middle_of(&s.mesh);
    }
    ond_surface_free(&s);
    return seen;
}

// All surfaces of a folder, as the shell sorts them.
static int look_at_all(const char *where, Seen *out, int room)
{
    static char text[TEXT_ROOM];
    char line[256];
    int count = 0;
    snprintf(line, sizeof line, "ls %s/*.ply | LC_ALL=C sort", where);
    assert_int_equal(run_line(line, text), 0);
    for (char *path = strtok(text, "\n"); path; path = strtok(NULL, "\n")) {
        if (count == room) fail_msg("more than %d surfaces in %s", room, where);
        out[count++] = look(path);
    }
    return count;
}

static void check_times(const Seen *seen, int count, double step)
{
    for (int k = 1; k < count; ++k)
        CHECK_NEAR(seen[k].time - seen[k - 1].time, step, 1e-9, "time from name to name");
}

// ---- surfaces

enum { ROOM = 64 };

// It flies as a thrown ball does, at every moment, and keeps its volume.
static void test_drop(void **state)
{
    (void)state;
    Seen seen[ROOM];
    expect("mesh drop --between 4", 0, "11 surfaces made");
    const int count = look_at_all("drop/surfaces", seen, ROOM);
    assert_int_equal(count, 11);
    check_times(seen, count, 0.01);
    for (int k = 0; k < count; ++k) {
        const double t = seen[k].time;
        CHECK_NEAR(seen[k].volume / seen[0].volume, 1.0, 0.02, "volume of the drop");
        CHECK_NEAR(seen[k].middle.x - seen[0].middle.x, t, 1e-3, "way along x, m");
        CHECK_NEAR(seen[k].middle.y - seen[0].middle.y, -0.5 * 9.81 * t * t, 2e-3, "fall, m");
    }
}

static void test_splash(void **state)
{
    (void)state;
    Seen seen[ROOM];
    expect("mesh dam --frames 5-10 --between 3 -o splash", 0, "21 surfaces made");
    const int count = look_at_all("splash", seen, ROOM);
    assert_int_equal(count, 21);
    check_times(seen, count, 0.0125);
    for (int k = 0; k < count; ++k) {
        const Seen *from = &seen[k / 4 * 4], *to = k % 4 ? from + 4 : from;
        const double share = k % 4 / 4.0;
        const double volume = (1.0 - share) * from->volume + share * to->volume;
        CHECK_NEAR(seen[k].volume / volume, 1.0, 0.02, "volume against the frames'");
        for (int a = 0; a < 3; ++a) // the middle of all moves evenly but for 2 g, over 0.05 s
            CHECK_NEAR(ond_axis(seen[k].middle, a),
                       (1.0 - share) * ond_axis(from->middle, a) + share * ond_axis(to->middle, a),
                       2 * 9.81 * 0.05 * 0.05 / 8, "middle, m");
    }
}

// What pours out grows into the stream; before that there is nothing, which is no failure. Some
// hundred particles in a thin stream: their surface has their volume to within a tenth.
static void test_tap(void **state)
{
    (void)state;
    enum { POURED = 21 }; // particles a frame
    Seen seen[ROOM];
    expect("mesh tap --between 3", 0, "21 surfaces made");
    const int count = look_at_all("tap/surfaces", seen, ROOM);
    assert_int_equal(count, 21);
    check_times(seen, count, 0.0125);
    CHECK_NEAR(seen[0].volume, 0.0, 0.0, "before it pours");
    const double last = seen[count - 1].volume;
    if (!(last > 0.002)) fail_msg("%g m^3 at the end", last);
    for (int k = 1; k < count; ++k)
        if (!(seen[k].volume > seen[k - 1].volume - 0.02 * last))
            fail_msg("%g m^3 after %g at t = %g", seen[k].volume, seen[k - 1].volume, seen[k].time);
    for (int k = 4; k < count; ++k) { // once it pours, as many particles come each moment
        const double poured = POURED * (k - 4) / 4.0 * pow(0.04, 3);
        CHECK_NEAR(seen[k].volume / last, poured / last, 0.075, "share of the volume at the end");
    }
}

// A ball of particles whose numbers begin at `id`.
static double ball(double x, double y, double z)
{
    return x * x + y * y + z * z - 0.16;
}

static void write_ball(const char *path, double x, uint32_t id, double time)
{
    OndFrame f;
    OndError err = {0};
    frame_open(&f, 0.1, 3, 1000);
    ond_fields_add(&f.particles, "id", "", OND_U32, 1, OND_FIELD_FRAME);
    frame_fill(&f, ball, 0.5, 0.0);
    f.time = time;
    for (int i = 0; i < f.particles.count; ++i) {
        ((float *)f.particles.field[0].data[0])[i] += (float)x;
        ((uint32_t *)ond_fields_find(&f.particles, "id")->data[0])[i] = id + (uint32_t)i;
    }
    if (ond_frame_write(path, &f, &err) != OND_OK) fail_msg("%s", err.text);
    ond_frame_free(&f);
}

// Two frames with nothing in common: one goes while the other comes.
static void test_strangers(void **state)
{
    (void)state;
    Seen seen[ROOM];
    write_ball("one.ply", 0.0, 0, 0.0);
    write_ball("two.ply", 3.0, 5000, 1.0);
    expect("mesh one.ply two.ply --between 3 -o strangers", 0, "5 surfaces made");
    assert_true(exists("strangers/onet500.ply"));
    assert_int_equal(look_at_all("strangers", seen, ROOM), 5);
    check_times(seen, 5, 0.25);
    for (int k = 1; k < 5; ++k)
        if (!(seen[k].middle.x >= seen[k - 1].middle.x - 1e-6))
            fail_msg("middle at %g after %g", seen[k].middle.x, seen[k - 1].middle.x);
    CHECK_NEAR(seen[2].middle.x, 1.5, 0.05, "half here, half there");
    for (int k = 1; k < 5; ++k)
        CHECK_NEAR(seen[k].volume / seen[0].volume, 1.0, 0.05, "volume of both");
}

// The morph in space and time: the drop stays one and moves on.
static void test_4d(void **state)
{
    (void)state;
    Seen seen[ROOM];
    expect("mesh drop --frames 0-1 --between 1 --morph 4d -o morph", 0, "field variational");
    assert_int_equal(look_at_all("morph", seen, ROOM), 3);
    CHECK_NEAR(seen[1].volume / seen[0].volume, 1.0, 0.05, "volume halfway");
    CHECK_NEAR(seen[1].middle.x - seen[0].middle.x, 0.025, 2e-3, "way, m");
    expect("mesh drop --frames 0-1 --between 1 --morph 4d -o morph", 0, "0 surfaces made, 3 kept");
    expect("mesh drop --frames 0-1 --between 1 --field variational -o morph", 0, "1 surface made");
    expect("mesh tap --frames 0-2 --between 1 --morph 4d -o poured", 0, "5 surfaces made");
}

// ---- what is kept

static void test_kept(void **state)
{
    (void)state;
    expect("run dam.yaml -o kept --quiet --frames 3", 0, "");
    expect("mesh kept", 0, "4 surfaces made");
    assert_int_equal(system("cp -rp kept/surfaces plain"), 0);
    expect("mesh kept --between 1", 0, "3 surfaces made, 4 kept");
    expect("mesh kept --between 3", 0, "6 surfaces made, 7 kept"); // the halves are there
    expect("mesh kept --between 2 --frames 1-2", 0, "2 surfaces made, 2 kept");
    expect("mesh kept --between 3", 0, "0 surfaces made, 13 kept");
    expect("mesh kept", 0, "0 surfaces made, 4 kept");
    assert_int_equal(system("for f in plain/*; do cmp $f kept/surfaces/${f#plain/}; done"), 0);
    // a frame that is newer: its own, and those to both sides
    assert_int_equal(system("touch -d '+1 hour' kept/frames/frame_0001.ply"), 0);
    expect("mesh kept --between 1", 0, "3 surfaces made, 4 kept");
    assert_int_equal(system("touch -d '-1 hour' kept/frames/*.ply"), 0);
    expect("mesh kept --between 1 --format vtp", 0, "7 surfaces made");
    assert_int_equal(
        system("grep -q 'timestep=\"0.025[0-9]*\".*surface_0000t500.vtp' kept/surfaces.pvd"), 0);
    assert_int_equal(system("grep -c DataSet kept/surfaces.pvd | grep -qx 7"), 0);
    // a run that begins again takes them away
    expect("render kept --between 1 --pictures --quiet", 0, "");
    assert_true(exists("kept/pictures/frame_0002t500.png"));
    expect("run dam.yaml -o kept --quiet --frames 1 --force", 0, "");
    assert_int_equal(system("! ls kept/surfaces kept/pictures | grep t500"), 0);
    // one that goes on, those behind its last frame
    expect("mesh kept --quiet", 0, "");
    write_text("kept/surfaces/surface_0000t500.ply", "");
    write_text("kept/surfaces/surface_0001t500.ply", "");
    expect("run --resume kept --frames 2 --quiet", 0, "");
    assert_true(exists("kept/surfaces/surface_0000t500.ply"));
    assert_false(exists("kept/surfaces/surface_0001t500.ply"));
}

// ---- films

static bool same_files(const char *a, const char *b)
{
    char line[256];
    snprintf(line, sizeof line, "cmp -s '%s' '%s'", a, b);
    return system(line) == 0;
}

static double pictures_in(const char *film)
{
    static char text[TEXT_ROOM];
    char line[256];
    snprintf(line, sizeof line,
             "ffprobe -v error -count_frames -select_streams v -show_entries "
             "stream=nb_read_frames -of csv=p=0 %s",
             film);
    assert_int_equal(run_line(line, text), 0);
    return strtod(text, NULL);
}

static void test_film(void **state)
{
    (void)state;
    if (system("command -v ffmpeg ffprobe > /dev/null 2>&1") != 0) skip();
    remove_all("dam/pictures");
    expect("render dam --frames 6-8 --between 3 -o slow.mp4", 0, "9 pictures drawn");
    CHECK_NEAR(pictures_in("slow.mp4"), 9, 0, "pictures in the film");
    expect("render dam --frames 6-8 --between 1 --as particles", 0, "5 pictures drawn");
    CHECK_NEAR(pictures_in("dam/film.mp4"), 5, 0, "pictures in the film");
    assert_false(exists("dam/pictures/frame_0006.png"));
}

static void test_pictures(void **state)
{
    (void)state;
    expect("run dam.yaml -o seen --quiet --frames 4", 0, "");
    remove_all("seen/pictures"); // a folder that is not there is made
    expect("render seen --frames 3-4 --between 1 --pictures", 0, "3 pictures drawn, 0 kept");
    expect("render seen --frames 3-4 --between 1 --pictures", 0, "0 pictures drawn, 3 kept");
    assert_false(same_files("seen/pictures/frame_0003.png", "seen/pictures/frame_0003t500.png"));
    assert_false(same_files("seen/pictures/frame_0004.png", "seen/pictures/frame_0003t500.png"));
    expect("render seen --frames 3-4 --between 1 --sheet 3 -o sheet.png", 0, "sheet.png");
    // surfaces that `mesh` made count where all are there
    assert_int_equal(system("cp -r seen/pictures own"), 0);
    expect("mesh seen --cell 2 --quiet", 0, "");
    expect("render seen --frames 3-4 --between 1 --pictures --force", 0, "3 pictures drawn");
    assert_true(same_files("seen/pictures/frame_0003.png", "own/frame_0003.png"));
    expect("mesh seen --cell 2 --between 1 --quiet", 0, "");
    expect("render seen --frames 3-4 --between 1 --pictures --force", 0, "3 pictures drawn");
    assert_false(same_files("seen/pictures/frame_0003.png", "own/frame_0003.png"));
    assert_false(same_files("seen/pictures/frame_0003t500.png", "own/frame_0003t500.png"));
}

// The shutter is open for a share of the time between two pictures, which is shorter now.
static void test_blur(void **state)
{
    (void)state;
    expect("run dam.yaml -o blur --quiet --frames 4", 0, "");
    expect("render blur --frames 3-4 --between 1 --motion-blur 1 --pictures", 0, "3 pictures");
    expect("render blur --frames 3 --motion-blur 0.5 -o half.png", 0, "");
    expect("render blur --frames 3 --motion-blur 1 -o whole.png", 0, "");
    assert_true(same_files("blur/pictures/frame_0003.png", "half.png"));
    assert_false(same_files("blur/pictures/frame_0003.png", "whole.png"));
}

// Particles that come or go are drawn as small as they are.
static void test_small_particles(void **state)
{
    (void)state;
    static const float spacing[] = {0.1f, 0.03f};
    for (int small = 0; small <= 2; ++small) {
        OndFrame f;
        OndError err = {0};
        char path[16];
        frame_open(&f, 0.1, 3, 1000);
        if (small) ond_fields_add(&f.particles, "spacing", "m", OND_F32, 1, OND_FIELD_FRAME);
        frame_fill(&f, ball, 0.5, 0.0);
        for (int i = 0; small && i < f.particles.count; ++i)
            ((float *)ond_fields_find(&f.particles, "spacing")->data[0])[i] = spacing[small - 1];
        snprintf(path, sizeof path, "dots%d.ply", small);
        if (ond_frame_write(path, &f, &err) != OND_OK) fail_msg("%s", err.text);
        ond_frame_free(&f);
    }
    expect("render dots0.ply dots1.ply dots2.ply --as particles --size 96x54", 0, "dots2.png");
    assert_true(same_files("dots0.png", "dots1.png"));
    assert_false(same_files("dots0.png", "dots2.png"));
    expect("render dots0.ply dots1.ply --between 1 --as particles --size 96x54", 0,
           "dots0t500.png");
    assert_true(exists("dots0t500.png"));
}

// ---- what goes wrong

static void test_wrong(void **state)
{
    (void)state;
    static const Said table[] = {
        {"mesh dam --between 0", 2, "--between takes"},
        {"mesh dam --between 100", 2, "--between takes"},
        {"mesh dam --between few", 2, "--between"},
        {"mesh dam --between 2 --frames 3", 2, "needs two or more"},
        {"mesh dam --between 2 --frames 3-4 -o one.ply", 2, "4 frames do not fit one file"},
        {"mesh dam --between 2 --morph 5d", 2, "--morph"},
        {"mesh dam --between 2 --morph 4d --field blobs", 2, "--field variational"},
        {"mesh dam --between 2 --morph 4d --smooth 2", 2, "--smooth 0"},
        {"mesh dam --placement cells", 2, "--field variational"},
        {"mesh dam --exact 100 --field density", 2, "--field variational"},
        {"mesh dam --exact 100000 --field variational", 2, "--exact takes"},
        {"mesh dam --smoothing 0.5 --field blobs", 2, "--smoothing is for"},
        {"mesh dam --smoothing 2", 2, "--smoothing takes"},
        {"mesh dam --smoothing 0 --field blobs", 2, "--smoothing is for"},
        {"mesh dam --surface-only", 2, "--surface-only is for the field blobs"},
        {"mesh dam --threshold 0", 2, "it must be above 0"},
        {"mesh dam --threshold 0.5 --field variational", 2, "--threshold is not for"},
        {"mesh dam --radius 2 --field variational", 2, "--radius is not for"},
        {"mesh dam --frames 1.5", 2, "a frame or two"},
        {"mesh dam --frames 1-2.5", 2, "a frame or two"},
        {"render dam --frames 0.5-2", 2, "a frame or two"},
        {"render dam --between 0", 2, "--between takes"},
        {"render dam --between 100", 2, "--between takes"},
        {"render dam --between 2 --frames 3", 2, "needs two or more"},
        {"render dam --between 2 --frames 3-4 -o one.png", 2, "4 frames do not fit one picture"},
    };
    expect_all(table, OND_COUNT(table));
    expect("mesh dam --frames 3 -o three.ply", 0, "");
    expect("mesh dam --frames 4 -o four.ply", 0, "");
    expect("render three.ply four.ply --between 1 --as surface", 2, "three.ply is a surface");
}

// Blobs of the particles at the surface alone are a shell.
static void test_surface_only(void **state)
{
    (void)state;
    expect("mesh drop --frames 0 --field blobs -o all.ply", 0, "1 surface made");
    expect("mesh drop --frames 0 --field blobs --surface-only -o shell.ply", 0, "1 surface made");
    const double share = look("shell.ply").volume / look("all.ply").volume;
    if (!(share > 0.3 && share < 0.9)) fail_msg("%g of the volume is in the shell", share);
}

// The options of the variational field are heard.
static void test_field_options(void **state)
{
    (void)state;
    static const char *const ways[] = {"", "--placement cells", "--smoothing 0.2", "--exact 3000",
                                       "--smoothing 0"};
    for (int w = 0; w < OND_COUNT(ways); ++w) {
        char args[256], path[32];
        snprintf(path, sizeof path, "vari%d.ply", w);
        snprintf(args, sizeof args, "mesh drop --frames 0 --field variational --cell 1 %s -o %s",
                 ways[w], path);
        expect(args, 0, "1 surface made");
        CHECK_NEAR(look(path).volume, 4.0 / 3.0 * M_PI * 1e-3, 5e-4, ways[w]);
        if (w > 0 && same_files("vari0.ply", path)) fail_msg("%s changed nothing", ways[w]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_drop),         cmocka_unit_test(test_splash),
        cmocka_unit_test(test_tap),          cmocka_unit_test(test_strangers),
        cmocka_unit_test(test_4d),           cmocka_unit_test(test_kept),
        cmocka_unit_test(test_film),         cmocka_unit_test(test_pictures),
        cmocka_unit_test(test_blur),         cmocka_unit_test(test_small_particles),
        cmocka_unit_test(test_wrong),        cmocka_unit_test(test_field_options),
        cmocka_unit_test(test_surface_only),
    };
    return cmocka_run_group_tests(tests, set_up, leave_folder);
}
