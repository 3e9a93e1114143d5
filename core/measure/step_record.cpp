#include "core/measure/step_record.h"

#include "core/base/json_entry.h"
#include "core/measure/packed_text.h"
#include "core/measure/profiler_events.h"

#include <algorithm>
#include <charconv>
#include <map>

namespace stagecraft {

namespace {

std::optional<ActionKind> actionKindOf(std::string_view letter)
{
    const auto found =
        letter.size() == 1 ? std::ranges::find(actionLetters, letter.front()) : actionLetters.end();
    if (found == actionLetters.end())
        return std::nullopt;
    return static_cast<ActionKind>(found - actionLetters.begin());
}

// What a file has, and from when its times count.
struct FileRecord
{
    StepRecord step;
    std::int64_t base = 0; // nanoseconds
};

// ------------------------------------------------------------------ JSON of the run-time

Result<MeasuredSlot> slotOf(const JsonEntry& entry)
{
    STAGECRAFT_ASSIGN(letter, entry["action"].text());
    const std::optional<ActionKind> kind = actionKindOf(letter);
    if (!kind)
        return entry["action"].wrong("one of F, B, I and W");
    STAGECRAFT_ASSIGN(stage, entry["stage"].count());
    STAGECRAFT_ASSIGN(microbatch, entry["microbatch"].count());
    STAGECRAFT_ASSIGN(start, entry["start_s"].number());
    STAGECRAFT_ASSIGN(end, entry["end_s"].number());
    return MeasuredSlot{.action = {.kind = *kind, .stage = stage, .microbatch = microbatch},
                        .start = Seconds(start),
                        .end = Seconds(end)};
}

Result<RankRecord> rankOf(const JsonEntry& entry, const std::string& name)
{
    STAGECRAFT_ASSIGN(rank, entry["rank"].count());
    STAGECRAFT_ASSIGN(slots, entry["slots"].elements());
    RankRecord record{.source = name + ": rank " + std::to_string(rank), .rank = rank};
    for (const JsonEntry& slot : slots) {
        STAGECRAFT_ASSIGN(read, slotOf(slot));
        record.actions.push_back(read);
    }
    return record;
}

// What goes back was not timed: it takes as much longer or shorter as it has more or fewer bytes.
Result<MeasuredSend> sendOf(const JsonEntry& entry)
{
    STAGECRAFT_ASSIGN(from, entry["from"].count());
    STAGECRAFT_ASSIGN(to, entry["to"].count());
    STAGECRAFT_ASSIGN(forwardBytes, entry["forward_bytes"].count());
    STAGECRAFT_ASSIGN(backwardBytes, entry["backward_bytes"].count());
    STAGECRAFT_ASSIGN(seconds, entry["forward_s"].number());
    const double share =
        forwardBytes > 0 ? static_cast<double>(backwardBytes) / static_cast<double>(forwardBytes) : 0;
    return MeasuredSend{
        .from = from, .to = to, .forward = Seconds(seconds), .backward = Seconds(seconds * share)};
}

Result<void> checkNodes(const JsonEntry& nodes, const std::string& name, const PlannedRun& planned)
{
    if (nodes.isNull())
        return {};
    STAGECRAFT_ASSIGN(members, nodes.members());
    for (const auto& [node, entry] : members) {
        const auto found = planned.stageOfNode.find(node);
        if (found == planned.stageOfNode.end())
            return Error{ErrorCode::BadFormat,
                         name + ": has node '" + node +
                             "', which the model does not have: it is of another model"};
        if (entry["stage"].isNull())
            continue;
        STAGECRAFT_ASSIGN(stage, entry["stage"].count());
        if (stage != found->second)
            return Error{ErrorCode::BadFormat, name + ": ran node '" + node + "' in stage " +
                                                   std::to_string(stage) + ", but the plan has it in stage " +
                                                   std::to_string(found->second) + ": it is of another plan"};
    }
    return {};
}

Result<void> checkRun(const JsonEntry& file, const std::string& name, const PlannedRun& planned)
{
    STAGECRAFT_ASSIGN(format, file["format"].count());
    if (format != 1)
        return file["format"].wrong("1, the form that this version reads");
    STAGECRAFT_ASSIGN(microbatches, file["microbatches"].count());
    if (microbatches != planned.microbatches)
        return Error{ErrorCode::BadFormat, name + ": is of " + std::to_string(microbatches) +
                                               " microbatches, but the plan has " +
                                               std::to_string(planned.microbatches)};
    STAGECRAFT_ASSIGN(schedule, file["schedule"].text());
    if (!planned.schedule.empty() && schedule != planned.schedule)
        return Error{ErrorCode::BadFormat,
                     name + ": ran schedule " + schedule + ", but the plan has " + planned.schedule};
    return checkNodes(file["nodes"], name, planned);
}

Result<FileRecord> recordOfJson(std::string_view text, const std::string& name, const PlannedRun& planned)
{
    constexpr std::size_t most = std::size_t{64} << 20;
    if (text.size() > most)
        return Error{ErrorCode::Unsupported, name + ": measured slots take no more than 64 MiB"};
    STAGECRAFT_ASSIGN(document, parseJson<nlohmann::json>(text, name));
    const JsonEntry file(document, name);
    if (file["ranks"].isNull())
        return Error{
            ErrorCode::BadFormat,
            name + ": has neither \"ranks\", as pipeline.py --profile writes them, nor \"traceEvents\""};
    STAGECRAFT_TRY(checkRun(file, name, planned));
    FileRecord record;
    STAGECRAFT_ASSIGN(ranks, file["ranks"].elements());
    for (const JsonEntry& rank : ranks) {
        STAGECRAFT_ASSIGN(read, rankOf(rank, name));
        record.step.ranks.push_back(std::move(read));
    }
    if (!file["sends"].isNull()) {
        STAGECRAFT_ASSIGN(sends, file["sends"].elements());
        record.step.sends.emplace();
        for (const JsonEntry& send : sends) {
            STAGECRAFT_ASSIGN(read, sendOf(send));
            record.step.sends->push_back(read);
        }
    }
    if (!file["step_s"].isNull()) {
        STAGECRAFT_ASSIGN(step, file["step_s"].number());
        record.step.whole = Seconds(step);
    }
    return record;
}

// ------------------------------------------------------------------ traces of torch.profiler

// "F:0:3"
std::optional<Action> actionOfMark(std::string_view mark)
{
    const std::size_t first = mark.find(':');
    const std::size_t second = first == std::string_view::npos ? first : mark.find(':', first + 1);
    if (second == std::string_view::npos)
        return std::nullopt;
    const std::optional<ActionKind> kind = actionKindOf(mark.substr(0, first));
    const auto numberIn = [](std::string_view digits) -> std::optional<std::size_t> {
        std::size_t number = 0;
        const char* const last = digits.data() + digits.size();
        const auto [end, status] = std::from_chars(digits.data(), last, number);
        return status == std::errc() && end == last ? std::optional(number) : std::nullopt;
    };
    const std::optional<std::size_t> stage = numberIn(mark.substr(first + 1, second - first - 1));
    const std::optional<std::size_t> microbatch = numberIn(mark.substr(second + 1));
    if (!kind || !stage || !microbatch)
        return std::nullopt;
    return Action{.kind = *kind, .stage = *stage, .microbatch = *microbatch};
}

struct Mark
{
    Action action;
    double start = 0; // microseconds
    double end = 0;
};

// Kernels run later than they are launched: a mark becomes the time of its own.
void moveToKernels(const ProfilerEvents& events, std::vector<Mark>& marks)
{
    std::unordered_map<std::int64_t, double> launched;
    for (const TraceEvent& launch : events.launches)
        launched.emplace(launch.correlation, launch.start);
    std::vector<std::optional<Mark>> run(marks.size());
    for (const TraceEvent& kernel : events.kernels) {
        const auto launch = launched.find(kernel.correlation);
        if (kernel.correlation < 0 || launch == launched.end())
            continue;
        const auto after = std::ranges::upper_bound(marks, launch->second, {}, &Mark::start);
        if (after == marks.begin() || launch->second > std::prev(after)->end)
            continue;
        std::optional<Mark>& slot = run[static_cast<std::size_t>(std::prev(after) - marks.begin())];
        if (!slot)
            slot = Mark{{}, kernel.start, kernel.end};
        slot->start = std::min(slot->start, kernel.start);
        slot->end = std::max(slot->end, kernel.end);
    }
    double last = marks.front().start;
    for (std::size_t i = 0; i < marks.size(); ++i) {
        marks[i].start = run[i] ? run[i]->start : std::max(last, marks[i].start); // nothing ran there
        marks[i].end = run[i] ? run[i]->end : marks[i].start;
        last = std::max(last, marks[i].end);
    }
}

Result<FileRecord> recordOfTrace(TimesDocument document, const std::string& name)
{
    keepLastStep(document.events);
    std::vector<Mark> marks;
    for (const TraceEvent& annotation : document.events.annotations) {
        if (!annotation.name.starts_with(slotMark))
            continue;
        const std::optional<Action> action =
            actionOfMark(std::string_view(annotation.name).substr(slotMark.size()));
        if (!action)
            return Error{ErrorCode::BadFormat,
                         name + ": '" + annotation.name + "' marks no slot; that would be stagecraft:F:0:3"};
        marks.push_back({*action, annotation.start, annotation.end});
    }
    if (marks.empty())
        return Error{ErrorCode::BadFormat,
                     name + ": has no slots: no record_function() of a name like " +
                         "stagecraft:F:0:3, which stages exported by this version have"};
    std::ranges::stable_sort(marks, {}, &Mark::start);
    if (!document.events.kernels.empty())
        moveToKernels(document.events, marks);
    const std::size_t rank = document.rank.value_or(marks.front().action.stage);
    RankRecord record{.source = name + (document.rank ? ": rank " + std::to_string(rank) : ""), .rank = rank};
    for (const Mark& mark : marks)
        record.actions.push_back({mark.action, Seconds(mark.start * 1e-6), Seconds(mark.end * 1e-6)});
    return FileRecord{.step = {.ranks = {std::move(record)}}, .base = document.base};
}

// ------------------------------------------------------------------ either

Result<FileRecord> recordOf(std::string_view text, const std::string& name, const PlannedRun& planned,
                            const Progress& progress)
{
    STAGECRAFT_ASSIGN(document, readTimesDocument(text, name, progress));
    return document.hasEvents && !document.hasNodes ? recordOfTrace(std::move(document), name)
                                                    : recordOfJson(text, name, planned);
}

// Two files may not be of one rank.
Result<void> addTo(StepRecord& whole, StepRecord part, std::map<std::size_t, std::string>& sources)
{
    for (RankRecord& rank : part.ranks) {
        const auto [known, isNew] = sources.emplace(rank.rank, rank.source);
        if (!isNew)
            return Error{ErrorCode::BadFormat, rank.source + ": is of the same rank as " + known->second +
                                                   "; give one file a rank"};
        whole.ranks.push_back(std::move(rank));
    }
    if (part.sends && !whole.sends)
        whole.sends.emplace();
    if (part.sends)
        whole.sends->insert(whole.sends->end(), part.sends->begin(), part.sends->end());
    if (part.whole)
        whole.whole = std::max(*part.whole, whole.whole.value_or(Seconds{}));
    return {};
}

} // namespace

Result<StepRecord> readStepRecord(std::span<const std::filesystem::path> files, const PlannedRun& planned,
                                  const Progress& progress)
{
    StepRecord record;
    std::map<std::size_t, std::string> sources; // of each rank
    std::optional<std::int64_t> base;
    for (const std::filesystem::path& path : files) {
        STAGECRAFT_ASSIGN(text, readPackedText(path, progress));
        STAGECRAFT_ASSIGN(file, recordOf(text, path.string(), planned, progress));
        const Seconds later(static_cast<double>(file.base - base.value_or(file.base)) * 1e-9);
        base = base.value_or(file.base);
        for (RankRecord& rank : file.step.ranks) {
            for (MeasuredSlot& slot : rank.actions) {
                slot.start += later;
                slot.end += later;
            }
        }
        STAGECRAFT_TRY(addTo(record, std::move(file.step), sources));
    }
    if (record.ranks.empty())
        return Error{ErrorCode::BadUsage, "no file says what a step took"};
    return record;
}

} // namespace stagecraft
