#include "core/schedule/schedule_transfers.h"

#include "core/schedule/schedule_check.h"

#include <algorithm>
#include <iterator>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace stagecraft {

namespace {

// The stages whose parameters torch keeps gathered at once: one forward, one backward, one ahead.
constexpr std::size_t mostGathered = 3;

struct Cell
{
    std::string text;
    std::span<const Action> actions; // none: gathering or giving up parameters, summing gradients
};

using CellRow = std::vector<Cell>;

std::string stageText(std::size_t stage, const char* word)
{
    return std::to_string(stage) + word;
}

CellRow cellsOf(const std::vector<Action>& row)
{
    CellRow cells;
    for (std::size_t i = 0; i < row.size(); i += cells.back().actions.size()) {
        const std::span<const Action> actions = actionsAsOne(row, i);
        cells.push_back({cellText(actions), actions});
    }
    return cells;
}

// The next stages from `index` on, each once.
std::vector<std::size_t> stagesAhead(const CellRow& row, std::size_t index)
{
    std::vector<std::size_t> stages;
    for (; index < row.size() && stages.size() < mostGathered; ++index) {
        for (const Action& action : row[index].actions) {
            if (std::ranges::find(stages, action.stage) == stages.end())
                stages.push_back(action.stage);
        }
    }
    return stages;
}

// Parameters are gathered ahead of their use, and given up when others are nearer.
CellRow withGathering(const CellRow& row, CsvWaits waits)
{
    CellRow cells;
    std::vector<std::size_t> gathered;
    const auto giveUp = [&](auto&& isDone) {
        std::vector<std::size_t> done;
        std::ranges::copy_if(gathered, std::back_inserter(done), isDone);
        std::erase_if(gathered, isDone);
        if (waits == CsvWaits::Implied)
            std::ranges::sort(done);
        for (const std::size_t stage : done)
            cells.push_back({stageText(stage, "RESHARD"), {}});
    };
    for (std::size_t i = 0; i < row.size(); ++i) {
        const std::vector<std::size_t> ahead = stagesAhead(row, i);
        giveUp([&](std::size_t stage) { return std::ranges::find(ahead, stage) == ahead.end(); });
        for (const std::size_t stage : ahead) {
            if (std::ranges::find(gathered, stage) == gathered.end()) {
                gathered.push_back(stage);
                cells.push_back({stageText(stage, "UNSHARD"), {}});
            }
        }
        cells.push_back(row[i]);
    }
    giveUp([](std::size_t) { return true; });
    return cells;
}

// Gradients are summed over the replicas behind the last backward of each stage.
CellRow withGradientSums(const CellRow& row, const Schedule& schedule, CsvWaits waits)
{
    CellRow cells;
    std::vector<std::size_t> backwards(schedule.stageCount, 0);
    for (const Cell& cell : row) {
        cells.push_back(cell);
        for (const Action& action : cell.actions) {
            if (!makesWeightGradients(action.kind))
                continue;
            if (++backwards[action.stage] < schedule.microbatches)
                continue;
            cells.push_back({stageText(action.stage, "REDUCE_GRAD"), {}});
            if (waits == CsvWaits::Written)
                cells.push_back({stageText(action.stage, "WAIT_REDUCE_GRAD"), {}});
        }
    }
    return cells;
}

// Runs the devices in turn, a cell each; where one has made what another device needs, the send goes into its
// row and the receive into the other's. A device has waited for an activation it sent once the gradients have
// come back, and for all else in the end.
class Sender
{
public:
    Sender(const Schedule& schedule, CsvWaits waits, std::vector<CellRow> rows)
        : m_schedule(schedule),
          m_waits(waits),
          m_rows(std::move(rows)),
          m_next(m_rows.size(), 0),
          m_sent(m_rows.size()),
          m_awaited(m_rows.size()),
          m_forwardReady(schedule.stageCount * schedule.microbatches, 0),
          m_backwardReady(m_forwardReady)
    {
    }

    std::vector<std::vector<std::string>> run()
    {
        for (bool moved = true; moved;) {
            moved = false;
            for (std::size_t device = 0; device < m_rows.size(); ++device)
                moved = step(device) || moved;
        }
        for (std::size_t device = 0; device < m_rows.size(); ++device)
            std::ranges::copy(m_awaited[device], std::back_inserter(m_sent[device]));
        return std::move(m_sent);
    }

private:
    bool step(std::size_t device)
    {
        if (m_next[device] == m_rows[device].size())
            return false;
        const Cell& cell = m_rows[device][m_next[device]];
        if (!std::ranges::all_of(cell.actions, [&](const Action& action) { return isReady(action); }))
            return false;
        ++m_next[device];
        m_sent[device].push_back(cell.text);
        for (const Action& action : cell.actions) {
            if (makesInputGradients(action.kind))
                awaitSend(device, stageText(action.stage, "WAIT_SEND_F") + std::to_string(action.microbatch));
        }
        for (const Action& action : cell.actions)
            pass(action, device);
        return true;
    }

    // Now, if anything was sent.
    void awaitSend(std::size_t device, const std::string& wait)
    {
        const auto found = std::ranges::find(m_awaited[device], wait);
        if (found == m_awaited[device].end())
            return;
        m_sent[device].push_back(wait);
        m_awaited[device].erase(found);
    }

    char& flag(std::vector<char>& flags, std::size_t stage, std::size_t microbatch) const
    {
        return flags[stage * m_schedule.microbatches + microbatch];
    }

    bool isReady(const Action& action)
    {
        if (action.kind == ActionKind::BackwardWeight)
            return true;
        if (action.kind == ActionKind::Forward)
            return action.stage == 0 || flag(m_forwardReady, action.stage, action.microbatch);
        return action.stage + 1 == m_schedule.stageCount ||
               flag(m_backwardReady, action.stage, action.microbatch);
    }

    void pass(const Action& action, std::size_t device)
    {
        const bool forward = action.kind == ActionKind::Forward;
        if (action.kind == ActionKind::BackwardWeight ||
            action.stage == (forward ? m_schedule.stageCount - 1 : 0))
            return;
        const std::size_t to = forward ? action.stage + 1 : action.stage - 1;
        flag(forward ? m_forwardReady : m_backwardReady, to, action.microbatch) = 1;
        const std::size_t receiver = m_schedule.deviceOfStage[to];
        if (receiver == device)
            return;
        const std::string microbatch = std::to_string(action.microbatch);
        m_sent[device].push_back(stageText(action.stage, forward ? "SEND_F" : "SEND_B") + microbatch);
        m_sent[receiver].push_back(stageText(to, forward ? "RECV_F" : "RECV_B") + microbatch);
        if (m_waits == CsvWaits::Written)
            m_awaited[device].push_back(stageText(action.stage, forward ? "WAIT_SEND_F" : "WAIT_SEND_B") +
                                        microbatch);
    }

    const Schedule& m_schedule;
    CsvWaits m_waits;
    std::vector<CellRow> m_rows;
    std::vector<std::size_t> m_next;
    std::vector<std::vector<std::string>> m_sent;
    std::vector<std::vector<std::string>> m_awaited; // waits for what was sent, by device
    std::vector<char> m_forwardReady;                // by stage and microbatch
    std::vector<char> m_backwardReady;
};

} // namespace

std::vector<std::vector<std::string>> cellsWithTransfers(const Schedule& schedule, CsvWaits waits)
{
    std::vector<CellRow> rows;
    for (const auto& row : schedule.devices)
        rows.push_back(withGradientSums(withGathering(cellsOf(row), waits), schedule, waits));
    return Sender(schedule, waits, std::move(rows)).run();
}

} // namespace stagecraft
