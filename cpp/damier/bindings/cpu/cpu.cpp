// Which CPU levels this machine can run, asked before any of them is loaded.

#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <string>
#include <vector>

namespace {

// Slowest first. On x86-64 the levels are those of its ABI; on other machines there is one, which fits them all.
std::vector<std::string> levels() {
#if defined(__x86_64__) && defined(__GNUC__)
    std::vector<std::string> found;
    __builtin_cpu_init();
    if (__builtin_cpu_supports("x86-64-v2")) found.push_back("v2");
    if (__builtin_cpu_supports("x86-64-v3")) found.push_back("v3");
    return found;
#else
    return {"generic"};
#endif
}

}  // namespace

NB_MODULE(_cpu, m) { m.def("levels", &levels); }
