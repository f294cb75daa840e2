// The smallest test harness that reports well: TEST(name) { CHECK(...); CHECK_EQ(a, b); CHECK_THROWS(Error, expr); }
// Every file is a namespace of its own name, so that files can be compiled together. A word given to the program runs
// only the tests with it in their names, the file's included.

#pragma once

#include <functional>
#include <iostream>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

namespace check {

struct Test {
    std::string name;
    std::function<void()> body;
};

inline std::vector<Test>& tests() {
    static std::vector<Test> all;
    return all;
}
inline int failures = 0;

struct Register {
    Register(std::string_view file, std::string_view name, std::function<void()> body) {
        file.remove_prefix(file.rfind('/') + 1);
        file.remove_suffix(file.size() - file.rfind('.'));
        tests().push_back({std::string(file) + "::" + std::string(name), std::move(body)});
    }
};

inline void fail(const char* file, int line, const std::string& what) {
    ++failures;
    std::cerr << file << ":" << line << ": " << what << "\n";
}

inline int run(const std::string& wanted) {
    int ran = 0;
    for (const auto& test : tests()) {
        if (test.name.find(wanted) == std::string::npos) continue;
        ++ran;
        const int before = failures;
        try {
            test.body();
        } catch (const std::exception& error) {
            fail(test.name.c_str(), 0, std::string("unexpected exception: ") + error.what());
        }
        std::cout << (failures == before ? "ok   " : "FAIL ") << test.name << "\n";
    }
    std::cout << ran << " tests, " << failures << " failures\n";
    return failures == 0 && ran > 0 ? 0 : 1;
}

}  // namespace check

#define TEST(name)                                                              \
    static void test_##name();                                                  \
    static const check::Register register_##name(__FILE__, #name, test_##name); \
    static void test_##name()

#define CHECK(condition)                                               \
    do {                                                               \
        if (!(condition)) check::fail(__FILE__, __LINE__, #condition); \
    } while (false)

#define CHECK_EQ(left, right)                                                          \
    do {                                                                               \
        const auto left_ = (left);                                                     \
        const auto right_ = (right);                                                   \
        if (!(left_ == right_)) {                                                      \
            std::ostringstream text_;                                                  \
            text_ << #left " == " #right " fails: " << left_ << " against " << right_; \
            check::fail(__FILE__, __LINE__, text_.str());                              \
        }                                                                              \
    } while (false)

#define CHECK_THROWS(Type, expression)                                            \
    do {                                                                          \
        try {                                                                     \
            (void)(expression);                                                   \
            check::fail(__FILE__, __LINE__, #expression " did not throw " #Type); \
        } catch (const Type&) {                                                   \
        }                                                                         \
    } while (false)
