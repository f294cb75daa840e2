// How much memory this process may still take.

#pragma once

#include <cstddef>

namespace damier {

// KiB that can be had without pushing others out: what the system calls available, or what a container still allows.
std::size_t available_kibibytes();

}  // namespace damier
