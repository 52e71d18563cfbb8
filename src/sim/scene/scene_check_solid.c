// SPDX-License-Identifier: MIT
// Solids and read-outs that do not fit together.
#include "base/words.h"
#include "sim/scene/file_sequence.h"
#include "sim/scene/scene_check.h"
#include "sim/scene/scene_limits.h"

#include <string.h>

#define NAMES_MAX 64

// ---- 2D

static OndStatus check_turn(const OndSceneDef *scene, const OndNode *node, const char *key,
                            OndVec v, OndError *err)
{
    if (scene->dimension == 3 || (v.x == 0.0 && v.y == 0.0)) return OND_OK;
    return FAIL(scene, node, key, "in 2D solids turn about z only: %s is [0, 0, angle]", key);
}

static OndStatus check_flat_solid(const OndSceneDef *scene, const OndSceneSolid *s, OndError *err)
{
    if (scene->dimension == 3) return OND_OK;
    if (s->sequence.node)
        return FAIL(scene, s->node, "sequence",
                    "a sequence bends a mesh in 3D: in 2D, use a shape that moves");
    if (s->move.part[2] || s->turn_by.part[0] || s->turn_by.part[1]) {
        const bool moves = s->move.part[2];
        const OndExpression *const e[3] = {s->move.part[2], s->turn_by.part[0], s->turn_by.part[1]};
        for (int k = 0; k < 3; ++k)
            if (e[k] && (ond_expression_varies(e[k]) || ond_expression_at(e[k], 0.0).value != 0.0))
                return FAIL(scene, s->node, k == 0 && moves ? "move" : "turn_by",
                            "in 2D solids move along x and y and turn about z alone");
    }
    OndStatus status = ond_scene_check_flat(scene, s->node, "at", s->at, err);
    if (status == OND_OK) status = check_turn(scene, s->node, "turn", s->turn, err);
    if (status == OND_OK)
        status = ond_scene_check_flat(scene, s->node, "velocity", s->velocity, err);
    if (status == OND_OK) status = check_turn(scene, s->node, "spin", s->spin, err);
    for (int k = 0; k < s->keys.count && status == OND_OK; ++k) {
        const OndPoseKey *const key = (const OndPoseKey *)s->keys.items + k;
        status = ond_scene_check_flat(scene, key->node, "at", key->at, err);
        if (status == OND_OK) status = check_turn(scene, key->node, "turn", key->turn, err);
    }
    return status;
}

// ---- solids

static OndStatus check_name(const OndSceneDef *scene, int index, OndError *err)
{
    const OndSceneSolid *const s = ond_scene_solid(scene, index);
    if (s->name[0] == '\0') return FAIL(scene, s->node, "name", "a name must not be empty");
    if (!ond_node_get(s->node, "name")) return OND_OK; // thousands have none
    for (int k = 0; k < index; ++k)
        if (strcmp(ond_scene_solid(scene, k)->name, s->name) == 0)
            return FAIL(scene, s->node, "name", "two solids are called '%.60s'", s->name);
    return OND_OK;
}

static OndStatus check_plane(const OndSceneDef *scene, const OndSceneSolid *s, OndError *err)
{
    const OndPlaneDef *const plane = s->shape.def;
    if (!(ond_length(plane->normal) > 0.0))
        return FAIL(scene, s->shape.node, "normal", "normal must not be zero");
    if (s->use == OND_USE_CONTAINER)
        return FAIL(scene, s->node, "use",
                    "a plane contains nothing: make it an obstacle, and turn its normal round");
    return ond_scene_check_flat(scene, s->shape.node, "normal", plane->normal, err);
}

static OndStatus check_form(const OndSceneDef *scene, const OndSceneSolid *s, OndError *err)
{
    const bool sequence = s->sequence.node;
    if (s->shape.which < 0 && !sequence)
        return FAIL(scene, s->node, NULL,
                    "solid needs the key 'shape' (or 'sequence', or 'scatter')");
    if (s->shape.which >= 0 && sequence)
        return FAIL(scene, s->node, "sequence", "give it a shape or a sequence, not both");
    if (sequence && !ond_files_pattern(s->sequence.files))
        return FAIL(scene, s->sequence.node, "files",
                    "files needs one place for the number, %%d or %%04d, as in wave_%%04d.obj");
    if (sequence) return OND_OK;
    if (s->shape.which == OND_SHAPE_PLANE) return check_plane(scene, s, err);
    return ond_scene_check_shape(scene, &s->shape, true, err);
}

static OndStatus check_keys(const OndSceneDef *scene, const OndSceneSolid *s, OndError *err)
{
    const OndPoseKey *const key = s->keys.items;
    for (int k = 1; k < s->keys.count; ++k) {
        if (key[k].time > key[k - 1].time) continue;
        if (key[k].time == key[k - 1].time)
            return FAIL(scene, key[k].node, "time",
                        "two keys of solid '%.60s' stand at %g s; it can be in one place at a time",
                        s->name, key[k].time);
        return FAIL(scene, key[k].node, "time",
                    "keys must be in the order of time: %g s follows %g s", key[k].time,
                    key[k - 1].time);
    }
    return OND_OK;
}

// The first key that is given and that a body cannot have.
static const char *told_motion(const OndSceneSolid *s)
{
    static const char *const keys[] = {"keys", "move", "turn_by", "sequence"};
    for (int k = 0; k < OND_COUNT(keys); ++k)
        if (ond_node_get(s->node, keys[k])) return keys[k];
    return NULL;
}

static OndStatus check_body(const OndSceneDef *scene, const OndSceneSolid *s, OndError *err)
{
    const char *const key = s->mass > 0.0 ? "mass" : "density", *const told = told_motion(s);
    if (!ond_solid_is_body(s)) {
        const char *const start = ond_node_get(s->node, "velocity") ? "velocity" : "spin";
        if (!ond_node_get(s->node, start)) return OND_OK;
        return FAIL(scene, s->node, start,
                    "%s is the start of a body, which has a density or a mass; a solid that moves "
                    "as told has keys, move or turn_by",
                    start);
    }
    if (s->density > 0.0 && s->mass > 0.0)
        return FAIL(scene, s->node, "mass", "give a body a density or a mass, not both");
    if (told)
        return FAIL(scene, s->node, told,
                    "solid '%.60s' has a %s, so the fluid moves it; leave out %s, or the %s",
                    s->name, key, told, key);
    if (s->use == OND_USE_CONTAINER)
        return FAIL(scene, s->node, key, "a container cannot float or fall: leave out its %s", key);
    if (s->shape.which == OND_SHAPE_PLANE)
        return FAIL(scene, s->node, key, "a plane has no volume: it cannot float or fall");
    for (int a = 0; a < scene->dimension && scene->has_domain; ++a)
        if (scene->domain.axis[a] == OND_SIDE_PERIODIC)
            return FAIL(scene, s->node, key,
                        "bodies do not go round a periodic side, and the domain is periodic in %c; "
                        "give it walls there, or make it open",
                        "xyz"[a]);
    return OND_OK;
}

static void check_solid(const OndSceneDef *scene, int index, OndFindings *f)
{
    const OndSceneSolid *const s = ond_scene_solid(scene, index);
    ond_findings_add(f, check_name(scene, index, &f->one));
    ond_findings_add(f, check_form(scene, s, &f->one));
    ond_findings_add(f, check_keys(scene, s, &f->one));
    ond_findings_add(f, check_body(scene, s, &f->one));
    ond_findings_add(f, check_flat_solid(scene, s, &f->one));
}

// ---- read-outs

static const OndProbeDef *probe_def(const OndSceneDef *scene, int index)
{
    return ond_scene_probe(scene, index)->def;
}

static OndStatus check_probe_name(const OndSceneDef *scene, int index, OndError *err)
{
    static const char safe[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-.";
    const OndProbeDef *const p = probe_def(scene, index);
    const size_t length = strlen(p->name);
    if (length == 0 || length > 60 || strspn(p->name, safe) != length || p->name[0] == '.')
        return FAIL(scene, p->node, "name",
                    "the name of a probe names its file: use up to 60 letters, digits, _ and -");
    for (int k = 0; k < index; ++k)
        if (strcmp(probe_def(scene, k)->name, p->name) == 0)
            return FAIL(scene, p->node, "name", "two probes are called '%.60s'", p->name);
    return OND_OK;
}

static OndStatus check_force(const OndSceneDef *scene, const OndForceProbe *p, OndError *err)
{
    const char *names[NAMES_MAX];
    int count = 0;
    if (p->which >= 0 || !ond_scene_whole(scene, "solid")) return OND_OK;
    for (; count < scene->solids.count && count < NAMES_MAX; ++count)
        names[count] = ond_scene_solid(scene, count)->name;
    if (count == 0)
        return FAIL(scene, p->probe.node, "solid", "the scene has no solids to measure at");
    char list[300];
    ond_words_list(names, count, list, sizeof list);
    const char *const nearest = ond_word_nearest(p->solid, names, count);
    return FAIL(scene, p->probe.node, "solid", "there is no solid '%.60s'; %s%s%s", p->solid,
                nearest ? "did you mean '" : "the scene has ", nearest ? nearest : list,
                nearest ? "'?" : "");
}

static OndStatus check_pressure(const OndSceneDef *scene, const OndPointProbe *p, OndError *err)
{
    if (!ond_scene_method(scene)->grains) return OND_OK;
    return FAIL(scene, p->probe.node, "type",
                "grains have no pressure at a point; measure the `force` on a solid instead");
}

static OndStatus check_flow(const OndSceneDef *scene, const OndFlowProbe *p, OndError *err)
{
    if (!(ond_length(p->normal) > 0.0))
        return FAIL(scene, p->probe.node, "normal", "normal must not be zero");
    if (scene->dimension == 3 && !(p->height > 0.0))
        return FAIL(scene, p->probe.node, "height", "a rectangle needs a height > 0");
    return ond_scene_check_flat(scene, p->probe.node, "normal", p->normal, err);
}

static OndStatus check_probe(const OndSceneDef *scene, int index, OndError *err)
{
    const OndVariant *const p = ond_scene_probe(scene, index);
    const OndStatus status = check_probe_name(scene, index, err);
    if (status != OND_OK) return status;
    switch ((OndProbeKind)p->which) {
    case OND_PROBE_FORCE:
        return check_force(scene, p->def, err);
    case OND_PROBE_FLOW:
        return check_flow(scene, p->def, err);
    case OND_PROBE_PRESSURE:
        return check_pressure(scene, p->def, err);
    case OND_PROBE_LEVEL:
        break;
    }
    return OND_OK;
}

OndStatus ond_scene_check_solids(const OndSceneDef *scene, OndError *err)
{
    OndFindings f = {.err = err};
    if (scene->solids.count > OND_SOLIDS_MAX)
        return FAIL(scene, scene->tree.root, "solid", "at most %d solids, not %d", OND_SOLIDS_MAX,
                    scene->solids.count);
    if (scene->probes.count > OND_PROBES_MAX)
        return FAIL(scene, scene->tree.root, "probe", "at most %d probes, not %d", OND_PROBES_MAX,
                    scene->probes.count);
    for (int k = 0; k < scene->solids.count; ++k)
        check_solid(scene, k, &f);
    for (int k = 0; k < scene->probes.count; ++k)
        ond_findings_add(&f, check_probe(scene, k, &f.one));
    return f.status;
}
