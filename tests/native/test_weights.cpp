// Files of weights: what is built in, and every way in which a file may be damaged or meant for something else.

#include <bit>
#include <functional>

#include "check.h"
#include "damier/base/random.h"
#include "damier/base/sha256.h"
#include "damier/eval/weights_file.h"
#include "damier/games/chess/classic.h"
#include "damier/games/draughts/classic.h"
#include "damier/games/loa/classic.h"

namespace test_weights {

using namespace damier;

namespace {

const std::string Zeros(WeightsFile::DigestSize, '0');
const std::string About = R"("format":"damier 1","sha256":")" + Zeros + R"(","game":"loa","family":"loa")";
const std::string Linear = About + R"(,"kind":"linear","features":"quads","calibration":"0 150")";
const std::string OneTensor = R"("weights":{"dtype":"F64","shape":[2],"data_offsets":[0,16]})";

std::string with_length(const std::string& header, const std::string& data, std::uint64_t length) {
    std::string file;
    for (int i = 0; i < 8; ++i) file += static_cast<char>(length >> (8 * i));
    return file + header + data;
}

// With the digest that it should have, if there is a place for one.
std::string sealed(std::string file) {
    const auto at = file.find(Zeros);
    if (at != std::string::npos) file.replace(at, Zeros.size(), WeightsFile::digest(file, at));
    return file;
}

std::string made(const std::string& header, const std::string& data) {
    return sealed(with_length(header, data, header.size()));
}
std::string made_of(const std::string& metadata, const std::string& tensors, const std::string& data) {
    return made("{\"__metadata__\":{" + metadata + "}," + tensors + "}", data);
}

std::string numbers(std::initializer_list<double> values) {
    std::string bytes;
    for (const double value : values) {
        const auto bits = std::bit_cast<std::array<char, sizeof(double)>>(value);
        bytes.append(bits.begin(), bits.end());
    }
    return bytes;
}

// What is said of it; nothing when all goes well.
std::string complaint(const std::function<void()>& read) {
    try {
        read();
    } catch (const Error& error) {
        return error.what();
    }
    return "";
}
std::string complaint(const std::string& file) {
    return complaint([&] { WeightsFile{file}; });
}

void check_refused(const std::string& file, std::string_view why) {
    const auto said = complaint(file);
    if (said.find(why) == std::string::npos || said.find('\n') != std::string::npos)
        check::fail(__FILE__, __LINE__, "expected '" + std::string(why) + "', got '" + said + "'");
}

// Everything that a game may ask of a file; only our own errors may come out.
void use(const WeightsFile& file) {
    static constexpr FeatureGroup Group{"weights", "weights", 0, 2, 1};
    for (const auto& ask : std::vector<std::function<void()>>{
             [&] { (void)file.calibration(); },
             [&] { (void)file.linear(2); },
             [&] { (void)file.layers(); },
             [&] { (void)file.scale(); },
             [&] { (void)file.worths({&Group, 1}); },
             [&] { file.check_family("loa"); },
         })
        (void)complaint(ask);
    for (const auto& tensor : file.tensors().tensors) (void)file.bytes(tensor);
}

}  // namespace

TEST(sha256_of_known_texts) {  // FIPS 180-4, and the empty text
    CHECK_EQ(sha256({""}), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    CHECK_EQ(sha256({"a", "bc"}), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    CHECK_EQ(sha256({"abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"}),
             "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
    CHECK_EQ(sha256({std::string(1'000'000, 'a')}), "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

TEST(built_in_weights_fit) {
    CHECK_EQ(chess::classic_weights().worths(chess::Classic::groups()).size(), std::size_t{chess::Classic::Features});
    CHECK_EQ(loa::classic_weights().worths(loa::Classic::groups()).size(), std::size_t{loa::Classic::Features});
    CHECK_EQ(draughts::classic_weights("turkish").text("game"), "turkish");
    CHECK_EQ(draughts::classic_weights("italian").text("game"), "english");
    CHECK_EQ(chess::classic_weights().calibration().spread, 157.0);
    CHECK_THROWS(Error, loa::classic_weights().worths(chess::Classic::groups()));
}

TEST(a_file_is_read) {
    const WeightsFile file(made_of(Linear, OneTensor, numbers({1.5, -2})));
    CHECK(file.kind() == WeightsFile::Kind::Linear);
    CHECK(file.linear(2) == (std::vector<double>{1.5, -2}));
    CHECK_EQ(file.calibration().spread, 150.0);
    CHECK_EQ(complaint([&] { (void)file.linear(3); }), "tensor 'weights' has the shape [2], expected [3]");
    CHECK_EQ(complaint([&] { (void)file.layers(); }), "its metadata lack 'activations'");
    CHECK_EQ(complaint([&] { file.check_family("chess"); }), "holds weights for 'loa', not for a game of chess");
    // The order of keys, blanks and escapes are free.
    const std::string header =
        "{ \"weights\" : {\"shape\":[ 1 ,2],\"data_offsets\":[0,8],\"dtype\":\"F32\"} ,\n"
        "\"__metadata__\":{\"note\":\"a \\\"b\\\" \\\\ \\/ \u00e9\"," +
        About + R"(,"kind":"network"}}   )";
    CHECK_EQ(WeightsFile(made(header, "12345678")).text("note"), "a \"b\" \\ / \u00e9");
}

TEST(damage_is_told) {
    const std::string whole = made_of(Linear, OneTensor, numbers({1, 2}));
    for (std::size_t size = 0; size < whole.size(); ++size) CHECK(complaint(whole.substr(0, size)) != "");
    for (std::size_t at = 0; at < whole.size(); ++at) {
        for (const int flipped : {1, 0x20, 0x80}) {
            auto file = whole;
            file[at] = static_cast<char>(file[at] ^ flipped);
            CHECK(complaint(file) != "");
        }
    }
    check_refused(whole.substr(0, whole.size() - 1), "ends beyond the end of the file");
    check_refused(whole + "x", "1 bytes follow the last tensor");
    auto flipped = whole;
    flipped.back() ^= 1;
    check_refused(flipped, "damaged: its content does not have the sha256 it was written with");
}

TEST(what_is_not_such_a_file_is_told) {
    check_refused("", "not a safetensors file: only 0 bytes");
    check_refused("PK\x03\x04 and so on", "a numpy archive, which older versions wrote");
    check_refused("# The weights of classic\n", "not a safetensors file: a header of ");
    check_refused(with_length("{}", "", UINT64_MAX),
                  "a header of 18446744073709551615 bytes, expected at most 1048576");
    check_refused(with_length("{}", "", 1000), "ends inside its header");
    check_refused(made("{}", ""), "a safetensors file, but without weights for damier");
    check_refused(made(R"({"__metadata__":{"format":"damier 2"}})", ""),
                  "its format is 'damier 2', expected 'damier 1'");
    check_refused(made(R"({"__metadata__":{"format":"damier 1"}})", ""), "have no sha256 of 64 digits");
    check_refused(made("{\"__metadata__\":{" + About + "}}", ""), "its metadata lack 'kind'");
    check_refused(made("{\"__metadata__\":{" + About + R"(,"kind":"tree"}})", ""), "its kind is 'tree', expected");
    check_refused(made("{}{}", ""), "goes on after its end");
}

TEST(headers_that_are_not_strict_are_refused) {
    const auto refused = [](const std::string& tensors, std::string_view why) {
        check_refused(made_of(Linear, tensors, numbers({1, 2})), why);
    };
    const auto tensor = [](const std::string& fields) { return "\"weights\":{" + fields + "}"; };
    refused(std::string(100'000, '['), "expected a text");
    refused("\"weights\":" + std::string(100'000, '['), "expected {");
    refused("\"weights\":" + std::string(100'000, '{'), "expected a text");
    refused(tensor("\"shape\":" + std::string(100'000, '[')), "expected a whole number");
    refused(OneTensor + "," + OneTensor, "has tensor 'weights' twice");
    refused(OneTensor + R"(,"__metadata__":{})", "has __metadata__ twice");
    refused(tensor(R"("dtype":"F64","dtype":"F64")"), "has 'dtype' of tensor 'weights' twice");
    refused(tensor(R"("dtype":"F64","shape":[2])"), "lacks dtype, shape or data_offsets");
    refused(tensor(R"("dtype":"BF16","shape":[2],"data_offsets":[0,16])"),
            "of type 'BF16', expected I16, U64, F32 or F64");
    refused(tensor(R"("dtype":"F64","shape":[3],"data_offsets":[0,16])"),
            "has 16 bytes, which does not fit its shape [3]");
    refused(tensor(R"("dtype":"F64","shape":[4294967296,4294967296,4294967296],"data_offsets":[0,16])"),
            "does not fit");
    refused(tensor(R"("dtype":"F64","shape":[-1],"data_offsets":[0,16])"), "expected a whole number");
    refused(tensor(R"("dtype":"F64","shape":[02],"data_offsets":[0,16])"), "expected a whole number");
    refused(tensor(R"("dtype":"F64","shape":[2e0],"data_offsets":[0,16])"), "expected ]");
    refused(tensor(R"("dtype":"F64","shape":[99999999999999999999],"data_offsets":[0,16])"), "expected a whole number");
    refused(tensor(R"("dtype":"F64","shape":[1,1,1,1,1,1,1,1,2],"data_offsets":[0,16])"), "more than 8 numbers");
    refused(tensor(R"("dtype":"F64","shape":[2],"data_offsets":[0])"), "has 1 data_offsets, expected 2");
    refused(tensor(R"("dtype":"F64","shape":[2],"data_offsets":[16,0])"),
            "does not begin where the one before it ends");
    refused(tensor(R"("dtype":"F64","shape":[2],"data_offsets":[0,18446744073709551615])"), "ends beyond the end");
    refused(tensor(R"("dtype":"F64","shape":[2],"data_offsets":[0,16],"more":1)"), "has 'more' in a tensor");
    refused(tensor(R"("dtype":"F64","shape":[1],"data_offsets":[0,8])") +
                R"(,"b":{"dtype":"F64","shape":[2],"data_offsets":[0,16]})",
            "does not begin where the one before it ends");
    refused("\"a\\u0041\":{}", "has an escape other than");
    refused("\"a\nb\":{}", "has a control character");
    refused("\"\xC3\x28\":{}", "is not UTF-8");
    check_refused(made_of(Linear + R"(,"kind":"network")", OneTensor, numbers({1, 2})), "has 'kind' twice");
    std::string many;
    for (int i = 0; i < 5000; ++i)
        many += "\"" + std::to_string(i) + R"(":{"dtype":"F64","shape":[0],"data_offsets":[0,0]},)";
    refused(many + OneTensor, "has more than 4096 tensors");
}

TEST(weights_beyond_reason_are_refused) {
    const auto tapered =
        made_of(About + R"(,"kind":"tapered")", R"("man":{"dtype":"I16","shape":[1,2],"data_offsets":[0,4]})",
                std::string("\x64\x00\x00\x80", 4));
    constexpr FeatureGroup Man{"man", "material", 0, 1, 1}, King{"king", "material", 0, 1, 1};
    const WeightsFile file(tapered);
    CHECK_EQ(complaint([&] { (void)file.worths({&Man, 1}); }),
             "tensor 'man' has a weight of -32768, expected -10000 to 10000");
    CHECK_EQ(complaint([&] { (void)file.worths({&King, 1}); }), "has no tensor 'king'");
    CHECK_EQ(complaint([&] { (void)file.worths({}); }), "has 1 tensors, expected 0");
    const WeightsFile odd(
        made_of(About + R"(,"kind":"linear","calibration":"0 -1","scale":"nan")", OneTensor, numbers({1, 2})));
    CHECK_EQ(complaint([&] { (void)odd.calibration(); }), "calibration is '0 -1', expected a spread above 0");
    CHECK_EQ(complaint([&] { (void)odd.scale(); }), "scale is 'nan', expected numbers");
}

// Random edits of good files, with the digest made right again so that what follows is reached as well.
TEST(edited_files_never_break_the_reader) {
    Random dice(20260101);
    const std::string network =
        About + R"(,"kind":"network","activations":"tanh linear","scale":"100","calibration":"0 150")";
    const std::string layers = R"("layers.0.weights":{"dtype":"F32","shape":[1,2],"data_offsets":[0,8]},)"
                               R"("layers.0.bias":{"dtype":"F32","shape":[1],"data_offsets":[8,12]},)"
                               R"("layers.1.weights":{"dtype":"F32","shape":[1,1],"data_offsets":[12,16]},)"
                               R"("layers.1.bias":{"dtype":"F32","shape":[1],"data_offsets":[16,20]})";
    const std::vector<std::pair<std::string, std::string>> seeds = {
        {"{\"__metadata__\":{" + Linear + "}," + OneTensor + "}", numbers({1, 2})},
        {"{\"__metadata__\":{" + network + "}," + layers + "}", std::string(20, 'x')},
        {"{\"__metadata__\":{" + About + R"(,"kind":"tapered","calibration":"0 85"},)" +
             R"("weights":{"dtype":"I16","shape":[2,2],"data_offsets":[0,8]}})",
         "12345678"}};
    static const std::string Usual = "{}[]\",:0123456789\\ .-eF";
    int read = 0;
    for (int trial = 0; trial < 20'000; ++trial) {
        auto [header, data] = seeds[dice.below(3)];
        for (auto edits = 1 + dice.below(3); edits > 0; --edits) {
            const auto at = dice.below(static_cast<std::uint32_t>(header.size()));
            switch (dice.below(5)) {
                case 0: header[at] = Usual[dice.below(static_cast<std::uint32_t>(Usual.size()))]; break;
                case 1: header[at] = static_cast<char>(dice.below(256)); break;
                case 2: header.erase(at, 1 + dice.below(3)); break;
                case 3:
                    header.insert(at,
                                  header.substr(dice.below(static_cast<std::uint32_t>(header.size())), dice.below(30)));
                    break;
                default: data.resize(data.size() + 2 - dice.below(4));
            }
        }
        try {
            const WeightsFile file(sealed(with_length(header, data, header.size() + dice.below(8) / 7)));
            use(file);
            ++read;
        } catch (const Error& error) {
            if (std::string_view(error.what()).find('\n') != std::string_view::npos)
                check::fail(__FILE__, __LINE__, error.what());
        }
    }
    CHECK(read > 1000);
}

}  // namespace test_weights
