// BoundedRegex: a regular expression whose search takes time in proportion to text x expression, whatever the
// two are. Every place in the expression where a match may be is followed at once; nothing is tried twice, so
// that "(a+)+b" costs no more than any other of its length.
//
//     literal  .  [a-z] [^a-z]  \d \w \s \b  ^ $  ( )  |  * + ? {2,5}
//
// Letters match whatever their case (of ASCII). What a search without memory cannot tell, \1 and (?=...), is
// refused.
#pragma once

#include "core/base/result.h"

#include <bitset>
#include <cstdint>
#include <string_view>
#include <vector>

namespace stagecraft {

class BoundedRegex
{
public:
    // Fails, saying what is wrong and where, on what it cannot read and on what would take too many steps.
    static Result<BoundedRegex> compile(std::string_view pattern);

    // Is there a match anywhere in `text`?
    bool isFoundIn(std::string_view text) const;

    enum class StepKind : std::uint8_t { Character, Fork, Jump, TextBegins, TextEnds, WordEdge, Match };
    // Targets are relative, so that a piece of a program is the same wherever it stands.
    struct Step
    {
        StepKind kind = StepKind::Match;
        int next = 1;
        int other = 0; // of a fork
        std::bitset<256> characters;
    };

private:
    std::vector<Step> m_steps;
};

} // namespace stagecraft
