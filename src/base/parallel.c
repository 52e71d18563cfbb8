// SPDX-License-Identifier: MIT
// A pool of threads that help when they can.
//
// The caller opens a job, works on it itself, and closes it when no block is left; helpers that are
// awake take blocks meanwhile. The caller waits only for helpers that are inside a block, never for
// one that the system has not let run: on a machine that is busy with other things a loop falls
// back to the speed of one core, where a barrier would wait for the slowest. Helpers look out for
// work a few dozen microseconds, then sleep.
#include "base/parallel.h"

#if defined(OND_NO_THREADS) || (defined(__wasm__) && !defined(__EMSCRIPTEN_PTHREADS__))

int ond_threads(void)
{
    return 1;
}

void ond_threads_set(int threads)
{
    (void)threads;
}

OndStatus ond_host_tasks(const OndTaskSystem *tasks, OndError *err)
{
    if (!tasks) return OND_OK;
    return ond_fail(err, OND_MISSING, "this build uses one thread, and no task system");
}

void ond_parallel_for(int count, int grain, OndRangeFn *body, void *context)
{
    (void)grain;
    if (count > 0) body(0, count, 0, context);
}

#else

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <unistd.h>

#define THREADS_MAX 256
#define LOOK_OUT    3000 // turns of waiting before a helper sleeps or the caller yields; some 50 us

typedef struct Job {
    OndRangeFn *body;
    void *context;
    int count, grain, blocks;
    atomic_llong next; // block to take; may run past the last by a few
} Job;

static struct {
    Job job; // written while it is closed and nobody is inside
    int seats;
    atomic_int seat;

    atomic_uint number; // of the newest job
    atomic_uint open;   // the number of the open job, or 0
    atomic_int inside;  // helpers that may touch the job
    atomic_int asleep;
    pthread_mutex_t lock; // guards sleeping and waking
    pthread_cond_t wake;

    pthread_mutex_t caller; // one job at a time
    int helpers;            // threads started; changed under `caller`
    atomic_int wanted;      // threads asked for; 0: one per core
} pool = {.lock = PTHREAD_MUTEX_INITIALIZER,
          .wake = PTHREAD_COND_INITIALIZER,
          .caller = PTHREAD_MUTEX_INITIALIZER};

static OndTaskSystem host;         // of the program around us; without `run`: the pool
static _Thread_local bool working; // inside a body: a loop in a loop runs where it is

static inline void pause_a_little(void)
{
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#endif
}

// Asked once: the answer is read from a file each time.
static int core_count(void)
{
    static _Atomic(int) known;
    if (atomic_load(&known) == 0) {
        const long cores = sysconf(_SC_NPROCESSORS_ONLN);
        atomic_store(&known, cores < 1 ? 1 : cores > THREADS_MAX ? THREADS_MAX : (int)cores);
    }
    return atomic_load(&known);
}

int ond_threads(void)
{
    const int wanted = host.run ? host.workers : atomic_load(&pool.wanted);
    return wanted > 0 ? wanted : core_count();
}

void ond_threads_set(int threads)
{
    atomic_store(&pool.wanted, threads < 0 ? 0 : threads > THREADS_MAX ? THREADS_MAX : threads);
}

static void work(Job *job, int worker)
{
    working = true;
    for (long long b; (b = atomic_fetch_add(&job->next, 1)) < job->blocks;) {
        const int first = (int)b * job->grain;
        const int last = job->count - first < job->grain ? job->count : first + job->grain;
        job->body(first, last, worker, job->context);
    }
    working = false;
}

// ---- the host's tasks

OndStatus ond_host_tasks(const OndTaskSystem *tasks, OndError *err)
{
    if (tasks && (!tasks->run || tasks->workers < 1 || tasks->workers > THREADS_MAX))
        return ond_fail(err, OND_BAD_VALUE,
                        "a task system needs `run` and 1 to %d workers; this one has %d",
                        THREADS_MAX, tasks->workers);
    host = tasks ? *tasks : (OndTaskSystem){0};
    return OND_OK;
}

static void host_task(int index, void *job)
{
    work(job, index);
}

// ---- the pool

// Returns the number of a job later than `seen`.
static unsigned await_job(unsigned seen)
{
    for (int turn = 0; turn < LOOK_OUT; ++turn) {
        if (atomic_load(&pool.number) != seen) return atomic_load(&pool.number);
        pause_a_little();
    }
    pthread_mutex_lock(&pool.lock);
    atomic_fetch_add(&pool.asleep, 1);
    while (atomic_load(&pool.number) == seen)
        pthread_cond_wait(&pool.wake, &pool.lock);
    atomic_fetch_sub(&pool.asleep, 1);
    pthread_mutex_unlock(&pool.lock);
    return atomic_load(&pool.number);
}

static void *help(void *unused)
{
    (void)unused;
    for (unsigned seen = 0;;) {
        seen = await_job(seen);
        atomic_fetch_add(&pool.inside, 1); // from here on the caller waits
        if (atomic_load(&pool.open) == seen) {
            const int seat = atomic_fetch_add(&pool.seat, 1);
            if (seat < pool.seats) work(&pool.job, seat);
        }
        atomic_fetch_sub(&pool.inside, 1);
    }
    return NULL;
}

// A forked child has no helpers, and none can be inside.
static void forget_helpers(void)
{
    pool.helpers = 0;
    atomic_store(&pool.open, 0);
    atomic_store(&pool.inside, 0);
    atomic_store(&pool.asleep, 0);
    pthread_mutex_init(&pool.lock, NULL);
    pthread_mutex_init(&pool.caller, NULL);
    pthread_cond_init(&pool.wake, NULL);
}

// Starts helpers until there are `count`, or as many as the system gives.
static void hire(int count)
{
    static bool prepared;
    if (!prepared) prepared = pthread_atfork(NULL, NULL, forget_helpers) == 0;
    while (pool.helpers < count) {
        pthread_t thread;
        if (pthread_create(&thread, NULL, help, NULL) != 0) return;
        pthread_detach(thread);
        ++pool.helpers;
    }
}

static void run_job(void)
{
    unsigned number = atomic_load(&pool.number) + 1;
    number += number == 0; // 0 means closed
    atomic_store(&pool.open, number);
    atomic_store(&pool.number, number);
    if (atomic_load(&pool.asleep) > 0) {
        pthread_mutex_lock(&pool.lock);
        pthread_cond_broadcast(&pool.wake);
        pthread_mutex_unlock(&pool.lock);
    }
    work(&pool.job, 0);
    atomic_store(&pool.open, 0); // who comes now finds it closed
    for (int turn = 0; atomic_load(&pool.inside) > 0; ++turn)
        if (turn < LOOK_OUT)
            pause_a_little();
        else
            sched_yield();
}

void ond_parallel_for(int count, int grain, OndRangeFn *body, void *context)
{
    if (count <= 0) return;
    const int blocks = (count - 1) / grain + 1;
    const int threads = ond_threads() < blocks ? ond_threads() : blocks;
    if (threads > 1 && !working && host.run) {
        Job job = {body, context, count, grain, blocks, 0};
        host.run(host.user, threads, host_task, &job);
        return;
    }
    if (threads == 1 || working || pthread_mutex_trylock(&pool.caller) != 0) {
        body(0, count, 0, context);
        return;
    }
    hire(threads - 1);
    pool.job.body = body, pool.job.context = context;
    pool.job.count = count, pool.job.grain = grain, pool.job.blocks = blocks;
    pool.seats = threads;
    atomic_store(&pool.job.next, 0);
    atomic_store(&pool.seat, 1); // 0 is the caller's
    run_job();
    pthread_mutex_unlock(&pool.caller);
}

#endif
