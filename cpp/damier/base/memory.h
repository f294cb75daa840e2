// How much memory this process may still take, and how it is laid out.

#pragma once

#include <cstddef>

namespace damier {

// KiB that can be had without pushing others out: what the system calls available, or what a container still allows.
std::size_t available_kibibytes();

// Asks for large pages, where the system has them: memory that is read here and there finds its pages faster.
void ask_for_large_pages(void* memory, std::size_t bytes);

}  // namespace damier
