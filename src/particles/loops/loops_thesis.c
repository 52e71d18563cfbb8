// SPDX-License-Identifier: MIT
// One iteration of the thesis's rigidity solver over all pairs [Dagenais 2012, eq. 2.4 over the sum
// of eq. 2.7]: how far its neighbours pull a particle,
//
//     pull_i = sum_j w_ij (u_j - u_i),     sum_j w_ij = 1
//
// Differences, so that a body that moves as a whole is not slowed by rounding. A displacement is a
// quad: one load a neighbour instead of three gathers, and the fourth lane brings the weight of
// stabilised neighbours along. Four sums side by side hide the latency of adding.
#include "particles/loops/loops.h"

void OND_LOOP(thesis)(const OndThesisLoop *t, int first, int last);
void OND_LOOP(thesis)(const OndThesisLoop *t, int first, int last)
{
    const OndQuad *restrict u = t->u;
    for (int k = first; k < last; ++k) {
        const OndRelaxSlot slot = t->slot[k];
        const OndRelaxPair *restrict pair = t->pair + slot.first;
        OndQuad here = u[slot.particle], a = {0}, b = {0}, c = {0}, d = {0};
        here[3] = 0.0f;
        for (uint32_t n = 0; n < slot.length; n += 4) {
            a += pair[n].weight * (u[pair[n].index] - here);
            b += pair[n + 1].weight * (u[pair[n + 1].index] - here);
            c += pair[n + 2].weight * (u[pair[n + 2].index] - here);
            d += pair[n + 3].weight * (u[pair[n + 3].index] - here);
        }
        t->pull[k] = (a + b) + (c + d);
    }
}
