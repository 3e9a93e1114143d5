#include "core/base/same_file.h"

#include <system_error>

namespace stagecraft {

bool isSameFile(const std::filesystem::path& a, const std::filesystem::path& b)
{
    namespace fs = std::filesystem;
    std::error_code failure;
    const fs::file_status there = fs::status(a, failure);
    if (fs::is_other(there))
        return false;
    if (fs::exists(there))
        return fs::equivalent(a, b, failure) && !failure;
    if (a.empty() || b.empty() || fs::exists(b, failure))
        return false;
    const fs::path whole = fs::weakly_canonical(fs::absolute(a, failure), failure);
    return !failure && whole == fs::weakly_canonical(fs::absolute(b, failure), failure) && !failure;
}

} // namespace stagecraft
