// Chance: what is done at random, the same again for the same seed.
#pragma once

#include <QPoint>
#include <QSize>

#include <random>

namespace stagecraft {

class Chance
{
public:
    explicit Chance(unsigned seed) : m_engine(seed) {}
    int below(int count) { return count <= 1 ? 0 : std::uniform_int_distribution(0, count - 1)(m_engine); }
    int between(int first, int last) { return first + below(last - first + 1); }
    bool oneIn(int count) { return below(count) == 0; }
    template <class List>
    auto of(const List& list)
    {
        return list[static_cast<decltype(list.size())>(below(static_cast<int>(list.size())))];
    }
    QPoint within(const QSize& size) { return {below(size.width()), below(size.height())}; }

private:
    std::mt19937 m_engine;
};

} // namespace stagecraft
