// Files that become part of the library: DAMIER_EMBED(name, "damier/room/file") makes `name()` the bytes of a file that
// is found like an include. The build must know that the source depends on the file; CMakeLists.txt sees to it for
// every weights.cpp.

#pragma once

#include <cstddef>
#include <string_view>

#define DAMIER_EMBED(name, path)                                                                               \
    __asm__(                                                                                                   \
        ".pushsection .rodata\n"                                                                               \
        ".global damier_" #name "_begin, damier_" #name                                                        \
        "_end\n"                                                                                               \
        ".hidden damier_" #name "_begin, damier_" #name                                                        \
        "_end\n"                                                                                               \
        "damier_" #name "_begin:\n.incbin \"" path "\"\ndamier_" #name                                         \
        "_end:\n"                                                                                              \
        ".popsection\n");                                                                                      \
    extern "C" __attribute__((visibility("hidden"))) const char damier_##name##_begin[];                       \
    extern "C" __attribute__((visibility("hidden"))) const char damier_##name##_end[];                         \
    static std::string_view name() {                                                                           \
        return {damier_##name##_begin, static_cast<std::size_t>(damier_##name##_end - damier_##name##_begin)}; \
    }
