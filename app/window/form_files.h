// FormFiles: the files of models that are made from forms, in a folder of the program's own. One gives way to
// the next, so that turning a number leaves one file and not one for each number; it stays where it was there
// before, or a plan of it was saved.
#pragma once

#include "core/base/progress.h"
#include "core/forms/form.h"

#include <QTemporaryDir>

#include <filesystem>
#include <map>
#include <memory>
#include <set>

namespace stagecraft {

// Says to other windows, of other processes too, that a file is in use: as long as it lives.
class FileInUse
{
public:
    explicit FileInUse(const std::filesystem::path& path);
    FileInUse(const FileInUse&) = delete;
    FileInUse& operator=(const FileInUse&) = delete;
    ~FileInUse();

    // The file that is there under that name is this one.
    bool isThere(const std::filesystem::path& path) const;

private:
    int m_descriptor;
};

struct FormFile
{
    std::filesystem::path path;
    bool isNew = false; // there was none of this name
    std::shared_ptr<const FileInUse> inUse;
};

// The model of a form as a file in `folder`; the same name for the same form.
Result<FormFile> writeFormFile(const Form& form, const std::filesystem::path& folder,
                               const Progress& progress);

class FormFiles
{
public:
    // Empty: a folder that goes with it.
    explicit FormFiles(std::filesystem::path folder) : m_folder(std::move(folder)) {}

    std::filesystem::path folder() const;
    void add(const FormFile& file);
    void keep(const std::filesystem::path& path) { m_ours.erase(path); }
    // All others give way, but for those that another window has in use.
    void leaveOnly(const std::filesystem::path& path);

private:
    std::filesystem::path m_folder;
    QTemporaryDir m_ownFolder;
    std::set<std::filesystem::path> m_ours; // made here and not kept
    std::map<std::filesystem::path, std::shared_ptr<const FileInUse>> m_inUse;
};

} // namespace stagecraft
