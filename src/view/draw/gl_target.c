// SPDX-License-Identifier: MIT
#include "view/draw/gl.h"

#include <string.h>

// Sized formats, and the names under which WebGL 2 takes pixels for them.
typedef struct TargetFormat {
    GLenum sized, pixels, type;
    bool smooth; // between texels
} TargetFormat;

static const TargetFormat formats[] = {
    {GL_RGBA16F, GL_RGBA, GL_HALF_FLOAT, true}, {GL_RG16F, GL_RG, GL_HALF_FLOAT, true},
    {GL_R16F, GL_RED, GL_HALF_FLOAT, true},     {GL_RG32F, GL_RG, GL_FLOAT, false},
    {GL_RGBA32F, GL_RGBA, GL_FLOAT, false},     {GL_R32F, GL_RED, GL_FLOAT, false},
    {GL_RGBA8, GL_RGBA, GL_UNSIGNED_BYTE, true}};

static const TargetFormat *format_of(GLenum sized)
{
    const int count = (int)(sizeof formats / sizeof formats[0]);
    for (int k = 0; k < count; ++k)
        if (formats[k].sized == sized) return &formats[k];
    return &formats[count - 1];
}

static GLuint texture_for(GLenum sized, GLenum pixels, GLenum type, bool smooth, int width,
                          int height)
{
    GLuint texture = 0;
    const GLint filter = smooth ? GL_LINEAR : GL_NEAREST;
    glGenTextures(1, &texture);
    glActiveTexture(GL_TEXTURE0 + OND_UNIT_A);
    glBindTexture(GL_TEXTURE_2D, texture);
    glTexImage2D(GL_TEXTURE_2D, 0, (GLint)sized, width, height, 0, pixels, type, NULL);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, filter);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, filter);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
    return texture;
}

static void make(OndTarget *t, GLenum format, bool deep, int width, int height)
{
    const TargetFormat *const f = format_of(format);
    *t = (OndTarget){.format = format, .deep = deep, .width = width, .height = height};
    t->texture = texture_for(f->sized, f->pixels, f->type, f->smooth, width, height);
    if (deep)
        t->depth = texture_for(GL_DEPTH_COMPONENT24, GL_DEPTH_COMPONENT, GL_UNSIGNED_INT, false,
                               width, height);
    glGenFramebuffers(1, &t->framebuffer);
    glBindFramebuffer(GL_FRAMEBUFFER, t->framebuffer);
    glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, t->texture, 0);
    if (deep)
        glFramebufferTexture2D(GL_FRAMEBUFFER, GL_DEPTH_ATTACHMENT, GL_TEXTURE_2D, t->depth, 0);
}

OndStatus ond_target_size(OndTarget *target, GLenum format, bool deep, int width, int height,
                          OndError *err)
{
    if (target->framebuffer && target->format == format && target->deep == deep &&
        target->width == width && target->height == height) {
        ond_target_bind(target);
        return OND_OK;
    }
    ond_target_free(target, false);
    make(target, format, deep, width, height);
    const GLenum status = glCheckFramebufferStatus(GL_FRAMEBUFFER);
    glViewport(0, 0, width, height);
    if (status == GL_FRAMEBUFFER_COMPLETE) return OND_OK;
    ond_target_free(target, false);
    return ond_fail(err, OND_MISSING,
                    "this graphics driver cannot draw into a picture of %d x %d in format 0x%x "
                    "(status 0x%x)",
                    width, height, (unsigned)format, (unsigned)status);
}

void ond_target_free(OndTarget *target, bool lost)
{
    if (!lost && target->framebuffer) {
        glDeleteFramebuffers(1, &target->framebuffer);
        glDeleteTextures(1, &target->texture);
        if (target->depth) glDeleteTextures(1, &target->depth);
    }
    memset(target, 0, sizeof *target);
}

void ond_target_bind(const OndTarget *target)
{
    glBindFramebuffer(GL_FRAMEBUFFER, target->framebuffer);
    glViewport(0, 0, target->width, target->height);
}

void ond_unit_set(OndTextureUnit unit, GLenum kind, GLuint texture)
{
    glActiveTexture(GL_TEXTURE0 + (GLenum)unit);
    glBindTexture(kind, texture);
}
