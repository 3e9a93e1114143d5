// State dicts as torch.save writes them: model.pt, pytorch_model.bin, the checkpoint of a trainer.
#pragma once

#include "core/load/weight_store.h"
#include "core/load/zip_archive.h"

namespace stagecraft {

// Is it a zip, as torch.save has written since PyTorch 1.6, and no safetensors file?
bool looksLikeTorchSave(const OwnedBytes& file);

// Adds the tensors of a dict of names to `weights`, in place; nothing in the file is executed. Where the dict
// holds no tensor itself but one named state_dict, model_state_dict, model or module does, those of that.
// What is one storage in the file stays one. Fails, naming it, where a member is no tensor, where a tensor's
// elements overlap, and where a name is there already.
Result<void> addStateDict(const OwnedBytes& file, WeightStore& weights);

} // namespace stagecraft
