// The families, one function each, in a file of its own name. formFamilies() lists what they return.
#pragma once

#include "core/forms/form.h"

namespace stagecraft {

FormFamily perceptronFamily();
FormFamily gptFamily();
FormFamily llamaFamily();
FormFamily mixtralFamily();
FormFamily qwenFamily();
FormFamily bertFamily();
FormFamily vitFamily();
FormFamily resnetFamily();

} // namespace stagecraft
