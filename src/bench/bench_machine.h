// SPDX-License-Identifier: MIT
// What the machine can do at best, measured in the same run as the work it is compared with.
#ifndef OND_APP_BENCH_MACHINE_H
#define OND_APP_BENCH_MACHINE_H

typedef struct OndMachine {
    char cpu[96];       ///< as the system names it
    int cores;          ///< that the system offers
    const char *isa;    ///< of the loops in use
    double triad_gb_s;  ///< a = b + s c over arrays far larger than the cache, all threads
    double fma_gflop_s; ///< independent multiply-adds in registers, all threads
    char date[16];      ///< 2024-01-31
} OndMachine;

/// Measures for about two seconds.
void ond_machine_measure(OndMachine *out);

/// One line of Markdown to stdout, without its end; and the same as a JSON object.
void ond_machine_print(const OndMachine *machine);
void ond_machine_json(const OndMachine *machine);

#endif
