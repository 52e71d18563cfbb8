// SPDX-License-Identifier: MIT
// Checkpoints: bit for bit there and back, and every kind of damage met with a sentence.
#include "check.h"

#include "base/hash.h"
#include "base/memory.h"
#include "base/random.h"
#include "io/checkpoint_hdf5.h"
#include "io/checkpoint_parts.h"
#include "io/file.h"

#include <stdlib.h>
#include <unistd.h>

#define FLIPS 300

static char folder[] = "/tmp/ondine-checkpoint-XXXXXX";
static char path[256], previous[256];

static int make_folder(void **state)
{
    (void)state;
    if (!mkdtemp(folder)) return -1;
    snprintf(path, sizeof path, "%s/checkpoint.h5", folder);
    snprintf(previous, sizeof previous, "%s/checkpoint.prev.h5", folder);
    return 0;
}

static int remove_folder(void **state)
{
    (void)state;
    return rmdir(folder);
}

static int remove_files(void **state)
{
    (void)state;
    unlink(path);
    unlink(previous);
    return 0;
}

static const uint32_t odd_bits[] = {0x7fc12345, 0x7f800001, 0xffffffff, 0x80000000,
                                    0x00000001, 0x807fffff, 0x7f800000, 0x3f800000};

static OndCheckpoint make_checkpoint(int count, uint64_t seed)
{
    OndCheckpoint c = {
        .time = 0.1, .step = 1LL << 40, .frame = 7, .scene_hash = 0xfedcba9876543210u};
    const uint64_t nan_bits = 0x7ff8000012345678u;
    memcpy(&c.dt_previous, &nan_bits, 8);
    OndFields *set = &c.fields;
    ond_fields_add(set, "velocity", "m/s", OND_F32, 3, OND_FIELD_STATE | OND_FIELD_FRAME);
    ond_fields_add(set, "density", "kg/m^3", OND_F32, 1, OND_FIELD_FRAME);
    ond_fields_add(set, "id", "", OND_U32, 1, OND_FIELD_STATE);
    ond_fields_add(set, "a longer name", "J/(kg K)", OND_F32, 1, OND_FIELD_STATE);
    assert_int_equal(ond_fields_reserve(set, count, NULL), OND_OK);
    set->count = count;
    for (int f = 0; f < set->field_count; ++f)
        for (int k = 0; k < set->field[f].components; ++k)
            for (int i = 0; i < count; ++i)
                ((uint32_t *)set->field[f].data[k])[i] =
                    i < OND_COUNT(odd_bits)
                        ? odd_bits[i]
                        : (uint32_t)ond_scramble(seed + (uint64_t)(i + 1000000 * f));
    ond_checkpoint_add(&c, "zz_layers", -0.0);
    ond_checkpoint_add(&c, "aa_removed", 5e-324);
    assert_false(c.lost);
    return c;
}

static void check_same(const OndCheckpoint *a, const OndCheckpoint *b)
{
    assert_memory_equal(&a->time, &b->time, 8);
    assert_memory_equal(&a->dt_previous, &b->dt_previous, 8);
    assert_true(a->step == b->step && a->frame == b->frame && a->scene_hash == b->scene_hash);
    assert_int_equal(b->number_count, a->number_count);
    for (int k = 0; k < a->number_count; ++k) {
        assert_string_equal(b->number[k].name, a->number[k].name);
        assert_memory_equal(&b->number[k].value, &a->number[k].value, 8);
    }
    assert_int_equal(b->fields.count, a->fields.count);
    int at = 0;
    for (int f = 0; f < a->fields.field_count; ++f) {
        const OndField *want = &a->fields.field[f], *got = &b->fields.field[at];
        if (!(want->flags & OND_FIELD_STATE)) continue;
        assert_string_equal(got->name, want->name);
        assert_string_equal(got->unit, want->unit);
        assert_true(got->type == want->type && got->components == want->components);
        assert_int_equal(got->flags, want->flags);
        for (int k = 0; k < want->components; ++k)
            assert_memory_equal(got->data[k], want->data[k], (size_t)a->fields.count * 4);
        ++at;
    }
    assert_int_equal(b->fields.field_count, at);
}

static void add_many_numbers(OndCheckpoint *c)
{
    // solids, probes and changes have names of their own; reading so many took minutes, once
    static char name[20000][24];
    for (int k = 0; k < OND_COUNT(name); ++k) {
        snprintf(name[k], sizeof name[k], "number %d", k);
        ond_checkpoint_add(c, name[k], k);
    }
    assert_false(c->lost);
}

static void test_round_trip(void **state)
{
    (void)state;
    static const int counts[] = {0, 1, 8, 100000};
    for (int k = 0; k < OND_COUNT(counts); ++k) {
        OndCheckpoint a = make_checkpoint(counts[k], 1), b;
        OndError err = {0};
        char note[256];
        if (k == 0) add_many_numbers(&a);
        if (ond_checkpoint_write(path, &a, &err) != OND_OK) fail_msg("%s", err.text);
        if (ond_checkpoint_read(path, &b, note, sizeof note, &err) != OND_OK)
            fail_msg("%s", err.text);
        assert_string_equal(note, "");
        check_same(&a, &b);
        CHECK_NEAR(ond_checkpoint_number(&b, "aa_removed", 1), 5e-324, 0, "number");
        CHECK_NEAR(ond_checkpoint_number(&b, "absent", 42), 42, 0, "fallback");
        ond_checkpoint_free(&a);
        ond_checkpoint_free(&b);
    }
}

static void read_file(const char *name, char **bytes, size_t *size)
{
    assert_int_equal(ond_file_read_all(name, 1 << 26, bytes, size, NULL), OND_OK);
}

static void write_file(const char *name, const void *bytes, size_t size)
{
    FILE *f = fopen(name, "wb");
    assert_non_null(f);
    assert_int_equal(fwrite(bytes, 1, size, f), size);
    assert_int_equal(fclose(f), 0);
}

// The same state gives the same file, so that two runs can be compared by their files.
static void test_reproducible(void **state)
{
    (void)state;
    char *first, *second;
    size_t n, m;
    OndCheckpoint a = make_checkpoint(1000, 1);
    assert_int_equal(ond_checkpoint_write(path, &a, NULL), OND_OK);
    read_file(path, &first, &n);
    sleep(1); // a time of writing would differ now
    assert_int_equal(ond_checkpoint_write(path, &a, NULL), OND_OK);
    read_file(path, &second, &m);
    assert_int_equal(n, m);
    assert_memory_equal(first, second, n);
    ond_free(first);
    ond_free(second);
    ond_checkpoint_free(&a);
}

// One bit anywhere, data or description.
static void test_flips(void **state)
{
    (void)state;
    OndCheckpoint a = make_checkpoint(500, 1), b;
    char *bytes;
    size_t size;
    assert_int_equal(ond_checkpoint_write(path, &a, NULL), OND_OK);
    read_file(path, &bytes, &size);
    for (uint64_t k = 0; k < FLIPS; ++k) {
        const uint64_t bit = ond_scramble(k) % (size * 8);
        OndError err = {0};
        bytes[bit / 8] ^= (char)(1 << bit % 8);
        write_file(path, bytes, size);
        if (ond_checkpoint_read(path, &b, NULL, 0, &err) != OND_BAD_VALUE)
            fail_msg("bit %llu of %zu bytes was flipped, and nobody noticed",
                     (unsigned long long)bit, size);
        CHECK_SAYS(err.text, "damaged", "message");
        CHECK_SAYS(err.text, path, "message");
        bytes[bit / 8] ^= (char)(1 << bit % 8);
    }
    ond_free(bytes);
    ond_checkpoint_free(&a);
}

static void test_cut_anywhere(void **state)
{
    (void)state;
    OndCheckpoint a = make_checkpoint(10, 1), b;
    char *bytes;
    size_t size;
    assert_int_equal(ond_checkpoint_write(path, &a, NULL), OND_OK);
    read_file(path, &bytes, &size);
    for (size_t n = 0; n < size; n += n < 64 || n + 64 > size ? 1 : 37) {
        write_file(path, bytes, n);
        OndError err = {0};
        CHECK_NEAR(ond_checkpoint_read(path, &b, NULL, 0, &err), OND_BAD_VALUE, 0, "cut");
        CHECK_SAYS(err.text, "damaged", "message");
    }
    ond_free(bytes);
    ond_checkpoint_free(&a);
}

// Replaces the bytes `from` by `to` wherever they stand and seals the file anew, as another version
// of the program might have written it.
static int forge(const void *from, const void *to, size_t length)
{
    char *bytes;
    size_t size;
    int found = 0;
    read_file(path, &bytes, &size);
    const size_t inner = size - OND_SEAL_BYTES;
    for (size_t k = 0; k + length <= inner; ++k)
        if (memcmp(bytes + k, from, length) == 0) {
            memcpy(bytes + k, to, length);
            ++found;
        }
    ond_checkpoint_seal(inner, ond_hash_bytes(bytes, inner), (unsigned char *)bytes + inner);
    write_file(path, bytes, size);
    ond_free(bytes);
    return found;
}

static void test_forged(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        const char *from, *to;
        size_t length;
        const char *says;
    } cases[] = {
        {"a group is missing", "particles", "partiXles", 9, "'particles'"},
        {"numbers are missing", "numbers", "numXers", 7, "'numbers'"},
        {"an attribute is missing", "dt_previous", "dt_prXvious", 11, "'dt_previous'"},
        {"a unit is missing", "unit", "uXit", 4, "'velocity'"},
        {"count is absurd", "\x91\x03\0\0\0\0\0\0", "\xff\xff\xff\xff\0\0\0\0", 8, "cannot hold"},
        {"count is vast", "\x91\x03\0\0\0\0\0\0", "\xff\xff\xff\xff\xff\xff\xff\x0f", 8,
         "cannot hold"},
        {"count is negative", "\x91\x03\0\0\0\0\0\0", "\xff\xff\xff\xff\xff\xff\xff\xff", 8,
         "cannot hold"},
    };
    for (int k = 0; k < OND_COUNT(cases); ++k) {
        OndCheckpoint a = make_checkpoint(0x391, 1), b;
        OndError err = {0};
        assert_int_equal(ond_checkpoint_write(path, &a, NULL), OND_OK);
        unlink(previous);
        assert_true(forge(cases[k].from, cases[k].to, cases[k].length) > 0);
        CHECK_NEAR(ond_checkpoint_read(path, &b, NULL, 0, &err), OND_BAD_VALUE, 0, cases[k].name);
        CHECK_SAYS(err.text, cases[k].says, cases[k].name);
        ond_checkpoint_free(&a);
    }
}

// The version's attribute: its name, then some bytes of description, then the number.
static void test_version(void **state)
{
    (void)state;
    OndCheckpoint a = make_checkpoint(3, 1), b;
    OndError err = {0};
    char *bytes;
    size_t size;
    assert_int_equal(ond_checkpoint_write(path, &a, NULL), OND_OK);
    read_file(path, &bytes, &size);
    size_t at = 0;
    while (memcmp(bytes + at, "format_version", 14) != 0)
        ++at;
    static const char present[8] = {OND_CHECKPOINT_VERSION};
    do
        ++at;
    while (memcmp(bytes + at, present, 8) != 0 || (at % 8) != 0);
    const size_t inner = size - OND_SEAL_BYTES;
    for (int version = 1; version <= 9; version += 8) { // an old one, and one to come
        char says[32];
        snprintf(says, sizeof says, "format version %d", version);
        bytes[at] = (char)version;
        ond_checkpoint_seal(inner, ond_hash_bytes(bytes, inner), (unsigned char *)bytes + inner);
        write_file(path, bytes, size);
        assert_int_equal(ond_checkpoint_read(path, &b, NULL, 0, &err), OND_BAD_VALUE);
        CHECK_SAYS(err.text, says, "message");
    }
    ond_free(bytes);
    ond_checkpoint_free(&a);
}

static void test_not_hdf5(void **state)
{
    (void)state;
    char noise[4096], text[] = "title: not a checkpoint, and longer than a seal\n";
    OndCheckpoint b;
    OndError err = {0};
    for (size_t k = 0; k < sizeof noise; ++k)
        noise[k] = (char)ond_scramble(k);
    const size_t inner = sizeof noise - OND_SEAL_BYTES;
    ond_checkpoint_seal(inner, ond_hash_bytes(noise, inner), (unsigned char *)noise + inner);
    write_file(path, noise, sizeof noise);
    assert_int_equal(ond_checkpoint_read(path, &b, NULL, 0, &err), OND_BAD_VALUE);
    CHECK_SAYS(err.text, "HDF5 cannot open", "sealed noise");
    write_file(path, text, sizeof text);
    assert_int_equal(ond_checkpoint_read(path, &b, NULL, 0, &err), OND_BAD_VALUE);
    CHECK_SAYS(err.text, "never was a checkpoint", "a text");
    unlink(path);
    assert_int_equal(ond_checkpoint_read(path, &b, NULL, 0, &err), OND_IO);
    CHECK_SAYS(err.text, "cannot read", "absent");
    assert_int_equal(ond_checkpoint_read(folder, &b, NULL, 0, &err), OND_IO);
}

static void test_fallback(void **state)
{
    (void)state;
    OndCheckpoint a = make_checkpoint(50, 1), b = make_checkpoint(60, 2), c;
    char note[512];
    OndError err = {0};
    assert_int_equal(ond_checkpoint_write(path, &a, NULL), OND_OK);
    assert_int_equal(ond_checkpoint_write(path, &b, NULL), OND_OK);
    assert_int_equal(truncate(path, 700), 0);
    if (ond_checkpoint_read(path, &c, note, sizeof note, &err) != OND_OK) fail_msg("%s", err.text);
    check_same(&a, &c);
    CHECK_SAYS(note, "damaged", "note");
    CHECK_SAYS(note, "checkpoint.prev.h5", "note");
    ond_checkpoint_free(&c);

    // Writing over the damaged one keeps the good one before it.
    assert_int_equal(ond_checkpoint_write(path, &b, NULL), OND_OK);
    unlink(path);
    assert_int_equal(ond_checkpoint_read(path, &c, note, sizeof note, &err), OND_OK);
    check_same(&a, &c);
    ond_checkpoint_free(&c);

    // Both gone.
    write_file(path, "x", 1);
    write_file(previous, "", 0);
    assert_int_equal(ond_checkpoint_read(path, &c, note, sizeof note, &err), OND_BAD_VALUE);
    CHECK_SAYS(err.text, "either", "both damaged");
    ond_checkpoint_free(&a);
    ond_checkpoint_free(&b);
}

static void test_restore(void **state)
{
    (void)state;
    OndCheckpoint a = make_checkpoint(20, 1);
    OndFields into = {0};
    OndError err = {0};
    ond_fields_add(&into, "id", "", OND_U32, 1, OND_FIELD_STATE);
    ond_fields_add(&into, "made anew", "", OND_F32, 1, OND_FIELD_TEMP);
    ond_fields_add(&into, "velocity", "m/s", OND_F32, 3, OND_FIELD_STATE);
    assert_int_equal(ond_checkpoint_restore(&a, &into, &err), OND_OK);
    CHECK_NEAR(into.count, 20, 0, "count");
    assert_memory_equal(ond_fields_find(&into, "velocity")->data[2], a.fields.field[0].data[2], 80);
    ond_fields_add(&into, "heat", "J", OND_F32, 1, OND_FIELD_STATE);
    assert_int_equal(ond_checkpoint_restore(&a, &into, &err), OND_BAD_VALUE);
    CHECK_SAYS(err.text, "no field 'heat'", "missing");
    into.field[3].name = "id";
    assert_int_equal(ond_checkpoint_restore(&a, &into, &err), OND_BAD_VALUE);
    CHECK_SAYS(err.text, "'id'", "other type");
    ond_fields_free(&into);
    ond_checkpoint_free(&a);
}

int main(void)
{
#define CASE(test) cmocka_unit_test_setup_teardown(test, NULL, remove_files)
    const struct CMUnitTest tests[] = {
        CASE(test_round_trip),   CASE(test_reproducible), CASE(test_flips),
        CASE(test_cut_anywhere), CASE(test_forged),       CASE(test_version),
        CASE(test_not_hdf5),     CASE(test_fallback),     CASE(test_restore),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
