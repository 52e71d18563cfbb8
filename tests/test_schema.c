// SPDX-License-Identifier: MIT
// One table reads, complains and documents: each kind of key, right and wrong.
#include "base/number.h"
#include "base/schema.h"
#include "check.h"
#include "io/yaml.h"

#include <stdlib.h>

typedef struct Part {
    double size;
    const OndNode *node;
} Part;

typedef struct Nest {
    OndList parts;
} Nest;

typedef struct Thing {
    double length, any;
    int whole, pick;
    bool on;
    const char *label;
    OndVec place;
    Part part;
    OndList parts;
    OndVariant shape, mood;
} Thing;

static const char *const picks[] = {"red", "green", NULL};

static const OndKey part_keys[] = {
    {"size", OND_KEY_NUMBER, offsetof(Part, size), .min = 1, .max = 2, .required = true,
     .help = "S."},
};
static const OndSchema part_schema = {"part",    "A part.", sizeof(Part),
                                      part_keys, 1,         offsetof(Part, node)};

static const OndSchema *const shape_schemas[];
static const OndKey nest_keys[] = {
    {"parts", OND_KEY_VARIANTS, offsetof(Nest, parts), .variants = shape_schemas, .help = "P."},
};
static const OndSchema nest_schema = {"nest", "A \"nest\".", sizeof(Nest), nest_keys, 1, -1};
static const OndSchema dot_schema = {"dot",     "A dot.", sizeof(Part),
                                     part_keys, 1,        offsetof(Part, node)};
static const OndSchema *const shape_schemas[] = {&dot_schema, &nest_schema, NULL};

static const OndSchema calm_schema = {"calm", "Calm.", sizeof(Part), part_keys, 1, -1};
static const OndSchema wild_schema = {"wild", "Wild.", sizeof(Part), part_keys, 1, -1};
static const OndSchema *const mood_schemas[] = {&calm_schema, &wild_schema, NULL};

static const OndKey keys[] = {
    {"length", OND_KEY_NUMBER, offsetof(Thing, length), .fallback = 0.5, .above = true, .unit = "m",
     .help = "How long."},
    {"any", OND_KEY_NUMBER, offsetof(Thing, any), .help = "Any number."},
    {"whole", OND_KEY_INT, offsetof(Thing, whole), .fallback = 3, .min = 2, .max = 3, .help = "W."},
    {"pick", OND_KEY_CHOICE, offsetof(Thing, pick), .fallback = 1, .choices = picks, .help = "P."},
    {"on", OND_KEY_BOOL, offsetof(Thing, on), .fallback = 1, .help = "O."},
    {"label", OND_KEY_TEXT, offsetof(Thing, label), .text = "none", .help = "L."},
    {"place", OND_KEY_VEC, offsetof(Thing, place), .vec = {1, 2, 3}, .min = -9, .max = 9,
     .unit = "m", .help = "Where."},
    {"part", OND_KEY_MAP, offsetof(Thing, part), .sub = &part_schema, .help = "One part."},
    {"parts", OND_KEY_LIST, offsetof(Thing, parts), .sub = &part_schema, .help = "Some parts."},
    {"shape", OND_KEY_VARIANT, offsetof(Thing, shape), .variants = shape_schemas, .help = "Shape."},
    {"mood", OND_KEY_VARIANT, offsetof(Thing, mood), .variants = mood_schemas,
     .first_variant = true, .help = "Mood."},
};
static const OndSchema schema = {"thing", "A thing.", sizeof(Thing), keys, OND_COUNT(keys), -1};

static OndStatus read(const char *text, Thing *out, OndTree *tree, OndArena *arena, OndError *err)
{
    *arena = (OndArena){NULL};
    const OndStatus status = ond_yaml_parse("t.yaml", text, strlen(text), tree, err);
    if (status != OND_OK) return status;
    return ond_schema_read(&schema, tree, tree->root, out, arena, NULL, err);
}

static void test_defaults(void **state)
{
    (void)state;
    Thing t;
    ond_schema_defaults(&schema, &t);
    CHECK_NEAR(t.length, 0.5, 0, "length");
    CHECK_NEAR(t.whole, 3, 0, "whole");
    CHECK_NEAR(t.pick, 1, 0, "pick");
    CHECK_NEAR(t.on, 1, 0, "on");
    CHECK_NEAR(t.place.y, 2, 0, "place.y");
    CHECK_NEAR(t.shape.which, -1, 0, "shape");
    CHECK_NEAR(t.parts.count, 0, 0, "parts");
    assert_string_equal(t.label, "none");
}

static void test_values(void **state)
{
    (void)state;
    Thing t;
    OndTree tree;
    OndArena arena;
    OndError err = {0};
    const OndStatus status =
        read("length: 1e-3\nany: -.5\nwhole: 2\npick: red\non: Off\nlabel: 12\nplace: [4, 5]\n"
             "part: {size: 1.5}\nparts: [{size: 1}, {size: 2}]\n"
             "shape: {type: nest, parts: [{type: dot, size: 2}, {type: nest}]}\nmood: {size: 2}\n",
             &t, &tree, &arena, &err);
    if (status != OND_OK) fail_msg("%s", err.text);
    CHECK_NEAR(t.length, 1e-3, 0, "length");
    CHECK_NEAR(t.any, -0.5, 0, "any");
    CHECK_NEAR(t.whole, 2, 0, "whole");
    CHECK_NEAR(t.pick, 0, 0, "pick");
    CHECK_NEAR(t.on, 0, 0, "on");
    assert_string_equal(t.label, "12");
    CHECK_NEAR(t.place.x * 100 + t.place.y * 10 + t.place.z, 450, 0, "place");
    CHECK_NEAR(t.part.size, 1.5, 0, "part.size");
    CHECK_NEAR(t.part.node->line, 8, 0, "part's line");
    CHECK_NEAR(t.parts.count, 2, 0, "parts");
    CHECK_NEAR(((Part *)t.parts.items)[1].size, 2, 0, "parts[1].size");
    CHECK_NEAR(t.shape.which, 1, 0, "shape");
    const OndList inner = ((Nest *)t.shape.def)->parts;
    CHECK_NEAR(inner.count, 2, 0, "inner parts");
    CHECK_NEAR(((Part *)((OndVariant *)inner.items)[0].def)->size, 2, 0, "inner size");
    CHECK_NEAR(t.mood.which, 0, 0, "no type: the first mood");
    CHECK_NEAR(((Part *)t.mood.def)->size, 2, 0, "its size");
    ond_tree_free(&tree);
    ond_arena_free(&arena);
}

static const struct {
    const char *text, *says;
} wrong[] = {
    {"lenght: 1",
     "t.yaml:1:1: error: unknown key 'lenght'; did you mean 'length'?\n    lenght: 1\n    ^"},
    {"a: 1\n",
     "t.yaml:1:1: error: unknown key 'a'; thing takes length, any, whole, pick, on, label, "
     "place, part, parts, shape or mood"},
    {"any: 1\nlength: 2\nany: 3\n", "t.yaml:3:1: error: key 'any' stands here a second time"},
    {"length: [1]", "t.yaml:1:9: error: length must be a number, not a list"},
    {"length: {a: 1}", "t.yaml:1:9: error: length must be a number, not a map"},
    {"length: long", "t.yaml:1:9: error: length must be a number, not 'long'"},
    {"length: \"1\"",
     "t.yaml:1:9: error: length must be a number (without quotes), not the text \"1\""},
    {"length: 0.1m", "not '0.1m'; units are fixed, so write the value in m without the unit"},
    {"length: 0x10", "length must be a number, not '0x10'"},
    {"length: 1,5", "length must be a number, not '1,5'"},
    {"any: .nan", "t.yaml:1:6: error: any must be a finite number, not .nan"},
    {"any: NaN", "any must be a finite number, not NaN"},
    {"any: -.inf", "any must be a finite number, not -.inf"},
    {"any: 1e999", "any must be a finite number, not 1e999"},
    {"length:", "t.yaml:1:1: error: length has no value; give one, or leave the key out"},
    {"length: -0.1", "t.yaml:1:9: error: length must be > 0, not -0.1 m"},
    {"length: 0", "length must be > 0, not 0 m"},
    {"whole: 2.5", "whole must be a whole number, not '2.5'"},
    {"whole: 4", "whole must be 2 or 3, not 4"},
    {"whole: 1e30", "whole must be 2 or 3"},
    {"pick: gren",
     "t.yaml:1:7: error: pick must be red or green, not 'gren'; did you mean 'green'?"},
    {"pick: [red]", "pick must be red or green, not a list"},
    {"on: 1", "on must be true or false, not '1'"},
    {"on: \"true\"", "on must be true or false, not the text \"true\""},
    {"label: [a]", "label must be a text, not a list"},
    {"place: 1", "place must be a list of numbers such as [0, 0, 0], not '1'"},
    {"place: [1]", "place must have 2 or 3 numbers, not 1"},
    {"place: [1, 2, 3, 4]", "place must have 2 or 3 numbers, not 4"},
    {"place: [1, x]", "t.yaml:1:12: error: place[1] must be a number, not 'x'"},
    {"place: [1, 2, 10]", "t.yaml:1:15: error: place[2] must be between -9 and 9, not 10 m"},
    {"place: [1, ~]", "place[1] must be a number, not empty"},
    {"part: 3", "part must be a map (key: value), not '3'"},
    {"part: {}", "t.yaml:1:7: error: part needs the key 'size': S."},
    {"part: {size: 3}", "size must be between 1 and 2, not 3"},
    {"parts: {size: 1}", "parts must be a list (each entry begins with '-'), not a map"},
    {"parts: [1]", "parts must be a list of maps (key: value), not '1'"},
    {"parts:\n  - size: 1\n  - sise: 2\n",
     "t.yaml:3:5: error: unknown key 'sise'; did you mean 'size'?"},
    {"shape: dot", "shape must be a map such as {type: dot}, not 'dot'"},
    {"shape: {size: 1}", "t.yaml:1:8: error: shape needs a type: dot or nest"},
    {"shape: {type: dott}",
     "t.yaml:1:15: error: type must be dot or nest, not 'dott'; did you mean 'dot'?"},
    {"shape: {type: dot}", "dot needs the key 'size'"},
    {"shape: {type: dot, tipe: 1}", "unknown key 'tipe'; did you mean 'type'?"},
    {"shape: {type: nest, parts: [{type: nest, parts: [{type: x}]}]}",
     "t.yaml:1:57: error: type must be"},
    {"mood: {size: 3}", "t.yaml:1:14: error: size must be between 1 and 2, not 3"},
    {"mood: {}", "calm needs the key 'size'"},
    {"mood: {type: wilt, size: 1}", "did you mean 'wild'?"},
    {"- 1", "t.yaml:1:1: error: thing must be a map (key: value), not a list"},
    {"hello", "t.yaml:1:1: error: thing must be a map (key: value), not 'hello'"},
};

static void test_wrong(void **state)
{
    (void)state;
    for (int c = 0; c < OND_COUNT(wrong); ++c) {
        Thing t;
        OndTree tree = {0};
        OndArena arena;
        OndError err = {0};
        const OndStatus status = read(wrong[c].text, &t, &tree, &arena, &err);
        CHECK_NEAR(status, OND_BAD_VALUE, 0, wrong[c].text);
        CHECK_SAYS(err.text, wrong[c].says, wrong[c].text);
        ond_tree_free(&tree);
        ond_arena_free(&arena);
    }
}

// A tree that no parser bounded must not run the reader out of stack.
static void test_depth(void **state)
{
    (void)state;
    OndTree tree = {.name = "deep"};
    OndNode *inner = NULL;
    for (int i = 0; i < 10000; ++i) {
        OndNode *map = ond_tree_new(&tree, OND_NODE_MAP);
        ond_tree_put(&tree, map, "type", ond_tree_scalar(&tree, "nest", false));
        OndNode *list = ond_tree_new(&tree, OND_NODE_LIST);
        if (inner) ond_tree_put(&tree, list, NULL, inner);
        ond_tree_put(&tree, map, "parts", list);
        inner = map;
    }
    tree.root = ond_tree_new(&tree, OND_NODE_MAP);
    ond_tree_put(&tree, tree.root, "shape", inner);
    Thing t;
    OndArena arena = {NULL};
    OndError err = {0};
    assert_int_equal(ond_schema_read(&schema, &tree, tree.root, &t, &arena, NULL, &err),
                     OND_BAD_VALUE);
    CHECK_SAYS(err.text, "levels of nesting", "depth");
    ond_tree_free(&tree);
    ond_arena_free(&arena);
}

// A parser would have refused it; a tree made by hand may hold a key twice.
static void test_doubled(void **state)
{
    (void)state;
    OndTree tree = {.name = "hand"};
    tree.root = ond_tree_new(&tree, OND_NODE_MAP);
    OndNode *one = ond_tree_scalar(&tree, "1", false), *two = ond_tree_scalar(&tree, "2", false);
    ond_tree_put(&tree, tree.root, "any", one);
    two->key = "any";
    one->next = two;
    Thing t;
    OndArena arena = {NULL};
    OndError err = {0};
    assert_int_equal(ond_schema_read(&schema, &tree, tree.root, &t, &arena, NULL, &err),
                     OND_BAD_VALUE);
    CHECK_SAYS(err.text, "hand: error: key 'any' stands here a second time", "doubled");
    ond_tree_free(&tree);
}

static void test_numbers(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        OndNumberFault fault;
        double value;
    } cases[] = {
        {"0", OND_NUMBER_OK, 0},           {"-1.25", OND_NUMBER_OK, -1.25},
        {"+3", OND_NUMBER_OK, 3},          {".5", OND_NUMBER_OK, 0.5},
        {"5.", OND_NUMBER_OK, 5},          {"1E+2", OND_NUMBER_OK, 100},
        {"1e-400", OND_NUMBER_OK, 0},      {"", OND_NUMBER_NOT, 0},
        {".", OND_NUMBER_NOT, 0},          {"-", OND_NUMBER_NOT, 0},
        {"e5", OND_NUMBER_NOT, 0},         {"1e", OND_NUMBER_TAIL, 0},
        {"1 ", OND_NUMBER_TAIL, 0},        {"1_000", OND_NUMBER_TAIL, 0},
        {"inf", OND_NUMBER_NOT_FINITE, 0}, {"-Infinity", OND_NUMBER_NOT_FINITE, 0},
        {"nano", OND_NUMBER_NOT, 0},       {"1e309", OND_NUMBER_NOT_FINITE, 0},
    };
    for (int c = 0; c < OND_COUNT(cases); ++c) {
        double value = 0;
        CHECK_NEAR(ond_number_parse(cases[c].text, &value), cases[c].fault, 0, cases[c].text);
        if (cases[c].fault == OND_NUMBER_OK) CHECK_NEAR(value, cases[c].value, 0, cases[c].text);
    }
}

static char *written(void (*write)(const OndSchema *, FILE *))
{
    FILE *file = tmpfile();
    assert_non_null(file);
    write(&schema, file);
    const long size = ftell(file);
    char *text = calloc(1, (size_t)size + 1);
    rewind(file);
    CHECK_NEAR((double)fread(text, 1, (size_t)size, file), (double)size, 0, "read back");
    fclose(file);
    return text;
}

static void test_markdown(void **state)
{
    (void)state;
    char *text = written(ond_schema_markdown);
    CHECK_SAYS(text, "| `length` | number | > 0 | m | 0.5 | How long. |", "number");
    CHECK_SAYS(text, "| `place` | vector | between -9 and 9 | m | [1, 2, 3] | Where. |", "vector");
    CHECK_SAYS(text, "| `pick` | one of | `red`, `green` |  | `green` | P. |", "choice");
    CHECK_SAYS(text, "| `size` | number | between 1 and 2 |  | **required** | S. |", "required");
    CHECK_SAYS(text, "[dot](#dot), [nest](#nest)", "variants");
    CHECK_SAYS(text, "## nest", "a section each");
    CHECK_SAYS(text, "A `mood` with `type: calm`, or without a `type`. Calm.", "the first mood");
    CHECK_SAYS(text, "A `mood` with `type: wild`. Wild.", "the other");
    free(text);
}

static const OndNode *down(const OndNode *node, const char *a, const char *b, const char *c)
{
    node = ond_node_get(ond_node_get(ond_node_get(node, a), b), c);
    if (!node) fail_msg("no %s / %s / %s in the schema", a, b, c);
    return node;
}

// JSON is YAML, so our own reader tells whether the schema is well formed.
static void test_json(void **state)
{
    (void)state;
    char *text = written(ond_schema_json);
    OndTree tree;
    OndError err = {0};
    if (ond_yaml_parse("schema", text, strlen(text), &tree, &err) != OND_OK)
        fail_msg("%s", err.text);
    assert_string_equal(down(tree.root, "properties", "length", "exclusiveMinimum")->text, "0");
    assert_string_equal(down(tree.root, "properties", "whole", "type")->text, "integer");
    CHECK_NEAR(down(tree.root, "properties", "shape", "oneOf")->count, 2, 0, "variants");
    assert_string_equal(down(tree.root, "$defs", "type-nest", "description")->text, "A \"nest\".");
    const OndNode *nest = down(tree.root, "$defs", "type-nest", "properties");
    assert_string_equal(ond_node_get(ond_node_get(nest, "type"), "const")->text, "nest");
    assert_string_equal(down(tree.root, "properties", "parts", "items")->child->text,
                        "#/$defs/part");
    // a calm mood needs a size, a wild one its type too
    const OndNode *properties = ond_node_get(tree.root, "properties");
    assert_null(ond_node_get(ond_node_get(properties, "mood"), "required"));
    assert_non_null(ond_node_get(ond_node_get(properties, "shape"), "required"));
    CHECK_NEAR(down(tree.root, "$defs", "type-calm", "required")->count, 1, 0, "calm");
    CHECK_NEAR(down(tree.root, "$defs", "type-wild", "required")->count, 2, 0, "wild");
    ond_tree_free(&tree);
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_defaults), cmocka_unit_test(test_values),
        cmocka_unit_test(test_wrong),    cmocka_unit_test(test_depth),
        cmocka_unit_test(test_numbers),  cmocka_unit_test(test_markdown),
        cmocka_unit_test(test_json),     cmocka_unit_test(test_doubled),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
