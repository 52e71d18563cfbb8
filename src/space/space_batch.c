// SPDX-License-Identifier: MIT
// Many questions at once, on all threads.
//
// Questions near each other look at the same cells. Where the structure is too large for a core's
// own cache, they are taken in the order of a curve that stays near (Morton's: the digits of x, y
// and z in turn), so that those cells are still there. One counting sort by 16 digits is enough for
// that.
#include "space/space_state.h"

#include "base/memory.h"
#include "base/parallel.h"

#include <stdatomic.h>

#define GRAIN       256
#define DIGITS      16
#define WORTH_BYTES (1 << 20) // of structure, above which the order matters
#define WORTH_COUNT 4096      // of questions

typedef enum Question { TOUCH, NEAR, LARGER } Question;

// A cache line each, since hits change with every question.
typedef struct Worker {
    _Alignas(64) OndHits hits;
} Worker;

typedef struct Batch {
    const OndSpace *space;
    Question question;
    const OndBox *box; // TOUCH
    double r;          // NEAR
    int count;
    uint32_t *order; // NULL: as they come
    OndSpaceAnswerFn *answer;
    void *context;
    Worker *worker;
    _Atomic(int) failed;
} Batch;

static OndVec place(const Batch *b, int k)
{
    if (b->question == TOUCH) return ond_scale(ond_add(b->box[k].min, b->box[k].max), 0.5);
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

static OndStatus ask(const Batch *b, int k, OndHits *hits)
{
    switch (b->question) {
    case TOUCH:
        return ond_space_touch(b->space, &b->box[k], hits, NULL);
    case NEAR:
        return ond_space_near(b->space, place(b, k), b->r, hits, NULL);
    default:
        return ond_space_larger(b->space, k, hits, NULL);
    }
}

static void ask_range(int first, int last, int worker, void *context)
{
    Batch *b = context;
    OndHits *hits = &b->worker[worker].hits;
    for (int i = first; i < last; ++i) {
        const int k = b->order ? (int)b->order[i] : i;
        if (ask(b, k, hits) != OND_OK) {
            atomic_store_explicit(&b->failed, 1, memory_order_relaxed);
            return;
        }
        b->answer(k, hits, worker, b->context);
    }
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
        ond_hits_free(&b->worker[w].hits);
    ond_free(b->worker);
    ond_free(b->order);
    if (!b->failed) return OND_OK;
    return ond_fail(err, OND_NO_MEMORY, "not enough memory for the objects near a place");
}

OndStatus ond_space_touch_all(const OndSpace *s, const OndBox *box, int count,
                              OndSpaceAnswerFn *answer, void *context, OndError *err)
{
    Batch b = {.space = s,
               .question = TOUCH,
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
    Batch b = {.question = NEAR, .r = r, .answer = answer, .context = context};
    return run_points(s, &b, err);
}

OndStatus ond_space_larger_all(const OndSpace *s, OndSpaceAnswerFn *answer, void *context,
                               OndError *err)
{
    Batch b = {.question = LARGER, .answer = answer, .context = context};
    return run_points(s, &b, err);
}
