#include "core/graph/functorch_step.h"
#include "core/run/node_action.h"
#include "core/run/transform_scope.h"

#include <ATen/core/ivalue.h>
#include <ATen/functorch/BatchedTensorImpl.h>
#include <ATen/functorch/DynamicLayer.h>
#include <ATen/functorch/TensorWrapper.h>
#include <ATen/ops/_make_dual.h>
#include <ATen/ops/_unpack_dual.h>

#include <algorithm>
#include <array>
#include <string>

namespace stagecraft {

namespace {

namespace functorch = at::functorch;

// More than functorch numbers levels for.
constexpr std::size_t deepest = 32;

// What a step is called with, by position.
class StepArguments
{
public:
    StepArguments(const Node& node, const ValueTable& values) : m_node(node), m_values(values) {}

    at::Tensor tensor(std::size_t position) const
    {
        const auto* id = std::get_if<ValueId>(&argument(position));
        const at::Tensor tensor = id ? m_values.tensor(*id) : at::Tensor();
        TORCH_CHECK(tensor.defined(), "argument ", position, " is no tensor");
        return tensor;
    }

    std::int64_t number(std::size_t position) const
    {
        if (const auto* number = std::get_if<std::int64_t>(&argument(position)))
            return *number;
        const auto* id = std::get_if<ValueId>(&argument(position));
        TORCH_CHECK(id && m_values[*id].isInt(), "argument ", position, " is no whole number");
        return m_values[*id].toInt();
    }

    std::string text(std::size_t position) const
    {
        const auto* text = std::get_if<std::string>(&argument(position));
        TORCH_CHECK(text, "argument ", position, " is no text");
        return *text;
    }

private:
    const Argument& argument(std::size_t position) const
    {
        TORCH_CHECK(position < m_node.arguments.size(), "argument ", position, " is missing");
        return m_node.arguments[position].value;
    }

    const Node& m_node;
    const ValueTable& m_values;
};

functorch::RandomnessType randomnessOf(const std::string& name)
{
    if (name == "same")
        return functorch::RandomnessType::Same;
    if (name == "different")
        return functorch::RandomnessType::Different;
    TORCH_CHECK(name == "error", "randomness is 'error', 'same' or 'different'");
    return functorch::RandomnessType::Error;
}

using Values = std::vector<c10::IValue>;

Values openVmap(const StepArguments& arguments)
{
    const std::int64_t size = arguments.number(0);
    TORCH_CHECK(size >= 0, "vmap goes over ", size, " elements");
    TORCH_CHECK(functorch::getDynamicLayerStack().size() < deepest, "transforms are nested too deeply");
    functorch::initAndPushDynamicLayer(functorch::TransformType::Vmap, c10::SymInt(size),
                                       randomnessOf(arguments.text(1)));
    return {c10::IValue()};
}

Values closeVmap(const StepArguments&)
{
    TORCH_CHECK(isVmapOpen(), "no vmap region is open here");
    functorch::popDynamicLayerAndDeleteMetadata();
    return {c10::IValue()};
}

void checkLevel(std::int64_t level)
{
    TORCH_CHECK(isVmapOpen() && functorch::getDynamicLayerStack().back().layerId() == level,
                "the vmap region of level ", level, " is not the one that is open here");
}

std::int64_t openSize()
{
    return functorch::getDynamicLayerStack().back().batchSize().guard_int(__FILE__, __LINE__);
}

Values addDimension(const StepArguments& arguments)
{
    const at::Tensor tensor = arguments.tensor(0);
    const std::int64_t level = arguments.number(2);
    checkLevel(level);
    const std::int64_t dimension = c10::maybe_wrap_dim(arguments.number(1), tensor.dim());
    TORCH_CHECK(tensor.dim() > 0 && tensor.size(dimension) == openSize(), "dimension ", dimension, " of ",
                tensor.sizes(), " is not the ", openSize(), " elements that vmap goes over");
    return {functorch::addBatchDim(tensor, dimension, level)};
}

// As torch/csrc/functorch/init.cpp, which is of Python's library, has it.
Values removeDimension(const StepArguments& arguments)
{
    const at::Tensor tensor = arguments.tensor(0);
    const std::int64_t level = arguments.number(1);
    const std::int64_t size = arguments.number(2);
    checkLevel(level);
    TORCH_CHECK(size == openSize(), "vmap goes over ", openSize(), " elements, not ", size);
    const std::int64_t target = c10::maybe_wrap_dim(arguments.number(3), tensor.dim() + 1);
    const auto* batched = functorch::maybeGetBatchedImpl(tensor);
    if (batched && batched->level() == level)
        return {batched->value().movedim(batched->bdim(), target)};
    std::vector<std::int64_t> sizes = tensor.sizes().vec();
    sizes.insert(sizes.begin() + target, size);
    return {tensor.unsqueeze(target).expand(sizes)};
}

// They are of Python's library. Without them the same operators run element by element (hasPythonRule).
Values loadRules(const StepArguments&)
{
    return {c10::IValue()};
}

Values openJvp(const StepArguments&)
{
    TORCH_CHECK(functorch::getDynamicLayerStack().size() < deepest, "transforms are nested too deeply");
    functorch::initAndPushDynamicLayer(functorch::TransformType::Jvp, std::nullopt, std::nullopt,
                                       std::nullopt, c10::AutogradState::get_tls_state().get_fw_grad_mode());
    return {c10::IValue()};
}

Values closeJvp(const StepArguments&)
{
    TORCH_CHECK(isJvpOpen(), "no jvp region is open here");
    functorch::popDynamicLayerAndDeleteMetadata();
    return {c10::IValue()};
}

Values enterLevel(const StepArguments&)
{
    openDualLevel();
    return {c10::IValue()};
}

void checkDualLevel(std::int64_t level)
{
    TORCH_CHECK(level == 0, "PyTorch has one level of forward-mode derivatives, 0, not ", level);
}

Values leaveLevel(const StepArguments& arguments)
{
    checkDualLevel(arguments.number(0));
    closeDualLevel();
    return {c10::IValue()};
}

Values makeDual(const StepArguments& arguments)
{
    checkDualLevel(arguments.number(2));
    return {at::_make_dual(arguments.tensor(0), arguments.tensor(1), 0)};
}

Values unpackDual(const StepArguments& arguments)
{
    checkDualLevel(arguments.number(1));
    const auto [primal, tangent] = at::_unpack_dual(arguments.tensor(0), 0);
    return {primal, tangent};
}

// As torch/csrc/functorch/init.cpp, too.
Values unwrap(const StepArguments& arguments)
{
    const at::Tensor tensor = arguments.tensor(0);
    const auto* wrapper = functorch::maybeGetTensorWrapper(tensor);
    return {wrapper && wrapper->level() == arguments.number(1) ? wrapper->value() : tensor};
}

struct StepEntry
{
    std::string_view target;
    Values (*run)(const StepArguments&);
};

constexpr std::array steps{
    StepEntry{vmapOpens, openVmap},
    StepEntry{vmapCloses, closeVmap},
    StepEntry{vmapAddsDimension, addDimension},
    StepEntry{vmapRemovesDimension, removeDimension},
    StepEntry{vmapLoadsRules, loadRules},
    StepEntry{jvpOpens, openJvp},
    StepEntry{jvpCloses, closeJvp},
    StepEntry{dualLevelOpens, enterLevel},
    StepEntry{dualLevelCloses, leaveLevel},
    StepEntry{makesDual, makeDual},
    StepEntry{unpacksDual, unpackDual},
    StepEntry{leavesLevel, unwrap},
};

} // namespace

Result<NodeAction> prepareTransformStep(const Graph& graph, NodeId id)
{
    const Node& node = graph[id];
    const auto entry = std::ranges::find(steps, node.target, &StepEntry::target);
    if (entry == steps.end())
        return Error{ErrorCode::NotFound, node.target + " is no step of vmap or jvp"};
    return NodeAction([&node, run = entry->run](ValueTable& values, const Progress&) {
        return bindResults(node, run(StepArguments(node, values)), values);
    });
}

} // namespace stagecraft
