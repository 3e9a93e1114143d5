// GivenGradients: what a person lets flow back into a model, in place of ones or random numbers.
#pragma once

#include "core/load/model.h"

#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace stagecraft {

struct GivenGradients
{
    std::map<ValueId, StoredTensor>
        tensors; // of floating point, for every output that the step goes back from
    std::vector<std::shared_ptr<const void>> owners;      // keep the bytes
    std::vector<std::shared_ptr<const MappedFile>> files; // that hold them

    // As Model::unchanged().
    Result<void> unchanged() const;
};

// The tensors of a .safetensors file by the names of the outputs that a step goes back from: as forward()
// calls them ("logits"), by their numbers in what it returns, or as the graph calls them. `loss` as
// lossOutput() reads it. Fails, naming the output, where one has no tensor, and naming the tensor that is of
// none, or of no floating-point type. Whether the sizes fit is known when the model has run.
Result<GivenGradients> readGradients(const Model& model, const std::string& loss,
                                     const std::filesystem::path& file);

} // namespace stagecraft
