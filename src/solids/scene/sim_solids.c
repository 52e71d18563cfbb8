// SPDX-License-Identifier: MIT
#include "solids/scene/sim_solids.h"

#include "solids/scene/solid_fastest.h"
#include "solids/scene/solid_make.h"
#include "solids/scene/solid_size.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#define FAST_SPEED   50.0 // m/s; faster is more often a slip of the pen than meant
#define SPEED_LOOKS  4000 // times at which a motion is looked at
#define LOOKS_A_TICK 4    // looks between two frames
#define JUMP         0.25 // spacings: what goes less far at once does no harm
#define AT_ONCE      1e-7 // s

void ond_sim_solids_note(OndSimSolids *s, const char *format, ...)
{
    char text[1024];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    if (s->note_count == s->note_room) {
        const int room = 2 * s->note_room + 8;
        const char **const more = ond_arena_take(&s->arena, (size_t)room * sizeof *more);
        if (!more) return;
        if (s->note_count > 0) memcpy(more, s->note, (size_t)s->note_count * sizeof *more);
        s->note = more;
        s->note_room = room;
    }
    const char *const kept = ond_arena_text(&s->arena, text, strlen(text));
    if (kept) s->note[s->note_count++] = kept;
}

// ---- motion

static bool finite_state(const OndSolidState *s)
{
    const OndPose *const p = &s->pose;
    return isfinite(p->at.x + p->at.y + p->at.z + p->w + p->x + p->y + p->z + s->velocity.x +
                    s->velocity.y + s->velocity.z + s->spin.x + s->spin.y + s->spin.z);
}

static bool formula_is_finite(const OndFormulas *f, double time)
{
    for (int a = 0; a < 3; ++a) {
        const OndDual d = f->part[a] ? ond_expression_at(f->part[a], time) : (OndDual){0.0, 0.0};
        if (!isfinite(d.value) || !isfinite(d.rate)) return false;
    }
    return true;
}

static OndStatus state_at(const OndSimSolids *s, int which, double time, OndSolidState *out,
                          OndError *err)
{
    const OndSceneSolid *const def = s->solid[which].def;
    *out = ond_motion_at(&s->solid[which].motion, time);
    if (finite_state(out) && ond_length(out->pose.at) < 1e12) return OND_OK;
    const char *const key = formula_is_finite(&def->move, time) ? "turn_by" : "move";
    return ond_tree_fail(&s->scene->tree, ond_scene_at(def->node, key), err,
                         "the motion of solid '%.60s' has no value, or no speed, at t = %.6g s; "
                         "keep roots, logarithms and divisions where they are defined",
                         def->name, time);
}

// The farthest corner of its box from the pivot.
static double farthest(const OndSimSolid *solid)
{
    const OndVec pivot = ond_pose_in(&solid->motion.base, solid->motion.pivot);
    double reach = 0.0;
    if (solid->solid.kind == OND_SOLID_PLANE) return 0.0;
    for (int c = 0; c < 8; ++c) {
        const OndVec corner = ond_box_corner(solid->bounds, c);
        reach = fmax(reach, ond_length(ond_sub(corner, pivot)));
    }
    return reach;
}

double ond_sim_solid_speed(const OndSimSolid *solid, const OndSolidState *state)
{
    const OndVec pivot = ond_motion_pivot(&solid->motion, &state->pose);
    const OndVec velocity =
        ond_add(state->velocity, ond_cross(state->spin, ond_sub(pivot, state->pose.at)));
    return ond_length(velocity) + ond_length(state->spin) * farthest(solid);
}

// How far any part is from one pose to another, at most.
static double way_between(const OndSimSolid *solid, const OndPose *a, const OndPose *b)
{
    const double same = fabs(a->w * b->w + a->x * b->x + a->y * b->y + a->z * b->z);
    const double turn = 2.0 * sqrt(fmax(1.0 - same * same, 0.0)); // twice the sine of half of it
    return turn * farthest(solid) + ond_length(ond_sub(ond_motion_pivot(&solid->motion, a),
                                                       ond_motion_pivot(&solid->motion, b)));
}

typedef struct Looked {
    double time;
    OndSolidState state;
} Looked;

static OndStatus fail_jump(const OndSimSolids *s, const OndSceneSolid *def, double time, double way,
                           OndError *err)
{
    const char *key = ond_node_get(def->node, "keys") ? "keys" : "move";
    if (!ond_node_get(def->node, key)) key = "turn_by";
    return ond_tree_fail(&s->scene->tree, ond_scene_at(def->node, key), err,
                         "solid '%.60s' jumps by %.3g m at t = %.4g s, and nothing can get out of "
                         "its way; let it go there in a time that a real one would take",
                         def->name, way, time);
}

// The fastest between two looks, where it goes farther than its speed at both would take it: the
// half in which it goes farther is looked at again, until it is slow enough or found to jump.
static OndStatus look_between(const OndSimSolids *s, int which, Looked a, Looked b, double *fastest,
                              OndError *err)
{
    const OndSimSolid *const solid = &s->solid[which];
    for (;;) {
        const double way = way_between(solid, &a.state.pose, &b.state.pose), dt = b.time - a.time;
        const double told =
            fmax(ond_sim_solid_speed(solid, &a.state), ond_sim_solid_speed(solid, &b.state));
        if (way <= JUMP * s->scene->spacing || way <= 1.1 * fmax(told, *fastest) * dt)
            return OND_OK;
        if (dt < AT_ONCE) return fail_jump(s, solid->def, b.time, way, err);
        Looked middle = {.time = 0.5 * (a.time + b.time)};
        const OndStatus status = state_at(s, which, middle.time, &middle.state, err);
        if (status != OND_OK) return status;
        *fastest = fmax(*fastest, ond_sim_solid_speed(solid, &middle.state));
        const bool first = way_between(solid, &a.state.pose, &middle.state.pose) > 0.5 * way;
        *(first ? &b : &a) = middle;
    }
}

// Looks at the whole motion once, so that a formula without a value is told before the run.
static OndStatus look_at_motion(OndSimSolids *s, int which, OndError *err)
{
    const OndSimSolid *const solid = &s->solid[which];
    if (!ond_motion_moves(&solid->motion)) return OND_OK;
    const OndSceneDef *const scene = s->scene;
    const double wanted = LOOKS_A_TICK * scene->duration * scene->frame_rate;
    const int looks = (int)fmin(fmax(wanted, 64.0), SPEED_LOOKS);
    double fastest = 0.0, when = 0.0;
    Looked last = {0};
    for (int k = 0; k <= looks; ++k) {
        const double before = fastest;
        Looked now = {.time = scene->duration * k / looks};
        OndStatus status = state_at(s, which, now.time, &now.state, err);
        if (status != OND_OK) return status;
        fastest = fmax(fastest, ond_sim_solid_speed(solid, &now.state));
        if (k > 0) status = look_between(s, which, last, now, &fastest, err);
        if (status != OND_OK) return status;
        if (fastest > before) when = now.time;
        last = now;
    }
    s->fastest = fmax(s->fastest, fastest);
    if (fastest > FAST_SPEED)
        ond_sim_solids_note(s,
                            "solid '%.60s' moves at up to %.3g m/s (at t = %.3g s); steps become "
                            "short then: are times in seconds and lengths in metres?",
                            solid->def->name, fastest, when);
    return OND_OK;
}

// ---- where they are

static void bend(OndSimSolids *s, int which, double time)
{
    OndSimSolid *const solid = &s->solid[which];
    if (solid->sequence.count == 0) return;
    ond_sequence_at(&solid->sequence, time, solid->bent);
    ond_solids_bend(s->solids, which, solid->bent);
}

OndStatus ond_sim_solids_aim(OndSimSolids *s, double time, OndError *err)
{
    OndStatus status = OND_OK;
    for (int k = 0; k < s->count && status == OND_OK; ++k) {
        OndSolidState state;
        const OndSimSolid *const solid = &s->solid[k];
        const bool rests = !ond_motion_moves(&solid->motion) && solid->sequence.count == 0;
        if (rests || ond_solid_is_body(solid->def)) continue;
        status = state_at(s, k, time, &state, err);
        if (status != OND_OK) break;
        ond_solids_aim(s->solids, k, &state);
        bend(s, k, time);
    }
    return status;
}

OndStatus ond_sim_solids_place(OndSimSolids *s, double time, OndError *err)
{
    OndStatus status = OND_OK;
    bool bends = false;
    for (int k = 0; k < s->count && status == OND_OK; ++k) {
        OndSolidState state;
        const OndSceneSolid *const def = s->solid[k].def;
        status = state_at(s, k, time, &state, err);
        if (status != OND_OK) break;
        if (ond_solid_is_body(def)) {
            state.velocity = ond_add(
                def->velocity,
                ond_cross(def->spin, ond_sub(state.pose.at,
                                             ond_motion_pivot(&s->solid[k].motion, &state.pose))));
            state.spin = def->spin;
        }
        bend(s, k, time);
        bends = bends || s->solid[k].sequence.count > 0;
        ond_solids_place(s->solids, k, &state);
    }
    if (status == OND_OK && bends) ond_solids_arrive(s->solids); // the corners' start, too
    return status;
}

// ---- where nothing can start

static bool in_box(const OndBox *b, OndVec p)
{
    return p.x >= b->min.x && p.x <= b->max.x && p.y >= b->min.y && p.y <= b->max.y &&
           p.z >= b->min.z && p.z <= b->max.z;
}

static bool is_inside(const OndSimSolids *s, int which, OndVec point)
{
    const OndSimSolid *const solid = &s->solid[which];
    if (solid->sequence.count > 0 && solid->solid.kind == OND_SOLID_MESH)
        return ond_solids_in_mesh(s->solids, which, point);
    const bool flat = s->scene->dimension == 2;
    OndVec own = ond_pose_in(&ond_solids_state(s->solids, which)->pose, point);
    if (solid->solid.kind == OND_SOLID_PLANE) return own.y < 0.0;
    if (!solid->inside) return false;
    if (flat) own.z = solid->bounds.min.z; // whatever its z
    if (!in_box(&solid->bounds, own)) return false;
    if (flat) own.z = 0.0;
    return ond_shape_distance(solid->inside, own, flat) < 0.0;
}

// Of several containers it is enough to be in one.
static bool is_contained(const OndSimSolids *s, OndVec point)
{
    int containers = 0;
    for (int k = 0; k < s->count; ++k) {
        if (!s->solid[k].solid.container) continue;
        if (is_inside(s, k, point)) return true;
        ++containers;
    }
    return containers == 0;
}

bool ond_sim_solids_block(const OndSimSolids *s, OndVec point, double reach, int *which)
{
    OndTouch touch[OND_TOUCHES_MAX];
    int who = -1;
    bool blocked = !is_contained(s, point);
    for (int k = 0; k < s->count && !blocked; ++k)
        if (!s->solid[k].solid.container && is_inside(s, k, point)) who = k, blocked = true;
    if (!blocked && reach > 0.0 && ond_solids_near(s->solids, point, reach, touch) > 0)
        who = touch[0].solid, blocked = true;
    if (which) *which = who;
    return blocked;
}

// ---- making and freeing

// What does not move as told, or not only.
static void look_at_others(OndSimSolids *s)
{
    const double told = s->fastest;
    for (int k = 0; k < s->count; ++k) {
        const bool moves = ond_motion_moves(&s->solid[k].motion);
        s->fastest = fmax(s->fastest, ond_solid_fastest(s, k) + (moves ? told : 0.0));
        s->fall = fmax(s->fall, ond_solid_fall(s, k));
    }
}

static OndStatus build(OndSimSolids *s, OndError *err)
{
    OndSolidDef *const def = OND_NEW_ARRAY(OndSolidDef, s->count + 1);
    if (!def) return ond_fail(err, OND_NO_MEMORY, "not enough memory for %d solids", s->count);
    for (int k = 0; k < s->count; ++k) {
        s->solid[k].solid.free = ond_solid_is_body(s->solid[k].def);
        s->solid[k].solid.drifts = s->scene->has_grid && s->solid[k].solid.free;
        def[k] = s->solid[k].solid;
    }
    s->solids = ond_solids_create(def, s->count, s->scene->spacing, s->scene->dimension == 2, err);
    ond_free(def);
    return s->solids ? OND_OK : err ? err->status : OND_NO_MEMORY;
}

OndStatus ond_sim_solids_load(const OndSceneDef *scene, const OndAssets *assets, OndSimSolids *out,
                              OndError *err)
{
    memset(out, 0, sizeof *out);
    out->scene = scene;
    const int count = scene->solids.count;
    out->solid = ond_arena_take(&out->arena, (size_t)(count + 1) * sizeof *out->solid);
    out->now = ond_arena_take(&out->arena, (size_t)(count + 1) * sizeof *out->now);
    if (!out->solid || !out->now)
        return ond_fail(err, OND_NO_MEMORY, "not enough memory for %d solids", count);
    out->count = count;
    OndStatus status = OND_OK;
    for (int k = 0; k < count && status == OND_OK; ++k)
        status = ond_solid_make(out, ond_scene_solid(scene, k), assets, &out->solid[k], err);
    return status;
}

OndStatus ond_sim_solids_make(const OndSceneDef *scene, const OndAssets *assets, OndSimSolids *out,
                              OndError *err)
{
    OndStatus status = ond_sim_solids_load(scene, assets, out, err);
    if (status != OND_OK || out->count == 0) return status;
    for (int k = 0; k < out->count && status == OND_OK; ++k)
        status = look_at_motion(out, k, err);
    if (status == OND_OK) look_at_others(out);
    if (status == OND_OK) status = build(out, err);
    if (status == OND_OK) status = ond_sim_solids_place(out, 0.0, err);
    if (status == OND_OK) ond_solid_sizes_note(out);
    if (status == OND_OK) status = ond_solids_check_seams(out, err);
    return status;
}

void ond_sim_solids_free(OndSimSolids *s)
{
    ond_solids_destroy(s->solids);
    for (int k = 0; k < s->count; ++k) {
        ond_mesh_free(&s->solid[k].mesh);
        ond_sequence_free(&s->solid[k].sequence);
        ond_free(s->solid[k].bent);
    }
    ond_arena_free(&s->arena);
    memset(s, 0, sizeof *s);
}
