// Parsing JSON that comes from outside, and saying what is wrong with it. All that this program keeps as a
// tree of nlohmann's is parsed here (what a model's own file holds is simdjson's: load/json_view.h).
#pragma once

#include "core/base/result.h"

#include <nlohmann/json_fwd.hpp>

#include <string>
#include <string_view>

namespace stagecraft {

// The document; Json is nlohmann::json or nlohmann::ordered_json. Fails, naming `name`, the line and the
// column, where the text is not JSON or breaks off, and where it is nested so deeply that who copies,
// compares or writes it again, level by level, would run out of stack, or holds so many values that the tree
// would take gigabytes.
template <class Json>
Result<Json> parseJson(std::string_view text, const std::string& name);

extern template Result<nlohmann::json> parseJson(std::string_view, const std::string&);
extern template Result<nlohmann::ordered_json> parseJson(std::string_view, const std::string&);

} // namespace stagecraft
