// The families, one function each, in a file of its own name. formFamilies() lists what they return.
#pragma once

#include "core/forms/form.h"

namespace stagecraft {

FormFamily perceptronFamily();
FormFamily gptFamily();
FormFamily llamaFamily();
FormFamily qwen2Family();
FormFamily qwen3Family();
FormFamily qwen3ExpertsFamily();
FormFamily mixtralFamily();
FormFamily deepseekFamily();
FormFamily gemma2Family();
FormFamily gemma3Family();
FormFamily mambaFamily();
FormFamily bertFamily();
FormFamily t5Family();
FormFamily clipFamily();
FormFamily llavaFamily();
FormFamily vitFamily();
FormFamily resnetFamily();
FormFamily convnextFamily();
FormFamily ditFamily();
FormFamily unetFamily();

} // namespace stagecraft
