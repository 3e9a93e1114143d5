// The numbers of a form as JSON, for its file and for scripts.
#pragma once

#include "core/forms/form.h"

#include <nlohmann/json.hpp>

namespace stagecraft {

// {"layers": 32, ..., "dtype": "bfloat16"}, in the order of the family's parameters.
nlohmann::ordered_json formValuesJson(const Form& form);

} // namespace stagecraft
