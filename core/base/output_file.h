// OutputFile: a file being written, whose every failure (no room, no permission) is an Error that names it.
//
// Large data go out in pieces: a cancel is heard between two of them, and each reaches the disk before many
// more are handed over, so that neither a cancel nor close() has to wait for gigabytes.
#pragma once

#include "core/base/progress.h"
#include "core/base/quantities.h"
#include "core/base/result.h"
#include "core/base/sha256.h"

#include <cstddef>
#include <cstdio>
#include <filesystem>
#include <functional>
#include <memory>
#include <span>
#include <string_view>

namespace stagecraft {

class OutputFile
{
public:
    // A new file. Fails where it cannot be made, and where a file or a link to one is there: nothing is ever
    // written over or through. A pipe or a device that is there is written to. `progress` is only asked
    // whether to stop, and must outlive the file.
    static Result<OutputFile> create(const std::filesystem::path& path, const Progress& progress);

    Result<void> write(std::span<const std::byte> bytes);
    Result<void> write(std::string_view text);
    // Gives it the permissions of the file that it will replace, and its owner where that is allowed.
    Result<void> takeModeOf(const std::filesystem::path& old);
    // Puts everything on the disk; after it nothing may be written. Without it the content is unspecified.
    Result<void> close();

    Bytes size() const { return m_size; }
    // Of all that was written so far; once, and nothing may be written afterwards.
    std::string sha256() { return m_hash.finish(); }
    const std::filesystem::path& path() const { return m_path; }

private:
    struct Closer
    {
        void operator()(std::FILE* file) const;
    };

    OutputFile(std::filesystem::path path, std::FILE* file, const Progress& progress)
        : m_path(std::move(path)), m_file(file), m_progress(&progress)
    {
    }
    Result<void> writePiece(std::span<const std::byte> piece);
    Result<void> sync();

    std::filesystem::path m_path;
    std::unique_ptr<std::FILE, Closer> m_file;
    const Progress* m_progress;
    Bytes m_size;
    Sha256 m_hash;
    std::size_t m_unsynced = 0; // bytes handed over since the disk last had all
};

// How the names end under which whole files are written beside their places (base/temporary_name.h).
inline constexpr std::string_view temporaryEnding = ".part";

// A whole text file. It is written beside its place, under a name that nobody can foresee, and renamed: a
// full disk leaves an older file as it was and no half of a new one. An older file's permissions are kept, a
// link stays a link. Fails where the older file may not be written.
Result<Bytes> writeTextFile(const std::filesystem::path& path, std::string_view text);
// The same of what `fill` writes, which may be large; `progress` as of OutputFile.
Result<Bytes> writeFile(const std::filesystem::path& path, const Progress& progress,
                        const std::function<Result<void>(OutputFile&)>& fill);

} // namespace stagecraft
