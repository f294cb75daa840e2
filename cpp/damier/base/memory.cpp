// Asking the system for its memory.

#include "damier/base/memory.h"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <fstream>
#include <limits>
#include <string>

namespace damier {

namespace {

constexpr std::size_t Unlimited = std::numeric_limits<std::size_t>::max();

std::size_t of_the_machine() {
    std::ifstream file("/proc/meminfo");
    for (std::string name; file >> name;) {
        std::size_t kibibytes = 0;
        if (name == "MemAvailable:" && file >> kibibytes) return kibibytes;
        file.ignore(std::numeric_limits<std::streamsize>::max(), '\n');
    }
    return static_cast<std::size_t>(sysconf(_SC_PHYS_PAGES)) * (static_cast<std::size_t>(sysconf(_SC_PAGE_SIZE)) >> 10);
}

// Bytes of files read long ago, which count as used but make room when asked.
std::size_t reclaimable() {
    std::ifstream file("/sys/fs/cgroup/memory.stat");
    std::size_t bytes = 0;
    for (std::string name; file >> name >> bytes;)
        if (name == "inactive_file") return bytes;
    return 0;
}

// What is left of a limit on a container (cgroup v2; the limit of a slice within a machine is not looked for).
std::size_t of_the_container() {
    std::size_t most = 0, used = 0;
    if (!(std::ifstream("/sys/fs/cgroup/memory.max") >> most)) return Unlimited;  // no such file, or the word "max"
    if (!(std::ifstream("/sys/fs/cgroup/memory.current") >> used)) return Unlimited;
    used -= std::min(used, reclaimable());
    return (most - std::min(most, used)) >> 10;
}

}  // namespace

void ask_for_large_pages([[maybe_unused]] void* memory, [[maybe_unused]] std::size_t bytes) {
#if defined(MADV_HUGEPAGE)
    constexpr std::uintptr_t Page = 4096;
    const auto begin = (reinterpret_cast<std::uintptr_t>(memory) + Page - 1) / Page * Page;
    const auto end = (reinterpret_cast<std::uintptr_t>(memory) + bytes) / Page * Page;
    if (begin < end) madvise(reinterpret_cast<void*>(begin), end - begin, MADV_HUGEPAGE);
#endif
}

std::size_t available_kibibytes() { return std::min(of_the_machine(), of_the_container()); }

}  // namespace damier
