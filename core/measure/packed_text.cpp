#include "core/measure/packed_text.h"

#include <zlib.h>

#include <algorithm>
#include <array>
#include <memory>

namespace stagecraft {

// Traces shrink to a thirtieth; what unpacks to much
// more says nothing, and is not held.
Result<std::string> readPackedText(const std::filesystem::path& path, const Progress& progress)
{
    constexpr std::size_t most = std::size_t{1} << 30;
    constexpr std::size_t ordinary = std::size_t{64} << 20;
    constexpr std::size_t mostRatio = 200;
    struct Closer
    {
        void operator()(gzFile file) const { gzclose(file); }
    };
    const std::unique_ptr<gzFile_s, Closer> file(gzopen(path.c_str(), "rb"));
    std::string text;
    std::array<char, 1 << 16> piece{};
    int got = -1;
    const auto packed = [&] { return static_cast<std::size_t>(std::max<z_off_t>(gzoffset(file.get()), 1)); };
    while (file && text.size() < most && (got = gzread(file.get(), piece.data(), piece.size())) > 0) {
        if (progress.stopRequested())
            return cancelled();
        text.append(piece.data(), static_cast<std::size_t>(got));
        if (text.size() > ordinary && text.size() / mostRatio > packed())
            return Error{ErrorCode::Unsupported, path.string() + ": unpacks to more than " +
                                                     std::to_string(mostRatio) +
                                                     " times its size, which no trace does"};
    }
    int status = Z_OK;
    if (file && got == 0)
        gzerror(file.get(), &status); // an archive that breaks off
    if (!file || got < 0 || status == Z_BUF_ERROR)
        return Error{ErrorCode::Unreadable, path.string() + ": cannot be read, or breaks off"};
    if (text.size() >= most)
        return Error{ErrorCode::Unsupported, path.string() + ": is larger than 1 GiB; trace one step"};
    return text;
}

} // namespace stagecraft
