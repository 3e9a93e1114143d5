#include "core/load/pytree.h"

#include "core/base/json_text.h"
#include "core/load/json_view.h"

#include <nlohmann/json.hpp>

namespace stagecraft {

namespace {

// Of nested arguments; far below what the stack and the JSON parser allow.
constexpr int maxTreeDepth = 100;
constexpr std::int64_t knownProtocol = 1;

Result<Pytree> readTree(const JsonView& json, int depth)
{
    if (depth > maxTreeDepth)
        return Error{ErrorCode::BadFormat, "the arguments are nested too deeply"};
    if (!json.isObject())
        return json.wrong("a tree");
    Pytree tree;
    if (json["type"].isNull())
        return tree;
    STAGECRAFT_ASSIGN(type, json["type"].string());
    tree.type = type;
    if (json["context"].isString())
        tree.context = *json["context"].string();
    else
        tree.context = json["context"].text();
    STAGECRAFT_ASSIGN(children, json["children_spec"].elements());
    for (const JsonView& child : children) {
        STAGECRAFT_ASSIGN(subtree, readTree(child, depth + 1));
        tree.children.push_back(std::move(subtree));
    }
    return tree;
}

// Python writes a tuple as a list, and a member of an enum as {"__enum__": true, "fqn": ..., "name": "RED"}.
PytreeKey keyOf(const JsonView& json, int depth)
{
    using KeyKind = PytreeKey::Kind;
    if (json.isString())
        return {KeyKind::Text, std::string(*json.string())};
    if (json.isNull())
        return {KeyKind::None, "None"};
    if (json.isBool())
        return {KeyKind::Truth, *json.boolean() ? "true" : "false"};
    if (json.isObject() && json["name"].isString())
        return {KeyKind::Member, std::string(*json["name"].string())};
    if (!json.isList() || depth > maxTreeDepth) // a number, or nothing that Python writes
        return {json.number().has_value() ? KeyKind::Number : KeyKind::Text, json.text()};
    PytreeKey tuple{KeyKind::Tuple, "("};
    const auto elements = json.elements();
    for (const JsonView& element : *elements) {
        tuple.elements.push_back(keyOf(element, depth + 1));
        tuple.text += (tuple.elements.size() > 1 ? ", " : "") + tuple.elements.back().text;
    }
    tuple.text += ")";
    return tuple;
}

nlohmann::ordered_json treeJson(const Pytree& tree)
{
    nlohmann::ordered_json json;
    json["type"] = tree.isLeaf() ? nlohmann::ordered_json(nullptr) : nlohmann::ordered_json(tree.type);
    json["context"] = tree.isLeaf() ? nlohmann::ordered_json(nullptr) : nlohmann::ordered_json(tree.context);
    json["children_spec"] = nlohmann::ordered_json::array();
    for (const Pytree& child : tree.children)
        json["children_spec"].push_back(treeJson(child));
    return json;
}

} // namespace

std::vector<PytreeKey> Pytree::keys() const
{
    std::vector<PytreeKey> keys;
    const bool isDict =
        type == "builtins.dict" || type == "collections.OrderedDict" || type == "collections.defaultdict";
    const Result<JsonDocument> document =
        isDict ? JsonDocument::parse(context) : Error{ErrorCode::BadFormat, "no dict"};
    if (!document.has_value())
        return keys;
    const JsonView root = document.value().root();
    const auto elements = root.isObject() ? root["dict_context"].elements() : root.elements();
    if (!elements.has_value())
        return keys;
    for (const JsonView& key : *elements)
        keys.push_back(keyOf(key, 0));
    return keys;
}

std::vector<std::string> Pytree::dictKeys() const
{
    std::vector<std::string> texts;
    for (PytreeKey& key : keys())
        texts.push_back(std::move(key.text));
    return texts;
}

std::vector<std::string> Pytree::fieldNames() const
{
    std::vector<std::string> names = dictKeys();
    const Result<nlohmann::json> document = parseJson<nlohmann::json>(context, "context");
    if (!names.empty() || !document.has_value())
        return names;
    // A dataclass lists the fields that hold something, and then those that are None.
    const nlohmann::json& all = *document;
    const bool isOfDataclass = all.is_array() && all.size() == 2 && all[0].is_array();
    const nlohmann::json& fields = isOfDataclass ? all[0] : all;
    if (fields.is_array())
        for (const nlohmann::json& name : fields)
            if (name.is_string())
                names.push_back(name.get<std::string>());
    return names;
}

std::size_t leafCount(const Pytree& tree)
{
    if (tree.isLeaf())
        return 1;
    std::size_t count = 0;
    for (const Pytree& child : tree.children)
        count += leafCount(child);
    return count;
}

Result<Pytree> parsePytree(std::string_view json)
{
    STAGECRAFT_ASSIGN(document, JsonDocument::parse(json));
    STAGECRAFT_ASSIGN(parts, document.root().elements());
    if (parts.size() != 2)
        return Error{ErrorCode::BadFormat, "a description of nested arguments is damaged"};
    STAGECRAFT_ASSIGN(protocol, parts[0].integer());
    if (protocol != knownProtocol)
        return Error{ErrorCode::Unsupported,
                     "nested arguments are described by protocol " + std::to_string(protocol)};
    return readTree(parts[1], 0);
}

std::string pytreeJson(const Pytree& tree)
{
    nlohmann::ordered_json json = nlohmann::ordered_json::array();
    json.push_back(knownProtocol);
    json.push_back(treeJson(tree));
    return json.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
}

Pytree leafPytree()
{
    return {};
}

Pytree tuplePytree(std::vector<Pytree> children)
{
    return {"builtins.tuple", "null", std::move(children)};
}

Pytree dictPytree(const std::vector<std::string>& keys, std::vector<Pytree> children)
{
    using Json = nlohmann::json;
    return {"builtins.dict", Json(keys).dump(-1, ' ', false, Json::error_handler_t::replace),
            std::move(children)};
}

} // namespace stagecraft
