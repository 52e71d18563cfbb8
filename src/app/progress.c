// SPDX-License-Identifier: MIT
#include "app/progress.h"

#include "base/clock.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#define LIVE_EVERY_MS 100.0
#define LINE_EVERY_MS 10000.0
#define BAR_CELLS     20

// ---- the text
// -------------------------------------------------------------------------------------

static void append(char *text, size_t room, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

static void append(char *text, size_t room, const char *format, ...)
{
    const size_t used = strlen(text);
    va_list args;
    va_start(args, format);
    vsnprintf(text + used, room - used, format, args);
    va_end(args);
}

void ond_progress_clock(char *text, size_t room, double seconds)
{
    if (!(seconds >= 0.0) || seconds > 3.6e6) {
        snprintf(text, room, "?");
        return;
    }
    const int s = (int)(seconds + 0.5);
    if (seconds < 0.9995)
        snprintf(text, room, "%.0f ms", seconds * 1000.0);
    else if (s < 60)
        snprintf(text, room, "%d s", s);
    else if (s < 3600)
        snprintf(text, room, "%d:%02d", s / 60, s % 60);
    else
        snprintf(text, room, "%d:%02d:%02d", s / 3600, s / 60 % 60, s % 60);
}

static double share_done(const OndProgressNow *now)
{
    double share = 0.0;
    if (now->duration > 0.0)
        share = now->time / now->duration;
    else if (now->frames > 0)
        share = (double)now->frame / now->frames;
    return share > 1.0 ? 1.0 : share > 0.0 ? share : 0.0; // NaN becomes 0
}

static void append_bar(char *text, size_t room, double share)
{
    const int full = (int)(share * BAR_CELLS);
    append(text, room, "[");
    for (int k = 0; k < BAR_CELLS; ++k)
        append(text, room, "%c", k < full ? '#' : '.');
    append(text, room, "] ");
}

static void append_count(char *text, size_t room, int particles)
{
    if (particles >= 10000000)
        append(text, room, "  %.1fM particles", particles * 1e-6);
    else if (particles > 0)
        append(text, room, "  %d particles", particles);
}

static void append_speed(char *text, size_t room, const OndProgress *p, const OndProgressNow *now,
                         double elapsed_s)
{
    const double steps = (double)(now->steps - p->start_steps);
    if (elapsed_s > 0.0 && steps > 0.0) append(text, room, "  %.3g steps/s", steps / elapsed_s);
}

static void append_left(char *text, size_t room, const OndProgress *p, const OndProgressNow *now,
                        double elapsed_s)
{
    const double share = share_done(now);
    if (!(share > p->start_share) || share >= 1.0) return;
    char left[32];
    ond_progress_clock(left, sizeof left, elapsed_s * (1.0 - share) / (share - p->start_share));
    append(text, room, "  %s left", left);
}

// What a narrow terminal does without, the first of these first. How far the work is and how long
// it takes are always said.
enum { ALL, NO_DT, NO_SPEED, NO_COUNT, NO_TIME };

static void append_words(char *text, size_t room, const OndProgress *p, const OndProgressNow *now,
                         double elapsed_s, int without)
{
    append(text, room, "%3.0f%%", floor(share_done(now) * 100.0));
    if (now->frames > 0) append(text, room, "  frame %d/%d", now->frame, now->frames);
    if (now->duration > 0.0 && without < NO_TIME) append(text, room, "  t %.3f s", now->time);
    if (without < NO_COUNT) append_count(text, room, now->particles);
    if (now->cells > 0 && without < NO_COUNT)
        append(text, room, "  %.2fM cells", (double)now->cells * 1e-6);
    if (now->dt > 0.0 && without < NO_DT) append(text, room, "  dt %.2g s", now->dt);
    if (without < NO_SPEED) append_speed(text, room, p, now, elapsed_s);
    append_left(text, room, p, now, elapsed_s);
}

void ond_progress_text(char *text, size_t room, const OndProgress *progress,
                       const OndProgressNow *now, double elapsed_s, int width)
{
    char words[200];
    text[0] = '\0';
    if (now->label) append(text, room, "%s ", now->label);
    for (int without = ALL; without <= NO_TIME; ++without) {
        words[0] = '\0';
        append_words(words, sizeof words, progress, now, elapsed_s, without);
        if (width < 0 || strlen(text) + strlen(words) <= (size_t)width) break;
    }
    // where there is no room for both, the words say more than the bar
    const size_t whole = strlen(text) + BAR_CELLS + 3 + strlen(words);
    const bool fits = width < 0 || whole <= (size_t)width;
    if (progress->mode == OND_PROGRESS_LIVE && fits) append_bar(text, room, share_done(now));
    append(text, room, "%s", words);
    if (width >= 0 && strlen(text) > (size_t)width) text[width] = '\0';
}

// ---- where it goes
// --------------------------------------------------------------------------------

static int terminal_width(FILE *out)
{
    struct winsize size;
    if (ioctl(fileno(out), TIOCGWINSZ, &size) == 0 && size.ws_col > 0) return size.ws_col - 1;
    return 79;
}

void ond_progress_begin(OndProgress *progress, FILE *out, OndProgressMode mode)
{
    const char *term = getenv("TERM");
    const char *plain = getenv("NO_COLOR");
    const bool dumb = !term || strcmp(term, "dumb") == 0;
    if (mode == OND_PROGRESS_AUTO)
        mode = isatty(fileno(out)) && !dumb ? OND_PROGRESS_LIVE : OND_PROGRESS_LINES;
    *progress =
        (OndProgress){.out = out, .mode = mode, .start_ms = ond_now_ms(), .shown_frame = -1};
    progress->colour = mode == OND_PROGRESS_LIVE && !dumb && !(plain && plain[0]);
}

static bool is_due(const OndProgress *p, const OndProgressNow *now, double now_ms)
{
    const bool new_frame = now->frame_done && now->frame != p->shown_frame;
    if (p->mode == OND_PROGRESS_LINES) return new_frame || now_ms - p->shown_ms >= LINE_EVERY_MS;
    return p->shown_ms == 0.0 || now_ms - p->shown_ms >= LIVE_EVERY_MS || share_done(now) >= 1.0;
}

static void draw_live(OndProgress *p, const char *text)
{
    // back to the first column, the line, and whatever an older longer line left is cleared
    fprintf(p->out, p->colour ? "\r\033[36m%s\033[0m\033[K" : "\r%s\033[K", text);
    fflush(p->out);
    p->line_open = true;
}

void ond_progress_show(OndProgress *progress, const OndProgressNow *now)
{
    if (progress->mode == OND_PROGRESS_QUIET) return;
    const double now_ms = ond_now_ms();
    if (!progress->started) {
        progress->started = true;
        progress->start_share = share_done(now);
        progress->start_steps = now->steps;
        if (progress->mode == OND_PROGRESS_LINES) progress->shown_ms = now_ms;
    }
    if (!is_due(progress, now, now_ms)) return;
    const bool live = progress->mode == OND_PROGRESS_LIVE;
    char text[256];
    ond_progress_text(text, sizeof text, progress, now, (now_ms - progress->start_ms) * 1e-3,
                      live ? terminal_width(progress->out) : -1);
    if (live)
        draw_live(progress, text);
    else
        fprintf(progress->out, "%s\n", text);
    progress->shown_ms = now_ms;
    if (now->frame_done) progress->shown_frame = now->frame;
}

void ond_progress_end(OndProgress *progress)
{
    if (progress->line_open) fputc('\n', progress->out);
    fflush(progress->out);
    progress->line_open = false;
}
