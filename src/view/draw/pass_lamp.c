// SPDX-License-Identifier: MIT
// How far the lamp's light gets: mean depth and its square as the lamp sees them, blurred, so that shadows
// are soft (variance shadow maps [Donnelly and Lauritzen 2006]; shade() in shader_parts.c reads them).
// They do not depend on the camera, so they are drawn once for what was uploaded.
#include "view/draw/draw_state.h"

enum { SIDE = 512 }; // texels: a particle of a liquid of 100k has about three

// clang-format off
static const char balls[] = OND_GLSL(
layout(location = 0) in vec4 particle;
out float deep;

void main()
{
    vec3 at = (lamp * vec4(particle.xyz, 1.0)).xyz;
    deep = at.z;
    gl_Position = is_fit(particle.xyz) ? vec4(2.0 * at.xy - 1.0, at.z, 1.0) : vec4(2.0, 2.0, 2.0, 1.0);
    gl_PointSize = max(ball.x * length(vec3(lamp[0].x, lamp[1].x, lamp[2].x)) * 1024.0, 2.5);
}
);

static const char ball_moments[] = OND_GLSL(
in float deep;
layout(location = 0) out vec2 moments;

void main()
{
    vec2 p = 2.0 * gl_PointCoord - 1.0;
    if (dot(p, p) > 1.0) discard;
    moments = vec2(deep, deep * deep);
}
);

static const char meshes[] = OND_GLSL(
layout(location = 0) in vec3 corner;
layout(location = 2) in float mesh;
uniform sampler2D a_map;
out float deep;

void main()
{
    int row = int(mesh + 0.5);
    vec4 own = vec4(corner, 1.0);
    vec3 world = vec3(dot(texelFetch(a_map, ivec2(0, row), 0), own),
                      dot(texelFetch(a_map, ivec2(1, row), 0), own),
                      dot(texelFetch(a_map, ivec2(2, row), 0), own));
    vec3 at = (lamp * vec4(world, 1.0)).xyz;
    deep = at.z;
    gl_Position = vec4(2.0 * at.xy - 1.0, at.z, 1.0);
}
);

static const char mesh_moments[] = OND_GLSL(
in float deep;
layout(location = 0) out vec2 moments;

void main()
{
    moments = vec2(deep, deep * deep);
}
);

static const char blur[] = OND_GLSL(
in vec2 place;
uniform sampler2D a_map;
uniform vec2 along; // a little over one texel
layout(location = 0) out vec2 moments;

// Nine texels of a bell curve by five looks between them.
void main()
{
    vec2 sum = 0.227027 * texture(a_map, place).xy;
    sum += 0.316216 * (texture(a_map, place + 1.384615 * along).xy + texture(a_map, place - 1.384615 * along).xy);
    sum += 0.070270 * (texture(a_map, place + 3.230769 * along).xy + texture(a_map, place - 3.230769 * along).xy);
    moments = sum;
}
);
// clang-format on

OndStatus ond_pass_lamp_make(OndDraw *draw, OndError *err)
{
    GLuint *const p = draw->program;
    p[OND_PROGRAM_LAMP_BALLS] =
        ond_program_make("shadows of particles", balls, ball_moments, draw->gles, err);
    if (!p[OND_PROGRAM_LAMP_BALLS]) return OND_MISSING;
    p[OND_PROGRAM_LAMP_MESHES] =
        ond_program_make("shadows of solids", meshes, mesh_moments, draw->gles, err);
    if (!p[OND_PROGRAM_LAMP_MESHES]) return OND_MISSING;
    p[OND_PROGRAM_BLUR] = ond_program_make("soft shadows", ond_shader_cover, blur, draw->gles, err);
    return p[OND_PROGRAM_BLUR] ? OND_OK : OND_MISSING;
}

static void soften(OndDraw *draw, const OndTarget *from, const OndTarget *to, bool upright)
{
    const GLuint program = draw->program[OND_PROGRAM_BLUR];
    ond_target_bind(to);
    ond_unit_set(OND_UNIT_A, GL_TEXTURE_2D, from->texture);
    glUseProgram(program);
    glUniform2f(glGetUniformLocation(program, "along"), upright ? 0.0f : 1.4f / SIDE,
                upright ? 1.4f / SIDE : 0.0f);
    ond_draw_cover(draw, OND_PROGRAM_BLUR);
}

OndStatus ond_pass_lamp(OndDraw *draw, OndError *err)
{
    const GLfloat far[4] = {1.0f, 1.0f, 0.0f, 0.0f};
    if (draw->lamp_is_fresh) return OND_OK;
    OndStatus status = ond_target_size(&draw->lamp_soft, GL_RG16F, false, SIDE, SIDE, err);
    if (status == OND_OK) status = ond_target_size(&draw->lamp, GL_RG16F, true, SIDE, SIDE, err);
    if (status != OND_OK) return status;
    glEnable(GL_DEPTH_TEST);
    glClearBufferfv(GL_COLOR, 0, far);
    glClear(GL_DEPTH_BUFFER_BIT);
    if (draw->has_meshes && draw->solids.opaque > 0) {
        ond_unit_set(OND_UNIT_A, GL_TEXTURE_2D, draw->poses);
        glUseProgram(draw->program[OND_PROGRAM_LAMP_MESHES]);
        glBindVertexArray(draw->solids.array);
        glDrawElements(GL_TRIANGLES, draw->solids.opaque, GL_UNSIGNED_INT, NULL);
    }
    if (draw->shown.particles > 0) {
        glUseProgram(draw->program[OND_PROGRAM_LAMP_BALLS]);
        glBindVertexArray(draw->particle_array);
        glDrawArrays(GL_POINTS, 0, draw->shown.particles);
    }
    glDisable(GL_DEPTH_TEST);
    soften(draw, &draw->lamp, &draw->lamp_soft, false);
    soften(draw, &draw->lamp_soft, &draw->lamp, true);
    if (draw->shown.cells[0] > 0) { // smoke asks for coarser levels, as it scatters light
        ond_unit_set(OND_UNIT_A, GL_TEXTURE_2D, draw->lamp.texture);
        glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR_MIPMAP_LINEAR);
        glGenerateMipmap(GL_TEXTURE_2D);
    }
    draw->lamp_is_fresh = true;
    return OND_OK;
}
