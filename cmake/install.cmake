# `make install`: the library, static and shared, its headers, what finds it, and the command with its
# manual page and completion. Of builds with sanitizers, which are for tests alone, only the one against which
# tests/check_install.sh runs the examples once more.
if(NOT TARGET ondine_command OR NOT ONDINE_SANITIZE MATCHES "^(|address,undefined)$")
  return()
endif()
include(GNUInstallDirs)

# The headers say which version they are of.
file(STRINGS ${CMAKE_SOURCE_DIR}/include/ondine/ondine.h said REGEX "define OND_VERSION_(MAJOR|MINOR|PATCH)")
string(REGEX REPLACE "[^0-9;]" "" said "${said}")
list(JOIN said "." said)
if(NOT said STREQUAL PROJECT_VERSION)
  message(FATAL_ERROR "ondine.h is of version ${said}, the project of ${PROJECT_VERSION}")
endif()

# ---- libraries: the same objects twice, beside the inner ones

set(all_objects $<TARGET_OBJECTS:ondine> $<TARGET_OBJECTS:ondine_parts>)
foreach(isa ${isa_names})
  list(APPEND all_objects $<TARGET_OBJECTS:ondine_loops_${isa}>)
endforeach()
get_target_property(core_links ondine LINK_LIBRARIES)
get_target_property(part_links ondine_parts LINK_LIBRARIES)
list(REMOVE_ITEM part_links ondine)

add_library(ondine_static STATIC ${all_objects})
add_library(ondine_shared SHARED ${all_objects})
set_target_properties(ondine_static ondine_shared PROPERTIES OUTPUT_NAME ondine LINKER_LANGUAGE C
  ARCHIVE_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/lib LIBRARY_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/lib)
set_target_properties(ondine_shared PROPERTIES VERSION ${PROJECT_VERSION}
  SOVERSION ${PROJECT_VERSION_MAJOR})
target_link_libraries(ondine_shared PRIVATE ${part_links} ${core_links})
# Names of templates that C++ libraries leave in objects stay inside, too.
target_link_options(ondine_shared PRIVATE -Wl,--no-undefined
  -Wl,--version-script=${CMAKE_SOURCE_DIR}/cmake/ondine.map)
set_target_properties(ondine_shared PROPERTIES LINK_DEPENDS ${CMAKE_SOURCE_DIR}/cmake/ondine.map)
if(CMAKE_CXX_COMPILER AND vdb AND OPENVDB_COMPILES)
  set_target_properties(ondine_shared PROPERTIES LINKER_LANGUAGE CXX)
  set(needs_cxx stdc++)
endif()

# ---- what finds it

# What a program needs that takes in the static library: files and names, of this build alone.
get_target_property(embree_file embree LOCATION)
set(beneath ${FYAML_LINK_LIBRARIES} ${PNG_LINK_LIBRARIES} ${FREETYPE_LINK_LIBRARIES}
    ${ASSIMP_LINK_LIBRARIES} ${HDF5_C_LIBRARIES} ${embree_file} ${ZLIB_LIBRARIES})
if(LAPACKE_FOUND AND ONDINE_LAPACK)
  list(APPEND beneath ${LAPACKE_LINK_LIBRARIES})
endif()
if(ODE_FOUND AND ONDINE_ODE)
  list(APPEND beneath ${ODE_LINK_LIBRARIES})
endif()
if(needs_cxx)
  list(APPEND beneath ${OPENVDB_LIBRARY} ${TBB_LIBRARY} ${IMATH_LINK_LIBRARIES})
endif()
list(APPEND beneath ${needs_cxx} m)
if(ONDINE_THREADS)
  list(APPEND beneath ${CMAKE_THREAD_LIBS_INIT} pthread)
endif()
list(REMOVE_DUPLICATES beneath)
set(flags_list)
foreach(library ${beneath})
  if(library MATCHES "^(/|-)")
    list(APPEND flags_list ${library})
  else()
    list(APPEND flags_list -l${library})
  endif()
endforeach()
list(JOIN flags_list " " beneath_flags)

configure_file(${CMAKE_SOURCE_DIR}/cmake/ondine.pc.in lib/ondine.pc @ONLY)
configure_file(${CMAKE_SOURCE_DIR}/cmake/OndineConfig.cmake.in lib/OndineConfig.cmake @ONLY)
include(CMakePackageConfigHelpers)
write_basic_package_version_file(${CMAKE_BINARY_DIR}/lib/OndineConfigVersion.cmake
  COMPATIBILITY SameMinorVersion)

# ---- the manual page and completion, from what --help says

foreach(page ondine.1 ondine.bash _ondine)
  add_custom_command(OUTPUT lib/${page}
    COMMAND sh ${CMAKE_SOURCE_DIR}/tools/manual.sh $<TARGET_FILE:ondine_command> ${page}
            > ${CMAKE_BINARY_DIR}/lib/${page}
    DEPENDS ondine_command ${CMAKE_SOURCE_DIR}/tools/manual.sh VERBATIM)
  list(APPEND pages ${CMAKE_BINARY_DIR}/lib/${page})
endforeach()
add_custom_target(ondine_manual ALL DEPENDS ${pages})

# ---- where all goes

set_target_properties(ondine_command PROPERTIES INSTALL_RPATH "")
install(TARGETS ondine_command RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
install(TARGETS ondine_static ondine_shared LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}
        ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(DIRECTORY ${CMAKE_SOURCE_DIR}/include/ondine DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}
        FILES_MATCHING PATTERN "*.h")
install(FILES ${CMAKE_BINARY_DIR}/lib/ondine.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
install(FILES ${CMAKE_BINARY_DIR}/lib/OndineConfig.cmake
        ${CMAKE_BINARY_DIR}/lib/OndineConfigVersion.cmake
        DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/Ondine)
install(FILES ${CMAKE_BINARY_DIR}/lib/ondine.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
install(FILES ${CMAKE_BINARY_DIR}/lib/ondine.bash
        DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions RENAME ondine)
install(FILES ${CMAKE_BINARY_DIR}/lib/_ondine
        DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions)
