// SPDX-License-Identifier: MIT
#include "view/window/script.h"

#include "base/memory.h"
#include "io/file.h"

#include <stdio.h>
#include <string.h>

#define WORDS_MAX 6
#define WAIT_MAX  1e6 // pictures

struct OndScript {
    char *text;
    char *at; // what comes next
    int wait; // pictures

    // The left button on its way.
    bool held;
    double from[2], to[2];
    int pictures, passed;
};

OndScript *ond_script_create(const char *text, OndError *err)
{
    OndScript *const script = OND_NEW(OndScript);
    const size_t size = strlen(text) + 1;
    char *const copy = script ? OND_NEW_ARRAY(char, size) : NULL;
    if (!copy) {
        ond_free(script);
        ond_fail(err, OND_NO_MEMORY, "not enough memory for what shall be done");
        return NULL;
    }
    memcpy(copy, text, size);
    script->text = script->at = copy;
    return script;
}

void ond_script_destroy(OndScript *script)
{
    if (!script) return;
    ond_free(script->text);
    ond_free(script);
}

bool ond_script_done(const OndScript *script)
{
    return !script || (!*script->at && !script->held && script->wait == 0);
}

// ---- reading

static bool number_of(const char *word, size_t length, double least, double most, double *out)
{
    return ond_text_number(word, length, out) && *out >= least && *out <= most;
}

static bool place_of(const char *word, double out[2])
{
    const char *const comma = word ? strchr(word, ',') : NULL;
    return comma && number_of(word, (size_t)(comma - word), -10, 10, &out[0]) &&
           number_of(comma + 1, strlen(comma + 1), -10, 10, &out[1]);
}

static bool count_of(const char *word, int *out)
{
    double number;
    if (!word || !number_of(word, strlen(word), 0, WAIT_MAX, &number)) return false;
    *out = (int)number;
    return true;
}

static int key_of(const char *word)
{
    static const struct {
        const char *name;
        int key;
    } keys[] = {{"space", OND_KEY_SPACE},  {"left", OND_KEY_LEFT}, {"right", OND_KEY_RIGHT},
                {"home", OND_KEY_HOME},    {"end", OND_KEY_END},   {"tab", OND_KEY_TAB},
                {"escape", OND_KEY_ESCAPE}};
    for (int k = 0; word && k < OND_COUNT(keys); ++k)
        if (strcmp(word, keys[k].name) == 0) return keys[k].key;
    if (!word || !word[0] || word[1]) return 0;
    if (word[0] >= 'a' && word[0] <= 'z') return word[0] - 'a' + 'A';
    const bool known = (word[0] >= 'A' && word[0] <= 'Z') || (word[0] >= '0' && word[0] <= '9');
    return known ? word[0] : 0;
}

// ---- doing

static void tell(OndFace *face, OndEventKind kind, int key, bool down)
{
    const OndEvent event = {.kind = kind, .key = key, .down = down};
    ond_face_event(face, &event);
}

static void tell_place(OndFace *face, double x, double y)
{
    int width, height;
    ond_face_size(face, &width, &height);
    const OndEvent event = {.kind = OND_EVENT_MOVE, .x = x * width, .y = y * height};
    ond_face_event(face, &event);
}

static void begin_drag(OndScript *s, OndFace *face)
{
    tell_place(face, s->from[0], s->from[1]);
    tell(face, OND_EVENT_BUTTON, OND_BUTTON_LEFT, true);
    s->held = true;
    s->passed = 0;
}

static void go_on_dragging(OndScript *s, OndFace *face)
{
    const double part = s->pictures > 0 ? (double)++s->passed / s->pictures : 1.0;
    tell_place(face, s->from[0] + part * (s->to[0] - s->from[0]),
               s->from[1] + part * (s->to[1] - s->from[1]));
    if (part < 1.0) return;
    tell(face, OND_EVENT_BUTTON, OND_BUTTON_LEFT, false);
    s->held = false;
}

static bool turn_eye(OndFace *face, char *const *word, int count)
{
    double yaw, pitch;
    if (count != 3 || !number_of(word[1], strlen(word[1]), -3600, 3600, &yaw) ||
        !number_of(word[2], strlen(word[2]), -180, 180, &pitch))
        return false;
    ond_orbit_turn(ond_face_orbit(face), yaw * 0.017453292519943295, pitch * 0.017453292519943295);
    return true;
}

static bool zoom_eye(OndFace *face, char *const *word, int count)
{
    double factor;
    if (count != 2 || !number_of(word[1], strlen(word[1]), 1e-3, 1e3, &factor)) return false;
    ond_orbit_zoom(ond_face_orbit(face), factor);
    return true;
}

static bool press_key(OndFace *face, char *const *word, int count)
{
    const int key = count == 2 ? key_of(word[1]) : 0;
    if (key) tell(face, OND_EVENT_KEY, key, true);
    if (key) tell(face, OND_EVENT_KEY, key, false);
    return key != 0;
}

static bool hold_or_drag(OndScript *s, OndFace *face, char *const *word, int count)
{
    const bool drag = strcmp(word[0], "drag") == 0;
    if (count != (drag ? 4 : 3) || !place_of(word[1], s->from) ||
        !place_of(word[drag ? 2 : 1], s->to) || !count_of(word[count - 1], &s->pictures))
        return false;
    begin_drag(s, face);
    return true;
}

static bool move_pointer(OndFace *face, char *const *word, int count)
{
    double at[2];
    if (count != 2 || !place_of(word[1], at)) return false;
    tell_place(face, at[0], at[1]);
    return true;
}

// The words of a step. False with `known` where they do not fit.
static bool do_words(OndScript *s, OndFace *face, char *const *word, int count, bool *known)
{
    const char *const verb = word[0];
    *known = true;
    if (strcmp(verb, "key") == 0) return press_key(face, word, count);
    if (strcmp(verb, "wait") == 0) return count == 2 && count_of(word[1], &s->wait);
    if (strcmp(verb, "move") == 0) return move_pointer(face, word, count);
    if (strcmp(verb, "turn") == 0) return turn_eye(face, word, count);
    if (strcmp(verb, "zoom") == 0) return zoom_eye(face, word, count);
    if (strcmp(verb, "hold") == 0 || strcmp(verb, "drag") == 0)
        return hold_or_drag(s, face, word, count);
    *known = strcmp(verb, "down") == 0 || strcmp(verb, "up") == 0;
    if (*known) tell(face, OND_EVENT_BUTTON, OND_BUTTON_LEFT, verb[0] == 'd');
    return *known;
}

static OndStatus do_step(OndScript *s, OndFace *face, char *step, OndError *err)
{
    char *word[WORDS_MAX + 1] = {NULL}, *rest = NULL, whole[80];
    int count = 0;
    bool known = false;
    void *self = NULL;
    snprintf(whole, sizeof whole, "%s", step + strspn(step, " \t"));
    for (char *w = strtok_r(step, " \t", &rest); w && count < WORDS_MAX;
         w = strtok_r(NULL, " \t", &rest))
        word[count++] = w;
    if (count == 0 || do_words(s, face, word, count, &known)) return OND_OK;
    if (known)
        return ond_fail(err, OND_BAD_VALUE,
                        "'%s' cannot be done; as in: key space; wait 30; hold 0.5,0.5 30; drag "
                        "0.4,0.5 0.6,0.5 60; turn 30 10; zoom 0.8",
                        whole);
    return ond_face_source(face, &self)->ask(self, face, word, count, err);
}

OndStatus ond_script_step(OndScript *s, OndFace *face, OndError *err)
{
    if (s->held) {
        go_on_dragging(s, face);
        return OND_OK;
    }
    while (s->wait == 0 && !s->held && *s->at) {
        const size_t length = strcspn(s->at, ";\n");
        char *const step = s->at;
        s->at += length + (step[length] != '\0');
        step[length] = '\0';
        const OndStatus status = do_step(s, face, step, err);
        if (status != OND_OK) return status;
    }
    if (s->wait > 0) --s->wait;
    return OND_OK;
}
