#include "app/document/kept_request.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

#include <algorithm>
#include <cmath>

namespace stagecraft {

namespace {

constexpr double mostCounted = 1e6; // stages: what is larger is no number that anybody chose

QString shown(std::string_view text)
{
    return QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size()));
}

// Whole and within what a double holds exactly.
std::optional<std::int64_t> wholeNumber(const QJsonValue& value, double most = 9e15)
{
    const double number = value.toDouble(-1);
    if (number < 0 || number > most || number != std::floor(number))
        return std::nullopt;
    return static_cast<std::int64_t>(number);
}

QJsonObject sizesJson(const Bindings& sizes)
{
    QJsonObject json;
    for (const auto& [name, size] : sizes)
        json[shown(name)] = static_cast<qint64>(size);
    return json;
}

Bindings sizesOf(const QJsonValue& value, Bindings base)
{
    if (!value.isObject())
        return base;
    Bindings sizes;
    const QJsonObject json = value.toObject();
    for (auto size = json.begin(); size != json.end(); ++size)
        if (const auto number = wholeNumber(size.value()))
            sizes[size.key().toStdString()] = *number;
    return sizes;
}

void takeCounts(const QJsonObject& json, PartitionOptions& plan)
{
    const auto stages = wholeNumber(json["stages"], mostCounted);
    const auto each = wholeNumber(json["stages_per_device"], mostCounted);
    if (!stages || !each || *stages < 1 || *each < 1 || *stages % *each != 0)
        return;
    plan.stageCount = static_cast<std::size_t>(*stages);
    plan.stagesPerDevice = static_cast<std::size_t>(*each);
}

void takeLimits(const QJsonValue& value, PartitionOptions& plan)
{
    if (!value.isArray())
        return;
    plan.memoryLimits.clear();
    for (const QJsonValue& limit : value.toArray())
        if (const auto bytes = wholeNumber(limit))
            plan.memoryLimits.emplace_back(*bytes);
}

} // namespace

QByteArray requestJson(const PlanRequest& request)
{
    QJsonObject fields;
    for (const RequestField& field : requestFields())
        fields[shown(field.name)] = QString::fromStdString(field.print(request));
    QJsonArray limits;
    for (const Bytes limit : request.plan.memoryLimits)
        limits.append(static_cast<qint64>(limit.count()));
    const QJsonObject json{{"device", QString::fromStdString(request.device)},
                           {"fields", fields},
                           {"stages", static_cast<qint64>(request.plan.stageCount)},
                           {"stages_per_device", static_cast<qint64>(request.plan.stagesPerDevice)},
                           {"memory_limits", limits},
                           {"master_weights", static_cast<int>(request.profile.masterWeights)},
                           {"sizes", sizesJson(request.profile.bindings)},
                           {"bounds", sizesJson(request.profile.bounds)},
                           {"loss", QString::fromStdString(request.profile.lossOutput)}};
    return QJsonDocument(json).toJson(QJsonDocument::Compact);
}

PlanRequest requestOf(const QByteArray& text, PlanRequest base)
{
    const QJsonObject json = QJsonDocument::fromJson(text).object();
    const QJsonObject fields = json["fields"].toObject();
    for (const RequestField& field : requestFields())
        if (const QJsonValue value = fields[shown(field.name)]; value.isString())
            static_cast<void>(field.parse(base, value.toString().toStdString())); // or it stays
    if (json["device"].isString())
        base.device = json["device"].toString().toStdString();
    if (json["loss"].isString())
        base.profile.lossOutput = json["loss"].toString().toStdString();
    if (const auto kind = wholeNumber(json["master_weights"], static_cast<double>(MasterWeights::Float32)))
        base.profile.masterWeights = static_cast<MasterWeights>(*kind);
    base.profile.bindings = sizesOf(json["sizes"], base.profile.bindings);
    base.profile.bounds = sizesOf(json["bounds"], base.profile.bounds);
    takeCounts(json, base.plan);
    takeLimits(json["memory_limits"], base.plan);
    if (base.plan.stageCount % std::max<std::size_t>(1, base.plan.stagesEach()) != 0)
        setSchedule(base.plan, ScheduleKind::OneFOneB);
    return base;
}

} // namespace stagecraft
