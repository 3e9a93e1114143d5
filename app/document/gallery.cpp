#include "app/document/gallery.h"

#include <QCoreApplication>
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

#include <array>

namespace stagecraft {

namespace {

// The kinds of models that the file names.
[[maybe_unused]] constexpr std::array kinds{
    QT_TRANSLATE_NOOP("Gallery", "Transformer"),        QT_TRANSLATE_NOOP("Gallery", "Residual CNN"),
    QT_TRANSLATE_NOOP("Gallery", "Mixture of experts"), QT_TRANSLATE_NOOP("Gallery", "Encoder and decoder"),
    QT_TRANSLATE_NOOP("Gallery", "Small transformer"),
};

// Those of which the file tells how large they are have no weights.
QString detailsOf(const QString& parameters)
{
    return parameters.isEmpty()
               ? QCoreApplication::translate("Gallery", "with weights: exports run")
               : QCoreApplication::translate("Gallery", "%1 parameters, no weights").arg(parameters);
}

} // namespace

Result<std::vector<GalleryCard>> galleryCards(const std::filesystem::path& resources)
{
    const std::filesystem::path folder = resources / "examples";
    const QString path = QString::fromStdString((folder / "gallery.json").string());
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly))
        return Error{ErrorCode::Unreadable, (path + ": " + file.errorString()).toStdString()};
    QJsonParseError fault;
    const QJsonDocument document = QJsonDocument::fromJson(file.readAll(), &fault);
    if (document.isNull())
        return Error{ErrorCode::BadFormat, (path + ": " + fault.errorString()).toStdString()};
    std::vector<GalleryCard> cards;
    for (const QJsonValue entry : document.array()) {
        const QString model = QString::fromStdString(folder.string()) + '/' + entry["file"].toString();
        if (QFile::exists(model))
            cards.push_back({.path = model,
                             .title = entry["title"].toString(),
                             .subtitle = QCoreApplication::translate(
                                 "Gallery", entry["subtitle"].toString().toUtf8().constData()),
                             .details = detailsOf(entry["parameters"].toString())});
    }
    return cards;
}

} // namespace stagecraft
