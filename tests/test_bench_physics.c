// SPDX-License-Identifier: MIT
// ctest: slow
// `ondine bench physics`: the quick ones of its scenes keep to their references, the table and the
// JSON say so, and every scene of scenes/validation is in it.
#include "base/memory.h"
#include "command.h"

#include <dirent.h>

#define FOLDER OND_SOURCE_DIR "/scenes/validation"

static void test_quick_ones_hold(void **state)
{
    (void)state;
    static char text[TEXT_ROOM];
    const int code = ondine_output("bench physics --quick --json --scenes '" FOLDER "'", text);
    if (code != 0 || strstr(text, "\"holds\":false")) fail_msg("exit code %d:\n%s", code, text);
    int rows = 0;
    for (const char *at = text; (at = strstr(at, "\"holds\":true")); ++at)
        ++rows;
    if (rows < 10) fail_msg("only %d figures:\n%s", rows, text);
}

// A reference that is missed is a failure, and the table shows which.
static void test_one_that_is_off(void **state)
{
    (void)state;
    static char text[TEXT_ROOM];
    remove_all("off");
    assert_int_equal(system("mkdir off && sed 's/velocity: .1,/velocity: [1.2,/' '" FOLDER
                            "/couette.yaml' > off/couette.yaml"),
                     0);
    assert_int_equal(ondine("bench physics --scene couette --scenes off", text), 1);
    CHECK_SAYS(text, "3 figures of the table are further from the reference", "off");
    CHECK_SAYS(text, "| **no** |", "off");
}

static void test_wrong_use(void **state)
{
    (void)state;
    static const Said cases[] = {
        {"bench physics --scene cuette --scenes '" FOLDER "'", 2, "did you mean 'couette'"},
        {"bench physics --scenes nowhere", 2, "there is no scene nowhere/"},
        {"bench physics --solver global", 2, "--solver and --full are options of `bench melt`"},
        {"bench sph --scene couette", 2, "--scene is an option of"},
    };
    expect_all(cases, OND_COUNT(cases));
}

static void test_every_scene_is_in(void **state)
{
    (void)state;
    DIR *folder_of = opendir(FOLDER);
    assert_non_null(folder_of);
    int count = 0;
    for (const struct dirent *e; (e = readdir(folder_of));) {
        char name[256];
        const char *const dot = strstr(e->d_name, ".yaml");
        if (!dot) continue;
        // one that is not in the table is refused by name before anything is measured
        snprintf(name, sizeof name,
                 "bench physics --scene %.*s --scene nothing --scenes '" FOLDER "'",
                 (int)(dot - e->d_name), e->d_name);
        expect(name, 2, "no row of this table is called 'nothing'");
        ++count;
    }
    closedir(folder_of);
    assert_true(count >= 17);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_quick_ones_hold),
        cmocka_unit_test(test_one_that_is_off),
        cmocka_unit_test(test_wrong_use),
        cmocka_unit_test(test_every_scene_is_in),
    };
    return cmocka_run_group_tests(tests, enter_folder, leave_folder);
}
