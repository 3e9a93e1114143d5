#include "core/report/html_table.h"

#include "core/report/html_text.h"

#include <array>
#include <cstdio>

namespace stagecraft {

namespace {

constexpr std::size_t stageColours = 8; // of report.css

std::string keyText(double key)
{
    std::array<char, 64> text{};
    std::snprintf(text.data(), text.size(), "%.17g", key);
    return text.data();
}

std::string headOf(std::span<const HtmlColumn> columns)
{
    std::string html = "<thead><tr>";
    for (const HtmlColumn& column : columns) {
        html += "<th scope=\"col\"";
        html += column.isFigure ? " class=\"figure\"" : "";
        html += column.hasBar ? " data-bar" : "";
        if (!column.help.empty())
            html += " title=\"" + htmlText(column.help) + "\"";
        html += ">" + htmlText(column.title) + "</th>";
    }
    return html + "</tr></thead>\n";
}

std::string cellOf(const HtmlColumn& column, const HtmlCell& cell)
{
    std::string classes = column.isFigure ? "figure" : "";
    if (cell.isWarning)
        classes += classes.empty() ? "warning" : " warning";
    std::string html = "<td";
    html += classes.empty() ? "" : " class=\"" + classes + "\"";
    html += cell.key ? " data-key=\"" + keyText(*cell.key) + "\"" : "";
    html += ">";
    if (cell.stage)
        html += "<span class=\"swatch s" + std::to_string(*cell.stage % stageColours) + "\"></span>";
    return html + htmlText(cell.text) + "</td>";
}

} // namespace

std::string htmlTable(std::string_view id, std::string_view caption, std::span<const HtmlColumn> columns,
                      std::span<const std::vector<HtmlCell>> rows)
{
    std::string html = "<div class=\"scroll\"><table id=\"" + std::string(id) + "\"><caption>" +
                       htmlText(caption) + "</caption>\n" + headOf(columns) + "<tbody>\n";
    for (const std::vector<HtmlCell>& row : rows) {
        html += "<tr>";
        for (std::size_t i = 0; i < row.size(); ++i)
            html += cellOf(columns[i], row[i]);
        html += "</tr>\n";
    }
    return html + "</tbody></table></div>\n";
}

} // namespace stagecraft
