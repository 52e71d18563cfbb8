# What needs a library: io, render, what makes a library of it all, and the command.
find_package(PkgConfig REQUIRED)
pkg_check_modules(FYAML REQUIRED IMPORTED_TARGET libfyaml)
pkg_check_modules(PNG REQUIRED IMPORTED_TARGET libpng)
pkg_check_modules(FREETYPE REQUIRED IMPORTED_TARGET freetype2)
pkg_check_modules(ASSIMP REQUIRED IMPORTED_TARGET assimp)
find_package(HDF5 REQUIRED COMPONENTS C)
find_package(ZLIB REQUIRED)
find_package(embree 3 REQUIRED)

file(GLOB_RECURSE part_sources CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/src/render/*.c ${CMAKE_SOURCE_DIR}/src/io/*.c
     ${CMAKE_SOURCE_DIR}/src/lib/*.c)
if(part_sources)
  add_library(ondine_parts STATIC ${part_sources})
  target_include_directories(ondine_parts PRIVATE ${HDF5_C_INCLUDE_DIRS})
  target_link_libraries(ondine_parts PUBLIC ondine PkgConfig::FYAML PkgConfig::PNG PkgConfig::FREETYPE
                        PkgConfig::ASSIMP ${HDF5_C_LIBRARIES} embree ZLIB::ZLIB)
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
  # -O1: its templates take a minute to compile at -O3, and it is not where time goes
  set_source_files_properties(${CMAKE_SOURCE_DIR}/src/io/formats/vdb_shim.cpp PROPERTIES
    COMPILE_OPTIONS "-O1;-g0;-fvisibility=default;-fno-visibility-inlines-hidden")
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
if(app_sources)
  add_executable(ondine_command ${app_sources})
  set_target_properties(ondine_command PROPERTIES OUTPUT_NAME ondine)
  target_link_libraries(ondine_command PRIVATE ondine_parts)
  target_compile_definitions(ondine_command PRIVATE OND_VERSION="${PROJECT_VERSION}"
    OND_BUILD="$<CONFIG>")
endif()
