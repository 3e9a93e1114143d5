#include "core/schedule/v_rows.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <queue>
#include <utility>

namespace stagecraft {

namespace {

using Row = std::vector<Action>;

enum Chunk : std::uint8_t { Down, Up };

// A row as it grows: each action is of the first microbatch that its stage has not had in this way.
class VRow
{
public:
    explicit VRow(const RowShape& shape) : m_stages{shape.device, 2 * shape.devices - 1 - shape.device} {}

    std::size_t forwards(Chunk chunk) const { return m_forwards[chunk]; }
    bool owesWeights(Chunk chunk) const { return m_weights[chunk] < m_inputs[chunk]; }

    void forward(Chunk chunk) { add(ActionKind::Forward, chunk, m_forwards[chunk]++); }
    void input(Chunk chunk) { add(ActionKind::BackwardInput, chunk, m_inputs[chunk]++); }
    void weight(Chunk chunk) { add(ActionKind::BackwardWeight, chunk, m_weights[chunk]++); }
    void backward(Chunk chunk)
    {
        add(ActionKind::Backward, chunk, m_inputs[chunk]++);
        ++m_weights[chunk];
    }
    void forwardWithBackward(Chunk forwards, Chunk backwards)
    {
        forward(forwards);
        m_row.back().overlaps = true;
        backward(backwards);
    }

    Row take() { return std::move(m_row); }

private:
    void add(ActionKind kind, Chunk chunk, std::size_t m) { m_row.push_back({kind, m_stages[chunk], m}); }

    std::array<std::size_t, 2> m_stages;
    std::array<std::size_t, 2> m_forwards{};
    std::array<std::size_t, 2> m_inputs{};
    std::array<std::size_t, 2> m_weights{};
    Row m_row;
};

void inputThenWeight(VRow& row, Chunk chunk)
{
    row.input(chunk);
    row.weight(chunk);
}

// What is left when the last forward has run: backwards of both stages in turn, whole ones first. In the end
// the weight halves fill what would be idle.
void drainDualPipe(VRow& row, const RowShape& shape)
{
    std::queue<Chunk> owed;
    bool inHalves = false;
    const auto backward = [&](Chunk chunk) {
        if (!inHalves)
            return row.backward(chunk);
        row.input(chunk);
        owed.push(chunk);
    };
    const auto weight = [&] {
        if (owed.empty())
            return;
        row.weight(owed.front());
        owed.pop();
    };
    const std::size_t pairs = shape.device + 1;
    for (std::size_t i = 0; i < pairs; ++i) {
        const bool isHalfway = i == pairs / 2;
        inHalves = inHalves || (isHalfway && shape.device % 2 == 1);
        backward(Up);
        inHalves = inHalves || isHalfway;
        backward(Down);
    }
    for (std::size_t i = 0; i < shape.hops(); ++i) {
        weight();
        backward(Down);
    }
    while (!owed.empty())
        weight();
}

} // namespace

std::vector<Action> zeroBubbleVRow(const RowShape& shape)
{
    VRow row(shape);
    const std::size_t toTurn = shape.devices - shape.device;
    for (std::size_t i = 0; i < 2 * toTurn - 1; ++i)
        row.forward(Down);
    for (std::size_t i = 0; i < shape.device; ++i) {
        row.forward(Up);
        row.forward(Down);
    }
    for (std::size_t i = 0; i < toTurn; ++i) {
        row.forward(Up);
        inputThenWeight(row, Up);
    }
    const std::size_t total = std::max(2 * shape.devices - 1, shape.microbatches);
    while (row.forwards(Up) < row.forwards(Down) || row.forwards(Down) < total) {
        if (row.forwards(Down) < total)
            row.forward(Down);
        inputThenWeight(row, Down);
        row.forward(Up);
        inputThenWeight(row, Up);
    }
    for (std::size_t i = 0; i < shape.device; ++i) {
        row.input(Down);
        row.input(Up);
    }
    for (std::size_t i = 0; i < toTurn; ++i)
        inputThenWeight(row, Down);
    for (const Chunk chunk : {Up, Down}) {
        while (row.owesWeights(chunk))
            row.weight(chunk);
    }
    Row actions = row.take();
    std::erase_if(actions, [&](const Action& action) { return action.microbatch >= shape.microbatches; });
    return actions;
}

std::vector<Action> dualPipeVRow(const RowShape& shape)
{
    VRow row(shape);
    for (std::size_t i = 0; i < 2 * shape.hops(); ++i)
        row.forward(Down);
    for (std::size_t i = 0; i <= shape.device; ++i) {
        row.forward(Down);
        row.forward(Up);
    }
    for (std::size_t i = 0; i < shape.hops(); ++i) {
        inputThenWeight(row, Up);
        row.forward(Up);
    }
    const std::size_t turns = shape.microbatches - 2 * shape.devices + shape.device + 1;
    for (std::size_t i = 0; i < turns; ++i) {
        if (i == 0 && shape.hops() == 0) {
            // Apart, the last device hands its first gradients on sooner.
            row.forward(Down);
            row.backward(Up);
        } else {
            row.forwardWithBackward(Down, Up);
        }
        row.forwardWithBackward(Up, Down);
    }
    for (std::size_t i = 0; i < shape.hops(); ++i) {
        row.backward(Up);
        row.forwardWithBackward(Up, Down);
    }
    drainDualPipe(row, shape);
    return row.take();
}

} // namespace stagecraft
