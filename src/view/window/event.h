// SPDX-License-Identifier: MIT
// What a person did, as the window, or a script in its place, tells it.
#ifndef VIEW_WINDOW_EVENT_H
#define VIEW_WINDOW_EVENT_H

#include <stdbool.h>

// Letters and digits are their capital's ASCII code; these are the others.
enum {
    OND_KEY_SPACE = ' ',
    OND_KEY_ENTER = 256,
    OND_KEY_ESCAPE,
    OND_KEY_BACKSPACE,
    OND_KEY_DELETE,
    OND_KEY_TAB,
    OND_KEY_LEFT,
    OND_KEY_RIGHT,
    OND_KEY_UP,
    OND_KEY_DOWN,
    OND_KEY_HOME,
    OND_KEY_END,
    OND_KEY_CONTROL,
    OND_KEY_SHIFT,
    OND_KEY_CODES
};

typedef enum OndEventKind {
    OND_EVENT_KEY,    ///< `key`, `down`, `again`
    OND_EVENT_TEXT,   ///< `key` is the letter, as Unicode
    OND_EVENT_MOVE,   ///< to x, y
    OND_EVENT_LEAVE,  ///< the pointer has left the window
    OND_EVENT_BUTTON, ///< `key` is its number, `down`
    OND_EVENT_WHEEL,  ///< by y; above 0: away from the hand
} OndEventKind;

enum { OND_BUTTON_LEFT, OND_BUTTON_RIGHT, OND_BUTTON_MIDDLE };

typedef struct OndEvent {
    OndEventKind kind;
    int key;
    bool down, again; ///< `again`: a key that is held down repeats
    double x, y;      ///< pixels of the picture, from its upper left corner
} OndEvent;

#endif
