#include "app/document/recompute_trade.h"

#include "app/document/document.h"
#include "app/document/recompute_edits.h"
#include "core/plan/evaluate.h"
#include "core/recompute_search.h"
#include "views/base/format.h"

#include <algorithm>

namespace stagecraft {

namespace {

constexpr int stepsOfSearch = 12; // for the least memory that stages can do with
constexpr int pointsTried = 40;

using Choice = RecomputeChooser::Choice;

std::optional<Choice> choiceWithin(const RecomputeChooser& chooser, const Partition& partition, Bytes room)
{
    return chooser.choose(partition, std::vector<Bytes>(partition.stageCount, room));
}

Bytes mostOf(const PlanCost& cost)
{
    Bytes most;
    for (const StageCost& stage : cost.stages)
        most = std::max(most, stage.peakMemory);
    return most;
}

Seconds slowestOf(const PlanCost& cost)
{
    Seconds slowest;
    for (const StageCost& stage : cost.stages)
        slowest = std::max(slowest, stage.load);
    return slowest;
}

// That all stages can do with, and nothing runs again; none: estimates are far from what stages hold.
std::optional<Bytes> mostRoom(const RecomputeChooser& chooser, const Partition& partition,
                              const PlanCost& cost)
{
    Bytes most = std::max(Bytes(1), mostOf(cost));
    for (int i = 0; i < 4; ++i, most = most * 2)
        if (choiceWithin(chooser, partition, most))
            return most;
    return std::nullopt;
}

// The least, about, that all stages can do with; `most` will do.
Bytes leastRoom(const RecomputeChooser& chooser, const Partition& partition, Bytes most)
{
    Bytes impossible;
    for (int i = 0; i < stepsOfSearch; ++i) {
        const Bytes middle((impossible.count() + most.count()) / 2);
        (choiceWithin(chooser, partition, middle) ? most : impossible) = middle;
    }
    return most;
}

TradePoint pointOf(const PartitionProblem& none, const PlanCost& cost, const Choice& choice)
{
    TradePoint point;
    Seconds compute;
    Seconds again;
    for (const StageId stage : cost.stages.ids()) {
        const Seconds added = choice.added[stage.index()] / none.options.speeds[stage.index()];
        point.memory = std::max(point.memory, choice.memory[stage.index()]);
        point.slowest = std::max(point.slowest, cost.stages[stage].load + added);
        compute += cost.stages[stage].compute();
        again += added;
    }
    point.again = again > Seconds{} ? again / (compute + again) : 0;
    return point;
}

} // namespace

Result<TradeOfMemory> tradeOfMemory(std::shared_ptr<const RecomputeChooser> chooser,
                                    const Partition& partition, const Progress& progress)
{
    const PartitionProblem& none = chooser->ground().none;
    const PlanCost cost = evaluate(none, partition);
    const std::optional<Bytes> known = mostRoom(*chooser, partition, cost);
    if (!known)
        return Error{ErrorCode::Unsupported,
                     "memory cannot be weighed against time here: what the stages hold is not known well "
                     "enough"};
    const Bytes most = *known;
    const Bytes least = leastRoom(*chooser, partition, most);
    TradeOfMemory trade{chooser, {}, {}};
    for (int i = 0; i <= pointsTried; ++i) {
        if (progress.stopRequested())
            return cancelled();
        const Bytes room = least + Bytes((most - least).count() / pointsTried * i);
        std::optional<Choice> choice = choiceWithin(*chooser, partition, i == pointsTried ? most : room);
        if (!choice || (!trade.plans.empty() && trade.plans.back() == choice->plan))
            continue;
        const TradePoint point = pointOf(none, cost, *choice);
        if (!trade.points.empty() && point.again > trade.points.back().again)
            continue; // more memory for more time: nobody's choice
        trade.points.push_back(point);
        trade.plans.push_back(std::move(choice->plan));
    }
    // Something that takes no time may run again for any memory.
    if (!trade.plans.back().regions.empty()) {
        trade.plans.emplace_back();
        trade.points.push_back(
            {.memory = std::max(mostOf(cost), trade.points.back().memory), .slowest = slowestOf(cost)});
    }
    return trade;
}

bool RecomputeTrade::Subject::hasSameChooser(const Subject& other) const
{
    return model == other.model && request == other.request && times == other.times &&
           substitutes == other.substitutes;
}

RecomputeTrade::RecomputeTrade(Document& document)
    : m_document(document),
      m_answer(
          document.heavyQueue(), [this] { emit changed(); },
          [this](const Error& error) { m_document.report(error); })
{
    connect(&document, &Document::planChanged, this, &RecomputeTrade::follow);
    connect(&document, &Document::modelGone, this, [this] {
        m_answer.drop();
        emit changed();
    });
}

std::optional<RecomputeTrade::Subject> RecomputeTrade::subject() const
{
    const PlanState& state = m_document.state();
    if (!state.problem || state.request.profile.mode != TrainingMode::Train)
        return std::nullopt;
    // The model without what is recomputed now; what constrains the cuts does not matter either.
    Subject asked{m_document.openedModel(), state.request, state.times, state.substitutes, *state.partition};
    asked.request.plan.recompute = {};
    asked.request.plan.memoryLimits.clear();
    return asked;
}

std::shared_ptr<const TradeOfMemory> RecomputeTrade::found() const
{
    const std::optional<Subject> asked = subject();
    return asked ? m_answer.about(*asked) : nullptr;
}

void RecomputeTrade::seek()
{
    if (const std::optional<Subject> asked = subject()) {
        start(*asked);
        emit changed();
    }
}

void RecomputeTrade::start(const Subject& asked)
{
    const Result<DeviceSpec> device = findDevice(m_document.devices(), m_document.request().device);
    if (!device.has_value())
        return m_document.report(device.error());
    const bool isSame = m_answer.found() && m_answer.sought() && m_answer.sought()->hasSameChooser(asked);
    const std::shared_ptr<const RecomputeChooser> known = isSame ? m_answer.found()->chooser : nullptr;
    const PlanQuestion question{
        asked.model, ProfileOptions{asked.request.profile, *device, asked.substitutes},
        partitionOptions(m_document.state(), m_document.timeLimit()), asked.times, nullptr};
    m_answer.seek(
        tr("Weighing memory against time"), asked,
        [question, known, partition = asked.partition](const Progress& progress) -> Result<TradeOfMemory> {
            if (known)
                return tradeOfMemory(known, partition, progress);
            STAGECRAFT_ASSIGN(chooser, recomputeChooser(question.model, question.plan,
                                                        profilerOf(question, progress), progress));
            return tradeOfMemory(std::make_shared<const RecomputeChooser>(std::move(chooser)), partition,
                                 progress);
        });
}

// Other stages of the same question: what is known of the model makes it a matter of milliseconds.
void RecomputeTrade::follow()
{
    const std::optional<Subject> asked = subject();
    if (asked && !m_document.isDragging() && m_answer.found() && m_answer.sought() != asked &&
        m_answer.sought()->hasSameChooser(*asked))
        return start(*asked); // what is shown stays until then
    emit changed();
}

void RecomputeTrade::adopt(std::size_t point)
{
    const auto trade = found();
    if (trade && point < trade->plans.size())
        m_document.setRequest(withRecomputed(m_document.asked(), trade->plans[point]),
                              tr("Recompute for %1 a stage").arg(toText(trade->points[point].memory)));
}

} // namespace stagecraft
