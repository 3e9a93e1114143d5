#include "app/document/gallery.h"

#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

namespace stagecraft {

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
                             .subtitle = entry["subtitle"].toString(),
                             .details = entry["details"].toString()});
    }
    return cards;
}

} // namespace stagecraft
