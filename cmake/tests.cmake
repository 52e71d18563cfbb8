# Each tests/test_*.c is one program with cmocka; ctest runs them all.
enable_testing()
pkg_check_modules(CMOCKA REQUIRED IMPORTED_TARGET cmocka)
file(GLOB test_sources CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/tests/test_*.c)
foreach(source ${test_sources})
  get_filename_component(name ${source} NAME_WE)
  add_executable(${name} ${source})
  target_link_libraries(${name} PRIVATE ondine_parts PkgConfig::CMOCKA)
  target_include_directories(${name} PRIVATE ${CMAKE_SOURCE_DIR}/tests)
  target_compile_definitions(${name} PRIVATE OND_SOURCE_DIR="${CMAKE_SOURCE_DIR}"
    OND_COMMAND="$<TARGET_FILE_DIR:${name}>/ondine")
  add_test(NAME ${name} COMMAND ${name})
endforeach()
