// SPDX-License-Identifier: MIT
// The events of libfyaml.
#include "io/yaml_build.h"

#include <libfyaml.h>
#include <string.h>

static OndYamlPlace mark_of(struct fy_token *token)
{
    const struct fy_mark *const mark = token ? fy_token_start_mark(token) : NULL;
    if (!mark || mark->line < 0) return (OndYamlPlace){0, 0};
    return (OndYamlPlace){mark->line + 1, mark->column + 1};
}

static void set_anchor(OndYamlEvent *out, struct fy_token *anchor)
{
    out->anchor = anchor ? fy_token_get_text(anchor, &out->anchor_length) : NULL;
}

static void set_tag(OndYamlEvent *out, struct fy_token *tag)
{
    out->tagged = tag != NULL;
    out->tag = mark_of(tag);
}

static OndYamlEvent scalar_of(const struct fy_event_scalar_data *scalar)
{
    OndYamlEvent out = {.kind = OND_YAML_SCALAR, .place = mark_of(scalar->value), .text = ""};
    set_anchor(&out, scalar->anchor);
    set_tag(&out, scalar->tag);
    if (!scalar->value) return out;
    out.text = fy_token_get_text(scalar->value, &out.length);
    out.unreadable = !out.text;
    const enum fy_scalar_style style = fy_token_scalar_style(scalar->value);
    out.quoted = style != FYSS_PLAIN;
    // libfyaml points behind an opening quote; a caret is better under it
    const bool marked = style == FYSS_SINGLE_QUOTED || style == FYSS_DOUBLE_QUOTED;
    if (marked && out.place.column > 1) out.place.column--;
    return out;
}

static OndYamlEvent alias_of(struct fy_token *name)
{
    OndYamlEvent out = {.kind = OND_YAML_ALIAS, .place = mark_of(name), .text = ""};
    const char *const text = name ? fy_token_get_text(name, &out.length) : NULL;
    if (text) out.text = text;
    return out;
}

static OndYamlEvent level_of(OndYamlEventKind kind, struct fy_token *start, struct fy_token *anchor,
                             struct fy_token *tag)
{
    OndYamlEvent out = {.kind = kind, .place = mark_of(start)};
    set_anchor(&out, anchor);
    set_tag(&out, tag);
    return out;
}

// False: nothing that a tree is made of.
static bool translate(const struct fy_event *event, OndYamlEvent *out)
{
    switch (event->type) {
    case FYET_DOCUMENT_START:
        *out = (OndYamlEvent){.kind = OND_YAML_DOCUMENT,
                              .place = mark_of(event->document_start.document_start)};
        return true;
    case FYET_MAPPING_START:
        *out = level_of(OND_YAML_MAP, event->mapping_start.mapping_start,
                        event->mapping_start.anchor, event->mapping_start.tag);
        return true;
    case FYET_SEQUENCE_START:
        *out = level_of(OND_YAML_LIST, event->sequence_start.sequence_start,
                        event->sequence_start.anchor, event->sequence_start.tag);
        return true;
    case FYET_MAPPING_END:
    case FYET_SEQUENCE_END:
        *out = (OndYamlEvent){.kind = OND_YAML_END};
        return true;
    case FYET_SCALAR:
        *out = scalar_of(&event->scalar);
        return true;
    case FYET_ALIAS:
        *out = alias_of(event->alias.anchor);
        return true;
    default:
        return false;
    }
}

static OndStatus syntax_error(const OndYamlBuilder *b, struct fy_diag *diag)
{
    void *state = NULL;
    const struct fy_diag_error *const e = fy_diag_errors_iterate(diag, &state);
    const OndYamlPlace place = {e && e->line > 0 ? e->line : 1, e && e->column > 0 ? e->column : 1};
    const char *const message = e && e->msg ? e->msg : "the text makes no sense";
    return ond_yaml_not(b, place, strstr(message, "flow") != NULL, message);
}

static OndStatus run_parser(OndYamlBuilder *b, struct fy_parser *parser, struct fy_diag *diag)
{
    OndStatus status = OND_OK;
    struct fy_event *event = NULL;
    while (status == OND_OK && (event = fy_parser_parse(parser))) {
        OndYamlEvent plain;
        if (translate(event, &plain)) status = ond_yaml_add_event(b, &plain);
        fy_parser_event_free(parser, event);
    }
    if (status == OND_OK && (fy_parser_get_stream_error(parser) || fy_diag_got_error(diag)))
        return syntax_error(b, diag);
    return status;
}

OndStatus ond_yaml_events(OndYamlBuilder *b, const char *text, size_t length)
{
    struct fy_diag_cfg quiet;
    fy_diag_cfg_default(&quiet);
    quiet.fp = NULL;
    struct fy_diag *const diag = fy_diag_create(&quiet);
    if (!diag) return ond_yaml_no_memory(b);
    fy_diag_set_collect_errors(diag, true); // nothing is printed
    const struct fy_parse_cfg config = {.search_path = "", .flags = FYPCF_QUIET, .diag = diag};
    struct fy_parser *const parser = fy_parser_create(&config);
    OndStatus status = OND_NO_MEMORY;
    if (parser && fy_parser_set_string(parser, text, length) == 0)
        status = run_parser(b, parser, diag);
    else
        ond_yaml_no_memory(b);
    if (parser) fy_parser_destroy(parser);
    fy_diag_destroy(diag);
    return status;
}
