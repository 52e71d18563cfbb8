# Each tests/test_*.c is one program with cmocka, each tests/check_*.sh looks at the sources; ctest runs
# them all. Without cmocka there are no tests, but the build is whole.
#
# A line "// ctest: slow" at the top of a test keeps it out of the sanitizer builds of `make test`; "// ctest:
# long" keeps it for `make test-long`; "// ctest: isa" runs it again with fewer instructions (ONDINE_ISA), as on
# other machines: libraries choose their own path there too. "// ctest cases: 18" makes it 18 tests that run at
# once, each one of its cases (run_cases in tests/check.h).
enable_testing()
pkg_check_modules(CMOCKA QUIET IMPORTED_TARGET cmocka)
if(NOT CMOCKA_FOUND)
  message(STATUS "no tests in this build: cmocka is missing (libcmocka-dev)")
  return()
endif()

# Sanitizers: say all, stop at the first finding. Embree and TBB are not instrumented.
set(sanitizer_environment
    "ASAN_OPTIONS=detect_stack_use_after_return=1:strict_string_checks=1:allocator_may_return_null=1"
    "UBSAN_OPTIONS=print_stacktrace=1"
    "TSAN_OPTIONS=ignore_noninstrumented_modules=1:halt_on_error=1:second_deadlock_stack=1")

# A test that hangs must not take the others' time: some ten times what the slowest needs.
set(test_timeout 600)
if(ONDINE_SANITIZE OR NOT CMAKE_BUILD_TYPE STREQUAL "Release")
  set(test_timeout 900)
endif()

# The words after "// ctest:" in the first lines of a test, as labels.
function(ondine_labels source out)
  file(STRINGS ${source} lines LIMIT_COUNT 20 REGEX "^// ctest:")
  string(REGEX REPLACE "// ctest: *" "" labels "${lines}")
  string(REPLACE " " ";" labels "${labels}")
  set(${out} "${labels}" PARENT_SCOPE)
endfunction()

# The number after "// ctest cases:", or nothing.
function(ondine_cases source out)
  file(STRINGS ${source} cases LIMIT_COUNT 20 REGEX "^// ctest cases:")
  string(REGEX REPLACE "// ctest cases: *" "" cases "${cases}")
  set(${out} "${cases}" PARENT_SCOPE)
endfunction()

file(GLOB test_sources CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/tests/test_*.c)
foreach(source ${test_sources})
  get_filename_component(name ${source} NAME_WE)
  add_executable(${name} ${source})
  target_link_libraries(${name} PRIVATE ondine_parts PkgConfig::CMOCKA)
  target_include_directories(${name} PRIVATE ${CMAKE_SOURCE_DIR}/tests)
  target_compile_definitions(${name} PRIVATE OND_SOURCE_DIR="${CMAKE_SOURCE_DIR}"
    OND_COMMAND="$<TARGET_FILE_DIR:${name}>/ondine")
  if(TARGET ondine_command)
    add_dependencies(${name} ondine_command) # some tests run it
  endif()
  set(test_names ${name})
  ondine_cases(${source} cases)
  if(cases)
    set(test_names)
    foreach(case RANGE 1 ${cases})
      add_test(NAME ${name}_${case} COMMAND ${name} ${case} ${cases})
      list(APPEND test_names ${name}_${case})
    endforeach()
  else()
    add_test(NAME ${name} COMMAND ${name})
  endif()
  ondine_labels(${source} labels)
  set(timeout ${test_timeout})
  if("slow" IN_LIST labels)
    set(timeout 3600)
  endif()
  if("long" IN_LIST labels)
    set(timeout 10800)
  endif()
  set_tests_properties(${test_names} PROPERTIES LABELS "${labels}" TIMEOUT ${timeout}
    ENVIRONMENT "${sanitizer_environment}")
  if("isa" IN_LIST labels AND NOT ONDINE_SANITIZE)
    foreach(isa base v3)
      add_test(NAME ${name}_${isa} COMMAND ${name})
      set_tests_properties(${name}_${isa} PROPERTIES LABELS "${labels}" TIMEOUT ${timeout}
        ENVIRONMENT "ONDINE_ISA=${isa}")
    endforeach()
  endif()
endforeach()

# The examples, against this build; tests/check_install.sh runs them against an installed one, and with the
# usual sanitizers that is enough.
if(ONDINE_SANITIZE STREQUAL "address,undefined")
  add_test(NAME check_install COMMAND sh ${CMAKE_SOURCE_DIR}/tests/check_install.sh ${CMAKE_SOURCE_DIR})
  set_tests_properties(check_install PROPERTIES TIMEOUT ${test_timeout} SKIP_RETURN_CODE 77
    ENVIRONMENT "OND_BUILD=${CMAKE_BINARY_DIR};OND_SANITIZE=${ONDINE_SANITIZE};${sanitizer_environment}")
else()
  file(GLOB example_sources CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/examples/*.c)
endif()
foreach(source ${example_sources})
  get_filename_component(name ${source} NAME_WE)
  add_executable(example_${name} ${source})
  target_link_libraries(example_${name} PRIVATE ondine_parts)
  add_test(NAME example_${name} COMMAND example_${name})
  set_tests_properties(example_${name} PROPERTIES TIMEOUT ${test_timeout}
    ENVIRONMENT "${sanitizer_environment}")
endforeach()

# The command line's own parts are not in a library; their test takes them in.
if(TARGET test_cli)
  target_sources(test_cli PRIVATE ${CMAKE_SOURCE_DIR}/src/app/cli.c ${CMAKE_SOURCE_DIR}/src/app/progress.c)
endif()

# Nor are the window's.
if(TARGET test_view)
  foreach(part app/between app/memory_free app/progress app/render_film app/render_frames app/render_pictures
      app/run_scene app/run_stop view/draw/shown view/window/live_inputs view/window/replay
      view/window/replay_cache view/window/replay_pick view/window/replay_shown)
    target_sources(test_view PRIVATE ${CMAKE_SOURCE_DIR}/src/${part}.c)
  endforeach()
endif()

# What the window and the page share is not in the library either.
foreach(name test_play test_muller2d)
  if(TARGET ${name} AND TARGET ondine_play)
    target_link_libraries(${name} PRIVATE ondine_play)
  endif()
endforeach()
# Pictures of the window, where this build can draw without one.
if(TARGET test_draw AND TARGET ondine_offscreen)
  target_link_libraries(test_draw PRIVATE ondine_draw ondine_offscreen)
  target_compile_definitions(test_draw PRIVATE OND_HAVE_DRAW=1)
endif()

# Checks of the sources: once is enough, so not in special builds. 77 means that a tool is missing.
get_directory_property(options COMPILE_OPTIONS)
string(JOIN " " check_flags -std=gnu17 ${CMAKE_C_FLAGS_RELEASE} ${options})
if(NOT ONDINE_SANITIZE AND NOT ONDINE_SCALAR AND CMAKE_BUILD_TYPE STREQUAL "Release")
  file(GLOB check_scripts CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/tests/check_*.sh)
  foreach(script ${check_scripts})
    get_filename_component(name ${script} NAME_WE)
    add_test(NAME ${name} COMMAND sh ${script} ${CMAKE_SOURCE_DIR})
    set_tests_properties(${name} PROPERTIES LABELS check TIMEOUT 300 SKIP_RETURN_CODE 77
      ENVIRONMENT "OND_FLAGS=${check_flags};OND_BUILD=${CMAKE_BINARY_DIR}")
  endforeach()
endif()

# Fuzzers (preset fuzz: clang). tools/fuzz.sh runs them.
if(ONDINE_FUZZ)
  file(GLOB fuzz_sources CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/tests/fuzz_*.c)
  foreach(source ${fuzz_sources})
    get_filename_component(name ${source} NAME_WE)
    add_executable(${name} ${source})
    target_link_libraries(${name} PRIVATE ondine_parts)
    target_link_options(${name} PRIVATE -fsanitize=fuzzer)
  endforeach()
endif()
