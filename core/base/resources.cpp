#include "core/base/resources.h"

#include <cstdlib>

namespace stagecraft {
namespace {

// The folder that bin/ is in, where the program is in a bin/ at all.
std::filesystem::path installationFolder()
{
    std::error_code ignored;
    const std::filesystem::path program = std::filesystem::read_symlink("/proc/self/exe", ignored);
    return program.parent_path().parent_path();
}

} // namespace

std::filesystem::path resourceFolder()
{
    namespace fs = std::filesystem;
    if (const char* chosen = std::getenv("STAGECRAFT_RESOURCES"); chosen && *chosen)
        return chosen;
    std::error_code ignored;
    const fs::path installed = installationFolder() / "share" / "stagecraft";
    return fs::is_directory(installed, ignored) ? installed : STAGECRAFT_SOURCE_RESOURCES;
}

std::filesystem::path bundleFolder()
{
    std::error_code ignored;
    const std::filesystem::path folder = installationFolder() / "lib" / "stagecraft";
    return std::filesystem::is_directory(folder / "bin", ignored) ? folder : std::filesystem::path();
}

std::filesystem::path userDataFolder()
{
    const auto folder = [](const char* variable) {
        const char* value = std::getenv(variable);
        const std::filesystem::path path = value ? value : "";
        return path.is_absolute() ? path : std::filesystem::path();
    };
    if (const std::filesystem::path data = folder("XDG_DATA_HOME"); !data.empty())
        return data / "stagecraft";
    const std::filesystem::path home = folder("HOME");
    return home.empty() ? home : home / ".local" / "share" / "stagecraft";
}

std::string helperProgram(const std::string& name)
{
    std::error_code ignored;
    const std::filesystem::path bundled = bundleFolder() / "bin" / name;
    return bundled.is_absolute() && std::filesystem::exists(bundled, ignored) ? bundled.string() : name;
}

} // namespace stagecraft
