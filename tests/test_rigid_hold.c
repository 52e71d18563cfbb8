// SPDX-License-Identifier: MIT
// Which contacts hold a body: against trying every set of them; and rounds of such looks end.
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

// ---- rounds, where what is soft around the body answers otherwise than it is taken to

// The motion that a set of contacts gives: what each is short of in it. `own` is what holds the body beside them.
static void solve_set(Case *t, const double own[6][6], const double q[CONTACTS])
{
    double h[6][6], d[6] = {0}, row[6];
    memcpy(h, own, sizeof h);
    for (int k = 0; k < CONTACTS; ++k) {
        const OndWallContact *c = &t->contact[k];
        if (!c->active) continue;
        inward_row(c, row);
        ond_add_square(h, row, c->stiff);
        for (int a = 0; a < 6; ++a)
            d[a] += c->stiff * q[k] * row[a];
    }
    assert_true(ond_cholesky6(h));
    ond_cholesky6_solve((const double(*)[6])h, d);
    for (int k = 0; k < CONTACTS; ++k) {
        OndWallContact *c = &t->contact[k];
        inward_row(c, row);
        c->passes = q[k], c->base = 0.0;
        for (int a = 0; a < 6; ++a)
            c->passes -= row[a] * d[a];
        c->push = c->stiff * c->passes;
    }
}

static bool all_right(const Case *t)
{
    for (int k = 0; k < CONTACTS; ++k)
        if (t->contact[k].active != (t->contact[k].passes > 0.0)) return false;
    return true;
}

// Rounds until the contacts are right; `softer` is what holds the body as a share of what it is taken for.
static int rounds_of(Case *t, double softer, bool hold_alone)
{
    double own[6][6], taken[6][6], q[CONTACTS];
    memset(taken, 0, sizeof taken);
    for (int a = 0; a < 6; ++a)
        taken[a][a] = a < 3 ? 1.0 : 0.01;
    memcpy(own, taken, sizeof own);
    for (int a = 3; a < 6; ++a) // turns above all
        own[a][a] *= softer;
    for (int k = 0; k < CONTACTS; ++k)
        q[k] = t->contact[k].passes + t->contact[k].base / t->contact[k].stiff;
    t->rigid.contact = t->contact, t->rigid.contact_count = CONTACTS;
    t->body.looked = t->body.strict = false;
    int round = 0;
    for (solve_set(t, own, q); !all_right(t) && round < 60; solve_set(t, own, q), ++round) {
        memcpy(t->body.block, taken, sizeof taken);
        for (int k = 0; k < CONTACTS; ++k) {
            double row[6];
            inward_row(&t->contact[k], row);
            if (t->contact[k].active) ond_add_square(t->body.block, row, t->contact[k].stiff);
        }
        if (hold_alone || !ond_rigid_halfway(&t->body)) ond_rigid_hold(&t->rigid, &t->body);
        for (int k = 0; k < CONTACTS; ++k)
            t->contact[k].active = t->contact[k].holds;
    }
    return round;
}

static void test_rounds_end(void **state)
{
    (void)state;
    uint64_t random = 0;
    int most = 0, endless = 0;
    for (int n = 0; n < 2000; ++n) {
        Case t, again;
        make_case(&t, &random);
        again = t;
        again.body.contact = again.contact;
        for (int k = 0; k + 1 < CONTACTS; ++k)
            again.contact[k].next = &again.contact[k + 1];
        const double softer = pow(10, between(&random, -4, 0));
        const int rounds = rounds_of(&t, softer, false);
        most = rounds > most ? rounds : most;
        endless += rounds_of(&again, softer, true) == 60;
    }
    print_message("%d rounds at most; without looking back %d of 2000 cases do not end\n", most,
                  endless);
    if (most > 16) fail_msg("%d rounds", most);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_every_set),
                                       cmocka_unit_test(test_rounds_end)};
    return cmocka_run_group_tests_name("contacts that hold", tests, NULL, NULL);
}
