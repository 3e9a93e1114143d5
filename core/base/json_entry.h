// JsonEntry: reads a parsed JSON document with errors that name the file and the entry.
//
//     STAGECRAFT_ASSIGN(name, stage["name"].text());    // "manifest.json: 'stages[2].name' is not a text"
//     STAGECRAFT_ASSIGN(inputs, stage["inputs"].elements());
//
// For .cpp files, like nlohmann/json.hpp itself.
#pragma once

#include "core/base/json_text.h"

#include <nlohmann/json.hpp>

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace stagecraft {

class JsonEntry
{
public:
    // The whole document. It must outlive all entries.
    JsonEntry(const nlohmann::json& document, std::string file) : m_json(&document), m_file(std::move(file))
    {
    }

    // A member. One that is not there reads as null, as do those of what is no object.
    JsonEntry operator[](std::string_view key) const;
    bool isNull() const { return !m_json || m_json->is_null(); }
    bool isText() const { return m_json && m_json->is_string(); }

    Result<std::string> text() const;
    Result<std::vector<std::string>> texts() const;
    Result<std::int64_t> integer() const;
    Result<std::size_t> count() const; // a whole number, 0 or more
    Result<double> number() const;     // finite
    Result<bool> truth() const;
    // The members of an object, with their names.
    Result<std::vector<std::pair<std::string, JsonEntry>>> members() const;
    Result<std::vector<JsonEntry>> elements() const;

    // "FILE: 'stages[2].name' is not EXPECTED", or is missing.
    Error wrong(const std::string& expected) const;

private:
    JsonEntry(const nlohmann::json* json, std::string file, std::string place)
        : m_json(json), m_file(std::move(file)), m_place(std::move(place))
    {
    }

    const nlohmann::json* m_json; // null: it is not there
    std::string m_file;
    std::string m_place; // "stages[2].name"; empty: the whole document
};

} // namespace stagecraft
