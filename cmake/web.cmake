# The page's modules: the library as WebAssembly, for web/ (preset wasm). All is compiled once, as threads need it, and
# linked twice: for several threads, and for the one that a page has where its host sends no headers for more.
file(GLOB page_sources CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/src/view/page/*.c)
list(FILTER page_sources EXCLUDE REGEX "/page_(yaml|text).c") # they stand in for libraries, in ondine_parts
set(page_libraries ondine_parts)
foreach(library ondine_play ondine_draw)
  if(TARGET ${library})
    list(APPEND page_libraries ${library})
  endif()
endforeach()

# Memory grows as scenes need it, to 2 GiB; the stack is what threads have natively.
function(ondine_module target name)
  set_target_properties(${target} PROPERTIES OUTPUT_NAME ${name})
  target_link_libraries(${target} PRIVATE ${page_libraries})
  target_link_options(${target} PRIVATE
    -sMODULARIZE=1 -sEXPORT_NAME=OndineModule -sENVIRONMENT=web,worker,node -sFORCE_FILESYSTEM=1
    -sALLOW_MEMORY_GROWTH=1 -sINITIAL_MEMORY=67108864 -sMAXIMUM_MEMORY=2147483648 -sTOTAL_STACK=4194304
    -sEXPORTED_RUNTIME_METHODS=FS,UTF8ToString,GL
    -sEXPORTED_FUNCTIONS=_malloc,_free -sINVOKE_RUN=0 -sEXIT_RUNTIME=0
    -sNODEJS_CATCH_EXIT=0 -sNODEJS_CATCH_REJECTION=0 -sABORTING_MALLOC=0 -sMIN_WEBGL_VERSION=2 -sMAX_WEBGL_VERSION=2
    --no-entry)
endfunction()

# The loops of one thread are found before those of the library.
add_executable(ondine_page ${page_sources} ${CMAKE_SOURCE_DIR}/src/base/parallel.c)
target_compile_definitions(ondine_page PRIVATE OND_NO_THREADS=1)
ondine_module(ondine_page ondine)

if(ONDINE_THREADS)
  add_executable(ondine_page_threads ${page_sources})
  ondine_module(ondine_page_threads ondine-threads)
  target_link_options(ondine_page_threads PRIVATE -pthread -sDEFAULT_PTHREAD_STACK_SIZE=2097152)
endif()
