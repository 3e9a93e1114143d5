// The stored tensors of a stage: its parameters, buffers and constants, by name.
#pragma once

#include "core/load/model.h"
#include "core/stage/stage_program.h"

#include <string>
#include <vector>

namespace stagecraft {

struct StageTensor
{
    std::string name;
    bool isParameter = false;
    bool persistent = true; // part of the state dict: parameters and most buffers
    StoredTensor tensor;    // without bytes in a structure-only model
    std::string aliasOf;    // the tensor that this is another name of; empty: of none
};

// In the order parameters, buffers, constants, aliases. Fails, naming the tensor, where the model's file
// lacks it.
Result<std::vector<StageTensor>> stageTensors(const Model& model, const StageProgram& program);

// The part of the storage that the tensor lies in, from its first element to its last.
std::span<const std::byte> usedBytes(const StoredTensor& tensor);

} // namespace stagecraft
