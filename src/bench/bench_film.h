// SPDX-License-Identifier: MIT
// Where the time of a film's pictures goes: previews as `--film` makes them, phase by phase.
#ifndef OND_BENCH_FILM_H
#define OND_BENCH_FILM_H

#include "bench/bench.h"
#include "render/render.h"

#define OND_FILM_ROWS 2

typedef struct OndFilmRow {
    const char *scene;
    int particles;
    double wall_ms, cpu_ms; ///< a picture, encoding included
    OndRenderTimes times;   ///< of the quickest picture
    double encode_ms;       ///< a picture; below 0: there is no ffmpeg
} OndFilmRow;

/// Measures all rows, or of a quick look the first alone; `count` is 0 where the scenes are not
/// found.
OndStatus ond_bench_films(const OndBenchSettings *settings, OndFilmRow rows[OND_FILM_ROWS],
                          int *count, OndError *err);

void ond_bench_films_markdown(const OndFilmRow *rows, int count);
void ond_bench_films_json(const OndFilmRow *rows, int count);

#endif
