#include "core/stage/python_containers.h"

#include "core/base/contains.h"
#include "core/base/json_text.h"
#include "core/stage/model_interface.h"
#include "core/stage/python_helpers.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>

namespace stagecraft {

namespace {

constexpr std::array pythonTypes{
    std::string_view("builtins.tuple"),          std::string_view("builtins.list"),
    std::string_view("builtins.dict"),           std::string_view("collections.OrderedDict"),
    std::string_view("collections.defaultdict"), std::string_view("collections.deque")};

bool isPythons(const Pytree& tree)
{
    return tree.isLeaf() || contains(pythonTypes, std::string_view(tree.type));
}

bool isNamedTuple(const Pytree& tree)
{
    return tree.type == "collections.namedtuple";
}

// Is one of the objects in `tree`, at any depth, so?
template <class Predicate>
bool anyOf(const Pytree& tree, const Predicate& isSo)
{
    return isSo(tree) ||
           std::ranges::any_of(tree.children, [&](const Pytree& child) { return anyOf(child, isSo); });
}

nlohmann::json contextOf(const Pytree& tree)
{
    Result<nlohmann::json> context = parseJson<nlohmann::json>(tree.context, "context");
    return context.has_value() ? std::move(*context) : nlohmann::json();
}

// ", ('loss', 'scores')": the fields of a dataclass that are None, which have no leaves.
PythonText fieldsOfNothing(const Pytree& tree)
{
    const nlohmann::json context = contextOf(tree);
    if (!context.is_array() || context.size() != 2 || !context[0].is_array() || !context[1].is_array())
        return {};
    std::vector<PythonText> names;
    for (const nlohmann::json& name : context[1])
        if (name.is_string())
            names.push_back(pythonString(name.get<std::string>()));
    return names.empty() ? PythonText() : ", (" + joined(names) + ",)";
}

constexpr int deepestContext = 16;

// Plain data as Python writes it; none for what is more than that, such as members of enums.
std::optional<PythonText> dataText(const nlohmann::json& data, int depth)
{
    if (data.is_null())
        return PythonText("None");
    if (data.is_boolean())
        return data.get<bool>() ? PythonText("True") : PythonText("False");
    if (data.is_number_integer() && !data.is_number_unsigned())
        return pythonInt(data.get<std::int64_t>());
    if (data.is_number_unsigned() && data.get<std::uint64_t>() <= std::uint64_t(INT64_MAX))
        return pythonInt(data.get<std::int64_t>());
    if (data.is_string())
        return pythonString(data.get<std::string>());
    if (depth > deepestContext || !(data.is_array() || data.is_object()) || data.contains("__enum__"))
        return std::nullopt;
    std::vector<PythonText> items;
    for (const auto& [key, item] : data.items()) {
        const std::optional<PythonText> text = dataText(item, depth + 1);
        if (!text)
            return std::nullopt;
        items.push_back(data.is_array() ? *text : pythonString(key) + ": " + *text);
    }
    const PythonText all = joined(items);
    return data.is_array() ? "[" + all + "]" : "{" + all + "}";
}

// ", context=(...,)": what an object of a class that is neither dataclass nor namedtuple is made of, beside
// its parts.
PythonText contextText(const Pytree& tree)
{
    const Result<nlohmann::json> parsed = parseJson<nlohmann::json>(tree.context, "context");
    if (isNamedTuple(tree) || !parsed.has_value())
        return {};
    const nlohmann::json& context = *parsed;
    if (context.is_array() && context.size() == 2 && context[0].is_array() && context[1].is_array())
        return {}; // a dataclass
    const std::optional<PythonText> text = dataText(context, 0);
    return text ? ", context=(" + *text + ",)" : PythonText();
}

PythonText textOf(const Pytree& tree, const Pytree& plain, const std::vector<PythonText>& leaves,
                  std::size_t& leaf)
{
    if (tree.isLeaf())
        return leaves[leaf++];
    const bool isOrdered = plain.type == "collections.OrderedDict";
    const std::vector<PytreeKey> keys = plain.keys();
    std::vector<PythonText> items;
    for (std::size_t i = 0; i < tree.children.size(); ++i) {
        const PythonText item = textOf(tree.children[i], plain.children[i], leaves, leaf);
        if (i >= keys.size())
            items.push_back(item);
        else
            items.push_back(isOrdered ? "(" + pythonKey(keys[i]) + ", " + item + ")"
                                      : pythonKey(keys[i]) + ": " + item);
    }
    const PythonText all = joined(items);
    if (isOrdered)
        return "collections.OrderedDict([" + all + "])";
    if (tree.type == "collections.deque") {
        const nlohmann::json longest = contextOf(tree);
        return "collections.deque([" + all + "]" +
               (longest.is_number_integer() ? ", maxlen=" + pythonInt(longest.get<std::int64_t>())
                                            : PythonText()) +
               ")";
    }
    PythonText content = "(" + all + (items.size() == 1 ? PythonText(",)") : PythonText(")"));
    if (plain.type == "builtins.dict")
        content = "{" + all + "}";
    else if (plain.type == "builtins.list")
        content = "[" + all + "]";
    if (isPythons(tree))
        return content;
    return "registered(" + pythonString(isNamedTuple(tree) ? tree.context : tree.type) + ", " + content +
           fieldsOfNothing(tree) + contextText(tree) + ")";
}

} // namespace

PythonText partText(const Pytree& given, const PythonText& whole, std::size_t i)
{
    const std::vector<PytreeKey> keys = withPlainTypes(given).keys();
    const PythonText key = i < keys.size() ? pythonKey(keys[i]) : pythonInt(static_cast<std::int64_t>(i));
    if (i < keys.size() && keys[i].kind == PytreeKey::Kind::Member)
        return "member(" + whole + ", " + key + ")";
    if (isPythons(given) || isNamedTuple(given))
        return whole + "[" + key + "]";
    return "part(" + whole + ", " + key + ")";
}

PythonText treeText(const Pytree& tree, const std::vector<PythonText>& leaves)
{
    std::size_t leaf = 0;
    return textOf(tree, withPlainTypes(tree), leaves, leaf);
}

std::vector<PythonLiteral> functionsToTakeApart(const std::vector<Pytree>& given)
{
    const auto hasMembers = [](const Pytree& tree) { return hasKeys(tree, PytreeKey::Kind::Member); };
    const auto isObject = [](const Pytree& tree) { return !isPythons(tree) && !isNamedTuple(tree); };
    std::vector<PythonLiteral> functions;
    if (std::ranges::any_of(given, hasMembers))
        functions.push_back(memberFunction);
    if (std::ranges::any_of(given, [&](const Pytree& tree) { return anyOf(tree, isObject); }))
        functions.push_back(partFunction);
    return functions;
}

std::vector<PythonLiteral> functionsToReturn(const Pytree& tree)
{
    const auto isOther = [](const Pytree& inner) { return !isPythons(inner); };
    return anyOf(tree, isOther) ? std::vector{registeredFunction} : std::vector<PythonLiteral>();
}

} // namespace stagecraft
