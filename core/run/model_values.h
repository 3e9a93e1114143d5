// The tensors a model runs on: its weights in place, and inputs made up from their descriptions.
#pragma once

#include "core/load/given_inputs.h"
#include "core/run/interpreter.h"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace stagecraft {

struct ModelValueOptions
{
    RunDevice device = RunDevice::Cpu;
    Bindings bindings;       // of symbolic sizes; unbound symbols take the size they were exported with
    GivenInputs inputs = {}; // in place of random ones, with the sizes they have
    std::uint64_t seed = 0;  // of inputs, and of weights where the file has none
    bool trainable = true;   // do parameters require gradients, where the file says so?
    // Do floating-point user inputs require gradients?
    bool inputGradients = false;
    std::vector<ValueId> gradientsOf = {}; // where not all do, these
};

// Every input of the model's graph, ready to run.
//
// On the CPU weights lie in the mapped file and are copied only where the program writes to them; tied
// weights are one tensor. A structure-only model gets small random weights. User inputs that are not given
// are random: floats standard normal, integers within the bounds of what they index (an embedding's rows),
// else 1, booleans true. Fails, naming the symbol, where `bindings` and the given inputs disagree.
Result<ValueTable> modelValues(const Model& model, const ModelValueOptions& options);

// A tensor over the bytes of `stored`, without a copy. The bytes must outlive it and are never to be written.
at::Tensor tensorInPlace(const StoredTensor& stored);
// An uninitialised tensor of the described size, strides and type.
Result<at::Tensor> emptyTensor(const TensorMeta& meta, const Bindings& bindings, RunDevice device);

// Graph inputs that some node writes to, directly or through a view.
std::vector<ValueId> writtenInputs(const Graph& graph);

} // namespace stagecraft
