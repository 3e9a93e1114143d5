// Whether a model can really be run here.
#pragma once

#include "core/base/result.h"
#include "core/profile/profile.h"

namespace stagecraft {

// What a real step needs on this machine at least: the model, its gradients, the profile's peak.
Bytes memoryOfStep(const Profile& profile);

// Fails, with both figures, where a step needs more than `available`.
Result<void> checkRoomForStep(const Profile& profile, Bytes available);

} // namespace stagecraft
