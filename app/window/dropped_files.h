// Files that are dropped on the window.
#pragma once

#include <filesystem>
#include <vector>

class QMimeData;

namespace stagecraft {

// Empty if one of what is dropped is no local file.
std::vector<std::filesystem::path> droppedFiles(const QMimeData* data);
// By their names: of a step that ran, one or several; a model or a plan is one file of another kind.
bool areOfMeasuredStep(const std::vector<std::filesystem::path>& files);

} // namespace stagecraft
