// SPDX-License-Identifier: MIT
// ctest: slow
// `ondine mesh` as people use it: the frames of a dam break become surfaces that a checker not ours
// (admesh) finds closed; what is there is kept; everything that can go wrong says what.
#include "command.h"

#include "base/memory.h"
#include "io/formats/formats.h"
#include "io/formats/surface_files.h"
#include "surface/surface.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>

#define FRAMES 9 // with the first

static const char dam[] =
    "duration: 0.4\n"
    "frame_rate: 20\n"
    "domain: {min: [0, 0, 0], max: [0.8, 0.5, 0.2]}\n"
    "camera: {from: [2, 1, 2], to: [0.4, 0.2, 0.1]}\n"
    "fluid:\n"
    "  - {spacing: 0.025, shape: {type: box, min: [0, 0, 0], max: [0.25, 0.35, 0.2]}}\n";

static const char tap[] = "duration: 0.2\n"
                          "frame_rate: 20\n"
                          "domain: {min: [0, 0, 0], max: [1, 1, 1]}\n"
                          "surface: {field: density, cell: 1, polygons: tetrahedra}\n"
                          "fluid:\n"
                          "  - {name: water, spacing: 0.05}\n"
                          "emitter:\n"
                          "  - {center: [0.5, 0.8, 0.5], radius: 0.1, rate: 0.02, from: 0.04}\n";

static int set_up(void **state)
{
    if (enter_folder(state) != 0) return -1;
    write_text("dam.yaml", dam);
    expect("run dam.yaml -o dam --quiet", 0, "");
    return 0;
}

static long bytes_of(const char *path)
{
    struct stat info;
    return stat(path, &info) == 0 ? (long)info.st_size : -1;
}

// ---- closed and manifold, as another program sees it

static double admesh_number(const char *text, const char *key)
{
    const char *at = strstr(text, key);
    if (!at) fail_msg("no '%s' in what admesh says:\n%s", key, text);
    at = at ? strchr(at, ':') : NULL;
    return at ? strtod(at + 1, NULL) : -1.0;
}

static void check_closed(const char *stl, double volume)
{
    static char text[TEXT_ROOM];
    static const char *const none[] = {"Total disconnected facets",
                                       "Degenerate facets",
                                       "Edges fixed",
                                       "Facets removed",
                                       "Facets added",
                                       "Facets reversed",
                                       "Backwards edges",
                                       "Normals fixed"};
    char line[512];
    snprintf(line, sizeof line, "admesh '%s' 2>&1", stl);
    assert_int_equal(run_line(line, text), 0);
    for (int k = 0; k < OND_COUNT(none); ++k)
        if (admesh_number(text, none[k]) != 0) fail_msg("%s: %s:\n%s", stl, none[k], text);
    if (!(admesh_number(text, "Number of parts") >= 1)) fail_msg("no parts:\n%s", text);
    CHECK_NEAR(admesh_number(text, "Volume"), volume, 0.1 * volume, stl);
}

static void test_closed(void **state)
{
    (void)state;
    static const char *const ways[] = {"", "--polygons tetrahedra", "--field density --cell 1",
                                       "--smooth 3 --decimate 0.05"};
    if (system("command -v admesh >/dev/null 2>&1") != 0) {
        print_message("skipped: admesh is not installed\n");
        skip();
    }
    for (int w = 0; w < OND_COUNT(ways); ++w) {
        char args[256], path[64];
        snprintf(args, sizeof args, "mesh dam -o way%d --format stl %s", w, ways[w]);
        expect(args, 0, "9 surfaces made");
        for (int k = 0; k < FRAMES; ++k) {
            snprintf(path, sizeof path, "way%d/surface_%04d.stl", w, k);
            check_closed(path, 0.25 * 0.35 * 0.2);
        }
    }
    for (int k = 0; ond_field_names[k]; ++k) {
        char args[256], path[64];
        snprintf(path, sizeof path, "%s.stl", ond_field_names[k]);
        snprintf(args, sizeof args, "mesh dam --frames 7 --field %s -o %s", ond_field_names[k],
                 path);
        expect(args, 0, "1 surface made");
        check_closed(path, 0.25 * 0.35 * 0.2);
    }
}

// ---- what it leaves

static void test_attributes(void **state)
{
    (void)state;
    OndSurface s;
    OndError err = {0};
    expect("mesh dam --quiet", 0, "");
    if (ond_surface_read("dam/surfaces/surface_0004.ply", &s, &err) != OND_OK)
        fail_msg("%s", err.text);
    CHECK_NEAR(s.frame, 4, 0, "frame");
    CHECK_NEAR(s.time, 0.2, 1e-12, "time");
    CHECK_NEAR(s.spacing, 0.025, 1e-12, "spacing");
    const OndField *velocity = ond_fields_find(&s.attributes, "velocity");
    const OndField *material = ond_fields_find(&s.attributes, "material");
    assert_non_null(velocity);
    assert_non_null(ond_fields_find(&s.attributes, "temperature"));
    assert_non_null(material);
    assert_int_equal(material->type, OND_U32);
    double fastest = 0.0;
    for (int k = 0; k < s.mesh.corner_count; ++k)
        fastest = fmax(fastest, ((const float *)velocity->data[0])[k]);
    CHECK_NEAR(fastest, 1.7, 1.3, "speed of the front, m/s");
    ond_surface_free(&s);
}

static void test_kept(void **state)
{
    (void)state;
    remove_all("dam/surfaces");
    expect("mesh dam --frames 0-3", 0, "4 surfaces made, 0 kept");
    expect("mesh dam", 0, "5 surfaces made, 4 kept");
    expect("mesh dam", 0, "0 surfaces made, 9 kept");
    expect("mesh dam --force", 0, "9 surfaces made, 0 kept");
    // another way to make them, and back
    expect("mesh dam --cell 0.8 --frames 2-5", 0, "4 surfaces made, 0 kept");
    expect("mesh dam", 0, "4 surfaces made, 5 kept");
    // a frame that is newer
    expect("mesh dam --frames 3", 0, "0 surfaces made, 1 kept");
    assert_int_equal(system("touch -d '+1 hour' dam/frames/frame_0003.ply"), 0);
    expect("mesh dam", 0, "1 surface made, 8 kept");
    assert_int_equal(system("touch -d '-1 hour' dam/frames/*.ply"), 0);
    // a damaged surface of another's is not kept
    write_text("dam/surfaces/surface_0001.ply", "mine");
    expect("mesh dam", 0, "1 surface made, 8 kept");
    // a run that begins again takes its surfaces away
    expect("run dam.yaml -o again --quiet --frames 2", 0, "");
    expect("mesh again --quiet", 0, "");
    expect("mesh again --quiet --format obj", 0, "");
    assert_true(exists("again/surfaces/surface_0002.obj"));
    expect("run dam.yaml -o again --quiet --frames 1 --force", 0, "");
    assert_false(exists("again/surfaces/surface_0002.ply"));
    assert_false(exists("again/surfaces/surface_0000.obj"));
}

static void test_places(void **state)
{
    (void)state;
    expect("mesh dam/frames/frame_0002.ply", 0, "frame_0002-surface.ply");
    assert_true(exists("dam/frames/frame_0002-surface.ply"));
    unlink("dam/frames/frame_0002-surface.ply");
    expect("mesh dam/frames/frame_0002.ply -o two.OBJ", 0, "two.OBJ");
    assert_true(bytes_of("two.OBJ") > 1000);
    expect("mesh dam --frames 2 -o two.vtp", 0, "");
    expect("mesh dam --frames 2-3 -o deep/er --format pov", 0, "deep/er");
    assert_true(exists("deep/er/surface_0003.pov"));
    assert_int_equal(system("grep -q 'Eye = <2, 1, 2>' deep/er/surface_0003.pov"), 0);
    assert_int_equal(system("cp dam/frames/frame_0001.ply one.ply"), 0);
    expect("mesh one.ply dam/frames/frame_0002.ply -o both --format stl", 0, "2 surfaces made");
    assert_true(exists("both/one.stl"));
    assert_true(exists("both/surface_0002.stl"));
    // the same place for another frame, and one place for two
    expect("mesh one.ply -o any.obj", 0, "1 surface made, 0 kept");
    expect("mesh one.ply -o any.obj", 0, "0 surfaces made, 1 kept");
    expect("mesh dam/frames/frame_0002.ply -o any.obj", 0, "1 surface made, 0 kept");
    expect("mesh dam --frames 4 -o any.obj", 0, "1 surface made, 0 kept");
    assert_int_equal(system("mkdir -p p && cp dam/frames/frame_0001.ply p/one.ply"), 0);
    expect("mesh one.ply p/one.ply -o both", 2, "would both be both/one.ply");
    expect("mesh dam --format vtp --quiet", 0, "");
    assert_int_equal(system("grep -c 'surfaces/surface_00.*vtp' dam/surfaces.pvd | grep -qx 9"), 0);
    expect("mesh dam --format vtp -o elsewhere --frames 2-4 --quiet", 0, "");
    assert_int_equal(
        system("grep -c 'file=\"surface_000[234].vtp\"' elsewhere/surfaces.pvd | grep -qx 3"), 0);
}

static void test_same_bits(void **state)
{
    (void)state;
    expect("mesh dam --frames 6 -o t1.ply --threads 1", 0, "");
    expect("mesh dam --frames 6 -o t4.ply --threads 4", 0, "");
    assert_int_equal(system("cmp t1.ply t4.ply"), 0);
}

static void test_json(void **state)
{
    (void)state;
    static char text[TEXT_ROOM];
    assert_int_equal(ondine("mesh dam --json --force --frames 1-2", text), 0);
    assert_ptr_equal(strchr(text, '\n'), text + strlen(text) - 1); // one line, one object
    CHECK_SAYS(text, "\"status\":\"done\"", "json");
    CHECK_SAYS(text, "\"path\":\"dam/surfaces\"", "json");
    CHECK_NEAR(json_number(text, "made"), 2, 0, "made");
    assert_true(json_number(text, "triangles") > 2000);
    assert_int_equal(ondine_output("mesh none --json 2>/dev/null", text), 2);
    CHECK_SAYS(text, "\"status\":\"failed\"", "json of a failure");
}

// What the scene says holds; a tap that has not begun is no failure.
static void test_scene_section(void **state)
{
    (void)state;
    static char text[TEXT_ROOM];
    OndSurface s;
    OndError err = {0};
    write_text("tap.yaml", tap);
    expect("run tap.yaml -o tap --quiet", 0, "");
    assert_int_equal(ondine("mesh tap --json", text), 0);
    CHECK_SAYS(text, "\"field\":\"density\"", "field of the scene");
    CHECK_NEAR(json_number(text, "empty"), 1.5, 0.5, "frames without particles");
    CHECK_NEAR(json_number(text, "made"), 5, 0, "made");
    const double coarse = json_number(text, "triangles");
    if (ond_surface_read("tap/surfaces/surface_0000.ply", &s, &err) != OND_OK)
        fail_msg("%s", err.text);
    CHECK_NEAR(s.mesh.triangle_count, 0, 0, "triangles before it pours");
    ond_surface_free(&s);
    expect("mesh tap/frames/frame_0000.ply", 2, "no particles");
    assert_int_equal(ondine("mesh tap --json --cell 0.5", text), 0);
    if (!(json_number(text, "triangles") > 2.5 * coarse))
        fail_msg("%.0f triangles, and half the cell: %.0f", coarse, json_number(text, "triangles"));
    expect("check tap.yaml --set surface.field=densitty", 2, "'density'");
    expect("check tap.yaml --set surface.cell=0", 2, "cell");
}

// ---- what goes wrong

static void test_bad_options(void **state)
{
    (void)state;
    expect("mesh", 2, "ondine mesh DIR|FILE");
    expect("mesh none", 2, "none");
    expect("mesh .", 2, "no frames");
    expect("mesh dam --field dnsity", 2, "density");
    expect("mesh dam --format fbx", 2, "--format takes ply, obj, stl, vtp");
    expect("mesh dam --cell 0", 2, "--cell takes a number from");
    expect("mesh dam --cell nan", 2, "--cell");
    expect("mesh dam --frames 5-2", 2, "--frames takes");
    expect("mesh dam --frames 50-60", 2, "there are frames 0 to 8");
    expect("mesh dam -o all.ply", 2, "do not fit one file");
    expect("mesh dam --frames 1 -o a.ply --format obj", 2, "contradict");
    expect("mesh dam dam/frames/frame_0001.ply", 2, "one folder alone");
    expect("mesh dam/frames/frame_0001.ply -o dam/frames/frame_0001.ply", 2,
           "would overwrite the frame");
    expect("mesh dam.yaml", 2, "no known frame format");
    write_text("file", "x");
    expect("mesh dam -o file/sub", 1, "file");
    expect("mesh dam --frames 1 -o none/a.ply", 1, "none/a.ply");
    assert_int_equal(symlink("/dev/full", "full.stl"), 0);
    expect("mesh dam --frames 1 -o full.stl", 1, "no space left");
}

static void write_frame(const char *path, int count, float far, float spacing)
{
    OndFrame f = {.dimension = 3, .spacing = (double)spacing, .owned = true};
    OndError err = {0};
    ond_fields_add(&f.particles, "position", "m", OND_F32, 3, OND_FIELD_FRAME);
    assert_int_equal(ond_fields_reserve(&f.particles, count ? count : 1, NULL), OND_OK);
    f.particles.count = count;
    for (int k = 0; k < count; ++k)
        for (int c = 0; c < 3; ++c)
            ((float *)f.particles.field[0].data[c])[k] = c == k % 3 ? far : 0.01f * (float)k;
    if (ond_frame_write(path, &f, &err) != OND_OK) fail_msg("%s", err.text);
    ond_frame_free(&f);
}

// side^3 lone drops: whoever cuts all of them finely needs more memory than there is.
static void write_drops(const char *path, int side)
{
    OndFrame f = {.dimension = 3, .spacing = 0.01, .owned = true};
    OndError err = {0};
    const int count = side * side * side;
    ond_fields_add(&f.particles, "position", "m", OND_F32, 3, OND_FIELD_FRAME);
    assert_int_equal(ond_fields_reserve(&f.particles, count, NULL), OND_OK);
    f.particles.count = count;
    for (int k = 0; k < count; ++k) {
        const int at[3] = {k % side, k / side % side, k / side / side};
        for (int c = 0; c < 3; ++c)
            ((float *)f.particles.field[0].data[c])[k] = 0.2f * (float)at[c];
    }
    if (ond_frame_write(path, &f, &err) != OND_OK) fail_msg("%s", err.text);
    ond_frame_free(&f);
}

static void test_bad_frames(void **state)
{
    (void)state;
    write_frame("empty.ply", 0, 0, 0.1f);
    expect("mesh empty.ply", 2, "empty.ply: ");
    write_frame("nan.ply", 5, NAN, 0.1f);
    expect("mesh nan.ply", 2, "nan.ply: ");
    write_frame("infinite.ply", 5, INFINITY, 0.1f);
    expect("mesh infinite.ply", 2, "infinite.ply: ");
    write_frame("lone.ply", 1, 0, 0.1f);
    expect("mesh lone.ply", 0, "1 surface made");
    write_frame("far.ply", 6, 3e6f, 0.1f);
    expect("mesh far.ply", 0, "1 surface made");
    write_drops("drops.ply", 50);
    expect("mesh drops.ply --cell 0.02", 1, "spacings) fit");
    write_text("cut.ply", "ply\nformat binary_little_endian 1.0\nelement vertex 7\n"
                          "property float x\nproperty float y\nend_header\n1234");
    expect("mesh cut.ply", 2, "cut short");
}

// A signal ends it between two surfaces, and the same command goes on.
static void test_stop(void **state)
{
    (void)state;
    remove_all("stop");
    const pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        const int null = open("/dev/null", O_WRONLY);
        if (null >= 0) dup2(null, STDERR_FILENO), dup2(null, STDOUT_FILENO);
        execl(OND_COMMAND, "ondine", "mesh", "dam", "-o", "stop", "--cell", "0.1", (char *)NULL);
        _exit(99);
    }
    for (int k = 0; k < 60000 && !exists("stop/surface_0000.ply"); ++k)
        usleep(500);
    kill(child, SIGTERM);
    int status = 0;
    assert_int_equal(waitpid(child, &status, 0), child);
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 128 + SIGTERM)
        fail_msg("ended with status %x", (unsigned)status);
    assert_false(exists("stop/surface_0008.ply"));
    assert_int_equal(system("! ls stop | grep -q part"), 0);
    expect("mesh dam -o stop --cell 0.1", 0, " kept");
    assert_true(exists("stop/surface_0008.ply"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_closed),        cmocka_unit_test(test_attributes),
        cmocka_unit_test(test_kept),          cmocka_unit_test(test_places),
        cmocka_unit_test(test_same_bits),     cmocka_unit_test(test_json),
        cmocka_unit_test(test_scene_section), cmocka_unit_test(test_bad_options),
        cmocka_unit_test(test_bad_frames),    cmocka_unit_test(test_stop),
    };
    return cmocka_run_group_tests(tests, set_up, leave_folder);
}
