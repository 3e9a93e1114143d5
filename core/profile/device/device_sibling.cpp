#include "core/profile/device/device_sibling.h"

#include "core/base/json_text.h"
#include "core/base/resources.h"
#include "core/base/text_file.h"

#include <nlohmann/json.hpp>

#include <array>

namespace stagecraft {

namespace {

using nlohmann::json;
namespace fs = std::filesystem;

constexpr std::array lentFigures{"context_bytes",
                                 "link_latency",
                                 "launch_overhead",
                                 "gradient_overhead",
                                 "backward_dispatch_overhead",
                                 "optimizer_overhead",
                                 "optimizer_dispatch_overhead",
                                 "matrix_efficiency",
                                 "memory_efficiency",
                                 "matrix_tiles"};
// Of one host: beside a figure of operators that is the file's own, one of views would be of another.
constexpr std::array lentDispatch{"view_dispatch_overhead", "backward_view_dispatch_overhead",
                                  "unrecorded_dispatch", "dispatch_overhead"};
constexpr std::array lentTables{"curves", "kernels"};

Error problemOf(const fs::path& path, const std::string& why)
{
    return {ErrorCode::BadFormat, path.string() + ": field 'sibling' " + why};
}

// A file's stem, and nothing that leads out of the folder.
bool isDeviceName(const std::string& name)
{
    constexpr std::string_view letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_";
    return !name.empty() && name.size() <= 100 && name.find_first_not_of(letters) == std::string::npos;
}

Result<fs::path> siblingFile(const json& name, const fs::path& path)
{
    if (!name.is_string() || !isDeviceName(name.get<std::string>()))
        return problemOf(path, "must be the name of a device");
    const std::string file = name.get<std::string>() + ".json";
    std::error_code ignored;
    for (const fs::path& folder : {path.parent_path(), resourceFolder() / "devices"})
        if (fs::exists(folder / file, ignored))
            return folder / file;
    return problemOf(path,
                     "names a device whose file is neither beside this one nor comes with Stagecraft: '" +
                         name.get<std::string>() + "'");
}

Result<json> readSibling(const json& name, const fs::path& path)
{
    STAGECRAFT_ASSIGN(file, siblingFile(name, path));
    constexpr Bytes most(std::int64_t{4} << 20);
    STAGECRAFT_ASSIGN(text, readTextFile(file, most));
    STAGECRAFT_ASSIGN(sibling, parseJson<json>(text, file.string()));
    if (!sibling.is_object() || sibling.contains("sibling"))
        return problemOf(path, "names a device that has a sibling itself; name that one");
    return sibling;
}

json memberOf(const json& object, const std::string& name)
{
    return object.is_object() && object.contains(name) ? object[name] : json();
}

std::string textOf(const json& object, const char* name)
{
    const json text = memberOf(object, name);
    return text.is_string() ? text.get<std::string>() : std::string();
}

// Takes figures over, each with where it comes from.
class Borrower
{
public:
    Borrower(json& document, const json& sibling) : m_document(document), m_sibling(sibling) {}

    void borrow()
    {
        if (!m_document.contains("kind") && m_sibling.contains("kind"))
            m_document["kind"] = m_sibling["kind"];
        for (const char* figure : lentFigures)
            fill(m_document, m_sibling, figure, figure);
        if (!m_document.contains("dispatch_overhead"))
            for (const char* figure : lentDispatch)
                fill(m_document, m_sibling, figure, figure);
        for (const char* table : lentTables)
            fillTable(m_document, m_sibling, table, std::string(table) + ".");
    }

private:
    // Members of the table `name` that `to` lacks; tables in tables too.
    void fillTable(json& to, const json& from, const std::string& name, const std::string& prefix)
    {
        if (!from.contains(name) || !from[name].is_object() || (to.contains(name) && !to[name].is_object()))
            return;
        json& table = to[name];
        for (const auto& [member, value] : from[name].items())
            if (value.is_object())
                fillTable(table, from[name], member, prefix + member + ".");
            else
                fill(table, from[name], member, prefix + member);
    }

    void fill(json& to, const json& from, const std::string& name, const std::string& figure)
    {
        if (to.contains(name) || !from.contains(name))
            return;
        to[name] = from[name];
        m_document["sources"][figure] = {{"basis", "assumed"}, {"from", sourceOf(figure)}};
    }

    std::string sourceOf(const std::string& figure) const
    {
        const std::string lent = "as on its sibling, the " + textOf(m_sibling, "name");
        const json source = memberOf(memberOf(m_sibling, "sources"), figure);
        if (!source.is_object())
            return lent;
        return lent + " (" + textOf(source, "basis") + ": " + textOf(source, "from") + ")";
    }

    json& m_document;
    const json& m_sibling;
};

} // namespace

Result<json> withSibling(json document, const fs::path& path)
{
    const auto name = document.find("sibling");
    if (name == document.end())
        return document;
    STAGECRAFT_ASSIGN(sibling, readSibling(*name, path));
    json& sources = document["sources"];
    if (sources.is_null())
        sources = json::object();
    if (sources.is_object())
        Borrower(document, sibling).borrow();
    return document;
}

} // namespace stagecraft
