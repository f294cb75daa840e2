// Asking the system for its memory.

#include "damier/base/memory.h"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <limits>
#include <memory>
#include <optional>
#include <string_view>

namespace damier {

namespace {

constexpr std::size_t Unlimited = std::numeric_limits<std::size_t>::max();

// The number after a name in a file of names and numbers, or the first number where the name is empty. By C's own
// reading: streams of a C++ library linked into us fail once another copy of that library is loaded.
std::optional<std::size_t> number_in(const char* path, std::string_view name) {
    const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(path, "r"), std::fclose);
    if (!file) return std::nullopt;
    std::array<char, 256> line{};
    while (std::fgets(line.data(), line.size(), file.get())) {
        const std::string_view text(line.data());
        unsigned long long number = 0;
        if (text.starts_with(name) && std::sscanf(line.data() + name.size(), "%llu", &number) == 1) return number;
    }
    return std::nullopt;
}

std::size_t of_the_machine() {
    if (const auto kibibytes = number_in("/proc/meminfo", "MemAvailable:")) return *kibibytes;
    return static_cast<std::size_t>(sysconf(_SC_PHYS_PAGES)) * (static_cast<std::size_t>(sysconf(_SC_PAGE_SIZE)) >> 10);
}

// What is left of a limit on a container (cgroup v2; the limit of a slice within a machine is not looked for).
std::size_t of_the_container() {
    const auto most = number_in("/sys/fs/cgroup/memory.max", "");  // none: no such file, or the word "max"
    const auto used = number_in("/sys/fs/cgroup/memory.current", "");
    if (!most || !used) return Unlimited;
    // Files read long ago count as used but make room when asked.
    const std::size_t reclaimable = number_in("/sys/fs/cgroup/memory.stat", "inactive_file ").value_or(0);
    const std::size_t needed = *used - std::min(*used, reclaimable);
    return (*most - std::min(*most, needed)) >> 10;
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
