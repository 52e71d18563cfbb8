// SPDX-License-Identifier: MIT
// A liquid in 2D, filled: every particle adds a soft blob to a field, and the liquid is where the field is
// high enough. Colours are the blobs' mean, the rim is as sharp as pixels allow and shaded like a bevel.
#include "view/draw/draw_state.h"

// clang-format off
static const char vertex[] = OND_GLSL(
layout(location = 0) in vec4 particle;
uniform float scale;
flat out float share; // of the colours

void main()
{
    share = clamp((particle.w - ball.y) * ball.z, 0.0, 1.0);
    gl_Position = is_fit(particle.xyz) ? clip * view * vec4(particle.xy, 0.0, 1.0) : vec4(2.0, 2.0, 2.0, 1.0);
    gl_PointSize = max(scale * 2.3 * ball.x * picture.y / lens.y, 2.0);
}
);

static const char blob[] = OND_GLSL(
flat in float share;
layout(location = 0) out vec2 field;

void main()
{
    vec2 p = 2.0 * gl_PointCoord - 1.0;
    float inside = max(1.0 - dot(p, p), 0.0);
    field = inside * inside * vec2(1.0, share);
}
);

static const char filled[] = OND_GLSL(
in vec2 place;
uniform sampler2D a_map;
layout(location = 0) out vec4 light;

void main()
{
    vec2 here = texture(a_map, place).xy;
    vec2 texel = 1.0 / vec2(textureSize(a_map, 0));
    float right = texture(a_map, place + vec2(texel.x, 0.0)).x;
    float left = texture(a_map, place - vec2(texel.x, 0.0)).x;
    float up = texture(a_map, place + vec2(0.0, texel.y)).x;
    float down = texture(a_map, place - vec2(0.0, texel.y)).x;
    vec2 slope = 0.5 * vec2(right - left, up - down) * texel / (picture.zw); // per pixel, as texels are
    slope /= max(texel * picture.xy, vec2(1e-6));
    float steep = max(length(vec2(right - left, up - down)) * 0.5 / max(texel.x * picture.x, 1.0), 1e-4);
    float cover = clamp((here.x - 0.65) / steep + 0.5, 0.0, 1.0);
    if (cover <= 0.0) discard;
    float share = here.y / max(here.x, 1e-3);
    vec3 mapped = texture(palette_map, vec2((share * 255.0 + 0.5) / 256.0, 0.5)).rgb;
    vec3 colour = mix(base.rgb, mapped, base.w);
    float depth = smoothstep(0.65, 2.0, here.x); // 0 at the rim
    vec2 outwards = -vec2(right - left, up - down);
    outwards = dot(outwards, outwards) > 1e-10 ? normalize(outwards) : vec2(0.0);
    float lit_side = dot(outwards, normalize(vec2(-0.5, 0.85)));
    float rim = 1.0 - depth;
    colour *= 1.0 - 0.28 * rim * (1.0 - 0.8 * max(lit_side, 0.0));
    colour += rim * rim * 0.25 * max(lit_side, 0.0);
    light = vec4(colour, 1.0) * cover;
}
);
// clang-format on

OndStatus ond_pass_flat_make(OndDraw *draw, OndError *err)
{
    GLuint *const p = draw->program;
    p[OND_PROGRAM_BLOBS] = ond_program_make("blobs", vertex, blob, draw->gles, err);
    if (!p[OND_PROGRAM_BLOBS]) return OND_MISSING;
    p[OND_PROGRAM_FILLED] =
        ond_program_make("filled liquid", ond_shader_cover, filled, draw->gles, err);
    return p[OND_PROGRAM_FILLED] ? OND_OK : OND_MISSING;
}

OndStatus ond_pass_flat(OndDraw *draw, const OndDrawShot *shot, OndError *err)
{
    const GLfloat nothing[4] = {0, 0, 0, 0};
    const GLuint blobs = draw->program[OND_PROGRAM_BLOBS];
    if (draw->shown.particles == 0) return OND_OK;
    const OndStatus status =
        ond_target_size(&draw->thickness, GL_RG16F, false, (shot->options->width + 1) / 2,
                        (shot->options->height + 1) / 2, err);
    if (status != OND_OK) return status;
    glDisable(GL_DEPTH_TEST);
    glClearBufferfv(GL_COLOR, 0, nothing);
    glEnable(GL_BLEND);
    glBlendFunc(GL_ONE, GL_ONE);
    glUseProgram(blobs);
    glUniform1f(glGetUniformLocation(blobs, "scale"), 0.5f);
    glBindVertexArray(draw->particle_array);
    glDrawArrays(GL_POINTS, 0, draw->shown.particles);
    ond_target_bind(&draw->scene);
    ond_unit_set(OND_UNIT_A, GL_TEXTURE_2D, draw->thickness.texture);
    glBlendFunc(GL_ONE, GL_ONE_MINUS_SRC_ALPHA);
    ond_draw_cover(draw, OND_PROGRAM_FILLED);
    glDisable(GL_BLEND);
    glEnable(GL_DEPTH_TEST);
    return OND_OK;
}
