// SHA-256 (FIPS 180-4), to tell whether a plan was made for this very file.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

namespace stagecraft {

class Sha256
{
public:
    void add(std::span<const std::byte> bytes);
    // Lower-case hex. Nothing may be added afterwards.
    std::string finish();

private:
    void compress(const std::byte* block);

    std::array<std::uint32_t, 8> m_state{0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                         0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
    std::array<std::byte, 64> m_block{};
    std::size_t m_filled = 0;
    std::uint64_t m_byteCount = 0;
};

} // namespace stagecraft
