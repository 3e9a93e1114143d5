// FieldReader: the fields of a plan file's objects, checked one by one.
#pragma once

#include "core/base/result.h"
#include "core/plan/request.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace stagecraft {

// Reads fields of a JSON object; the first one that is not what it should be is kept as an error.
class FieldReader
{
public:
    using Json = nlohmann::ordered_json;

    // `json` outlives it; `file` is named in errors.
    FieldReader(const Json& json, std::string file) : m_json(json), m_file(std::move(file)) {}

    // Null where it is not there; null in the file is a value, which no field but findUnlessNull()'s takes.
    const Json* find(const char* field) const
    {
        const auto found = m_json.find(field);
        return found == m_json.end() ? nullptr : &*found;
    }
    // Of a field that says "none" by null.
    const Json* findUnlessNull(const char* field) const
    {
        const Json* json = find(field);
        return json && json->is_null() ? nullptr : json;
    }
    void fail(const std::string& field, const std::string& expected)
    {
        if (!m_error)
            m_error = Error{ErrorCode::BadFormat, m_file + ": '" + field + "' is not " + expected};
    }
    void read(const char* field, std::size_t& value)
    {
        readAs(field, &Json::is_number_unsigned, "a whole number", value);
    }
    void read(const char* field, bool& value) { readAs(field, &Json::is_boolean, "true or false", value); }
    void read(const char* field, double& value) { readAs(field, &Json::is_number, "a number", value); }
    void read(const char* field, std::string& value) { readAs(field, &Json::is_string, "a text", value); }
    void read(const RequestField& field, PlanRequest& request)
    {
        const std::string name(field.name);
        const Json* json = find(name.c_str());
        if (!json)
            return;
        if (field.choices ? !json->is_string() : !json->is_number_unsigned())
            return fail(name, field.choices ? "a text" : "a whole number");
        const Result<void> parsed =
            field.parse(request, field.choices ? json->get<std::string>() : json->dump());
        if (!parsed.has_value())
            fail(name, "known (" + parsed.error().message + ")");
    }
    // What a reader of a part of this found wrong.
    void adopt(const FieldReader& part)
    {
        if (!m_error)
            m_error = part.m_error;
    }
    // None, and a fault, where it is no object.
    const Json* findObject(const char* field)
    {
        const Json* json = find(field);
        if (!json || json->is_object())
            return json;
        fail(field, "an object");
        return nullptr;
    }
    void readNames(const std::string& field, const Json& json, std::vector<std::string>& names)
    {
        if (!json.is_array() || !std::ranges::all_of(json, &Json::is_string))
            return fail(field, "a list of names");
        for (const Json& name : json)
            names.push_back(name.get<std::string>());
    }
    template <class Visit>
    void forEach(const char* field, Visit&& visit)
    {
        const Json* json = find(field);
        if (json && !json->is_array())
            fail(field, "a list");
        else if (json)
            std::ranges::for_each(*json, visit);
    }
    void readStages(const char* field, std::map<std::string, std::size_t>& stages)
    {
        const Json* json = find(field);
        if (!json)
            return;
        if (!json->is_object())
            return fail(field, "an object");
        for (const auto& [name, stage] : json->items()) {
            if (!stage.is_number_unsigned() || stage.get<std::size_t>() >= UINT32_MAX) // as many as ids tell
                return fail(field, "an object of stage numbers");
            stages[name] = stage.get<std::size_t>();
        }
    }
    const std::optional<Error>& error() const { return m_error; }

private:
    template <class Value>
    void readAs(const char* field, bool (Json::*isKind)() const noexcept, const char* kind, Value& value)
    {
        const Json* json = find(field);
        if (json && !(json->*isKind)())
            fail(field, kind);
        else if (json)
            value = json->get<Value>();
    }

    const Json& m_json;
    std::string m_file;
    std::optional<Error> m_error;
};

} // namespace stagecraft
