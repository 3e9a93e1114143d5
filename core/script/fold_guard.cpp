#include "core/script/fold_guard.h"

#include "core/script/plain_operators.h"

#include <ATen/core/function_schema.h>
#include <torch/csrc/jit/runtime/operator.h>

#include <algorithm>
#include <array>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

namespace stagecraft {

namespace {

namespace jit = torch::jit;
using OperatorList = std::vector<std::shared_ptr<jit::Operator>>;

// Those whose overloads all have one kind of trouble.
constexpr std::array<const char*, 13> guarded{
    "aten::floordiv", "aten::remainder", "aten::divmod", "aten::__round_to_zero_floordiv",
    "aten::gcd",      "aten::factorial", "aten::zfill",  "aten::expandtabs",
    "aten::ljust",    "aten::rjust",     "aten::center", "aten::replace",
    "aten::add"};

// Of add, which has many, that of texts.
bool isGuarded(const jit::Operator& op)
{
    return !op.isC10Op() && op.hasOperation() &&
           (op.schema().name() != "aten::add" || op.schema().overload_name() == "str");
}

jit::Operator checked(const jit::Operator& op)
{
    std::ostringstream schema;
    schema << op.schema();
    auto run = [name = op.schema().name(), count = op.schema().arguments().size(),
                original = op.getOperation()](jit::Stack& stack) mutable {
        const std::size_t first = stack.size() - std::min(count, stack.size());
        checkPlainCall(name, {stack.begin() + static_cast<std::ptrdiff_t>(first), stack.end()});
        original(stack);
    };
    return {schema.str(), std::move(run), op.aliasAnalysisKind()};
}

// All in their order, for the first overload that fits is taken. What is replaced stays: nodes point to it.
OperatorList replaceAll()
{
    OperatorList replaced;
    for (const char* name : guarded) {
        const OperatorList all = jit::getAllOperatorsFor(c10::Symbol::fromQualString(name));
        for (const std::shared_ptr<jit::Operator>& op : all) {
            if (!isGuarded(*op))
                continue;
            replaced.push_back(op);
            jit::Operator other = checked(*op);
            jit::deregisterOperator(op->schema());
            jit::registerOperator(std::move(other));
        }
    }
    return replaced;
}

} // namespace

void guardFolding()
{
    static const OperatorList replaced = replaceAll();
}

} // namespace stagecraft
