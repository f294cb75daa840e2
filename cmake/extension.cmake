# The Python extension, compiled once per CPU level so that one wheel runs everywhere and fast where it can.

find_package(Python 3.11 COMPONENTS Interpreter Development.Module REQUIRED)
find_package(nanobind CONFIG REQUIRED)

set(EVERY_LEVEL generic)
if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
  set(EVERY_LEVEL v2 v3)
endif()
set(DAMIER_LEVELS ${EVERY_LEVEL} CACHE STRING "CPU levels to build; one is enough while developing")
list(GET DAMIER_LEVELS 0 DAMIER_LOWEST)

# Only what knows a game is hot, the search in it included: the rest is compiled once, for the lowest level, and shared.
set(SHARED_SOURCES ${DAMIER_SOURCES})
list(FILTER SHARED_SOURCES INCLUDE REGEX "damier/(base|game|eval|play|search)/|/weights\\.cpp$|engine/(registry|variant)\\.cpp$")
list(REMOVE_ITEM DAMIER_SOURCES ${SHARED_SOURCES})
set(LEVEL_BINDINGS ${DAMIER_BINDINGS})
list(FILTER LEVEL_BINDINGS INCLUDE REGEX "/(module|chess)\\.cpp$")
set_source_files_properties(${LEVEL_BINDINGS} PROPERTIES COMPILE_OPTIONS -O2)
list(REMOVE_ITEM DAMIER_BINDINGS ${LEVEL_BINDINGS})
nanobind_build_library(nanobind-static)
set_target_properties(nanobind-static PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE 0)  # its files are small, too
add_library(damier_shared OBJECT ${SHARED_SOURCES})
add_library(damier_bindings OBJECT ${DAMIER_BINDINGS})
target_compile_options(damier_bindings PRIVATE -O2)
target_link_libraries(damier_bindings PRIVATE nanobind-static)
foreach(shared damier_shared damier_bindings)
  damier_options(${shared})
  set_target_properties(${shared} PROPERTIES CXX_VISIBILITY_PRESET hidden)
  if(NOT DAMIER_LOWEST STREQUAL "generic")
    target_compile_options(${shared} PRIVATE -march=x86-64-${DAMIER_LOWEST})
  endif()
endforeach()

foreach(level ${DAMIER_LEVELS})
  set(module _${level})
  nanobind_add_module(${module} NB_STATIC NOMINSIZE ${DAMIER_SOURCES} ${LEVEL_BINDINGS}
                      $<TARGET_OBJECTS:damier_shared> $<TARGET_OBJECTS:damier_bindings>)
  damier_options(${module})
  target_compile_definitions(${module} PRIVATE DAMIER_MODULE=${module} DAMIER_LEVEL="${level}")
  if(NOT level STREQUAL "generic")
    target_compile_options(${module} PRIVATE -march=x86-64-${level})
  endif()
  install(TARGETS ${module} LIBRARY DESTINATION damier/_core)
endforeach()

nanobind_add_module(_cpu NB_STATIC cpp/damier/bindings/cpu/cpu.cpp)
install(TARGETS _cpu LIBRARY DESTINATION damier/_core)

# Type stubs are written from the lowest level, which every machine can import.
set(STUBS ${CMAKE_CURRENT_BINARY_DIR}/stubs)
add_custom_command(
  OUTPUT ${STUBS}/__init__.pyi
  COMMAND ${Python_EXECUTABLE} ${CMAKE_SOURCE_DIR}/cmake/write_stubs.py _${DAMIER_LOWEST}
          $<TARGET_FILE_DIR:_${DAMIER_LOWEST}> ${STUBS} ${NB_DIR}
  DEPENDS _${DAMIER_LOWEST} cmake/write_stubs.py)
add_custom_target(stubs ALL DEPENDS ${STUBS}/__init__.pyi)
install(DIRECTORY ${STUBS}/ DESTINATION damier/_core)
