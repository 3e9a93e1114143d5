// LossOutput: which output of a model its training step goes back from.
//
// Profile, verification and the exported pipeline.py all take the same one: that which the file calls the
// loss; else what the person named; else the output called "loss"; else the only scalar that needs a
// gradient. Where there is none of these, a step goes back from the sum of all outputs that need a gradient.
// That shows that the stages work, and trains nothing.
#pragma once

#include "core/load/model.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace stagecraft {

// One leaf of what forward() returns.
struct ReturnedValue
{
    std::string name;             // "loss", "heads.1", "0": keys, fields and numbers on the way to it
    std::optional<ValueId> value; // none: a literal
    bool needsGradient = false;   // as far as the graph tells: can a gradient flow from it to a parameter?
    bool isScalar = false;        // a tensor without dimensions
};

std::vector<ReturnedValue> returnedValues(const Model& model);

// Of each value: can a gradient flow from it to a parameter, as far as the graph tells?
Table<ValueId, char> valuesWithGradient(const Graph& graph);
// Of values from which none can when they are made: the first node that writes something from which one can
// to their storage, through a view say. None of all others.
Table<ValueId, std::optional<NodeId>> gradientsWritten(const Graph& graph);

struct LossOutput
{
    enum class Origin {
        File,       // the exported program says so
        Asked,      // the person named it
        Name,       // it is called "loss"
        OnlyScalar, // no other scalar needs a gradient
        AskedSum,   // the person wants the sum of all outputs
        NoScalar,   // outputs that need a gradient, none of them a scalar: the sum
        Unclear,    // several scalars need a gradient: the sum, until the person says which
        Untrained,  // no output needs a gradient
    };
    Origin origin = Origin::Untrained;
    std::vector<ReturnedValue> returned;
    std::optional<std::size_t> index; // in `returned`; none: the sum of all that need a gradient

    // The values that the loss is the sum of; one that is returned twice counts twice.
    std::vector<ValueId> values() const;
    bool isSum() const { return !index && origin != Origin::Untrained; }
};

// What a person writes for the sum of all outputs, unless an output has this name.
inline constexpr std::string_view sumOfOutputs = "all";

// `wanted` is the name of an output, its number among what forward() returns, its name in the graph,
// sumOfOutputs, or nothing. Fails with code NotFound where no such output needs a gradient; also where the
// file itself calls another output the loss.
Result<LossOutput> lossOutput(const Model& model, const std::string& wanted = {});

// "loss: output 'loss', called so", "no loss: ...; --loss-output NAME says which": one line for reports.
std::string lossText(const LossOutput& loss);

// What a person must be asked, where that is needed: "which output is the loss: 'a' or 'b'? ...".
std::optional<std::string> lossQuestion(const LossOutput& loss);

} // namespace stagecraft
