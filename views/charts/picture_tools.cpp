#include "views/charts/picture_tools.h"

#include "core/base/output_file.h"
#include "views/base/icons.h"
#include "views/base/picture_file.h"
#include "views/base/plain_text.h"
#include "views/base/theme.h"

#include <qcustomplot.h>

#include <QAction>
#include <QBuffer>
#include <QFileDialog>
#include <QFileInfo>
#include <QMessageBox>
#include <QPdfWriter>
#include <QSvgGenerator>

namespace stagecraft {

namespace {

// With lines and letters, not pixels: a plot of QCustomPlot shows pictures of its layers on the screen.
void drawOn(QPaintDevice* device, QWidget* view)
{
    QCPPainter painter(device);
    painter.fillRect(view->rect(), applicationTheme().surface);
    auto* plot = qobject_cast<QCustomPlot*>(view);
    if (!plot)
        plot = view->findChild<QCustomPlot*>();
    if (!plot)
        return view->render(&painter, {}, {}, QWidget::DrawChildren);
    painter.setMode(QCPPainter::pmVectorized);
    painter.setMode(QCPPainter::pmNoCaching);
    painter.translate(plot == view ? QPoint() : plot->mapTo(view, QPoint()));
    plot->toPainter(&painter, plot->width(), plot->height());
}

QByteArray svgOf(QWidget* view)
{
    QByteArray bytes;
    QBuffer buffer(&bytes);
    QSvgGenerator svg;
    svg.setOutputDevice(&buffer);
    svg.setSize(view->size());
    svg.setViewBox(view->rect());
    drawOn(&svg, view);
    return bytes;
}

QByteArray pdfOf(QWidget* view)
{
    QByteArray bytes;
    QBuffer buffer(&bytes);
    buffer.open(QIODevice::WriteOnly);
    QPdfWriter pdf(&buffer);
    pdf.setResolution(72); // a point is a pixel
    pdf.setPageSize(QPageSize(QSizeF(view->size()), QPageSize::Point, {}, QPageSize::ExactMatch));
    pdf.setPageMargins({});
    drawOn(&pdf, view);
    return bytes;
}

QByteArray pngOf(QWidget* view)
{
    constexpr int scale = 2;
    QImage image(view->size() * scale, QImage::Format_ARGB32);
    image.setDevicePixelRatio(scale);
    drawOn(&image, view);
    QByteArray bytes;
    QBuffer buffer(&bytes);
    buffer.open(QIODevice::WriteOnly);
    image.save(&buffer, "PNG");
    return bytes;
}

} // namespace

PictureTools::PictureTools(QWidget* view, QString name, std::function<QString()> series)
    : QObject(view), m_view(view), m_name(std::move(name)), m_series(std::move(series))
{
    auto* picture = new QAction(themedIcon("export"), tr("Save picture…"), view);
    connect(picture, &QAction::triggered, this,
            [this] { save(tr("Save the picture"), m_name.toLower() + ".svg", pictureFilters().join(";;")); });
    view->addAction(picture);
    view->setContextMenuPolicy(Qt::ActionsContextMenu);
    if (!m_series)
        return;
    auto* numbers = new QAction(themedIcon("table"), tr("Save series…"), view);
    connect(numbers, &QAction::triggered, this, [this] {
        save(tr("Save the series"), m_name.toLower() + ".csv", tr("Comma-separated values (*.csv)"));
    });
    view->addAction(numbers);
}

Result<void> PictureTools::writeTo(const QString& path) const
{
    if (m_series && QFileInfo(path).suffix().toLower() == "csv") {
        STAGECRAFT_TRY(writeTextFile(path.toStdString(), m_series().toStdString()));
        return {};
    }
    STAGECRAFT_ASSIGN(form, pictureFormOf(path));
    const QByteArray bytes = form == PictureForm::Svg   ? svgOf(m_view)
                             : form == PictureForm::Pdf ? pdfOf(m_view)
                                                        : pngOf(m_view);
    STAGECRAFT_TRY(writeTextFile(path.toStdString(), bytes.toStdString()));
    return {};
}

void PictureTools::save(const QString& title, const QString& proposed, const QString& filters)
{
    QString filter;
    QString path = QFileDialog::getSaveFileName(m_view, title, proposed, filters, &filter);
    if (path.isEmpty())
        return;
    if (QFileInfo(path).suffix().isEmpty())
        path += filter.section('*', 1).remove(')');
    if (const Result<void> written = writeTo(path); !written.has_value())
        QMessageBox::warning(m_view, title, toolTipText(shownText(written.error().message)));
}

} // namespace stagecraft
