// SPDX-License-Identifier: MIT
#include "view/window/window.h"

#include "app/run_stop.h"
#include "base/clock.h"
#include "base/memory.h"
#include "view/offscreen/offscreen.h"

#include <epoxy/gl.h>
// After epoxy, which brings OpenGL itself.
#include <GLFW/glfw3.h>
#include <stdlib.h>
#include <string.h>

#define PICTURES_MOST 250.0 // a second, where the screen sets no pace
#define IDLE          0.02  // s between two looks when nothing happens
#define MINIMISED     0.2

struct OndWindow {
    GLFWwindow *glfw;
    OndFace *face;
};

// ---- what GLFW says went wrong

static int failure;
static char failure_text[256];

static void take_failure(int code, const char *text)
{
    if (failure) return; // the first says most
    failure = code;
    snprintf(failure_text, sizeof failure_text, "%s", text);
}

static OndStatus window_fail(OndError *err)
{
    const char *const without = "--screenshot FILE.png makes a picture without one";
    if (failure == GLFW_VERSION_UNAVAILABLE || failure == GLFW_API_UNAVAILABLE)
        return ond_fail(err, OND_MISSING, "this display has no OpenGL 3.3 (%s); %s", failure_text,
                        ond_offscreen_remedy(false));
    if (!getenv("DISPLAY") && !getenv("WAYLAND_DISPLAY"))
        return ond_fail(err, OND_MISSING,
                        "there is no display to open a window on (over ssh: ssh -X); %s", without);
    if (!getenv("DISPLAY") && strncmp(failure_text, "X11", 3) == 0) // a GLFW without Wayland
        return ond_fail(
            err, OND_MISSING,
            "there is no X display to open a window on; on Wayland it comes by Xwayland; %s",
            without);
    return ond_fail(err, OND_MISSING, "no window could be opened: %s; %s",
                    failure_text[0] ? failure_text : "no reason was given", without);
}

// ---- events

static void hand_on(GLFWwindow *glfw, const OndEvent *event)
{
    const OndWindow *const window = glfwGetWindowUserPointer(glfw);
    if (window->face) ond_face_event(window->face, event);
}

static int special_key(int key)
{
    switch (key) {
    case GLFW_KEY_SPACE:
        return OND_KEY_SPACE;
    case GLFW_KEY_ENTER:
    case GLFW_KEY_KP_ENTER:
        return OND_KEY_ENTER;
    case GLFW_KEY_ESCAPE:
        return OND_KEY_ESCAPE;
    case GLFW_KEY_BACKSPACE:
        return OND_KEY_BACKSPACE;
    case GLFW_KEY_DELETE:
        return OND_KEY_DELETE;
    case GLFW_KEY_TAB:
        return OND_KEY_TAB;
    case GLFW_KEY_LEFT:
        return OND_KEY_LEFT;
    case GLFW_KEY_RIGHT:
        return OND_KEY_RIGHT;
    case GLFW_KEY_UP:
        return OND_KEY_UP;
    case GLFW_KEY_DOWN:
        return OND_KEY_DOWN;
    case GLFW_KEY_HOME:
        return OND_KEY_HOME;
    case GLFW_KEY_END:
        return OND_KEY_END;
    case GLFW_KEY_LEFT_CONTROL:
    case GLFW_KEY_RIGHT_CONTROL:
        return OND_KEY_CONTROL;
    case GLFW_KEY_LEFT_SHIFT:
    case GLFW_KEY_RIGHT_SHIFT:
        return OND_KEY_SHIFT;
    default:
        return 0;
    }
}

// Letters as the keyboard's layout has them, digits also where they need shift.
static int key_code(int key, int scan)
{
    const int special = special_key(key);
    if (special) return special;
    const char *const name = glfwGetKeyName(key, scan);
    const char letter = name && name[0] && !name[1] ? name[0] : '\0';
    if (letter >= 'a' && letter <= 'z') return letter - 'a' + 'A';
    if ((letter >= 'A' && letter <= 'Z') || (letter >= '0' && letter <= '9')) return letter;
    if (key >= GLFW_KEY_0 && key <= GLFW_KEY_9) return key;
    return key >= GLFW_KEY_KP_0 && key <= GLFW_KEY_KP_9 ? key - GLFW_KEY_KP_0 + '0' : 0;
}

static void on_key(GLFWwindow *glfw, int key, int scan, int action, int mods)
{
    const OndEvent event = {.kind = OND_EVENT_KEY,
                            .key = key_code(key, scan),
                            .down = action != GLFW_RELEASE,
                            .again = action == GLFW_REPEAT};
    const bool command = (mods & (GLFW_MOD_CONTROL | GLFW_MOD_ALT | GLFW_MOD_SUPER)) != 0;
    if (event.key && !(command && event.down && event.key < OND_KEY_ENTER)) hand_on(glfw, &event);
}

static void on_text(GLFWwindow *glfw, unsigned code)
{
    const OndEvent event = {.kind = OND_EVENT_TEXT, .key = (int)code};
    hand_on(glfw, &event);
}

// Pointers come in the window's own measure.
static void on_move(GLFWwindow *glfw, double x, double y)
{
    int w, h, wide, tall;
    glfwGetWindowSize(glfw, &w, &h);
    glfwGetFramebufferSize(glfw, &wide, &tall);
    const OndEvent event = {
        .kind = OND_EVENT_MOVE, .x = w > 0 ? x * wide / w : x, .y = h > 0 ? y * tall / h : y};
    hand_on(glfw, &event);
}

static void on_enter(GLFWwindow *glfw, int entered)
{
    const OndEvent event = {.kind = OND_EVENT_LEAVE};
    if (!entered) hand_on(glfw, &event);
}

static void on_button(GLFWwindow *glfw, int button, int action, int mods)
{
    const OndEvent event = {.kind = OND_EVENT_BUTTON, .key = button, .down = action == GLFW_PRESS};
    (void)mods;
    hand_on(glfw, &event);
}

static void on_wheel(GLFWwindow *glfw, double x, double y)
{
    const OndEvent event = {.kind = OND_EVENT_WHEEL, .x = x, .y = y};
    hand_on(glfw, &event);
}

// ---- opening and closing

static GLFWwindow *make_with(int api, const char *title, int width, int height)
{
    glfwWindowHint(GLFW_CONTEXT_CREATION_API, api);
    glfwWindowHint(GLFW_CONTEXT_VERSION_MAJOR, 3);
    glfwWindowHint(GLFW_CONTEXT_VERSION_MINOR, 3);
    glfwWindowHint(GLFW_OPENGL_PROFILE, GLFW_OPENGL_CORE_PROFILE);
    glfwWindowHint(GLFW_OPENGL_FORWARD_COMPAT, GLFW_TRUE);
    glfwWindowHint(GLFW_SCALE_TO_MONITOR, GLFW_TRUE);
    return glfwCreateWindow(width, height, title, NULL, NULL);
}

// By EGL where the display itself brings no OpenGL, as X servers without GLX do not.
static GLFWwindow *make(const char *title, int width, int height)
{
    GLFWwindow *const window = make_with(GLFW_NATIVE_CONTEXT_API, title, width, height);
    return window ? window : make_with(GLFW_EGL_CONTEXT_API, title, width, height);
}

OndWindow *ond_window_open(const char *title, int width, int height, OndError *err)
{
    OndWindow *const window = OND_NEW(OndWindow);
    failure = 0;
    failure_text[0] = '\0';
    glfwSetErrorCallback(take_failure);
    if (!window) {
        ond_fail(err, OND_NO_MEMORY, "not enough memory for a window");
        return NULL;
    }
    window->glfw = glfwInit() ? make(title, width, height) : NULL;
    if (!window->glfw) {
        window_fail(err);
        ond_window_close(window);
        return NULL;
    }
    glfwSetWindowUserPointer(window->glfw, window);
    glfwMakeContextCurrent(window->glfw);
    glfwSwapInterval(1);
    glfwSetKeyCallback(window->glfw, on_key);
    glfwSetCharCallback(window->glfw, on_text);
    glfwSetCursorPosCallback(window->glfw, on_move);
    glfwSetCursorEnterCallback(window->glfw, on_enter);
    glfwSetMouseButtonCallback(window->glfw, on_button);
    glfwSetScrollCallback(window->glfw, on_wheel);
    return window;
}

void ond_window_close(OndWindow *window)
{
    if (!window) return;
    if (window->glfw) glfwDestroyWindow(window->glfw);
    glfwTerminate();
    ond_free(window);
}

double ond_window_scale(const OndWindow *window)
{
    float x = 1.0f, y = 1.0f;
    glfwGetWindowContentScale(window->glfw, &x, &y);
    return x >= 0.5f && x <= 8.0f ? x : 1.0;
}

void ond_window_wake(void *nothing)
{
    (void)nothing;
    glfwPostEmptyEvent();
}

// ---- the loop

// A picture, if there is a reason for one. `last` is when the one before was made, ms.
static OndStatus picture(OndWindow *window, bool asked, double *last, OndError *err)
{
    int width, height;
    glfwGetFramebufferSize(window->glfw, &width, &height);
    const bool away = glfwGetWindowAttrib(window->glfw, GLFW_ICONIFIED) || width < 1 || height < 1;
    if (away || !(ond_face_look(window->face, width, height) || asked)) {
        glfwWaitEventsTimeout(away ? MINIMISED : IDLE);
        return OND_OK;
    }
    const double passed = (ond_now_ms() - *last) * 1e-3;
    if (passed < 1.0 / PICTURES_MOST) glfwWaitEventsTimeout(1.0 / PICTURES_MOST - passed);
    glBindFramebuffer(GL_FRAMEBUFFER, 0);
    const OndStatus status = ond_face_draw(window->face, ond_lap_ms(last) * 1e-3, err);
    if (status == OND_OK) glfwSwapBuffers(window->glfw);
    return status;
}

OndStatus ond_window_run(OndWindow *window, OndFace *face, OndScript *script, OndError *err)
{
    OndStatus status = OND_OK;
    double last = ond_now_ms();
    window->face = face;
    while (status == OND_OK && !glfwWindowShouldClose(window->glfw) && !ond_face_closed(face) &&
           !ond_stop_asked()) {
        const bool asked = !ond_script_done(script);
        glfwPollEvents();
        if (asked) status = ond_script_step(script, face, err);
        if (status == OND_OK) status = picture(window, asked, &last, err);
    }
    window->face = NULL;
    return status;
}
