// SPDX-License-Identifier: MIT
// Materials: what a name brings along, the table itself, and its page in the manual.
#include "scene_text.h"
#include "sim/scene/materials.h"

static void test_materials(void **state)
{
    (void)state;
    OndSceneDef scene;
    OndError err = {0};
    if (load(
            "fluid:\n"
            "  - {name: a, spacing: 0.1, material: wax}\n"
            "  - {name: b, spacing: 0.1, material: wax, T_solid: 40, temperature: 70, density: 1}\n"
            "  - {name: c, spacing: 0.1, " BALL "}\n",
            &scene, &err) != OND_OK)
        fail_msg("%s", err.text);
    const OndFluidDef *wax = ond_scene_fluid(&scene, 0), *own = ond_scene_fluid(&scene, 1);
    CHECK_NEAR(wax->density, 900, 0, "wax: density");
    CHECK_NEAR(wax->solid * 1000 + wax->liquid, 52058, 0, "wax: melting");
    CHECK_NEAR(wax->latent_heat, 200000, 0, "wax: latent heat");
    CHECK_NEAR(wax->tension, 0, 0, "no material brings surface tension");
    CHECK_NEAR(own->solid * 1000 + own->liquid, 40058, 0, "own T_solid, the wax's T_liquid");
    CHECK_NEAR(own->temperature * 10 + own->density, 701, 0, "own temperature and density");
    CHECK_NEAR(own->conductivity, wax->conductivity, 0, "the rest is wax");
    CHECK_NEAR(ond_scene_fluid(&scene, 2)->density, 998.23, 0, "no material: the key's default");
    CHECK_NEAR(ond_fluid_can_set(wax) * 10 + ond_fluid_can_set(ond_scene_fluid(&scene, 2)), 10, 0,
               "wax can set, a plain fluid cannot");
    ond_scene_free(&scene);
}

// Every material can be used as it is, and melts where one expects it.
static void test_material_table(void **state)
{
    (void)state;
    int count = 0;
    for (int m = 1; ond_material_names[m]; ++m, ++count) {
        const OndMaterialValues *v = ond_material_values(m);
        const char *name = ond_material_names[m];
        assert_non_null(v);
        CHECK_NEAR(v->liquid > v->solid, 1, 0, name);
        CHECK_NEAR(v->density > 500 && v->density < 10000, 1, 0, name);
        CHECK_NEAR(v->viscosity > 0 && v->conductivity > 0 && v->specific_heat > 0, 1, 0, name);
        CHECK_NEAR(v->temperature >= v->liquid || v->temperature <= v->solid, 1, 0, name);
    }
    CHECK_NEAR(count, 8, 0, "materials");
    CHECK_NEAR(ond_material_values(0) == NULL && ond_material_values(9) == NULL, 1, 0, "no others");
}

// docs/materials.md says the same: a row for each material, its numbers as %.9g prints them.
static void test_material_page(void **state)
{
    (void)state;
    static char page[65536];
    FILE *file = fopen(OND_SOURCE_DIR "/docs/materials.md", "rb");
    assert_non_null(file);
    page[fread(page, 1, sizeof page - 1, file)] = '\0';
    fclose(file);
    for (int m = 1; ond_material_names[m]; ++m) {
        const OndMaterialValues *v = ond_material_values(m);
        char row[256];
        snprintf(row, sizeof row,
                 "| `%s` | %.9g | %.9g | %.9g | %.9g | %.9g | %.9g | %.9g | %.9g |\n",
                 ond_material_names[m], v->density, v->viscosity, v->solid, v->liquid,
                 v->conductivity, v->specific_heat, v->latent_heat, v->temperature);
        CHECK_SAYS(page, row, "docs/materials.md");
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_materials),
        cmocka_unit_test(test_material_table),
        cmocka_unit_test(test_material_page),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
