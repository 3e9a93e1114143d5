// OperatorTimes: how long one operator takes, from points where it was measured.
//
//     seconds │            ____/   what moves bytes: straight lines between points, both axes logarithmic;
//             │       ____/        as the first below it, in proportion beyond the last
//             │______/
//             └─────────────► bytes
//
// A contraction's time hangs on the shape of its product, not on its size alone: its rate is a mean of the
// rates at all measured shapes, weighted by how near they are (Shepard, A two-dimensional interpolation
// function for irregularly-spaced data, 1968), in the logarithms of rows, columns, depth and batch.
#pragma once

#include "core/base/quantities.h"
#include "core/profile/device/efficiency.h"

#include <utility>
#include <vector>

namespace stagecraft {

struct ShapeTime
{
    MatrixShape shape;
    Seconds time;
};

class OperatorTimes
{
public:
    OperatorTimes() = default;
    // (bytes, seconds) by rising bytes, at least one; seconds above 0.
    explicit OperatorTimes(std::vector<std::pair<double, double>> points);
    // At least one; times above 0, every shape with work in it.
    explicit OperatorTimes(std::vector<ShapeTime> shapes);

    bool goesByShape() const { return !m_shapes.empty(); }
    const std::vector<std::pair<double, double>>& points() const { return m_points; }
    const std::vector<ShapeTime>& shapes() const { return m_shapes; }

    // Of an operator that moves so many bytes; not of one that goes by its shape.
    Seconds at(double bytes) const;
    // Of a contraction; not of one that goes by bytes.
    Seconds at(const MatrixShape& shape) const;

private:
    std::vector<std::pair<double, double>> m_points;
    std::vector<ShapeTime> m_shapes;
};

} // namespace stagecraft
