// SPDX-License-Identifier: MIT
// A build without libfyaml makes scenes of structs alone.
#include "io/yaml_build.h"

OndStatus ond_yaml_events(OndYamlBuilder *b, const char *text, size_t length)
{
    (void)text, (void)length;
    return ond_fail(b->err, OND_MISSING,
                    "%.200s: this build reads no YAML; install libfyaml-dev and build again",
                    b->tree->name);
}
