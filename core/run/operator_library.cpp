#include "core/run/operator_library.h"

#include <dlfcn.h>
#include <exception>
#include <string>
#include <system_error>

namespace stagecraft {

Result<void> loadOperatorLibrary(const std::filesystem::path& path)
{
    std::error_code problem;
    // A bare name would be looked for in the system's folders.
    const std::filesystem::path whole = std::filesystem::absolute(path, problem);
    if (problem || !std::filesystem::is_regular_file(whole, problem))
        return Error{ErrorCode::NotFound, path.string() + ": there is no such operator library"};
    std::string reason;
    try {
        if (dlopen(whole.c_str(), RTLD_NOW | RTLD_LOCAL))
            return {};
        const char* text = dlerror();
        reason = text ? text : "the loader does not say why";
    } catch (const std::exception& exception) { // an operator that is registered twice
        reason = exception.what();
        reason.resize(std::min(reason.find('\n'), reason.size()));
    }
    return Error{ErrorCode::Failed, path.string() + ": cannot be loaded as an operator library: " + reason};
}

} // namespace stagecraft
