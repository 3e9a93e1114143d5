#include "core/measure/figures_file.h"

#include "core/measure/packed_text.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <optional>

namespace stagecraft {

namespace {

using Json = nlohmann::json;

bool isTimeName(std::string_view name)
{
    return name.starts_with("forward") || name.starts_with("backward");
}

// Reads along until it knows; holds nothing of the text.
class FiguresReader final : public Json::json_sax_t
{
public:
    bool isTrace() const { return m_isTrace; }
    // What all of the text, or as much as was read, comes to.
    std::optional<FiguresFile> found() const
    {
        if (m_hasRanks)
            return FiguresFile::MeasuredStep;
        if (m_isOverlay)
            return FiguresFile::Overlay;
        if (m_nodes == Nodes::Numbers && m_hasFormat)
            return FiguresFile::Plan;
        if (m_nodes == Nodes::Times || m_nodes == Nodes::List)
            return FiguresFile::Times;
        return m_nodes == Nodes::Records ? std::optional(FiguresFile::Overlay) : std::nullopt;
    }

    bool null() override { return true; }
    bool boolean(bool) override { return true; }
    bool number_integer(number_integer_t) override { return number(); }
    bool number_unsigned(number_unsigned_t) override { return number(); }
    bool number_float(number_float_t, const string_t&) override { return number(); }
    bool string(string_t&) override { return true; }
    bool binary(binary_t&) override { return true; }

    bool start_object(std::size_t) override
    {
        ++m_depth;
        if (isInNodes(3) && m_nodes == Nodes::None)
            m_nodes = Nodes::Records;
        return true;
    }
    bool key(string_t& name) override
    {
        if (m_depth == 1)
            return takeMember(name);
        if (isInNodes(3) && m_nodes == Nodes::Records && isTimeName(name))
            m_nodes = Nodes::Times;
        return true;
    }
    bool end_object() override { return --m_depth > 0; }
    bool start_array(std::size_t) override
    {
        ++m_depth;
        if (isInNodes(2) && m_nodes == Nodes::None)
            m_nodes = Nodes::List;
        return m_depth > 1; // a bare list is none of them
    }
    bool end_array() override { return --m_depth > 0; }
    bool parse_error(std::size_t, const std::string&, const Json::exception&) override { return false; }

private:
    // What the member "nodes" holds, by its first entries.
    enum class Nodes { None, Numbers, Records, Times, List };

    bool isInNodes(int depth) const { return m_member == "nodes" && m_depth == depth; }
    bool number()
    {
        if (isInNodes(2) && m_nodes == Nodes::None)
            m_nodes = Nodes::Numbers;
        return true;
    }
    bool takeMember(const std::string& name)
    {
        constexpr std::array<std::string_view, 3> ofOverlay{"figures", "modules", "colour_by"};
        m_member = name;
        m_isTrace = name == "traceEvents";
        m_hasRanks = name == "ranks";
        m_hasFormat = m_hasFormat || name == "format";
        m_isOverlay = m_isOverlay || std::ranges::find(ofOverlay, name) != ofOverlay.end();
        return !m_isTrace && !m_hasRanks;
    }

    int m_depth = 0;
    std::string m_member;
    Nodes m_nodes = Nodes::None;
    bool m_isTrace = false;
    bool m_hasRanks = false;
    bool m_hasFormat = false;
    bool m_isOverlay = false;
};

// Marks of the run-time, "stagecraft:F:0:3".
bool hasMarks(std::string_view text)
{
    return text.find("\"stagecraft:") != std::string_view::npos;
}

std::optional<FiguresFile> kindOfJson(std::string_view text)
{
    FiguresReader reader;
    Json::sax_parse(text, &reader);
    if (reader.isTrace())
        return hasMarks(text) ? FiguresFile::MeasuredStep : FiguresFile::Times;
    return reader.found();
}

} // namespace

Result<FiguresFile> figuresFile(std::string_view text, const std::string& name)
{
    const std::size_t begin = std::min(text.find_first_not_of(" \t\r\n"), text.size());
    std::optional<FiguresFile> found;
    if (text.substr(begin).starts_with('{'))
        found = kindOfJson(text);
    else if (text.substr(begin, text.find('\n', begin) - begin).find("forward") != std::string_view::npos)
        found = FiguresFile::Times; // a table
    if (!found)
        return Error{ErrorCode::BadFormat,
                     name + ": is no step that ran, no times or figures of ops and no plan"};
    return *found;
}

Result<FiguresFile> figuresFile(const std::filesystem::path& path, const Progress& progress)
{
    STAGECRAFT_ASSIGN(text, readPackedText(path, progress));
    return figuresFile(text, path.string());
}

} // namespace stagecraft
