#include "core/profile/device.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <fstream>

namespace stagecraft {

namespace {

using nlohmann::json;
namespace fs = std::filesystem;

// Reads the fields of one device file and remembers the first that is missing or makes no sense.
class FieldReader
{
public:
    FieldReader(const fs::path& path, const json& document) : m_path(path), m_document(document) {}

    std::string text(const char* field)
    {
        if (const auto found = m_document.find(field); found != m_document.end() && found->is_string())
            return *found;
        fail(field, "must be a text");
        return {};
    }

    double positive(const char* field) { return positive(m_document, field); }

    double positive(const json& object, const std::string& field)
    {
        const auto found = object.find(field);
        if (found != object.end() && found->is_number()) {
            const double value = found->get<double>();
            if (std::isfinite(value) && value > 0)
                return value;
        }
        fail(field, "must be a number above 0");
        return 1;
    }

    double atLeastZero(const char* field)
    {
        const auto found = m_document.find(field);
        if (found != m_document.end() && found->is_number() && found->get<double>() >= 0)
            return found->get<double>();
        fail(field, "must be a number, 0 or more");
        return 0;
    }

    double share(const char* field)
    {
        const double value = positive(field);
        if (value > 1)
            fail(field, "must be at most 1");
        return value;
    }

    std::map<DType, double> peaks(const char* field)
    {
        std::map<DType, double> peaks;
        const auto found = m_document.find(field);
        if (found == m_document.end() || !found->is_object()) {
            fail(field, "must be an object from element type to FLOP/s");
            return peaks;
        }
        for (const auto& [name, value] : found->items()) {
            if (const std::optional<DType> dtype = dtypeFromShortName(name))
                peaks[*dtype] = positive(*found, name);
            else
                fail(field, "'" + name + "' is not an element type");
        }
        if (!peaks.contains(DType::F32))
            fail(field, "must have f32");
        return peaks;
    }

    void fail(const std::string& field, const std::string& why)
    {
        if (!m_error)
            m_error = Error{ErrorCode::BadFormat, m_path.string() + ": field '" + field + "' " + why};
    }

    const std::optional<Error>& error() const { return m_error; }

private:
    const fs::path& m_path;
    const json& m_document;
    std::optional<Error> m_error;
};

Result<json> readJson(const fs::path& path)
{
    std::ifstream file(path, std::ios::binary);
    if (!file)
        return Error{ErrorCode::Unreadable, path.string() + ": cannot be opened"};
    json document = json::parse(file, nullptr, /*allow_exceptions=*/false);
    if (!document.is_object())
        return Error{ErrorCode::BadFormat, path.string() + ": is not a JSON object"};
    return document;
}

} // namespace

Result<DeviceSpec> readDevice(const fs::path& path)
{
    STAGECRAFT_ASSIGN(document, readJson(path));
    FieldReader read(path, document);
    DeviceSpec device;
    device.id = path.stem().string();
    device.name = read.text("name");
    device.kind = read.text("kind");
    device.provenance = read.text("provenance");
    device.peakFlops = read.peaks("peak_flops");
    device.vectorFlops = read.positive("vector_flops");
    device.memoryBandwidth = read.positive("memory_bandwidth");
    device.linkBandwidth = read.positive("link_bandwidth");
    device.linkLatency = Seconds(read.positive("link_latency"));
    device.launchOverhead = Seconds(read.positive("launch_overhead"));
    device.memory = Bytes(std::llround(std::min(read.positive("memory_bytes"), 9e18)));
    device.contextMemory = Bytes(std::llround(std::min(read.atLeastZero("context_bytes"), 9e18)));
    device.matrixEfficiency = read.share("matrix_efficiency");
    device.memoryEfficiency = read.share("memory_efficiency");
    if (device.kind == "cuda")
        device.computeCapability = static_cast<int>(std::min(read.positive("compute_capability"), 1e6));
    else if (device.kind != "cpu")
        read.fail("kind", "must be 'cuda' or 'cpu'");
    if (read.error())
        return *read.error();
    return device;
}

Result<std::vector<DeviceSpec>> readDevices(const fs::path& folder)
{
    std::error_code problem;
    std::vector<fs::path> files;
    for (const fs::directory_entry& entry : fs::directory_iterator(folder, problem))
        if (entry.path().extension() == ".json")
            files.push_back(entry.path());
    if (problem)
        return Error{ErrorCode::NotFound, folder.string() + ": the folder of device files cannot be read"};
    std::ranges::sort(files);
    std::vector<DeviceSpec> devices;
    for (const fs::path& file : files) {
        STAGECRAFT_ASSIGN(device, readDevice(file));
        devices.push_back(std::move(device));
    }
    return devices;
}

Result<DeviceSpec> findDevice(const std::vector<DeviceSpec>& devices, std::string_view id)
{
    std::string known;
    for (const DeviceSpec& device : devices) {
        if (device.id == id)
            return device;
        known += (known.empty() ? "" : ", ") + device.id;
    }
    return Error{ErrorCode::BadUsage, "there is no device '" + std::string(id) + "'; there are " +
                                          (known.empty() ? "none" : known)};
}

} // namespace stagecraft
