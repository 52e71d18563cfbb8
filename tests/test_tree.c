// SPDX-License-Identifier: MIT
// Trees of values: paths, replacing, and messages that point at a place.
#include "base/tree.h"
#include "base/words.h"
#include "check.h"
#include "io/yaml.h"

static OndTree parse(const char *text)
{
    OndTree tree;
    OndError err = {0};
    if (ond_yaml_parse("t.yaml", text, strlen(text), &tree, &err) != OND_OK)
        fail_msg("%s", err.text);
    return tree;
}

static void test_put_and_get(void **state)
{
    (void)state;
    OndTree tree = {0};
    OndNode *map = ond_tree_new(&tree, OND_NODE_MAP);
    ond_tree_put(&tree, map, "a", ond_tree_scalar(&tree, "1", false));
    ond_tree_put(&tree, map, "b", ond_tree_scalar(&tree, "2", false));
    ond_tree_put(&tree, map, "b", ond_tree_scalar(&tree, "3", false));
    ond_tree_put(&tree, map, "c", ond_tree_scalar(&tree, "4", true));
    CHECK_NEAR(map->count, 3, 0, "a doubled key replaces");
    assert_string_equal(ond_node_get(map, "b")->text, "3");
    assert_string_equal(ond_node_get(map, "c")->text, "4");
    assert_null(ond_node_get(map, "d"));
    assert_null(ond_node_get(NULL, "d"));
    ond_tree_free(&tree);
}

static void test_paths(void **state)
{
    (void)state;
    static const struct {
        const char *assignment, *says; // NULL: good
    } cases[] = {
        {"title=x", NULL},
        {"fluid.0.spacing=0.5", NULL},
        {"fluid.1.spacing=0.5", NULL}, // appends
        {"fluid.3.spacing=0.5",
         "--set fluid.3.spacing=0.5: error: '3' must be the number of an entry: 1"},
        {"fluid.x=1", "'x' must be the number of an entry"},
        {"fluid.99999999999.x=1", "must be the number of an entry"},
        {"title.x=1", "there is no 'x' here: 'Dam' is a single value"},
        {"a.b.c.d=1", NULL},
        {"fluid..spacing=1", "between its dots"},
        {".=1", "between its dots"},
        {"=1", "write a path and a value"},
        {"title", "write a path and a value"},
        {"empty.key=1", NULL}, // a key without a value becomes a map
        {"gravity=[0, 1", "--set gravity=[0, 1: error: not YAML"},
        {"title=", NULL}, // nothing: the schema complains later
    };
    for (int c = 0; c < OND_COUNT(cases); ++c) {
        OndTree tree = parse("title: Dam\nempty:\nfluid:\n  - spacing: 1\n");
        OndError err = {0};
        const OndStatus status = ond_yaml_assign(&tree, "--set", cases[c].assignment, &err);
        CHECK_NEAR(status == OND_OK, cases[c].says == NULL, 0, cases[c].assignment);
        if (cases[c].says) CHECK_SAYS(err.text, cases[c].says, cases[c].assignment);
        ond_tree_free(&tree);
    }
}

static void test_set_values(void **state)
{
    (void)state;
    OndTree tree = parse("fluid:\n  - {spacing: 1, name: a}\n");
    OndError err = {0};
    assert_int_equal(ond_yaml_assign(&tree, "--set", "fluid.0.spacing=0.25", &err), OND_OK);
    assert_int_equal(ond_yaml_assign(&tree, "--set", "fluid.1={spacing: 2}", &err), OND_OK);
    const OndNode *fluid = ond_node_get(tree.root, "fluid");
    CHECK_NEAR(fluid->count, 2, 0, "entries");
    assert_string_equal(ond_node_get(fluid->child, "spacing")->text, "0.25");
    assert_string_equal(ond_node_get(fluid->child, "name")->text, "a");
    assert_string_equal(ond_node_get(fluid->child->next, "spacing")->text, "2");
    assert_string_equal(ond_node_get(fluid->child, "spacing")->origin,
                        "--set fluid.0.spacing=0.25");
    ond_tree_free(&tree);
}

static void test_messages(void **state)
{
    (void)state;
    OndTree tree = parse("a: 1\nb: {\xC3\xA4: [1, 2], c: 3}\n");
    OndError err = {0};
    const OndNode *c = ond_node_get(ond_node_get(tree.root, "b"), "c");
    assert_int_equal(ond_tree_fail(&tree, c, &err, "wrong %d", 7), OND_BAD_VALUE);
    assert_string_equal(err.text, "t.yaml:2:19: error: wrong 7\n"
                                  "    b: {\xC3\xA4: [1, 2], c: 3}\n"
                                  "                      ^");
    ond_tree_fail_key(&tree, c, &err, "bad\nkey");
    CHECK_SAYS(err.text, "t.yaml:2:16: error: bad key\n", "a key's place; one line");
    ond_tree_fail(&tree, NULL, &err, "x");
    assert_string_equal(err.text, "t.yaml: error: x");
    assert_int_equal(ond_tree_fail(&tree, c, NULL, "x"), OND_BAD_VALUE);
    ond_tree_free(&tree);
}

static void test_long_line(void **state)
{
    (void)state;
    char text[5000] = "a: [";
    for (int i = 0; i < 400; ++i)
        strcat(text, i % 8 ? "123456, " : "\xC3\xA4\xC3\xA4\xC3\xA4\xC3\xA4\xC3\xA4\xC3\xA4, ");
    strcat(text, "x]\n");
    OndTree tree = parse(text);
    OndError err = {0};
    const OndNode *last = ond_node_get(tree.root, "a")->last;
    ond_tree_fail(&tree, last, &err, "wrong");
    CHECK_SAYS(err.text, "t.yaml:1:3205: error: wrong\n", "place");
    const char *shown = strchr(err.text, '\n') + 1, *caret = strchr(shown, '\n') + 1;
    size_t byte = 0; // of the character over the caret
    for (size_t column = strcspn(caret, "^"); column > 0; --column)
        for (++byte; ((unsigned char)shown[byte] & 0xC0) == 0x80;)
            ++byte;
    CHECK_NEAR(shown[byte] == 'x', 1, 0, "the caret stands under the value");
    CHECK_NEAR(strlen(shown) < 250, 1, 0, "only the part around it is shown");
    ond_tree_free(&tree);
}

static void test_nearest(void **state)
{
    (void)state;
    static const char *const words[] = {"spacing", "density", "viscosity", "xy", "min", "max"};
    static const struct {
        const char *typed, *meant;
    } cases[] = {
        {"spacin", "spacing"},
        {"spcaing", "spacing"},
        {"Density", "density"},
        {"denisty", "density"},
        {"viscocity", "viscosity"},
        {"mix", "min"},
        {"zzzzzz", NULL},
        {"", NULL},
        {"q", NULL},
        {"yx", "xy"},
    };
    for (int c = 0; c < OND_COUNT(cases); ++c) {
        const char *got = ond_word_nearest(cases[c].typed, words, OND_COUNT(words));
        if (cases[c].meant ? !got || strcmp(got, cases[c].meant) != 0 : got != NULL)
            fail_msg("%s: got %s, want %s", cases[c].typed, got ? got : "nothing",
                     cases[c].meant ? cases[c].meant : "nothing");
    }
    char list[64];
    ond_words_list(words, 3, list, sizeof list);
    assert_string_equal(list, "spacing, density or viscosity");
    ond_words_list(words, 6, list, 8);
    assert_string_equal(list, "spacing");
}

// A text of which libfyaml 0.7.12 dies: an answer all the same.
static void test_deadly_text(void **state)
{
    (void)state;
    OndTree tree = parse("a: 1");
    OndError err = {0};
    const OndStatus status =
        ond_yaml_assign(&tree, "--set", "a=:A:f&g?:\n? M:?:[::\t:?:??:\n?:\nD:", &err);
    CHECK_NEAR(status, OND_BAD_VALUE, 0, "status");
    CHECK_SAYS(err.text, "--set a=", "message");
    ond_tree_free(&tree);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_put_and_get), cmocka_unit_test(test_paths),
        cmocka_unit_test(test_set_values),  cmocka_unit_test(test_messages),
        cmocka_unit_test(test_long_line),   cmocka_unit_test(test_nearest),
        cmocka_unit_test(test_deadly_text),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
