// Overloaded: one visitor of a variant out of a lambda for each alternative.
#pragma once

namespace stagecraft {

template <class... Handlers>
struct Overloaded : Handlers...
{
    using Handlers::operator()...;
};

} // namespace stagecraft
