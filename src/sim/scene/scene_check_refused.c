// SPDX-License-Identifier: MIT
// Keys that mean something to other methods and nothing to this one: its own list, on a grid what no
// grid hears, and all that belongs to what the method does not use. Each is refused by name, so that
// nobody waits for what never comes.
#include "sim/scene/scene_check.h"

#include "sim/methods.h"

#include <stdio.h>
#include <string.h>

#define CONTACTS "only bodies bounce and rub, and this scene has none"
#define MELTING  "nothing melts or sets"

static bool has_no_bodies(const void *def, const OndMethodScene *scene)
{
    return !scene->has_bodies && scene->whole;
}

static const OndRefusedKey on_grids[] = {
    {OND_IN_SCENE, "surface", .why = "there is no free surface; smoke is drawn as it is"},
    {OND_IN_DOMAIN, "walls", .why = "walls of a grid are exact"},
    {OND_IN_DOMAIN, "margin", .why = "there are no particles to keep from the walls"},
    {OND_IN_DOMAIN, "restitution", .why = CONTACTS, .when = has_no_bodies},
    {OND_IN_DOMAIN, "friction", .why = CONTACTS, .when = has_no_bodies},
    {OND_IN_SIDE, "restitution", .why = CONTACTS, .when = has_no_bodies},
    {OND_IN_SIDE, "friction", .why = CONTACTS, .when = has_no_bodies},
    {OND_IN_OPEN_SIDE, "slip", .why = "this side is open"},
    {OND_IN_OPEN_SIDE, "velocity",
     .why = "this side is open; leave out `kind` where fluid comes in at a given speed"},
    {OND_IN_OPEN_SIDE, "temperature",
     .why = "this side is open; what comes in is as warm as the `air`"},
    {OND_IN_FLUID, "spacing", .why = "the method's `cell` takes its place"},
    {OND_IN_FLUID, "material",
     .why = "what fills a grid is described by its method; give a `temperature`"},
    {OND_IN_FLUID, "density",
     .why = "what is carried has a density of 1; its `weight` and the fluid's `density` are keys "
            "of the "
            "method"},
    {OND_IN_FLUID, "viscosity", .why = "it is a key of the method"},
    {OND_IN_FLUID, "viscosity_solid", .why = MELTING},
    {OND_IN_FLUID, "tension", .why = "there is no free surface"},
    {OND_IN_FLUID, "rigidity", .why = MELTING},
    {OND_IN_FLUID, "T_solid", .why = MELTING},
    {OND_IN_FLUID, "T_liquid", .why = MELTING},
    {OND_IN_FLUID, "conductivity", .why = "use `heat_diffusion` of the method"},
    {OND_IN_FLUID, "specific_heat", .why = "it is a key of the method"},
    {OND_IN_FLUID, "latent_heat", .why = MELTING},
    {OND_IN_FLUID, "fixed_until", .why = "nothing is held"},
    {OND_IN_FLUID, "carry", .why = MELTING},
    {OND_IN_FLUID, "particles", .why = "nothing is held; a solid can move by `keys` or `move`"},
    {OND_IN_SOLID, "sequence", .why = "only solids that keep their shape can stand in a grid"},
    {OND_IN_BODY, "slip", .why = "what drifts goes with the flow, which does not see it"},
    {OND_IN_BODY, "temperature",
     .why = "what drifts neither heats nor cools the flow, which does not see it"},
    {OND_IN_SOLID, "restitution", .why = CONTACTS, .when = has_no_bodies},
    {OND_IN_SOLID, "friction", .why = CONTACTS, .when = has_no_bodies},
    {OND_IN_HEAT, "surface", .why = "there is no free surface; give the source a thin shape"},
    {OND_IN_AIR, "exchange", .why = "there is no free surface; use `cooling` of the method"},
    {.key = NULL},
};

// ---- what keys belong to

// Every key of the sections that a method may look at: sim/ sees to those of use 0, for all methods.
// tests/test_method.c asks for a row of each.
static const struct {
    OndSection section;
    unsigned use; // of OndUse
    const char *keys;
} belongs[] = {
    {OND_IN_SCENE, 0,
     "title dimension duration frame_rate domain method fluid emitter probe source tracer"},
    {OND_IN_SCENE, OND_USES_GRAVITY, "gravity"},
    {OND_IN_SCENE, OND_USES_SOLIDS, "solid"},
    {OND_IN_SCENE, OND_USES_HEAT, "air heat"},
    {OND_IN_SCENE, OND_USES_FOAM, "foam"},
    {OND_IN_DOMAIN, 0, "min max sides"},
    {OND_IN_DOMAIN, OND_USES_WALLS, "slip restitution friction walls margin x y z"},
    {OND_IN_DOMAIN, OND_USES_HEAT, "temperature"},
    {OND_IN_SIDE, 0, "side"},
    {OND_IN_SIDE, OND_USES_WALLS, "kind slip restitution friction velocity"},
    {OND_IN_SIDE, OND_USES_HEAT, "temperature"},
    {OND_IN_FLUID, 0,
     "name spacing material temperature velocity stretch spin jitter shape "
     "regions"},
    {OND_IN_FLUID, OND_USES_DENSITY, "density"},
    {OND_IN_FLUID, OND_USES_VISCOSITY, "viscosity"},
    {OND_IN_FLUID, OND_USES_VISCOSITY, "viscosity_solid"},
    {OND_IN_FLUID, OND_USES_TENSION, "tension"},
    {OND_IN_FLUID, OND_USES_MELTING, "rigidity T_solid T_liquid latent_heat carry"},
    {OND_IN_FLUID, OND_USES_HEAT, "conductivity specific_heat"},
    {OND_IN_FLUID, OND_USES_HELD, "fixed fixed_until particles"},
    {OND_IN_SOLID, 0,
     "name shape use at turn pivot keys move turn_by sequence scatter density mass velocity spin "
     "look colour shown slip restitution friction"},
    {OND_IN_SOLID, OND_USES_HEAT, "temperature"},
    {OND_IN_AIR, 0, "temperature exchange"}, // refused with their sections
    {OND_IN_HEAT, 0, "shape power temperature transfer surface from to"},
};

// The word of a list that begins at `at`, and where the next one does; false: there is none.
static bool next_word(const char **at, char *word, size_t size)
{
    const size_t length = strcspn(*at, " ");
    if (length == 0 || length >= size) return false;
    memcpy(word, *at, length);
    word[length] = '\0';
    *at += length + strspn(*at + length, " ");
    return true;
}

bool ond_scene_knows_use(OndSection section, const char *key)
{
    char word[32];
    for (int k = 0; k < OND_COUNT(belongs); ++k)
        for (const char *at = belongs[k].keys;
             belongs[k].section == section && next_word(&at, word, sizeof word);)
            if (strcmp(word, key) == 0) return true;
    return false;
}

// ---- refusing

typedef struct Look {
    const OndSceneDef *scene;
    const OndMethod *method;
    OndMethodScene about;
    OndFindings *found;
} Look;

// The key may stand in a map inside: "rigidity.stop".
static const OndNode *find(const OndNode *node, const char *key)
{
    const char *const dot = strchr(key, '.');
    char part[64];
    if (!node || !dot || (size_t)(dot - key) >= sizeof part)
        return node ? ond_node_get(node, key) : NULL;
    memcpy(part, key, (size_t)(dot - key));
    part[dot - key] = '\0';
    const OndNode *const map = ond_node_get(node, part);
    return map ? find(map, dot + 1) : NULL;
}

static void refuse(const Look *look, const OndRefusedKey *u, const OndNode *node)
{
    const OndNode *const at = find(node, u->key);
    const char *const place = look->method->place     ? look->method->place
                              : look->scene->has_grid ? "on this grid"
                                                      : "here";
    const char *const dot = strrchr(u->key, '.');
    if (!at) return;
    ond_findings_add(look->found, ond_tree_fail(&look->scene->tree, at, &look->found->one,
                                                "'%s' means nothing %s: %s", dot ? dot + 1 : u->key,
                                                place, u->why));
}

// What comes in through a side brings its warmth along.
static bool flows_in(const OndSceneDef *scene, const OndSideDef *side)
{
    const float across = scene->domain.side[side->side].velocity[side->side / 2];
    return side->side % 2 ? across < 0.0f : across > 0.0f;
}

static bool is_meant(const OndSceneDef *scene, const OndSideDef *side, OndSection section)
{
    if (section == OND_IN_OPEN_SIDE) return scene->domain.side[side->side].kind == OND_SIDE_OPEN;
    return section == OND_IN_SIDE || (section == OND_IN_CLOSED_SIDE && !flows_in(scene, side));
}

static void refuse_in_lists(const Look *look, const OndRefusedKey *u)
{
    const OndSceneDef *const scene = look->scene;
    for (int k = 0; k < scene->domain.sides.count; ++k) {
        const OndSideDef *const side = (const OndSideDef *)scene->domain.sides.items + k;
        if (is_meant(scene, side, u->section)) refuse(look, u, side->node);
    }
    for (int k = 0; k < scene->fluids.count && u->section == OND_IN_FLUID; ++k)
        refuse(look, u, ond_scene_fluid(scene, k)->node);
    for (int k = 0; k < scene->heaters.count && u->section == OND_IN_HEAT; ++k)
        refuse(look, u, ond_scene_heater(scene, k)->node);
    for (int k = 0; k < scene->solids.count; ++k) {
        const OndSceneSolid *const solid = ond_scene_solid(scene, k);
        if (u->section == OND_IN_SOLID || (u->section == OND_IN_BODY && ond_solid_is_body(solid)))
            refuse(look, u, solid->node);
    }
}

static void refuse_all(const Look *look, const OndRefusedKey *u)
{
    const OndSceneDef *const scene = look->scene;
    const bool whole = ond_scene_whole(scene, "method");
    for (; u && u->key; ++u) {
        if (u->when && (!whole || !u->when(scene->method.def, &look->about))) continue;
        if (u->section == OND_IN_SCENE) refuse(look, u, scene->tree.root);
        if (u->section == OND_IN_DOMAIN) refuse(look, u, scene->domain.node);
        if (u->section == OND_IN_AIR) refuse(look, u, scene->air.node);
        if (u->section == OND_IN_METHOD) refuse(look, u, scene->method.node);
        refuse_in_lists(look, u);
    }
}

// Whether a list has its own word on a key.
static bool is_listed(const OndRefusedKey *list, OndSection section, const char *key)
{
    for (; list && list->key; ++list)
        if (list->section == section && strcmp(list->key, key) == 0) return true;
    return false;
}

// All that belongs to what the method does not use.
static void refuse_unused(const Look *look)
{
    char word[32], why[96];
    const OndMethod *const method = look->method;
    snprintf(why, sizeof why, "the method `%.40s` makes no use of it", method->name);
    for (int k = 0; k < OND_COUNT(belongs); ++k) {
        const char *at = belongs[k].keys;
        const bool falls = belongs[k].use == OND_USES_GRAVITY && look->about.has_bodies;
        const bool held = belongs[k].use == OND_USES_HELD && look->scene->has_grid;
        if (belongs[k].use == 0 || belongs[k].use & method->uses || falls || held)
            continue; // what is held on a grid is told by scene_check_grid.c
        while (next_word(&at, word, sizeof word)) {
            const OndRefusedKey own[2] = {{belongs[k].section, word, .why = why}, {.key = NULL}};
            const bool told = is_listed(method->refused, own->section, word) ||
                              (look->scene->has_grid && is_listed(on_grids, own->section, word));
            if (!told) refuse_all(look, own);
        }
    }
}

OndStatus ond_scene_check_refused(const OndSceneDef *scene, const OndWorld *world, OndError *err)
{
    OndFindings found = {.err = err};
    Look look = {scene, ond_scene_method(scene), ond_scene_for_method(scene, world), &found};
    if (scene->has_grid) refuse_all(&look, on_grids);
    refuse_all(&look, look.method->refused);
    refuse_unused(&look);
    return found.status;
}

// ---- walls of a grid

// A wall moves along itself as a belt does; fluid that slides does not notice.
OndStatus ond_scene_check_belt(const OndSceneDef *scene, const OndSideDef *side, OndError *err)
{
    const OndSide *const wall = &scene->domain.side[side->side];
    bool along = false;
    for (int a = 0; a < scene->dimension; ++a)
        along = along || (a != side->side / 2 && wall->velocity[a] != 0.0f);
    const bool flows = wall->velocity[side->side / 2] != 0.0f; // what comes in does
    if (!along || flows || wall->slip < 1.0f) return OND_OK;
    return FAIL(
        scene, side->node, "velocity",
        "this side moves along itself, but with `slip: 1` the fluid slides on it and is not "
        "dragged along; give it `slip: 0`");
}
