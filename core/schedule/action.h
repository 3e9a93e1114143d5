// What a device does in a step: one action of one stage on one microbatch.
#pragma once

#include <algorithm>
#include <array>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace stagecraft {

enum class ActionKind : std::uint8_t {
    Forward,
    Backward,       // input and weight gradients
    BackwardInput,  // gradients of activations alone
    BackwardWeight, // gradients of parameters alone
};

constexpr bool makesInputGradients(ActionKind kind)
{
    return kind == ActionKind::Backward || kind == ActionKind::BackwardInput;
}
// The end of a microbatch's backward pass in its stage.
constexpr bool makesWeightGradients(ActionKind kind)
{
    return kind == ActionKind::Backward || kind == ActionKind::BackwardWeight;
}

// Of a backward pass in two.
constexpr bool isPart(ActionKind kind)
{
    return kind == ActionKind::BackwardInput || kind == ActionKind::BackwardWeight;
}

// As torch writes them in its tables, by kind.
inline constexpr std::array<char, 4> actionLetters{'F', 'B', 'I', 'W'};

struct Action
{
    ActionKind kind = ActionKind::Forward;
    std::size_t stage = 0;
    std::size_t microbatch = 0;
    // Runs as one with the action behind it, a forward with a backward or the other way round: the device
    // does them one after the other, but what they make is passed on when both are done.
    bool overlaps = false;

    friend auto operator<=>(const Action&, const Action&) = default;
};

// What a row is made for: a device and its stages, as they are given out in turn.
struct RowShape
{
    std::size_t device = 0;
    std::size_t devices = 1;
    std::size_t microbatches = 1;
    std::vector<std::size_t> stages;

    std::size_t hops() const { return devices - 1 - device; } // to the last device
    // How many microbatches a stage runs before the next has its turn.
    std::size_t perRound() const { return microbatches / std::max<std::size_t>(1, microbatches / devices); }
};

} // namespace stagecraft
