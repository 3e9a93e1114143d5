// The words of forms (core/forms): titles of their numbers, units, groups, choices; names of families and
// models are the same in every language. termText() says them in the language of the window.
#pragma once

#include <span>

namespace stagecraft {

// As the engine spells them.
std::span<const char* const> formTerms();

} // namespace stagecraft
