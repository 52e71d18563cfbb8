# What needs a library: io, render, what makes a library of it all, and the command.
# Each library is an option; without it, a file of src/io/without/ (src/lib/without/) says what the build lacks.
find_package(PkgConfig REQUIRED)
option(ONDINE_FYAML "scene files in YAML, by libfyaml" ON)
option(ONDINE_FREETYPE "letters from fonts, by FreeType" ON)
option(ONDINE_ASSIMP "meshes in many formats, by assimp; without it OBJ, PLY and STL" ON)
option(ONDINE_HDF5 "checkpoints, as HDF5" ON)
option(ONDINE_PICTURES "pictures: Embree, libpng, zlib, and FreeType for what is written on them" ON)

file(GLOB_RECURSE part_sources CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/src/render/*.c ${CMAKE_SOURCE_DIR}/src/io/*.c
     ${CMAKE_SOURCE_DIR}/src/lib/*.c)
list(FILTER part_sources EXCLUDE REGEX "/without/")
set(part_libraries ondine)

# With a library: its target. Without: other files in place of those that need it.
macro(ondine_without needs instead)
  list(FILTER part_sources EXCLUDE REGEX "${needs}")
  list(APPEND part_sources ${CMAKE_SOURCE_DIR}/src/${instead})
endmacro()

if(ONDINE_FYAML)
  pkg_check_modules(FYAML REQUIRED IMPORTED_TARGET libfyaml)
  list(APPEND part_libraries PkgConfig::FYAML)
elseif(EMSCRIPTEN)
  ondine_without("/io/yaml_fyaml.c" view/page/page_yaml.c) # the page's JavaScript reads it
else()
  ondine_without("/io/yaml_fyaml.c" io/without/fyaml.c)
endif()
if(ONDINE_FREETYPE)
  pkg_check_modules(FREETYPE REQUIRED IMPORTED_TARGET freetype2)
  list(APPEND part_libraries PkgConfig::FREETYPE)
elseif(EMSCRIPTEN)
  ondine_without("/io/(text_freetype|font_find).c" view/page/page_text.c) # the browser's fonts
else()
  ondine_without("/io/(text_freetype|font_find).c" io/without/freetype.c)
endif()
if(ONDINE_ASSIMP)
  pkg_check_modules(ASSIMP REQUIRED IMPORTED_TARGET assimp)
  list(APPEND part_libraries PkgConfig::ASSIMP)
else()
  ondine_without("/io/mesh_assimp.c" io/without/assimp.c)
endif()
if(ONDINE_HDF5)
  find_package(HDF5 REQUIRED COMPONENTS C)
  list(APPEND part_libraries ${HDF5_C_LIBRARIES})
else()
  ondine_without("/io/checkpoint_" io/without/hdf5.c)
endif()
if(ONDINE_PICTURES)
  pkg_check_modules(PNG REQUIRED IMPORTED_TARGET libpng)
  find_package(ZLIB REQUIRED)
  find_package(embree 3 REQUIRED)
  list(APPEND part_libraries PkgConfig::PNG embree ZLIB::ZLIB)
else()
  ondine_without("/src/render/|/io/(film|formats/(png|exr)).c|/lib/(picture|render_look).c"
                 lib/without/pictures.c)
  # what scenes say of pictures, and what other drawing takes from here, needs no library
  foreach(kept of_scene styles camera colour quantity stage/drawn_solids trace/trace_look)
    list(APPEND part_sources ${CMAKE_SOURCE_DIR}/src/render/${kept}.c)
  endforeach()
endif()

# The command needs them all.
set(command OFF)
if(ONDINE_FYAML AND ONDINE_FREETYPE AND ONDINE_ASSIMP AND ONDINE_HDF5 AND ONDINE_PICTURES)
  set(command ON)
else()
  list(FILTER part_sources EXCLUDE REGEX "/io/libraries.c")
  message(STATUS "a library alone, without the command: some of what that needs is switched off")
endif()

if(part_sources)
  add_library(ondine_parts STATIC ${part_sources})
  target_include_directories(ondine_parts PRIVATE ${HDF5_C_INCLUDE_DIRS})
  target_link_libraries(ondine_parts PUBLIC ${part_libraries})
endif()

# OpenVDB is C++: the one file that meets it is compiled by the C compiler's own kin. Not with sanitizers that want
# all of a program to be theirs.
set(vdb OFF)
if(ONDINE_OPENVDB AND NOT ONDINE_SANITIZE MATCHES "thread|fuzzer")
  set(vdb ON)
  find_path(OPENVDB_INCLUDE openvdb/openvdb.h)
  find_library(OPENVDB_LIBRARY openvdb)
  find_library(TBB_LIBRARY tbb)
  pkg_check_modules(IMATH QUIET IMPORTED_TARGET Imath) # its half floats
  find_program(CLANGXX clang++)
  if(CMAKE_C_COMPILER_ID MATCHES "Clang" AND CLANGXX AND NOT CMAKE_CXX_COMPILER)
    set(CMAKE_CXX_COMPILER ${CLANGXX})
  endif()
  include(CheckLanguage)
  check_language(CXX)
endif()
if(vdb AND OPENVDB_INCLUDE AND OPENVDB_LIBRARY AND TBB_LIBRARY AND CMAKE_CXX_COMPILER)
  enable_language(CXX)
  set(CMAKE_CXX_STANDARD 17)
  # Debian's package does not bring Boost, which this header needs in some versions.
  include(CheckCXXSourceCompiles)
  unset(OPENVDB_COMPILES CACHE) # it may have come since
  if(IMATH_FOUND)
    set(CMAKE_REQUIRED_LIBRARIES PkgConfig::IMATH)
  endif()
  check_cxx_source_compiles("#include <openvdb/math/Math.h>\nint main() { return 0; }" OPENVDB_COMPILES)
  unset(CMAKE_REQUIRED_LIBRARIES)
endif()
if(vdb AND OPENVDB_COMPILES)
  target_sources(ondine_parts PRIVATE ${CMAKE_SOURCE_DIR}/src/io/formats/vdb_shim.cpp)
  # -O1: its templates take a minute to compile at -O3, and it is not where time goes. They take most of one with
  # the undefined-behaviour sanitizer, too, which would watch OpenVDB.
  set(vdb_options -O1)
  if(ONDINE_SANITIZE)
    set(vdb_options -O0 -fno-sanitize=undefined)
  endif()
  set_source_files_properties(${CMAKE_SOURCE_DIR}/src/io/formats/vdb_shim.cpp PROPERTIES
    COMPILE_OPTIONS "${vdb_options};-g0;-fvisibility=default;-fno-visibility-inlines-hidden")
  set_source_files_properties(${CMAKE_SOURCE_DIR}/src/io/formats/vdb.c PROPERTIES
    COMPILE_DEFINITIONS OND_HAVE_OPENVDB=1)
  target_link_libraries(ondine_parts PUBLIC ${OPENVDB_LIBRARY} ${TBB_LIBRARY})
  if(IMATH_FOUND)
    target_link_libraries(ondine_parts PUBLIC PkgConfig::IMATH)
  endif()
else()
  message(STATUS "no OpenVDB (libopenvdb-dev, libboost-dev): .vdb files are neither written nor read")
endif()

file(GLOB_RECURSE app_sources CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/src/app/*.c ${CMAKE_SOURCE_DIR}/src/bench/*.c)
if(command AND app_sources)
  add_executable(ondine_command ${app_sources})
  set_target_properties(ondine_command PROPERTIES OUTPUT_NAME ondine)
  target_link_libraries(ondine_command PRIVATE ondine_parts)
  target_compile_definitions(ondine_command PRIVATE OND_VERSION="${PROJECT_VERSION}"
    OND_BUILD="$<CONFIG>")
endif()
