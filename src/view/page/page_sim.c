// SPDX-License-Identifier: MIT
// A scene alone, without tools and pictures, as the page's JavaScript sees it: checked while it is typed, and run by
// tests.
#include "base/memory.h"

#include <ondine/ondine.h>

#include <emscripten.h>

typedef struct PageSim {
    OndScene *scene;
    OndSim *sim;
    OndError err;
} PageSim;

EMSCRIPTEN_KEEPALIVE PageSim *ond_page_sim_create(void)
{
    return OND_NEW(PageSim);
}

EMSCRIPTEN_KEEPALIVE void ond_page_sim_destroy(PageSim *page)
{
    if (!page) return;
    ond_sim_destroy(page->sim);
    ond_scene_destroy(page->scene);
    ond_free(page);
}

EMSCRIPTEN_KEEPALIVE const char *ond_page_sim_error(const PageSim *page)
{
    return page->err.text;
}

/// Reads and checks a scene; false: see the error.
EMSCRIPTEN_KEEPALIVE bool ond_page_sim_scene(PageSim *page, const char *text, const char *name)
{
    page->err = (OndError){0};
    ond_scene_destroy(page->scene);
    page->scene = ond_scene_create();
    if (!page->scene) return ond_fail(&page->err, OND_NO_MEMORY, "no memory for a scene") == OND_OK;
    return ond_scene_text(page->scene, text, name, &page->err) == OND_OK &&
           ond_scene_validate(page->scene, &page->err) == OND_OK;
}

EMSCRIPTEN_KEEPALIVE bool ond_page_sim_start(PageSim *page)
{
    page->err = (OndError){0};
    ond_sim_destroy(page->sim);
    page->sim = ond_sim_create(page->scene, &(OndSimOptions){.memory = -1.0}, &page->err);
    return page->sim != NULL;
}

EMSCRIPTEN_KEEPALIVE bool ond_page_sim_step(PageSim *page, int steps)
{
    for (int k = 0; k < steps; ++k)
        if (ond_sim_step(page->sim, &page->err) != OND_OK) return false;
    return true;
}

EMSCRIPTEN_KEEPALIVE bool ond_page_sim_frame(PageSim *page)
{
    return ond_sim_next_frame(page->sim, NULL, &page->err) == OND_OK;
}

EMSCRIPTEN_KEEPALIVE double ond_page_sim_time(const PageSim *page)
{
    return ond_sim_time(page->sim);
}

EMSCRIPTEN_KEEPALIVE bool ond_page_sim_write(PageSim *page, const char *path)
{
    return ond_sim_write(page->sim, path, &page->err) == OND_OK;
}
