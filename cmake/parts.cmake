# What needs a library: io, render and the command.
find_package(PkgConfig REQUIRED)
pkg_check_modules(FYAML REQUIRED IMPORTED_TARGET libfyaml)
pkg_check_modules(PNG REQUIRED IMPORTED_TARGET libpng)
pkg_check_modules(FREETYPE REQUIRED IMPORTED_TARGET freetype2)
pkg_check_modules(ASSIMP REQUIRED IMPORTED_TARGET assimp)
find_package(HDF5 REQUIRED COMPONENTS C)
find_package(ZLIB REQUIRED)
find_package(embree 3 REQUIRED)

file(GLOB part_sources CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/src/render/*.c ${CMAKE_SOURCE_DIR}/src/io/*.c)
if(part_sources)
  add_library(ondine_parts STATIC ${part_sources})
  target_include_directories(ondine_parts PRIVATE ${HDF5_C_INCLUDE_DIRS})
  target_link_libraries(ondine_parts PUBLIC ondine PkgConfig::FYAML PkgConfig::PNG PkgConfig::FREETYPE
                        PkgConfig::ASSIMP ${HDF5_C_LIBRARIES} embree ZLIB::ZLIB)
endif()

file(GLOB app_sources CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/src/app/*.c)
if(app_sources)
  add_executable(ondine_command ${app_sources})
  set_target_properties(ondine_command PROPERTIES OUTPUT_NAME ondine)
  target_link_libraries(ondine_command PRIVATE ondine_parts)
  target_compile_definitions(ondine_command PRIVATE OND_VERSION="${PROJECT_VERSION}"
    OND_BUILD="$<CONFIG>")
endif()
