#include "core/profile/device/own_devices.h"

#include "core/base/output_file.h"

#include <algorithm>
#include <system_error>
#include <utility>

namespace stagecraft {

namespace fs = std::filesystem;

namespace {

// "My H100 (8x)" as a file's name: "my-h100-8x".
std::string slugOf(std::string_view name)
{
    std::string id;
    for (const char c : name) {
        const bool isUpper = c >= 'A' && c <= 'Z';
        const bool isKept = isUpper || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
        if (isKept)
            id += isUpper ? static_cast<char>(c - 'A' + 'a') : c;
        else if (!id.empty() && id.back() != '-')
            id += '-';
    }
    constexpr std::size_t most = 60;
    id.resize(std::min(id.size(), most));
    while (id.ends_with('-'))
        id.pop_back();
    return id.empty() ? "device" : id;
}

bool hasDevice(const std::vector<DeviceSpec>& devices, std::string_view id)
{
    return std::ranges::find(devices, id, &DeviceSpec::id) != devices.end();
}

} // namespace

OwnDevices::OwnDevices(std::vector<DeviceSpec> comeAlong, fs::path folder)
    : m_comeAlong(std::move(comeAlong)), m_folder(std::move(folder))
{
    refresh();
}

bool OwnDevices::isOwn(std::string_view id) const
{
    return hasDevice(m_all, id) && !hasDevice(m_comeAlong, id);
}

void OwnDevices::refresh()
{
    m_all = m_comeAlong;
    m_unreadable.clear();
    std::vector<fs::path> files;
    std::error_code none; // no folder: no device of one's own yet
    for (const fs::directory_entry& entry : fs::directory_iterator(m_folder, none))
        if (entry.path().extension() == ".json")
            files.push_back(entry.path());
    std::ranges::sort(files);
    for (const fs::path& file : files) {
        Result<DeviceSpec> device = readDevice(file);
        if (!device.has_value())
            m_unreadable.push_back(device.error());
        else if (hasDevice(m_comeAlong, device->id))
            m_unreadable.push_back({ErrorCode::BadFormat, file.string() + ": a device called '" + device->id +
                                                              "' comes with Stagecraft; rename the file"});
        else
            m_all.push_back(*std::move(device));
    }
}

Result<std::string> OwnDevices::write(DeviceSpec device)
{
    if (m_folder.empty())
        return Error{ErrorCode::NotFound, "there is no folder for devices of one's own; set HOME"};
    if (device.id.empty())
        device.id = freeId(slugOf(device.name));
    if (hasDevice(m_comeAlong, device.id))
        return Error{ErrorCode::BadUsage,
                     "'" + device.id + "' comes with Stagecraft and is not changed; duplicate it first"};
    const std::string text = deviceJson(device) + '\n';
    STAGECRAFT_TRY(deviceFromText(text, fileOf(device.id))); // else it could not be read again
    std::error_code problem;
    fs::create_directories(m_folder, problem);
    if (problem)
        return Error{ErrorCode::Failed, m_folder.string() + ": cannot be made: " + problem.message()};
    STAGECRAFT_TRY(writeTextFile(fileOf(device.id), text));
    refresh();
    return device.id;
}

Result<std::string> OwnDevices::import(const fs::path& file)
{
    STAGECRAFT_ASSIGN(device, readDevice(file));
    device.id = freeId(slugOf(device.id));
    return write(std::move(device));
}

Result<void> OwnDevices::remove(std::string_view id)
{
    if (!isOwn(id))
        return Error{ErrorCode::BadUsage, "'" + std::string(id) + "' is no device of one's own"};
    std::error_code problem;
    fs::remove(fileOf(id), problem);
    if (problem)
        return Error{ErrorCode::Failed, fileOf(id).string() + ": cannot be deleted: " + problem.message()};
    refresh();
    return {};
}

fs::path OwnDevices::fileOf(std::string_view id) const
{
    return m_folder / (std::string(id) + ".json");
}

// Also of files that cannot be read.
std::string OwnDevices::freeId(const std::string& wanted) const
{
    std::string id = wanted;
    std::error_code ignored;
    for (int i = 2; hasDevice(m_comeAlong, id) || fs::exists(fileOf(id), ignored); ++i)
        id = wanted + "-" + std::to_string(i);
    return id;
}

} // namespace stagecraft
