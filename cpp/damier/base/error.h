// Errors that outside input can cause. Each carries one line that says what was wrong, where, and what was expected.

#pragma once

#include <stdexcept>
#include <string>

namespace damier {

struct Error : std::runtime_error {
    using std::runtime_error::runtime_error;
};

// A position text that cannot be read or describes an impossible position.
struct FenError : Error {
    using Error::Error;
};

// A move text that cannot be read, is illegal, or fits several moves.
struct MoveError : Error {
    using Error::Error;
};

// Stored games that do not replay.
struct DataError : Error {
    using Error::Error;
};

}  // namespace damier
