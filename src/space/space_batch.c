// SPDX-License-Identifier: MIT
// Many questions at once, on all threads.
//
// Questions near each other look at the same cells. Where the structure is too large for a core's
// own cache, they are taken in the order of a curve that stays near (Morton's: the digits of x, y
// and z in turn), so that those cells are still there. One counting sort by 16 digits is enough for
// that.
#include "space/pending.h"
#include "space/space_state.h"

#include "base/memory.h"
#include "base/parallel.h"

#include <stdatomic.h>

#define GRAIN       256
#define DIGITS      16
#define WORTH_BYTES (1 << 20) // of structure, above which the order matters
#define WORTH_COUNT 4096      // of questions

// A cache line each, since hits change with every question.
typedef struct Worker {
    _Alignas(64) OndHits all; // what some questions found together
    OndHits one;              // one answer of them: its items are a part of those
    OndPending pending;
} Worker;

typedef struct Batch {
    const OndSpace *space;
    OndAskKind kind;
    const OndBox *box; // to touch
    double r;          // near
    int count;
    uint32_t *order; // NULL: as they come
    OndSpaceAnswerFn *answer;
    void *context;
    Worker *worker;
    _Atomic(int) failed;
} Batch;

static OndVec place(const Batch *b, int k)
{
    if (b->kind == OND_ASK_TOUCH) return ond_scale(ond_add(b->box[k].min, b->box[k].max), 0.5);
    const OndSpacePoints *p = &b->space->points;
    return ond_vec(p->x[k], p->y[k], p->z ? (double)p->z[k] : 0.0);
}

// The digits of a place along the curve; places beyond the objects count as at their border.
static uint32_t curve_key(const Batch *b, int k)
{
    const OndSpaceItems *items = &b->space->items;
    const int d = items->dimension, digits = DIGITS / d;
    const OndVec at = place(b, k);
    uint32_t key = 0;
    for (int a = 0; a < d; ++a) {
        const double span = (double)items->hi[a] - (double)items->lo[a];
        double t = (ond_axis(at, a) - b->space->origin[a] - items->lo[a]) / span;
        t = t > 0.0 ? t : 0.0; // also when it is not a number
        const uint32_t cell = (uint32_t)(ldexp(t < 0.999999 ? t : 0.999999, digits));
        for (int bit = 0; bit < digits; ++bit)
            key |= (cell >> bit & 1u) << (d * bit + a);
    }
    return key;
}

typedef struct Keys {
    const Batch *batch;
    uint16_t *key;
} Keys;

static void find_keys(int first, int last, int worker, void *context)
{
    const Keys *k = context;
    for (int i = first; i < last; ++i)
        k->key[i] = (uint16_t)curve_key(k->batch, i);
}

// The order of questions; without memory for it they are asked as they come.
static uint32_t *make_order(const Batch *b)
{
    if (b->count < WORTH_COUNT || ond_space_bytes(b->space) < WORTH_BYTES) return NULL;
    uint32_t *order = OND_NEW_ARRAY(uint32_t, b->count);
    uint32_t *place_of = OND_NEW_ARRAY(uint32_t, (1 << DIGITS) + 1);
    Keys keys = {b, OND_NEW_ARRAY(uint16_t, b->count)};
    if (order && place_of && keys.key) {
        ond_parallel_for(b->count, 8192, find_keys, &keys);
        for (int i = 0; i < b->count; ++i)
            ++place_of[keys.key[i] + 1];
        for (int k = 0; k < 1 << DIGITS; ++k)
            place_of[k + 1] += place_of[k];
        for (int i = 0; i < b->count; ++i)
            order[place_of[keys.key[i]]++] = (uint32_t)i;
    } else {
        ond_free(order);
        order = NULL;
    }
    ond_free(place_of);
    ond_free(keys.key);
    return order;
}

// Which of them the k-th is.
static inline int number(const Batch *b, int k)
{
    return b->order ? (int)b->order[k] : k;
}

static inline void choose(const Batch *b, int i, OndQuestion *q)
{
    q->i = i;
    if (b->kind == OND_ASK_TOUCH) q->box = &b->box[i];
    if (b->kind == OND_ASK_NEAR) q->at = place(b, i);
}

// Asks as many as go together; returns how many.
static int ask_some(const Batch *b, int first, int last, OndQuestion *q, Worker *w)
{
    int k = first;
    ond_pending_begin(&w->pending, &w->all);
    w->pending.failed = !ond_hits_reserve(&w->all, 0); // answers are part of it, empty ones too
    do {
        choose(b, number(b, k++), q);
        ond_space_put(b->space, q, &w->pending);
    } while (k < last && !ond_pending_full(&w->pending));
    ond_pending_flush(&w->pending);
    return k - first;
}

static void answer_some(const Batch *b, int first, OndQuestion *q, Worker *w, int worker)
{
    uint32_t at = 0;
    for (int k = 0; k < w->pending.questions; ++k) {
        const OndTouchAsked *asked = &w->pending.asked[k];
        choose(b, number(b, first + k), q);
        w->one.item = w->all.item + at, w->one.count = (int)(asked->found - at);
        at = asked->found;
        if (b->kind != OND_ASK_TOUCH || asked->doubts)
            ond_space_settle(b->space, q, asked->doubts, &w->one);
        ond_hits_sort(&w->one, b->space->items.count);
        b->answer(q->i, &w->one, worker, b->context);
    }
    w->one.item = NULL;
}

// Where objects stand apart, each question must be done with before it looks at those.
static bool ask_alone(const Batch *b, int k, OndQuestion *q, Worker *w, int worker)
{
    choose(b, number(b, k), q);
    if (ond_space_ask(b->space, q, &w->all, NULL) != OND_OK) return false;
    b->answer(q->i, &w->all, worker, b->context);
    return true;
}

static void ask_range(int first, int last, int worker, void *context)
{
    Batch *b = context;
    Worker *w = &b->worker[worker];
    OndQuestion q = {.kind = b->kind, .r = b->r};
    bool good = true;
    for (int k = first, n = 1; k < last && good; k += n) {
        if (b->space->apart_count) {
            good = ask_alone(b, k, &q, w, worker);
        } else {
            n = ask_some(b, k, last, &q, w);
            good = !w->pending.failed;
            if (good) answer_some(b, k, &q, w, worker);
        }
    }
    if (!good) atomic_store_explicit(&b->failed, 1, memory_order_relaxed);
}

static OndStatus run(Batch *b, OndError *err)
{
    const int workers = ond_threads();
    b->worker = OND_NEW_ARRAY(Worker, workers);
    if (!b->worker)
        return ond_fail(err, OND_NO_MEMORY, "not enough memory for %d threads", workers);
    b->order = make_order(b);
    ond_parallel_for(b->count, GRAIN, ask_range, b);
    for (int w = 0; w < workers; ++w)
        ond_hits_free(&b->worker[w].all), ond_hits_free(&b->worker[w].one);
    ond_free(b->worker);
    ond_free(b->order);
    if (!b->failed) return OND_OK;
    return ond_fail(err, OND_NO_MEMORY, "not enough memory for the objects near a place");
}

OndStatus ond_space_touch_all(const OndSpace *s, const OndBox *box, int count,
                              OndSpaceAnswerFn *answer, void *context, OndError *err)
{
    Batch b = {.space = s,
               .kind = OND_ASK_TOUCH,
               .box = box,
               .count = count,
               .answer = answer,
               .context = context};
    return run(&b, err);
}

static OndStatus run_points(const OndSpace *s, Batch *b, OndError *err)
{
    if (s->box)
        return ond_fail(err, OND_BAD_VALUE, "this space holds boxes; distances are between points");
    b->space = s, b->count = s->items.count;
    return run(b, err);
}

OndStatus ond_space_near_all(const OndSpace *s, double r, OndSpaceAnswerFn *answer, void *context,
                             OndError *err)
{
    Batch b = {.kind = OND_ASK_NEAR, .r = r, .answer = answer, .context = context};
    return run_points(s, &b, err);
}

OndStatus ond_space_larger_all(const OndSpace *s, OndSpaceAnswerFn *answer, void *context,
                               OndError *err)
{
    Batch b = {.kind = OND_ASK_LARGER, .answer = answer, .context = context};
    return run_points(s, &b, err);
}
