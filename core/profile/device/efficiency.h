// Efficiency: the share of a device's peak that an operator reaches.
//
//     share
//       1 ┤            ________   measured points (work, share), straight lines over log(work),
//         │        ___/           level beyond both ends
//         │    ___/
//       0 ┼───┴───────────────► FLOPs, or bytes
//
// On a GPU a matrix product is cut into tiles, one a multiprocessor at a time: a last wave that does not fill
// the device, and tiles that stick out of the matrix, are waste (NVIDIA, Matrix Multiplication Background
// User's Guide, 2023: "Tile Quantization", "Wave Quantization").
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

namespace stagecraft {

class EfficiencyCurve
{
public:
    EfficiencyCurve() = default;
    // Points by rising work, at least one; work and share above 0.
    explicit EfficiencyCurve(std::vector<std::pair<double, double>> points);

    bool isEmpty() const { return m_points.empty(); }
    const std::vector<std::pair<double, double>>& points() const { return m_points; }
    // The share at an amount of work; 1 where there are no points.
    double at(double work) const;

private:
    std::vector<std::pair<double, double>> m_points;
};

// A tile of the result that one multiprocessor computes.
struct MatrixTile
{
    int rows = 128;
    int columns = 128;
    double efficiency = 1; // of its inner loop: small tiles load more for what they compute
};

// Thread block tiles of cuBLAS (NVIDIA, Matrix Multiplication Background User's Guide, 2023); their
// efficiencies are assumed, in its order.
std::vector<MatrixTile> usualTiles();

// `batch` products [rows, depth] x [depth, columns].
struct MatrixShape
{
    double rows = 0;
    double columns = 0;
    double depth = 0;
    double batch = 1;

    double multiplyAdds() const { return rows * columns * depth * batch; }
};

struct TileLaw
{
    // Filling and emptying the pipeline of a tile costs about as much as this much depth.
    double depth = 96;
    // Of what the last wave leaves idle, the part that is lost: little where the rest of a chip, held back by
    // its power, runs the faster for it, or where the library spreads the last wave's sums.
    double waveLoss = 1;
    // The loop over the depth goes in whole steps of so much, the last one filled up; 0: it ends anywhere.
    double depthStep = 0;
};

// The share of the whole device's peak that is left by the best of the tiles, 0 < share <= 1; the sum over
// the depth may be cut into parts, so that few tiles fill more multiprocessors. 1 where there are no tiles.
double tileShare(const MatrixShape& shape, const std::vector<MatrixTile>& tiles, int multiprocessors,
                 const TileLaw& law = {});

} // namespace stagecraft
