// SHA-256 block by block; names follow FIPS 180-4.

#include "damier/base/sha256.h"

#include <array>
#include <bit>
#include <cstdint>
#include <cstring>

namespace damier {

namespace {

constexpr std::array<std::uint32_t, 64> K{
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

constexpr std::size_t Block = 64;

class Sha256 {
  public:
    void add(std::string_view bytes) {
        length_ += bytes.size();
        while (!bytes.empty()) {
            const auto taken = std::min(Block - filled_, bytes.size());
            std::memcpy(block_.data() + filled_, bytes.data(), taken);
            filled_ += taken;
            bytes.remove_prefix(taken);
            if (filled_ == Block) compress();
        }
    }

    std::string digest() {
        const std::uint64_t bits = 8 * length_;
        add(std::string_view("\x80", 1));
        while (filled_ != Block - 8) add(std::string_view("\0", 1));
        std::array<char, 8> length{};
        for (int i = 0; i < 8; ++i) length[static_cast<std::size_t>(i)] = static_cast<char>(bits >> (56 - 8 * i));
        add({length.data(), length.size()});
        std::string text;
        for (const auto word : hash_)
            for (int shift = 28; shift >= 0; shift -= 4) text += "0123456789abcdef"[word >> shift & 15];
        return text;
    }

  private:
    void compress() {
        std::array<std::uint32_t, 64> w{};
        for (std::size_t i = 0; i < Block; ++i) w[i / 4] = w[i / 4] << 8 | static_cast<unsigned char>(block_[i]);
        for (std::size_t t = 16; t < 64; ++t) {
            const auto s0 = std::rotr(w[t - 15], 7) ^ std::rotr(w[t - 15], 18) ^ (w[t - 15] >> 3);
            const auto s1 = std::rotr(w[t - 2], 17) ^ std::rotr(w[t - 2], 19) ^ (w[t - 2] >> 10);
            w[t] = w[t - 16] + s0 + w[t - 7] + s1;
        }
        auto [a, b, c, d, e, f, g, h] = hash_;
        for (std::size_t t = 0; t < 64; ++t) {
            const auto sum1 = std::rotr(e, 6) ^ std::rotr(e, 11) ^ std::rotr(e, 25);
            const auto sum0 = std::rotr(a, 2) ^ std::rotr(a, 13) ^ std::rotr(a, 22);
            const auto t1 = h + sum1 + ((e & f) ^ (~e & g)) + K[t] + w[t];
            const auto t2 = sum0 + ((a & b) ^ (a & c) ^ (b & c));
            h = g, g = f, f = e, e = d + t1, d = c, c = b, b = a, a = t1 + t2;
        }
        const std::array<std::uint32_t, 8> now{a, b, c, d, e, f, g, h};
        for (std::size_t i = 0; i < now.size(); ++i) hash_[i] += now[i];
        filled_ = 0;
    }

    std::array<std::uint32_t, 8> hash_{0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                       0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
    std::array<char, Block> block_{};
    std::size_t filled_ = 0;
    std::uint64_t length_ = 0;
};

}  // namespace

std::string sha256(std::initializer_list<std::string_view> parts) {
    Sha256 hash;
    for (const auto part : parts) hash.add(part);
    return hash.digest();
}

}  // namespace damier
