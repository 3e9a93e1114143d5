// TensorComparer: how far what the stages computed is from what the model computed.
#pragma once

#include "core/stage/manifest.h"
#include "core/stage/run_result.h"
#include "core/stage/verify.h"

#include <filesystem>
#include <string>
#include <vector>

namespace stagecraft {

class TensorComparer
{
public:
    // `options` must outlive the comparer.
    TensorComparer(const VerifyOptions& options, bool shapesOnly)
        : m_options(options), m_shapesOnly(shapesOnly)
    {
    }

    // An undefined tensor is a gradient of zeros. Equal infinities, and NaN in both, are no difference.
    Comparison tensors(Comparison::Kind kind, const std::string& name, const at::Tensor& whole,
                       const at::Tensor& stages) const;
    // Adds a comparison for each of the model's, but for buffers that no stage has.
    void named(Comparison::Kind kind, const NamedTensors& whole, const NamedTensors& stages,
               VerifyReport& report) const;
    // Tensors, numbers or None.
    Comparison outputs(std::size_t index, const c10::IValue& whole, const c10::IValue& stages) const;

private:
    void compareNumbers(Comparison& comparison, const at::Tensor& whole, const at::Tensor& stages) const;

    const VerifyOptions& m_options;
    bool m_shapesOnly;
};

// Adds a comparison for each tensor in the stages' safetensors files: it must be the model's, byte for byte;
// of a model without weights in shape and type, and a note says so.
Result<void> compareStoredWeights(const Model& model, const Manifest& manifest,
                                  const std::filesystem::path& folder, VerifyReport& report);

// Adds a comparison for each file that the manifest lists: length, and the checksum where there is one.
Result<void> compareWrittenFiles(const Manifest& manifest, const std::filesystem::path& folder,
                                 const Progress& progress, VerifyReport& report);

} // namespace stagecraft
