#include "cli/command.h"
#include "cli/option_checks.h"
#include "cli/profile_options.h"
#include "cli/terminal.h"
#include "core/base/resources.h"
#include "core/base/text.h"
#include "core/profile/device/device.h"
#include "core/profile/device/shown_accuracy.h"

#include <cmath>
#include <functional>

namespace stagecraft::cli {
namespace {

using nlohmann::ordered_json;

ordered_json sourcesJson(const DeviceSpec& device)
{
    ordered_json sources = ordered_json::object();
    for (const auto& [field, source] : device.sources)
        sources[field] = {{"basis", basisName(source.basis)}, {"from", source.from}};
    return sources;
}

ordered_json figuresOf(const DeviceSpec& device)
{
    return ordered_json::parse(deviceJson(device));
}

ordered_json describe(const DeviceSpec& device)
{
    ordered_json peaks;
    for (const auto& [dtype, flops] : device.peakFlops)
        peaks[std::string(shortName(dtype))] = flops;
    return {{"id", device.id},
            {"name", device.name},
            {"kind", device.kind},
            {"memory_bytes", device.memory.count()},
            {"context_bytes", device.contextMemory.count()},
            {"memory_bandwidth_bytes_per_s", device.memoryBandwidth},
            {"link_bandwidth_bytes_per_s", device.linkBandwidth},
            {"link_latency_s", device.linkLatency.value()},
            {"launch_overhead_s", device.launchOverhead.value()},
            {"peak_flops", std::move(peaks)},
            {"provenance", device.provenance},
            {"accuracy", figuresOf(device).value("accuracy", ordered_json::array())},
            {"sources", sourcesJson(device)}};
}

// "kernels.single_products.f16": a field of a field. Null: the file leaves it out.
const ordered_json* figureAt(const ordered_json& figures, const std::string& field)
{
    if (const auto found = figures.find(field); found != figures.end())
        return &*found;
    for (std::size_t dot = field.find('.'); dot != std::string::npos; dot = field.find('.', dot + 1))
        if (const auto owner = figures.find(field.substr(0, dot));
            owner != figures.end() && owner->is_object())
            if (const ordered_json* found = figureAt(*owner, field.substr(dot + 1)))
                return found;
    return nullptr;
}

void printAccuracy(const DeviceSpec& device)
{
    printFormatted("\ntimes: %s\n", accuracyText(device.accuracy).c_str());
    for (const Accuracy& entry : device.accuracy)
        printFormatted("  %d %s: %.1f %% off on average, four of five within %.1f %%\n    %s\n", entry.cases,
                       entry.what.c_str(), 100 * entry.meanError, 100 * entry.usualError,
                       entry.against.c_str());
}

// Measured times of operators fill pages; the file has them.
std::string shortened(std::string text)
{
    constexpr std::size_t most = 200;
    if (text.size() > most)
        text.replace(most, std::string::npos, " ...");
    return text;
}

// Every figure with where it comes from.
Result<void> showDevice(const std::string& name, bool asJson)
{
    STAGECRAFT_ASSIGN(device, namedDevice(name));
    if (asJson) {
        printJson(describe(device));
        return {};
    }
    printFormatted("%s\n%s\n\n", device.name.c_str(), device.provenance.c_str());
    const ordered_json figures = figuresOf(device);
    for (const auto& [field, source] : device.sources) {
        const ordered_json* figure = figureAt(figures, field);
        printFormatted("%-24s %s\n%-24s   %s: %s\n", field.c_str(),
                       figure ? shortened(figure->dump()).c_str() : "-", "",
                       std::string(basisName(source.basis)).c_str(), source.from.c_str());
    }
    printAccuracy(device);
    return {};
}

// How far off its times usually are.
std::string checkedText(const DeviceSpec& device)
{
    const Accuracy* const shown = shownAccuracy(device.accuracy);
    return shown ? formatted("times within %ld %%", std::lround(100 * shown->usualError))
                 : "times not checked";
}

// How many characters the longest takes.
template <class Text>
int widthOf(const std::vector<DeviceSpec>& devices, Text text)
{
    std::size_t width = 0;
    for (const DeviceSpec& device : devices)
        width = std::max(width, std::invoke(text, device).size());
    return static_cast<int>(width);
}

void printRows(const std::vector<DeviceSpec>& devices)
{
    const int ids = widthOf(devices, &DeviceSpec::id), names = widthOf(devices, &DeviceSpec::name);
    for (const DeviceSpec& device : devices)
        printFormatted("%-*s  %-*s  %8s %6.0f GB/s  %s\n", ids, device.id.c_str(), names, device.name.c_str(),
                       formatBytes(device.memory).c_str(), device.memoryBandwidth / 1e9,
                       checkedText(device).c_str());
}

Result<void> listDevices(bool asJson)
{
    STAGECRAFT_ASSIGN(known, knownDevices());
    const std::vector<DeviceSpec>& devices = known.all();
    if (asJson) {
        ordered_json list = ordered_json::array();
        for (const DeviceSpec& device : devices)
            list.push_back(describe(device));
        printJson({{"devices", std::move(list)}});
        return {};
    }
    printRows(devices);
    for (const Error& error : known.unreadable())
        printFormatted("left out: %s\n", error.message.c_str());
    return {};
}

struct DevicesOptions
{
    std::string name; // empty: all
    bool json = false;
};

Result<void> devices(const DevicesOptions& options, const Progress&)
{
    return options.name.empty() ? listDevices(options.json) : showDevice(options.name, options.json);
}

} // namespace

void addDevicesCommand(CLI::App& app, Command& chosen)
{
    const auto [command, options] =
        addCommand(app, chosen, "devices", "The devices a profile can be made for", devices);
    addJson(*command, options->json);
    command->add_option("device", options->name, "Show every figure of this one, and where it comes from");
}

} // namespace stagecraft::cli
