// ModelRun: a model, or a stage of one, that runs forward once, ready for a backward pass.
#pragma once

#include "core/base/progress.h"
#include "core/load/given_inputs.h"
#include "core/load/model.h"
#include "core/run/interpreter.h"
#include "core/stage/model_interface.h"
#include "core/stage/run_result.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace stagecraft {

enum class Gradients : std::uint8_t {
    OfAll,
    OfParameters, // and not of the model's inputs
    LeftOut,      // nothing requires any: the forward pass alone
};

struct ModelRunOptions
{
    RunDevice device = RunDevice::Cpu;
    Bindings bindings;       // sizes that these leave open are 1
    GivenInputs inputs = {}; // in place of random ones
    std::uint64_t seed = 0;  // of what is random, before every operator
    Gradients gradients = Gradients::OfAll;
};

// What the model runs on: its weights and inputs.
Result<ValueTable> runValues(const Model& model, const ModelRunOptions& options);

class ModelRun
{
public:
    // `model` must outlive the run. Fails as Interpreter::prepare() and runValues() do.
    static Result<std::unique_ptr<ModelRun>> make(const Model& model, const ModelRunOptions& options);

    ValueTable& values() { return m_values; }

    Result<void> forward(const Progress& progress);

    // After it: PyTorch writes new state back before anything goes backward, and refuses to go back through
    // what held the old. The content is as it was: addBuffers() has the new one.
    void countWriteBacks();

    // Leaves of what the model returns.
    std::vector<c10::IValue> outputs() const;
    // Adds what backward has made: undefined where a parameter got none.
    void addParameterGradients(NamedTensors& gradients) const;
    // What buffers hold after the step, also where the program returns their new content.
    void addBuffers(NamedTensors& buffers) const;

private:
    ModelRun(const Model& model, Interpreter interpreter, ValueTable values, std::uint64_t seed);

    const Model& m_model;
    const ModelInterface m_interface;
    Interpreter m_interpreter;
    ValueTable m_values;
    std::uint64_t m_seed;
};

// What backward starts from: the sum of one output, or of all that have a gradient (of complex ones both
// parts); undefined: none has.
at::Tensor lossOf(const std::vector<c10::IValue>& outputs, std::optional<std::size_t> index);

} // namespace stagecraft
