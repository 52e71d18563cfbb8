// SPDX-License-Identifier: MIT
// Propagation of constraints [Dagenais 2012, 2.2.4]: what the ground holds up is known at the
// ground first, and handed on through the body in a front, instead of seeping through it in a
// number of iterations that grows with the square of its height.
//
// Who is stabilised counts as rightly placed. A particle with stabilised neighbours listens to
// those alone. It becomes stabilised itself when
//   1  its mean distance from where they want it is at most a hundredth of a spacing, and
//   2  its most rigid stabilised neighbour is as rigid as any that particles of the front have.
// Where only the first fails for five iterations, it is stabilised all the same.
#include "base/parallel.h"
#include "particles/rigid/thesis.h"
#include "physics/rigidity.h"

#define FAINT 1e-20f // below this sum, weights have lost digits to their lower bound

// Weights of slot k's stabilised neighbours relative to the most rigid of these, for a particle
// beside which they are next to nothing.
static OndQuad lean_on_faint(const OndSph *s, int k)
{
    const OndThesis *t = s->thesis;
    const int i = (int)t->slot[k].particle;
    const OndQuad li = t->liquid[i], ui = t->now[i];
    const double power = s->def.rigidity.exponent;
    float most = 0.0f;
    for (uint32_t n = 0; n < t->slot[k].count; ++n) {
        const uint32_t j = t->pair[t->slot[k].first + n].index;
        if (t->now[j][3] > 0.0f) most = fmaxf(most, fminf(s->rigidity[i], s->rigidity[j]));
    }
    double sum[4] = {0};
    for (uint32_t n = 0; n < s->lists.length[i]; ++n) {
        uint32_t j;
        float shape;
        if (!ond_thesis_pair(s, i, n, &j, &shape) || !(t->now[j][3] > 0.0f)) continue;
        const double w = shape * pow(fminf(s->rigidity[i], s->rigidity[j]) / most, power);
        const OndQuad lj = t->liquid[j];
        const OndQuad gap = ond_rigidity_loose(li[3], lj[3]) * (li - lj) - (ui - t->now[j]);
        for (int a = 0; a < 3; ++a)
            sum[a] += w * gap[a];
        sum[3] += w;
    }
    if (!(sum[3] > 0.0)) return (OndQuad){0};
    return (OndQuad){(float)(sum[0] / sum[3]), (float)(sum[1] / sum[3]), (float)(sum[2] / sum[3])};
}

double ond_thesis_lean(const OndSph *s, int k, OndQuad *fix)
{
    OndThesis *t = s->thesis;
    const OndRelaxSlot slot = t->slot[k];
    const OndQuad li = t->liquid[slot.particle], ui = t->now[slot.particle];
    OndQuad sum = {0};
    float weight = 0.0f, apart = 0.0f, best = 0.0f;
    int count = 0;
    for (uint32_t n = slot.first; n < slot.first + slot.count; ++n) {
        const uint32_t j = t->pair[n].index;
        const OndQuad uj = t->now[j], lj = t->liquid[j];
        if (!(uj[3] > 0.0f)) continue;
        const OndQuad gap = ond_rigidity_loose(li[3], lj[3]) * (li - lj) - (ui - uj);
        sum += t->pair[n].weight * gap;
        weight += t->pair[n].weight;
        apart += ond_quad_length(gap);
        best = fmaxf(best, s->rigidity[j]);
        ++count;
    }
    t->best[k] = best, t->apart[k] = apart / (float)count;
    *fix = weight > FAINT ? sum / weight : lean_on_faint(s, k);
    return t->scale[k] * ond_quad_length(sum);
}

// In the pass before, `best` was found for all who have stabilised neighbours.
static void advance_range(int first, int last, int worker, void *context)
{
    OndSph *s = context;
    OndThesis *t = s->thesis;
    const OndRigidDef *def = &s->def.rigidity;
    const float near = (float)(def->stabilised * s->world.spacing);
    const float rigid = def->second ? t->block_best[0] - (float)def->alike : 0.0f;
    for (int k = first; k < last; ++k) {
        OndQuad *next = &t->next[t->slot[k].particle];
        if ((*next)[3] > 0.0f || !(t->best[k] > 0.0f) || t->best[k] < rigid) continue;
        if (t->apart[k] <= near || ++t->waited[k] >= def->release) (*next)[3] = 1.0f;
    }
}

bool ond_thesis_advance(OndSph *s)
{
    OndThesis *t = s->thesis;
    const int blocks = (t->slots + OND_THESIS_BLOCK - 1) / OND_THESIS_BLOCK;
    for (int b = 1; b < blocks; ++b)
        t->block_best[0] = fmaxf(t->block_best[0], t->block_best[b]);
    if (!blocks || !(t->block_best[0] > 0.0f)) return false;
    ond_parallel_for(t->slots, 8 * OND_GRAIN, advance_range, s);
    return true;
}
