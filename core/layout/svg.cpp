#include "core/layout/svg.h"

#include "core/base/markup.h"
#include "core/exchange/overlay_text.h"
#include "core/layout/item_text.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <string_view>

namespace stagecraft {

namespace {

constexpr double margin = 32;
constexpr double gutter = 64; // left of the drawing: numbers of the stages
// Okabe-Ito, as in the window; its yellow is darkened to show on white.
constexpr std::array<std::string_view, 8> stageColours = {"#E69F00", "#56B4E9", "#009E73", "#F5C710",
                                                          "#0072B2", "#D55E00", "#CC79A7", "#999999"};

struct Palette
{
    std::string_view page;
    std::string_view card;
    std::string_view border;
    std::string_view text;
    std::string_view muted;
    std::string_view edge;
};

Palette paletteOf(SvgOptions::Look look)
{
    if (look == SvgOptions::Look::Dark)
        return {"#1b1d21", "#2a2d33", "#4a4f58", "#e8eaed", "#a3a9b3", "#858c98"};
    return {"#ffffff", "#ffffff", "#c5cad3", "#1d2026", "#5f6672", "#8b93a1"};
}

std::string number(double value)
{
    std::array<char, 32> text{};
    const int length = std::snprintf(text.data(), text.size(), "%.1f", value);
    std::string result(text.data(), static_cast<std::size_t>(length));
    return result.ends_with(".0") ? result.substr(0, result.size() - 2) : result;
}

// Cut so that it fits into `width` at `fontSize`, whatever the font: letters are about 0.58 of it wide.
std::string fitted(std::string_view text, double width, double fontSize)
{
    const auto letters = static_cast<std::size_t>(std::max(1.0, width / (fontSize * 0.58)));
    if (text.size() <= letters)
        return std::string(text);
    std::size_t end = letters - 1;
    while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xc0) == 0x80)
        --end; // not inside a UTF-8 character
    return std::string(text.substr(0, end)) + "\xe2\x80\xa6";
}

class SvgWriter
{
public:
    SvgWriter(const Layout& layout, const SvgOptions& options)
        : m_layout(layout), m_palette(paletteOf(options.look)), m_overlay(options.overlay)
    {
    }

    std::string write()
    {
        openDocument();
        for (const LayoutItem& item : m_layout.items)
            if (item.kind == ItemKind::Stage)
                writeBand(item);
        for (const LayoutItem& item : m_layout.items)
            if (item.kind == ItemKind::OpenBox)
                writeOpenBox(item);
        for (const LayoutEdge& edge : m_layout.edges)
            writeEdge(edge);
        for (const LayoutItem& item : m_layout.items)
            writeItem(item);
        for (const BoundaryLine& line : m_layout.boundaries)
            writeBoundary(line);
        return std::move(m_text) + "</g>\n</svg>\n";
    }

private:
    void openDocument();
    void writeBand(const LayoutItem& item);
    void writeOpenBox(const LayoutItem& item);
    void writeEdge(const LayoutEdge& edge);
    void writeItem(const LayoutItem& item);
    std::vector<NodeId> nodesOf(const LayoutItem& item) const;
    void writeOverlay(const LayoutItem& item);
    std::string detailOf(const LayoutItem& item) const;
    void writeBoundary(const BoundaryLine& line);
    void rect(const Rect& rect, double radius, std::string_view attributes);
    void text(double x, double y, std::string_view classes, const std::string& text);
    std::string_view stageColour(StageId stage) const
    {
        return stageColours[stage.index() % stageColours.size()];
    }

    const Layout& m_layout;
    Palette m_palette;
    const Overlay* m_overlay;
    std::string m_text;
};

void SvgWriter::openDocument()
{
    const std::string width = number(m_layout.size.width + gutter + 2 * margin);
    const std::string height = number(m_layout.size.height + 2 * margin);
    m_text =
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"" +
        width + "\" height=\"" + height + "\" viewBox=\"0 0 " + width + " " + height + "\">\n<title>" +
        xmlText(m_layout.graph->name()) +
        "</title>\n<style>\ntext { font-family: \"Inter\", \"Segoe UI\", "
        "\"Noto Sans\", \"DejaVu Sans\", sans-serif; font-size: 12px; fill: " +
        std::string(m_palette.text) +
        " }\n.bold { font-weight: 600; font-size: 13px }\n.small { font-size: 11px; fill: " +
        std::string(m_palette.muted) + " }\n.right { text-anchor: end }\n.middle { text-anchor: middle }\n" +
        ".edge { fill: none; stroke: " + std::string(m_palette.edge) + "; stroke-width: 1.3 }\n</style>\n" +
        "<rect width=\"100%\" height=\"100%\" fill=\"" + std::string(m_palette.page) +
        "\"/>\n<g transform=\"translate(" + number(gutter + margin) + " " + number(margin) + ")\">\n";
}

void SvgWriter::rect(const Rect& rect, double radius, std::string_view attributes)
{
    m_text += "<rect x=\"" + number(rect.x) + "\" y=\"" + number(rect.y) + "\" width=\"" +
              number(rect.width) + "\" height=\"" + number(rect.height) + "\" rx=\"" + number(radius) +
              "\" " + std::string(attributes) + "/>\n";
}

void SvgWriter::text(double x, double y, std::string_view classes, const std::string& text)
{
    m_text += "<text x=\"" + number(x) + "\" y=\"" + number(y) + "\" class=\"" + std::string(classes) +
              "\">" + xmlText(text) + "</text>\n";
}

void SvgWriter::writeBand(const LayoutItem& item)
{
    const std::string colour(stageColour(item.stage));
    const double left = -gutter - margin / 2;
    const Rect band{left, item.rect.y - 8, m_layout.size.width - left + margin / 2, item.rect.height + 16};
    rect(band, 12, "fill=\"" + colour + "\" fill-opacity=\"0.1\"");
    rect({left, band.y, 5, band.height}, 2.5, "fill=\"" + colour + "\"");
    text(left + 18, band.y + 28, "bold", itemTitle(m_layout, item));
}

void SvgWriter::writeOpenBox(const LayoutItem& item)
{
    rect(item.rect, 10,
         "fill=\"" + std::string(m_palette.card) + "\" fill-opacity=\"0.6\" stroke=\"" +
             std::string(m_palette.border) + "\"");
}

void SvgWriter::writeEdge(const LayoutEdge& edge)
{
    std::string path = "M" + number(edge.path.front().x) + " " + number(edge.path.front().y);
    for (std::size_t i = 1; i < edge.path.size(); ++i)
        path += (i % 3 == 1 ? " C" : " ") + number(edge.path[i].x) + " " + number(edge.path[i].y);
    m_text += "<path class=\"edge\" d=\"" + path + "\"/>\n";
}

std::vector<NodeId> SvgWriter::nodesOf(const LayoutItem& item) const
{
    if (item.node)
        return {*item.node};
    return item.box ? m_layout.tree->nodesOf(*item.box) : std::vector<NodeId>();
}

// The card's colour, which lets its text be read on either ground.
void SvgWriter::writeOverlay(const LayoutItem& item)
{
    if (!m_overlay)
        return;
    const auto colour = item.node ? overlayColour(*m_overlay, *m_layout.graph, *item.node)
                                  : overlayColour(*m_overlay, *m_layout.graph, nodesOf(item));
    if (colour)
        rect(item.rect, 7, "fill=\"" + colourText(*colour) + "\" fill-opacity=\"0.45\"");
}

// With the figures of an overlay before what is always said.
std::string SvgWriter::detailOf(const LayoutItem& item) const
{
    const std::string detail = itemDetail(m_layout, item);
    if (!m_overlay)
        return detail;
    const std::string figures = item.node ? figureTexts(*m_overlay, *m_layout.graph, *item.node)
                                          : figureTexts(*m_overlay, *m_layout.graph, nodesOf(item));
    return figures.empty() ? detail : figures + (detail.empty() ? "" : " \u00b7 " + detail);
}

void SvgWriter::writeItem(const LayoutItem& item)
{
    const Rect& box = item.rect;
    const std::string title = itemTitle(m_layout, item);
    const std::string note = itemNote(m_layout, item);
    const std::string border = "stroke=\"" + std::string(m_palette.border) + "\"";
    if (item.kind == ItemKind::Stage)
        return;
    if (item.kind == ItemKind::OpenBox) {
        text(box.x + 12, box.y + 18, "bold",
             fitted(title + (note.empty() ? "" : "  " + note), box.width - 24, 13));
        return;
    }
    const bool isPill = item.kind != ItemKind::Op && item.kind != ItemKind::ClosedBox;
    rect(box, isPill ? box.height / 2 : 7, "fill=\"" + std::string(m_palette.card) + "\" " + border);
    if (isPill) {
        text(box.centerX(), box.centerY() + 4, "small middle", fitted(title, box.width - 16, 11));
        return;
    }
    writeOverlay(item);
    rect({box.x, box.y, 4, box.height}, 2, "fill=\"" + std::string(stageColour(item.stage)) + "\"");
    const double noteWidth = static_cast<double>(note.size()) * 6.5;
    const bool isTall = box.height > 30;
    text(box.x + 12, isTall ? box.y + 18 : box.centerY() + 4, isTall ? "bold" : "",
         fitted(title, box.width - 28 - (isTall ? noteWidth : 0), 13));
    if (!isTall)
        return;
    text(box.right() - 10, box.y + 18, "small right", fitted(note, box.width / 2, 11));
    text(box.x + 12, box.y + 35, "small", fitted(detailOf(item), box.width - 22, 11));
}

void SvgWriter::writeBoundary(const BoundaryLine& line)
{
    const double left = -gutter - margin / 2;
    m_text += "<line x1=\"" + number(left) + "\" y1=\"" + number(line.y) + "\" x2=\"" +
              number(m_layout.size.width + margin / 2) + "\" y2=\"" + number(line.y) + "\" stroke=\"" +
              std::string(m_palette.text) + "\" stroke-width=\"1.5\"/>\n";
    const Rect handle{left, line.y - 12, 56, 24};
    rect(handle, 12,
         "fill=\"" + std::string(m_palette.card) + "\" stroke=\"" + std::string(m_palette.text) + "\"");
    const std::size_t stage = line.boundary.index() + 1;
    text(handle.centerX(), line.y + 4, "middle", std::to_string(stage) + " | " + std::to_string(stage + 1));
}

} // namespace

std::string layoutSvg(const Layout& layout, const SvgOptions& options)
{
    return SvgWriter(layout, options).write();
}

} // namespace stagecraft
