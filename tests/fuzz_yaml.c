// SPDX-License-Identifier: MIT
// libFuzzer: any bytes as a scene file, and any bytes as a --set. Nothing may crash, leak or hang.
//
// libfyaml 0.7.12 itself dies of some texts (ond_yaml_read sees to that with a process of its own).
// Those are not what is looked for here: each text goes through the bare library first, and is left
// out when a fault comes from inside it.
#define _GNU_SOURCE
#include "io/scene_sections.h"
#include "io/yaml.h"
#include "sim/scene/scene.h"

#include <dlfcn.h>
#include <execinfo.h>
#include <libfyaml.h>
#include <setjmp.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>

// libfyaml 0.7.12 loses two kilobytes when a long quoted text does not end; that is not ours to
// free.
const char *__lsan_default_suppressions(void);
const char *__lsan_default_suppressions(void)
{
    return "leak:libfyaml.so";
}

static sigjmp_buf before;
static volatile sig_atomic_t trying;

static bool in_library(void *address)
{
    Dl_info place;
    return dladdr(address, &place) && place.dli_fname && strstr(place.dli_fname, "libfyaml");
}

static void on_fault(int signal, siginfo_t *info, void *context)
{
    void *frame[32];
    const int count = backtrace(frame, 32);
    for (int k = 0; k < count && trying; ++k)
        if (in_library(frame[k])) siglongjmp(before, 1);
    (void)info, (void)context;
    struct sigaction plain = {.sa_handler = SIG_DFL};
    sigaction(signal, &plain, NULL);
    raise(signal);
}

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    (void)argc, (void)argv;
    void *frame[1];
    backtrace(frame, 1); // loads what it needs now, not in a handler
    struct sigaction ours = {.sa_sigaction = on_fault, .sa_flags = SA_SIGINFO | SA_NODEFER};
    sigaction(SIGSEGV, &ours, NULL);
    sigaction(SIGABRT, &ours, NULL);
    sigaction(SIGVTALRM, &ours, NULL); // texts that the library never ends with
    return 0;
}

static void parse_plainly(const char *text, size_t length)
{
    const struct fy_parse_cfg config = {.search_path = "", .flags = FYPCF_QUIET};
    struct fy_parser *parser = fy_parser_create(&config);
    if (!parser || fy_parser_set_string(parser, text, length) != 0) return;
    for (struct fy_event *event; (event = fy_parser_parse(parser)) != NULL;)
        fy_parser_event_free(parser, event);
    fy_parser_destroy(parser);
}

static bool library_survives(const char *text, size_t length)
{
    const struct itimerval never = {0}, soon = {.it_value = {.tv_usec = 300000}};
    const bool died = sigsetjmp(before, 1) != 0;
    trying = !died;
    setitimer(ITIMER_VIRTUAL, died ? &never : &soon, NULL);
    if (!died) parse_plainly(text, length);
    trying = 0;
    setitimer(ITIMER_VIRTUAL, &never, NULL);
    return !died;
}

// The part before the first zero byte is the file, the rest an assignment.
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const uint8_t *const zero = size ? memchr(data, 0, size) : NULL;
    const size_t length = zero ? (size_t)(zero - data) : size;
    OndTree tree;
    OndSceneDef scene;
    OndError err = {0};
    if (!library_survives((const char *)data, length)) return 0;
    const char *value = zero ? memchr(zero, '=', size - length) : NULL;
    if (value && !library_survives(value + 1, size - (size_t)((const uint8_t *)value - data) - 1))
        return 0;
    OndStatus status = ond_yaml_parse("fuzz.yaml", (const char *)data, length, &tree, &err);
    if (status == OND_OK && zero) {
        char *set = calloc(1, size - length);
        if (set) {
            memcpy(set, zero + 1, size - length - 1);
            ond_yaml_assign(&tree, "--set", set, &err);
        }
        free(set);
    }
    if (status == OND_OK) status = ond_scene_read(&tree, &scene, &err);
    if (status == OND_OK) ond_scene_free(&scene);
    if (status != OND_OK && (err.text[0] == '\0' || err.status != status)) abort();
    return 0;
}
