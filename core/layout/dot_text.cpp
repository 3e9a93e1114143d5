#include "core/layout/dot_text.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <map>

namespace stagecraft {

namespace {

constexpr double pixelsPerInch = 72;
// Largest cell that dot takes in an HTML table; a box larger than that is drawn without ports.
constexpr double maxTableSize = 65000;

std::string inches(double pixels)
{
    std::array<char, 32> text{};
    const int length = std::snprintf(text.data(), text.size(), "%.4f", pixels / pixelsPerInch);
    return {text.data(), static_cast<std::size_t>(length)};
}

bool hasPorts(const DotNode& node)
{
    return !node.ports.empty() && node.size.width < maxTableSize && node.size.height < maxTableSize;
}

std::string cell(int width, int height, const std::string& port)
{
    const std::string name = port.empty() ? "" : " PORT=\"" + port + "\"";
    return "<TD" + name + " FIXEDSIZE=\"TRUE\" WIDTH=\"" + std::to_string(width) + "\" HEIGHT=\"" +
           std::to_string(height) + "\"></TD>";
}

// A table as wide as the node with a narrow cell at each port.
std::string portTable(const DotNode& node)
{
    constexpr int portWidth = 2;
    const int width = static_cast<int>(node.size.width);
    const int height = static_cast<int>(node.size.height);
    std::string cells;
    int at = 0;
    for (std::size_t i = 0; i < node.ports.size(); ++i) {
        const int later = static_cast<int>(node.ports.size() - 1 - i) * portWidth;
        const int left = std::clamp(static_cast<int>(node.ports[i]) - portWidth / 2, at,
                                    std::max(at, width - later - portWidth));
        if (left > at)
            cells += cell(left - at, height, "");
        cells += cell(portWidth, height, "p" + std::to_string(i));
        at = left + portWidth;
    }
    if (at < width)
        cells += cell(width - at, height, "");
    return "<<TABLE BORDER=\"0\" CELLBORDER=\"0\" CELLSPACING=\"0\" CELLPADDING=\"0\"><TR>" + cells +
           "</TR></TABLE>>";
}

std::string endText(const DotProblem& problem, const DotEnd& end, std::string_view frame,
                    std::string_view side)
{
    if (end.kind == DotEnd::Kind::Frame)
        return std::string(frame) + std::to_string(end.index) + ":" + std::string(side);
    std::string text = "n" + std::to_string(end.index);
    if (end.port && hasPorts(problem.nodes[end.index]))
        text += ":p" + std::to_string(*end.port);
    return text + ":" + std::string(side);
}

void addFrame(std::string& text, std::size_t count, std::string_view name, std::string_view rank)
{
    if (count == 0)
        return;
    text += "{rank=" + std::string(rank) + ";";
    for (std::size_t i = 0; i < count; ++i)
        text += " " + std::string(name) + std::to_string(i);
    text += " [width=0.1 height=0.01]}\n";
}

// The words of one line of plain text; a quoted or HTML word may hold spaces, and only node labels are that.
class Words
{
public:
    explicit Words(std::string_view line) : m_rest(line) {}

    std::string_view word()
    {
        const std::size_t start = std::min(m_rest.find_first_not_of(' '), m_rest.size());
        const std::size_t end = std::min(m_rest.find(' ', start), m_rest.size());
        const std::string_view found = m_rest.substr(start, end - start);
        m_rest.remove_prefix(end);
        return found;
    }
    double number()
    {
        const std::string_view text = word();
        double value = 0;
        const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
        m_ok = m_ok && error == std::errc() && end == text.data() + text.size() && std::isfinite(value);
        return value;
    }
    bool ok() const { return m_ok; }

private:
    std::string_view m_rest;
    bool m_ok = true;
};

Error notPlain(std::string_view line)
{
    return {ErrorCode::Failed, "dot gave a line that is not understood: " + std::string(line.substr(0, 80))};
}

class PlainReader
{
public:
    explicit PlainReader(const DotProblem& problem) : m_problem(problem)
    {
        m_drawing.nodes.resize(problem.nodes.size());
        m_drawing.edges.resize(problem.edges.size());
        m_drawing.upperPorts.resize(problem.upperPorts);
        m_drawing.lowerPorts.resize(problem.lowerPorts);
        for (std::size_t i = 0; i < problem.edges.size(); ++i)
            m_edges[{endName(problem.edges[i].tail, 'u'), endName(problem.edges[i].head, 'l')}].push_back(i);
    }

    Result<DotDrawing> read(std::string_view plain)
    {
        while (!plain.empty() && !m_stopped) {
            const std::size_t end = std::min(plain.find('\n'), plain.size());
            STAGECRAFT_TRY(readLine(plain.substr(0, end)));
            plain.remove_prefix(std::min(end + 1, plain.size()));
        }
        const auto isMissing = [](const std::vector<Point>& path) { return path.empty(); };
        if (!m_stopped || std::ranges::any_of(m_drawing.edges, isMissing))
            return Error{ErrorCode::Failed, "dot gave an incomplete drawing"};
        return std::move(m_drawing);
    }

private:
    using Name = std::pair<std::string, std::string>;

    static std::string endName(const DotEnd& end, char frame)
    {
        return (end.kind == DotEnd::Kind::Frame ? frame : 'n') + std::to_string(end.index);
    }

    double endX(const DotEnd& end, const std::vector<double>& framePorts) const
    {
        if (end.kind == DotEnd::Kind::Frame)
            return framePorts[end.index];
        const DotNode& node = m_problem.nodes[end.index];
        return m_drawing.nodes[end.index].x + (end.port ? node.ports[*end.port] : node.size.width / 2);
    }

    // dot does not say which of several edges between two nodes a path is: the one whose ports are nearest.
    std::size_t takeNearest(std::vector<std::size_t>& edges, const std::vector<Point>& path) const
    {
        const auto distance = [&](std::size_t index) {
            const DotEdge& edge = m_problem.edges[index];
            return std::abs(endX(edge.tail, m_drawing.upperPorts) - path.front().x) +
                   std::abs(endX(edge.head, m_drawing.lowerPorts) - path.back().x);
        };
        const auto nearest = std::ranges::min_element(edges, {}, distance);
        const std::size_t index = *nearest;
        edges.erase(nearest);
        return index;
    }

    Result<void> readLine(std::string_view line)
    {
        Words words(line);
        const std::string_view kind = words.word();
        if (kind == "graph")
            return readSize(words, line);
        if (kind == "node")
            return readNode(words, line);
        if (kind == "edge")
            return readEdge(words, line);
        m_stopped = kind == "stop";
        return {};
    }

    Result<void> readSize(Words& words, std::string_view line)
    {
        words.number(); // scale
        m_drawing.size.width = words.number() * pixelsPerInch;
        m_drawing.size.height = words.number() * pixelsPerInch;
        return words.ok() ? Result<void>() : notPlain(line);
    }

    Point flipped(double x, double y) const
    {
        return {x * pixelsPerInch, m_drawing.size.height - y * pixelsPerInch};
    }

    Result<void> readNode(Words& words, std::string_view line)
    {
        const std::string_view name = words.word();
        std::size_t index = 0;
        const char* end = name.data() + name.size();
        if (name.size() < 2 || std::from_chars(name.data() + 1, end, index).ec != std::errc())
            return notPlain(line);
        const double x = words.number();
        const double y = words.number();
        const Point center = flipped(x, y);
        const auto& nodes = m_problem.nodes;
        if (!words.ok())
            return notPlain(line);
        if (name[0] == 'n' && index < nodes.size())
            m_drawing.nodes[index] = {center.x - nodes[index].size.width / 2,
                                      center.y - nodes[index].size.height / 2};
        else if (name[0] == 'u' && index < m_problem.upperPorts)
            m_drawing.upperPorts[index] = center.x;
        else if (name[0] == 'l' && index < m_problem.lowerPorts)
            m_drawing.lowerPorts[index] = center.x;
        else
            return notPlain(line);
        return {};
    }

    Result<void> readEdge(Words& words, std::string_view line)
    {
        const std::string_view tail = words.word();
        const std::string_view head = words.word();
        const double count = words.number();
        if (tail.starts_with('u') && head.starts_with('u'))
            return {}; // the order of the ports
        const auto found = m_edges.find({std::string(tail), std::string(head)});
        if (!words.ok() || count < 4 || count > 1e6 || found == m_edges.end() || found->second.empty())
            return notPlain(line);
        std::vector<Point> path;
        for (int i = 0; i < static_cast<int>(count) && words.ok(); ++i) {
            const double x = words.number();
            const double y = words.number();
            path.push_back(flipped(x, y));
        }
        if (!words.ok())
            return notPlain(line);
        const std::size_t edge = takeNearest(found->second, path);
        m_drawing.edges[edge] = std::move(path);
        return {};
    }

    const DotProblem& m_problem;
    DotDrawing m_drawing;
    std::map<Name, std::vector<std::size_t>> m_edges;
    bool m_stopped = false;
};

} // namespace

std::string dotText(const DotProblem& problem)
{
    std::string text = "digraph {\ngraph [nodesep=" + inches(problem.nodeGap) +
                       " ranksep=" + inches(problem.rankGap) +
                       "]\nnode [shape=box fixedsize=true margin=0 label=\"\"]\nedge [dir=none]\n";
    for (std::size_t i = 0; i < problem.nodes.size(); ++i) {
        const DotNode& node = problem.nodes[i];
        text += "n" + std::to_string(i) + " [width=" + inches(node.size.width) +
                " height=" + inches(node.size.height);
        if (hasPorts(node))
            text += " label=" + portTable(node);
        text += "]\n";
    }
    addFrame(text, problem.upperPorts, "u", "source");
    addFrame(text, problem.lowerPorts, "l", "sink");
    // dot keeps the order of a chain of edges within one rank.
    for (std::size_t i = 1; i < problem.upperOrder.size(); ++i)
        text += "u" + std::to_string(problem.upperOrder[i - 1]) + " -> u" +
                std::to_string(problem.upperOrder[i]) + " [style=invis]\n";
    for (const DotEdge& edge : problem.edges) {
        text += endText(problem, edge.tail, "u", "s") + " -> " + endText(problem, edge.head, "l", "n");
        text += edge.weight == 1 ? "\n" : " [weight=" + std::to_string(edge.weight) + "]\n";
    }
    return text + "}\n";
}

Result<DotDrawing> parsePlain(std::string_view plain, const DotProblem& problem)
{
    return PlainReader(problem).read(plain);
}

} // namespace stagecraft
