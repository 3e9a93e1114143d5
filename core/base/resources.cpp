#include "core/base/resources.h"

#include <cstdlib>

namespace stagecraft {

std::filesystem::path resourceFolder()
{
    namespace fs = std::filesystem;
    if (const char* chosen = std::getenv("STAGECRAFT_RESOURCES"); chosen && *chosen)
        return chosen;
    std::error_code ignored;
    const fs::path program = fs::read_symlink("/proc/self/exe", ignored);
    const fs::path installed = program.parent_path().parent_path() / "share" / "stagecraft";
    if (!program.empty() && fs::is_directory(installed, ignored))
        return installed;
    return STAGECRAFT_SOURCE_RESOURCES;
}

} // namespace stagecraft
