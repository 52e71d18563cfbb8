// SPDX-License-Identifier: MIT
// Words that people mistype: which right one they meant, and how to list the right ones.
#ifndef OND_BASE_WORDS_H
#define OND_BASE_WORDS_H

#include <stddef.h>

/// The word of the list that `typed` most likely meant, or NULL when none is near. Upper and lower
/// case count as the same; up to a third of the letters may be wrong, missing, doubled or swapped.
const char *ond_word_nearest(const char *typed, const char *const *words, int count);

/// The spelling that keys have here of a word that may be written in two ways (`color` is `colour`,
/// `centre` is `center`); any other word as it is.
const char *ond_word_spelling(const char *word);
/// The second spelling of a key, or NULL when there is one alone.
const char *ond_word_other_spelling(const char *key);

/// Writes "a, b or c" into `out`, cut to fit.
void ond_words_list(const char *const *words, int count, char *out, size_t size);

#endif
