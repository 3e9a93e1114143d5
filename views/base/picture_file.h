// What a picture is saved as: the ending of its name decides.
#pragma once

#include "core/base/result.h"

#include <QByteArray>
#include <QString>
#include <QStringList>

namespace stagecraft {

enum class PictureForm { Svg, Pdf, Png };

// Fails on a name that ends in something else, and says which endings there are.
Result<PictureForm> pictureFormOf(const QString& path);
// What a dialog for files offers: "SVG (*.svg)", in the order of PictureForm.
QStringList pictureFilters();
// An SVG picture in that form: a PDF with lines and letters; a PNG with two pixels for each of the picture's,
// or with one where those were too many. Fails on a picture that a PNG cannot hold.
Result<QByteArray> pictureOfSvg(const QByteArray& svg, PictureForm form);

} // namespace stagecraft
