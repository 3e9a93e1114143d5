#include "core/schedule/schedule_csv.h"

#include "core/schedule/schedule_check.h"
#include "core/schedule/schedule_transfers.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <utility>

namespace stagecraft {

namespace {

std::string quoted(std::string_view cell)
{
    constexpr std::size_t most = 40;
    return '\'' + std::string(cell.substr(0, most)) + (cell.size() > most ? "...'" : "'");
}

Error badCell(std::string_view cell, std::string_view why)
{
    return Error{ErrorCode::BadFormat, quoted(cell) + ' ' + std::string(why)};
}

// Cells of a table with communication: what follows from the order of the actions, or happens beside them.
bool isBesideTheOrder(std::string_view cell)
{
    constexpr std::array<std::string_view, 10> words{
        "SEND_F",  "RECV_F",  "SEND_B",      "RECV_B",      "WAIT_SEND_F",
        "UNSHARD", "RESHARD", "REDUCE_GRAD", "WAIT_SEND_B", "WAIT_REDUCE_GRAD"};
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

// "(0F1;7B0)OVERLAP_F_B".
Result<void> parseOverlap(std::string_view cell, std::vector<Action>& row)
{
    const std::size_t close = cell.find(')');
    if (close == std::string_view::npos || cell.substr(close + 1) != "OVERLAP_F_B")
        return badCell(cell, "does not end in )OVERLAP_F_B");
    const std::vector<std::string_view> parts = splitLine(cell.substr(1, close - 1), ';');
    if (parts.size() != 2)
        return badCell(cell, "is not of two actions");
    for (const std::string_view part : parts) {
        STAGECRAFT_ASSIGN(action, parseAction(part));
        row.push_back(action);
    }
    row[row.size() - 2].overlaps = true;
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

struct Place
{
    std::size_t row = 0; // from 0
    std::size_t column = 0;

    Error error(const std::string& what) const
    {
        return Error{ErrorCode::BadFormat, "row " + std::to_string(row + 1) + ", column " +
                                               std::to_string(column + 1) + ": " + what};
    }
};

// Reads the cells, then finds out what they are a schedule of.
class Reader
{
public:
    Result<Schedule> read(std::string_view text)
    {
        const std::vector<std::string_view> lines = splitLine(text, '\n');
        for (std::size_t row = 0; row < lines.size(); ++row) {
            if (!lines[row].empty())
                STAGECRAFT_TRY(readLine(lines[row], row));
        }
        STAGECRAFT_TRY(measure());
        if (const auto fault = findFault(m_schedule)) {
            if (!fault->index)
                return missing(*fault);
            return m_places[fault->device][*fault->index].error(fault->what);
        }
        return std::move(m_schedule);
    }

private:
    Error missing(const ScheduleFault& fault) const
    {
        const bool hasRow = fault.device < m_places.size();
        return Error{ErrorCode::BadFormat,
                     (hasRow ? "row " + std::to_string(m_places[fault.device].front().row + 1) + ": " : "") +
                         fault.what};
    }

    Result<void> readLine(std::string_view line, std::size_t row)
    {
        auto& actions = m_schedule.devices.emplace_back();
        auto& places = m_places.emplace_back();
        const std::vector<std::string_view> cells = splitLine(line, ',');
        for (std::size_t column = 0; column < cells.size(); ++column) {
            const Place place{row, column};
            const Result<void> parsed = parseCell(cells[column], actions);
            if (!parsed.has_value())
                return place.error(parsed.error().message);
            places.resize(actions.size(), place);
        }
        return {};
    }

    // How many stages and microbatches there are, and where each stage is. A number that few actions come up
    // to is a slip, and no table of that size is made for it.
    Result<void> measure()
    {
        m_schedule.stageCount = m_schedule.microbatches = 0;
        std::size_t count = 0;
        Place lastStage;
        Place lastMicrobatch;
        for (std::size_t device = 0; device < m_schedule.deviceCount(); ++device) {
            for (std::size_t i = 0; i < m_schedule.devices[device].size(); ++i, ++count) {
                const Action& action = m_schedule.devices[device][i];
                if (action.stage >= m_schedule.stageCount)
                    lastStage = m_places[device][i];
                if (action.microbatch >= m_schedule.microbatches)
                    lastMicrobatch = m_places[device][i];
                m_schedule.stageCount = std::max(m_schedule.stageCount, action.stage + 1);
                m_schedule.microbatches = std::max(m_schedule.microbatches, action.microbatch + 1);
            }
        }
        if (count == 0)
            return Error{ErrorCode::BadFormat, "the schedule has no actions"};
        if (count < 2 * m_schedule.stageCount * m_schedule.microbatches) {
            const Place& place = m_schedule.stageCount > m_schedule.microbatches ? lastStage : lastMicrobatch;
            return place.error("up to here there are " + std::to_string(m_schedule.stageCount) +
                               " stages and " + std::to_string(m_schedule.microbatches) +
                               " microbatches, which need at least two actions each; the file has " +
                               std::to_string(count));
        }
        m_schedule.deviceOfStage.assign(m_schedule.stageCount, m_schedule.deviceCount());
        for (std::size_t device = m_schedule.deviceCount(); device-- > 0;) {
            for (const Action& action : m_schedule.devices[device])
                m_schedule.deviceOfStage[action.stage] = device;
        }
        return {};
    }

    Schedule m_schedule;
    std::vector<std::vector<Place>> m_places; // of each action
};

} // namespace

std::string_view csvFormName(CsvForm form)
{
    return form == CsvForm::ComputeOnly ? "compute_only" : "compute_comms";
}

Result<CsvForm> parseCsvForm(std::string_view name)
{
    for (const CsvForm form : {CsvForm::ComputeOnly, CsvForm::ComputeComms}) {
        if (name == csvFormName(form))
            return form;
    }
    return Error{ErrorCode::BadUsage,
                 "a table of a schedule is compute_only or compute_comms, not '" + std::string(name) + "'"};
}

Result<CsvWaits> csvWaitsOf(std::string_view torchVersion)
{
    constexpr std::pair<int, int> firstWritten{2, 15};
    std::pair<int, int> version;
    const char* const end = torchVersion.data() + torchVersion.size();
    const auto major = std::from_chars(torchVersion.data(), end, version.first);
    const bool hasMinor = major.ec == std::errc{} && major.ptr != end && *major.ptr == '.';
    const auto minor = hasMinor ? std::from_chars(major.ptr + 1, end, version.second) : major;
    if (!hasMinor || minor.ec != std::errc{} || (minor.ptr != end && *minor.ptr != '.' && *minor.ptr != '+'))
        return Error{ErrorCode::BadUsage,
                     quoted(torchVersion) + " is no version of PyTorch, such as 2.13 or 2.15.1"};
    return version < firstWritten ? CsvWaits::Implied : CsvWaits::Written;
}

std::string printScheduleCsv(const Schedule& schedule, CsvForm form, CsvWaits waits)
{
    std::vector<std::vector<std::string>> cells;
    if (form == CsvForm::ComputeComms)
        cells = cellsWithTransfers(schedule, waits);
    else
        for (const auto& row : schedule.devices) {
            auto& texts = cells.emplace_back();
            for (std::size_t i = 0; i < row.size(); i += actionsAsOne(row, i).size())
                texts.push_back(cellText(actionsAsOne(row, i)));
        }
    std::string text;
    for (const auto& row : cells) {
        for (std::size_t i = 0; i < row.size(); ++i)
            text += (i == 0 ? "" : ",") + row[i];
        text += "\r\n";
    }
    return text;
}

Result<Schedule> parseScheduleCsv(std::string_view text)
{
    return Reader().read(text);
}

} // namespace stagecraft
