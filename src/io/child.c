// SPDX-License-Identifier: MIT
#include "io/child.h"

#include <ondine/host.h>

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

// A child that works is not asleep at every look of these, and one that waits for a disk is not
// "asleep" but in uninterruptible wait.
#define LOOK_MS     100
#define LOOKS_STUCK 10

static void silence(void)
{
    const int nowhere = open("/dev/null", O_WRONLY);
    if (nowhere < 0) return;
    dup2(nowhere, STDOUT_FILENO);
    dup2(nowhere, STDERR_FILENO);
}

/// The parent's handlers mean nothing here, and a death must look like one.
static void reset_signals(void)
{
    static const int signals[] = {SIGABRT, SIGSEGV, SIGBUS,  SIGFPE, SIGILL,
                                  SIGPIPE, SIGXCPU, SIGTERM, SIGALRM};
    for (size_t i = 0; i < sizeof signals / sizeof signals[0]; ++i)
        signal(signals[i], SIG_DFL);
}

static void limit(int seconds)
{
    const struct rlimit none = {0, 0};
    const struct rlimit time = {(rlim_t)seconds, (rlim_t)seconds + 1};
    setrlimit(RLIMIT_CORE, &none);
    setrlimit(RLIMIT_CPU, &time);
}

bool ond_child_start(OndChild *child, void (*work)(int pipe, void *context), void *context,
                     int seconds)
{
    int ends[2];
    if (pipe(ends) != 0) return false;
    child->pipe = ends[0];
    child->stalled = false;
    child->process = fork();
    if (child->process < 0) {
        const int why = errno;
        close(ends[0]);
        close(ends[1]);
        errno = why;
        return false;
    }
    if (child->process == 0) {
        close(ends[0]);
        reset_signals();
        limit(seconds);
        silence();
        ond_host_memory(NULL, NULL); // the host's may be locked by a thread that is not here
        ond_host_tasks(NULL, NULL);
        work(ends[1], context);
        _exit(0); // not exit: the parent's buffered files are not the child's to write
    }
    close(ends[1]);
    return true;
}

bool ond_child_write(int pipe, const void *bytes, size_t size)
{
    const char *from = bytes;
    while (size > 0) {
        const ssize_t done = write(pipe, from, size);
        if (done < 0 && errno == EINTR) continue;
        if (done <= 0) return false;
        from += done;
        size -= (size_t)done;
    }
    return true;
}

// Processor time in ticks if it sleeps; -1 if it runs, waits for a disk or has ended, or where the
// system does not tell.
static long long asleep_after(pid_t process)
{
    char path[64], line[512] = "";
    snprintf(path, sizeof path, "/proc/%ld/stat", (long)process);
    FILE *const file = fopen(path, "r");
    if (!file) return -1;
    const size_t length = fread(line, 1, sizeof line - 1, file);
    fclose(file);
    line[length] = '\0';
    const char *const behind_name = strrchr(line, ')');
    char state = 0;
    long long user = 0, system = 0;
    const char *const form = ") %c %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %lld %lld";
    if (!behind_name || sscanf(behind_name, form, &state, &user, &system) != 3) return -1;
    return state == 'S' ? user + system : -1;
}

// Waits until there is something to read; false when the child sleeps and will not wake.
static bool await_answer(const OndChild *child)
{
    struct pollfd end = {.fd = child->pipe, .events = POLLIN};
    long long before = -1;
    for (int looks = 0; looks < LOOKS_STUCK;) {
        if (poll(&end, 1, LOOK_MS) != 0) return true; // an answer, an end, or an error to be read
        const long long ticks = asleep_after(child->process);
        looks = ticks >= 0 && ticks == before ? looks + 1 : 0;
        before = ticks;
    }
    return false;
}

bool ond_child_read(OndChild *child, void *bytes, size_t size)
{
    char *to = bytes;
    while (size > 0) {
        if (!await_answer(child)) {
            child->stalled = true;
            kill(child->process, SIGKILL);
            return false;
        }
        const ssize_t done = read(child->pipe, to, size);
        if (done < 0 && errno == EINTR) continue;
        if (done <= 0) return false;
        to += done;
        size -= (size_t)done;
    }
    return true;
}

OndChildEnd ond_child_finish(OndChild *child)
{
    int status = 0;
    close(child->pipe);
    while (waitpid(child->process, &status, 0) < 0)
        if (errno != EINTR) // reaped by someone else: its answer decides
            return child->stalled ? OND_CHILD_STALLED : OND_CHILD_DONE;
    if (child->stalled) return OND_CHILD_STALLED;
    if (WIFEXITED(status)) return WEXITSTATUS(status) == 0 ? OND_CHILD_DONE : OND_CHILD_CRASHED;
    const int by = WTERMSIG(status);
    return by == SIGXCPU || by == SIGKILL ? OND_CHILD_TOO_LONG : OND_CHILD_CRASHED;
}
