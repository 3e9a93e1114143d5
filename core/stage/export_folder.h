// ExportFolder: how the files of an export take the place of an older export, or of nothing.
//
// They are written to a folder beside it, `.NAME.partial-PID-LETTERS`, which then changes places with the old
// one in a single step: whenever the program ends, NAME is the whole old export or the whole new one.
// Nobody's files are lost: only what the old export's manifest names goes; the rest is in NAME before, during
// and after, beside an export's own files in its folders as well. (Other folders, and file systems without
// hard links, follow in a second step. Where the program
// is killed between the two, the next export to NAME brings them.)
#pragma once

#include "core/base/result.h"

#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace stagecraft {

class ExportFolder
{
public:
    // Is this file one that the export is made from?
    using IsInput = std::function<bool(const std::filesystem::path&)>;

    // Makes the folder to write to, and the wanted one's parents. A link to a folder stands for the folder.
    // Also clears away what killed exports to `wanted` left behind. Fails, naming what is in the way, where
    // `wanted` is a file, a mount point, the current folder or one around it, holds files but is no export,
    // or where files of `names` are there that the export did not write, or an input would be replaced.
    static Result<std::unique_ptr<ExportFolder>>
    begin(const std::filesystem::path& wanted, const std::vector<std::string>& names, const IsInput& isInput);
    // What is not in place by now disappears.
    ~ExportFolder();
    ExportFolder(const ExportFolder&) = delete;
    ExportFolder& operator=(const ExportFolder&) = delete;

    // Where to write.
    const std::filesystem::path& path() const { return m_path; }
    // Where the files will be.
    const std::filesystem::path& wanted() const { return m_wanted; }

    // What could not be written, by the name that it would have had.
    Error named(const Error& error) const;

    // Once, when all files are written, the manifest among them. Returns what the person should know. Fails
    // where the folder cannot be replaced, or where by now there is something that would be lost; it is as it
    // was then.
    Result<std::vector<std::string>> putInPlace();

private:
    explicit ExportFolder(std::filesystem::path wanted) : m_wanted(std::move(wanted)) {}
    Result<void> make();
    Result<std::vector<std::string>> replace();

    std::filesystem::path m_wanted;
    std::filesystem::path m_path;
    std::vector<std::filesystem::path> m_madeParents; // deepest first
    int m_lock = -1;                                  // tells other programs that this one lives
};

} // namespace stagecraft
