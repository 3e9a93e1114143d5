#include "core/import/import_messages.h"

#include "core/base/json_entry.h"

namespace stagecraft {

namespace {

constexpr const char* source = "the exporter";

Result<std::vector<ImportedValue>> readValues(const JsonEntry& list)
{
    STAGECRAFT_ASSIGN(elements, list.elements());
    std::vector<ImportedValue> values;
    for (const JsonEntry& element : elements) {
        STAGECRAFT_ASSIGN(name, element["name"].text());
        STAGECRAFT_ASSIGN(type, element["type"].text());
        values.push_back({name, type});
    }
    return values;
}

Result<ImportMessage> readVersion(const JsonEntry& message)
{
    STAGECRAFT_ASSIGN(program, message["program"].text());
    STAGECRAFT_ASSIGN(python, message["python"].text());
    STAGECRAFT_ASSIGN(torch, message["torch"].text());
    return ImportMessage(PythonVersion{program, python, torch});
}

Result<ImportMessage> readProgress(const JsonEntry& message)
{
    STAGECRAFT_ASSIGN(text, message["text"].text());
    STAGECRAFT_ASSIGN(fraction, message["fraction"].number());
    return ImportMessage(ImportProgress{text, fraction});
}

Result<ImportMessage> readModel(const JsonEntry& message)
{
    STAGECRAFT_ASSIGN(how, message["how"].text());
    STAGECRAFT_ASSIGN(parameters, message["parameters"].integer());
    STAGECRAFT_ASSIGN(bytes, message["parameter_bytes"].integer());
    STAGECRAFT_ASSIGN(structureOnly, message["structure_only"].truth());
    STAGECRAFT_ASSIGN(inputs, readValues(message["inputs"]));
    STAGECRAFT_ASSIGN(outputs, readValues(message["outputs"]));
    STAGECRAFT_ASSIGN(notes, message["notes"].texts());
    return ImportMessage(ImportedModel{how, parameters, bytes, structureOnly, inputs, outputs, notes});
}

Result<std::optional<ImportFailure::Place>> readPlace(const JsonEntry& place)
{
    if (place.isNull())
        return std::optional<ImportFailure::Place>();
    STAGECRAFT_ASSIGN(file, place["file"].text());
    STAGECRAFT_ASSIGN(line, place["line"].integer());
    STAGECRAFT_ASSIGN(function, place["function"].text());
    STAGECRAFT_ASSIGN(code, place["code"].text());
    return std::optional(ImportFailure::Place{file, line, function, code});
}

Result<std::vector<ImportFailure::Attempt>> readAttempts(const JsonEntry& list)
{
    std::vector<ImportFailure::Attempt> attempts;
    if (list.isNull())
        return attempts;
    STAGECRAFT_ASSIGN(elements, list.elements());
    for (const JsonEntry& element : elements) {
        STAGECRAFT_ASSIGN(how, element["how"].text());
        STAGECRAFT_ASSIGN(why, element["why"].text());
        attempts.push_back({how, why});
    }
    return attempts;
}

Result<ImportMessage> readFailure(const JsonEntry& message)
{
    STAGECRAFT_ASSIGN(kind, message["kind"].text());
    STAGECRAFT_ASSIGN(text, message["text"].text());
    STAGECRAFT_ASSIGN(advice, message["advice"].text());
    STAGECRAFT_ASSIGN(place, readPlace(message["place"]));
    STAGECRAFT_ASSIGN(tried, readAttempts(message["tried"]));
    return ImportMessage(ImportFailure{kind, text, advice, place, tried});
}

} // namespace

std::string failureText(const ImportFailure& failure)
{
    std::string text = failure.text;
    if (failure.place) {
        text += "; in " + failure.place->file;
        if (failure.place->line > 0)
            text += ", line " + std::to_string(failure.place->line);
        if (!failure.place->code.empty())
            text += ": `" + failure.place->code + "`";
    }
    return failure.advice.empty() ? text : text + "; " + failure.advice;
}

Result<ImportMessage> readImportMessage(std::string_view line)
{
    STAGECRAFT_ASSIGN(document, parseJson<nlohmann::json>(line, source));
    const JsonEntry message(document, source);
    STAGECRAFT_ASSIGN(type, message["type"].text());
    if (type == "started")
        return readVersion(message);
    if (type == "progress")
        return readProgress(message);
    if (type == "result")
        return readModel(message);
    if (type == "error")
        return readFailure(message);
    return message["type"].wrong("a type of message that this program knows");
}

} // namespace stagecraft
