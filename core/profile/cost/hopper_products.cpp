#include "core/profile/cost/hopper_products.h"

#include "core/profile/cost/cycles.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace stagecraft {

namespace {

struct HopperTile
{
    double rows, columns;
};

constexpr std::array<HopperTile, 8> windowTiles{
    {{64, 64}, {128, 64}, {64, 128}, {128, 128}, {256, 64}, {64, 256}, {256, 128}, {128, 256}}};
// Of nvjet_* alone.
constexpr std::array<HopperTile, 3> furtherTiles{{{192, 192}, {128, 192}, {192, 128}}};

// What differs between the kernels of one pass and of another.
struct ProductLoop
{
    double filling; // depth that starting and ending a tile takes as long as
    double idle;    // share that is lost of what a last wave leaves idle: persistent kernels lose less
    double meeting; // exponent of the sum of both times, of the tensor cores and of memory
    bool cutsDepth; // into parts, so that waves are full
};

constexpr ProductLoop plainLoop{128, 0.5, 4, false};
constexpr ProductLoop windowLoop{256, 1, 4, false};
constexpr ProductLoop weightLoop{1024, 1, 2, true};

// Depth that all waves of tiles go over, one after the other.
double depthOfWaves(double depth, double tiles, const ProductLoop& loop, double multiprocessors)
{
    const double waves = tiles / multiprocessors;
    return (waves + loop.idle * (std::ceil(waves) - waves)) * (depth + loop.filling);
}

double depthOfParts(double depth, double tiles, const ProductLoop& loop, double multiprocessors)
{
    constexpr double shortestPart = 256;
    constexpr int mostParts = 64;
    double least = depthOfWaves(depth, tiles, loop, multiprocessors);
    for (int parts = 2; loop.cutsDepth && parts <= mostParts && depth >= parts * shortestPart; ++parts)
        least = std::min(least, depthOfWaves(depth / parts, tiles * parts, loop, multiprocessors));
    return least;
}

double tiledCycles(const HopperProduct& product, const HopperTile& tile, const ProductLoop& loop,
                   const DeviceSpec& device)
{
    constexpr double share = 0.85, bytesPerCycle = 50, ofStrides = 0.8, itemBytes = 2, multiplyAdd = 2;
    const double tiles = std::ceil(product.rows / tile.rows) * std::ceil(product.columns / tile.columns);
    const double flopsPerCycle = device.peakFlops.at(DType::F16) / cyclesPerSecond(device);
    const double multiplied = multiplyAdd * tile.rows * tile.columns / (flopsPerCycle * share);
    const double loaded = itemBytes * (tile.rows + tile.columns) / bytesPerCycle;
    return depthOfParts(product.depth, tiles, loop, device.multiprocessors) * device.multiprocessors *
           std::max(multiplied, loaded) / (product.isStrided ? ofStrides : 1.0);
}

double leastCycles(const HopperProduct& product, const ProductLoop& loop, const DeviceSpec& device)
{
    double least = std::numeric_limits<double>::infinity();
    for (const HopperTile& tile : windowTiles)
        least = std::min(least, tiledCycles(product, tile, loop, device));
    if (!product.hasWindow && !loop.cutsDepth)
        for (const HopperTile& tile : furtherTiles)
            least = std::min(least, tiledCycles(product, tile, loop, device));
    return least;
}

} // namespace

double hopperProductCycles(const HopperProduct& product, ConvolutionPass pass, const DeviceSpec& device)
{
    constexpr double memoryShare = 0.85;
    const ProductLoop& loop = pass == ConvolutionPass::WeightGradient ? weightLoop
                              : product.hasWindow                     ? windowLoop
                                                                      : plainLoop;
    const double moved = product.bytes / (device.memoryBandwidth * memoryShare) * cyclesPerSecond(device);
    const double multiplied = leastCycles(product, loop, device);
    return std::pow(std::pow(multiplied, loop.meeting) + std::pow(moved, loop.meeting), 1 / loop.meeting);
}

} // namespace stagecraft
