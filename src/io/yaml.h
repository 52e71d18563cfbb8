// SPDX-License-Identifier: MIT
// YAML (and so JSON) into a tree of values with positions. libfyaml reads the syntax; what the
// values mean is not known here.
//
// Anchors, aliases and merge keys (<<) are resolved by copying, within a bound on the number of
// values. A doubled key is an error. Wrong syntax gives the same kind of message as a wrong value:
// file:line:column, the line and a caret.
#ifndef OND_IO_YAML_H
#define OND_IO_YAML_H

#include "base/tree.h"

#define OND_YAML_BYTES_MAX (64L * 1024 * 1024)

/// Reads a file. On failure `out` is empty. Free with ond_tree_free.
OndStatus ond_yaml_read(const char *path, OndTree *out, OndError *err);

/// The same for text in memory, which is copied. `name` stands for the path in messages.
OndStatus ond_yaml_text(const char *name, const char *text, size_t length, OndTree *out,
                        OndError *err);
/// The same without a net: text that the parser cannot bear brings the process down.
OndStatus ond_yaml_parse(const char *name, const char *text, size_t length, OndTree *out,
                         OndError *err);

/// Applies "fluid.0.spacing=0.01": a dotted path, and a value in YAML. Messages about the value,
/// now or later, name `by` and the assignment instead of a place in the file. On failure the tree
/// may hold empty maps on the way to the place, and is good for nothing but freeing.
OndStatus ond_yaml_assign(OndTree *tree, const char *by, const char *assignment, OndError *err);

#endif
