// Files that are dropped on the window.
#pragma once

#include <filesystem>
#include <vector>

class QMimeData;
class QWidget;

namespace stagecraft {

// Empty if one of what is dropped is no local file.
std::vector<std::filesystem::path> droppedFiles(const QMimeData* data);
// What is dropped on anything inside the window is the window's, but for what has a use for files itself.
void takeDropsOfChildren(QWidget* window);
// By their names: weights for the model that is open. A *.pt is a model.
bool areWeights(const std::vector<std::filesystem::path>& files);
// By their names: of a step that ran, one or several; a model or a plan is one file of another kind.
bool areOfMeasuredStep(const std::vector<std::filesystem::path>& files);

} // namespace stagecraft
