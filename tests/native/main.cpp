// The program of all native tests: `native_tests test_loa` runs those of a file, `native_tests perft` some of any file.

#include "check.h"

int main(int count, char** words) { return check::run(count > 1 ? words[1] : ""); }
