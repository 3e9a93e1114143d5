#include "core/profile/optimizer.h"

namespace stagecraft {

std::vector<Bytes> optimizerStateTensors(OptimizerKind kind, Bytes parameterBytes)
{
    switch (kind) {
    case OptimizerKind::SgdMomentum:
        return {parameterBytes};
    case OptimizerKind::Adam:
    case OptimizerKind::AdamW:
        return {parameterBytes, parameterBytes, Bytes(4)}; // two moments; the step as one float32
    case OptimizerKind::None:
    case OptimizerKind::Sgd:
        break;
    }
    return {};
}

} // namespace stagecraft
