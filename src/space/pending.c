// SPDX-License-Identifier: MIT
#include "space/pending.h"

static void test_runs(OndPending *p)
{
    OndTouchAsked *last = &p->asked[p->questions - 1];
    last->runs = (uint32_t)p->runs;
    OndTouchFound found = {(uint32_t *)p->hits->item, (uint32_t)p->hits->count};
    p->rows->loops->touch(&p->rows->loop, p->run, p->asked + p->tested, p->questions - p->tested,
                          &found);
    p->hits->count = (int)found.count;
    p->tested = p->questions - 1; // the last one may go on
    last->runs = 0;
}

void ond_pending_flush(OndPending *p)
{
    if (!p->rows || !p->questions) return; // nothing is left to test
    p->failed = p->failed || !ond_hits_reserve(p->hits, p->boxes);
    if (!p->failed) test_runs(p);
    p->runs = 0, p->boxes = 0;
}
