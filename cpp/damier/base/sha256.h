// SHA-256 (FIPS 180-4), to tell whether a file is what was written.

#pragma once

#include <initializer_list>
#include <string>
#include <string_view>

namespace damier {

// The digest of the parts one after the other, as 64 lower-case hexadecimal digits.
std::string sha256(std::initializer_list<std::string_view> parts);

}  // namespace damier
