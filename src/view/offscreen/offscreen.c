// SPDX-License-Identifier: MIT
#include "view/offscreen/offscreen.h"

#include <epoxy/egl.h>
#include <epoxy/gl.h>
#include <stdlib.h>
#include <string.h>

struct OndOffscreen {
    EGLDisplay display;
    EGLContext context;
    GLuint framebuffer, buffer[2]; // colour and depth
    int width, height;
};

static EGLDisplay find_display(void)
{
    const char *const known = eglQueryString(EGL_NO_DISPLAY, EGL_EXTENSIONS);
    if (known && strstr(known, "EGL_MESA_platform_surfaceless") &&
        strstr(known, "EGL_EXT_platform_base"))
        return eglGetPlatformDisplayEXT(EGL_PLATFORM_SURFACELESS_MESA, EGL_DEFAULT_DISPLAY, NULL);
    return eglGetDisplay(EGL_DEFAULT_DISPLAY);
}

static EGLContext make_context(EGLDisplay display, bool gles)
{
    const EGLint want[] = {EGL_SURFACE_TYPE, EGL_PBUFFER_BIT, EGL_RENDERABLE_TYPE,
                           gles ? EGL_OPENGL_ES3_BIT : EGL_OPENGL_BIT, EGL_NONE};
    const EGLint desktop[] = {EGL_CONTEXT_MAJOR_VERSION,
                              3,
                              EGL_CONTEXT_MINOR_VERSION,
                              3,
                              EGL_CONTEXT_OPENGL_PROFILE_MASK,
                              EGL_CONTEXT_OPENGL_CORE_PROFILE_BIT,
                              EGL_NONE};
    const EGLint embedded[] = {EGL_CONTEXT_MAJOR_VERSION, 3, EGL_NONE};
    EGLConfig config = NULL;
    EGLint count = 0;
    if (!eglBindAPI(gles ? EGL_OPENGL_ES_API : EGL_OPENGL_API)) return EGL_NO_CONTEXT;
    if (!eglChooseConfig(display, want, &config, 1, &count) || count == 0) config = NULL;
    return eglCreateContext(display, config, EGL_NO_CONTEXT, gles ? embedded : desktop);
}

static bool make_framebuffer(OndOffscreen *o)
{
    glGenFramebuffers(1, &o->framebuffer);
    glGenRenderbuffers(2, o->buffer);
    glBindFramebuffer(GL_FRAMEBUFFER, o->framebuffer);
    for (int k = 0; k < 2; ++k) {
        glBindRenderbuffer(GL_RENDERBUFFER, o->buffer[k]);
        glRenderbufferStorage(GL_RENDERBUFFER, k ? GL_DEPTH_COMPONENT24 : GL_RGBA8, o->width,
                              o->height);
        glFramebufferRenderbuffer(GL_FRAMEBUFFER, k ? GL_DEPTH_ATTACHMENT : GL_COLOR_ATTACHMENT0,
                                  GL_RENDERBUFFER, o->buffer[k]);
    }
    return glCheckFramebufferStatus(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE;
}

// Whether a variable of Mesa's asks for an older version than that.
static bool asks_for_less(const char *variable, double than)
{
    const char *const value = getenv(variable);
    const double asked = value ? strtod(value, NULL) : 0.0; // 0: Mesa makes nothing of it either
    return asked > 0.0 && asked < than;
}

const char *ond_offscreen_remedy(bool gles)
{
    const char *const software = getenv("LIBGL_ALWAYS_SOFTWARE");
    if (gles && asks_for_less("MESA_GLES_VERSION_OVERRIDE", 3.0))
        return "unset MESA_GLES_VERSION_OVERRIDE, which asks for another version";
    if (!gles && asks_for_less("MESA_GL_VERSION_OVERRIDE", 3.3))
        return "unset MESA_GL_VERSION_OVERRIDE, which asks for another version";
    if (software && (software[0] == '1' || software[0] == 't' || software[0] == 'y'))
        return "Debian's libgl1-mesa-dri draws on the processor";
    return "LIBGL_ALWAYS_SOFTWARE=1 draws on the processor, with Debian's libgl1-mesa-dri";
}

static OndStatus open_all(OndOffscreen *o, bool gles, OndError *err)
{
    o->display = find_display();
    if (o->display == EGL_NO_DISPLAY || !eglInitialize(o->display, NULL, NULL)) {
        o->display = EGL_NO_DISPLAY;
        return ond_fail(err, OND_MISSING,
                        "EGL finds nothing to draw with; on Debian, libegl1 and libgl1-mesa-dri "
                        "draw without a graphics card");
    }
    o->context = make_context(o->display, gles);
    if (o->context == EGL_NO_CONTEXT ||
        !eglMakeCurrent(o->display, EGL_NO_SURFACE, EGL_NO_SURFACE, o->context))
        return ond_fail(err, OND_MISSING, "EGL has no %s here (error 0x%x); %s",
                        gles ? "OpenGL ES 3" : "OpenGL 3.3", (unsigned)eglGetError(),
                        ond_offscreen_remedy(gles));
    if (!make_framebuffer(o))
        return ond_fail(err, OND_MISSING, "no framebuffer of %d x %d can be had here", o->width,
                        o->height);
    return OND_OK;
}

OndOffscreen *ond_offscreen_create(bool gles, int width, int height, OndError *err)
{
    OndOffscreen *const o = calloc(1, sizeof *o);
    if (!o) {
        ond_fail(err, OND_NO_MEMORY, "no memory for a picture");
        return NULL;
    }
    o->width = width, o->height = height;
    o->display = EGL_NO_DISPLAY, o->context = EGL_NO_CONTEXT;
    if (open_all(o, gles, err) == OND_OK) return o;
    ond_offscreen_destroy(o);
    return NULL;
}

void ond_offscreen_destroy(OndOffscreen *o)
{
    if (!o) return;
    if (o->framebuffer) {
        glDeleteFramebuffers(1, &o->framebuffer);
        glDeleteRenderbuffers(2, o->buffer);
    }
    // The display stays: it is the process's, and Mesa unloads its driver without freeing all of it.
    if (o->display != EGL_NO_DISPLAY) {
        eglMakeCurrent(o->display, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
        if (o->context != EGL_NO_CONTEXT) eglDestroyContext(o->display, o->context);
    }
    free(o);
}

void ond_offscreen_bind(const OndOffscreen *o)
{
    glBindFramebuffer(GL_FRAMEBUFFER, o->framebuffer);
}

void ond_offscreen_read(const OndOffscreen *o, unsigned char *rgb)
{
    const size_t row = 4 * (size_t)o->width;
    unsigned char *const all = malloc(row * (size_t)o->height);
    if (!all) return;
    ond_offscreen_bind(o);
    glPixelStorei(GL_PACK_ALIGNMENT, 1);
    glReadPixels(0, 0, o->width, o->height, GL_RGBA, GL_UNSIGNED_BYTE, all);
    for (int y = 0; y < o->height; ++y)
        for (int x = 0; x < o->width; ++x)
            memcpy(rgb + 3 * ((size_t)y * (size_t)o->width + (size_t)x),
                   all + (size_t)(o->height - 1 - y) * row + 4 * (size_t)x, 3);
    free(all);
}
