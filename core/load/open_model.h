// The way from a file to a Model.
#pragma once

#include "core/base/progress.h"
#include "core/load/model.h"

#include <filesystem>

namespace stagecraft {

// Opens any model file: .pt2 of every container, or says in one line why not. Nothing in it is executed.
Result<Model> openModel(const std::filesystem::path& path, const Progress& progress = {});

} // namespace stagecraft
