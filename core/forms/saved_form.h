// A form in the file of its model: an extra file of the archive, as torch.export.save() adds them, so that
// the numbers can be changed after the file is opened again.
#pragma once

#include "core/forms/form.h"
#include "core/load/model.h"

#include <optional>
#include <string>
#include <string_view>

namespace stagecraft {

inline constexpr const char* formFileName = "stagecraft_form.json";

// {"family": "llama", "preset": "llama-3-8b", "values": {"layers": 32, ..., "dtype": "bfloat16"},
//  "digest": of the text without it}
std::string formText(const Form& form);
// Fails, saying what is wrong, where it is not such a text or no form that goes together.
Result<Form> readForm(std::string_view text);

// The form that the model's file says it is of; none where it says nothing, nothing that can be read, the
// form of another model, or one that was changed since it was written.
std::optional<Form> savedForm(const Model& model);

} // namespace stagecraft
