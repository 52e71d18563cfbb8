// SPDX-License-Identifier: MIT
// Particles as balls: points whose pixels find the ball's surface, with its depth, so that they cut each
// other and everything else as balls do. In 2D discs with soft rims.
#include "view/draw/draw_state.h"

// clang-format off
static const char vertex[] = OND_GLSL(
layout(location = 0) in vec4 particle;
out vec3 middle;
flat out vec3 colour_value;

void main()
{
    middle = (view * vec4(particle.xyz, 1.0)).xyz;
    colour_value = vec3(particle.w);
    float before = eye.w > 0.5 ? 1.0 : -middle.z;
    if (!is_fit(particle.xyz) || before < lens.z + ball.x) {
        gl_Position = vec4(2.0, 2.0, 2.0, 1.0);
        gl_PointSize = 1.0;
        return;
    }
    gl_Position = clip * vec4(middle, 1.0);
    gl_PointSize = ball.x * picture.y / (lens.y * before) + (eye.w > 0.5 ? 2.0 : 1.0);
}
);

static const char sphere[] = OND_GLSL(
in vec3 middle;
flat in vec3 colour_value;
layout(location = 0) out vec4 light;

void main()
{
    vec2 p = (2.0 * gl_PointCoord - 1.0) * vec2(1.0, -1.0);
    float square = dot(p, p);
    if (square > 1.0) discard;
    vec3 n = vec3(p, sqrt(1.0 - square));
    vec3 at = middle + ball.x * n;
    vec2 deep = (clip * vec4(at, 1.0)).zw;
    gl_FragDepth = 0.5 * deep.x / deep.y + 0.5;
    mat3 back = transpose(mat3(view));
    vec3 world = eye.xyz + back * at;
    vec3 to_eye = back * normalize(-at);
    vec3 albedo = palette(colour_value.x);
    light = vec4(lit(albedo, back * n, to_eye, look.x, look.y, shade(world)), 1.0);
}
);

static const char disc[] = OND_GLSL(
in vec3 middle;
flat in vec3 colour_value;
layout(location = 0) out vec4 light;

void main()
{
    float pixels = ball.x * picture.y / lens.y; // of the diameter
    vec2 p = (2.0 * gl_PointCoord - 1.0) * (pixels + 2.0) / pixels;
    float far = length(p);
    float cover = clamp((1.0 - far) * 0.5 * pixels + 0.5, 0.0, 1.0);
    if (cover <= 0.0) discard;
    float rim = smoothstep(0.3, 1.0, far);
    vec3 colour = palette(colour_value.x) * (1.06 - 0.30 * rim);
    light = vec4(colour, 1.0) * cover;
}
);
// clang-format on

OndStatus ond_pass_spheres_make(OndDraw *draw, OndError *err)
{
    GLuint *const program = draw->program;
    program[OND_PROGRAM_SPHERES] = ond_program_make("spheres", vertex, sphere, draw->gles, err);
    if (!program[OND_PROGRAM_SPHERES]) return OND_MISSING;
    program[OND_PROGRAM_DISCS] = ond_program_make("discs", vertex, disc, draw->gles, err);
    return program[OND_PROGRAM_DISCS] ? OND_OK : OND_MISSING;
}

void ond_pass_spheres(OndDraw *draw, const OndDrawShot *shot)
{
    if (draw->shown.particles == 0) return;
    if (shot->flat) {
        glEnable(GL_BLEND);
        glBlendFunc(GL_ONE, GL_ONE_MINUS_SRC_ALPHA);
        glDisable(GL_DEPTH_TEST);
    }
    glUseProgram(draw->program[shot->flat ? OND_PROGRAM_DISCS : OND_PROGRAM_SPHERES]);
    glBindVertexArray(draw->particle_array);
    glDrawArrays(GL_POINTS, 0, draw->shown.particles);
    glDisable(GL_BLEND);
    glEnable(GL_DEPTH_TEST);
}
