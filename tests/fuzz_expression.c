// SPDX-License-Identifier: MIT
// libFuzzer: any text as a formula. Nothing may crash, leak or hang, and a refusal says why.
#include "base/expression.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *const text = calloc(1, size + 1);
    if (!text) return 0;
    if (size) memcpy(text, data, size);
    OndArena arena = {NULL};
    OndError err = {0};
    int place = 0;
    const OndExpression *e = ond_expression_parse(&arena, text, OND_OF_TIME, &place, &err);
    if (!e && (err.text[0] == '\0' || place < 0 || (size_t)place > strlen(text))) abort();
    for (int k = -2; e && k < 3; ++k)
        ond_expression_at(e, 0.37 * k);
    ond_arena_free(&arena);
    free(text);
    return 0;
}
