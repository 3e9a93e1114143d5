#include "core/schedule/schedule_transfers.h"

#include "core/schedule/schedule_check.h"

#include <algorithm>
#include <optional>
#include <set>

namespace stagecraft {

namespace {

// The stages whose parameters torch keeps gathered at once: one forward, one backward, one ahead.
constexpr std::size_t mostGathered = 3;

struct Cell
{
    std::string text;
    std::optional<Action> action; // none: gathering or giving up parameters, summing gradients
};

using CellRow = std::vector<Cell>;

std::string cellText(std::size_t stage, const char* word)
{
    return std::to_string(stage) + word;
}

// The next stages from `index` on, each once.
std::vector<std::size_t> stagesAhead(const std::vector<Action>& row, std::size_t index)
{
    std::vector<std::size_t> stages;
    for (; index < row.size() && stages.size() < mostGathered; ++index) {
        if (std::ranges::find(stages, row[index].stage) == stages.end())
            stages.push_back(row[index].stage);
    }
    return stages;
}

// Parameters are gathered ahead of their use, and given up when others are nearer.
CellRow withGathering(const std::vector<Action>& row)
{
    CellRow cells;
    std::set<std::size_t> gathered;
    for (std::size_t i = 0; i < row.size(); ++i) {
        const std::vector<std::size_t> ahead = stagesAhead(row, i);
        for (auto stage = gathered.begin(); stage != gathered.end();) {
            const bool isNear = std::ranges::find(ahead, *stage) != ahead.end();
            if (!isNear)
                cells.push_back({cellText(*stage, "RESHARD"), {}});
            stage = isNear ? std::next(stage) : gathered.erase(stage);
        }
        for (const std::size_t stage : ahead) {
            if (gathered.insert(stage).second)
                cells.push_back({cellText(stage, "UNSHARD"), {}});
        }
        cells.push_back({actionText(row[i]), row[i]});
    }
    for (const std::size_t stage : gathered)
        cells.push_back({cellText(stage, "RESHARD"), {}});
    return cells;
}

// Gradients are summed over the replicas behind the last backward of each stage.
CellRow withGradientSums(const CellRow& row, const Schedule& schedule)
{
    CellRow cells;
    std::vector<std::size_t> backwards(schedule.stageCount, 0);
    for (const Cell& cell : row) {
        cells.push_back(cell);
        if (!cell.action)
            continue;
        const ActionKind kind = cell.action->kind;
        if (kind != ActionKind::Backward && kind != ActionKind::BackwardWeight)
            continue;
        if (++backwards[cell.action->stage] == schedule.microbatches)
            cells.push_back({cellText(cell.action->stage, "REDUCE_GRAD"), {}});
    }
    return cells;
}

// Runs the devices in turn, a cell each; where one has made what another device needs, the send goes into its
// row and the receive into the other's.
class Sender
{
public:
    Sender(const Schedule& schedule, std::vector<CellRow> rows)
        : m_schedule(schedule),
          m_rows(std::move(rows)),
          m_next(m_rows.size(), 0),
          m_sent(m_rows.size()),
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
        return std::move(m_sent);
    }

private:
    bool step(std::size_t device)
    {
        if (m_next[device] == m_rows[device].size())
            return false;
        const Cell& cell = m_rows[device][m_next[device]];
        if (cell.action && !isReady(*cell.action))
            return false;
        ++m_next[device];
        m_sent[device].push_back(cell.text);
        if (cell.action)
            pass(*cell.action, device);
        return true;
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
        m_sent[device].push_back(cellText(action.stage, forward ? "SEND_F" : "SEND_B") + microbatch);
        m_sent[receiver].push_back(cellText(to, forward ? "RECV_F" : "RECV_B") + microbatch);
    }

    const Schedule& m_schedule;
    std::vector<CellRow> m_rows;
    std::vector<std::size_t> m_next;
    std::vector<std::vector<std::string>> m_sent;
    std::vector<char> m_forwardReady; // by stage and microbatch
    std::vector<char> m_backwardReady;
};

} // namespace

std::vector<std::vector<std::string>> cellsWithTransfers(const Schedule& schedule)
{
    std::vector<CellRow> rows;
    for (const auto& row : schedule.devices)
        rows.push_back(withGradientSums(withGathering(row), schedule));
    return Sender(schedule, std::move(rows)).run();
}

} // namespace stagecraft
