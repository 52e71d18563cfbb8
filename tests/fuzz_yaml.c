// SPDX-License-Identifier: MIT
// libFuzzer: any bytes as a scene file, and any bytes as a --set. Nothing may crash, leak or hang.
#include "io/yaml.h"
#include "sim/scene.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

// libfyaml 0.7.12 loses two kilobytes when a long quoted text does not end; that is not ours to
// free.
const char *__lsan_default_suppressions(void);
const char *__lsan_default_suppressions(void)
{
    return "leak:libfyaml.so";
}

// The part before the first zero byte is the file, the rest an assignment.
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const uint8_t *const zero = size ? memchr(data, 0, size) : NULL;
    const size_t length = zero ? (size_t)(zero - data) : size;
    OndTree tree;
    OndScene scene;
    OndError err = {0};
    OndStatus status = ond_yaml_parse("fuzz.yaml", (const char *)data, length, &tree, &err);
    if (status == OND_OK && zero) {
        char *set = calloc(1, size - length);
        if (set) {
            memcpy(set, zero + 1, size - length - 1);
            ond_yaml_override(&tree, set, &err);
        }
        free(set);
    }
    if (status == OND_OK) status = ond_scene_read(&tree, &scene, &err);
    if (status == OND_OK) ond_scene_free(&scene);
    if (status != OND_OK && (err.text[0] == '\0' || err.status != status)) abort();
    return 0;
}
