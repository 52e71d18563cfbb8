# Playing with a simulation: what the window and the web page share (src/view/play, src/view/draw), and the window
# itself. Each is left out, with a word, where its libraries are missing; the command then says so.
option(ONDINE_VIEW "the window: ondine view" ON)

file(GLOB play_sources CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/src/view/play/*.c)
if(play_sources)
  add_library(ondine_play STATIC ${play_sources})
  target_link_libraries(ondine_play PUBLIC ondine_parts)
  if(TARGET ondine_command)
    target_link_libraries(ondine_command PRIVATE ondine_play) # bench interactive
  endif()
endif()

file(GLOB draw_sources CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/src/view/draw/*.c)
if(EMSCRIPTEN) # brings WebGL, and needs no window
  add_library(ondine_draw STATIC ${draw_sources})
  target_link_libraries(ondine_draw PUBLIC ondine_parts)
  return()
endif()

pkg_check_modules(EPOXY QUIET IMPORTED_TARGET epoxy)
pkg_check_modules(EGL QUIET IMPORTED_TARGET egl)
pkg_check_modules(GLFW QUIET IMPORTED_TARGET glfw3)

if(ONDINE_VIEW AND draw_sources AND EPOXY_FOUND)
  add_library(ondine_draw STATIC ${draw_sources})
  target_link_libraries(ondine_draw PUBLIC ondine_parts PkgConfig::EPOXY)
endif()

# OpenGL without a window, for screenshots and tests.
file(GLOB offscreen_sources CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/src/view/offscreen/*.c)
if(TARGET ondine_draw AND offscreen_sources AND EGL_FOUND)
  add_library(ondine_offscreen STATIC ${offscreen_sources})
  target_link_libraries(ondine_offscreen PUBLIC ondine_parts PkgConfig::EPOXY PkgConfig::EGL)
endif()

if(NOT TARGET ondine_command) # as in the browser
  return()
endif()

# The window, a part of the command: all of it or, with a word, nothing but the command's name.
find_path(IMGUI_INCLUDE imgui.h PATH_SUFFIXES imgui)
find_library(IMGUI_LIBRARY imgui)
find_library(STB_LIBRARY stb) # of which Debian's imgui takes the fonts
set(window OFF)
if(ONDINE_VIEW AND TARGET ondine_offscreen AND TARGET ondine_play AND GLFW_FOUND AND IMGUI_INCLUDE AND IMGUI_LIBRARY)
  find_program(CLANGXX clang++)
  if(CMAKE_C_COMPILER_ID MATCHES "Clang" AND CLANGXX AND NOT CMAKE_CXX_COMPILER)
    set(CMAKE_CXX_COMPILER ${CLANGXX})
  endif()
  include(CheckLanguage)
  check_language(CXX)
  if(CMAKE_CXX_COMPILER)
    set(window ON)
  endif()
endif()

if(window)
  enable_language(CXX)
  set(CMAKE_CXX_STANDARD 17)
  file(GLOB window_sources CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/src/view/window/*.c
       ${CMAKE_SOURCE_DIR}/src/view/window/*.cpp)
  list(REMOVE_ITEM window_sources ${CMAKE_SOURCE_DIR}/src/view/window/view_missing.c)
  target_link_libraries(ondine_command PRIVATE ondine_play ondine_draw ondine_offscreen PkgConfig::GLFW
                        ${IMGUI_LIBRARY})
  if(STB_LIBRARY)
    target_link_libraries(ondine_command PRIVATE ${STB_LIBRARY})
  endif()
  set_source_files_properties(${CMAKE_SOURCE_DIR}/src/view/window/panel_imgui.cpp PROPERTIES
    INCLUDE_DIRECTORIES ${IMGUI_INCLUDE})
else()
  set(window_sources ${CMAKE_SOURCE_DIR}/src/view/window/cmd_view.c ${CMAKE_SOURCE_DIR}/src/view/window/view_missing.c)
  message(STATUS "no window (libglfw3-dev, libepoxy-dev, libegl-dev, libimgui-dev): ondine view says so")
endif()
target_sources(ondine_command PRIVATE ${window_sources})
