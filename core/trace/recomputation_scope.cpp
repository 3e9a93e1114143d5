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
          casts(recorder.m_casts, recorder.m_casts.afresh()),
          running(recorder.m_running, nullptr),
          keptResults(recorder.m_keptResults, nullptr)
    {
    }

    Temporarily<bool> isRecomputing;
    Temporarily<std::optional<NodeId>> node;
    Temporarily<std::optional<RegionId>> region;
    Temporarily<ActiveCasts> casts;
    Temporarily<Running*> running;
    Temporarily<KeptResults*> keptResults;
};

TraceRecorder::RecomputationScope::RecomputationScope(TraceRecorder& recorder)
    : m_recorder(recorder), m_around(std::make_unique<Around>(recorder))
{
}

TraceRecorder::RecomputationScope::~RecomputationScope()
{
    m_recorder.m_endsBehindOp = false; // should its operator have failed
}

} // namespace stagecraft
