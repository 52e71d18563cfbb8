// SPDX-License-Identifier: MIT
// How long work shows itself: one live line on a terminal, plain lines in a log.
//
//     OndProgress progress;
//     ond_progress_begin(&progress, stderr, OND_PROGRESS_AUTO);
//     ... ond_progress_show(&progress, &now) after every step, with now.frame_done at frames ...
//     ond_progress_end(&progress);
//
// Call it as often as you like: a terminal is redrawn ten times a second at most, a log gets a line
// a frame at most, and one every ten seconds while a frame takes longer.
#ifndef OND_APP_PROGRESS_H
#define OND_APP_PROGRESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/// Where the work stands. Leave at 0 what does not apply; it is then not shown.
typedef struct OndProgressNow {
    const char *label; ///< what is going on: "run", "render"
    int frame, frames; ///< frames done and wanted
    bool frame_done;   ///< this call comes right after a frame
    double time;       ///< simulated, s
    double duration;   ///< simulated time at the end, s; 0: progress is counted in frames
    int particles;
    long long cells; ///< of a grid
    double dt;       ///< s
    long long steps; ///< done since the start
} OndProgressNow;

typedef enum OndProgressMode {
    OND_PROGRESS_AUTO,  ///< live on a terminal, lines elsewhere
    OND_PROGRESS_QUIET, ///< nothing: --json, --quiet
    OND_PROGRESS_LIVE,
    OND_PROGRESS_LINES,
} OndProgressMode;

typedef struct OndProgress {
    FILE *out;
    OndProgressMode mode;
    bool colour;
    double start_ms,
        shown_ms;       ///< ond_now_ms() at the start and at the last line; shown_ms 0: none yet
    double start_share; ///< share done at the first call: a resumed run does not begin at 0
    long long start_steps;
    int shown_frame;
    bool started, line_open;
} OndProgress;

void ond_progress_begin(OndProgress *progress, FILE *out, OndProgressMode mode);
void ond_progress_show(OndProgress *progress, const OndProgressNow *now);
/// Clears the way for other output: a live line is ended.
void ond_progress_end(OndProgress *progress);

/// The line itself, at most `width` columns; `elapsed_s` since the start. Split off to be tested.
void ond_progress_text(char *text, size_t room, const OndProgress *progress,
                       const OndProgressNow *now, double elapsed_s, int width);
/// "850 ms", "12 s", "3:05", "2:10:00".
void ond_progress_clock(char *text, size_t room, double seconds);

#endif
