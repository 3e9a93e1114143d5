#include "core/schedule/schedule_check.h"

namespace stagecraft {

namespace {

// Every action of the model is there once.
class Coverage
{
public:
    explicit Coverage(const Schedule& schedule)
        : m_schedule(schedule), m_seen(schedule.stageCount * schedule.microbatches * actionLetters.size(), 0)
    {
    }

    std::optional<ScheduleFault> add(std::size_t device, std::size_t index)
    {
        const Action& action = m_schedule.devices[device][index];
        const auto fault = [&](const std::string& what) {
            return ScheduleFault{actionText(action) + ' ' + what, device, index};
        };
        if (action.stage >= m_schedule.stageCount || action.microbatch >= m_schedule.microbatches)
            return fault("is outside of the schedule");
        if (const std::size_t home = m_schedule.deviceOfStage[action.stage]; home != device)
            return fault("stands on device " + std::to_string(device) + ", but its stage is on device " +
                         std::to_string(home));
        if (seen(action)++ > 0)
            return fault("is there twice");
        if (action.overlaps && !hasPartner(device, index))
            return fault("has no forward or backward of another microbatch behind it that it could run with");
        return std::nullopt;
    }

    // What is missing, once all are added.
    std::optional<ScheduleFault> missing()
    {
        for (std::size_t stage = 0; stage < m_schedule.stageCount; ++stage) {
            for (std::size_t m = 0; m < m_schedule.microbatches; ++m) {
                const auto count = [&](ActionKind kind) { return seen({kind, stage, m}); };
                const auto fault = [&](ActionKind kind, const char* what) {
                    return ScheduleFault{
                        actionText({kind, stage, m}) + what, m_schedule.deviceOfStage[stage], {}};
                };
                if (count(ActionKind::Forward) != 1)
                    return fault(ActionKind::Forward, " is missing");
                const int whole = count(ActionKind::Backward);
                const int input = count(ActionKind::BackwardInput);
                const int weight = count(ActionKind::BackwardWeight);
                if (whole + input != 1 || input != weight)
                    return fault(ActionKind::Backward, " must be there once, whole or as I and W");
            }
        }
        return std::nullopt;
    }

private:
    bool hasPartner(std::size_t device, std::size_t index) const
    {
        const auto& row = m_schedule.devices[device];
        if (index + 1 == row.size() || row[index + 1].overlaps)
            return false;
        const auto isForward = [](const Action& action) { return action.kind == ActionKind::Forward; };
        const auto isBackward = [](const Action& action) { return makesInputGradients(action.kind); };
        const Action& first = row[index];
        const Action& second = row[index + 1];
        const bool areTwoWays =
            (isForward(first) && isBackward(second)) || (isBackward(first) && isForward(second));
        return areTwoWays && (first.stage != second.stage || first.microbatch != second.microbatch);
    }

    int& seen(const Action& action)
    {
        const std::size_t cell = action.stage * m_schedule.microbatches + action.microbatch;
        return m_seen[cell * actionLetters.size() + static_cast<std::size_t>(action.kind)];
    }

    const Schedule& m_schedule;
    std::vector<int> m_seen;
};

// Runs the rows with a pipeline in which every stage needs the one before it; finds who waits for ever.
std::optional<ScheduleFault> findDeadlock(const Schedule& schedule)
{
    const std::size_t cells = schedule.stageCount * schedule.microbatches;
    std::vector<char> forward(cells, 0);
    std::vector<char> backward(cells, 0);
    const auto cell = [&](std::size_t stage, std::size_t m) { return stage * schedule.microbatches + m; };
    const auto isReady = [&](const Action& action) {
        const std::size_t here = cell(action.stage, action.microbatch);
        if (action.kind == ActionKind::BackwardWeight)
            return backward[here] != 0;
        if (action.kind == ActionKind::Forward)
            return action.stage == 0 || forward[cell(action.stage - 1, action.microbatch)];
        const bool last = action.stage + 1 == schedule.stageCount;
        return forward[here] && (last || backward[cell(action.stage + 1, action.microbatch)]);
    };
    const auto run = [&](const Action& action) {
        if (action.kind != ActionKind::BackwardWeight)
            (action.kind == ActionKind::Forward ? forward : backward)[cell(action.stage, action.microbatch)] =
                1;
    };
    std::vector<std::size_t> next(schedule.deviceCount(), 0);
    for (bool moved = true; moved;) {
        moved = false;
        for (std::size_t device = 0; device < schedule.deviceCount(); ++device) {
            const auto& row = schedule.devices[device];
            while (next[device] < row.size()) {
                const std::span<const Action> actions = actionsAsOne(row, next[device]);
                if (!std::ranges::all_of(actions, isReady))
                    break;
                std::ranges::for_each(actions, run);
                next[device] += actions.size();
                moved = true;
            }
        }
    }
    for (std::size_t device = 0; device < schedule.deviceCount(); ++device) {
        if (next[device] < schedule.devices[device].size())
            return ScheduleFault{"deadlock at " + actionText(schedule.devices[device][next[device]]) +
                                     ": what it waits for never comes",
                                 device, next[device]};
    }
    return std::nullopt;
}

} // namespace

std::string actionText(const Action& action)
{
    return std::to_string(action.stage) + actionLetters[static_cast<std::size_t>(action.kind)] +
           std::to_string(action.microbatch);
}

std::string cellText(std::span<const Action> actions)
{
    if (actions.size() == 1)
        return actionText(actions[0]);
    return '(' + actionText(actions[0]) + ';' + actionText(actions[1]) + ")OVERLAP_F_B";
}

std::optional<ScheduleFault> findFault(const Schedule& schedule)
{
    Coverage coverage(schedule);
    for (std::size_t device = 0; device < schedule.deviceCount(); ++device) {
        for (std::size_t index = 0; index < schedule.devices[device].size(); ++index) {
            if (auto fault = coverage.add(device, index))
                return fault;
        }
    }
    if (auto fault = coverage.missing())
        return fault;
    return findDeadlock(schedule);
}

Result<void> checkSchedule(const Schedule& schedule)
{
    const std::optional<ScheduleFault> fault = findFault(schedule);
    if (!fault)
        return {};
    return Error{ErrorCode::BadFormat,
                 "schedule, device " + std::to_string(fault->device) + ": " + fault->what};
}

} // namespace stagecraft
