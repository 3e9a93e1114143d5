// Temporarily: another value in a place, for a while.
#pragma once

#include <utility>

namespace stagecraft {

// Sets a value, and puts the old one back when it dies, also where an exception passes.
template <class T>
class Temporarily
{
public:
    Temporarily(T& place, T value) : m_place(place), m_previous(std::exchange(place, std::move(value))) {}
    ~Temporarily() { m_place = std::move(m_previous); }
    Temporarily(const Temporarily&) = delete;
    Temporarily& operator=(const Temporarily&) = delete;

private:
    T& m_place;
    T m_previous;
};

} // namespace stagecraft
