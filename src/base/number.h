// SPDX-License-Identifier: MIT
// Numbers from text, the same in every locale, and sizes for people.
#ifndef OND_BASE_NUMBER_H
#define OND_BASE_NUMBER_H

typedef enum OndNumberFault {
    OND_NUMBER_OK,
    OND_NUMBER_NOT,        ///< does not begin like a number
    OND_NUMBER_TAIL,       ///< a number with something after it: "0.1m"
    OND_NUMBER_NOT_FINITE, ///< nan, inf, or too large for a double
} OndNumberFault;

/// Reads the whole of `text` as a decimal number: 1, -0.5, .5, 1e-3.
OndNumberFault ond_number_parse(const char *text, double *out);

#define OND_BYTES_TEXT 16
/// Writes so many bytes as "640 kB", "30 MB" or "80.5 TB".
void ond_bytes_text(double bytes, char out[OND_BYTES_TEXT]);

#endif
