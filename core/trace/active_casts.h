// ActiveCasts: what is cast for the operators of a step, by the precision that was asked for and by the modes
// that the file names.
#pragma once

#include "core/base/temporarily.h"
#include "core/trace/autocast.h"

#include <memory>
#include <optional>
#include <vector>

namespace stagecraft {

class ActiveCasts
{
public:
    // `lowering` must outlive it.
    explicit ActiveCasts(const LoweringTarget& lowering);

    // As at the start of a step: autocast has kept no casts of weights yet.
    ActiveCasts afresh() const;
    // Operators that run from now on are of this node, or of none, and run in its context.
    void enterNode(const Graph& graph, std::optional<NodeId> node);
    // From now on nothing is cast: backward, the optimizer.
    void stop();
    // Casts the operator's arguments, the last ones on `stack`. Until the answer dies, operators are those
    // that it calls. `isPart`: it is called by an operator of the node itself.
    Temporarily<bool> castArguments(const c10::OperatorHandle& op, std::vector<c10::IValue>& stack,
                                    bool isPart);

private:
    const LoweringTarget* m_lowering;
    ContextId m_context{0};
    std::unique_ptr<AutocastCasts> m_modelAutocast;   // of the whole forward pass, by the precision
    std::unique_ptr<AutocastCasts> m_contextAutocast; // of the context
    AutocastCasts* m_autocast = nullptr;              // the one in force; null: autocast is off
    bool m_isCast = false;                            // inside an operator whose arguments were cast
    std::shared_ptr<AutocastCasts> m_pureCasts;       // of operands of two types in a pure precision
    bool m_castsTypes = false; // do the node's own type arguments follow a pure precision?
    bool m_isStopped = false;
};

} // namespace stagecraft
