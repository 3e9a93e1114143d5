#include "core/measure/tensor_statistics.h"

#include <ATen/ATen.h>
#include <ATen/Parallel.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <vector>

namespace stagecraft {

namespace {

using at::Tensor;

// Small enough that the second look at a piece finds it in the cache.
constexpr std::int64_t pieceElements = std::int64_t{1} << 15;
constexpr std::size_t lanes = 8; // sums side by side, so that none waits for the one before

// Of the elements of a piece.
struct Piece
{
    double sum = 0; // from here on: of the finite ones
    double mean = 0;
    double squares = 0; // of the distances from the mean
    double absoluteMaximum = 0;
    std::int64_t finite = 0;
    std::int64_t zeros = 0;
    std::int64_t nans = 0;
    std::int64_t infinities = 0;
};

template <class T>
struct Lane
{
    double sum = 0;
    T maximum = 0;
    std::int64_t zeros = 0;
    std::int64_t nans = 0;
    std::int64_t infinities = 0;
};

template <class T>
void add(Lane<T>& lane, T number)
{
    const T size = std::abs(number);
    const bool isFinite = size <= std::numeric_limits<T>::max(); // NaN is not
    lane.sum += isFinite ? static_cast<double>(number) : 0.0;
    lane.maximum = isFinite && size > lane.maximum ? size : lane.maximum;
    lane.zeros += number == 0;
    lane.nans += number != number;
    lane.infinities += size > std::numeric_limits<T>::max();
}

template <class T>
double squaresAround(const T* data, std::int64_t count, double mean)
{
    std::array<double, lanes> sums{};
    const auto square = [mean](T number) {
        const double distance = static_cast<double>(number) - mean;
        return std::abs(number) <= std::numeric_limits<T>::max() ? distance * distance : 0.0;
    };
    std::int64_t i = 0;
    for (; i + static_cast<std::int64_t>(lanes) <= count; i += lanes)
        for (std::size_t k = 0; k < lanes; ++k)
            sums[k] += square(data[i + static_cast<std::int64_t>(k)]);
    for (; i < count; ++i)
        sums[0] += square(data[i]);
    double sum = 0;
    for (const double lane : sums)
        sum += lane;
    return sum;
}

template <class T>
Piece pieceOf(const T* data, std::int64_t count)
{
    std::array<Lane<T>, lanes> side;
    std::int64_t i = 0;
    for (; i + static_cast<std::int64_t>(lanes) <= count; i += lanes)
        for (std::size_t k = 0; k < lanes; ++k)
            add(side[k], data[i + static_cast<std::int64_t>(k)]);
    for (; i < count; ++i)
        add(side[0], data[i]);
    Piece piece;
    for (const Lane<T>& lane : side) {
        piece.sum += lane.sum;
        piece.absoluteMaximum = std::max(piece.absoluteMaximum, static_cast<double>(lane.maximum));
        piece.zeros += lane.zeros;
        piece.nans += lane.nans;
        piece.infinities += lane.infinities;
    }
    piece.finite = count - piece.nans - piece.infinities;
    if (piece.finite == 0)
        return piece;
    piece.mean = piece.sum / static_cast<double>(piece.finite);
    piece.squares = squaresAround(data, count, piece.mean);
    return piece;
}

// Half precision has no arithmetic of its own: a piece of it becomes float, which holds every such number.
Piece pieceOf(const Tensor& flat, std::int64_t start, std::int64_t count)
{
    if (flat.scalar_type() == at::kFloat)
        return pieceOf(flat.const_data_ptr<float>() + start, count);
    if (flat.scalar_type() == at::kDouble)
        return pieceOf(flat.const_data_ptr<double>() + start, count);
    const Tensor wide = flat.narrow(0, start, count).to(at::kFloat);
    return pieceOf(wide.const_data_ptr<float>(), count);
}

// Chan, Golub and LeVeque 1979: the squares of two sets around their common mean.
Piece joined(const Piece& a, const Piece& b)
{
    Piece both = a;
    both.sum += b.sum;
    both.absoluteMaximum = std::max(a.absoluteMaximum, b.absoluteMaximum);
    both.finite += b.finite;
    both.zeros += b.zeros;
    both.nans += b.nans;
    both.infinities += b.infinities;
    if (both.finite == 0)
        return both;
    const auto countOfA = static_cast<double>(a.finite), countOfB = static_cast<double>(b.finite);
    const double apart = b.mean - a.mean;
    both.mean = both.sum / static_cast<double>(both.finite);
    both.squares += b.squares;
    if (a.finite > 0 && b.finite > 0)
        both.squares += apart * apart * countOfA * (countOfB / (countOfA + countOfB));
    return both;
}

} // namespace

TensorStatistics describe(const Tensor& tensor)
{
    const at::NoGradGuard noGradients;
    const Tensor flat = tensor.detach().reshape(-1).contiguous();
    const std::int64_t count = (flat.numel() + pieceElements - 1) / pieceElements;
    std::vector<Piece> pieces(static_cast<std::size_t>(count));
    at::parallel_for(0, count, 1, [&](std::int64_t from, std::int64_t to) {
        for (std::int64_t i = from; i < to; ++i) {
            const std::int64_t start = i * pieceElements;
            pieces[static_cast<std::size_t>(i)] =
                pieceOf(flat, start, std::min(pieceElements, flat.numel() - start));
        }
    });
    Piece all;
    for (const Piece& piece : pieces)
        all = joined(all, piece);
    TensorStatistics statistics{.elements = flat.numel(),
                                .mean = all.mean,
                                .absoluteMaximum = all.absoluteMaximum,
                                .zeros = all.zeros,
                                .nans = all.nans,
                                .infinities = all.infinities};
    if (all.finite > 1)
        statistics.standardDeviation = std::sqrt(all.squares / static_cast<double>(all.finite - 1));
    return statistics;
}

} // namespace stagecraft
