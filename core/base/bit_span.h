// Sets of small numbers as bits in words of 64, which somebody else owns: mostly rows of one long vector.
// Two sets that are compared or united have as many words.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace stagecraft {

using BitWords = std::vector<std::uint64_t>;
using BitSpan = std::span<const std::uint64_t>;
using MutableBitSpan = std::span<std::uint64_t>;

constexpr std::size_t wordsForBits(std::size_t count)
{
    return (count + 63) / 64;
}

inline bool hasBit(BitSpan bits, std::size_t bit)
{
    return (bits[bit / 64] >> (bit % 64) & 1) != 0;
}

inline void setBit(MutableBitSpan bits, std::size_t bit)
{
    bits[bit / 64] |= std::uint64_t{1} << (bit % 64);
}

inline void clearBit(MutableBitSpan bits, std::size_t bit)
{
    bits[bit / 64] &= ~(std::uint64_t{1} << (bit % 64));
}

inline void unite(MutableBitSpan bits, BitSpan more)
{
    for (std::size_t w = 0; w < bits.size(); ++w)
        bits[w] |= more[w];
}

inline bool meets(BitSpan bits, BitSpan others)
{
    for (std::size_t w = 0; w < bits.size(); ++w) {
        if ((bits[w] & others[w]) != 0)
            return true;
    }
    return false;
}

inline bool includes(BitSpan bits, BitSpan part)
{
    for (std::size_t w = 0; w < bits.size(); ++w) {
        if ((part[w] & ~bits[w]) != 0)
            return false;
    }
    return true;
}

inline std::size_t countBits(BitSpan bits)
{
    std::size_t count = 0;
    for (const std::uint64_t word : bits)
        count += static_cast<std::size_t>(std::popcount(word));
    return count;
}

// In ascending order.
template <class Visit>
void forEachBit(BitSpan bits, Visit&& visit)
{
    for (std::size_t w = 0; w < bits.size(); ++w) {
        for (std::uint64_t word = bits[w]; word != 0; word &= word - 1)
            visit(w * 64 + static_cast<std::size_t>(std::countr_zero(word)));
    }
}

} // namespace stagecraft
