// PreparedCall: an operator of the dispatcher, and where the arguments of its schema come from.
#pragma once

#include "core/run/node_action.h"

#include <memory>
#include <string>
#include <vector>

namespace c10 {
struct FunctionSchema;
}

namespace stagecraft {

class PreparedCall
{
public:
    // `target` called with the arguments of `node`. Fails where it is not registered (code NotFound), is not
    // for files, or an argument does not fit.
    static Result<PreparedCall> prepare(const Node& node, const std::string& target, RunDevice device);

    // In the schema's order.
    std::vector<c10::IValue> operands(const ValueTable& values) const;
    // Checks and calls; the results in the schema's order. Throws what the operator throws.
    std::vector<c10::IValue> run(std::vector<c10::IValue> operands) const;

private:
    struct State;
    explicit PreparedCall(std::shared_ptr<const State> state);
    std::shared_ptr<const State> m_state;
};

// Of an operator that is registered; fails with code NotFound, saying what a person does about it.
Result<const c10::FunctionSchema*> schemaOf(const std::string& target);

} // namespace stagecraft
