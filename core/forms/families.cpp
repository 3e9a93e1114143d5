#include "core/forms/families.h"

namespace stagecraft {

std::span<const FormFamily> formFamilies()
{
    static const std::vector<FormFamily> families{
        llamaFamily(), gptFamily(), qwenFamily(),   mixtralFamily(),
        bertFamily(),  vitFamily(), resnetFamily(), perceptronFamily(),
    };
    return families;
}

} // namespace stagecraft
