// Small graphs in text, and what the profile says of them on a plain device.
#pragma once

#include "tests/core/profile/plain_options.h"
#include "tests/core/text_model.h"

namespace stagecraft::test {

inline Profile profileOf(const Model& model, const ProfileOptions& options)
{
    Result<Profile> profile = profileModel(model, options);
    if (!profile.has_value())
        qFatal("%s", profile.error().message.c_str());
    return std::move(profile).value();
}

inline Profile profileOf(const Model& model)
{
    return profileOf(model, plainOptions(LoweringKind::Math));
}

inline constexpr const char* mlp = R"(graph mlp
  input %x : f32[8, 16]
  param %w1 "fc1.weight" : f32[32, 16]
  param %b1 "fc1.bias" : f32[32]
  param %w2 "fc2.weight" : f32[4, 32]
  %linear : f32[8, 32] = aten::linear.default(%x, %w1, %b1) @fc1
  %relu : f32[8, 32] = aten::relu.default(%linear) @act
  %linear_1 : f32[8, 4] = aten::linear.default(%relu, %w2) @head.fc2
  return %linear_1
)";

} // namespace stagecraft::test
