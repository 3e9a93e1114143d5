// What a traced plan comes to, on a CPU.
#pragma once

#include "core/load/model.h"
#include "core/profile/model/profile_model.h"
#include "core/recompute/plan.h"
#include "core/trace/trace_model.h"
#include "tests/core/profile/plain_options.h"

#include <QtGlobal>

namespace stagecraft::test {

struct Counted
{
    Trace trace;
    Profile profile;
};

inline Counted count(const Model& model, const RecomputePlan& plan)
{
    const Model planned = withPlan(model, plan);
    const ProfileOptions options = plainOptions(LoweringKind::Cpu);
    Result<Trace> trace = traceModel(planned, traceOptions(options));
    if (!trace.has_value())
        qFatal("%s", trace.error().message.c_str());
    Result<Profile> profile = profileTrace(planned, *trace, options);
    if (!profile.has_value())
        qFatal("%s", profile.error().message.c_str());
    return {std::move(*trace), std::move(*profile)};
}

} // namespace stagecraft::test
