// What the recorder asks of an operator of the dispatcher, once for each.
#pragma once

#include "core/run/call_check.h"
#include "core/trace/trace.h"

#include <cstddef>
#include <vector>

namespace c10 {
class OperatorHandle;
struct IValue;
} // namespace c10

namespace stagecraft {

struct OpInfo
{
    OpNameId name;
    bool isComposite;   // only a recipe of others
    bool hasDerivative; // a kernel of autograd's own around the operator's
    // Does the dispatcher write out operands that are only marked as conjugated or negated, because the
    // operator's kernel does not know these marks?
    bool writesConjugates, writesNegatives;
    bool isInPlace;                           // its first argument is the one that it writes to
    std::vector<std::size_t> deviceArguments; // their positions
    CallCheck check;                          // of what it is called with
};

TraceOpName opName(const c10::OperatorHandle& op);
OpInfo opInfo(const c10::OperatorHandle& op, OpNameId name);

// Does the dispatcher call `op`, with the last values on `stack`, to write out an operand of the operator
// that `info` describes? Then it is not a part of that operator's kernel.
bool writesOutOperand(const OpInfo& info, const c10::OperatorHandle& op,
                      const std::vector<c10::IValue>& stack);

} // namespace stagecraft
