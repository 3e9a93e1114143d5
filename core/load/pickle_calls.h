// The Python functions that a pickle may name and that are understood. For the unpickler.
#pragma once

#include "core/load/pickle.h"

namespace stagecraft {

// The meaning of a persistent id: ('storage', torch.FloatStorage, key, location, count).
Result<PickleNode> storageOfId(const PickleValue& id, const StorageFinder& findStorage);

// What calling `function` gives; null where it is not one that is understood.
Result<PickleNode> resultOfCall(const std::string& function, const std::vector<PickleNode>& arguments);

} // namespace stagecraft
