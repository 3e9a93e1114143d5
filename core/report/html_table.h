// A table of a page: readable without a script, which makes it sortable where there is one.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace stagecraft {

struct HtmlColumn
{
    std::string_view title;
    std::string_view help = {}; // what the figure is, shown on request; empty: the title says it
    bool isFigure = true;       // else a text
    bool hasBar = false;        // a bar behind the figure, against the largest of the column
};

struct HtmlCell
{
    HtmlCell(std::string_view shown) : text(shown) {}
    // A figure: sorted by `value`.
    HtmlCell(std::string_view shown, double value) : text(shown), key(value) {}

    std::string text; // as it is; becomes text of the page
    std::optional<double> key = std::nullopt;
    std::optional<std::size_t> stage = std::nullopt; // whose colour stands before it
    bool isWarning = false;
};

// `id` is the program's own word, all other texts are anybody's. Rows are as long as `columns`.
std::string htmlTable(std::string_view id, std::string_view caption, std::span<const HtmlColumn> columns,
                      std::span<const std::vector<HtmlCell>> rows);

} // namespace stagecraft
