// JsonView: reads parsed JSON with errors that name the field. For this room's .cpp files only.
//
//     STAGECRAFT_ASSIGN(name, node["name"].string());       // error: "'name' is not a text"
//     for (JsonView element : node["inputs"].elements()) ...
//
// PyTorch's schema writes an absent field and a null one alike, so both are `isNull()`, and lists and objects
// that are null read as empty.
#pragma once

#include "core/base/result.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <simdjson.h>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace stagecraft {

class JsonView
{
public:
    JsonView(simdjson::dom::element element, std::string_view key) : m_element(element), m_key(key) {}
    explicit JsonView(std::string_view key) : m_key(key) {}

    bool isNull() const { return !m_element || m_element->is_null(); }
    bool isString() const { return m_element && m_element->is_string(); }
    bool isInteger() const { return m_element && m_element->is_int64(); }
    bool isBool() const { return m_element && m_element->is_bool(); }
    bool isList() const { return m_element && m_element->is_array(); }
    bool isObject() const { return m_element && m_element->is_object(); }
    std::string_view key() const { return m_key; }

    // Null where there is no such member, or this is no object.
    JsonView operator[](std::string_view key) const;
    // The one member of a union: {"as_int": 3}. Fails for anything else.
    Result<JsonView> onlyMember() const;

    Result<std::string_view> string() const;
    Result<std::int64_t> integer() const;
    Result<bool> boolean() const;
    // A number, or one of the texts "Infinity", "-Infinity", "NaN".
    Result<double> number() const;
    Result<std::vector<JsonView>> elements() const;
    Result<std::vector<std::pair<std::string_view, JsonView>>> members() const;
    // The JSON text itself.
    std::string text() const;

    Error wrong(const std::string& expected) const;

private:
    std::optional<simdjson::dom::element> m_element;
    std::string_view m_key; // lives as long as the document, or is a literal
};

// A parsed document. Python writes Infinity, -Infinity and NaN without quotes, which JSON forbids: they are
// read as texts. Nothing is parsed that is nested too deeply or larger than any description of a model.
class JsonDocument
{
public:
    static Result<JsonDocument> parse(std::string_view text);
    JsonView root() const { return {m_root, "document"}; }

private:
    JsonDocument() = default;

    std::unique_ptr<simdjson::dom::parser> m_parser; // owns what m_root looks at; must not move
    simdjson::dom::element m_root;
};

} // namespace stagecraft
