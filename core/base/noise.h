// Noise: random numbers that are the same on every machine.
#pragma once

#include <cstdint>

namespace stagecraft {

class Noise
{
public:
    explicit Noise(std::uint64_t seed) : m_state(seed) {}

    // splitmix64
    std::uint64_t next()
    {
        m_state += 0x9e3779b97f4a7c15u;
        std::uint64_t z = m_state;
        z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
        z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
        return z ^ (z >> 31);
    }
    // 0 .. 1
    double unit() { return static_cast<double>(next() >> 11) / 9007199254740992.0; }

private:
    std::uint64_t m_state;
};

} // namespace stagecraft
