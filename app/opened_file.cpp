#include "app/opened_file.h"

#include "core/workflow.h"

#include <QCryptographicHash>
#include <QFile>
#include <QString>

namespace stagecraft {

Result<std::string> contentFingerprint(const std::filesystem::path& path)
{
    constexpr qint64 sample = 1 << 20;
    QFile file(QString::fromStdString(path.string()));
    if (!file.open(QIODevice::ReadOnly))
        return Error{ErrorCode::Unreadable, path.string() + ": " + file.errorString().toStdString()};
    QCryptographicHash hash(QCryptographicHash::Sha256);
    hash.addData(QByteArray::number(file.size()));
    hash.addData(file.read(sample));
    if (file.size() > sample && file.seek(std::max(sample, file.size() - sample)))
        hash.addData(file.read(sample));
    return hash.result().toHex().toStdString();
}

Result<OpenedFile> openFile(const std::filesystem::path& path, const Progress& progress,
                            const std::filesystem::path& otherModel)
{
    OpenedFile opened{.path = path,
                      .modelPath = path,
                      .model = {},
                      .groups = {},
                      .plan = {},
                      .fingerprint = {},
                      .notes = {}};
    if (path.extension() == ".stagecraft") {
        STAGECRAFT_ASSIGN(plan, readPlan(path));
        opened.modelPath = plan.model;
        if (!std::filesystem::exists(opened.modelPath)) {
            const std::string gone =
                path.string() + ": its model " + opened.modelPath.string() + " is not there";
            if (otherModel.empty())
                return Error{ErrorCode::NotFound, gone + "; open the model, then the plan"};
            opened.modelPath = otherModel;
            opened.notes.push_back(gone + ": it is laid on " + otherModel.string());
        }
        opened.plan = std::move(plan);
    }
    STAGECRAFT_ASSIGN(model, openModel(opened.modelPath, progress));
    opened.notes.insert(opened.notes.end(), model.provenance.notes.begin(), model.provenance.notes.end());
    STAGECRAFT_TRY(progress.step("Grouping", 0, 2));
    opened.groups = std::make_shared<const GroupTree>(makeGroupTree(model.graph));
    STAGECRAFT_TRY(progress.step("Fingerprint", 1, 2));
    STAGECRAFT_TRY(progress.step("Grouping", 1, 2));
    STAGECRAFT_ASSIGN(fingerprint, contentFingerprint(opened.modelPath));
    opened.fingerprint = std::move(fingerprint);
    opened.model = std::make_shared<const Model>(std::move(model));
    return opened;
}

} // namespace stagecraft
