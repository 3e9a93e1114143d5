#include "core/layout/squarified.h"

#include <algorithm>
#include <limits>
#include <numeric>

namespace stagecraft {

namespace {

// How far from a square the worst of a row is that is `thick` along its short side: 1 is a square.
double worstShape(std::span<const double> row, double areaOfWeight, double thick)
{
    double worst = 1;
    for (const double weight : row) {
        const double length = weight * areaOfWeight / thick;
        worst = std::max({worst, length / thick, thick / length});
    }
    return worst;
}

// How many of `weights` stand in one row along `side`, so that none of it gets a worse shape by the last.
std::size_t rowLength(std::span<const double> weights, double areaOfWeight, double side)
{
    double sum = 0;
    double worst = std::numeric_limits<double>::infinity();
    for (std::size_t count = 1; count <= weights.size(); ++count) {
        sum += weights[count - 1];
        const double next = worstShape(weights.first(count), areaOfWeight, sum * areaOfWeight / side);
        if (next > worst)
            return count - 1;
        worst = next;
    }
    return weights.size();
}

// Cuts a row off `rest`, along its shorter side, and fills it.
void placeRow(std::span<const double> row, double areaOfWeight, Rect& rest, std::span<Rect> places)
{
    const double sum = std::accumulate(row.begin(), row.end(), 0.0);
    const bool isUpright = rest.width >= rest.height;
    const double side = isUpright ? rest.height : rest.width;
    const double thick = sum * areaOfWeight / side;
    double at = isUpright ? rest.y : rest.x;
    for (std::size_t i = 0; i < row.size(); ++i) {
        const double length = row[i] * areaOfWeight / thick;
        places[i] = isUpright ? Rect{rest.x, at, thick, length} : Rect{at, rest.y, length, thick};
        at += length;
    }
    double& start = isUpright ? rest.x : rest.y;
    double& extent = isUpright ? rest.width : rest.height;
    start += thick;
    extent = std::max(0.0, extent - thick);
}

} // namespace

std::vector<Rect> squarified(std::span<const double> weights, const Rect& room)
{
    std::vector<Rect> places(weights.size(), Rect{room.x, room.y, 0, 0});
    std::vector<double> positive;
    std::vector<std::size_t> indices;
    for (std::size_t i = 0; i < weights.size(); ++i)
        if (weights[i] > 0) {
            positive.push_back(weights[i]);
            indices.push_back(i);
        }
    const double sum = std::accumulate(positive.begin(), positive.end(), 0.0);
    if (!(sum > 0) || !(room.width > 0) || !(room.height > 0))
        return places;
    const double areaOfWeight = room.width * room.height / sum;
    std::vector<Rect> placed(positive.size());
    Rect rest = room;
    for (std::size_t first = 0; first < positive.size();) {
        const auto left = std::span<const double>(positive).subspan(first);
        const double side = std::min(rest.width, rest.height);
        const std::size_t count = side > 0 ? rowLength(left, areaOfWeight, side) : left.size();
        if (side > 0)
            placeRow(left.first(count), areaOfWeight, rest, std::span(placed).subspan(first, count));
        first += count;
    }
    for (std::size_t i = 0; i < placed.size(); ++i)
        places[indices[i]] = placed[i];
    return places;
}

} // namespace stagecraft
