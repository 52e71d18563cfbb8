// SPDX-License-Identifier: MIT
// The pairs of the thesis's solver: packed once a step, so that an iteration reads one stream.
//
// A pair counts alpha_ij W_ij with alpha_ij = min(s_i, s_j)^b. At b = 20 that spans 40 orders of
// magnitude between s = 1 and s = 0.01, more than a float has; but corrections are ratios, phi_i
// over the sum of weights, so each particle's weights are taken relative to its most rigid pair and
// sum to 1. Weights below LEAST are raised to it: such a pair must stay visible to the propagation
// of constraints, where it may be the only one (ond_thesis_lean then looks at it again).
#include "base/memory.h"
#include "base/parallel.h"
#include "particles/rigid/thesis.h"
#include "physics/rigidity.h"

#define LEAST 1e-30f
#define EDGE                                                                                       \
    1e-9f // least W, of that in the middle: neighbours on a lattice are h apart but for rounding
#define LANES 4 // pairs of a slot are padded to a multiple of this

static void release(OndThesis *t)
{
    void *blocks[] = {t->liquid, t->now,  t->next,  t->free,       t->slot,
                      t->aim,    t->pull, t->scale, t->best,       t->apart,
                      t->waited, t->pair, t->error, t->block_best, t->history};
    for (int b = 0; b < OND_COUNT(blocks); ++b)
        ond_free(blocks[b]);
    *t = (OndThesis){0};
}

void ond_thesis_free(OndThesis *thesis)
{
    if (thesis) release(thesis);
    ond_free(thesis);
}

size_t ond_thesis_bytes(const OndThesis *t)
{
    if (!t) return 0;
    const size_t each = 6 * sizeof(OndQuad) + sizeof(OndRelaxSlot) + sizeof(double) +
                        2 * sizeof(float) + sizeof(int);
    return sizeof *t + (size_t)t->room * each + (size_t)t->pair_room * sizeof(OndRelaxPair) +
           (size_t)t->block_room * (sizeof(double) + sizeof(float)) +
           (size_t)t->window * 2 * sizeof(double);
}

static bool make_room(OndThesis *t, int count, uint32_t pairs, int window)
{
    release(t);
    const int room = count < 1 << 30 ? count + count / 8 + OND_THESIS_BLOCK : count;
    const int blocks = room / OND_THESIS_BLOCK + 1;
    t->liquid = OND_NEW_ARRAY(OndQuad, room), t->free = OND_NEW_ARRAY(OndQuad, room);
    t->now = OND_NEW_ARRAY(OndQuad, room), t->next = OND_NEW_ARRAY(OndQuad, room);
    t->slot = OND_NEW_ARRAY(OndRelaxSlot, room);
    t->aim = OND_NEW_ARRAY(OndQuad, room), t->pull = OND_NEW_ARRAY(OndQuad, room);
    t->scale = OND_NEW_ARRAY(double, room);
    t->best = OND_NEW_ARRAY(float, room), t->apart = OND_NEW_ARRAY(float, room);
    t->waited = OND_NEW_ARRAY(int, room);
    t->pair = OND_NEW_ARRAY(OndRelaxPair, (size_t)pairs + 1);
    t->error = OND_NEW_ARRAY(double, blocks), t->block_best = OND_NEW_ARRAY(float, blocks);
    t->history = OND_NEW_ARRAY(double, 2 * window);
    if (!(t->liquid && t->free && t->now && t->next && t->slot && t->aim && t->pull && t->scale &&
          t->best && t->apart && t->waited && t->pair && t->error && t->block_best && t->history))
        return false;
    t->room = room, t->pair_room = pairs, t->block_room = blocks, t->window = window;
    return true;
}

OndStatus ond_thesis_reserve(OndSph *s, OndError *err)
{
    const int count = s->fields.count, window = s->def.rigidity.window;
    if (!s->thesis) s->thesis = OND_NEW(OndThesis);
    if (!s->thesis) return ond_fail(err, OND_NO_MEMORY, "not enough memory for rigidity");
    OndThesis *t = s->thesis;
    if (count <= t->room && s->lists.capacity <= t->pair_room && window == t->window) return OND_OK;
    if (make_room(t, count, s->lists.capacity, window)) return OND_OK;
    release(t);
    return ond_fail(err, OND_NO_MEMORY, "not enough memory for the rigidity of %d particles",
                    count);
}

// Copies across periodic sides are material; mirror images are not.
static inline bool is_copy(const OndSph *s, uint32_t image)
{
    int code = s->images.code[image];
    for (int axis = 0; axis < 3; ++axis, code /= 3) {
        const int way = code % 3;
        if (way && s->world.side[2 * axis + way - 1].kind != OND_SIDE_PERIODIC) return false;
    }
    return true;
}

bool ond_thesis_pair(const OndSph *s, int i, uint32_t k, uint32_t *j, float *w)
{
    const uint32_t at = s->lists.pool[s->lists.first[i] + k], count = (uint32_t)s->fields.count;
    if (at == (uint32_t)i || (at >= count && !is_copy(s, at - count))) return false;
    *j = at < count ? at : s->images.source[at - count];
    if (!(s->rigidity[*j] > 0.0f)) return false;
    const float x = s->x[0][i] - s->x[0][at], y = s->x[1][i] - s->x[1][at],
                z = s->x[2][i] - s->x[2][at];
    const float r2 = x * x + y * y + z * z;
    *w = ond_kernel_shape(s->kernel.kind, r2, s->kernel.inv_h);
    return *w > EDGE;
}

// Neighbours of particle i with their W, unscaled; returns their number and finds the largest
// min(s_i, s_j).
static uint32_t gather(const OndSph *s, int i, OndRelaxPair *pair, float *most)
{
    uint32_t count = 0;
    *most = 0.0f;
    for (uint32_t k = 0; k < s->lists.length[i]; ++k) {
        uint32_t j;
        float w;
        if (!ond_thesis_pair(s, i, k, &j, &w)) continue;
        pair[count++] = (OndRelaxPair){j, w};
        *most = fmaxf(*most, fminf(s->rigidity[i], s->rigidity[j]));
    }
    return count;
}

// Weights relative to the most rigid pair; returns their sum and makes it 1.
static float weigh(const OndSph *s, int i, OndRelaxPair *pair, uint32_t count, float most)
{
    const float power = (float)s->def.rigidity.exponent;
    float sum = 0.0f;
    for (uint32_t k = 0; k < count; ++k) {
        const float rigidity = fminf(s->rigidity[i], s->rigidity[pair[k].index]);
        if (rigidity < most) pair[k].weight *= ond_rigidity_weight(rigidity, most, power);
        sum += pair[k].weight;
    }
    for (uint32_t k = 0; k < count; ++k)
        pair[k].weight = fmaxf(pair[k].weight / sum, LEAST);
    return sum;
}

static OndQuad find_aim(const OndThesis *t, int i, const OndRelaxPair *pair, uint32_t count)
{
    const OndQuad li = t->liquid[i];
    OndQuad aim = {0};
    for (uint32_t k = 0; k < count; ++k) {
        const OndQuad lj = t->liquid[pair[k].index];
        aim += pair[k].weight * ond_rigidity_loose(li[3], lj[3]) * (li - lj);
    }
    aim[3] = 0.0f;
    return aim;
}

static void pack_range(int first, int last, int worker, void *context)
{
    OndSph *s = context;
    OndThesis *t = s->thesis;
    for (int k = first; k < last; ++k) {
        OndRelaxSlot *slot = &t->slot[k];
        const int i = (int)slot->particle;
        OndRelaxPair *pair = t->pair + s->lists.first[i];
        const uint32_t count = gather(s, i, pair, &t->best[k]);
        t->scale[k] = count ? weigh(s, i, pair, count, t->best[k]) : 0.0f;
        t->aim[k] = find_aim(t, i, pair, count);
        slot->first = s->lists.first[i], slot->count = slot->length = count;
        for (; slot->length % LANES; ++slot->length)
            pair[slot->length] = (OndRelaxPair){slot->particle, 0.0f};
    }
}

static void scale_range(int first, int last, int worker, void *context)
{
    OndSph *s = context;
    OndThesis *t = s->thesis;
    for (int k = first; k < last; ++k)
        if (t->best[k] < t->top) t->scale[k] *= pow(t->best[k] / t->top, s->def.rigidity.exponent);
}

// Errors compare among all particles, so their weights are relative to the most rigid pair of all.
static void scale_errors(OndSph *s)
{
    OndThesis *t = s->thesis;
    t->top = 0.0f;
    for (int k = 0; k < t->slots; ++k)
        t->top = fmaxf(t->top, t->best[k]);
    ond_parallel_for(t->slots, OND_GRAIN, scale_range, s);
}

void ond_thesis_pair_up(OndSph *s)
{
    OndThesis *t = s->thesis;
    t->slots = 0;
    for (int i = 0; i < s->fields.count; ++i)
        if (s->rigidity[i] > 0.0f && !s->held[i]) t->slot[t->slots++].particle = (uint32_t)i;
    ond_parallel_for(t->slots, OND_GRAIN, pack_range, s);
    scale_errors(s);
}
