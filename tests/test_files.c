// SPDX-License-Identifier: MIT
// Files and folders: whole or absent, full disks, folders that refuse, the log of a resumed run.
#include "folder.h"

#include "base/hash.h"
#include "base/memory.h"
#include "io/checkpoint_hdf5.h"
#include "io/file.h"
#include "io/formats/csv.h"
#include "io/formats/formats.h"
#include "io/run_folder.h"
#include "io/step_log.h"

#include <locale.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>

static int remove_all(void **state)
{
    (void)state;
    char command[256];
    snprintf(command, sizeof command, "rm -r '%s'", folder);
    return system(command);
}

static void write_text(const char *path, const char *text)
{
    FILE *f = fopen(path, "wb");
    assert_non_null(f);
    fputs(text, f);
    fclose(f);
}

static void check_text(const char *path, const char *want)
{
    char *text;
    size_t size;
    assert_int_equal(ond_file_read_all(path, 1 << 20, &text, &size, NULL), OND_OK);
    assert_string_equal(text, want);
    ond_free(text);
}

static bool exists(const char *path)
{
    return access(path, F_OK) == 0;
}

static void test_whole_or_absent(void **state)
{
    (void)state;
    char path[256], part[256];
    in_folder("a.txt", path);
    in_folder("a.txt.part", part);
    OndFile *f = ond_file_create(path, NULL);
    ond_file_print(f, "%d ", 1);
    assert_true(exists(part) && !exists(path));
    ond_file_write(f, "two\n", 4);
    assert_int_equal(ond_file_commit(f, NULL), OND_OK);
    check_text(path, "1 two\n");
    assert_false(exists(part));
    f = ond_file_create(path, NULL);
    ond_file_print(f, "never seen");
    ond_file_abandon(f);
    check_text(path, "1 two\n");
    assert_false(exists(part));
}

// A link keeps pointing at the file, which gets the new content.
static void test_link(void **state)
{
    (void)state;
    char target[256], link_path[256];
    struct stat info;
    write_text(in_folder("target", target), "old");
    assert_int_equal(symlink(target, in_folder("link", link_path)), 0);
    OndFile *f = ond_file_create(link_path, NULL);
    ond_file_print(f, "new");
    assert_int_equal(ond_file_commit(f, NULL), OND_OK);
    check_text(target, "new");
    assert_int_equal(lstat(link_path, &info), 0);
    assert_true(S_ISLNK(info.st_mode));
}

static void test_cannot_create(void **state)
{
    (void)state;
    char file[256], below[256], here[256], long_path[2000];
    OndError err = {0};
    write_text(in_folder("plain", file), "x");
    assert_null(ond_file_create(in_folder("plain/frame.ply", below), &err));
    CHECK_SAYS(err.text, below, "below a file");
    assert_null(ond_file_create(in_folder("nowhere/frame.ply", here), &err));
    CHECK_SAYS(err.text, "No such file", "no folder");
    assert_null(ond_file_create(folder, &err));
    CHECK_SAYS(err.text, "is a folder", "a folder");
    memset(long_path, 'a', sizeof long_path);
    long_path[sizeof long_path - 1] = 0;
    assert_null(ond_file_create(long_path, &err));
    CHECK_SAYS(err.text, "1999 characters", "long");
}

static OndFrame make_frame(int count)
{
    OndFrame f = {.dimension = 3, .owned = true};
    const unsigned flags = OND_FIELD_FRAME | OND_FIELD_STATE;
    ond_fields_add(&f.particles, "position", "m", OND_F32, 3, flags);
    ond_fields_add(&f.particles, "id", "", OND_U32, 1, flags);
    ond_fields_add(&f.particles, "material", "", OND_U32, 1, flags);
    assert_int_equal(ond_fields_reserve(&f.particles, count, NULL), OND_OK);
    f.particles.count = count;
    for (int k = 0; k < count; ++k) {
        ((float *)f.particles.field[0].data[0])[k] = 0.1f * k;
        ((float *)f.particles.field[0].data[2])[k] = -1.0f / (k + 1);
        ((uint32_t *)f.particles.field[1].data[0])[k] = 4000000000u + (uint32_t)k;
    }
    return f;
}

static void test_full_device(void **state)
{
    (void)state;
    OndError err = {0};
    OndFile *f = ond_file_create("/dev/full", &err);
    if (!f) skip();
    char block[4096] = {0};
    for (int k = 0; k < 1000; ++k)
        ond_file_write(f, block, sizeof block);
    assert_false(ond_file_good(f));
    assert_int_equal(ond_file_commit(f, &err), OND_IO);
    CHECK_SAYS(err.text, "no space left on the device: /dev/full", "large");
    f = ond_file_create("/dev/full", &err);
    ond_file_print(f, "small: only the flush can fail");
    assert_true(ond_file_good(f));
    assert_int_equal(ond_file_commit(f, &err), OND_IO);
    CHECK_SAYS(err.text, "no space left", "small");
    assert_true(exists("/dev/full"));
}

// A limit on the size of files stands for a disk that fills up.
static void test_full_disk(void **state)
{
    (void)state;
    static const char *const names[] = {"full.ply", "full.vtp", "full.csv", "full.h5"};
    OndFrame frame = make_frame(20000);
    OndCheckpoint c = {.fields = frame.particles};
    signal(SIGXFSZ, SIG_IGN);
    struct rlimit before, small;
    getrlimit(RLIMIT_FSIZE, &before);
    small = before;
    small.rlim_cur = 100000;
    for (int k = 0; k < OND_COUNT(names); ++k) {
        char path[256], part[264];
        OndError err = {0};
        in_folder(names[k], path);
        snprintf(part, sizeof part, "%s.part", path);
        write_text(path, "the earlier one");
        setrlimit(RLIMIT_FSIZE, &small);
        const OndStatus status =
            k < 3 ? ond_frame_write(path, &frame, &err) : ond_checkpoint_write(path, &c, &err);
        setrlimit(RLIMIT_FSIZE, &before);
        CHECK_NEAR(status, OND_IO, 0, names[k]);
        CHECK_SAYS(err.text, "no space left", names[k]);
        CHECK_SAYS(err.text, names[k], names[k]);
        check_text(path, "the earlier one");
        assert_false(exists(part));
    }
    ond_frame_free(&frame);
}

static void test_read_all(void **state)
{
    (void)state;
    char path[256], *bytes;
    size_t size;
    OndError err = {0};
    write_text(in_folder("ten", path), "0123456789");
    assert_int_equal(ond_file_read_all(path, 10, &bytes, &size, &err), OND_OK);
    CHECK_NEAR((double)size, 10, 0, "size");
    ond_free(bytes);
    assert_int_equal(ond_file_read_all(path, 9, &bytes, &size, &err), OND_BAD_VALUE);
    CHECK_SAYS(err.text, "too large", "limit");
    assert_int_equal(ond_file_read_all(folder, 99, &bytes, &size, &err), OND_IO);
    CHECK_SAYS(err.text, "folder", "folder");
    assert_int_equal(ond_file_read_all("/dev/zero", 200000, &bytes, &size, &err), OND_BAD_VALUE);
    CHECK_SAYS(err.text, "too large", "endless");
    assert_null(bytes);
}

static void test_numbers(void **state)
{
    (void)state;
    double v;
    setlocale(LC_ALL, "de_DE.UTF-8"); // does nothing where that locale is not installed
    assert_true(ond_text_number("-1.5e3", 6, &v));
    CHECK_NEAR(v, -1500, 0, "number");
    assert_false(ond_text_number("1,5", 3, &v));
    assert_false(ond_text_number("", 0, &v));
    assert_false(ond_text_number("1x", 2, &v));
    setlocale(LC_ALL, "C");
}

static void test_hash(void **state)
{
    (void)state;
    unsigned char bytes[200];
    for (int k = 0; k < 200; ++k)
        bytes[k] = (unsigned char)(k * 7);
    const uint64_t whole = ond_hash_bytes(bytes, 200);
    for (size_t cut = 0; cut <= 200; ++cut) {
        OndHash h;
        ond_hash_begin(&h);
        ond_hash_add(&h, bytes, cut);
        ond_hash_add(&h, bytes + cut, 200 - cut);
        assert_true(ond_hash_end(&h) == whole);
    }
    for (int bit = 0; bit < 1600; ++bit) {
        bytes[bit / 8] ^= (unsigned char)(1 << bit % 8);
        assert_true(ond_hash_bytes(bytes, 200) != whole);
        bytes[bit / 8] ^= (unsigned char)(1 << bit % 8);
    }
    bytes[199] = 0;
    assert_true(ond_hash_bytes(bytes, 199) != ond_hash_bytes(bytes, 200));
}

static void test_csv(void **state)
{
    (void)state;
    char path[256];
    OndFrame a = make_frame(100), b;
    OndError err = {0};
    assert_int_equal(ond_frame_write(in_folder("t.csv", path), &a, &err), OND_OK);
    if (ond_frame_read(path, &b, &err) != OND_OK) fail_msg("%s", err.text);
    for (int f = 0; f < a.particles.field_count; ++f) {
        const OndField *want = &a.particles.field[f],
                       *got = ond_fields_find(&b.particles, want->name);
        assert_int_equal(got->type, want->type);
        for (int c = 0; c < want->components; ++c)
            assert_memory_equal(got->data[c], want->data[c], 400);
    }
    ond_frame_free(&a);
    ond_frame_free(&b);
}

// More columns than a particle has room for: the position is not the one that goes.
static void test_wide_csv(void **state)
{
    char text[2048] = "";
    OndError err = {0};
    OndFrame frame;
    for (int row = 0; row < 2; ++row) {
        for (int k = 0; k < 2 * OND_FIELDS_MAX; ++k)
            sprintf(text + strlen(text), row ? "%d," : "c%d,", k);
        strcat(text, row ? "7,8\n" : "x,y\n");
    }
    assert_int_equal(ond_csv_parse("wide.csv", text, &frame, &err), OND_OK);
    const OndField *position = ond_fields_find(&frame.particles, "position");
    assert_non_null(position);
    assert_float_equal(((float *)position->data[1])[0], 8.0f, 0);
    ond_frame_free(&frame);
}

static void test_bad_csv(void **state)
{
    (void)state;
    static const struct {
        const char *name, *text, *says; // says NULL: it is good
    } cases[] = {
        {"good", "x;y\r\n1;2\r\n\r\n3;4", NULL},
        {"quoted names", "\"x\",\"y\"\n1,2\n", NULL},
        {"only names", "x,y,z\n", NULL},
        {"empty", "", "no columns x and y"},
        {"no names", "1,2,3\n4,5,6\n", "no columns x and y"},
        {"a word", "x,y\n1,two\n", "row 1"},
        {"cut row", "x,y\n1.25,2\n3\n", "row 2"},
        {"empty cell", "x,y,z\n1,,3\n", "'y'"},
        {"few cells", "x,y,z,a,b,c,d,e,f,g\n1\n1\n", "fewer cells"},
    };
    for (int c = 0; c < OND_COUNT(cases); ++c) {
        OndFrame f;
        OndError err = {0};
        const OndStatus status = ond_csv_parse("t.csv", cases[c].text, &f, &err);
        CHECK_NEAR(status == OND_OK, cases[c].says == NULL, 0, cases[c].name);
        if (cases[c].says) CHECK_SAYS(err.text, cases[c].says, cases[c].name);
        ond_frame_free(&f);
    }
}

static void test_unknown_extension(void **state)
{
    (void)state;
    OndFrame f = make_frame(1), g;
    OndError err = {0};
    assert_int_equal(ond_frame_write("a.b/frame.obj", &f, &err), OND_BAD_VALUE);
    CHECK_SAYS(err.text, "known: .ply, .vtp, .vti, ", "write");
    assert_int_equal(ond_frame_read("frame.vtp", &g, &err), OND_BAD_VALUE);
    CHECK_SAYS(err.text, ".vtp can be written, not read; can be read: .ply, .vti, .csv", "read");
    assert_int_equal(ond_frame_read("frame.obj", &g, &err), OND_BAD_VALUE);
    CHECK_SAYS(err.text, "'obj' is no known frame format for that; known: .ply, .vti, .csv",
               "read");
    assert_int_equal(ond_frame_read("a.ply/frame", &g, &err), OND_BAD_VALUE);
    CHECK_SAYS(err.text, "there is no file", "not there");
    assert_int_equal(ond_frame_read("/tmp", &g, &err), OND_BAD_VALUE);
    CHECK_SAYS(err.text, "it is a folder", "a folder");
    assert_null(ond_format_of("ply"));
    assert_string_equal(ond_format_of("X.PLY")->extension, "ply");
    ond_frame_free(&f);
}

static const char *const phases[] = {"sort", "density"};

static void add_steps(OndStepLog *log, int first, int last, double ms)
{
    for (int step = first; step <= last; ++step) {
        OndStepRecord r = {.step = step, .time = step / 7.0, .dt = 1.0 / 7, .particles = 96000};
        r.max_speed = 1.0 / step;
        r.unconverged = step % 4 == 0;
        r.unsettled = step % 3 == 0;
        r.phase_count = 2;
        r.phase_ms[0] = ms;
        assert_int_equal(ond_step_log_add(log, &r, NULL), OND_OK);
    }
}

static void test_log(void **state)
{
    (void)state;
    char path[256];
    OndStepLog *log = ond_step_log_open(in_folder("log.csv", path), phases, 2, -1, NULL);
    OndStepRecord r = {.step = 1, .time = 0.5, .dt = 0.25, .particles = 3, .max_speed = 2};
    r.density_error = 0.01, r.kinetic = 1e-3, r.potential = -4, r.iterations = 5;
    r.unconverged = true, r.solves = 4, r.rigid_iterations = 3, r.asleep = 6;
    r.phase_count = 1, r.phase_ms[0] = 1.25;
    assert_int_equal(ond_step_log_add(log, &r, NULL), OND_OK);
    assert_int_equal(ond_step_log_flush(log, NULL), OND_OK);
    check_text(path, "step,time_s,dt_s,particles,max_speed,density_error,kinetic_J,potential_J,"
                     "iterations,unconverged,unsettled,solves,iterations_rigidity,asleep,ms_sort,"
                     "ms_density\n"
                     "1,0.5,0.25,3,2,0.01,0.001,-4,5,1,0,4,3,6,1.25,0\n");
    CHECK_NEAR((double)ond_step_log_faults(log).unconverged, 1, 0, "steps at the cap");
    CHECK_NEAR((double)ond_step_log_faults(log).unsettled, 0, 0, "steps with restless contacts");
    assert_int_equal(ond_step_log_close(log, NULL), OND_OK);
}

// Killed at several places, resumed at several steps: always the log of the run that never stopped.
static void test_log_resume(void **state)
{
    (void)state;
    char whole[256], path[256], *want, *text;
    size_t want_size, size;
    OndStepLog *log = ond_step_log_open(in_folder("whole.csv", whole), phases, 2, -1, NULL);
    add_steps(log, 1, 30, 1.0);
    assert_int_equal(ond_step_log_close(log, NULL), OND_OK);
    assert_int_equal(ond_file_read_all(whole, 1 << 20, &want, &want_size, NULL), OND_OK);
    in_folder("resumed.csv", path);
    for (int lost = 0; lost < 200; lost += 13)
        for (int resume = 0; resume <= 25; resume += 5) {
            OndError err = {0};
            log = ond_step_log_open(path, phases, 2, -1, NULL);
            add_steps(log, 1, 29, 1.0);
            assert_int_equal(ond_step_log_close(log, NULL), OND_OK);
            struct stat info;
            stat(path, &info);
            assert_int_equal(truncate(path, info.st_size - lost), 0);
            log = ond_step_log_open(path, phases, 2, resume, &err);
            if (!log) fail_msg("%s", err.text);
            add_steps(log, resume + 1, 30, 1.0);
            const OndStepFaults faults = ond_step_log_faults(log);
            CHECK_NEAR((double)faults.unconverged, 7, 0, "steps at the cap, all told");
            CHECK_NEAR((double)faults.unsettled, 10, 0, "steps with restless contacts, all told");
            assert_int_equal(ond_step_log_close(log, NULL), OND_OK);
            assert_int_equal(ond_file_read_all(path, 1 << 20, &text, &size, NULL), OND_OK);
            assert_string_equal(text, want);
            ond_free(text);
        }
    ond_free(want);
}

// Half a line goes even when its step was done before the checkpoint.
static void test_log_half_line(void **state)
{
    (void)state;
    char path[256], *before, *after;
    size_t n, m;
    OndStepLog *log = ond_step_log_open(in_folder("half.csv", path), phases, 2, -1, NULL);
    add_steps(log, 1, 2, 1.0);
    assert_int_equal(ond_step_log_close(log, NULL), OND_OK);
    assert_int_equal(ond_file_read_all(path, 1 << 20, &before, &n, NULL), OND_OK);
    FILE *f = fopen(path, "ab");
    fputs("3,0.42", f);
    fclose(f);
    log = ond_step_log_open(path, phases, 2, 9, NULL);
    assert_int_equal(ond_step_log_close(log, NULL), OND_OK);
    assert_int_equal(ond_file_read_all(path, 1 << 20, &after, &m, NULL), OND_OK);
    assert_string_equal(after, before);
    ond_free(before);
    ond_free(after);
}

static void test_log_trouble(void **state)
{
    (void)state;
    char path[256];
    OndError err = {0};
    write_text(in_folder("other.csv", path),
               "this,is,the,table,of,somebody,else,and,it,is,long,enough,"
               "to,be,compared,with,the,names,of,columns,of,a,log\n1,2\n");
    assert_null(ond_step_log_open(path, phases, 2, 4, &err));
    CHECK_SAYS(err.text, "move it away", "other columns");
    write_text(path, "step,ti");
    OndStepLog *log = ond_step_log_open(path, phases, 2, 4, &err);
    assert_non_null(log); // killed while the names were written: begins anew
    assert_int_equal(ond_step_log_close(log, NULL), OND_OK);
    assert_null(ond_step_log_open(in_folder("none/log.csv", path), phases, 2, -1, &err));
    CHECK_SAYS(err.text, path, "no folder");
    log = ond_step_log_open("/dev/full", phases, 2, -1, &err);
    assert_null(log);
    CHECK_SAYS(err.text, "no space left", "full");
}

static void touch(const OndRunFolder *run, OndRunItem item, int index)
{
    char path[OND_PATH_MAX];
    write_text(ond_run_path(run, item, index, path), "x");
}

static void test_run_folder(void **state)
{
    (void)state;
    char path[256], item[OND_PATH_MAX], other[256];
    OndRunFolder run;
    OndError err = {0};
    in_folder("deep/er//run/", path);
    if (ond_run_open(path, OND_RUN_NEW, &run, &err) != OND_OK) fail_msg("%s", err.text);
    OndRunFolder second;
    assert_int_equal(ond_run_open(path, OND_RUN_NEW, &second, &err), OND_BAD_VALUE);
    CHECK_SAYS(err.text, "another run is writing into", "two at once");
    assert_int_equal(ond_run_open(path, OND_RUN_READ, &second, &err), OND_OK);
    ond_run_close(&second);
    ond_run_close(&run);
    assert_int_equal(ond_run_open(path, OND_RUN_NEW, &run, &err), OND_OK); // empty still
    ond_run_close(&run);
    assert_int_equal(ond_run_open(path, OND_RUN_RESUME, &run, &err), OND_BAD_VALUE);
    CHECK_SAYS(err.text, "nothing to resume", "resume");
    static const int numbers[] = {10000, 3, 0, 999, 20};
    for (int k = 0; k < OND_COUNT(numbers); ++k)
        touch(&run, OND_RUN_FRAME_PLY, numbers[k]);
    touch(&run, OND_RUN_PICTURE, 4);
    touch(&run, OND_RUN_CHECKPOINT_PREVIOUS, 0);
    write_text(in_folder("deep/er/run/frames/frame_0007.ply.part", other), "half");
    write_text(in_folder("deep/er/run/frames/notes.txt", other), "mine");
    OndRunFrames frames;
    assert_int_equal(ond_run_frames(&run, OND_RUN_FRAME_PLY, &frames, &err), OND_OK);
    static const int sorted[] = {0, 3, 20, 999, 10000};
    CHECK_NEAR(frames.count, 5, 0, "frames");
    assert_memory_equal(frames.index, sorted, sizeof sorted);
    ond_run_frames_free(&frames);
    int next;
    assert_int_equal(ond_run_next(&run, OND_RUN_FRAME_PLY, &next, &err), OND_OK);
    CHECK_NEAR(next, 10001, 0, "next");
    assert_int_equal(ond_run_open(path, OND_RUN_NEW, &run, &err), OND_BAD_VALUE);
    CHECK_SAYS(err.text, "already holds a run; go on with it, replace it or give another",
               "refuse");
    assert_int_equal(ond_run_open(path, OND_RUN_RESUME, &run, &err), OND_OK);
    assert_int_equal(ond_run_remove_from(&run, OND_RUN_FRAME_PLY, 20, &err), OND_OK);
    assert_int_equal(ond_run_next(&run, OND_RUN_FRAME_PLY, &next, &err), OND_OK);
    CHECK_NEAR(next, 4, 0, "next");
    ond_run_close(&run);
    assert_int_equal(ond_run_open(path, OND_RUN_FORCE, &run, &err), OND_OK);
    assert_false(exists(ond_run_path(&run, OND_RUN_PICTURE, 4, item)));
    assert_false(exists(ond_run_path(&run, OND_RUN_CHECKPOINT_PREVIOUS, 0, item)));
    check_text(other, "mine");
    ond_run_close(&run);
    assert_int_equal(ond_run_open(path, OND_RUN_NEW, &run, &err), OND_OK);
    ond_run_close(&run);
}

static void test_run_names(void **state)
{
    (void)state;
    static const struct {
        OndRunItem item;
        int index;
        const char *name;
    } cases[] = {
        {OND_RUN_FRAME_PLY, 0, "frames/frame_0000.ply"},
        {OND_RUN_FRAME_VTP, 12, "frames/frame_0012.vtp"},
        {OND_RUN_PICTURE, 12345, "pictures/frame_12345.png"},
        {OND_RUN_FILM, 0, "film.mp4"},
        {OND_RUN_COLLECTION, 0, "frames.pvd"},
        {OND_RUN_LOG, 0, "log.csv"},
        {OND_RUN_CHECKPOINT, 0, "checkpoint.h5"},
        {OND_RUN_SCENE, 0, "scene.yaml"},
    };
    char name[64];
    for (int k = 0; k < OND_COUNT(cases); ++k)
        assert_string_equal(ond_run_name(cases[k].item, cases[k].index, name), cases[k].name);
}

static void test_run_refused(void **state)
{
    (void)state;
    char file[256], path[256], long_path[1200];
    OndRunFolder run;
    OndError err = {0};
    write_text(in_folder("regular", file), "x");
    assert_int_equal(ond_run_open(in_folder("regular/run", path), OND_RUN_NEW, &run, &err), OND_IO);
    CHECK_SAYS(err.text, file, "below a file");
    assert_int_equal(ond_run_open(file, OND_RUN_NEW, &run, &err), OND_IO);
    CHECK_SAYS(err.text, "a file has that name", "is a file");
    assert_int_equal(ond_run_open(file, OND_RUN_READ, &run, &err), OND_BAD_VALUE);
    assert_int_equal(ond_run_open(in_folder("absent", path), OND_RUN_READ, &run, &err), OND_IO);
    assert_false(exists(path));
    assert_int_equal(ond_run_open(path, OND_RUN_RESUME, &run, &err), OND_BAD_VALUE);
    assert_false(exists(path));
    memset(long_path, 'b', sizeof long_path);
    long_path[sizeof long_path - 1] = 0;
    assert_int_equal(ond_run_open(long_path, OND_RUN_NEW, &run, &err), OND_BAD_VALUE);
    assert_int_equal(ond_run_open("", OND_RUN_NEW, &run, &err), OND_BAD_VALUE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_whole_or_absent),
        cmocka_unit_test(test_link),
        cmocka_unit_test(test_cannot_create),
        cmocka_unit_test(test_full_device),
        cmocka_unit_test(test_full_disk),
        cmocka_unit_test(test_read_all),
        cmocka_unit_test(test_numbers),
        cmocka_unit_test(test_hash),
        cmocka_unit_test(test_csv),
        cmocka_unit_test(test_wide_csv),
        cmocka_unit_test(test_bad_csv),
        cmocka_unit_test(test_unknown_extension),
        cmocka_unit_test(test_log),
        cmocka_unit_test(test_log_resume),
        cmocka_unit_test(test_log_half_line),
        cmocka_unit_test(test_log_trouble),
        cmocka_unit_test(test_run_folder),
        cmocka_unit_test(test_run_names),
        cmocka_unit_test(test_run_refused),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_all);
}
