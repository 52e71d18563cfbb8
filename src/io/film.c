// SPDX-License-Identifier: MIT
#include "io/film.h"

#include "base/memory.h"
#include "io/file.h"

#include <errno.h>
#include <math.h>
#include <signal.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

#define ARGUMENTS 48

struct OndFilm {
    int width, height, pictures;
    int feed;    // the end of the socket that we write to; -1 when closed
    pid_t child; // ffmpeg; 0 when it has been waited for
    FILE *
        words; // what ffmpeg says: a file without a name, so that it never has to wait for a reader
    bool broken;
    char path[OND_PATH_MAX], part[OND_PATH_MAX + 8];
};

typedef struct FilmKind {
    const char *ending;
    const char *options[24]; // NULL at the end
} FilmKind;

#define TO_BT709 "scale=out_color_matrix=bt709:out_range=tv,format=yuv420p"
#define EVEN     "pad=ceil(iw/2)*2:ceil(ih/2)*2,"
#define TAGS     "-colorspace", "bt709", "-color_primaries", "bt709", "-color_trc", "bt709"

static const FilmKind kinds[] = {
    {".mp4",
     {"-vf", EVEN TO_BT709, TAGS, "-c:v", "libx264", "-preset", "fast", "-crf", "18", "-movflags",
      "+faststart", "-f", "mp4", NULL}},
    {".webm",
     {"-vf", EVEN TO_BT709, TAGS, "-c:v", "libvpx-vp9", "-crf", "28", "-b:v", "0", "-deadline",
      "good", "-cpu-used", "4", "-row-mt", "1", "-f", "webm", NULL}},
    {".gif",
     {"-vf", "split[a][b];[a]palettegen=stats_mode=single[p];[b][p]paletteuse=new=1", "-f", "gif",
      NULL}},
};

static const FilmKind *find_kind(const char *path)
{
    const size_t length = strlen(path);
    for (int i = 0; i < OND_COUNT(kinds); ++i) {
        const size_t ending = strlen(kinds[i].ending);
        if (length > ending && strcasecmp(path + length - ending, kinds[i].ending) == 0)
            return &kinds[i];
    }
    return NULL;
}

static OndStatus check(const char *path, int width, int height, double fps, OndError *err)
{
    if (!find_kind(path))
        return ond_fail(err, OND_BAD_VALUE, "%s: films end in .mp4, .webm or .gif", path);
    if (strlen(path) >= OND_PATH_MAX)
        return ond_fail(err, OND_BAD_VALUE, "the film's path is longer than %d characters",
                        OND_PATH_MAX - 1);
    if (width < 1 || height < 1 || width > OND_IMAGE_SIDE_MAX || height > OND_IMAGE_SIDE_MAX)
        return ond_fail(err, OND_BAD_VALUE, "%s: a film of %d x %d pixels cannot be made", path,
                        width, height);
    if (!(fps >= 0.1 && fps <= 1000.0))
        return ond_fail(err, OND_BAD_VALUE,
                        "%s: %g pictures a second cannot be played; accepted: 0.1 to 1000", path,
                        fps);
    return OND_OK;
}

// Finds out early whether the file can be written at all: ffmpeg would say so only at the first
// picture.
static OndStatus claim(const char *part, OndError *err)
{
    FILE *file = fopen(part, "wb");
    if (!file || fclose(file) != 0) return ond_file_fail(err, "write", part, errno);
    return OND_OK;
}

static OndStatus no_ffmpeg(OndError *err)
{
    return ond_fail(err, OND_MISSING,
                    "making a film needs the program ffmpeg, which is not in the PATH; install the "
                    "package ffmpeg, or keep the single pictures");
}

static bool is_program(const char *folder, int length)
{
    char path[OND_PATH_MAX];
    const int used = snprintf(path, sizeof path, "%.*s%sffmpeg", length, folder, length ? "/" : "");
    return used < (int)sizeof path && access(path, X_OK) == 0;
}

OndStatus ond_film_here(OndError *err)
{
    const char *list = getenv("PATH");
    if (!list) return OND_OK; // the system has a list of its own; spawning will tell
    for (int length = 0;; list += length + 1) {
        length = (int)strcspn(list, ":");
        if (is_program(list, length)) return OND_OK;
        if (list[length] == '\0') return no_ffmpeg(err);
    }
}

static OndStatus spawn(OndFilm *film, char *const *argument, int child_end, OndError *err)
{
    posix_spawn_file_actions_t files;
    posix_spawnattr_t attributes;
    posix_spawn_file_actions_init(&files);
    posix_spawnattr_init(&attributes);
    posix_spawn_file_actions_adddup2(&files, child_end, STDIN_FILENO);
    posix_spawn_file_actions_addopen(&files, STDOUT_FILENO, "/dev/null", 1, 0);
    posix_spawn_file_actions_adddup2(&files, fileno(film->words), STDERR_FILENO);
    // A group of its own: Ctrl-C is for us; we then finish the film instead of losing it.
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
    const int failed = posix_spawnp(&film->child, "ffmpeg", &files, &attributes, argument, environ);
    posix_spawn_file_actions_destroy(&files);
    posix_spawnattr_destroy(&attributes);
    if (!failed) return OND_OK;
    film->child = 0;
    if (failed == ENOENT) return no_ffmpeg(err);
    return ond_fail(err, OND_IO, "%s: ffmpeg could not be started: %s", film->path,
                    strerror(failed));
}

static OndStatus start(OndFilm *film, double fps, OndError *err)
{
    char size[32], rate[32];
    snprintf(size, sizeof size, "%dx%d", film->width, film->height);
    snprintf(rate, sizeof rate, "%ld/1000", lround(fps * 1000.0)); // no decimal comma in any locale
    const char *argument[ARGUMENTS] = {"ffmpeg",        "-hide_banner", "-loglevel",   "error",
                                       "-nostdin",      "-y",           "-f",          "rawvideo",
                                       "-pixel_format", "rgb24",        "-video_size", size,
                                       "-framerate",    rate,           "-i",          "pipe:0"};
    int count = 16;
    for (const char *const *o = find_kind(film->path)->options; *o && count < ARGUMENTS - 3; ++o)
        argument[count++] = *o;
    char target[OND_PATH_MAX + 16];
    snprintf(target, sizeof target, "file:%s",
             film->part); // whatever the name looks like, it is a file
    argument[count++] = target;
    int pair[2];
    // A socket instead of a pipe: writing to a dead ffmpeg can then be told not to raise SIGPIPE.
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) != 0)
        return ond_fail(err, OND_IO, "%s: no connection to ffmpeg: %s", film->path,
                        strerror(errno));
    const OndStatus status = spawn(film, (char *const *)argument, pair[1], err);
    close(pair[1]);
    film->feed = pair[0];
    return status;
}

OndFilm *ond_film_open(const char *path, int width, int height, double fps, OndError *err)
{
    if (check(path, width, height, fps, err) != OND_OK) return NULL;
    OndFilm *film = OND_NEW(OndFilm);
    if (!film) {
        ond_fail(err, OND_NO_MEMORY, "%s: no memory for a film", path);
        return NULL;
    }
    film->width = width, film->height = height, film->feed = -1;
    snprintf(film->path, sizeof film->path, "%s", path);
    snprintf(film->part, sizeof film->part, "%s.part", path);
    OndStatus status = claim(film->part, err);
    if (status != OND_OK) {
        ond_free(film);
        return NULL;
    }
    film->words = tmpfile();
    if (!film->words)
        status = ond_fail(err, OND_IO, "%s: no temporary file for ffmpeg's messages: %s", path,
                          strerror(errno));
    if (status == OND_OK) status = start(film, fps, err);
    if (status == OND_OK) return film;
    ond_film_abandon(film);
    return NULL;
}

// The last line that ffmpeg said.
static void read_words(OndFilm *film, char *out, size_t size)
{
    char line[256];
    snprintf(out, size, "it gave no reason");
    rewind(film->words);
    while (fgets(line, sizeof line, film->words)) {
        line[strcspn(line, "\r\n")] = '\0';
        if (line[0]) snprintf(out, size, "%s", line);
    }
}

// Ends the feed and waits for ffmpeg; true when it was content.
static bool wait_for(OndFilm *film)
{
    if (film->feed >= 0) close(film->feed);
    film->feed = -1;
    if (film->child <= 0) return false;
    int state = 0;
    pid_t got = waitpid(film->child, &state, 0);
    while (got < 0 && errno == EINTR)
        got = waitpid(film->child, &state, 0);
    film->child = 0;
    return got > 0 && WIFEXITED(state) && WEXITSTATUS(state) == 0;
}

static OndStatus fail_with_words(OndFilm *film, OndError *err)
{
    char words[256];
    film->broken = true;
    wait_for(film);
    read_words(film, words, sizeof words);
    return ond_fail(err, OND_IO, "%s: ffmpeg failed after %d pictures: %s", film->path,
                    film->pictures, words);
}

OndStatus ond_film_add(OndFilm *film, const OndImage *image, OndError *err)
{
    if (film->broken) return ond_fail(err, OND_IO, "%s: the film broke off earlier", film->path);
    if (image->width != film->width || image->height != film->height || !image->rgb)
        return ond_fail(err, OND_BAD_VALUE,
                        "%s: a picture of %d x %d pixels does not fit a film of %d x %d",
                        film->path, image->width, image->height, film->width, film->height);
    const size_t size = (size_t)film->width * (size_t)film->height * 3;
    for (size_t done = 0; done < size;) {
        const ssize_t sent = send(film->feed, image->rgb + done, size - done, MSG_NOSIGNAL);
        if (sent < 0 && errno == EINTR) continue;
        if (sent < 0) return fail_with_words(film, err);
        done += (size_t)sent;
    }
    ++film->pictures;
    return OND_OK;
}

OndStatus ond_film_close(OndFilm *film, OndError *err)
{
    if (!film) return OND_OK;
    OndStatus status = OND_OK;
    if (film->broken)
        status = ond_fail(err, OND_IO, "%s: the film broke off; no film was written", film->path);
    else if (film->pictures == 0)
        status = ond_fail(err, OND_BAD_VALUE, "%s: a film needs at least one picture", film->path);
    else if (!wait_for(film))
        status = fail_with_words(film, err);
    else if (rename(film->part, film->path) != 0)
        status = ond_file_fail(err, "rename", film->path, errno);
    if (status == OND_OK) film->part[0] = '\0'; // nothing left to remove
    ond_film_abandon(film);
    return status;
}

void ond_film_abandon(OndFilm *film)
{
    if (!film) return;
    if (film->child > 0) kill(film->child, SIGKILL);
    wait_for(film);
    if (film->words) fclose(film->words);
    if (film->part[0]) remove(film->part);
    ond_free(film);
}
