// SPDX-License-Identifier: MIT
// Particles as balls: points whose pixels find the ball's surface, with its depth, so that they cut each
// other and everything else as balls do. Only what is seen in the end is lit, in a second pass over the
// picture: most balls of a liquid are hidden. In 2D discs with soft rims.
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
    if (!is_fit(particle.xyz) || (eye.w < 0.5 && before < lens.z + ball.x)) {
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
layout(location = 0) out vec4 found; // place on the ball, share of the colours

void main()
{
    vec2 p = (2.0 * gl_PointCoord - 1.0) * vec2(1.0, -1.0);
    float square = dot(p, p);
    if (square > 1.0) discard;
    float z = middle.z + ball.x * sqrt(1.0 - square);
    gl_FragDepth = 0.5 * (clip[2].z * z + clip[3].z) / -z + 0.5;
    found = vec4(0.5 * p + 0.5, clamp((colour_value.x - ball.y) * ball.z, 0.0, 1.0), 1.0);
}
);

static const char shaded[] = OND_GLSL(
in vec2 place;
uniform sampler2D a_map; // what was found
uniform sampler2D b_map; // and how deep
layout(location = 0) out vec4 light;

float distance_at(ivec2 at)
{
    return clip[3].z / (2.0 * texelFetch(b_map, at, 0).x - 1.0 + clip[2].z);
}

// How open it is there: neighbours in front within a few balls take light away.
float openness(ivec2 at, float own)
{
    float reach = clamp(2.2 * ball.x * picture.y / (2.0 * lens.y * own), 2.0, 24.0);
    float taken = 0.0;
    vec2 way = reach * vec2(0.921, 0.389);
    for (int k = 0; k < 8; ++k) {
        vec2 to = (k % 2 == 0 ? 1.0 : 0.55) * way;
        float before = (own - distance_at(at + ivec2(to))) / ball.x;
        way = mat2(0.7071068, 0.7071068, -0.7071068, 0.7071068) * way; // an eighth of a turn
        taken += smoothstep(0.3, 2.0, before) * (1.0 - smoothstep(4.0, 9.0, before));
    }
    return 1.0 - 0.085 * taken;
}

void main()
{
    ivec2 at = ivec2(gl_FragCoord.xy);
    vec4 found = texelFetch(a_map, at, 0);
    if (found.w < 0.5) discard;
    vec2 p = 2.0 * found.xy - 1.0;
    float own = distance_at(at);
    gl_FragDepth = texelFetch(b_map, at, 0).x;
    vec3 here = vec3((2.0 * place - 1.0) * lens.xy * own, -own);
    mat3 back = transpose(mat3(view));
    vec3 n = back * vec3(p, sqrt(max(1.0 - dot(p, p), 0.0)));
    vec3 mapped = texture(palette_map, vec2((found.z * 255.0 + 0.5) / 256.0, 0.5)).rgb;
    vec3 albedo = mix(base.rgb, mapped, base.w);
    float open = openness(at, own);
    vec3 world = eye.xyz + back * here;
    light = vec4(lit(albedo, n, back * normalize(-here), look.x * open, look.y, shade(world)) * open, 1.0);
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
    program[OND_PROGRAM_SHADED] =
        ond_program_make("lit spheres", ond_shader_cover, shaded, draw->gles, err);
    if (!program[OND_PROGRAM_SHADED]) return OND_MISSING;
    program[OND_PROGRAM_DISCS] = ond_program_make("discs", vertex, disc, draw->gles, err);
    return program[OND_PROGRAM_DISCS] ? OND_OK : OND_MISSING;
}

static void draw_particles(const OndDraw *draw, OndDrawProgram program)
{
    glUseProgram(draw->program[program]);
    glBindVertexArray(draw->particle_array);
    glDrawArrays(GL_POINTS, 0, draw->shown.particles);
}

static void draw_discs(const OndDraw *draw)
{
    glEnable(GL_BLEND);
    glBlendFunc(GL_ONE, GL_ONE_MINUS_SRC_ALPHA);
    glDisable(GL_DEPTH_TEST);
    draw_particles(draw, OND_PROGRAM_DISCS);
    glDisable(GL_BLEND);
    glEnable(GL_DEPTH_TEST);
}

OndStatus ond_pass_spheres(OndDraw *draw, const OndDrawShot *shot, OndError *err)
{
    const GLfloat nothing[4] = {0, 0, 0, 0};
    if (draw->shown.particles == 0) return OND_OK;
    if (shot->flat) {
        draw_discs(draw);
        return OND_OK;
    }
    const OndStatus status = ond_target_size(&draw->behind, draw->light, true, shot->options->width,
                                             shot->options->height, err);
    if (status != OND_OK) return status;
    glClearBufferfv(GL_COLOR, 0, nothing);
    glClear(GL_DEPTH_BUFFER_BIT);
    draw_particles(draw, OND_PROGRAM_SPHERES);
    ond_target_bind(&draw->scene);
    ond_unit_set(OND_UNIT_A, GL_TEXTURE_2D, draw->behind.texture);
    ond_unit_set(OND_UNIT_B, GL_TEXTURE_2D, draw->behind.depth);
    ond_draw_cover(draw, OND_PROGRAM_SHADED);
    return OND_OK;
}
