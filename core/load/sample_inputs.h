// The inputs that a model was exported with, where the file has them and they can be read.
#pragma once

#include "core/load/model.h"
#include "core/load/zip_archive.h"

#include <vector>

namespace stagecraft {

// From a torch.save of (positional tuple, keyword dict). One for each leaf of signature.inputTree, or none at
// all where the pickle holds something else: objects of the model's own classes, for instance.
std::vector<SampleInput> readSampleInputs(const OwnedBytes& torchSave, const Signature& signature);

} // namespace stagecraft
