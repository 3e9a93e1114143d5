// GivenInputs: tensors for what a model takes, in place of made-up numbers.
#pragma once

#include "core/load/model.h"

#include <filesystem>
#include <map>
#include <memory>
#include <vector>

namespace stagecraft {

struct GivenInputs
{
    std::map<ValueId, StoredTensor> tensors;              // of user inputs; types and sizes fit the model
    Bindings bindings;                                    // of symbolic sizes, as the tensors have them
    std::vector<std::shared_ptr<const void>> owners;      // keep the bytes
    std::vector<std::shared_ptr<const MappedFile>> files; // that hold them

    bool empty() const { return tensors.empty(); }
    // As Model::unchanged().
    Result<void> unchanged() const;
};

// What the model was exported with; empty where the file lacks the data of some tensor input, and where a
// size in `asked` is not that of the export: other sizes ask for other inputs.
GivenInputs exportedInputs(const Model& model, const Bindings& asked = {});

// The tensors of a .safetensors file by the names of the model's inputs. Fails, naming the input, where one
// has no tensor, or one of another type or of sizes that the model does not take, and naming the tensor that
// is no input.
Result<GivenInputs> readInputs(const Model& model, const std::filesystem::path& file);

} // namespace stagecraft
