#include "core/base/available_memory.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string>

namespace stagecraft {

namespace {

namespace fs = std::filesystem;

Bytes availableOnMachine()
{
    std::ifstream file("/proc/meminfo");
    std::string name;
    std::int64_t kibibytes = 0;
    for (std::string unit; file >> name >> kibibytes && std::getline(file, unit);)
        if (name == "MemAvailable:")
            return Bytes(kibibytes) * 1024;
    return Bytes::max();
}

// None where there is no such file, or it says "max".
std::optional<std::int64_t> numberIn(const fs::path& path)
{
    std::ifstream file(path);
    std::int64_t number = 0;
    return file >> number ? std::optional(number) : std::nullopt;
}

// What the group and those around it leave; pages of files that it could give back do not count as taken.
Bytes availableInGroup()
{
    std::ifstream file("/proc/self/cgroup");
    std::string line;
    fs::path group;
    while (std::getline(file, line))
        if (line.starts_with("0::/"))
            group = fs::path("/sys/fs/cgroup") / line.substr(4);
    Bytes least = Bytes::max();
    for (; group.string().starts_with("/sys/fs/cgroup"); group = group.parent_path()) {
        const std::optional<std::int64_t> limit = numberIn(group / "memory.max");
        const std::optional<std::int64_t> taken = numberIn(group / "memory.current");
        if (!limit || !taken)
            continue;
        std::int64_t files = 0;
        std::ifstream kinds(group / "memory.stat");
        for (std::string kind; kinds >> kind >> files;)
            if (kind == "inactive_file")
                break;
        least = std::min(least, Bytes(std::max<std::int64_t>(0, *limit - *taken + (kinds ? files : 0))));
    }
    return least;
}

} // namespace

Bytes availableMemory()
{
    return std::min(availableOnMachine(), availableInGroup());
}

} // namespace stagecraft
