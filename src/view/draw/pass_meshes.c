// SPDX-License-Identifier: MIT
// Solids: all opaque ones in one draw call, all that one sees through in another. Each corner knows its
// mesh, and a texture knows where each mesh stands and its colour.
#include "view/draw/draw_state.h"

#include <stddef.h>

// clang-format off
static const char vertex[] = OND_GLSL(
layout(location = 0) in vec3 corner;
layout(location = 1) in vec3 normal;
layout(location = 2) in float mesh;
uniform sampler2D a_map;
out vec3 world;
out vec3 facing;
flat out vec4 colour;
flat out float metal;

void main()
{
    int row = int(mesh + 0.5);
    vec4 x = texelFetch(a_map, ivec2(0, row), 0);
    vec4 y = texelFetch(a_map, ivec2(1, row), 0);
    vec4 z = texelFetch(a_map, ivec2(2, row), 0);
    vec4 at = vec4(corner, 1.0);
    world = vec3(dot(x, at), dot(y, at), dot(z, at));
    facing = vec3(dot(x.xyz, normal), dot(y.xyz, normal), dot(z.xyz, normal));
    colour = texelFetch(a_map, ivec2(3, row), 0);
    metal = texelFetch(a_map, ivec2(4, row), 0).x;
    gl_Position = is_fit(world) ? clip * view * vec4(world, 1.0) : vec4(2.0, 2.0, 2.0, 1.0);
}
);

static const char fragment[] = OND_GLSL(
in vec3 world;
in vec3 facing;
flat in vec4 colour;
flat in float metal;
layout(location = 0) out vec4 light;

void main()
{
    if (eye.w > 0.5) { // a silhouette before the paper
        light = vec4(colour.rgb * 0.5, 1.0) * max(colour.a, 0.35);
        return;
    }
    vec3 to_eye = normalize(eye.xyz - world);
    vec3 n = normalize(facing);
    if (dot(n, to_eye) < 0.0) n = -n;
    vec3 seen;
    float cover = 1.0;
    if (colour.a < 0.99) { // glass: what it mirrors, and a tint that is stronger at rims
        float rim = pow(1.0 - clamp(dot(n, to_eye), 0.0, 1.0), 3.0);
        float mirror = 0.06 + 0.94 * rim;
        cover = clamp(mirror * 0.7 + colour.a * 0.3, 0.0, 1.0);
        seen = mirror * studio(reflect(-to_eye, n)) + colour.a * 0.3 * colour.rgb * sky_on(n);
        seen += pow(max(dot(n, normalize(key.xyz + to_eye)), 0.0), 120.0) * key.w;
    } else if (metal > 0.5) {
        vec3 mirrored = studio(reflect(-to_eye, n));
        float shine = pow(max(dot(n, normalize(key.xyz + to_eye)), 0.0), 60.0) * shade(world);
        seen = colour.rgb * (0.75 * mirrored + 0.25 * sky_on(n) + 0.3 * key.w * max(dot(n, key.xyz), 0.0) * shade(world)) + shine * key.w;
    } else {
        seen = lit(colour.rgb, n, to_eye, 0.35, 0.0, shade(world + 0.01 * high.w * n));
    }
    light = vec4(seen, cover);
}
);
// clang-format on

OndStatus ond_pass_meshes_make(OndDraw *draw, OndError *err)
{
    GLuint *const program = &draw->program[OND_PROGRAM_MESH];
    *program = ond_program_make("solids", vertex, fragment, draw->gles, err);
    return *program ? OND_OK : OND_MISSING;
}

void ond_pass_meshes(OndDraw *draw, bool clear)
{
    const OndDrawMesh *const m = &draw->solids;
    const int count = clear ? m->clear : m->opaque;
    const size_t first = clear ? (size_t)m->opaque : 0;
    if (!draw->has_meshes || count == 0) return;
    if (clear) {
        glEnable(GL_BLEND);
        glBlendFunc(GL_ONE, GL_ONE_MINUS_SRC_ALPHA);
        glDepthMask(GL_FALSE);
    }
    ond_unit_set(OND_UNIT_A, GL_TEXTURE_2D, draw->poses);
    glUseProgram(draw->program[OND_PROGRAM_MESH]);
    glBindVertexArray(m->array);
    glDrawElements(GL_TRIANGLES, count, GL_UNSIGNED_INT, (const void *)(first * sizeof(uint32_t)));
    glDisable(GL_BLEND);
    glDepthMask(GL_TRUE);
}
