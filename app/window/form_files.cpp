#include "app/window/form_files.h"

#include "core/base/sha256.h"
#include "core/forms/build_form.h"
#include "core/forms/saved_form.h"
#include "core/stage/model_writer.h"

#include <sys/file.h>
#include <sys/stat.h>

#include <fcntl.h>
#include <unistd.h>

#include <vector>

namespace stagecraft {

namespace {

namespace fs = std::filesystem;

fs::path fileNameOf(const Form& form)
{
    const std::string name = formName(form);
    if (name != form.family)
        return name + ".pt2";
    std::string text = form.family;
    for (const auto& [parameter, value] : form.values)
        text += " " + parameter + " " + std::to_string(value);
    return name + "-" + sha256Of(text).substr(0, 8) + ".pt2";
}

// Removes it where no other window has it in use. What is gone otherwise is gone, too.
bool removeUnused(const fs::path& path)
{
    const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (descriptor < 0)
        return !fs::exists(path);
    std::error_code failure;
    const bool isUnused = ::flock(descriptor, LOCK_EX | LOCK_NB) == 0;
    const bool isGone = isUnused && fs::remove(path, failure);
    ::close(descriptor);
    return isGone;
}

} // namespace

FileInUse::FileInUse(const fs::path& path) : m_descriptor(::open(path.c_str(), O_RDONLY | O_CLOEXEC))
{
    if (m_descriptor >= 0)
        ::flock(m_descriptor, LOCK_SH);
}

FileInUse::~FileInUse()
{
    if (m_descriptor >= 0)
        ::close(m_descriptor);
}

bool FileInUse::isThere(const fs::path& path) const
{
    struct stat held = {};
    struct stat named = {};
    return m_descriptor >= 0 && ::fstat(m_descriptor, &held) == 0 && ::stat(path.c_str(), &named) == 0 &&
           held.st_dev == named.st_dev && held.st_ino == named.st_ino;
}

Result<FormFile> writeFormFile(const Form& form, const fs::path& folder, const Progress& progress)
{
    STAGECRAFT_ASSIGN(model, buildForm(form));
    std::error_code failure;
    fs::create_directories(folder, failure);
    const fs::path path = folder / fileNameOf(form);
    const bool isNew = !fs::exists(path, failure);
    // Another window may remove it or put its own there before it is said to be in use.
    constexpr int attempts = 5;
    for (int i = 0; i < attempts; ++i) {
        STAGECRAFT_TRY(writeModelPt2(path, model, progress, {{formFileName, formText(form)}}));
        auto inUse = std::make_shared<const FileInUse>(path);
        if (inUse->isThere(path))
            return FormFile{path, isNew, std::move(inUse)};
    }
    return Error{ErrorCode::Failed,
                 path.string() + ": other windows keep replacing it; make the model again"};
}

fs::path FormFiles::folder() const
{
    return m_folder.empty() ? fs::path(m_ownFolder.path().toStdString()) : m_folder;
}

void FormFiles::add(const FormFile& file)
{
    if (file.isNew)
        m_ours.insert(file.path);
    m_inUse[file.path] = file.inUse;
}

void FormFiles::leaveOnly(const fs::path& path)
{
    std::erase_if(m_inUse, [&](const auto& entry) { return entry.first != path; });
    std::erase_if(m_ours, [&](const fs::path& file) { return file != path && removeUnused(file); });
}

} // namespace stagecraft
