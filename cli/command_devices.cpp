#include "cli/command.h"
#include "core/base/resources.h"
#include "core/profile/device.h"

#include <cstdio>
#include <iostream>

namespace stagecraft::cli {
namespace {

using nlohmann::ordered_json;

ordered_json describe(const DeviceSpec& device)
{
    ordered_json peaks;
    for (const auto& [dtype, flops] : device.peakFlops)
        peaks[std::string(shortName(dtype))] = flops;
    return {{"id", device.id},
            {"name", device.name},
            {"kind", device.kind},
            {"memory_bytes", device.memory.count()},
            {"memory_bandwidth_bytes_per_s", device.memoryBandwidth},
            {"link_bandwidth_bytes_per_s", device.linkBandwidth},
            {"link_latency_s", device.linkLatency.value()},
            {"launch_overhead_s", device.launchOverhead.value()},
            {"peak_flops", std::move(peaks)},
            {"provenance", device.provenance}};
}

void printRow(const DeviceSpec& device)
{
    std::printf("%-16s %-28s %10s %9.0f GB/s\n", device.id.c_str(), device.name.c_str(),
                formatBytes(device.memory).c_str(), device.memoryBandwidth / 1e9);
}

Result<void> listDevices(bool asJson)
{
    STAGECRAFT_ASSIGN(devices, readDevices(resourceFolder() / "devices"));
    if (asJson) {
        ordered_json list = ordered_json::array();
        for (const DeviceSpec& device : devices)
            list.push_back(describe(device));
        printJson({{"devices", std::move(list)}});
        return {};
    }
    for (const DeviceSpec& device : devices)
        printRow(device);
    std::fflush(stdout);
    return {};
}

} // namespace

void addDevicesCommand(CLI::App& app, Command& chosen)
{
    auto json = std::make_shared<bool>(false);
    CLI::App* command = app.add_subcommand("devices", "The devices a profile can be made for");
    command->add_flag("--json", *json, "For machines");
    command->callback([json, &chosen] { chosen = [json](const Progress&) { return listDevices(*json); }; });
}

} // namespace stagecraft::cli
