// PathMix: which actions the length of a step hangs on, as a mean over chains of actions.
//
// In a chain every action waits for the one before it: the device runs them in this order, or what the one
// makes is what the other needs. So a step takes at least as long as any chain, and as any mean of chains:
//
//     step >= sum over stages of  forward * F + input * I + weight * W        for each mix, whatever F, I, W
//
// That is what bounds steps of all plans at once. Where transfers block the device, a chain also takes what
// each of its actions sends, and what those receive that wait for their device and not for what they receive.
#pragma once

#include "core/schedule/simulate.h"

#include <vector>

namespace stagecraft {

// How often a mean chain runs through the actions of one stage.
struct ChainCounts
{
    double forward = 0;
    double backwardInput = 0;
    double backwardWeight = 0;
    double receiveActivations = 0;
    double receiveGradients = 0;
};

class PathMix
{
public:
    // For stages each of which waits for the one before it. Fails where the devices cannot run their rows so.
    static Result<PathMix> make(const Schedule& schedule);

    // The mean over the longest chains at such times, and, the more `blur` (in seconds, above 0), over those
    // that are almost as long.
    std::vector<ChainCounts> longest(const std::vector<StageTimes>& stages, double blur);

    std::size_t actionCount() const { return m_steps.size(); }

private:
    static constexpr std::size_t none = static_cast<std::size_t>(-1);

    struct Step
    {
        Action action;
        std::size_t before = none; // on the same device
        std::size_t source = none; // in the stage whose result it needs
    };

    std::size_t m_stageCount = 0;
    std::vector<Step> m_steps; // what a step waits for is before it
    std::vector<double> m_ends;
    std::vector<double> m_shares;    // of the chains that go through each
    std::vector<std::size_t> m_last; // of each device
};

} // namespace stagecraft
