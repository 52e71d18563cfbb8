// SPDX-License-Identifier: MIT
// Which contacts hold a body: against trying every set of them.
#include "base/random.h"
#include "check.h"
#include "particles/rigid/rigid_state.h"

#define CONTACTS 7

typedef struct Case {
    OndRigid rigid;
    OndRigidPiece body;
    OndWallContact contact[CONTACTS];
} Case;

static double between(uint64_t *random, double low, double high)
{
    return low + (high - low) * ond_random((*random)++, 7);
}

static void inward_row(const OndWallContact *c, double row[6])
{
    const double r[3] = {c->arm[0], c->arm[1], c->arm[2]};
    ond_motion_row(r, c->side / 2, row);
    for (int k = 0; k < 6; ++k)
        row[k] *= c->side % 2 ? -1.0 : 1.0;
}

// A lump on a floor and at two walls, in the middle of a step: some contacts are on, some pull.
static void make_case(Case *t, uint64_t *random)
{
    memset(t, 0, sizeof *t);
    t->rigid.dimension = 3;
    t->body.mass = 1.0;
    for (int k = 0; k < 6; ++k)
        t->body.block[k][k] = k < 3 ? 1.0 : between(random, 0.002, 0.02);
    for (int k = 0; k < CONTACTS; ++k) {
        OndWallContact *c = &t->contact[k];
        *c = (OndWallContact){.side = k < 5 ? 2 : k == 5 ? 0 : 5, .stiff = 1e4};
        for (int a = 0; a < 3; ++a)
            c->arm[a] = (float)between(random, -0.2, 0.2);
        c->active = between(random, 0, 1) < 0.5;
        c->passes = between(random, -1e-3, 1e-3);
        c->base = c->active && k % 2 ? between(random, 0.0, 2.0) : 0.0;
        c->next = k + 1 < CONTACTS ? &t->contact[k + 1] : NULL;
        double row[6];
        inward_row(c, row);
        if (c->active) ond_add_square(t->body.block, row, c->stiff);
    }
    t->body.contact = t->contact;
}

// Whether exactly the contacts in `set` push, when only they may.
static bool fits(const Case *t, unsigned set)
{
    double h[6][6], d[6] = {0}, row[6];
    memcpy(h, t->body.block, sizeof h);
    for (int k = 0; k < CONTACTS; ++k) {
        const OndWallContact *c = &t->contact[k];
        const double q = c->passes + c->base / c->stiff, now = set >> k & 1u ? 1.0 : 0.0;
        inward_row(c, row);
        ond_add_square(h, row, (now - c->active) * c->stiff);
        for (int a = 0; a < 6; ++a)
            d[a] += (now - c->active) * c->stiff * q * row[a];
    }
    if (!ond_cholesky6(h)) return false;
    ond_cholesky6_solve((const double(*)[6])h, d);
    for (int k = 0; k < CONTACTS; ++k) {
        const OndWallContact *c = &t->contact[k];
        double left = c->passes + c->base / c->stiff;
        inward_row(c, row);
        for (int a = 0; a < 6; ++a)
            left -= row[a] * d[a];
        if ((left > 0.0) != (set >> k & 1u)) return false;
    }
    return true;
}

static void test_every_set(void **state)
{
    (void)state;
    uint64_t random = 0;
    int sizes[CONTACTS + 1] = {0};
    for (int n = 0; n < 2000; ++n) {
        Case t;
        make_case(&t, &random);
        unsigned found = 0, answers = 0, size = 0;
        for (unsigned set = 0; set < 1u << CONTACTS; ++set)
            if (fits(&t, set)) found = set, ++answers;
        CHECK_NEAR(answers, 1, 0, "sets that fit");
        ond_rigid_hold(&t.rigid, &t.body);
        for (int k = 0; k < CONTACTS; ++k) {
            if (t.contact[k].holds != (found >> k & 1u)) fail_msg("case %d, contact %d", n, k);
            size += found >> k & 1u;
        }
        ++sizes[size];
    }
    print_message("contacts that hold, cases: 0: %d, 1: %d, 2: %d, 3: %d, 4: %d, 5: %d\n", sizes[0],
                  sizes[1], sizes[2], sizes[3], sizes[4], sizes[5]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_every_set)};
    return cmocka_run_group_tests_name("contacts that hold", tests, NULL, NULL);
}
