// StageProgram: the part of a model that one stage runs, and what it exchanges with its neighbours.
//
//     model inputs ──► stage 0 ──outputs──► stage 1 ──outputs──► ... ──► what the model returns
//                        (a value that a later stage needs is relayed by the stages between)
#pragma once

#include "core/partition/partition.h"

#include <string>
#include <vector>

namespace stagecraft {

struct StageInput
{
    enum class Source {
        Previous, // given by position, in the order in which the stage before returns them
        Model, // an input of the model: by position or keyword as in the model for stage 0, else by keyword
    };
    Source source = Source::Previous;
    ValueId value;
};

struct StageProgram
{
    StageId stage{0};
    std::vector<NodeId> nodes; // in execution order
    std::vector<StageInput> inputs;
    std::vector<ValueId> outputs; // to the next stage; of the last stage: what the model returns
    std::vector<ValueId> relays;  // outputs that are inputs unchanged
    std::vector<ValueId> parameters;
    std::vector<ValueId> buffers;
    std::vector<ValueId> constants;
};

// The Python text of a stage, and which node each line runs.
struct StageCode
{
    std::string text;
    std::vector<std::optional<NodeId>> nodeOfLine;
};

} // namespace stagecraft
