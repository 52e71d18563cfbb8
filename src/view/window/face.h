// SPDX-License-Identifier: MIT
// What a person sees and does: the picture, the eye that turns round it, the panel over it.
//
// One face for a simulation that runs and for a run that is played back, in a window and without one: where
// what is shown comes from is a table of functions (OndSource); whether events come from a window or from a
// script (script.h), the face does not know.
#ifndef VIEW_WINDOW_FACE_H
#define VIEW_WINDOW_FACE_H

#include "view/draw/draw.h"
#include "view/play/play.h"
#include "view/window/event.h"
#include "view/window/panel.h"

#include <stdio.h>

typedef struct OndFace OndFace;

/// Who has what is shown.
typedef struct OndSource {
    const char *help; ///< its keys, for the help: lines of "key\twhat it does"
    bool bar;         ///< it has a bar along the lower edge
    /// The newest, until the next call; `fresh`: another one than the last time. NULL: nothing yet.
    const OndShown *(*take)(void *self, bool *fresh);
    /// A key that the face itself has no use for. Its number where it waits to be shown, else 0.
    long long (*key)(void *self, OndFace *face, int key);
    long long (*heard)(void *self); ///< the last such number that is shown
    /// The left button, or nothing held.
    void (*pointer)(void *self, OndFace *face, OndPointer what, const OndPlayRay *ray);
    void (*panel)(void *self, OndFace *face);                 ///< in the column at the left
    void (*over)(void *self, OndFace *face, OndPanel *panel); ///< boxes of its own
    /// Where a ring is drawn; `pointed`: the pointer is over the picture.
    bool (*tool)(void *self, bool pointed, double center[3], double *radius);
    const char *(*palette)(void *self); ///< NULL: what suits
    const char *(*look)(void *self);    ///< of a surface; NULL: what suits
    void (*camera)(void *self, OndFace *face, const OndOrbit *orbit); ///< keep it, with the scene
    void (*report)(void *self, FILE *out);                            ///< lines of "name":value,
    /// What a script wants that the face does not know: words.
    OndStatus (*ask)(void *self, OndFace *face, char *const *words, int count, OndError *err);
} OndSource;

typedef struct OndFaceDef {
    const OndSource *source;
    void *self;   ///< of the source
    int style;    ///< OndDrawStyle; -1: what suits
    int backdrop; ///< 0 dark, 1 light, -1: as what is shown says
    bool no_panel;
    double scale; ///< of the screen; 1: some 96 dots an inch
} OndFaceDef;

/// Wants a current OpenGL context. NULL and a sentence on failure.
OndFace *ond_face_create(const OndFaceDef *def, OndError *err);
void ond_face_destroy(OndFace *face); ///< NULL is allowed

void ond_face_event(OndFace *face, const OndEvent *event);

/// Takes what is newest; true when there is a reason to draw.
bool ond_face_look(OndFace *face, int width, int height);
/// Draws a picture of that size into the framebuffer that is bound; `seconds` since the last one.
OndStatus ond_face_draw(OndFace *face, double seconds, OndError *err);

bool ond_face_settled(const OndFace *face); ///< what was asked for is what was taken last
bool ond_face_closed(const OndFace *face);  ///< a person wants to go
void ond_face_report(const OndFace *face, FILE *out);

// ---- for sources and scripts

const OndSource *ond_face_source(const OndFace *face, void **self);
OndOrbit *ond_face_orbit(OndFace *face);
/// A choice of styles in the panel.
void ond_face_style_choice(OndFace *face);
/// One line for a person, shown for some seconds.
void ond_face_say(OndFace *face, const char *format, ...) OND_PRINTF(2, 3);
double ond_face_rate(const OndFace *face); ///< pictures a second, over the last one
/// The ray through a place of the picture, in pixels.
OndPlayRay ond_face_ray(const OndFace *face, double x, double y);
void ond_face_size(const OndFace *face, int *width, int *height);

#endif
