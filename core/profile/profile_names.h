// What a profile can be made for, as options and files call it and as a person is shown it. What is not in a
// table is not on offer anywhere.
#pragma once

#include "core/base/named.h"
#include "core/profile/segments.h"
#include "core/trace/lowering.h"
#include "core/trace/optimizer_trace.h"
#include "core/trace/trace_model.h"

namespace stagecraft {

inline constexpr NameTable<TrainingMode, 2> trainingModes{
    "mode", {{{TrainingMode::Train, "train", "Training"}, {TrainingMode::Infer, "infer", "Inference"}}}};

inline constexpr NameTable<LoweringKind, 5> lowerings{
    "lowering",
    {{{LoweringKind::Device, "device", "The device's own"},
      {LoweringKind::Math, "math", "Math"},
      {LoweringKind::Efficient, "efficient", "Memory-efficient"},
      {LoweringKind::Cpu, "cpu", "The CPU's"},
      {LoweringKind::Compiled, "compiled", "Compiled (rough)"}}}};

inline constexpr NameTable<Precision, 6> precisions{
    "precision",
    {{{Precision::AsExported, "exported", "As exported"},
      {Precision::AutocastBFloat16, "autocast-bf16", "bfloat16 autocast"},
      {Precision::AutocastFloat16, "autocast-fp16", "float16 autocast"},
      {Precision::Float32, "fp32", "float32"},
      {Precision::BFloat16, "bf16", "bfloat16"},
      {Precision::Float16, "fp16", "float16"}}}};

inline constexpr NameTable<OptimizerKind, 6> optimizers{
    "optimizer",
    {{{OptimizerKind::None, "none", "None"},
      {OptimizerKind::Sgd, "sgd", "SGD"},
      {OptimizerKind::SgdMomentum, "sgd-momentum", "SGD with momentum"},
      {OptimizerKind::Adam, "adam", "Adam"},
      {OptimizerKind::AdamW, "adamw", "AdamW"},
      {OptimizerKind::Adafactor, "adafactor", "Adafactor"}}}};

inline constexpr NameTable<OptimizerVariant, 4> optimizerVariants{
    "variant of the optimizer",
    {{{OptimizerVariant::Default, "default", "As torch.optim takes it"},
      {OptimizerVariant::Single, "single", "One parameter after the other"},
      {OptimizerVariant::Foreach, "foreach", "All parameters at once"},
      {OptimizerVariant::Fused, "fused", "Fused"}}}};

inline constexpr NameTable<GradientStart, 2> gradientStarts{
    "way to treat gradients",
    {{{GradientStart::Absent, "dropped", "Dropped"}, {GradientStart::Present, "kept", "Kept"}}}};

inline constexpr NameTable<SegmentKind, 2> segmentKinds{
    "kind of segments",
    {{{SegmentKind::Fixed, "fixed", "Of fixed sizes"},
      {SegmentKind::Expandable, "expandable", "Expandable"}}}};

} // namespace stagecraft
