# libondine: everything up to src/surface/. Needs the C library alone; LAPACK is an option.
set(core_sources)
foreach(folder base geom space physics particles grid sim surface)
  file(GLOB found CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/src/${folder}/*.c)
  list(APPEND core_sources ${found})
endforeach()

# Hot loops (loops_*.c) are compiled once for each instruction set and chosen at start.
file(GLOB loop_sources CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/src/space/loops_*.c
     ${CMAKE_SOURCE_DIR}/src/particles/loops_*.c
     ${CMAKE_SOURCE_DIR}/src/surface/loops_*.c)
list(REMOVE_ITEM core_sources ${loop_sources})

add_library(ondine STATIC ${core_sources})
target_include_directories(ondine PUBLIC ${CMAKE_SOURCE_DIR}/include ${CMAKE_SOURCE_DIR}/src)
target_link_libraries(ondine PUBLIC m)

set(isa_names base)
set(isa_flags_base "")
if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64" AND NOT ONDINE_SCALAR)
  list(APPEND isa_names v3 v4)
  set(isa_flags_v3 -march=x86-64-v3)
  # lists are short (about 30): 256-bit vectors waste less padding and measured faster than 512
  set(isa_flags_v4 -march=x86-64-v4 -mprefer-vector-width=256)
endif()
foreach(isa ${isa_names})
  if(loop_sources)
    add_library(ondine_loops_${isa} OBJECT ${loop_sources})
    target_include_directories(ondine_loops_${isa} PRIVATE ${CMAKE_SOURCE_DIR}/include ${CMAKE_SOURCE_DIR}/src)
    target_compile_definitions(ondine_loops_${isa} PRIVATE OND_ISA=${isa})
    target_compile_options(ondine_loops_${isa} PRIVATE ${isa_flags_${isa}})
    target_sources(ondine PRIVATE $<TARGET_OBJECTS:ondine_loops_${isa}>)
  endif()
  string(TOUPPER ${isa} upper)
  target_compile_definitions(ondine PRIVATE OND_HAVE_ISA_${upper}=1)
endforeach()

if(ONDINE_THREADS)
  find_package(Threads REQUIRED)
  target_link_libraries(ondine PUBLIC Threads::Threads)
else()
  target_compile_definitions(ondine PRIVATE OND_NO_THREADS=1)
endif()

# Any LAPACK will do; a serial BLAS (libopenblas-serial-dev) keeps results the same for any number of threads.
if(ONDINE_LAPACK)
  find_package(PkgConfig QUIET)
  if(PKG_CONFIG_FOUND)
    pkg_check_modules(LAPACKE QUIET IMPORTED_TARGET lapacke)
  endif()
endif()
if(ONDINE_LAPACK AND LAPACKE_FOUND)
  target_link_libraries(ondine PUBLIC PkgConfig::LAPACKE)
  target_compile_definitions(ondine PRIVATE OND_HAVE_LAPACK=1)
else()
  message(STATUS "no LAPACK (liblapacke-dev): large dense systems are solved by our own, slower code")
endif()
