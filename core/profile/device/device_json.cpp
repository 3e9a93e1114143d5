#include "core/profile/device/device.h"

#include <nlohmann/json.hpp>

namespace stagecraft {

namespace {

using nlohmann::ordered_json;

ordered_json curvesJson(const std::array<EfficiencyCurve, operatorClassCount>& curves)
{
    ordered_json document = ordered_json::object();
    for (std::size_t i = 0; i < curves.size(); ++i)
        if (!curves[i].isEmpty())
            document[std::string(operatorClassName(static_cast<OperatorClass>(i)))] = curves[i].points();
    return document;
}

// Rows of [bytes, seconds], or of [rows, columns, depth, batch, seconds].
ordered_json operatorsJson(const std::map<std::string, OperatorTimes, std::less<>>& operators)
{
    ordered_json document = ordered_json::object();
    for (const auto& [name, times] : operators) {
        ordered_json& rows = document[name] = ordered_json::array();
        for (const auto& [bytes, seconds] : times.points())
            rows.push_back({bytes, seconds});
        for (const auto& [shape, time] : times.shapes())
            rows.push_back({shape.rows, shape.columns, shape.depth, shape.batch, time.value()});
    }
    return document;
}

ordered_json tilesJson(const std::vector<MatrixTile>& tiles)
{
    ordered_json list = ordered_json::array();
    for (const MatrixTile& tile : tiles)
        list.push_back({tile.rows, tile.columns, tile.efficiency});
    return list;
}

ordered_json sourcesJson(const std::map<std::string, FigureSource>& sources)
{
    ordered_json document = ordered_json::object();
    for (const auto& [field, source] : sources)
        document[field] = {{"basis", std::string(basisName(source.basis))}, {"from", source.from}};
    return document;
}

// [share, depth, wave loss]; of a kernel of its own also the step of the depth, and its tile: rows, columns.
ordered_json productJson(const ProductRate& rate)
{
    ordered_json row{rate.share, rate.law.depth, rate.law.waveLoss};
    if (!rate.tiles.empty()) {
        row.push_back(rate.law.depthStep);
        row.push_back(rate.tiles.front().rows);
        row.push_back(rate.tiles.front().columns);
    }
    return row;
}

ordered_json productsJson(const std::map<DType, ProductRate>& rates)
{
    ordered_json document = ordered_json::object();
    for (const auto& [dtype, rate] : rates)
        document[std::string(shortName(dtype))] = productJson(rate);
    return document;
}

ordered_json kernelsJson(const KernelRates& kernels)
{
    return {{"single_products", productsJson(kernels.single)},
            {"batched_products", productsJson(kernels.batched)},
            {"depthwise", kernels.depthwise},
            {"narrow_groups", kernels.narrowGroups},
            {"wide_groups", kernels.wideGroups},
            {"transposing", kernels.transposing},
            {"list_launch", kernels.listLaunch}};
}

ordered_json accuracyJson(const std::vector<Accuracy>& accuracy)
{
    ordered_json list = ordered_json::array();
    for (const Accuracy& entry : accuracy) {
        list.push_back({{"what", entry.what},
                        {"against", entry.against},
                        {"cases", entry.cases},
                        {"mean_error", entry.meanError},
                        {"usual_error", entry.usualError}});
        if (!entry.of.empty())
            list.back()["of"] = entry.of;
    }
    return list;
}

// Members of what is there.
void addHost(const DeviceSpec& device, ordered_json& document)
{
    const HostTimes& host = device.host;
    const auto add = [&](const char* field, Seconds time) {
        if (time > Seconds{})
            document[field] = time.value();
    };
    add("dispatch_overhead", device.dispatchOverhead);
    add("view_dispatch_overhead", host.view);
    add("backward_view_dispatch_overhead", host.backwardView);
    if (host.unrecorded < 1)
        document["unrecorded_dispatch"] = host.unrecorded;
    add("gradient_overhead", host.gradient);
    add("optimizer_overhead", host.optimizerStep);
    add("optimizer_dispatch_overhead", host.optimizerHandover);
}

} // namespace

std::string deviceJson(const DeviceSpec& device)
{
    ordered_json peaks;
    for (const auto& [dtype, flops] : device.peakFlops)
        peaks[std::string(shortName(dtype))] = flops;
    ordered_json document{{"name", device.name},
                          {"kind", device.kind},
                          {"provenance", device.provenance},
                          {"memory_bytes", device.memory.count()},
                          {"context_bytes", device.contextMemory.count()},
                          {"memory_bandwidth", device.memoryBandwidth},
                          {"link_bandwidth", device.linkBandwidth},
                          {"link_latency", device.linkLatency.value()},
                          {"launch_overhead", device.launchOverhead.value()},
                          {"vector_flops", device.vectorFlops},
                          {"peak_flops", std::move(peaks)},
                          {"matrix_efficiency", device.matrixEfficiency},
                          {"memory_efficiency", device.memoryEfficiency},
                          {"curves", curvesJson(device.curves)},
                          {"sources", sourcesJson(device.sources)}};
    if (device.kind == "cuda")
        document["compute_capability"] = device.computeCapability;
    addHost(device, document);
    if (device.tf32Flops > 0)
        document["tf32_flops"] = device.tf32Flops;
    if (!device.operators.empty())
        document["operators"] = operatorsJson(device.operators);
    if (!device.tiles.empty())
        document["matrix_tiles"] = tilesJson(device.tiles);
    if (device.multiprocessors > 0)
        document["multiprocessors"] = device.multiprocessors;
    if (device.kernels.cache > Bytes(0))
        document["cache_bytes"] = device.kernels.cache.count();
    if (device.backwardDispatch > Seconds{})
        document["backward_dispatch_overhead"] = device.backwardDispatch.value();
    if (device.kind == "cuda")
        document["kernels"] = kernelsJson(device.kernels);
    if (!device.accuracy.empty())
        document["accuracy"] = accuracyJson(device.accuracy);
    return document.dump(1, ' ', false, ordered_json::error_handler_t::replace);
}

} // namespace stagecraft
