#include "core/base/text_file.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>

namespace stagecraft {

Result<std::string> readTextFile(const std::filesystem::path& path, Bytes most)
{
    constexpr std::size_t firstPiece = std::size_t{1} << 14, mostPiece = std::size_t{1} << 20;
    struct Closer
    {
        void operator()(std::FILE* file) const { std::fclose(file); }
    };
    const std::unique_ptr<std::FILE, Closer> file(std::fopen(path.c_str(), "rb"));
    const auto unreadable = [&] {
        return Error{ErrorCode::Unreadable, path.string() + ": cannot be read: " + std::strerror(errno)};
    };
    if (!file)
        return unreadable();
    const auto limit = static_cast<std::size_t>(std::max<std::int64_t>(most.count(), 0));
    std::string text;
    for (std::size_t got = 1, piece = firstPiece; got > 0; piece = std::min(2 * piece, mostPiece)) {
        const std::size_t before = text.size();
        text.resize(before + std::min(piece, limit - before + 1));
        got = std::fread(text.data() + before, 1, text.size() - before, file.get());
        text.resize(before + got);
        if (text.size() > limit)
            return Error{ErrorCode::Unsupported, path.string() + ": is larger than " + formatBytes(most) +
                                                     ", too large for what it is to be"};
    }
    if (std::ferror(file.get()) != 0)
        return unreadable();
    return text;
}

} // namespace stagecraft
