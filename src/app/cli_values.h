// SPDX-License-Identifier: MIT
// Options whose value has several parts.
#ifndef OND_APP_CLI_VALUES_H
#define OND_APP_CLI_VALUES_H

#include "app/cli.h"

/// "a:b", "a,b,c": cuts `text` at any of `marks` into exactly `count` numbers.
bool ond_cli_numbers(const char *text, const char *marks, double *out, int count);

/// "12" or "10-20" into the two ints at opt->target.
OndOptParser ond_parse_frames;

#define OND_OPT_FRAMES(to)                                                                         \
    {                                                                                              \
        .name = "--frames", .argument = "A-B", .help = "only these frames", .target = to,          \
        .parse = ond_parse_frames                                                                  \
    }

#endif
