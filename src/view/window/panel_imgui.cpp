// SPDX-License-Identifier: MIT
// The panel by Dear ImGui. Nothing else knows of it; Dear ImGui's own code is the system's package.
//
// Events come as OndEvent and not from GLFW, so that a picture without a window can have a panel too.
#include "view/window/panel.h"

#include <backends/imgui_impl_opengl3.h>
#include <imgui.h>

#include <cmath>
#include <cstdio>
#include <cstring>

struct OndPanel {
    double scale;
    int width, height;
};

namespace
{
const float COLUMN = 280.0f, BAR = 64.0f, GAP = 10.0f; // pixels at scale 1

OndPanel the_panel; // Dear ImGui has one context as well
bool made;

const ImVec4 water(0.16f, 0.47f, 0.72f, 1.0f), pale(0.27f, 0.62f, 0.88f, 1.0f);

void paint()
{
    ImGui::StyleColorsDark();
    ImGuiStyle &style = ImGui::GetStyle();
    style = ImGuiStyle();
    ImGui::StyleColorsDark(&style);
    style.WindowRounding = style.FrameRounding = style.GrabRounding = 4.0f;
    style.WindowBorderSize = 0.0f;
    style.FramePadding = ImVec2(6, 3);
    style.ItemSpacing = ImVec2(6, 5);
    style.Colors[ImGuiCol_WindowBg] = ImVec4(0.06f, 0.08f, 0.10f, 0.82f);
    style.Colors[ImGuiCol_Button] = ImVec4(0.20f, 0.25f, 0.30f, 1.0f);
    style.Colors[ImGuiCol_ButtonHovered] = style.Colors[ImGuiCol_FrameBgHovered] = water;
    style.Colors[ImGuiCol_ButtonActive] = style.Colors[ImGuiCol_SliderGrabActive] = pale;
    style.Colors[ImGuiCol_SliderGrab] = style.Colors[ImGuiCol_CheckMark] = pale;
    style.Colors[ImGuiCol_FrameBg] = ImVec4(0.15f, 0.19f, 0.23f, 1.0f);
    style.ScaleAllSizes((float)the_panel.scale);
}

// The glyphs that texts here use beyond Latin-1.
const ImWchar glyphs[] = {0x20,   0xff,   0x2010, 0x2026, 0x2030, 0x2030,
                          0x207b, 0x207b, 0x2190, 0x2193, 0};

ImGuiKey key_of(int key)
{
    switch (key) {
    case OND_KEY_ENTER:
        return ImGuiKey_Enter;
    case OND_KEY_ESCAPE:
        return ImGuiKey_Escape;
    case OND_KEY_BACKSPACE:
        return ImGuiKey_Backspace;
    case OND_KEY_DELETE:
        return ImGuiKey_Delete;
    case OND_KEY_TAB:
        return ImGuiKey_Tab;
    case OND_KEY_LEFT:
        return ImGuiKey_LeftArrow;
    case OND_KEY_RIGHT:
        return ImGuiKey_RightArrow;
    case OND_KEY_HOME:
        return ImGuiKey_Home;
    case OND_KEY_END:
        return ImGuiKey_End;
    default:
        return ImGuiKey_COUNT;
    }
}

// Dear ImGui 1.87 turned the state of keys and mouse into a queue of events.
#if IMGUI_VERSION_NUM >= 18700
void tell_key(ImGuiIO &io, int key, bool down)
{
    if (key == OND_KEY_CONTROL) io.AddKeyEvent(ImGuiMod_Ctrl, down);
    if (key_of(key) != ImGuiKey_COUNT) io.AddKeyEvent(key_of(key), down);
}
void tell_place(ImGuiIO &io, double x, double y)
{
    io.AddMousePosEvent((float)x, (float)y);
}
void tell_button(ImGuiIO &io, int button, bool down)
{
    io.AddMouseButtonEvent(button, down);
}
void tell_wheel(ImGuiIO &io, double by)
{
    io.AddMouseWheelEvent(0.0f, (float)by);
}
#else
void tell_key(ImGuiIO &io, int key, bool down)
{
    if (key == OND_KEY_CONTROL) io.KeyCtrl = down;
    if (key_of(key) == ImGuiKey_COUNT) return;
    io.KeyMap[key_of(key)] = key;
    io.KeysDown[key] = down;
}
void tell_place(ImGuiIO &io, double x, double y)
{
    io.MousePos = ImVec2((float)x, (float)y);
}
void tell_button(ImGuiIO &io, int button, bool down)
{
    io.MouseDown[button] = down;
}
void tell_wheel(ImGuiIO &io, double by)
{
    io.MouseWheel += (float)by;
}
#endif

void tip_of(const char *tip)
{
    if (!tip || !tip[0] || !ImGui::IsItemHovered(ImGuiHoveredFlags_AllowWhenDisabled)) return;
    ImGui::BeginTooltip();
    ImGui::PushTextWrapPos(ImGui::GetFontSize() * 24.0f);
    ImGui::TextUnformatted(tip);
    ImGui::PopTextWrapPos();
    ImGui::EndTooltip();
}
} // namespace

OndPanel *ond_panel_create(const void *font, size_t size, double scale, OndError *err)
{
    if (made) {
        ond_fail(err, OND_BAD_VALUE, "there is a panel already");
        return nullptr;
    }
    IMGUI_CHECKVERSION();
    ImGui::CreateContext();
    ImGuiIO &io = ImGui::GetIO();
    io.IniFilename = nullptr;
    io.LogFilename = nullptr;
    the_panel = OndPanel();
    the_panel.scale = scale;
    paint();
    ImFontConfig config;
    config.FontDataOwnedByAtlas = false;
    if (!font || !io.Fonts->AddFontFromMemoryTTF(const_cast<void *>(font), (int)size,
                                                 (float)std::round(15.0 * scale), &config, glyphs))
        io.Fonts->AddFontDefault();
    if (!ImGui_ImplOpenGL3_Init("#version 330 core")) {
        ImGui::DestroyContext();
        ond_fail(err, OND_MISSING, "the panel found no OpenGL 3.3");
        return nullptr;
    }
    made = true;
    return &the_panel;
}

void ond_panel_destroy(OndPanel *panel)
{
    if (!panel || !made) return;
    ImGui_ImplOpenGL3_Shutdown();
    ImGui::DestroyContext();
    made = false;
}

void ond_panel_event(OndPanel *panel, const OndEvent *event)
{
    ImGuiIO &io = ImGui::GetIO();
    switch (event->kind) {
    case OND_EVENT_KEY:
        tell_key(io, event->key, event->down);
        break;
    case OND_EVENT_TEXT:
        io.AddInputCharacter((unsigned)event->key);
        break;
    case OND_EVENT_MOVE:
        tell_place(io, event->x, event->y);
        break;
    case OND_EVENT_LEAVE:
        tell_place(io, -1e5, -1e5);
        break;
    case OND_EVENT_BUTTON:
        if (event->key >= 0 && event->key < 3) tell_button(io, event->key, event->down);
        break;
    case OND_EVENT_WHEEL:
        tell_wheel(io, event->y);
        break;
    }
    (void)panel;
}

bool ond_panel_wants_pointer(const OndPanel *panel)
{
    (void)panel;
    return ImGui::GetIO().WantCaptureMouse;
}

bool ond_panel_wants_keys(const OndPanel *panel)
{
    (void)panel;
    return ImGui::GetIO().WantTextInput;
}

double ond_panel_wide(const OndPanel *panel)
{
    return (COLUMN + GAP) * panel->scale;
}

double ond_panel_bar(const OndPanel *panel)
{
    return (BAR + GAP) * panel->scale;
}

void ond_panel_begin(OndPanel *panel, int width, int height, double seconds)
{
    ImGuiIO &io = ImGui::GetIO();
    panel->width = width;
    panel->height = height;
    io.DisplaySize = ImVec2((float)width, (float)height);
    io.DeltaTime = seconds > 1e-4 ? (float)seconds : 1e-4f;
    ImGui_ImplOpenGL3_NewFrame();
    ImGui::NewFrame();
}

void ond_panel_end(OndPanel *panel)
{
    (void)panel;
    ImGui::Render();
    ImGui_ImplOpenGL3_RenderDrawData(ImGui::GetDrawData());
}

// ---- boxes

void ond_panel_open(OndPanel *panel, const char *title, OndPanelPlace place)
{
    const float w = (float)panel->width, h = (float)panel->height, s = (float)panel->scale;
    const float gap = GAP * s;
    ImGuiWindowFlags flags = ImGuiWindowFlags_NoTitleBar | ImGuiWindowFlags_NoResize |
                             ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoSavedSettings |
                             ImGuiWindowFlags_NoFocusOnAppearing | ImGuiWindowFlags_NoNav;
    switch (place) {
    case OND_PANEL_LEFT:
        ImGui::SetNextWindowPos(ImVec2(gap, gap));
        ImGui::SetNextWindowSizeConstraints(ImVec2(COLUMN * s, 0), ImVec2(COLUMN * s, h - 2 * gap));
        flags |= ImGuiWindowFlags_AlwaysAutoResize;
        break;
    case OND_PANEL_TOP:
        ImGui::SetNextWindowPos(ImVec2(0.5f * w, gap), ImGuiCond_Always, ImVec2(0.5f, 0.0f));
        flags |= ImGuiWindowFlags_AlwaysAutoResize | ImGuiWindowFlags_NoInputs;
        break;
    case OND_PANEL_MIDDLE:
        ImGui::SetNextWindowPos(ImVec2(0.5f * w, 0.5f * h), ImGuiCond_Always, ImVec2(0.5f, 0.5f));
        ImGui::SetNextWindowSizeConstraints(ImVec2(0, 0), ImVec2(w - 2 * gap, h - 2 * gap));
        ImGui::SetNextWindowBgAlpha(0.94f);
        flags |= ImGuiWindowFlags_AlwaysAutoResize;
        break;
    case OND_PANEL_BOTTOM:
        ImGui::SetNextWindowPos(ImVec2(gap, h - gap), ImGuiCond_Always, ImVec2(0.0f, 1.0f));
        ImGui::SetNextWindowSizeConstraints(ImVec2(w - 2 * gap, 0), ImVec2(w - 2 * gap, h));
        flags |= ImGuiWindowFlags_AlwaysAutoResize;
        break;
    case OND_PANEL_RIGHT:
        ImGui::SetNextWindowPos(ImVec2(w - gap, gap), ImGuiCond_Always, ImVec2(1.0f, 0.0f));
        flags |= ImGuiWindowFlags_AlwaysAutoResize;
        break;
    }
    ImGui::Begin(title, nullptr, flags);
}

void ond_panel_close(OndPanel *panel)
{
    (void)panel;
    ImGui::End();
}

// ---- in a box

static ImVec4 tone_colour(OndPanelTone tone)
{
    switch (tone) {
    case OND_TONE_DIM:
        return ImVec4(0.62f, 0.67f, 0.72f, 1.0f);
    case OND_TONE_WARN:
        return ImVec4(1.0f, 0.72f, 0.35f, 1.0f);
    default:
        return ImVec4(0.93f, 0.95f, 0.97f, 1.0f);
    }
}

void ond_panel_words(const char *text, OndPanelTone tone)
{
    ImGui::PushStyleColor(ImGuiCol_Text, tone_colour(tone));
    ImGui::PushTextWrapPos(0.0f);
    ImGui::TextUnformatted(text);
    ImGui::PopTextWrapPos();
    ImGui::PopStyleColor();
}

// Lines "left\tright" become two columns.
void ond_panel_lines(const char *text, OndPanelTone tone)
{
    ImGui::PushStyleColor(ImGuiCol_Text, tone_colour(tone));
    float column = 0.0f;
    for (const char *line = text; *line;) {
        const char *tab = line + std::strcspn(line, "\t\n");
        if (*tab == '\t') column = std::fmax(column, ImGui::CalcTextSize(line, tab).x);
        line += std::strcspn(line, "\n");
        line += *line == '\n';
    }
    column += 2.0f * ImGui::GetFontSize();
    for (const char *line = text; *line;) {
        const char *end = line + std::strcspn(line, "\n"), *tab = line + std::strcspn(line, "\t\n");
        ImGui::TextUnformatted(line, tab);
        if (*tab == '\t') {
            ImGui::SameLine(column);
            ImGui::TextUnformatted(tab + 1, end);
        }
        line = end + (*end == '\n');
    }
    ImGui::PopStyleColor();
}

void ond_panel_heading(const char *text)
{
    ImGui::Spacing();
    ImGui::PushStyleColor(ImGuiCol_Text, pale);
    ImGui::TextUnformatted(text);
    ImGui::PopStyleColor();
    ImGui::Separator();
}

void ond_panel_beside(void)
{
    ImGui::SameLine();
}

bool ond_panel_button(const char *label, bool on, bool works, const char *tip)
{
    // A line that is full goes on in the next one.
    const float wide =
        ImGui::CalcTextSize(label, nullptr, true).x + 2.0f * ImGui::GetStyle().FramePadding.x;
    if (wide > ImGui::GetContentRegionAvail().x &&
        ImGui::GetCursorPosX() > ImGui::GetStyle().WindowPadding.x + 1)
        ImGui::NewLine();
    ImGui::BeginDisabled(!works);
    if (on) ImGui::PushStyleColor(ImGuiCol_Button, water);
    const bool clicked = ImGui::Button(label);
    if (on) ImGui::PopStyleColor();
    ImGui::EndDisabled();
    tip_of(tip);
    return clicked;
}

static int digits_for(const OndPanelSlider *slider)
{
    if (slider->digits >= 0) return slider->digits;
    const double span = slider->logarithmic ? slider->least : slider->most - slider->least;
    if (!(span > 0.0)) return 3;
    const int digits = 2 - (int)std::floor(std::log10(span));
    return digits < 0 ? 0 : digits > 6 ? 6 : digits;
}

bool ond_panel_slider(const OndPanelSlider *slider, double *value)
{
    char form[48];
    if (slider->logarithmic)
        std::snprintf(form, sizeof form, "%%.3g %s", slider->unit);
    else
        std::snprintf(form, sizeof form, "%%.%df %s", digits_for(slider), slider->unit);
    ImGui::BeginDisabled(!slider->works);
    ImGui::PushItemWidth(ImGui::GetFontSize() * 9.0f);
    const ImGuiSliderFlags flags = ImGuiSliderFlags_AlwaysClamp | ImGuiSliderFlags_NoRoundToFormat |
                                   (slider->logarithmic ? ImGuiSliderFlags_Logarithmic : 0);
    const bool moved = ImGui::SliderScalar(slider->label, ImGuiDataType_Double, value,
                                           &slider->least, &slider->most, form, flags);
    ImGui::PopItemWidth();
    ImGui::EndDisabled();
    tip_of(slider->tip);
    return moved;
}

bool ond_panel_line(const char *label, int *value, int least, int most)
{
    ImGui::PushItemWidth(-1.0f);
    const bool moved =
        ImGui::SliderInt(label, value, least, most, "%d", ImGuiSliderFlags_AlwaysClamp);
    ImGui::PopItemWidth();
    return moved;
}

bool ond_panel_choice(const char *label, const char *const *names, int count, int *which)
{
    ImGui::PushItemWidth(ImGui::GetFontSize() * 9.0f);
    const bool moved = ImGui::Combo(label, which, names, count);
    ImGui::PopItemWidth();
    return moved;
}

void ond_panel_legend(const float shade[OND_PANEL_SHADES][3], const char *title, const char *low,
                      const char *high)
{
    const float wide = ImGui::GetFontSize() * 14.0f, tall = ImGui::GetFontSize() * 0.8f;
    ImGui::TextUnformatted(title);
    const ImVec2 at = ImGui::GetCursorScreenPos();
    ImDrawList *list = ImGui::GetWindowDrawList();
    for (int k = 0; k < OND_PANEL_SHADES; ++k) {
        const float x0 = at.x + wide * (float)k / OND_PANEL_SHADES,
                    x1 = at.x + wide * (float)(k + 1) / OND_PANEL_SHADES;
        const ImU32 colour =
            ImGui::ColorConvertFloat4ToU32(ImVec4(shade[k][0], shade[k][1], shade[k][2], 1.0f));
        list->AddRectFilled(ImVec2(x0, at.y), ImVec2(x1, at.y + tall), colour);
    }
    ImGui::Dummy(ImVec2(wide, tall));
    const float left = ImGui::GetCursorPosX();
    ImGui::TextUnformatted(low);
    ImGui::SameLine(left + wide - ImGui::CalcTextSize(high).x);
    ImGui::TextUnformatted(high);
}
