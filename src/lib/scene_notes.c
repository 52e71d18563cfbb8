// SPDX-License-Identifier: MIT
// What a person should know of a scene before it is used.
#include "lib/scene_notes.h"

#include "lib/scene.h"
#include "sim/scene/scene_missing.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

typedef struct Listener {
    OndNoteFn *say;
    void *user;
} Listener;

__attribute__((format(printf, 2, 3))) static void tell(const Listener *to, const char *format, ...)
{
    char note[4500]; // a path is cut at 4096
    va_list values;
    va_start(values, format);
    vsnprintf(note, sizeof note, format, values);
    va_end(values);
    to->say(note, to->user);
}

// Paths were made whole on reading: what follows the last step up is how a person knows the file.
static void say_missing(const char *path, void *context)
{
    for (const char *up = strstr(path, "/../"); up; up = strstr(up + 3, "/../"))
        path = up + 4;
    tell(context, "%.4096s is not there; its stand-in is used.", path);
}

// Whether anything may catch or brake what falls. Walls beside the fall that let everything slide
// are as good as none.
static bool is_held_back(const OndSceneDef *scene)
{
    bool held = scene->solids.count > 0;
    for (int side = 0; scene->has_domain && side < 2 * scene->dimension; ++side)
        held |=
            scene->domain.side[side].kind == OND_SIDE_WALL && scene->domain.side[side].slip < 1.0f;
    for (int f = 0; f < scene->fluids.count; ++f)
        held |= ond_scene_fluid(scene, f)->fixed || ond_scene_fluid(scene, f)->regions.count > 0;
    return held;
}

static void say_free_fall(const OndSceneDef *scene, const Listener *to)
{
    if (scene->has_grid || is_held_back(scene)) return;
    if (!scene->has_domain && ond_length(scene->gravity) > 0.0)
        tell(to, "there is no domain and no solid, so everything falls for ever; give a domain: "
                 "{min: [x, y, z], max: [x, y, z]}, or gravity: [0, 0, 0]");
    for (int a = 0; scene->has_domain && a < scene->dimension; ++a) {
        const double g = fabs(ond_axis(scene->gravity, a));
        if (scene->domain.axis[a] == OND_SIDE_PERIODIC && g > 0.0)
            tell(to,
                 "gravity points along %c, which is periodic: nothing stops the fall, and "
                 "speeds grow by %g m/s in a second",
                 "xyz"[a], g);
    }
}

void ond_notes_of_scene(const OndSceneDef *scene, OndNoteFn *say, void *user)
{
    Listener to = {say, user};
    if (!say) return;
    say_free_fall(scene, &to);
    if (scene->duration > scene->asked)
        tell(&to,
             "the duration of %g s ends between two frames (%g a second); the run goes on "
             "to %g s, frame %d",
             scene->asked, scene->frame_rate, scene->duration, ond_sim_frame_count(scene) - 1);
    ond_scene_missing(scene, say_missing, &to);
}

void ond_notes_of_sim(const OndSim *sim, OndNoteFn *say, void *user)
{
    const char *note;
    for (int k = 0; say && (note = ond_sim_note(sim, k)); ++k)
        say(note, user);
}

OndStatus ond_scene_notes(const OndScene *scene, OndNoteFn *say, void *user, OndError *err)
{
    OndSceneDef def;
    const OndStatus status = ond_scene_definitions(scene, &def, err);
    if (status == OND_OK) ond_notes_of_scene(&def, say, user);
    ond_scene_free(&def);
    return status;
}
