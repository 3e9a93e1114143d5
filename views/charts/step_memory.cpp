#include "views/charts/step_memory.h"

#include "core/profile/memory/live_memory.h"
#include "views/base/plain_text.h"
#include "views/tables/table_text.h"

#include <QObject>
#include <QStringList>

#include <algorithm>

namespace stagecraft {

namespace {

// What belongs to no node comes in at the first stage, or is made at the end of the last.
bool isOfStage(const PlanView& plan, std::optional<StageId> stage, const LiveInterval& life)
{
    if (!stage || !plan.partition)
        return true;
    if (life.node)
        return plan.partition->stageOf[*life.node] == *stage;
    const bool isInput = life.category == MemoryCategory::Inputs;
    return stage->index() == (isInput ? 0 : plan.partition->stageCount - 1);
}

bool isOfStage(const PlanView& plan, std::optional<StageId> stage, const MemorySample& sample)
{
    return !stage || !plan.partition || !sample.node || plan.partition->stageOf[*sample.node] == *stage;
}

} // namespace

StackedMemory stackedMemory(const PlanView& plan, std::optional<StageId> stage)
{
    if (!plan.graph || !plan.profile)
        return {};
    const MemoryTimeline& timeline = plan.profile->memory;
    const std::vector<MemoryUse> uses =
        memoryOverStep(timeline, [&](const LiveInterval& life) { return isOfStage(plan, stage, life); });
    StackedMemory memory;
    if (stage && plan.cost && plan.cost->stages.contains(*stage)) {
        const StageCost& cost = plan.cost->stages[*stage];
        memory.others = cost.ofOthers(cost.savedBytes) + cost.runtimeBytes;
    }
    for (std::size_t i = 0; i < timeline.samples.size(); ++i) {
        if (!isOfStage(plan, stage, timeline.samples[i]))
            continue;
        memory.samples.push_back(i);
        memory.uses.push_back(uses[i]);
        if (memory.uses.back().total() > memory.uses[memory.peak].total())
            memory.peak = memory.uses.size() - 1;
    }
    return memory;
}

std::vector<MemoryRow> rowsAt(const PlanView& plan, std::optional<StageId> stage, const StackedMemory& memory,
                              std::size_t position, Lists lists)
{
    if (position >= memory.samples.size())
        return {};
    std::vector<LiveInterval> alive = liveAt(plan.profile->memory, memory.samples[position]);
    std::erase_if(alive, [&](const LiveInterval& life) { return !isOfStage(plan, stage, life); });
    std::vector<MemoryRow> rows = rowsOf(*plan.graph, alive, lists);
    if (memory.others > Bytes{})
        rows.push_back({.name = QObject::tr("Other microbatches, run-time buffers"), .bytes = memory.others});
    return rows;
}

QString seriesCsv(const PlanView& plan, const StackedMemory& memory)
{
    const auto titleOf = [](std::string_view name) { return shownText(name) + QStringLiteral(" [bytes]"); };
    QStringList titles{QObject::tr("Position"), QObject::tr("Moment")};
    for (std::size_t i = 0; i < memoryCategoryCount; ++i)
        titles << titleOf(categoryName(static_cast<MemoryCategory>(i)));
    titles << titleOf("others in flight") << titleOf("total");
    for (QString& title : titles)
        title = csvField(title);
    QString csv = csvLine(titles);
    for (std::size_t at = 0; at < memory.samples.size(); ++at) {
        const MemorySample& sample = plan.profile->memory.samples[memory.samples[at]];
        QStringList fields{QString::number(at + 1), csvField(momentText(*plan.graph, sample))};
        for (std::size_t i = 0; i < memoryCategoryCount; ++i)
            fields << QString::number(memory.uses[at][static_cast<MemoryCategory>(i)].count());
        fields << QString::number(memory.others.count()) << QString::number(memory.totalAt(at).count());
        csv += csvLine(fields);
    }
    return csv;
}

std::optional<std::size_t> samePosition(const Profile& profile, const StackedMemory& memory,
                                        std::size_t position, const Profile& otherProfile,
                                        const StackedMemory& other)
{
    const auto sampleAt = [](const Profile& of, const StackedMemory& in, std::size_t at) -> const auto&
    {
        return of.memory.samples[in.samples[at]];
    };
    const MemorySample& wanted = sampleAt(profile, memory, position);
    const auto isIt = [&](const MemorySample& sample) {
        return sample.phase == wanted.phase && sample.isRecomputed == wanted.isRecomputed &&
               sample.node == wanted.node && sample.op == wanted.op;
    };
    std::size_t before = 0; // an operator may run several times for a node
    for (std::size_t at = 0; at < position; ++at)
        before += isIt(sampleAt(profile, memory, at)) ? 1 : 0;
    for (std::size_t at = 0; at < other.samples.size(); ++at)
        if (isIt(sampleAt(otherProfile, other, at)) && before-- == 0)
            return at;
    return std::nullopt;
}

} // namespace stagecraft
