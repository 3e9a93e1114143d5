// RangeMost: where in any run of a row of figures the most is, each in constant time (a sparse table).
#pragma once

#include <bit>
#include <cstddef>
#include <utility>
#include <vector>

namespace stagecraft {

class RangeMost
{
public:
    explicit RangeMost(std::vector<double> row) : m_row(std::move(row)), m_most(1)
    {
        for (std::size_t i = 0; i < m_row.size(); ++i)
            m_most.front().push_back(i);
        for (std::size_t half = 1; 2 * half <= m_row.size(); half *= 2) {
            std::vector<std::size_t> twice;
            for (std::size_t i = 0; i + 2 * half <= m_row.size(); ++i)
                twice.push_back(better(m_most.back()[i], m_most.back()[i + half]));
            m_most.push_back(std::move(twice));
        }
    }

    double operator[](std::size_t i) const { return m_row[i]; }
    // Of those from `first` up to, without, `end`, which is behind it and no more than there are: where the
    // most is, the last of these.
    std::size_t in(std::size_t first, std::size_t end) const
    {
        const auto level = static_cast<std::size_t>(std::bit_width(end - first) - 1);
        return better(m_most[level][first], m_most[level][end - (std::size_t{1} << level)]);
    }

private:
    std::size_t better(std::size_t before, std::size_t behind) const
    {
        return m_row[before] > m_row[behind] ? before : behind;
    }

    std::vector<double> m_row;
    std::vector<std::vector<std::size_t>> m_most; // of runs of 1, 2, 4, ...
};

} // namespace stagecraft
