// Statistics: what the numbers of a real run look like, forward and backward.
//
// One training step on the CPU with the model's own weights; of every floating-point tensor the spread of its
// values and of its gradient. Tells where a signal dies or blows up, and which operator made the first NaN.
#pragma once

#include "core/base/progress.h"
#include "core/load/given_inputs.h"
#include "core/measure/given_gradients.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace stagecraft {

// Of one tensor; moments are those of its finite elements.
struct TensorStatistics
{
    std::int64_t elements = 0;
    double mean = 0;
    double standardDeviation = 0; // as torch.std(): divided by n - 1; 0 of a single element, which has none
    double absoluteMaximum = 0;
    std::int64_t zeros = 0;
    std::int64_t nans = 0;
    std::int64_t infinities = 0;

    bool isFinite() const { return nans == 0 && infinities == 0; }
};

struct ValueStatistics
{
    std::optional<TensorStatistics> forward;  // none: not a floating-point tensor, or its node did not run
    std::optional<TensorStatistics> backward; // of its gradient; none: none flowed, or PyTorch can make none
};

struct Statistics
{
    Table<ValueId, ValueStatistics> values;
    // The first node with a NaN or infinity in what it made though everything it read was finite.
    std::optional<NodeId> firstNonFinite;
    // The same for gradients: the last node in execution order whose own gradient is finite or absent but
    // that read something whose gradient is not, though no reader of it only passes on what it got.
    std::optional<NodeId> firstNonFiniteGradient;
    double loss = 0;                // the sum of the elements of outputs, each times the gradient it is given
    std::vector<std::string> notes; // "random weights: the file has none", ...
};

// The gradients that a step begins with, at the loss if the model returns one (core/load/loss_output.h), else
// at all floating-point outputs that require them. That of an output with one element, such as a loss, is
// always 1.
enum class OutputGradients {
    Ones,   // as if the loss were the sum of the outputs
    Random, // standard normal: what arrives from a well-scaled rest of the model
};

struct StatisticsOptions
{
    Bindings bindings;       // of symbolic sizes
    std::uint64_t seed = 0;  // of what is random: inputs, dropout, and weights where the file has none
    GivenInputs inputs = {}; // in place of random ones
    OutputGradients outputGradients = OutputGradients::Ones;
    bool inputGradients = false; // do floating-point inputs get gradients, too?
    std::string lossOutput = {}; // the output that the step goes back from, as lossOutput() reads it
    std::optional<GivenGradients> givenGradients = {}; // in place of outputGradients
};

// Fails where the step has no room on this machine (step_room.h); as the interpreter does, naming node,
// operator, module and source line; and where a given gradient has other sizes than its output.
Result<Statistics> gatherStatistics(const Model& model, const StatisticsOptions& options = {},
                                    const Progress& progress = {});

} // namespace stagecraft
