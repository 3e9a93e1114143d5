// What training the stages of a decomposed program means: run_decompositions() leaves a program in functional
// form, which was not made to be trained.
#pragma once

#include "core/load/model.h"
#include "core/profile/profile.h"
#include "core/stage/stage_program.h"

#include <string>
#include <vector>

namespace stagecraft {

// Buffers of which the stages read copies, and that PyTorch left no_grad() and detach() out. None where
// nothing is trained.
std::vector<std::string> notesOnDecomposed(const Model& model, const std::vector<StageProgram>& programs,
                                           const ProfileRequest& plannedFor);

} // namespace stagecraft
