// SPDX-License-Identifier: MIT
#include "view/draw/gl.h"
#include "view/draw/shader_parts.h"

#include <stdio.h>

const char *const ond_unit_names[OND_UNITS] = {"palette_map", "light_map", "depth_map", "shade_map",
                                               "a_map",       "b_map",     "cells_map"};

// What the two dialects are told before everything else.
static const char desktop[] = "#version 330 core\n";
static const char embedded[] = "#version 300 es\n"
                               "precision highp float;\n"
                               "precision highp int;\n"
                               "precision highp sampler2D;\n"
                               "precision highp sampler3D;\n";

static GLuint compile(const char *name, GLenum kind, const char *text, bool gles, OndError *err)
{
    const GLuint shader = glCreateShader(kind);
    const char *const parts[] = {gles ? embedded : desktop, ond_shader_frame,
                                 kind == GL_FRAGMENT_SHADER ? ond_shader_light : "", text};
    GLint done = 0;
    char log[1000] = "";
    glShaderSource(shader, 4, parts, NULL);
    glCompileShader(shader);
    glGetShaderiv(shader, GL_COMPILE_STATUS, &done);
    if (done) return shader;
    glGetShaderInfoLog(shader, sizeof log, NULL, log);
    glDeleteShader(shader);
    ond_fail(err, OND_MISSING, "the %s shader of '%s' does not compile here: %s",
             kind == GL_VERTEX_SHADER ? "vertex" : "fragment", name,
             log[0] ? log : "the driver does not say why");
    return 0;
}

// Textures and the frame's numbers are where all programs look for them.
static void connect(GLuint program)
{
    const GLuint frame = glGetUniformBlockIndex(program, "Frame");
    if (frame != GL_INVALID_INDEX) glUniformBlockBinding(program, frame, 0);
    glUseProgram(program);
    for (int k = 0; k < OND_UNITS; ++k) {
        const GLint at = glGetUniformLocation(program, ond_unit_names[k]);
        if (at >= 0) glUniform1i(at, k);
    }
    glUseProgram(0);
}

GLuint ond_program_make(const char *name, const char *vertex, const char *fragment, bool gles,
                        OndError *err)
{
    const GLuint v = compile(name, GL_VERTEX_SHADER, vertex, gles, err);
    const GLuint f = v ? compile(name, GL_FRAGMENT_SHADER, fragment, gles, err) : 0;
    const GLuint program = f ? glCreateProgram() : 0;
    GLint done = 0;
    char log[1000] = "";
    if (program) {
        glAttachShader(program, v);
        glAttachShader(program, f);
        glLinkProgram(program);
        glGetProgramiv(program, GL_LINK_STATUS, &done);
        if (!done) glGetProgramInfoLog(program, sizeof log, NULL, log);
    }
    if (v) glDeleteShader(v);
    if (f) glDeleteShader(f);
    if (done) {
        connect(program);
        return program;
    }
    if (program) {
        glDeleteProgram(program);
        ond_fail(err, OND_MISSING, "the shaders of '%s' do not fit together here: %s", name,
                 log[0] ? log : "the driver does not say why");
    }
    return 0;
}
