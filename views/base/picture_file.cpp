#include "views/base/picture_file.h"

#include <QBuffer>
#include <QFileInfo>
#include <QImage>
#include <QObject>
#include <QPainter>
#include <QPdfWriter>
#include <QSvgRenderer>

#include <algorithm>
#include <array>
#include <utility>

namespace stagecraft {

namespace {

constexpr int mostSide = 32767;                  // of an image of Qt
constexpr std::int64_t mostPixels = 200'000'000; // 800 MB while it is painted
constexpr double mostPoints = 14400;             // that a side of a page may have for all readers

bool isWithin(const QSize& size)
{
    return std::max(size.width(), size.height()) <= mostSide &&
           std::int64_t{size.width()} * size.height() <= mostPixels;
}

Result<QByteArray> pngOf(QSvgRenderer& picture)
{
    const QSize size = picture.defaultSize();
    const int scale = isWithin(size * 2) ? 2 : 1;
    if (!isWithin(size * scale))
        return Error{ErrorCode::BadUsage, "the picture has " + std::to_string(size.width()) + " x " +
                                              std::to_string(size.height()) +
                                              " pixels, more than a PNG can hold here; save it as .svg or "
                                              ".pdf, or close some boxes"};
    QImage image(size * scale, QImage::Format_RGB32);
    if (image.isNull())
        return Error{ErrorCode::BadUsage,
                     "there is no memory for so large a PNG; save the picture as .svg or .pdf"};
    image.fill(Qt::white);
    QPainter painter(&image);
    painter.setRenderHint(QPainter::Antialiasing);
    picture.render(&painter);
    painter.end();
    QByteArray bytes;
    QBuffer buffer(&bytes);
    buffer.open(QIODevice::WriteOnly);
    image.save(&buffer, "PNG");
    return bytes;
}

QByteArray pdfOf(QSvgRenderer& picture)
{
    QByteArray bytes;
    QBuffer buffer(&bytes);
    buffer.open(QIODevice::WriteOnly);
    const QSizeF size = picture.defaultSize();
    const double scale = std::min(1.0, mostPoints / std::max(size.width(), size.height()));
    QPdfWriter pdf(&buffer);
    pdf.setResolution(72); // a point is a pixel
    pdf.setPageSize(QPageSize(size * scale, QPageSize::Point, {}, QPageSize::ExactMatch));
    pdf.setPageMargins({});
    QPainter painter(&pdf);
    picture.render(&painter, QRectF({}, size * scale));
    painter.end();
    return bytes;
}

} // namespace

Result<PictureForm> pictureFormOf(const QString& path)
{
    static const std::array endings{std::pair("svg", PictureForm::Svg), std::pair("pdf", PictureForm::Pdf),
                                    std::pair("png", PictureForm::Png)};
    const QString ending = QFileInfo(path).suffix().toLower();
    for (const auto& [name, form] : endings)
        if (ending == QLatin1String(name))
            return form;
    return Error{ErrorCode::BadUsage,
                 path.toStdString() + ": the name of a picture ends in .svg, .pdf or .png"};
}

QStringList pictureFilters()
{
    return {QObject::tr("SVG (*.svg)"), QObject::tr("PDF (*.pdf)"), QObject::tr("PNG (*.png)")};
}

Result<QByteArray> pictureOfSvg(const QByteArray& svg, PictureForm form)
{
    if (form == PictureForm::Svg)
        return svg;
    QSvgRenderer picture(svg);
    if (!picture.isValid())
        return Error{ErrorCode::BadUsage, "the picture cannot be drawn; save it as .svg"};
    return form == PictureForm::Png ? pngOf(picture) : Result<QByteArray>(pdfOf(picture));
}

} // namespace stagecraft
