// One of several programs that a file holds (torch.export's package_pt2).
#pragma once

#include "core/base/progress.h"
#include "core/load/model.h"

#include <filesystem>
#include <string>

namespace stagecraft {

// As openModel(), but of several exported programs the one of that name, which the model's name then ends
// with. Empty: the only one, or the one called "model". Fails, listing them, where it is not there, and where
// nothing says which.
Result<Model> openProgram(const std::filesystem::path& path, const std::string& program,
                          const Progress& progress = {});

} // namespace stagecraft
