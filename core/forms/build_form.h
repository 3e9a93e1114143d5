// From a form to a model: the graph that torch.export would give of it, without weights but for what no
// checkpoint has.
#pragma once

#include "core/forms/form.h"
#include "core/load/model.h"

#include <cstdint>
#include <string>

namespace stagecraft {

// Named as its preset, or its family where something was changed. Takes milliseconds. Fails as checkedForm()
// does.
Result<Model> buildForm(const Form& form);
// The same with random weights in memory: reproducible by `seed`. Fails, saying how large they would be,
// where they need more than `most` bytes.
Result<Model> buildFormWithWeights(const Form& form, std::uint64_t seed, std::int64_t most);

// Elements of all parameters, each tied one once.
std::int64_t parameterCount(const Model& model);

// "llama-3-8b" of a preset that nothing was changed of, else the family: "llama".
std::string formName(const Form& form);

} // namespace stagecraft
