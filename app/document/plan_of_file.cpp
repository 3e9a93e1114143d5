#include "app/document/plan_of_file.h"

#include "app/document/recomputed_plans.h"
#include "core/graph/given_sizes.h"
#include "core/load/loss_output.h"
#include "core/plan/device_kinds.h"
#include "core/plan/sources/changed_regions.h"
#include "core/plan/split_spec.h"

#include <limits>
#include <tuple>

namespace stagecraft {

namespace {

// Can the window's fields give it, and does the file allow it?
bool isGivable(const Model& model, const std::string& symbol, std::int64_t size)
{
    const auto found = model.graph.symbolRanges().find(symbol);
    return found != model.graph.symbolRanges().end() && size >= leastSize(found->second) &&
           size <= std::numeric_limits<int>::max() && checkRanges(model.graph, {{symbol, size}}).has_value();
}

// Which sizes that a plan was made for requestFor() does not take, and what is unusual about the others.
std::vector<std::string> notesOnSizes(const Model& model, const Bindings& sizes)
{
    std::vector<std::string> notes;
    for (const auto& [symbol, size] : sizes) {
        if (!isGivable(model, symbol, size)) {
            notes.push_back("the plan was made for " + symbol + "=" + std::to_string(size) +
                            ", which this model does not have or not allow; it is taken as exported");
            continue;
        }
        const Result<std::vector<std::string>> unusual = checkRanges(model.graph, {{symbol, size}});
        notes.insert(notes.end(), unusual->begin(), unusual->end());
    }
    return notes;
}

// `made` without what it names that is in force in `base`.
MadeFor withFiguresOf(const PlanState& base, MadeFor made, const PlanRequest& request)
{
    if (base.times && base.times->sizes == request.profile.bindings)
        made.times.clear();
    if (base.substitutes)
        made.substitutes.clear();
    return made;
}

} // namespace

PlanRequest requestFor(const Model& model, PlanRequest request)
{
    for (Bindings* sizes : {&request.profile.bindings, &request.profile.bounds})
        std::erase_if(*sizes, [&](const auto& size) { return !isGivable(model, size.first, size.second); });
    std::string& loss = request.profile.lossOutput;
    if (!loss.empty() && !lossOutput(model, loss).has_value())
        loss.clear();
    if (const std::size_t marked = stagesOfSplit(markedSplit(model.graph)); marked > 1)
        request.plan.stageCount = marked;
    return fittedRequest(std::move(request), model.graph.nodeCount());
}

PlanRequest requestForNext(const PlanRequest& asked, const OpenModel& open, const PlanRequest& before,
                           const std::filesystem::path& path)
{
    PlanRequest next = withoutConstraints(asked);
    if (!open.model)
        return next;
    const auto stagesOf = [](const PlanRequest& of) {
        return std::tuple(of.plan.stageCount, of.plan.schedule, of.plan.stagesPerDevice);
    };
    if (stagesOf(next) == stagesOf(requestFor(*open.model, before))) {
        setSchedule(next.plan, before.plan.schedule);
        next.plan.stagesPerDevice = before.plan.stagesPerDevice;
        next.plan.stageCount = before.plan.stageCount;
    }
    if (open.recomputesToFit && asked.plan.recompute.kind == RecomputeKind::Auto)
        next.plan.recompute = before.plan.recompute;
    if (open.modelPath != path)
        next.plan.memoryLimits.clear();
    return next;
}

PlanRequest requestOfFile(const PlanFile& plan, const Model& model, const PlanRequest& base,
                          std::span<const DeviceSpec> known)
{
    PlanRequest asked = plan.madeFor ? requestMadeFor(*plan.madeFor, base, known).request : base;
    asked.stageDevices.clear(); // of stages that are not there yet
    return requestFor(model, std::move(asked));
}

Result<StateOfFile> stateOfFile(const PlanFile& plan, const Model& model, const PlanState& base,
                                std::span<const DeviceSpec> known)
{
    STAGECRAFT_ASSIGN(applied, applyPlan(plan, model.graph));
    if (std::string note = changedRegionsNote(model, applied); !note.empty())
        applied.notes.push_back(std::move(note));
    applied.options.stageCount = applied.partition.stageCount;
    applied.options.timeLimit = base.request.plan.timeLimit;
    StateOfFile state{requestOfFile(plan, model, base.request, known), std::move(applied.partition),
                      std::move(applied.notes)};
    state.request.plan = applied.options;
    state.request = withOptions(std::move(state.request), applied.options);
    if (plan.madeFor) {
        const std::vector<std::string> ofSizes = notesOnSizes(model, plan.madeFor->profile.bindings);
        state.notes.insert(state.notes.end(), ofSizes.begin(), ofSizes.end());
        RequestAgain again =
            requestMadeFor(withFiguresOf(base, *plan.madeFor, state.request), base.request, known);
        state.request.stageDevices = std::move(again.request.stageDevices);
        state.notes.insert(state.notes.end(), again.notes.begin(), again.notes.end());
    }
    return state;
}

std::function<PlanFile()> fileOfState(ModelFile file, std::shared_ptr<const Model> model,
                                      const PlanState& state, Seconds timeLimit,
                                      std::span<const DeviceSpec> known)
{
    MadeFor made = madeFor(state.request, known);
    if (state.times)
        made.times = std::holds_alternative<MeasuredTimes>(state.times->times) ? "measured" : "imported";
    if (state.substitutes)
        made.substitutes = "Stagecraft";
    // Who reads it makes or chooses regions where there are none; those of other boundaries would stay.
    const PlanState& held = isUnsettled(state) ? askedToSettle(state) : state;
    return [file = std::move(file), model = std::move(model), made = std::move(made),
            partition = state.partition, options = partitionOptions(held, timeLimit)] {
        PlanFile plan = makePlanFile(file, model->graph, *partition, options);
        plan.madeFor = made;
        return plan;
    };
}

} // namespace stagecraft
