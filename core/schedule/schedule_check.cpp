#include "core/schedule/schedule.h"

#include <algorithm>
#include <charconv>

namespace stagecraft {

namespace {

std::string printAction(const Action& action)
{
    return std::to_string(action.stage) + actionLetters[static_cast<std::size_t>(action.kind)] +
           std::to_string(action.microbatch);
}

Error badCell(std::string_view cell, std::string_view why)
{
    return Error{ErrorCode::BadFormat, "schedule cell '" + std::string(cell) + "' " + std::string(why)};
}

// Cells of a table with communication: what follows from the order of the actions, or happens beside them.
bool isBesideTheOrder(std::string_view cell)
{
    constexpr std::array<std::string_view, 7> words{"SEND_F",  "RECV_F",  "SEND_B",     "RECV_B",
                                                    "UNSHARD", "RESHARD", "REDUCE_GRAD"};
    const std::size_t letters = cell.find_first_not_of("0123456789");
    if (letters == 0 || letters == std::string_view::npos)
        return false;
    cell.remove_prefix(letters);
    return std::ranges::any_of(words, [&](std::string_view word) {
        return cell.starts_with(word) &&
               cell.find_first_not_of("0123456789", word.size()) == std::string_view::npos;
    });
}

Result<Action> parseAction(std::string_view cell)
{
    Action action;
    const char* const end = cell.data() + cell.size();
    const auto stage = std::from_chars(cell.data(), end, action.stage);
    if (stage.ec != std::errc{} || stage.ptr == end)
        return badCell(cell, "is not a stage, a letter and a microbatch, such as 0F3");
    const auto letter = std::ranges::find(actionLetters, *stage.ptr);
    if (letter == actionLetters.end())
        return badCell(cell, "has an action that is none of F, B, I, W");
    action.kind = static_cast<ActionKind>(letter - actionLetters.begin());
    const auto microbatch = std::from_chars(stage.ptr + 1, end, action.microbatch);
    if (microbatch.ec != std::errc{} || microbatch.ptr != end)
        return badCell(cell, "has no number of a microbatch at its end");
    constexpr std::size_t most = 1u << 20;
    if (action.stage >= most || action.microbatch >= most)
        return badCell(cell, "counts beyond a million");
    return action;
}

// Every action of the model is there once.
class Coverage
{
public:
    explicit Coverage(const Schedule& schedule)
        : m_schedule(schedule), m_seen(schedule.stageCount * schedule.microbatches * actionLetters.size(), 0)
    {
    }

    Result<void> add(const Action& action, std::size_t device)
    {
        if (action.stage >= m_schedule.stageCount || action.microbatch >= m_schedule.microbatches)
            return badCell(printAction(action), "is outside of the schedule");
        if (m_schedule.deviceOfStage[action.stage] != device)
            return badCell(printAction(action),
                           "stands on device " + std::to_string(device) + ", but its stage is on another");
        if (seen(action)++ > 0)
            return badCell(printAction(action), "is there twice");
        return {};
    }

    Result<void> complete()
    {
        for (std::size_t stage = 0; stage < m_schedule.stageCount; ++stage) {
            for (std::size_t m = 0; m < m_schedule.microbatches; ++m) {
                const auto count = [&](ActionKind kind) { return seen({kind, stage, m}); };
                if (count(ActionKind::Forward) != 1)
                    return badCell(printAction({ActionKind::Forward, stage, m}), "is missing");
                const int whole = count(ActionKind::Backward);
                const int input = count(ActionKind::BackwardInput);
                const int weight = count(ActionKind::BackwardWeight);
                if (whole + input != 1 || input != weight)
                    return badCell(printAction({ActionKind::Backward, stage, m}),
                                   "must be there once, whole or as I and W");
            }
        }
        return {};
    }

private:
    int& seen(const Action& action)
    {
        const std::size_t cell = action.stage * m_schedule.microbatches + action.microbatch;
        return m_seen[cell * actionLetters.size() + static_cast<std::size_t>(action.kind)];
    }

    const Schedule& m_schedule;
    std::vector<int> m_seen;
};

// Runs the rows with a pipeline in which every stage needs the one before it; names who gets stuck.
Result<void> checkRuns(const Schedule& schedule)
{
    const std::size_t cells = schedule.stageCount * schedule.microbatches;
    std::vector<char> forward(cells, 0);
    std::vector<char> backward(cells, 0);
    const auto cell = [&](std::size_t stage, std::size_t m) { return stage * schedule.microbatches + m; };
    const auto tryRun = [&](const Action& action) {
        const std::size_t here = cell(action.stage, action.microbatch);
        if (action.kind == ActionKind::BackwardWeight)
            return backward[here] != 0;
        if (action.kind == ActionKind::Forward) {
            const bool ready = action.stage == 0 || forward[cell(action.stage - 1, action.microbatch)];
            forward[here] = ready;
            return ready;
        }
        const bool last = action.stage + 1 == schedule.stageCount;
        const bool ready = forward[here] && (last || backward[cell(action.stage + 1, action.microbatch)]);
        backward[here] = ready;
        return ready;
    };
    std::vector<std::size_t> next(schedule.deviceCount(), 0);
    for (bool moved = true; moved;) {
        moved = false;
        for (std::size_t device = 0; device < schedule.deviceCount(); ++device) {
            const auto& row = schedule.devices[device];
            for (; next[device] < row.size() && tryRun(row[next[device]]); ++next[device])
                moved = true;
        }
    }
    for (std::size_t device = 0; device < schedule.deviceCount(); ++device) {
        if (next[device] < schedule.devices[device].size())
            return Error{ErrorCode::BadFormat, "schedule: device " + std::to_string(device) +
                                                   " waits for ever before " +
                                                   printAction(schedule.devices[device][next[device]])};
    }
    return {};
}

std::vector<std::string_view> splitLine(std::string_view line, char separator)
{
    std::vector<std::string_view> cells;
    for (std::size_t begin = 0; begin <= line.size();) {
        const std::size_t end = std::min(line.find(separator, begin), line.size());
        std::string_view cell = line.substr(begin, end - begin);
        while (!cell.empty() && (cell.front() == ' ' || cell.front() == '"'))
            cell.remove_prefix(1);
        while (!cell.empty() && (cell.back() == ' ' || cell.back() == '\r' || cell.back() == '"'))
            cell.remove_suffix(1);
        cells.push_back(cell);
        begin = end + 1;
    }
    return cells;
}

Result<void> parseCell(std::string_view cell, std::vector<Action>& row);

// "(0F1;7B0)OVERLAP_F_B": one after the other.
Result<void> parseOverlap(std::string_view cell, std::vector<Action>& row)
{
    const std::size_t close = cell.find(')');
    if (close == std::string_view::npos || cell.substr(close + 1) != "OVERLAP_F_B")
        return badCell(cell, "does not end in )OVERLAP_F_B");
    for (std::string_view part : splitLine(cell.substr(1, close - 1), ';')) {
        if (part.starts_with('('))
            return badCell(cell, "has a part in parentheses");
        STAGECRAFT_TRY(parseCell(part, row));
    }
    return {};
}

Result<void> parseCell(std::string_view cell, std::vector<Action>& row)
{
    if (cell.starts_with('('))
        return parseOverlap(cell, row);
    if (cell.empty() || isBesideTheOrder(cell))
        return {};
    STAGECRAFT_ASSIGN(action, parseAction(cell));
    row.push_back(action);
    return {};
}

} // namespace

Result<void> checkSchedule(const Schedule& schedule)
{
    Coverage coverage(schedule);
    for (std::size_t device = 0; device < schedule.deviceCount(); ++device) {
        for (const Action& action : schedule.devices[device])
            STAGECRAFT_TRY(coverage.add(action, device));
    }
    STAGECRAFT_TRY(coverage.complete());
    return checkRuns(schedule);
}

std::string printScheduleCsv(const Schedule& schedule)
{
    std::string text;
    for (const auto& row : schedule.devices) {
        for (std::size_t i = 0; i < row.size(); ++i)
            text += (i == 0 ? "" : ",") + printAction(row[i]);
        text += '\n';
    }
    return text;
}

Result<Schedule> parseScheduleCsv(std::string_view text)
{
    Schedule schedule{.stageCount = 0, .microbatches = 0};
    for (std::string_view line : splitLine(text, '\n')) {
        if (line.empty())
            continue;
        auto& row = schedule.devices.emplace_back();
        for (std::string_view cell : splitLine(line, ',')) {
            STAGECRAFT_TRY(parseCell(cell, row));
        }
        for (const Action& action : row) {
            schedule.stageCount = std::max(schedule.stageCount, action.stage + 1);
            schedule.microbatches = std::max(schedule.microbatches, action.microbatch + 1);
        }
    }
    if (schedule.stageCount == 0)
        return Error{ErrorCode::BadFormat, "the schedule has no actions"};
    std::size_t actions = 0;
    for (const auto& row : schedule.devices)
        actions += row.size();
    if (actions < 2 * schedule.stageCount * schedule.microbatches)
        return Error{ErrorCode::BadFormat, "the schedule has " + std::to_string(actions) + " actions; " +
                                               std::to_string(schedule.stageCount) + " stages and " +
                                               std::to_string(schedule.microbatches) +
                                               " microbatches need at least two each"};
    schedule.deviceOfStage.assign(schedule.stageCount, schedule.deviceCount());
    for (std::size_t device = 0; device < schedule.deviceCount(); ++device) {
        for (const Action& action : schedule.devices[device]) {
            if (schedule.deviceOfStage[action.stage] == schedule.deviceCount())
                schedule.deviceOfStage[action.stage] = device;
        }
    }
    STAGECRAFT_TRY(checkSchedule(schedule));
    return schedule;
}

} // namespace stagecraft
