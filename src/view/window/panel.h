// SPDX-License-Identifier: MIT
// Buttons, sliders and words over the picture: a C face of Dear ImGui (panel_imgui.cpp), as much of it as is
// used here.
//
// Each picture, between ond_panel_begin and ond_panel_end, calls what shall be there; a call says what
// happened to its button or slider since the last picture. There is one panel in a process.
#ifndef VIEW_WINDOW_PANEL_H
#define VIEW_WINDOW_PANEL_H

#include "view/window/event.h"

#include <ondine/error.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct OndPanel OndPanel;

/// Wants a current OpenGL context. `font` is a TrueType file's content, kept alive by the caller, or
/// NULL; `scale` 1 is a screen of some 96 dots an inch.
OndPanel *ond_panel_create(const void *font, size_t size, double scale, OndError *err);
void ond_panel_destroy(OndPanel *panel); ///< NULL is allowed

void ond_panel_event(OndPanel *panel, const OndEvent *event);
/// Whether the pointer is over it, or a number is being typed: the picture beneath then hears nothing.
bool ond_panel_wants_pointer(const OndPanel *panel);
bool ond_panel_wants_keys(const OndPanel *panel);

double ond_panel_wide(const OndPanel *panel); ///< pixels that the column at the left takes
double ond_panel_bar(const OndPanel *panel);  ///< pixels that a bar of two lines takes

void ond_panel_begin(OndPanel *panel, int width, int height, double seconds);
void ond_panel_end(OndPanel *panel); ///< draws it

// ---- boxes that hold what follows

typedef enum OndPanelPlace {
    OND_PANEL_LEFT,   ///< a column at the left edge
    OND_PANEL_TOP,    ///< a line of words in the middle of the upper edge
    OND_PANEL_MIDDLE, ///< over all else
    OND_PANEL_BOTTOM, ///< a bar along the lower edge
    OND_PANEL_RIGHT,  ///< as large as it needs, in the upper right corner
} OndPanelPlace;

void ond_panel_open(OndPanel *panel, const char *title, OndPanelPlace place);
void ond_panel_close(OndPanel *panel);

// ---- in a box

typedef enum OndPanelTone { OND_TONE_PLAIN, OND_TONE_DIM, OND_TONE_WARN } OndPanelTone;

void ond_panel_words(const char *text, OndPanelTone tone); ///< broken into lines
void ond_panel_lines(const char *text, OndPanelTone tone); ///< as they are, columns aligned
void ond_panel_heading(const char *text);
void ond_panel_beside(void); ///< what follows stands in the same line

/// A button that can be pressed in (`on`) or dead (`works` false); `tip` (may be NULL) shows up when
/// the pointer rests on it. True when it was clicked.
bool ond_panel_button(const char *label, bool on, bool works, const char *tip);

typedef struct OndPanelSlider {
    const char *label;
    double least, most;
    bool logarithmic, works;
    const char *unit, *tip;
    int digits; ///< after the point; below 0: what the range needs
} OndPanelSlider;
/// True when it was moved.
bool ond_panel_slider(const OndPanelSlider *slider, double *value);
/// A slider of whole numbers as wide as its box.
bool ond_panel_line(const char *label, int *value, int least, int most);

/// One of `count` names. True when another one was chosen.
bool ond_panel_choice(const char *label, const char *const *names, int count, int *which);

#define OND_PANEL_SHADES 64
/// A bar of colours with its ends named; red, green and blue of each shade as a screen shows it.
void ond_panel_legend(const float shade[OND_PANEL_SHADES][3], const char *title, const char *low,
                      const char *high);

#ifdef __cplusplus
}
#endif
#endif
