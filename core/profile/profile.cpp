#include "core/profile/profile.h"

#include <algorithm>

namespace stagecraft {

PhaseCost& PhaseCost::operator+=(const PhaseCost& other)
{
    flops += other.flops;
    bytesRead += other.bytesRead;
    bytesWritten += other.bytesWritten;
    time += other.time;
    return *this;
}

PhaseCost NodeCost::backward() const
{
    PhaseCost sum = backwardInput;
    sum += backwardWeight;
    return sum;
}

Seconds NodeCost::time() const
{
    return forward.time + backwardInput.time + backwardWeight.time;
}

// Peaks do not add up: of a group it is the largest of its members'. An inexact member makes the group so.
NodeCost& NodeCost::operator+=(const NodeCost& other)
{
    forward += other.forward;
    backwardInput += other.backwardInput;
    backwardWeight += other.backwardWeight;
    recomputed += other.recomputed;
    outputBytes += other.outputBytes;
    savedBytes += other.savedBytes;
    parameterBytes += other.parameterBytes;
    bufferBytes += other.bufferBytes;
    temporaryPeak = std::max(temporaryPeak, other.temporaryPeak);
    waitingBytes += other.waitingBytes;
    regionPeak = std::max(regionPeak, other.regionPeak);
    atPeak += other.atPeak;
    if (other.origin == CostOrigin::Inexact)
        origin = CostOrigin::Inexact;
    return *this;
}

double recomputedShare(const NodeCost& cost)
{
    return cost.forward.time > Seconds{} ? cost.recomputed.time / cost.forward.time : 0;
}

bool isExact(const Profile& profile)
{
    return std::ranges::none_of(profile.nodes,
                                [](const NodeCost& cost) { return cost.origin == CostOrigin::Inexact; });
}

std::string timesText(const Profile& profile)
{
    const auto count = [&](CostOrigin origin) {
        return std::ranges::count(profile.nodes, origin, &NodeCost::origin);
    };
    if (count(CostOrigin::Measured) > 0)
        return "measured on this CPU";
    const std::ptrdiff_t imported = count(CostOrigin::Imported), all = std::ranges::ssize(profile.nodes);
    if (imported == 0 || imported == all)
        return imported == 0 ? accuracyText(profile.options.device.accuracy) : "imported";
    return "imported for " + std::to_string(imported) + " of " + std::to_string(all) +
           " operators, estimated for the others";
}

void addNote(Profile& profile, const std::string& kind, const std::string& text, NodeId node)
{
    const auto known = std::ranges::find(profile.nodeNotes, kind, &NodeNote::kind);
    if (known == profile.nodeNotes.end())
        profile.nodeNotes.push_back({kind, text, {node}});
    else if (known->nodes.back() != node)
        known->nodes.push_back(node);
}

std::string noteText(const NodeNote& note)
{
    const std::size_t more = note.nodes.size() - 1;
    if (more == 0)
        return note.text;
    return note.text + "; likewise " + std::to_string(more) + (more == 1 ? " more node" : " more nodes");
}

std::vector<std::string> noteTexts(const Profile& profile)
{
    std::vector<std::string> texts;
    for (const NodeNote& note : profile.nodeNotes)
        texts.push_back(noteText(note));
    texts.insert(texts.end(), profile.notes.begin(), profile.notes.end());
    return texts;
}

} // namespace stagecraft
