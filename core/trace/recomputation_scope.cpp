// What the recorder puts aside while a checkpoint region is run again.
#include "core/trace/recorder.h"

namespace stagecraft {

struct TraceRecorder::RecomputationScope::State
{
    bool wasRecomputing;
    std::optional<NodeId> node;
    std::optional<RegionId> region;
    ContextId context;
    AutocastCasts* autocast;
    std::unique_ptr<AutocastCasts> modelAutocast;
    std::unique_ptr<AutocastCasts> contextAutocast;
    bool isCast;
    Running* running;
};

// As if nothing ran around it; casts of weights are made anew, as autocast's cache is empty by then.
TraceRecorder::RecomputationScope::RecomputationScope(TraceRecorder& recorder)
    : m_recorder(recorder),
      m_around(std::make_unique<State>(
          std::exchange(recorder.m_isRecomputing, true), recorder.m_node,
          std::exchange(recorder.m_region, {}), std::exchange(recorder.m_context, ContextId(0)),
          std::exchange(recorder.m_autocast, nullptr), std::move(recorder.m_modelAutocast),
          std::move(recorder.m_contextAutocast), std::exchange(recorder.m_isCast, false),
          std::exchange(recorder.m_running, nullptr)))
{
    if (const std::optional<DType> type = autocastType(recorder.m_lowering.precision)) {
        recorder.m_modelAutocast = std::make_unique<AutocastCasts>(autocastOf(recorder.m_lowering, *type));
        recorder.m_autocast = recorder.m_modelAutocast.get();
    }
}

TraceRecorder::RecomputationScope::~RecomputationScope()
{
    m_recorder.m_endsBehindOp = false; // should its operator have failed
    m_recorder.m_isRecomputing = m_around->wasRecomputing;
    m_recorder.m_node = m_around->node;
    m_recorder.m_region = m_around->region;
    m_recorder.m_context = m_around->context;
    m_recorder.m_autocast = m_around->autocast;
    m_recorder.m_modelAutocast = std::move(m_around->modelAutocast);
    m_recorder.m_contextAutocast = std::move(m_around->contextAutocast);
    m_recorder.m_isCast = m_around->isCast;
    m_recorder.m_running = m_around->running;
}

} // namespace stagecraft
