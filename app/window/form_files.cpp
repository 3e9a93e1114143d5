#include "app/window/form_files.h"

#include "core/base/sha256.h"
#include "core/forms/build_form.h"
#include "core/forms/saved_form.h"
#include "core/stage/model_writer.h"

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

} // namespace

Result<FormFile> writeFormFile(const Form& form, const fs::path& folder, const Progress& progress)
{
    STAGECRAFT_ASSIGN(model, buildForm(form));
    std::error_code failure;
    fs::create_directories(folder, failure);
    const fs::path path = folder / fileNameOf(form);
    const bool isNew = !fs::exists(path, failure);
    STAGECRAFT_TRY(writeModelPt2(path, model, progress, {{formFileName, formText(form)}}));
    return FormFile{path, isNew};
}

fs::path FormFiles::folder() const
{
    return m_folder.empty() ? fs::path(m_ownFolder.path().toStdString()) : m_folder;
}

void FormFiles::add(const FormFile& file)
{
    if (file.isNew)
        m_ours.insert(file.path);
}

void FormFiles::leaveOnly(const fs::path& path)
{
    std::erase_if(m_ours, [&](const fs::path& file) {
        std::error_code failure;
        return file != path && fs::remove(file, failure);
    });
}

} // namespace stagecraft
