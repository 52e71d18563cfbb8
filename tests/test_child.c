// SPDX-License-Identifier: MIT
// Work in a process of its own: its answer comes through, its death does not.
#include "check.h"

#include "base/memory.h"
#include "io/child.h"
#include "io/mesh_assimp.h"
#include "io/yaml.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static void say_seven(int pipe, void *context)
{
    const int answer = 7 + *(int *)context;
    ond_child_write(pipe, &answer, sizeof answer);
}

static void say_half_and_crash(int pipe, void *context)
{
    (void)context;
    ond_child_write(pipe, "ab", 2);
    abort();
}

// As a library may that gives up, or a sanitizer that found something.
static void give_up(int pipe, void *context)
{
    (void)context;
    ond_child_write(pipe, "abcdefgh", sizeof(int));
    _exit(66);
}

static void never_end(int pipe, void *context)
{
    volatile int *count = context;
    for (;;)
        *count = pipe;
}

static void say_much(int pipe, void *context)
{
    static const char block[1 << 16];
    (void)context;
    while (ond_child_write(pipe, block, sizeof block))
        continue;
}

static void wait_for_nothing(int pipe, void *context)
{
    (void)context;
    ond_child_write(pipe, "ab", 2);
    for (;;)
        pause();
}

static void test_ends(void **state)
{
    (void)state;
    const struct {
        const char *name;
        void (*work)(int pipe, void *context);
        bool answered;
        OndChildEnd end;
    } cases[] = {
        {"done", say_seven, true, OND_CHILD_DONE},
        {"crashed", say_half_and_crash, false, OND_CHILD_CRASHED},
        {"gave up", give_up, true, OND_CHILD_CRASHED},
        {"too long", never_end, false, OND_CHILD_TOO_LONG},
        {"waits for ever", wait_for_nothing, false, OND_CHILD_STALLED},
        {"not heard to the end", say_much, true, OND_CHILD_CRASHED}, // by the closed pipe
    };
    for (int c = 0; c < OND_COUNT(cases); ++c) {
        int more = 100, answer = 0;
        OndChild child;
        assert_true(ond_child_start(&child, cases[c].work, &more, 1));
        CHECK_NEAR(ond_child_read(&child, &answer, sizeof answer), cases[c].answered, 0,
                   cases[c].name);
        CHECK_NEAR(ond_child_finish(&child), cases[c].end, 0, cases[c].name);
        if (c == 0) CHECK_NEAR(answer, 107, 0, "the answer");
        CHECK_NEAR(more, 100, 0, "the child has memory of its own");
    }
}

// ---- children of a process with a lock that is held

static int stuck; // children that are still to find it so

// Before the fork: the parent counts.
static void one_fewer(void)
{
    stuck -= stuck > 0;
}

static void get_stuck(void)
{
    while (stuck > 0)
        pause();
}

// As where another thread allocates while the child is born: the text and the mesh are read anyway.
static void test_stuck_children_are_tried_again(void **state)
{
    (void)state;
    static const char text[] = "duration: 2\n", path[] = "test_child.obj";
    OndTree tree;
    OndMesh mesh;
    OndError err = {0};
    FILE *const file = fopen(path, "w");
    assert_non_null(file);
    fputs("v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n", file);
    fclose(file);
    assert_int_equal(pthread_atfork(one_fewer, NULL, get_stuck), 0);
    stuck = 2;
    if (ond_yaml_text("test", text, sizeof text - 1, &tree, &err)) fail_msg("%s", err.text);
    ond_tree_free(&tree);
    assert_int_equal(stuck, 0);
    stuck = 2;
    if (ond_mesh_load(path, &mesh, &err)) fail_msg("%s", err.text);
    ond_mesh_free(&mesh);
    assert_int_equal(stuck, 0);
    stuck = 100;
    assert_int_equal(ond_mesh_load(path, &mesh, &err), OND_IO);
    CHECK_SAYS(err.text, "does not get on", "a mesh that nobody can read");
    stuck = 0;
    remove(path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_ends),
                                       cmocka_unit_test(test_stuck_children_are_tried_again)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
