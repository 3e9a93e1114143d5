// Colours as numbers: contrast, mixing and the scales that carry a meaning. No palette, no widget.
#pragma once

#include <QColor>

namespace stagecraft {

// Relative luminance, 0 (black) .. 1 (white), as WCAG 2.1 defines it; alpha is ignored.
double luminance(const QColor& color);
// WCAG 2.1 contrast ratio, 1 .. 21.
double contrastRatio(const QColor& a, const QColor& b);
// Black or white, whichever reads better; always at least 4.5:1.
QColor textColorOn(const QColor& background);
// `share` of `over` (0 .. 1) mixed into `under`, both opaque.
QColor mixed(const QColor& under, const QColor& over, double share);
// `color` moved towards black or white, away from `background`, until it reaches `ratio` against it.
QColor withContrast(const QColor& color, const QColor& background, double ratio);

// The viridis scale (perceptually even, safe for colour-blind eyes) at 0 .. 1; clamps.
QColor viridis(double fraction);
// Where `value` lies between `smallest` and `largest` on a log scale, 0 .. 1. Values at or below zero are 0;
// if the range is empty, every positive value is 1.
double logFraction(double value, double smallest, double largest);

} // namespace stagecraft
