// ScratchFolder: a folder of one's own, for temporary files, that disappears with the object.
#pragma once

#include "core/base/temporary_name.h"

#include <filesystem>
#include <system_error>

namespace stagecraft {

class ScratchFolder
{
public:
    ScratchFolder()
    {
        std::error_code failure;
        const std::filesystem::path parent = std::filesystem::temp_directory_path(failure);
        const std::filesystem::path path = parent / ("stagecraft-" + unguessableText(12));
        if (!failure && std::filesystem::create_directory(path, failure))
            m_path = path;
    }
    ~ScratchFolder()
    {
        std::error_code ignored;
        if (!m_path.empty())
            std::filesystem::remove_all(m_path, ignored);
    }
    ScratchFolder(const ScratchFolder&) = delete;
    ScratchFolder& operator=(const ScratchFolder&) = delete;

    const std::filesystem::path& path() const { return m_path; } // empty where it cannot be made

private:
    std::filesystem::path m_path;
};

} // namespace stagecraft
