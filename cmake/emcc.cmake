# emcc is a script that starts clang, and takes longer to start than clang takes for most files: nearly half of the time
# of a build. What it would start is asked once, and started instead; linking is left to it.
file(WRITE ${CMAKE_BINARY_DIR}/nothing.c "")
execute_process(COMMAND ${CMAKE_C_COMPILER} -v -E ${CMAKE_BINARY_DIR}/nothing.c OUTPUT_QUIET ERROR_VARIABLE emcc_says)
if(emcc_says MATCHES "\n? \"([^\"\n]*/clang[^\"\n]*)\" (-target wasm32[^\n]*) -v -E ")
  set(CMAKE_C_COMPILE_OBJECT
      "${CMAKE_MATCH_1} ${CMAKE_MATCH_2} <DEFINES> <INCLUDES> <FLAGS> -o <OBJECT> -c <SOURCE>")
endif()
