# Playing with a simulation: what the window and the web page share (src/view/play, src/view/draw), and the window
# itself. Each is left out, with a word, where its libraries are missing; the command then says so.
option(ONDINE_VIEW "the window: ondine view" ON)

file(GLOB play_sources CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/src/view/play/*.c)
if(play_sources)
  add_library(ondine_play STATIC ${play_sources})
  target_link_libraries(ondine_play PUBLIC ondine_parts)
endif()

pkg_check_modules(EPOXY QUIET IMPORTED_TARGET epoxy)
pkg_check_modules(EGL QUIET IMPORTED_TARGET egl)
pkg_check_modules(GLFW QUIET IMPORTED_TARGET glfw3)

file(GLOB draw_sources CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/src/view/draw/*.c)
if(EMSCRIPTEN AND draw_sources)
  add_library(ondine_draw STATIC ${draw_sources})
  target_link_libraries(ondine_draw PUBLIC ondine_parts)
elseif(ONDINE_VIEW AND draw_sources AND EPOXY_FOUND)
  add_library(ondine_draw STATIC ${draw_sources})
  target_link_libraries(ondine_draw PUBLIC ondine_parts PkgConfig::EPOXY)
endif()

# OpenGL without a window, for screenshots and tests.
file(GLOB offscreen_sources CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/src/view/offscreen/*.c)
if(TARGET ondine_draw AND offscreen_sources AND EGL_FOUND)
  add_library(ondine_offscreen STATIC ${offscreen_sources})
  target_link_libraries(ondine_offscreen PUBLIC ondine_parts PkgConfig::EPOXY PkgConfig::EGL)
endif()
