// SPDX-License-Identifier: MIT
#include "sim/methods.h"

// clang-format off
#define DECLARE(name) extern const OndMethod ond_##name##_method; extern const OndSchema ond_##name##_schema;
#define METHOD(name) &ond_##name##_method,
#define SCHEMA(name) &ond_##name##_schema,
// clang-format on

OND_METHODS(DECLARE)

const OndMethod *const ond_methods[] = {OND_METHODS(METHOD)};
const OndSchema *const ond_method_schemas[] = {OND_METHODS(SCHEMA) NULL};
const int ond_method_count = (int)(sizeof ond_methods / sizeof ond_methods[0]);
