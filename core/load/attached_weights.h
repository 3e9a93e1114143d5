// Weights from files of their own: a checkpoint for a model that was exported without data, or another one.
#pragma once

#include "core/base/result.h"
#include "core/load/model.h"

#include <filesystem>
#include <vector>

namespace stagecraft {

// Gives `model` the tensors of `files`: safetensors files, state dicts that torch.save wrote, or the index of
// a checkpoint in several shards ("model.safetensors.index.json"), which lie beside it.
//
// Each parameter, buffer and constant takes the tensor of its name, and where there is none, that of another
// name of the same tied tensor; what a state dict leaves out (constants, some buffers) stays as it is where
// the model has it. Names that are tied in the model stay one tensor. Where no name is as in the model, but
// names are with one beginning more or less ("module."), that is passed over, and a note says so; so do
// tensors that the model has not. Floating-point numbers of another such type are cast, which a note
// counts. Fails, naming the first and counting the others, where a tensor is in no file or has another shape
// or kind of element, and where what is cast takes half of the machine's memory; `model` is unchanged then.
Result<void> attachWeights(Model& model, const std::vector<std::filesystem::path>& files);

} // namespace stagecraft
