#include "core/report/overlay_section.h"

#include "core/exchange/overlay_text.h"
#include "core/report/html_table.h"
#include "core/report/html_text.h"

#include <algorithm>

namespace stagecraft {

namespace {

constexpr std::size_t mostRows = 2000;

class OverlayTable
{
public:
    explicit OverlayTable(const ReportSubject& subject)
        : m_subject(subject), m_graph(subject.model.graph), m_overlay(*subject.overlay)
    {
    }

    std::string write()
    {
        addStages();
        addModules();
        addNodes();
        std::vector<HtmlColumn> columns{{.title = "Of", .isFigure = false},
                                        {.title = "Name", .isFigure = false}};
        for (const OverlayFigure& figure : m_overlay.figures)
            columns.push_back({.title = figure.name, .hasBar = true});
        columns.push_back({.title = "Colour", .isFigure = false});
        columns.push_back({.title = "Note", .isFigure = false});
        return htmlTable("overlay-table", "Figures of " + m_overlay.name, columns, m_rows);
    }

private:
    // `whose`: a node, or several together.
    void add(std::string_view kind, const std::string& name, const auto& whose, const OverlayEntry& entry)
    {
        if (m_rows.size() == mostRows)
            return;
        std::vector<HtmlCell> row{HtmlCell(kind), HtmlCell(name)};
        bool hasAny = entry.colour || !entry.note.empty();
        for (std::size_t i = 0; i < m_overlay.figures.size(); ++i) {
            const std::optional<double> value = overlayFigure(m_overlay, m_graph, i, whose);
            row.push_back(value ? HtmlCell(figureText(m_overlay.figures[i], *value), *value) : HtmlCell(""));
            hasAny = hasAny || value;
        }
        if (!hasAny)
            return;
        row.emplace_back(entry.colour ? colourText(*entry.colour) : "");
        row.emplace_back(entry.note);
        m_rows.push_back(std::move(row));
    }

    void addStages()
    {
        const auto stages = nodesByStage(m_subject.solution.partition);
        for (std::size_t i = 0; i < stages.size(); ++i)
            add("stage", std::to_string(i + 1), stages[i], {});
    }
    void addModules()
    {
        for (const ModuleId id : m_graph.modules().ids())
            if (const OverlayEntry& entry = m_overlay.modules[id]; !entry.isEmpty()) {
                const std::string& path = m_graph.modules()[id].path;
                add("module", path.empty() ? "(all)" : path, nodesOfModule(m_graph, id), entry);
            }
    }
    void addNodes()
    {
        for (const NodeId id : m_graph.nodes())
            if (const OverlayEntry& entry = m_overlay.nodes[id]; !entry.isEmpty())
                add("operator", m_graph[id].name, id, entry);
    }

    const ReportSubject& m_subject;
    const Graph& m_graph;
    const Overlay& m_overlay;
    std::vector<std::vector<HtmlCell>> m_rows;
};

std::size_t entryCount(const Overlay& overlay)
{
    const auto isSaid = [](const OverlayEntry& entry) { return !entry.isEmpty(); };
    return static_cast<std::size_t>(std::ranges::count_if(overlay.nodes, isSaid) +
                                    std::ranges::count_if(overlay.modules, isSaid));
}

} // namespace

std::string overlaySection(const ReportSubject& subject)
{
    if (!subject.overlay)
        return {};
    return "<section id=\"overlay\">\n<h2>Own figures</h2>\n<p class=\"about\">" +
           std::to_string(entryCount(*subject.overlay)) +
           " operators and modules are in the overlay; stages have what is put together of these. At most " +
           std::to_string(mostRows) + " lines are shown.</p>\n" + OverlayTable(subject).write() +
           "</section>\n\n";
}

} // namespace stagecraft
