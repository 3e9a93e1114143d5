// Statements in the making: what the body of a function runs, one after the other.
#pragma once

#include "core/stage/repeated_blocks.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace stagecraft {

// A node, a call of a block, or a loop over calls that follow each other.
struct BodyStep
{
    std::size_t begin = 0; // places of its nodes
    std::size_t end = 0;
    const RepeatedBlock* block = nullptr; // none of a node
    std::size_t call = 0;                 // the first of the block's
    std::size_t rounds = 1;
    const Context* modes = nullptr;
    std::span<const int> regions;  // around it
    bool isCheckpointed = false;   // each call by itself is a checkpoint region, too
    std::vector<ValueId> returned; // by the call, or by the last round
    // Of a loop, by input of the block: which result of a round is the next one's.
    std::vector<std::optional<std::size_t>> carried;

    const BlockCall& round(std::size_t i) const { return block->calls[call + i]; }
};

// What the items of a body are about.
struct BodyNodes
{
    const Graph& graph;
    std::span<const NodeId> nodes;
    const std::vector<RepeatedBlock>* blocks; // none where no item calls one
    const std::function<ValueId(ValueId)>& resolve;

    const Node& node(std::size_t place) const { return graph[nodes[place]]; }
    std::span<const ValueId> resultsOf(const BodyStep& step) const
    {
        return step.block ? std::span(step.returned) : std::span(node(step.begin).results);
    }
    // What it reads and does not make, as `resolve` has it; some more than once.
    template <class Visit>
    void forEachInput(const BodyStep& step, const Visit& visit) const
    {
        if (!step.block) {
            for (const ValueId input : node(step.begin).inputs)
                visit(resolve(input));
            return;
        }
        for (std::size_t i = 0; i < step.block->inputs.size(); ++i)
            if (step.block->inputs[i].kind == BlockInput::Kind::Given)
                visit(step.round(0).inputs[i]);
    }
};

// A step for each item, but one loop for calls of a block that follow each other, where nobody else reads
// what passes between them. `depth` checkpoint regions are around all; `kept` are read after the last.
std::vector<BodyStep> bodySteps(const BodyNodes& body, std::span<const BodyItem> items, std::size_t depth,
                                std::span<const ValueId> kept);

// What a body needs its values for.
struct BodyUses
{
    Table<ValueId, char> isRead;                    // by any step, or kept
    std::vector<std::vector<ValueId>> deletedAfter; // by step: variables that nothing reads any more
};
// `given` are variables that exist before the first step.
BodyUses bodyUses(const BodyNodes& body, std::span<const BodyStep> steps, std::span<const ValueId> given,
                  std::span<const ValueId> kept);

// Steps that become a function of their own.
struct FunctionUses
{
    std::vector<ValueId> taken;    // variables that they read and do not make, in order of first use
    std::vector<ValueId> returned; // what is made and read behind them
    std::vector<ValueId> deleted;  // variables that nothing reads behind the function's call
};
// `steps` are a part of `all`; what they delete of what they do not make is taken out of `uses`.
FunctionUses takeApart(const BodyNodes& body, std::span<const BodyStep> all, std::span<const BodyStep> steps,
                       BodyUses& uses, const std::function<bool(ValueId)>& isVariable);

// The part in which two paths differ, where nothing else does and it is a number, one more in the second:
// "layers.", 5, ".mlp".
struct NumberedPath
{
    std::string_view before;
    std::int64_t number = 0;
    std::string_view after;
};
std::optional<NumberedPath> countsUp(std::string_view first, std::string_view second);

} // namespace stagecraft
