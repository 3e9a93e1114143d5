// What the recorder puts aside while a checkpoint region is run again.
#include "core/trace/recorder.h"

namespace stagecraft {

// As if nothing ran around it; casts of weights are made anew, as autocast's cache is empty by then.
struct TraceRecorder::RecomputationScope::Around
{
    explicit Around(TraceRecorder& recorder)
        : isRecomputing(recorder.m_isRecomputing, true),
          node(recorder.m_node, recorder.m_node),
          region(recorder.m_region, {}),
          context(recorder.m_context, ContextId(0)),
          autocast(recorder.m_autocast, nullptr),
          modelAutocast(recorder.m_modelAutocast, {}),
          contextAutocast(recorder.m_contextAutocast, {}),
          isCast(recorder.m_isCast, false),
          running(recorder.m_running, nullptr)
    {
    }

    Temporarily<bool> isRecomputing;
    Temporarily<std::optional<NodeId>> node;
    Temporarily<std::optional<RegionId>> region;
    Temporarily<ContextId> context;
    Temporarily<AutocastCasts*> autocast;
    Temporarily<std::unique_ptr<AutocastCasts>> modelAutocast;
    Temporarily<std::unique_ptr<AutocastCasts>> contextAutocast;
    Temporarily<bool> isCast;
    Temporarily<Running*> running;
};

TraceRecorder::RecomputationScope::RecomputationScope(TraceRecorder& recorder)
    : m_recorder(recorder), m_around(std::make_unique<Around>(recorder))
{
    if (const std::optional<DType> type = autocastType(recorder.m_lowering.precision)) {
        recorder.m_modelAutocast = std::make_unique<AutocastCasts>(autocastOf(recorder.m_lowering, *type));
        recorder.m_autocast = recorder.m_modelAutocast.get();
    }
}

TraceRecorder::RecomputationScope::~RecomputationScope()
{
    m_recorder.m_endsBehindOp = false; // should its operator have failed
}

} // namespace stagecraft
