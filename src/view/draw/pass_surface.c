// SPDX-License-Identifier: MIT
// A liquid's surface in screen space: particles are drawn as balls into a map of distances, which is
// smoothed by the narrow-range filter [Truong and Yuksel 2018] until no ball is seen, and lit with the
// normals of what came out; how much liquid lies behind each pixel is added up in a second map.
//
// The filter takes a mean of the neighbours' distances. What lies farther behind than a narrow range
// does not count, and neither does its opposite neighbour; what is farther in front counts as a little
// nearer. The range grows with the neighbours that are within it, so that a slope is not taken for an edge.
//
// [Truong and Yuksel 2018] A narrow-range filter for screen-space fluid rendering, Proceedings of the ACM
// on Computer Graphics and Interactive Techniques 1 (1).
#include "view/draw/draw_state.h"

// clang-format off
static const char vertex[] = OND_GLSL(
layout(location = 0) in vec4 particle;
uniform float scale; // of the target, to the picture
out vec3 middle;
flat out float colour_value;
flat out float radius;

void main()
{
    middle = (view * vec4(particle.xyz, 1.0)).xyz;
    colour_value = particle.w;
    radius = 1.4 * ball.x;
    float before = -middle.z;
    if (!is_fit(particle.xyz) || before < lens.z + radius) {
        gl_Position = vec4(2.0, 2.0, 2.0, 1.0);
        gl_PointSize = 1.0;
        return;
    }
    gl_Position = clip * vec4(middle, 1.0);
    gl_PointSize = scale * radius * picture.y / (lens.y * before) + 1.0;
}
);

static const char distances[] = OND_GLSL(
in vec3 middle;
flat in float colour_value;
flat in float radius;
layout(location = 0) out vec2 found; // distance along the view, share of the colours

void main()
{
    vec2 p = (2.0 * gl_PointCoord - 1.0) * vec2(1.0, -1.0);
    float square = dot(p, p);
    if (square > 1.0) discard;
    float z = middle.z + radius * sqrt(1.0 - square);
    gl_FragDepth = 0.5 * (clip[2].z * z + clip[3].z) / -z + 0.5;
    found = vec2(-z, clamp((colour_value - ball.y) * ball.z, 0.0, 1.0));
}
);

static const char thickness[] = OND_GLSL(
in vec3 middle;
flat in float colour_value;
flat in float radius;
layout(location = 0) out float thick;

// A ball stands for the liquid of its spacing, so as much is added as that liquid is thick.
void main()
{
    vec2 p = 2.0 * gl_PointCoord - 1.0;
    float square = dot(p, p);
    if (square > 1.0) discard;
    thick = 0.55 * radius * sqrt(1.0 - square);
}
);

static const char mesh[] = OND_GLSL(
layout(location = 0) in vec3 corner;
out float along; // the view

void main()
{
    vec3 at = (view * vec4(corner, 1.0)).xyz;
    along = -at.z;
    gl_Position = is_fit(corner) ? clip * vec4(at, 1.0) : vec4(2.0, 2.0, 2.0, 1.0);
}
);

static const char mesh_distances[] = OND_GLSL(
in float along;
layout(location = 0) out vec2 found;

void main()
{
    found = vec2(along, 0.5);
}
);

static const char mesh_thickness[] = OND_GLSL(
in float along;
layout(location = 0) out float thick;

// Ways out less ways in, from the middle of the scene, so that half floats can tell them apart.
void main()
{
    float from = -(view * vec4(0.5 * (low.xyz + high.xyz), 1.0)).z;
    thick = gl_FrontFacing ? from - along : along - from;
}
);

static const char narrow[] = OND_GLSL(
uniform sampler2D a_map;
uniform ivec2 along;
uniform float scale;
uniform float strength; // how far it reaches, in balls
layout(location = 0) out vec2 found;

void main()
{
    ivec2 at = ivec2(gl_FragCoord.xy);
    vec2 own = texelFetch(a_map, at, 0).xy;
    found = own;
    if (own.x <= 0.0) return;
    float pixels = scale * picture.y / (2.0 * lens.y * own.x); // of a metre
    float reach = clamp(strength * ball.x * pixels, 1.0, 64.0);
    int hop = 1 + int(reach) / 20;
    float range = 9.0 * ball.x;
    float nearest = own.x - range;
    float farthest = own.x + range;
    vec3 sum = vec3(own, 1.0);
    for (int i = hop; i <= int(reach); i += hop) {
        vec2 a = texelFetch(a_map, at + i * along, 0).xy;
        vec2 b = texelFetch(a_map, at - i * along, 0).xy;
        if (min(a.x, b.x) <= 0.0 || max(a.x, b.x) > farthest) continue;
        float bell = exp(-4.5 * float(i * i) / (reach * reach));
        vec2 z = vec2(a.x, b.x);
        vec2 bent = mix(z, vec2(own.x - 1.5 * ball.x), vec2(lessThan(z, vec2(nearest))));
        sum += bell * vec3(bent.x + bent.y, a.y + b.y, 2.0);
        if (min(a.x, b.x) >= nearest) {
            nearest = min(nearest, min(a.x, b.x) - range);
            farthest = max(farthest, max(a.x, b.x) + range);
        }
    }
    found = sum.xy / sum.z;
}
);

// What two passes, along and across, leave of each other is taken out by a small one in both directions.
static const char clean[] = OND_GLSL(
uniform sampler2D a_map;
layout(location = 0) out vec2 found;

void main()
{
    ivec2 at = ivec2(gl_FragCoord.xy);
    vec2 own = texelFetch(a_map, at, 0).xy;
    found = own;
    if (own.x <= 0.0) return;
    vec3 sum = vec3(own, 1.0);
    for (int y = -2; y <= 2; ++y)
        for (int x = -2; x <= 2; ++x) {
            vec2 z = texelFetch(a_map, at + ivec2(x, y), 0).xy;
            if (z.x <= 0.0 || abs(z.x - own.x) > 2.0 * ball.x) continue;
            float bell = exp(-0.25 * float(x * x + y * y));
            sum += bell * vec3(z, 1.0);
        }
    found = sum.xy / sum.z;
}
);

static const char liquid[] = OND_GLSL(
in vec2 place;
uniform sampler2D a_map; // distances
uniform sampler2D b_map; // thickness
uniform float scale;
layout(location = 0) out vec4 light;

vec3 point_at(ivec2 at, float z)
{
    vec2 p = (2.0 * (vec2(at) + 0.5) / (scale * picture.xy) - 1.0) * lens.xy;
    return vec3(p * z, -z);
}

// The difference to whichever neighbour is nearer in depth: across a rim there is none.
vec3 slope(ivec2 at, ivec2 way, vec3 here)
{
    float a = texelFetch(a_map, at + way, 0).x;
    float b = texelFetch(a_map, at - way, 0).x;
    vec3 up = point_at(at + way, a) - here;
    vec3 down = here - point_at(at - way, b);
    if (a <= 0.0) return b <= 0.0 ? vec3(way, 0.0) : down;
    if (b <= 0.0) return up;
    return abs(up.z) < abs(down.z) ? up : down;
}

vec3 behind(vec2 where, float nearest, out float distance_there)
{
    float d = 2.0 * texture(depth_map, where).x - 1.0;
    distance_there = clip[3].z / (d + clip[2].z);
    return texture(light_map, distance_there < nearest ? place : where).rgb;
}

// Share of what is round a place that is liquid too: where it is less than half, a single ball sticks out of
// the silhouette, and is left out there.
float covered(ivec2 at, float along)
{
    float reach = clamp(1.3 * ball.x * scale * picture.y / (2.0 * lens.y * along), 1.0, 40.0);
    vec2 way = reach * vec2(0.966, 0.257);
    float sum = 0.0;
    for (int k = 0; k < 12; ++k) {
        vec2 to = (k % 2 == 0 ? 1.0 : 0.6) * way;
        sum += texelFetch(a_map, at + ivec2(floor(to + 0.5)), 0).x > 0.0 ? 1.0 : 0.0;
        way = mat2(-0.5, 0.8660254, -0.8660254, -0.5) * way; // a third of a turn
        if (k == 2 && sum > 2.5) return 1.0; // well inside
        if (k % 3 == 2) way = mat2(0.8660254, 0.5, -0.5, 0.8660254) * way; // and a twelfth
    }
    return smoothstep(0.36, 0.56, sum / 12.0);
}

// From dull red at 600 degrees to pale yellow at 1300, as in pictures (ond_look_heat).
vec3 glow(float celsius)
{
    float t = clamp((celsius - 520.0) / 780.0, 0.0, 1.0);
    float cube = t * t * t;
    return 4.6 * cube * vec3(1.0, 0.03 + 0.40 * cube, 0.003 + 0.10 * cube * t);
}

// Bent through, tinted on the way, mirrored at the top.
vec3 clear_light(vec3 n, vec3 to_eye, vec3 at, float thick, float frost)
{
    vec3 bent = refract(-to_eye, n, 1.0 / 1.33);
    vec3 out_at = at + min(thick, 0.5 * high.w) * bent;
    vec4 seen = clip * view * vec4(out_at, 1.0);
    float far;
    vec3 through = behind(clamp(0.5 * seen.xy / seen.w + 0.5, 0.001, 0.999), -(view * vec4(at, 1.0)).z, far);
    vec3 left = exp(-absorb.rgb * thick);
    float body = mix(1.0 - exp(-absorb.w * thick), 0.8, frost);
    vec3 inner = mix(base.rgb, vec3(0.70, 0.84, 0.92), frost);
    float facing = 0.62 + 0.38 * dot(n, key.xyz);
    vec3 milky = inner * (0.85 * key.w * facing * mix(0.4, 1.0, shade(at)) + sky_on(n));
    float rim = 0.03 + 0.97 * pow(1.0 - clamp(dot(n, to_eye), 0.0, 1.0), 4.0);
    vec3 mirrored = studio(reflect(-to_eye, n));
    float shine = pow(max(dot(n, normalize(key.xyz + to_eye)), 0.0), 220.0) * shade(at);
    return mix(mix(through * left, milky, body), mirrored, rim) + 1.3 * key.w * shine;
}

void main()
{
    ivec2 at = ivec2(gl_FragCoord.xy * scale);
    float own = texelFetch(depth_map, ivec2(gl_FragCoord.xy), 0).x;
    vec2 found = texelFetch(a_map, at, 0).xy;
    float depth = 0.5 * (clip[2].z * -found.x + clip[3].z) / max(found.x, 1e-9) + 0.5;
    light = texelFetch(light_map, ivec2(gl_FragCoord.xy), 0);
    gl_FragDepth = own;
    if (found.x <= 0.0 || depth > own) return;
    float cover = covered(at, found.x);
    if (cover <= 0.0) return;
    vec3 here = point_at(at, found.x);
    vec3 n = normalize(cross(slope(at, ivec2(1, 0), here), slope(at, ivec2(0, 1), here)));
    mat3 back = transpose(mat3(view));
    vec3 world = eye.xyz + back * here;
    vec3 to_eye = back * normalize(-here);
    n = back * (n.z < 0.0 ? -n : n);
    vec4 unseen = light;
    float thick = texture(b_map, place).x + 0.8 * ball.x;
    if (look.z > 0.5) {
        float frost = look.z > 1.5 ? 0.9 * smoothstep(0.2, 0.9, found.y) : 0.0; // ice in water
        light = vec4(clear_light(n, to_eye, world, thick, frost), 1.0);
    } else {
        vec3 own_colour = mix(base.rgb, absorb.rgb, absorb.w * smoothstep(0.2, 0.9, found.y));
        vec3 albedo = mix(own_colour, texture(palette_map, vec2((found.y * 255.0 + 0.5) / 256.0, 0.5)).rgb, base.w);
        vec3 seen = lit(albedo, n, to_eye, look.x, look.y, shade(world + 2.0 * ball.x * n));
        float thin = look.y * exp(-thick / (5.0 * ball.x)); // light comes through thin wax
        seen += thin * albedo * albedo * 0.6 * key.w;
        if (look.z < -0.5) seen += glow(ball.y + found.y / max(ball.z, 1e-9));
        light = vec4(seen, 1.0);
    }
    light = mix(unseen, light, cover);
    gl_FragDepth = depth;
}
);
// clang-format on

OndStatus ond_pass_surface_make(OndDraw *draw, OndError *err)
{
    static const struct {
        OndDrawProgram which;
        const char *name, *vertex, *fragment;
    } made[] = {{OND_PROGRAM_DISTANCES, "distances of the liquid", vertex, distances},
                {OND_PROGRAM_THICKNESS, "thickness of the liquid", vertex, thickness},
                {OND_PROGRAM_MESH_DISTANCES, "distances of a surface", mesh, mesh_distances},
                {OND_PROGRAM_MESH_THICKNESS, "thickness of a surface", mesh, mesh_thickness},
                {OND_PROGRAM_NARROW, "narrow-range filter", ond_shader_cover, narrow},
                {OND_PROGRAM_CLEAN, "last smoothing", ond_shader_cover, clean},
                {OND_PROGRAM_LIQUID, "liquid", ond_shader_cover, liquid}};
    for (size_t k = 0; k < sizeof made / sizeof made[0]; ++k) {
        draw->program[made[k].which] =
            ond_program_make(made[k].name, made[k].vertex, made[k].fragment, draw->gles, err);
        if (!draw->program[made[k].which]) return OND_MISSING;
    }
    return OND_OK;
}

static GLuint use(const OndDraw *draw, OndDrawProgram which, float scale)
{
    const GLuint program = draw->program[which];
    glUseProgram(program);
    glUniform1f(glGetUniformLocation(program, "scale"), scale);
    return program;
}

// Particles, or the triangles of a surface that was brought.
static void draw_liquid(const OndDraw *draw, OndDrawProgram balls, OndDrawProgram mesh_program,
                        float scale)
{
    if (draw->surface.opaque > 0) {
        use(draw, mesh_program, scale);
        glBindVertexArray(draw->surface.array);
        glDrawElements(GL_TRIANGLES, draw->surface.opaque, GL_UNSIGNED_INT, NULL);
        return;
    }
    use(draw, balls, scale);
    glBindVertexArray(draw->particle_array);
    glDrawArrays(GL_POINTS, 0, draw->shown.particles);
}

static void find_distances(OndDraw *draw, float scale)
{
    const GLfloat nothing[4] = {0, 0, 0, 0};
    ond_target_bind(&draw->distance);
    glEnable(GL_DEPTH_TEST);
    glClearBufferfv(GL_COLOR, 0, nothing);
    glClear(GL_DEPTH_BUFFER_BIT);
    draw_liquid(draw, OND_PROGRAM_DISTANCES, OND_PROGRAM_MESH_DISTANCES, scale);
    glDisable(GL_DEPTH_TEST);
}

static void find_thickness(OndDraw *draw, float scale)
{
    const GLfloat nothing[4] = {0, 0, 0, 0};
    ond_target_bind(&draw->thickness);
    glClearBufferfv(GL_COLOR, 0, nothing);
    glEnable(GL_BLEND);
    glBlendFunc(GL_ONE, GL_ONE);
    draw_liquid(draw, OND_PROGRAM_THICKNESS, OND_PROGRAM_MESH_THICKNESS, scale);
    glDisable(GL_BLEND);
}

static void smooth(OndDraw *draw, float scale)
{
    const float reach =
        draw->surface.opaque > 0 ? 1.0f : 6.0f; // a mesh is smooth but for its facets
    const OndTarget *const target[2] = {&draw->distance, &draw->smoothed};
    for (int k = 0; k < 3; ++k) {
        const OndDrawProgram which = k < 2 ? OND_PROGRAM_NARROW : OND_PROGRAM_CLEAN;
        ond_target_bind(target[(k + 1) % 2]);
        ond_unit_set(OND_UNIT_A, GL_TEXTURE_2D, target[k % 2]->texture);
        const GLuint program = use(draw, which, scale);
        if (k < 2) glUniform1f(glGetUniformLocation(program, "strength"), reach);
        if (k < 2) glUniform2i(glGetUniformLocation(program, "along"), k == 0, k == 1);
        ond_draw_cover(draw, which);
    }
}

static OndStatus make_room(OndDraw *draw, int width, int height, float scale, OndError *err)
{
    const int w = (int)(scale * (float)width + 0.5f), h = (int)(scale * (float)height + 0.5f);
    OndStatus status = ond_target_size(&draw->distance, GL_RG32F, true, w, h, err);
    if (status == OND_OK) status = ond_target_size(&draw->smoothed, GL_RG32F, false, w, h, err);
    if (status == OND_OK)
        status = ond_target_size(&draw->thickness, GL_R16F, false, (w + 1) / 2, (h + 1) / 2, err);
    if (status == OND_OK)
        status = ond_target_size(&draw->behind, draw->light, true, width, height, err);
    return status;
}

OndStatus ond_pass_surface(OndDraw *draw, const OndDrawShot *shot, OndError *err)
{
    const float scale = 1.0f;
    if (draw->shown.particles == 0 && draw->surface.opaque == 0) return OND_OK;
    const OndStatus status =
        make_room(draw, shot->options->width, shot->options->height, scale, err);
    if (status != OND_OK) return status;
    find_distances(draw, scale);
    find_thickness(draw, 0.5f * scale);
    smooth(draw, scale);
    const OndTarget scene =
        draw->scene; // what is there lies behind; what is drawn now is the scene
    draw->scene = draw->behind;
    draw->behind = scene;
    ond_target_bind(&draw->scene);
    ond_unit_set(OND_UNIT_LIGHT, GL_TEXTURE_2D, draw->behind.texture);
    ond_unit_set(OND_UNIT_DEPTH, GL_TEXTURE_2D, draw->behind.depth);
    ond_unit_set(OND_UNIT_A, GL_TEXTURE_2D, draw->smoothed.texture);
    ond_unit_set(OND_UNIT_B, GL_TEXTURE_2D, draw->thickness.texture);
    glEnable(GL_DEPTH_TEST);
    glDepthFunc(GL_ALWAYS);
    use(draw, OND_PROGRAM_LIQUID, scale);
    ond_draw_cover(draw, OND_PROGRAM_LIQUID);
    glDepthFunc(GL_LESS);
    ond_unit_set(OND_UNIT_LIGHT, GL_TEXTURE_2D, 0);
    ond_unit_set(OND_UNIT_DEPTH, GL_TEXTURE_2D, 0);
    return OND_OK;
}
