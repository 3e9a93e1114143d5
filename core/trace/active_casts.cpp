#include "core/trace/active_casts.h"

#include "core/trace/precision.h"

#include <ATen/core/dispatch/Dispatcher.h>
#include <ATen/core/ivalue.h>

namespace stagecraft {

ActiveCasts::ActiveCasts(const LoweringTarget& lowering) : m_lowering(&lowering)
{
    if (const std::optional<DType> type = autocastType(lowering.precision)) {
        m_modelAutocast = std::make_unique<AutocastCasts>(autocastOf(lowering, *type));
        m_autocast = m_modelAutocast.get();
    }
    if (const std::optional<DType> type = pureType(lowering.precision))
        m_pureCasts = std::make_shared<AutocastCasts>(autocastOf(lowering, *type));
}

ActiveCasts ActiveCasts::afresh() const
{
    ActiveCasts casts(*m_lowering);
    casts.m_pureCasts = m_pureCasts;
    return casts;
}

void ActiveCasts::enterNode(const Graph& graph, std::optional<NodeId> node)
{
    m_castsTypes = node && pureType(m_lowering->precision) && !namesItsType(graph, *node);
    const ContextId context = node ? graph[*node].context : ContextId(0);
    if (context == m_context)
        return;
    m_context = context;
    m_autocast = m_modelAutocast.get();
    m_contextAutocast.reset();
    const std::optional<Autocast>& autocast = graph.context(context).autocast;
    if (!autocast || !appliesTo(*m_lowering, *autocast))
        return;
    if (autocast->enabled)
        m_contextAutocast = std::make_unique<AutocastCasts>(*autocast);
    m_autocast = m_contextAutocast.get();
}

void ActiveCasts::stop()
{
    m_isStopped = true;
    m_autocast = nullptr;
    m_modelAutocast.reset();
    m_contextAutocast.reset();
}

Temporarily<bool> ActiveCasts::castArguments(const c10::OperatorHandle& op, std::vector<c10::IValue>& stack,
                                             bool isPart)
{
    if (m_pureCasts && !m_isStopped) {
        // What the program says about types, and operands of two types.
        if (m_castsTypes && !isPart)
            castTypeArguments(*pureType(m_lowering->precision), op, stack);
        m_pureCasts->castMixedOperands(op, stack);
    }
    const bool castsHere = m_autocast && !m_isCast && m_autocast->takesPart(op);
    if (castsHere)
        m_autocast->castArguments(op, stack);
    return {m_isCast, m_isCast || castsHere};
}

} // namespace stagecraft
