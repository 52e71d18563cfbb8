// SPDX-License-Identifier: MIT
#include "surface/fields/field.h"

#include "base/memory.h"

#include <string.h>

#define BALL_MOST 1.2 // of the true radius: cells that are coarser still lose a lone particle

// clang-format off
#define DECLARE(kind, called) extern const OndFieldKind ond_field_##kind;
#define KIND(kind, called)    &ond_field_##kind,
#define NAME(kind, called)    called,
// clang-format on
OND_FIELD_KINDS(DECLARE)

static const OndFieldKind *const kinds[] = {OND_FIELD_KINDS(KIND)};
const char *const ond_field_names[] = {OND_FIELD_KINDS(NAME) NULL};

const OndFieldKind *const *ond_field_kinds(int *count)
{
    *count = OND_COUNT(kinds);
    return kinds;
}

const OndFieldKind *ond_field_kind(const char *name)
{
    for (int k = 0; k < OND_COUNT(kinds); ++k)
        if (name && strcmp(kinds[k]->name, name) == 0) return kinds[k];
    return NULL;
}

static OndStatus check_def(const OndFieldDef *def, OndError *err)
{
    if (!(def->radius >= 0.0 && def->radius <= 16.0))
        return ond_fail(err, OND_BAD_VALUE,
                        "a field's radius is %g spacings; accepted: up to 16 (0: the default)",
                        def->radius);
    if (!isfinite(def->threshold))
        return ond_fail(err, OND_BAD_VALUE, "a field's threshold is %g; it must be finite",
                        def->threshold);
    if (!(def->smoothing >= 0.0 && def->smoothing <= 1.0))
        return ond_fail(err, OND_BAD_VALUE, "a field's smoothing is %g; accepted: 0 to 1",
                        def->smoothing);
    return OND_OK;
}

static OndFieldDef with_defaults(const OndFieldDef *def, const OndFieldDef *defaults)
{
    OndFieldDef full = *def;
    if (full.radius == 0.0) full.radius = defaults->radius;
    if (full.threshold == 0.0) full.threshold = defaults->threshold;
    if (full.smoothing == 0.0) full.smoothing = defaults->smoothing;
    if (full.exact_limit == 0) full.exact_limit = defaults->exact_limit;
    return full;
}

OndStatus ond_field_make(OndField3 *field, const OndFieldKind *kind, const OndFieldDef *def,
                         const OndPoints *points, OndError *err)
{
    OndStatus status = check_def(def, err);
    if (status != OND_OK) return status;
    *field = (OndField3){.kind = kind, .points = points};
    field->def = with_defaults(def, &kind->defaults);
    status = kind->make(field, err);
    if (status != OND_OK) ond_field_free(field);
    return status;
}

double ond_ball_in_cells(const OndPoints *points, double size, double cell, const double cut[2])
{
    const bool flat = points->dimension == 2;
    const double ball = flat ? 0.5641895835 : 0.6203504909; // volume 1
    const double cells = cell * points->spacing / size;
    return fmin(ball + cut[!flat] * cells * cells / ball, BALL_MOST * ball);
}

double ond_field_ball(const OndField3 *field, double size)
{
    return ond_ball_in_cells(field->points, size, field->def.cell, field->kind->cut);
}

void ond_field_free(OndField3 *field)
{
    if (field->kind && field->kind->free) field->kind->free(field);
    memset(field, 0, sizeof *field);
}
