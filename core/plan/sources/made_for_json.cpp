#include "core/plan/sources/made_for_json.h"

#include <array>

namespace stagecraft {

namespace {

using Json = nlohmann::ordered_json;

// Of the request's fields those of the profile.
constexpr std::array<std::string_view, 7> profileFields{
    "mode", "lowering", "optimizer", "optimizer-variant", "precision", "gradients", "segments"};
constexpr std::string_view floatMasters = "float32";

Json deviceEntry(const NamedDevice& device)
{
    return {{"id", device.id}, {"name", device.name}, {"figures", device.figures}};
}

NamedDevice readDeviceEntry(const Json& json, const std::string& file, FieldReader& reader)
{
    NamedDevice device;
    FieldReader fields(json, file);
    fields.read("id", device.id);
    fields.read("name", device.name);
    fields.read("figures", device.figures);
    if (device.id.empty())
        fields.fail("id", "the name of a device");
    reader.adopt(fields);
    return device;
}

void readSizes(FieldReader& reader, const char* field, Bindings& sizes)
{
    const Json* json = reader.findObject(field);
    if (!json)
        return;
    for (const auto& [symbol, size] : json->items()) {
        const bool isWhole = size.is_number_integer() &&
                             (!size.is_number_unsigned() || size.get<std::uint64_t>() <= INT64_MAX);
        if (!isWhole || size.get<std::int64_t>() < 0)
            return reader.fail(field, "an object of sizes");
        sizes[symbol] = size.get<std::int64_t>();
    }
}

} // namespace

Json madeForJson(const MadeFor& made)
{
    Json json{{"device", deviceEntry(made.device)}};
    if (!made.stageDevices.empty()) {
        json["stage_devices"] = Json::array();
        for (const std::optional<NamedDevice>& device : made.stageDevices)
            json["stage_devices"].push_back(device ? deviceEntry(*device) : Json(nullptr));
    }
    const PlanRequest request{.profile = made.profile};
    for (const std::string_view field : profileFields)
        json[field] = requestField(field).print(request);
    json["master_weights"] =
        made.profile.masterWeights == MasterWeights::Float32 ? floatMasters : std::string_view("none");
    json["sizes"] = made.profile.bindings;
    json["bounds"] = made.profile.bounds;
    json["loss_output"] = made.profile.lossOutput;
    json["times"] = made.times;
    json["substitutes"] = made.substitutes;
    return json;
}

MadeFor readMadeFor(const Json& json, const std::string& file, FieldReader& reader)
{
    MadeFor made;
    FieldReader fields(json, file);
    const Json* device = fields.findObject("device");
    if (device)
        made.device = readDeviceEntry(*device, file, fields);
    else
        fields.fail("device", "an object");
    fields.forEach("stage_devices", [&](const Json& entry) {
        if (!entry.is_null() && !entry.is_object())
            return fields.fail("stage_devices", "a list of devices");
        made.stageDevices.push_back(entry.is_null() ? std::nullopt
                                                    : std::optional(readDeviceEntry(entry, file, fields)));
    });
    PlanRequest request;
    for (const std::string_view field : profileFields)
        fields.read(requestField(field), request);
    made.profile = std::move(request.profile);
    std::string masters;
    fields.read("master_weights", masters);
    if (!masters.empty() && masters != "none" && masters != floatMasters)
        fields.fail("master_weights", "none or float32");
    made.profile.masterWeights = masters == floatMasters ? MasterWeights::Float32 : MasterWeights::None;
    readSizes(fields, "sizes", made.profile.bindings);
    readSizes(fields, "bounds", made.profile.bounds);
    fields.read("loss_output", made.profile.lossOutput);
    fields.read("times", made.times);
    fields.read("substitutes", made.substitutes);
    reader.adopt(fields);
    return made;
}

} // namespace stagecraft
