// SPDX-License-Identifier: MIT
// What fills a grid: in 3D smoke, marched through from the eye with a short march to the lamp at every
// step, at half the picture's width and height; in 2D a sheet of colours.
#include "view/draw/draw_state.h"

// clang-format off
static const char volume[] = OND_GLSL(
in vec2 place;
uniform sampler3D cells_map; // density, share of the colours
uniform sampler2D a_map;     // depth of what stands in it
layout(location = 0) out vec4 light;

vec2 cell(vec3 world)
{
    vec3 p = (world - grid_low.xyz) / (grid_high.xyz - grid_low.xyz);
    return texture(cells_map, p).xy;
}

void main()
{
    vec3 way = way_through(place);
    vec3 slow = 1.0 / (abs(way) + 1e-7) * mix(vec3(-1.0), vec3(1.0), greaterThanEqual(way, vec3(0.0)));
    vec3 a = (grid_low.xyz - eye.xyz) * slow;
    vec3 b = (grid_high.xyz - eye.xyz) * slow;
    vec3 near = min(a, b);
    vec3 far = max(a, b);
    float from = max(max(near.x, max(near.y, near.z)), 0.0);
    float to = min(far.x, min(far.y, far.z));
    float d = 2.0 * texture(a_map, place).x - 1.0;
    float along = -(view * vec4(way, 0.0)).z; // of the view's depth, a metre of the way
    to = min(to, clip[3].z / (d + clip[2].z) / max(along, 1e-4));
    light = vec4(0.0);
    if (to <= from) discard;
    vec2 pixel = gl_FragCoord.xy;
    float offset = fract(52.9829189 * fract(0.06711056 * pixel.x + 0.00583715 * pixel.y));
    float hop = max((to - from) / 44.0, 0.7 * grid_high.w);
    float left = 1.0;
    vec3 sum = vec3(0.0);
    vec3 from_sky = sky_on(vec3(0.0, 0.4, 0.0)) * (sky_top.w > 0.5 ? 0.9 : 0.42);
    float lamp_hop = 0.11 * high.w;
    float forward = 0.75 + 0.5 * pow(max(dot(way, key.xyz), 0.0), 3.0);
    for (float t = from + offset * hop; t < to; t += hop) {
        vec3 at = eye.xyz + t * way;
        vec2 here = cell(at);
        if (here.x < 0.004) continue;
        float thick = 0.0;
        for (int k = 0; k < 4; ++k) {
            vec3 up = at + (float(k) + 0.3 + 0.4 * offset) * lamp_hop * key.xyz;
            if (any(lessThan(up, grid_low.xyz)) || any(greaterThan(up, grid_high.xyz))) break;
            thick += cell(up).x;
        }
        float passes = exp(-0.5 * grid_low.w * thick * lamp_hop) * shade_soft(at, 4.5);
        float taken = 1.0 - exp(-grid_low.w * here.x * hop);
        vec3 colour = base.rgb;
        if (base.w > 0.5) { // what is hot glows
            float heat = smoothstep(0.25, 1.0, here.y);
            vec3 glow = texture(palette_map, vec2((here.y * 255.0 + 0.5) / 256.0, 0.5)).rgb;
            sum += left * taken * heat * look.x * glow;
        }
        sum += left * taken * colour * ((sky_top.w > 0.5 ? 1.25 : 0.8) * key.w * passes * forward + from_sky);
        left *= 1.0 - taken;
        if (left < 0.01) break;
    }
    light = vec4(sum, 1.0 - left);
}
);

static const char over[] = OND_GLSL(
in vec2 place;
uniform sampler2D b_map;
layout(location = 0) out vec4 light;

// The mean of four smooths out where the march began.
void main()
{
    vec2 half_texel = 0.5 / vec2(textureSize(b_map, 0));
    light = 0.25 * (texture(b_map, place + half_texel) + texture(b_map, place - half_texel) +
                    texture(b_map, place + half_texel * vec2(1.0, -1.0)) +
                    texture(b_map, place - half_texel * vec2(1.0, -1.0)));
}
);

static const char sheet[] = OND_GLSL(
in vec2 place;
uniform sampler3D cells_map;
layout(location = 0) out vec4 light;

void main()
{
    vec2 world = eye.xy + (2.0 * place - 1.0) * lens.xy;
    vec2 p = (world - grid_low.xy) / (grid_high.xy - grid_low.xy);
    if (any(lessThan(p, vec2(0.0))) || any(greaterThan(p, vec2(1.0)))) discard;
    vec2 here = texture(cells_map, vec3(p, 0.5)).xy;
    float cover = 1.0 - exp(-2.6 * max(here.x, 0.0));
    vec3 colour = base.rgb * (sky_top.w > 0.5 ? 1.0 : 0.45); // on paper smoke is darker than it
    if (base.w > 0.5) {
        vec3 glow = texture(palette_map, vec2((here.y * 255.0 + 0.5) / 256.0, 0.5)).rgb;
        colour = mix(colour, glow, 0.8 * smoothstep(0.1, 0.7, here.y));
    }
    light = vec4(colour, 1.0) * cover;
}
);
// clang-format on

OndStatus ond_pass_smoke_make(OndDraw *draw, OndError *err)
{
    static const struct {
        OndDrawProgram which;
        const char *name, *fragment;
    } made[] = {{OND_PROGRAM_SMOKE, "smoke", volume},
                {OND_PROGRAM_SMOKE_OVER, "smoke over the scene", over},
                {OND_PROGRAM_SHEET, "sheet of smoke", sheet}};
    for (size_t k = 0; k < sizeof made / sizeof made[0]; ++k) {
        GLuint *const program = &draw->program[made[k].which];
        *program =
            ond_program_make(made[k].name, ond_shader_cover, made[k].fragment, draw->gles, err);
        if (!*program) return OND_MISSING;
    }
    return OND_OK;
}

static OndStatus march(OndDraw *draw, const OndDrawShot *shot, OndError *err)
{
    const OndStatus status =
        ond_target_size(&draw->smoke, draw->light, false, (shot->options->width + 1) / 2,
                        (shot->options->height + 1) / 2, err);
    if (status != OND_OK) return status;
    const GLfloat nothing[4] = {0, 0, 0, 0};
    glClearBufferfv(GL_COLOR, 0, nothing);
    ond_unit_set(OND_UNIT_A, GL_TEXTURE_2D, draw->scene.depth);
    ond_draw_cover(draw, OND_PROGRAM_SMOKE);
    ond_target_bind(&draw->scene);
    ond_unit_set(OND_UNIT_B, GL_TEXTURE_2D, draw->smoke.texture);
    return OND_OK;
}

OndStatus ond_pass_smoke(OndDraw *draw, const OndDrawShot *shot, OndError *err)
{
    OndStatus status = OND_OK;
    if (draw->shown.cells[0] == 0) return OND_OK;
    glDisable(GL_DEPTH_TEST);
    ond_unit_set(OND_UNIT_CELLS, GL_TEXTURE_3D, draw->cells);
    if (!shot->flat) status = march(draw, shot, err);
    glEnable(GL_BLEND);
    glBlendFunc(GL_ONE, GL_ONE_MINUS_SRC_ALPHA);
    if (status == OND_OK)
        ond_draw_cover(draw, shot->flat ? OND_PROGRAM_SHEET : OND_PROGRAM_SMOKE_OVER);
    glDisable(GL_BLEND);
    glEnable(GL_DEPTH_TEST);
    return status;
}
