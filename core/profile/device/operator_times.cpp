#include "core/profile/device/operator_times.h"

#include <algorithm>
#include <cmath>

namespace stagecraft {

namespace {

double squared(double value)
{
    return value * value;
}

// In powers of two.
double distanceSquared(const MatrixShape& a, const MatrixShape& b)
{
    return squared(std::log2(a.rows / b.rows)) + squared(std::log2(a.columns / b.columns)) +
           squared(std::log2(a.depth / b.depth)) + squared(std::log2(a.batch / b.batch));
}

} // namespace

OperatorTimes::OperatorTimes(std::vector<std::pair<double, double>> points) : m_points(std::move(points)) {}

OperatorTimes::OperatorTimes(std::vector<ShapeTime> shapes) : m_shapes(std::move(shapes)) {}

Seconds OperatorTimes::at(double bytes) const
{
    const auto after = std::ranges::upper_bound(m_points, bytes, {}, &std::pair<double, double>::first);
    if (after == m_points.begin())
        return Seconds(m_points.front().second);
    const auto& [lowBytes, lowTime] = *std::prev(after);
    if (after == m_points.end())
        return Seconds(lowTime * (lowBytes > 0 ? bytes / lowBytes : 1));
    const auto& [highBytes, highTime] = *after;
    if (lowBytes <= 0)
        return Seconds(lowTime + (highTime - lowTime) * bytes / highBytes);
    const double t = std::log(bytes / lowBytes) / std::log(highBytes / lowBytes);
    return Seconds(lowTime * std::pow(highTime / lowTime, t));
}

Seconds OperatorTimes::at(const MatrixShape& shape) const
{
    constexpr double nearest = 0.05; // squared: nearer points count as this near
    double weights = 0, logarithms = 0, least = m_shapes.front().time.value();
    for (const ShapeTime& known : m_shapes) {
        const double weight = 1 / squared(std::max(distanceSquared(shape, known.shape), nearest));
        weights += weight;
        logarithms += weight * std::log(known.shape.multiplyAdds() / known.time.value());
        least = std::min(least, known.time.value());
    }
    return Seconds(std::max(shape.multiplyAdds() / std::exp(logarithms / weights), least));
}

} // namespace stagecraft
