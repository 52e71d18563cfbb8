// SPDX-License-Identifier: MIT
#include "base/words.h"

#include <stdio.h>
#include <string.h>

#define LONGEST 32 // longer words are not compared: they are no typing mistakes

static int lower(char c)
{
    return c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c;
}

static int least(int a, int b, int c)
{
    const int ab = a < b ? a : b;
    return ab < c ? ab : c;
}

// How many letters to insert, delete, replace or swap with their neighbour to make b of a.
static int distance(const char *a, int a_length, const char *b, int b_length)
{
    int rows[3][LONGEST + 1];
    int *before = rows[0], *last = rows[1], *now = rows[2];
    for (int j = 0; j <= b_length; ++j)
        last[j] = j;
    for (int i = 1; i <= a_length; ++i) {
        now[0] = i;
        for (int j = 1; j <= b_length; ++j) {
            const int differ = lower(a[i - 1]) != lower(b[j - 1]);
            now[j] = least(last[j] + 1, now[j - 1] + 1, last[j - 1] + differ);
            const int swapped = i > 1 && j > 1 && lower(a[i - 1]) == lower(b[j - 2]) &&
                                lower(a[i - 2]) == lower(b[j - 1]);
            if (swapped && before[j - 2] + 1 < now[j]) now[j] = before[j - 2] + 1;
        }
        int *const free_row = before;
        before = last;
        last = now;
        now = free_row;
    }
    return last[b_length];
}

const char *ond_word_nearest(const char *typed, const char *const *words, int count)
{
    const size_t length = strlen(typed);
    if (length == 0 || length > LONGEST) return NULL;
    const char *best = NULL;
    int best_distance = 1 + (int)(length / 3);
    for (int w = 0; w < count; ++w) {
        const size_t word_length = strlen(words[w]);
        if (word_length > LONGEST) continue;
        const int d = distance(typed, (int)length, words[w], (int)word_length);
        if (d > best_distance || d >= (int)word_length) continue;
        if (d == best_distance && best) continue;
        best = words[w];
        best_distance = d;
    }
    return best;
}

void ond_words_list(const char *const *words, int count, char *out, size_t size)
{
    size_t used = 0;
    if (size) out[0] = '\0';
    for (int w = 0; w < count && used < size; ++w) {
        const char *const joint = w == 0 ? "" : w == count - 1 ? " or " : ", ";
        const int n = snprintf(out + used, size - used, "%s%s", joint, words[w]);
        used += n > 0 ? (size_t)n : 0;
    }
}

static const char *const spelling[][2] = {{"colour", "color"}, {"center", "centre"}};

const char *ond_word_spelling(const char *word)
{
    for (size_t k = 0; k < sizeof spelling / sizeof spelling[0]; ++k)
        if (strcmp(word, spelling[k][1]) == 0) return spelling[k][0];
    return word;
}

const char *ond_word_other_spelling(const char *key)
{
    for (size_t k = 0; k < sizeof spelling / sizeof spelling[0]; ++k)
        if (strcmp(key, spelling[k][0]) == 0) return spelling[k][1];
    return NULL;
}
