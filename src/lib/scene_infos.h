// SPDX-License-Identifier: MIT
// Which member of an info struct of <ondine/scene.h> is which key of a scene.
#ifndef OND_LIB_SCENE_INFOS_H
#define OND_LIB_SCENE_INFOS_H

#include "lib/scene.h"

typedef enum OndInfoKind {
    OND_INFO_TEXT,   ///< const char *
    OND_INFO_NUMBER, ///< double
    OND_INFO_WHOLE,  ///< int
    OND_INFO_FLAG,   ///< bool
    OND_INFO_VECTOR, ///< double[3]
    OND_INFO_SHAPE,  ///< OndShapeInfo
} OndInfoKind;

typedef struct OndInfoMember {
    const char *key;
    OndInfoKind kind;
    size_t offset;
    const char *type; ///< of shapes: which of them has this member; NULL: everyone
} OndInfoMember;

typedef struct OndInfoTable {
    const char *section; ///< key of the scene; NULL: the scene itself
    bool list;           ///< the section is a list of such maps
    const OndInfoMember *member;
    int count;
    size_t size; ///< of the struct
} OndInfoTable;

extern const OndInfoTable ond_shape_table; ///< of no section: shapes stand inside others
extern const OndInfoTable ond_scene_table, ond_domain_table, ond_fluid_table, ond_solid_table,
    ond_emitter_table, ond_heat_table, ond_air_table;

/// What the scene's own tables say; NAN and NULL where they have no plain value.
void ond_info_defaults(const OndInfoTable *table, void *out);

#endif
