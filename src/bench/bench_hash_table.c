// SPDX-License-Identifier: MIT
// The table of bench_hash.c, in Markdown and as JSON.
#include "base/parallel.h"
#include "bench/bench_hash.h"
#include "bench/bench_machine.h"

#include <string.h>

// The row of another structure on the same objects; NULL: there is none.
static const OndHashRow *beside(const OndHashRows *rows, const OndHashRow *row,
                                const char *structure)
{
    for (int k = 0; k < rows->count; ++k) {
        const OndHashRow *other = &rows->row[k];
        if (strcmp(other->figure, row->figure) == 0 && other->dimension == row->dimension &&
            other->objects == row->objects &&
            fabs(other->near - row->near) < 0.01 * row->near + 0.01 &&
            strcmp(other->structure, structure) == 0)
            return other;
    }
    return NULL;
}

static const char *thousands(double n, char text[32])
{
    if (n >= 1e6)
        snprintf(text, 32, "%gM", n * 1e-6);
    else if (n >= 1e3)
        snprintf(text, 32, "%gk", n * 1e-3);
    else
        snprintf(text, 32, "%g", n);
    return text;
}

static void print_row(const OndHashRows *rows, const OndHashRow *row)
{
    char objects[32];
    const OndHashRow *peer = beside(rows, row, ond_space_name(OND_SPACE_MULTILEVEL_HASH));
    printf("| %s | %d | %s | %.1f | ", thousands(row->objects, objects), row->dimension,
           row->structure, row->near);
    if (row->cells > 0.0)
        printf("%.1f", row->cells);
    else
        putchar('-');
    printf(" | %.2f | %.1f%s | %.2f | ", row->build_ms, row->query_ms,
           row->questions < row->of ? " *" : "", row->bytes * 1e-6);
    if (peer)
        printf("%.2f | %.2f |\n", peer->core_ms / row->core_ms, row->bytes / peer->bytes);
    else
        puts("- | - |");
}

static void print_figure(const OndHashRows *rows, const char *figure, const char *about)
{
    printf("\n%s\n\n", about);
    puts("| objects | dimensions | structure | found | cells | build ms | query ms | MB | times "
         "faster | "
         "memory |\n|--:|--:|:--|--:|--:|--:|--:|--:|--:|--:|");
    for (int k = 0; k < rows->count; ++k)
        if (strcmp(rows->row[k].figure, figure) == 0) print_row(rows, &rows->row[k]);
}

static void print_markdown(const OndMachine *machine, const OndHashRows *rows)
{
    fputs("## hash\n\n", stdout);
    ond_machine_print(machine);
    printf("\n\nThe experiments of Pouchol 2010, chapter 2, with %d threads; what the structures "
           "are is told in "
           "[hierarchy.md](hierarchy.md).\n`found`: objects a question finds; `cells`: cells or "
           "nodes it looks "
           "at. Answers are exact, each object once, in order; sorting\nthe questions is counted. "
           "`times "
           "faster` (by processor time of the questions) and `memory` are against the multi-level "
           "hash of Eitz and Lixu as they wrote "
           "it.\n`*`: "
           "measured on part of the questions and scaled up.\n",
           ond_threads());
    print_figure(rows, "2.4",
                 "Figures 2.4 and 2.5: objects of three sizes in a square of 2^13, and 1M paths of "
                 "up to 2^4.");
    print_figure(
        rows, "2.6",
        "Figures 2.6 and 2.7: all neighbours of all of 1M random points within a radius. `lists, "
        "sorted` makes the lists\nof all points at once (`src/space/near.h`); its building is the "
        "sorting of the points.");
    print_figure(rows, "2.9",
                 "Figures 2.8 and 2.9: particles of 2^-6 fall on 2000 spheres of 2^-4 to 2^2; "
                 "means of one step "
                 "over the fall. They\npush each other and the spheres as grains do; the query "
                 "includes the forces of what it finds.");
}

static void print_json(const OndMachine *machine, const OndHashRows *rows)
{
    fputs("{\"bench\":\"hash\",\"machine\":", stdout);
    ond_machine_json(machine);
    printf(",\"threads\":%d,\"rows\":[", ond_threads());
    for (int k = 0; k < rows->count; ++k) {
        const OndHashRow *row = &rows->row[k];
        printf("%s{\"figure\":\"%s\",\"structure\":\"%s\",\"objects\":%d,\"dimension\":%d,"
               "\"questions\":%.0f,\"asked\":%d,\"found\":%.3f,\"cells\":%.3f,\"build_ms\":%.4f,"
               "\"query_ms\":%.4f,\"core_ms\":%.4f,\"bytes\":%.0f}",
               k ? "," : "", row->figure, row->structure, row->objects, row->dimension, row->of,
               row->questions, row->near, row->cells, row->build_ms, row->query_ms, row->core_ms,
               row->bytes);
    }
    puts("]}");
}

OndStatus ond_bench_hash_table(const OndBenchSettings *settings, OndError *err)
{
    if (settings->picture) return ond_bench_hash_picture(settings->picture, err);
    OndMachine machine;
    static const OndHashRows none;
    OndHashRows rows = none;
    rows.quick = settings->quick;
    ond_machine_measure(&machine);
    OndStatus status = ond_bench_hash_boxes(&rows, err);
    if (status == OND_OK) status = ond_bench_hash_points(&rows, err);
    if (status == OND_OK) status = ond_bench_hash_spheres(&rows, err);
    if (status != OND_OK) return status;
    if (settings->json)
        print_json(&machine, &rows);
    else
        print_markdown(&machine, &rows);
    if (!rows.wrong) return OND_OK;
    return ond_fail(err, OND_UNSTABLE, "the structures gave different answers: please report this");
}
