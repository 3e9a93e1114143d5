#include "core/trace/known_values.h"

#include "core/trace/trace_hook.h"

#include <ATen/ATen.h>
#include <ATen/core/dispatch/Dispatcher.h>

#include <algorithm>
#include <array>
#include <string_view>
#include <unordered_map>

namespace stagecraft {

namespace {

using at::Tensor;
using Stack = std::vector<c10::IValue>;

constexpr std::int64_t mostElements = 4096;

bool isSmallAndWhole(const Tensor& tensor)
{
    return tensor.defined() && tensor.numel() <= mostElements &&
           c10::isIntegralType(tensor.scalar_type(), /*includeBool=*/true);
}

// Operators that make a tensor out of numbers alone, the same each time.
bool isFactory(const c10::OperatorHandle& op)
{
    const std::string_view name = op.schema().name();
    constexpr std::array names{"aten::arange",       "aten::full",        "aten::zeros",
                               "aten::ones",         "aten::eye",         "aten::scalar_tensor",
                               "aten::tril_indices", "aten::triu_indices"};
    return std::ranges::find(names, name) != names.end();
}

// LibTorch has a fallback on meta that only says what is missing. repeat_interleave has a kernel there, but
// only for results whose size is given.
bool needsData(const c10::OperatorHandle& op)
{
    using c10::DispatchKey;
    constexpr std::array kernels{DispatchKey::Meta, DispatchKey::CompositeExplicitAutograd,
                                 DispatchKey::CompositeExplicitAutogradNonFunctional,
                                 DispatchKey::CompositeImplicitAutograd};
    const bool runs =
        std::ranges::any_of(kernels, [&](DispatchKey key) { return op.hasKernelForDispatchKey(key); });
    return !runs || op.schema().name() == "aten::repeat_interleave";
}

// Are all the results, the last values on `stack`, small?
bool isSmall(const c10::OperatorHandle& op, const Stack& stack)
{
    const auto isLittle = [](const Tensor& tensor) {
        return !tensor.defined() || tensor.numel() <= mostElements;
    };
    return std::all_of(stack.end() - static_cast<std::ptrdiff_t>(op.schema().returns().size()), stack.end(),
                       [&](const c10::IValue& value) {
                           return value.isTensor()
                                      ? isLittle(value.toTensor())
                                      : !value.isTensorList() ||
                                            std::ranges::all_of(value.toTensorVector(), isLittle);
                       });
}

Tensor metaLike(const Tensor& tensor)
{
    return at::empty_strided(tensor.sizes(), tensor.strides(), tensor.options().device(at::kMeta));
}

c10::IValue metaOf(const c10::IValue& value)
{
    if (value.isTensor() && value.toTensor().defined())
        return metaLike(value.toTensor());
    if (!value.isTensorList())
        return value;
    c10::List<Tensor> list;
    for (const Tensor& tensor : value.toTensorVector())
        list.push_back(metaLike(tensor));
    return list;
}

} // namespace

struct KnownValues::State
{
    struct Known
    {
        c10::weak_intrusive_ptr<c10::TensorImpl> original;
        Tensor data;
    };
    std::unordered_map<const c10::TensorImpl*, Known> known;
    Stack results; // of the operator that ran on known values last

    Tensor find(const Tensor& tensor) const
    {
        const auto found = known.find(tensor.unsafeGetTensorImpl());
        return found == known.end() || found->second.original.expired() ? Tensor() : found->second.data;
    }

    void add(const Tensor& tensor, const Tensor& data)
    {
        if (!isSmallAndWhole(data) || !tensor.defined() || !tensor.is_meta())
            return;
        known.insert_or_assign(
            tensor.unsafeGetTensorImpl(),
            Known{c10::weak_intrusive_ptr<c10::TensorImpl>(tensor.getIntrusivePtr()), data});
    }

    // All names for the storage of a tensor that was written to.
    void forget(const Tensor& tensor)
    {
        std::erase_if(known, [&](const auto& entry) {
            const auto original = entry.second.original.lock();
            return !original || original->storage().is_alias_of(tensor.storage());
        });
    }

    // The argument with data for tensors; none where those of one are not known.
    std::optional<c10::IValue> concrete(const c10::IValue& value, const c10::Argument& argument,
                                        bool& any) const
    {
        if (argument.name() == "device")
            return c10::IValue(c10::Device(c10::DeviceType::CPU));
        if (value.isTensor()) {
            if (!value.toTensor().defined())
                return value;
            const Tensor data = value.toTensor().is_meta() ? find(value.toTensor()) : value.toTensor();
            any = true;
            return data.defined() ? std::optional<c10::IValue>(data) : std::nullopt;
        }
        if (!value.isTensorList())
            return value.isOptionalTensorList() ? std::nullopt : std::optional<c10::IValue>(value);
        c10::List<Tensor> list;
        for (const Tensor& tensor : value.toTensorVector()) {
            const Tensor data = tensor.is_meta() ? find(tensor) : tensor;
            if (!data.defined())
                return std::nullopt;
            any = true;
            list.push_back(data);
        }
        return c10::IValue(list);
    }

    std::optional<Stack> concreteArguments(const c10::OperatorHandle& op, const Stack& stack) const
    {
        const auto& arguments = op.schema().arguments();
        Stack concrete;
        bool any = false;
        for (std::size_t i = 0; i < arguments.size(); ++i) {
            std::optional<c10::IValue> value =
                this->concrete(stack[stack.size() - arguments.size() + i], arguments[i], any);
            if (!value)
                return std::nullopt;
            concrete.push_back(std::move(*value));
        }
        if (!any && !isFactory(op))
            return std::nullopt;
        return concrete;
    }

    // What numbers and data ask for must not be more than is worth keeping.
    static bool makesLittle(const c10::OperatorHandle& op, const Stack& concrete)
    {
        const std::string& name = op.schema().name();
        const bool repeats = name == "aten::repeat_interleave";
        if (repeats || name == "aten::bincount") {
            const bool isSecond = repeats && concrete.size() > 1 && concrete[1].isTensor();
            const Tensor& numbers = concrete[isSecond ? 1 : 0].toTensor();
            if (numbers.numel() > 0 &&
                (repeats ? numbers.sum() : numbers.max()).item().toLong() > mostElements)
                return false;
        }
        return std::ranges::all_of(concrete, [](const c10::IValue& value) {
            return !value.isInt() || value.toInt() <= mostElements;
        });
    }
};

KnownValues::KnownValues() : m_state(std::make_unique<State>()) {}
KnownValues::~KnownValues() = default;

void KnownValues::add(const Tensor& tensor, const Tensor& data)
{
    m_state->add(tensor, data);
}

bool KnownValues::run(const c10::OperatorHandle& op, Stack concrete)
{
    const HookPause pause;
    try {
        const at::NoGradGuard noGrad;
        op.callBoxed(concrete);
    } catch (const c10::Error&) {
        return false; // the meta run says what is wrong
    }
    m_state->results = std::move(concrete);
    return true;
}

void KnownValues::answer(const c10::OperatorHandle& op, Stack& stack) const
{
    stack.erase(stack.end() - static_cast<std::ptrdiff_t>(op.schema().arguments().size()), stack.end());
    for (const c10::IValue& result : m_state->results)
        stack.push_back(metaOf(result));
}

void KnownValues::noteResults(const c10::OperatorHandle& op, const Stack& stack, bool ranOnKnown)
{
    const auto& returns = op.schema().returns();
    for (std::size_t i = 0; i < returns.size(); ++i) {
        const c10::IValue& value = stack[stack.size() - returns.size() + i];
        if (ranOnKnown && value.isTensor() && i < m_state->results.size())
            m_state->add(value.toTensor(), m_state->results[i].toTensor());
        else if (ranOnKnown && value.isTensorList() && i < m_state->results.size()) {
            const std::vector<Tensor> tensors = value.toTensorVector(),
                                      data = m_state->results[i].toTensorVector();
            for (std::size_t k = 0; k < std::min(tensors.size(), data.size()); ++k)
                m_state->add(tensors[k], data[k]);
        } else if (value.isTensor() && value.toTensor().defined() && returns[i].alias_info() &&
                   returns[i].alias_info()->isWrite())
            m_state->forget(value.toTensor());
    }
}

// On meta first, where that is possible: it says how much would have to be made.
void KnownValues::redispatch(const c10::OperatorHandle& op, c10::DispatchKeySet keys, Stack& stack)
{
    m_state->results.clear();
    std::optional<Stack> concrete = m_state->concreteArguments(op, stack);
    bool ranOnKnown = false;
    if (concrete && needsData(op) && State::makesLittle(op, *concrete))
        ranOnKnown = run(op, std::move(*concrete));
    if (ranOnKnown) {
        answer(op, stack);
    } else {
        op.redispatchBoxed(keys, &stack);
        if (concrete && !needsData(op) && isSmall(op, stack))
            ranOnKnown = run(op, std::move(*concrete));
    }
    noteResults(op, stack, ranOnKnown);
}

} // namespace stagecraft
