// UniqueNames: names that are taken, and new ones that are not.
#pragma once

#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>

namespace stagecraft {

class UniqueNames
{
public:
    // A name that is there already stays taken.
    void take(std::string_view name) { m_taken.emplace(name); }

    // The first of `wanted`, `wanted_1`, `wanted_2`, ... that is free; it is taken from now on.
    std::string make(std::string_view wanted)
    {
        std::string name(wanted);
        if (m_taken.insert(name).second)
            return name;
        int& last = m_lastNumber[name]; // numbers up to it are taken: many names may be wanted often
        do
            name = std::string(wanted) + "_" + std::to_string(++last);
        while (!m_taken.insert(name).second);
        return name;
    }

private:
    std::unordered_set<std::string> m_taken;
    std::unordered_map<std::string, int> m_lastNumber;
};

} // namespace stagecraft
