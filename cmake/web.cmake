# The page's module: the library as WebAssembly, for web/ (presets wasm and wasm-threads).
file(GLOB page_sources CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/src/view/page/*.c)
list(FILTER page_sources EXCLUDE REGEX "/page_(yaml|text).c") # they stand in for libraries, in ondine_parts

set(module ondine)
if(ONDINE_THREADS)
  set(module ondine-threads)
endif()
add_executable(ondine_page ${page_sources})
set_target_properties(ondine_page PROPERTIES OUTPUT_NAME ${module})
target_link_libraries(ondine_page PRIVATE ondine_parts)
if(TARGET ondine_play)
  target_link_libraries(ondine_page PRIVATE ondine_play)
endif()
if(TARGET ondine_draw)
  target_link_libraries(ondine_page PRIVATE ondine_draw)
endif()
# Memory grows as scenes need it, to 2 GiB; the stack is what threads have natively.
target_link_options(ondine_page PRIVATE
  -sMODULARIZE=1 -sEXPORT_NAME=OndineModule -sENVIRONMENT=web,worker,node -sFORCE_FILESYSTEM=1
  -sALLOW_MEMORY_GROWTH=1 -sINITIAL_MEMORY=67108864 -sMAXIMUM_MEMORY=2147483648 -sTOTAL_STACK=4194304
  -sEXPORTED_RUNTIME_METHODS=FS,UTF8ToString,GL
  -sEXPORTED_FUNCTIONS=_malloc,_free -sINVOKE_RUN=0 -sEXIT_RUNTIME=0
  -sNODEJS_CATCH_EXIT=0 -sNODEJS_CATCH_REJECTION=0 -sABORTING_MALLOC=0 -sMIN_WEBGL_VERSION=2 -sMAX_WEBGL_VERSION=2 --no-entry)
if(ONDINE_THREADS)
  target_link_options(ondine_page PRIVATE -pthread -sDEFAULT_PTHREAD_STACK_SIZE=2097152)
endif()
