// SPDX-License-Identifier: MIT
// A host with a task system and an allocator of its own.
//
// The task system is a queue that a few threads serve, as engines have one; the library hands it
// work instead of starting threads. (This one takes a lot at a time: one simulation is run. Who runs
// several at once needs a queue of lots.) Run once with it and once without, the simulation ends with the
// same bits, and all memory that it took has been given back.
#include <ondine/ondine.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// ---- tasks

#define HELPERS 3

static struct {
    pthread_mutex_t lock;
    pthread_cond_t work, done;
    OndTask *task;
    void *data;
    int next, count, left; // of the lot under way
    int lots;
    bool over;
} queue = {.lock = PTHREAD_MUTEX_INITIALIZER,
           .work = PTHREAD_COND_INITIALIZER,
           .done = PTHREAD_COND_INITIALIZER};

// Takes tasks until there are none left; the lock is held before and after.
static void serve(void)
{
    while (queue.next < queue.count) {
        const int index = queue.next++;
        OndTask *const task = queue.task;
        void *const data = queue.data;
        pthread_mutex_unlock(&queue.lock);
        task(index, data);
        pthread_mutex_lock(&queue.lock);
        if (--queue.left == 0) pthread_cond_signal(&queue.done);
    }
}

static void *help(void *unused)
{
    (void)unused;
    pthread_mutex_lock(&queue.lock);
    while (!queue.over) {
        serve();
        if (!queue.over) pthread_cond_wait(&queue.work, &queue.lock);
    }
    pthread_mutex_unlock(&queue.lock);
    return NULL;
}

static void run_lot(void *user, int count, OndTask *task, void *data)
{
    (void)user;
    pthread_mutex_lock(&queue.lock);
    queue.task = task, queue.data = data;
    queue.next = 0, queue.count = queue.left = count;
    ++queue.lots;
    pthread_cond_broadcast(&queue.work);
    serve();
    while (queue.left > 0)
        pthread_cond_wait(&queue.done, &queue.lock);
    pthread_mutex_unlock(&queue.lock);
}

// ---- memory

static atomic_llong blocks;

static void *take(void *user, size_t bytes)
{
    void *const block = malloc(bytes);
    (void)user;
    if (block) atomic_fetch_add(&blocks, 1);
    return block;
}

static void give_back(void *user, void *block)
{
    (void)user;
    atomic_fetch_sub(&blocks, 1);
    free(block);
}

// ---- the simulation

static const char scene_text[] =
    "domain: {min: [0, 0, 0], max: [1, 1, 0.4]}\n"
    "fluid: [{spacing: 0.04, shape: {type: box, min: [0, 0, 0], max: [0.4, 0.6, 0.4]}}]\n";

// A number that another bit anywhere would change; 0 when something went wrong.
static unsigned long long simulate(void)
{
    OndError err = {0};
    unsigned long long hash = 14695981039346656037ull;
    OndScene *scene = ond_scene_create();
    OndSim *sim = NULL;
    if (ond_scene_text(scene, scene_text, "column", &err) == OND_OK)
        sim = ond_sim_create(scene, NULL, &err);
    ond_scene_destroy(scene);
    if (!sim || ond_sim_advance(sim, 0.1, NULL, &err) != OND_OK) {
        fprintf(stderr, "%s\n", err.text);
        ond_sim_destroy(sim);
        return 0;
    }
    OndFieldView x;
    ond_sim_find_field(sim, OND_PARTICLES, "position", &x);
    for (int c = 0; c < 3; ++c)
        for (size_t k = 0; k < (size_t)x.count * sizeof(float); ++k)
            hash = (hash ^ ((const unsigned char *)x.data[c])[k]) * 1099511628211ull;
    ond_sim_destroy(sim);
    return hash;
}

int main(void)
{
    const OndTaskSystem tasks = {.workers = HELPERS + 1, .run = run_lot};
    const OndAllocator memory = {.alloc = take, .release = give_back};
    pthread_t helper[HELPERS];
    const unsigned long long theirs = simulate();
    for (int k = 0; k < HELPERS; ++k)
        if (pthread_create(&helper[k], NULL, help, NULL) != 0) return 1;
    ond_host_tasks(&tasks, NULL);
    ond_host_memory(&memory, NULL);
    const unsigned long long ours = simulate();
    pthread_mutex_lock(&queue.lock);
    queue.over = true;
    pthread_cond_broadcast(&queue.work);
    pthread_mutex_unlock(&queue.lock);
    for (int k = 0; k < HELPERS; ++k)
        pthread_join(helper[k], NULL);
    printf(
        "%016llx with the library's threads\n%016llx with our tasks (%d lots), %lld blocks left\n",
        theirs, ours, queue.lots, atomic_load(&blocks));
    return theirs != 0 && theirs == ours && queue.lots > 0 && atomic_load(&blocks) == 0 ? 0 : 1;
}
