// SPDX-License-Identifier: MIT
// What marks a function of the library: everything else is hidden from those who link to it.
#ifndef ONDINE_API_H
#define ONDINE_API_H

#ifdef __GNUC__
#define OND_API __attribute__((visibility("default")))
#else
#define OND_API
#endif

#endif
