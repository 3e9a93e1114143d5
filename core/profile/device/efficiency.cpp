#include "core/profile/device/efficiency.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace stagecraft {

namespace {

// Parts that the depth may be cut into; none is shorter than the shortest (NVIDIA, CUTLASS,
// efficient_gemm.md, "Parallelized Reductions": split K across thread blocks; what cuBLAS cuts is assumed).
constexpr std::array depthParts{1.0, 2.0, 4.0, 8.0, 16.0, 32.0};
constexpr double shortestPart = 128;

double loopedDepth(double depth, const TileLaw& law)
{
    return law.depth + (law.depthStep > 0 ? std::ceil(depth / law.depthStep) * law.depthStep : depth);
}

// Time in units of one multiply-add on one multiprocessor at its peak.
double tiledTime(const MatrixShape& shape, const MatrixTile& tile, double parts, int multiprocessors,
                 const TileLaw& law)
{
    const double tiles =
        std::ceil(shape.rows / tile.rows) * std::ceil(shape.columns / tile.columns) * shape.batch * parts;
    const double busy = tiles / multiprocessors;
    const double waves = busy + law.waveLoss * (std::ceil(busy) - busy);
    const double inTile =
        static_cast<double>(tile.rows) * tile.columns * loopedDepth(shape.depth / parts, law);
    return waves * inTile / tile.efficiency;
}

} // namespace

std::vector<MatrixTile> usualTiles()
{
    return {{256, 128, 1.0}, {128, 256, 1.0}, {128, 128, 0.96}, {256, 64, 0.88}, {64, 256, 0.88},
            {128, 64, 0.82}, {64, 128, 0.82}, {64, 64, 0.66},   {128, 32, 0.62}, {32, 128, 0.62},
            {64, 32, 0.5},   {32, 64, 0.5},   {32, 32, 0.38}};
}

EfficiencyCurve::EfficiencyCurve(std::vector<std::pair<double, double>> points) : m_points(std::move(points))
{
}

double EfficiencyCurve::at(double work) const
{
    if (m_points.empty())
        return 1;
    const auto after = std::ranges::upper_bound(m_points, work, {}, &std::pair<double, double>::first);
    if (after == m_points.begin())
        return m_points.front().second;
    if (after == m_points.end())
        return m_points.back().second;
    const auto& [lowWork, lowShare] = *std::prev(after);
    const auto& [highWork, highShare] = *after;
    const double t = std::log(work / lowWork) / std::log(highWork / lowWork);
    return lowShare + t * (highShare - lowShare);
}

double tileShare(const MatrixShape& shape, const std::vector<MatrixTile>& tiles, int multiprocessors,
                 const TileLaw& law)
{
    if (tiles.empty() || multiprocessors <= 0 || shape.multiplyAdds() <= 0)
        return 1;
    double best = 0;
    for (const MatrixTile& tile : tiles)
        for (const double parts : depthParts) {
            if (parts > 1 && shape.depth / parts < shortestPart)
                continue;
            const double time = tiledTime(shape, tile, parts, multiprocessors, law);
            best = std::max(best, shape.multiplyAdds() / multiprocessors / time);
        }
    return std::min(best, 1.0);
}

} // namespace stagecraft
