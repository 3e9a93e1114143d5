// Hashes that are the same on every machine.
#pragma once

#include <cstdint>
#include <string_view>

namespace stagecraft {

inline std::uint64_t combineHash(std::uint64_t hash, std::uint64_t more)
{
    // The finaliser of splitmix64: every bit of the input reaches every bit of the result.
    std::uint64_t mixed = hash * 0x9e3779b97f4a7c15ULL + more + 0x632be59bd9b4e019ULL;
    mixed = (mixed ^ (mixed >> 30)) * 0xbf58476d1ce4e5b9ULL;
    mixed = (mixed ^ (mixed >> 27)) * 0x94d049bb133111ebULL;
    return mixed ^ (mixed >> 31);
}

inline std::uint64_t hashText(std::string_view text)
{
    std::uint64_t hash = 0xcbf29ce484222325ULL; // FNV-1a
    for (const char c : text)
        hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3ULL;
    return hash;
}

} // namespace stagecraft
