// SPDX-License-Identifier: MIT
// YAML, read by the page's JavaScript (web/src/yaml.js): it gives events, and the tree is made of them here, as natively.
//
// They come as one block: the number of events, then for each eight whole numbers and its texts, padded to four bytes.
#include "io/yaml_build.h"

#include <emscripten.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

// A block from malloc, or 0 where there is no memory.
EM_JS(void *, page_yaml, (const char *text, size_t length),
      { return Module.ondine.yaml(HEAPU8.slice(text, text + length)); });

typedef struct PageEvent {
    int32_t kind; // OndYamlEventKind; past the last: the text is no YAML
    int32_t line, column;
    int32_t flags;
    int32_t length, anchor; // bytes; anchor -1: none
    int32_t tag_line, tag_column;
} PageEvent;

enum { PAGE_QUOTED = 1, PAGE_TAGGED = 2, PAGE_BRACKETS = 4 };

static const char *padded(const char *at, int32_t length)
{
    return at + ((size_t)(length > 0 ? length : 0) + 3) / 4 * 4;
}

static OndStatus complain(const OndYamlBuilder *b, const PageEvent *e, const char *text)
{
    char message[256];
    const size_t length =
        (size_t)e->length < sizeof message ? (size_t)e->length : sizeof message - 1;
    memcpy(message, text, length);
    message[length] = '\0';
    return ond_yaml_not(b, (OndYamlPlace){e->line, e->column}, e->flags & PAGE_BRACKETS, message);
}

static OndStatus add(OndYamlBuilder *b, const char **at)
{
    PageEvent e;
    memcpy(&e, *at, sizeof e);
    const char *const text = *at + sizeof e, *const anchor = padded(text, e.length);
    *at = padded(anchor, e.anchor);
    if (e.kind > OND_YAML_ALIAS) return complain(b, &e, text);
    return ond_yaml_add_event(b,
                              &(OndYamlEvent){.kind = (OndYamlEventKind)e.kind,
                                              .place = {e.line, e.column},
                                              .text = text,
                                              .length = (size_t)e.length,
                                              .quoted = e.flags & PAGE_QUOTED,
                                              .anchor = e.anchor < 0 ? NULL : anchor,
                                              .anchor_length = e.anchor < 0 ? 0 : (size_t)e.anchor,
                                              .tagged = e.flags & PAGE_TAGGED,
                                              .tag = {e.tag_line, e.tag_column}});
}

OndStatus ond_yaml_events(OndYamlBuilder *b, const char *text, size_t length)
{
    char *const block = page_yaml(text, length);
    if (!block) return ond_yaml_no_memory(b);
    int32_t events;
    memcpy(&events, block, sizeof events);
    const char *at = block + sizeof events;
    OndStatus status = OND_OK;
    for (int32_t k = 0; k < events && status == OND_OK; ++k)
        status = add(b, &at);
    free(block);
    return status;
}
