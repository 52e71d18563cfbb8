// SPDX-License-Identifier: MIT
// OpenGL 3.3 core or OpenGL ES 3 / WebGL 2: what both have, and programs and targets on top of it.
#ifndef VIEW_DRAW_GL_H
#define VIEW_DRAW_GL_H

#ifdef __EMSCRIPTEN__
#include <GLES3/gl3.h>
#else
#include <epoxy/gl.h>
#endif

#include <ondine/error.h>
#include <stdbool.h>

/// A shader's text is written as C; directives cannot stand in it.
#define OND_GLSL(...) #__VA_ARGS__ "\n"

/// Where a program reads its textures: a unit each, for all programs alike.
typedef enum OndTextureUnit {
    OND_UNIT_PALETTE,
    OND_UNIT_LIGHT, ///< the scene without what is drawn now
    OND_UNIT_DEPTH, ///< of the scene
    OND_UNIT_SHADE, ///< light that arrives from the lamp
    OND_UNIT_A,     ///< what a pass takes from the one before
    OND_UNIT_B,
    OND_UNIT_CELLS, ///< a grid's
    OND_UNITS
} OndTextureUnit;

/// The uniform of each unit in a shader: "palette_map", "light_map"...
extern const char *const ond_unit_names[OND_UNITS];

/// Makes a program of a vertex and a fragment shader; what all shaders know (shader_parts.h) comes
/// before both. 0 and a sentence with what the driver says on failure.
GLuint ond_program_make(const char *name, const char *vertex, const char *fragment, bool gles,
                        OndError *err);

/// A texture that can be drawn into.
typedef struct OndTarget {
    GLuint framebuffer, texture, depth; ///< 0: none; depth is a texture, too
    GLenum format;
    bool deep; ///< has depth
    int width, height;
} OndTarget;

/// Makes it that large, or leaves it where it is so already. Binds it. `format` is a sized one, GL_RGBA16F.
OndStatus ond_target_size(OndTarget *target, GLenum format, bool deep, int width, int height,
                          OndError *err);
void ond_target_free(OndTarget *target, bool lost);
void ond_target_bind(const OndTarget *target);
/// Puts a texture where shaders look for it.
void ond_unit_set(OndTextureUnit unit, GLenum kind, GLuint texture);

#endif
