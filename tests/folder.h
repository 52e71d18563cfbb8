// SPDX-License-Identifier: MIT
// A folder for the files of a test.
#ifndef OND_TESTS_FOLDER_H
#define OND_TESTS_FOLDER_H

#include "check.h"

#include <stdlib.h>
#include <unistd.h>

static char folder[] = "/tmp/ondine-test-XXXXXX";

static inline int make_folder(void **state)
{
    (void)state;
    return mkdtemp(folder) ? 0 : -1;
}

// Fails when a test left something behind.
static inline int remove_folder(void **state)
{
    (void)state;
    return rmdir(folder);
}

static inline const char *in_folder(const char *name, char out[256])
{
    snprintf(out, 256, "%s/%s", folder, name);
    return out;
}

#endif
