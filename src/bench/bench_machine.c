// SPDX-License-Identifier: MIT
#include "bench/bench_machine.h"

#include "app/cli.h"
#include "base/clock.h"
#include "base/cpu.h"
#include "base/memory.h"
#include "base/parallel.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define TRIAD_LENGTH (16 << 20) // doubles: 128 MiB an array
#define TRIAD_GRAIN  (1 << 16)
#define REPEATS      5

// ---- memory

typedef struct Triad {
    double *a, *b, *c;
} Triad;

static void triad_range(int first, int last, int worker, void *context)
{
    const Triad *t = context;
    double *restrict a = t->a;
    const double *restrict b = t->b, *restrict c = t->c;
#pragma omp simd
    for (int i = first; i < last; ++i)
        a[i] = b[i] + 3.0 * c[i];
}

// Three arrays times eight bytes; that a write may first read the line is not counted.
static double measure_triad(void)
{
    Triad t = {OND_NEW_ARRAY(double, TRIAD_LENGTH), OND_NEW_ARRAY(double, TRIAD_LENGTH),
               OND_NEW_ARRAY(double, TRIAD_LENGTH)};
    double best_ms = HUGE_VAL;
    for (int k = 0; t.a && t.b && t.c && k <= REPEATS; ++k) { // the first touches the memory
        const double before = ond_now_ms();
        ond_parallel_for(TRIAD_LENGTH, TRIAD_GRAIN, triad_range, &t);
        if (k > 0) best_ms = fmin(best_ms, ond_now_ms() - before);
    }
    ond_free(t.a);
    ond_free(t.b);
    ond_free(t.c);
    return 24.0 * TRIAD_LENGTH / (best_ms * 1e6);
}

// ---- arithmetic

#define CHAINS 12 // enough to hide the latency of two units, few enough for sixteen registers
#define ROUNDS 2000000

// One instruction each; x = x m + a stays near its fixed point 1. The whole body is in each
// function because vectors wider than the build's own cannot be handed from one to another.
#define CHAIN_BODY(Vector)                                                                         \
    Vector x[CHAINS], m, a;                                                                        \
    for (unsigned lane = 0; lane < sizeof m / 4; ++lane)                                           \
        m[lane] = start, a[lane] = 1.0f - start;                                                   \
    for (int k = 0; k < CHAINS; ++k)                                                               \
        x[k] = m + (float)k;                                                                       \
    for (int round = 0; round < ROUNDS; ++round)                                                   \
        for (int k = 0; k < CHAINS; ++k)                                                           \
            x[k] = x[k] * m + a;                                                                   \
    for (int k = 1; k < CHAINS; ++k)                                                               \
        x[0] += x[k];                                                                              \
    return x[0][0]

typedef float Wide4 __attribute__((vector_size(16)));
static float chain_base(float start)
{
    CHAIN_BODY(Wide4);
}

#ifdef __x86_64__
typedef float Wide8 __attribute__((vector_size(32)));
__attribute__((target("avx2,fma"))) static float chain_v3(float start)
{
    CHAIN_BODY(Wide8);
}

typedef float Wide16 __attribute__((vector_size(64)));
__attribute__((target("avx512f,avx2,fma"))) static float chain_v4(float start)
{
    CHAIN_BODY(Wide16);
}
#else
#define chain_v3 chain_base
#define chain_v4 chain_base
#endif

typedef struct Chains {
    float (*run)(float start);
    float *sum; // one each, so that the work is not thrown away
} Chains;

static void chain_range(int first, int last, int worker, void *context)
{
    const Chains *c = context;
    for (int i = first; i < last; ++i)
        c->sum[i] = c->run(0.999f);
}

static double measure_fma(void)
{
    float sum[1024] = {0};
    const int threads = ond_threads() < 1024 ? ond_threads() : 1024;
    const OndIsa isa = ond_cpu_isa();
    const Chains chains = {isa == OND_ISA_V4   ? chain_v4
                           : isa == OND_ISA_V3 ? chain_v3
                                               : chain_base,
                           sum};
    const int lanes = isa == OND_ISA_V4 ? 16 : isa == OND_ISA_V3 ? 8 : 4;
    double best_ms = HUGE_VAL;
    for (int k = 0; k < REPEATS; ++k) {
        const double before = ond_now_ms();
        ond_parallel_for(threads, 1, chain_range, (void *)&chains);
        best_ms = fmin(best_ms, ond_now_ms() - before);
    }
    return 2.0 * lanes * CHAINS * (double)ROUNDS * threads / (best_ms * 1e6);
}

// ---- names

static void find_cpu(char *out, size_t room)
{
    char line[512];
    FILE *file = fopen("/proc/cpuinfo", "r");
    snprintf(out, room, "unknown");
    while (file && fgets(line, sizeof line, file)) {
        char *value = strchr(line, ':');
        if (strncmp(line, "model name", 10) != 0 || !value) continue;
        value += strspn(value, ": \t");
        value[strcspn(value, "\n")] = '\0';
        snprintf(out, room, "%.*s", (int)room - 1, value);
        break;
    }
    if (file) fclose(file);
}

void ond_machine_measure(OndMachine *out)
{
    const long cores = sysconf(_SC_NPROCESSORS_ONLN);
    const time_t now = time(NULL);
    struct tm day;
    memset(out, 0, sizeof *out);
    find_cpu(out->cpu, sizeof out->cpu);
    out->cores = cores > 0 ? (int)cores : 1;
    out->isa = ond_cpu_name();
    if (gmtime_r(&now, &day)) strftime(out->date, sizeof out->date, "%Y-%m-%d", &day);
    out->triad_gb_s = measure_triad();
    out->fma_gflop_s = measure_fma();
}

// ---- in words

void ond_machine_print(const OndMachine *machine)
{
    printf("%s, %d core%s, %s, %s. Triad %.1f GB/s, multiply-add %.0f GFLOP/s (all threads).",
           machine->cpu, machine->cores, machine->cores > 1 ? "s" : "", machine->isa, machine->date,
           machine->triad_gb_s, machine->fma_gflop_s);
}

void ond_machine_json(const OndMachine *machine)
{
    fputs("{\"cpu\":", stdout);
    ond_cli_json_text(stdout, machine->cpu);
    printf(",\"cores\":%d,\"isa\":", machine->cores);
    ond_cli_json_text(stdout, machine->isa);
    printf(",\"triad_gb_s\":%.2f,\"fma_gflop_s\":%.1f,\"date\":\"%s\"}", machine->triad_gb_s,
           machine->fma_gflop_s, machine->date);
}
