#include "core/schedule/timeline_text.h"

#include <algorithm>
#include <map>

namespace stagecraft {

namespace {

constexpr char idleMark = '.';
constexpr char transferMark = '-';

// The microbatch by its last digit.
char digitOf(const Action& action)
{
    const auto digit = static_cast<char>(action.microbatch % 10);
    switch (action.kind) {
    case ActionKind::Forward:
        return static_cast<char>('0' + digit);
    case ActionKind::Backward:
    case ActionKind::BackwardInput:
        return static_cast<char>('a' + digit);
    case ActionKind::BackwardWeight:
        return static_cast<char>('A' + digit);
    }
    return '?';
}

char kindOf(const Action& action)
{
    return action.kind == ActionKind::Forward ? 'F' : action.kind == ActionKind::BackwardWeight ? 'W' : 'B';
}

// What each device does in the time of each character.
class Picture
{
public:
    Picture(const Timeline& timeline, std::size_t width)
        : m_scale(static_cast<double>(width) / timeline.makespan.value()),
          m_cells(timeline.devices.size(), std::vector<std::map<char, double>>(width))
    {
    }

    void add(std::size_t device, Seconds from, Seconds to, char what)
    {
        const double begin = from.value() * m_scale;
        const double end = to.value() * m_scale;
        auto& line = m_cells[device];
        for (auto i = static_cast<std::size_t>(begin); i < line.size() && double(i) < end; ++i)
            line[i][what] += std::min(end, double(i + 1)) - std::max(begin, double(i));
    }

    // Each character is what takes most of it.
    std::string line(std::size_t device) const
    {
        std::string text;
        for (const std::map<char, double>& cell : m_cells[device]) {
            std::map<char, double> shown = shares(cell);
            text += largest(shown)->first;
        }
        return text;
    }

    // What a character leaves out the next ones make good, so that a line has as much of each as the step.
    std::string proportionalLine(std::size_t device) const
    {
        std::string text;
        std::map<char, double> owed;
        for (const std::map<char, double>& cell : m_cells[device]) {
            for (const auto& [what, share] : shares(cell))
                owed[what] += share;
            const auto next = largest(owed);
            text += next->first;
            next->second -= 1;
        }
        return text;
    }

private:
    // Of one character, which they fill. Transfers beside the computing count only where nothing is computed.
    static std::map<char, double> shares(std::map<char, double> cell)
    {
        double computing = 0;
        for (const auto& [what, share] : cell)
            computing += what == transferMark ? 0 : share;
        const double rest = std::max(0.0, 1 - computing);
        const double moving = std::min(rest, cell[transferMark]);
        cell[transferMark] = moving;
        cell[idleMark] = rest - moving;
        return cell;
    }

    static std::map<char, double>::iterator largest(std::map<char, double>& shares)
    {
        return std::ranges::max_element(shares, {}, [](const auto& entry) { return entry.second; });
    }

    double m_scale; // characters a second
    std::vector<std::vector<std::map<char, double>>> m_cells;
};

// Are many actions too narrow for a character of their own?
bool isCrowded(const Timeline& timeline, std::size_t width)
{
    std::vector<Seconds> times;
    for (const ActionSpan& span : timeline.spans)
        times.push_back(span.end - span.start);
    if (times.empty())
        return false;
    const auto quartile = times.begin() + static_cast<std::ptrdiff_t>(times.size() / 4);
    std::ranges::nth_element(times, quartile);
    return *quartile * static_cast<double>(width) < timeline.makespan;
}

std::string ruler(const Timeline& timeline, std::size_t label, std::size_t width)
{
    const std::string end = formatSeconds(timeline.makespan);
    const std::string gap(width > end.size() + 1 ? width - end.size() - 1 : 1, ' ');
    return std::string(label, ' ') + '0' + gap + end + '\n';
}

std::string legend(const Timeline& timeline, bool crowded)
{
    const auto has = [&](auto&& test) { return std::ranges::any_of(timeline.spans, test); };
    const bool weights =
        has([](const ActionSpan& span) { return span.action.kind == ActionKind::BackwardWeight; });
    const bool transfers = has(
        [](const ActionSpan& span) { return span.sendEnd > span.made || span.start > span.receiveStart; });
    std::string text = crowded ? "F forward, B backward" : "0-9 forward, a-j backward";
    if (weights)
        text += crowded ? ", W gradients of weights" : ", A-J gradients of weights";
    text += transfers ? ", - transfers, . idle" : ", . idle";
    return text + (crowded ? "\n" : "; microbatches by their last digit\n");
}

} // namespace

std::string timelineText(const Timeline& timeline, std::size_t columns)
{
    if (timeline.makespan <= Seconds{})
        return {};
    const std::size_t digits = std::to_string(timeline.devices.size()).size();
    const std::size_t label = 9 + digits;
    const std::size_t width = std::max<std::size_t>(columns, label + 10) - label;
    const bool crowded = isCrowded(timeline, width);
    Picture picture(timeline, width);
    for (const ActionSpan& span : timeline.spans) {
        picture.add(span.device, span.start, span.end, crowded ? kindOf(span.action) : digitOf(span.action));
        if (span.start > span.receiveStart)
            picture.add(span.device, span.receiveStart, span.start, transferMark);
        if (span.sendEnd > span.made)
            picture.add(span.device, span.made, span.sendEnd, transferMark);
    }
    std::string text = ruler(timeline, label, width);
    for (std::size_t device = 0; device < timeline.devices.size(); ++device) {
        const std::string name = std::to_string(device + 1);
        text += "device " + std::string(digits - name.size(), ' ') + name + "  ";
        text += (crowded ? picture.proportionalLine(device) : picture.line(device)) + '\n';
    }
    return text + legend(timeline, crowded);
}

} // namespace stagecraft
