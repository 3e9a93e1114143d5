#include "views/base/colors.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace stagecraft {

namespace {

double linearized(double channel)
{
    return channel <= 0.04045 ? channel / 12.92 : std::pow((channel + 0.055) / 1.055, 2.4);
}

template <std::size_t count>
QColor interpolated(const std::array<QRgb, count>& stops, double fraction)
{
    const double position = std::clamp(fraction, 0.0, 1.0) * static_cast<double>(count - 1);
    const auto below = std::min(static_cast<std::size_t>(position), count - 2);
    return mixed(QColor(stops[below]), QColor(stops[below + 1]), position - static_cast<double>(below));
}

} // namespace

double luminance(const QColor& color)
{
    return 0.2126 * linearized(color.redF()) + 0.7152 * linearized(color.greenF()) +
           0.0722 * linearized(color.blueF());
}

double contrastRatio(const QColor& a, const QColor& b)
{
    const auto [darker, lighter] = std::minmax({luminance(a), luminance(b)});
    return (lighter + 0.05) / (darker + 0.05);
}

QColor textColorOn(const QColor& background)
{
    const QColor black(0, 0, 0);
    const QColor white(255, 255, 255);
    return contrastRatio(background, black) >= contrastRatio(background, white) ? black : white;
}

QColor mixed(const QColor& under, const QColor& over, double share)
{
    const auto mix = [share](float from, float to) {
        return static_cast<float>(from + (to - from) * std::clamp(share, 0.0, 1.0));
    };
    return QColor::fromRgbF(mix(under.redF(), over.redF()), mix(under.greenF(), over.greenF()),
                            mix(under.blueF(), over.blueF()));
}

QColor withContrast(const QColor& color, const QColor& background, double ratio)
{
    const QColor goal = textColorOn(background);
    QColor result = color;
    for (int step = 1; step <= 20 && contrastRatio(result, background) < ratio; ++step)
        result = mixed(color, goal, step / 20.0);
    return result;
}

QColor viridis(double fraction)
{
    // Eleven evenly spaced samples of matplotlib's viridis; linear between them is within 1 % of it.
    static constexpr std::array<QRgb, 11> stops{0xff440154, 0xff482475, 0xff414487, 0xff355f8d,
                                                0xff2a788e, 0xff21918c, 0xff22a884, 0xff44bf70,
                                                0xff7ad151, 0xffbddf26, 0xfffde725};
    return interpolated(stops, fraction);
}

double logFraction(double value, double smallest, double largest)
{
    if (!(value > 0))
        return 0;
    if (!(smallest > 0) || !(largest > smallest))
        return 1;
    return std::clamp(std::log(value / smallest) / std::log(largest / smallest), 0.0, 1.0);
}

} // namespace stagecraft
