#include "core/forms/families.h"

namespace stagecraft {

std::span<const FormFamily> formFamilies()
{
    static const std::vector<FormFamily> families{
        llamaFamily(),   gptFamily(),      qwen3Family(),  qwen3ExpertsFamily(), qwen2Family(),
        mixtralFamily(), deepseekFamily(), gemma3Family(), gemma2Family(),       mambaFamily(),
        bertFamily(),    t5Family(),       clipFamily(),   llavaFamily(),        vitFamily(),
        resnetFamily(),  convnextFamily(), ditFamily(),    unetFamily(),         perceptronFamily(),
    };
    return families;
}

} // namespace stagecraft
