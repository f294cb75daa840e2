# The native tests: one program of all files of tests/native, of which ctest runs file by file.

set(DAMIER_SANITIZE "" CACHE STRING "A sanitizer to run with, asserts on: address (and undefined behaviour) or thread")
set(DAMIER_MARCH "" CACHE STRING "Value of -march, empty for the compiler's own")

# These tests look below the door, which is most of the compilation and which Python's tests go through.
list(FILTER DAMIER_SOURCES EXCLUDE REGEX "cpp/damier/(engine|play)/")

# The thread sanitizer runs only the tests that start threads, in the smallest game: search knows none by name.
set(DAMIER_TESTS ".")
if(DAMIER_SANITIZE STREQUAL "thread")
  set(DAMIER_TESTS "test_(threads|table)\\.cpp")
  list(FILTER DAMIER_SOURCES EXCLUDE REGEX "cpp/damier/games/(chess|draughts)/")
elseif(DAMIER_SANITIZE STREQUAL "address")
  set(DAMIER_TESTS "test_([^t]|t[^h])")  # all others
endif()

enable_testing()
add_library(damier_core STATIC ${DAMIER_SOURCES})
damier_options(damier_core)
if(DAMIER_MARCH)
  add_compile_options(-march=${DAMIER_MARCH})
  target_compile_options(damier_core PRIVATE -march=${DAMIER_MARCH})
endif()
if(DAMIER_SANITIZE STREQUAL "address")
  set(SANITIZERS -fsanitize=address,undefined -fno-sanitize-recover=all
                 -fno-sanitize=null,object-size)  # the address sanitizer sees these at half the cost
elseif(DAMIER_SANITIZE STREQUAL "thread")
  set(SANITIZERS -fsanitize=thread)
elseif(DAMIER_SANITIZE)
  message(FATAL_ERROR "DAMIER_SANITIZE is '${DAMIER_SANITIZE}', expected address or thread")
endif()
if(DAMIER_SANITIZE)
  target_compile_options(damier_core PUBLIC -Og -g1 ${SANITIZERS} -UNDEBUG)
  target_link_options(damier_core PUBLIC ${SANITIZERS})
endif()

function(damier_program name)
  add_executable(${name} ${ARGN})
  damier_options(${name})
  target_include_directories(${name} PRIVATE tests/native)
  target_link_libraries(${name} PRIVATE damier_core)
  target_compile_definitions(${name} PRIVATE DAMIER_PERFT_DIR="${CMAKE_SOURCE_DIR}/tests/perft")
endfunction()

# Tests of the same templates are compiled as one: half of the time went into making these again in every file.
file(GLOB NATIVE_TESTS CONFIGURE_DEPENDS tests/native/test_*.cpp)
list(FILTER NATIVE_TESTS INCLUDE REGEX ${DAMIER_TESTS})
damier_program(native_tests tests/native/main.cpp ${NATIVE_TESTS})
foreach(source ${NATIVE_TESTS})
  get_filename_component(name ${source} NAME_WE)
  if(name MATCHES "search|probe|textbook")
    set_source_files_properties(${source} PROPERTIES UNITY_GROUP search)
  else()
    set_source_files_properties(${source} PROPERTIES UNITY_GROUP games)
  endif()
  add_test(NAME ${name} COMMAND native_tests ${name}::)
endforeach()

if(DAMIER_SANITIZE STREQUAL "thread")
  return()
endif()

# `make fuzz` runs the fuzzer for longer; benches are built when asked for by name.
damier_program(bench_connection bench/native/connection.cpp)
damier_program(fuzz_texts tests/fuzz/texts.cpp)
set_target_properties(bench_connection PROPERTIES EXCLUDE_FROM_ALL ON)
add_test(NAME fuzz_texts_briefly COMMAND fuzz_texts 2)
