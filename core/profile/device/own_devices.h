// OwnDevices: the devices of a person, files in a folder of theirs, beside those that come with the program.
//
//     resources/devices/h100-sxm.json          comes with the program, and is never written
//     ~/.local/share/stagecraft/devices/       one's own: made in the window, or by calibrate
#pragma once

#include "core/profile/device/device.h"

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace stagecraft {

class OwnDevices
{
public:
    // `comeAlong` are those that come with the program. An empty folder: one's own are kept nowhere.
    OwnDevices(std::vector<DeviceSpec> comeAlong, std::filesystem::path folder);

    // Those that come along, then one's own, each by its id.
    const std::vector<DeviceSpec>& all() const { return m_all; }
    bool isOwn(std::string_view id) const;
    // Files of the folder that cannot be read, or are called as one that comes along; each error names its
    // file.
    const std::vector<Error>& unreadable() const { return m_unreadable; }

    // Reads the folder again.
    void refresh();
    // Writes `device` under its id, or, if that is empty, under a new one made of its name: the answer.
    // Fails, naming the field, where it makes no sense, and where it would hide one that comes along.
    Result<std::string> write(DeviceSpec device);
    // Takes over a device file; one's own of that name is not written over, the new one gets a number.
    Result<std::string> import(const std::filesystem::path& file);
    Result<void> remove(std::string_view id);

private:
    std::filesystem::path fileOf(std::string_view id) const;
    std::string freeId(const std::string& wanted) const;

    std::vector<DeviceSpec> m_comeAlong;
    std::filesystem::path m_folder;
    std::vector<DeviceSpec> m_all;
    std::vector<Error> m_unreadable;
};

} // namespace stagecraft
