#include "core/forms/saved_form.h"

#include "core/base/json_text.h"
#include "core/base/sha256.h"
#include "core/forms/build_form.h"
#include "core/forms/form_json.h"
#include "core/graph/graph_text.h"
#include "core/load/extra_files.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <utility>

namespace stagecraft {

namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t mostBytes = 1 << 16;

Error notAForm(const std::string& what)
{
    return {ErrorCode::BadFormat, std::string(formFileName) + ": " + what};
}

// Is it as a program wrote it? Not every number shows in the operators: the base of rotary positions is in a
// table. The first of these files have no digest.
bool isAsWritten(std::string_view text)
{
    Result<Json> json = parseJson<Json>(text, formFileName);
    if (!json.has_value() || !json->is_object())
        return false;
    const auto digest = json->find("digest");
    if (digest == json->end())
        return true;
    const Json said = *digest;
    json->erase("digest");
    return said.is_string() && said.get<std::string>() == sha256Of(json->dump());
}

std::string textOf(const Json& value)
{
    return value.is_string() ? value.get<std::string>() : value.dump();
}

bool haveSameInputs(const Model& a, const Model& b)
{
    const auto isSame = [&](const InputSpec& first, const InputSpec& second) {
        if (first.target != second.target || first.value.has_value() != second.value.has_value())
            return false;
        if (!first.value)
            return true;
        const std::optional<TensorMeta>& one = a.graph[*first.value].meta;
        const std::optional<TensorMeta>& other = b.graph[*second.value].meta;
        return one.has_value() == other.has_value() &&
               (!one || (one->dtype == other->dtype && one->sizes == other->sizes));
    };
    return std::ranges::equal(a.signature.inputs, b.signature.inputs, isSame);
}

bool haveSameUsualSizes(const Graph& a, const Graph& b)
{
    const auto isSame = [](const auto& first, const auto& second) {
        return first.first == second.first && first.second.hint == second.second.hint;
    };
    return std::ranges::equal(a.symbolRanges(), b.symbolRanges(), isSame);
}

// Without how arguments are passed, which not every file says.
std::string plainText(const Graph& graph, NodeId node)
{
    std::string text = printNode(graph, node);
    std::erase_if(text, [](char c) { return c == ' ' || c == '?' || c == '='; });
    return text;
}

bool haveSameOperators(const Graph& a, const Graph& b)
{
    const auto isSame = [&](NodeId node) {
        return a[node].target == b[node].target && plainText(a, node) == plainText(b, node);
    };
    return a.nodeCount() == b.nodeCount() && std::ranges::all_of(a.nodes(), isSame);
}

// A layer is an operator at least: tells without making it that a form is of a far larger model.
bool hasRoomFor(const Form& form, const Graph& graph)
{
    const auto layers = form.values.find("layers");
    return layers == form.values.end() || std::cmp_less_equal(layers->second, graph.nodeCount());
}

} // namespace

std::string formText(const Form& form)
{
    Json text{{"family", form.family}, {"preset", form.preset}, {"values", formValuesJson(form)}};
    text["digest"] = sha256Of(text.dump());
    return text.dump();
}

Result<Form> readForm(std::string_view text)
{
    STAGECRAFT_ASSIGN(json, parseJson<Json>(text, formFileName));
    const auto isText = [&](const char* name) { return json.contains(name) && json[name].is_string(); };
    if (!json.is_object() || !isText("family") || !isText("preset") || !json.contains("values") ||
        !json["values"].is_object())
        return notAForm("not a form: it has no family, preset and values");
    Form form{json["family"].get<std::string>(), {}, json["preset"].get<std::string>()};
    for (const auto& [name, value] : json["values"].items())
        STAGECRAFT_TRY(setFormValue(form, name, textOf(value)));
    STAGECRAFT_ASSIGN(values, checkedForm(form));
    static_cast<void>(values);
    return form;
}

std::optional<Form> savedForm(const Model& model)
{
    if (!model.file || model.provenance.container != ContainerKind::Pt2Archive)
        return std::nullopt;
    const Result<ZipArchive> archive = ZipArchive::open({model.file->bytes(), model.file});
    if (!archive.has_value())
        return std::nullopt;
    const auto text = readExtraFile(*archive, formFileName, mostBytes);
    if (!text.has_value() || !*text)
        return std::nullopt;
    const Result<Form> form = readForm((*text)->text());
    if (!form.has_value() || !isAsWritten((*text)->text()) || !hasRoomFor(*form, model.graph))
        return std::nullopt;
    const Result<Model> made = buildForm(*form);
    if (!made.has_value() || !haveSameInputs(*made, model) || !haveSameUsualSizes(made->graph, model.graph) ||
        !haveSameOperators(made->graph, model.graph))
        return std::nullopt;
    return *form;
}

} // namespace stagecraft
