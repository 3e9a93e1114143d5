#include "core/profile/cost/attention_work.h"

#include "core/profile/cost/cycles.h"
#include "core/profile/cost/tensor_layout.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>

namespace stagecraft {

namespace {

enum class Route { Flash, Efficient, Cudnn };

struct FusedAttention
{
    std::string_view name;
    Route route;
    bool goesBack;
    std::size_t query, key, bias, dropout, causal; // positions in its schema; no bias: none
};

constexpr std::size_t none = 99;

constexpr std::array fusedAttentions{
    FusedAttention{"aten::_scaled_dot_product_flash_attention", Route::Flash, false, 0, 1, none, 3, 4},
    FusedAttention{"aten::_scaled_dot_product_flash_attention_backward", Route::Flash, true, 1, 2, none, 10,
                   11},
    FusedAttention{"aten::_scaled_dot_product_efficient_attention", Route::Efficient, false, 0, 1, 3, 5, 6},
    FusedAttention{"aten::_scaled_dot_product_efficient_attention_backward", Route::Efficient, true, 1, 2, 4,
                   9, 11},
    FusedAttention{"aten::_scaled_dot_product_cudnn_attention", Route::Cudnn, false, 0, 1, 3, 5, 6},
    FusedAttention{"aten::_scaled_dot_product_cudnn_attention_backward", Route::Cudnn, true, 1, 2, 8, 13,
                   14}};

double places(const Trace& trace, std::span<const TraceArgument> arguments, std::size_t position)
{
    const TraceTensor* const heads = tensorAt(trace, arguments, position);
    const auto sizes = heads ? trace.sizes(*heads) : std::span<const std::int64_t>{};
    return sizes.size() >= 2 ? static_cast<double>(sizes[sizes.size() - 2]) : 0;
}

bool isAbove0(const Trace& trace, const TraceArgument& argument)
{
    return argument.kind == TraceArgument::Kind::Number && trace.number(argument) > 0;
}

// Of one call.
struct Rows
{
    double queries = 0, keys = 0, headSize = 0;
    bool isCausal = false, drops = false;
    bool hasUnalignedBias = false;
};

constexpr double backwardShare = 1.35; // as long for its FLOPs, in half precision

double inTiles(const Rows& rows)
{
    constexpr double tile = 64, diagonal = 128;
    const double filled = std::ceil(rows.queries / tile) * tile / rows.queries *
                          (std::ceil(rows.keys / tile) * tile / rows.keys);
    return filled * (rows.isCausal ? std::min(1.0, (1 + diagonal / rows.queries) / 2) : 1.0);
}

// Tiles of queries by keys, and what each row of them takes to begin, counted in tiles.
double cudnnWork(const Rows& rows, bool goesBack)
{
    constexpr double tile = 64, keysForward = 128, leastHead = 64;
    constexpr double aRow = 1.13, aRowWithBias = 7.3, forwardRate = 1.45;
    constexpr double aGradientsRow = 6.1, backwardRate = 1.5;
    const double keysAtOnce = goesBack ? tile : keysForward;
    const double down = std::ceil(rows.queries / tile), across = std::ceil(rows.keys / keysAtOnce);
    const double tiles = rows.isCausal ? down * (across + 1) / 2 : down * across;
    const double begun =
        goesBack ? across * aGradientsRow : down * (aRow + (rows.hasUnalignedBias ? aRowWithBias : 0));
    const double heads = std::max(leastHead, rows.headSize) / rows.headSize;
    return (tiles + begun) * tile * keysAtOnce / (rows.queries * rows.keys) * heads *
           (goesBack ? backwardRate : forwardRate);
}

// A backward pass adds up gradients of queries in float32 and converts them afterwards, which is in its rows.
double flashWorkOnHopper(const Rows& rows, bool goesBack)
{
    constexpr double tile = 128, heads = 32;
    constexpr double aRow = 1.25, forwardRate = 1.93; // 0.35 of the peak
    constexpr double aGradientsRow = 1.75, backwardRate = forwardRate * backwardShare;
    const double down = std::ceil(rows.queries / tile), across = std::ceil(rows.keys / tile);
    const double tiles = rows.isCausal ? down * (across + 1) / 2 : down * across;
    const double begun = goesBack ? across * aGradientsRow : down * aRow;
    return (tiles + begun) * tile * tile / (rows.queries * rows.keys) *
           (std::ceil(rows.headSize / heads) * heads / rows.headSize) *
           (goesBack ? backwardRate : forwardRate);
}

double efficientWorkOnHopper(const Rows& rows, bool goesBack, bool isHalf)
{
    constexpr double half = 7.5, halfBack = 8.505, single = 1.95, singleBack = 1.6;
    return inTiles(rows) * (isHalf ? (goesBack ? halfBack : half) : (goesBack ? singleBack : single));
}

double workOf(const Rows& rows, const FusedAttention& known, bool isHalf, bool isHopper)
{
    if (isHopper && known.route == Route::Efficient)
        return efficientWorkOnHopper(rows, known.goesBack, isHalf);
    if (!isHalf)
        return inTiles(rows);
    const double dropping = !rows.drops ? 1.0 : known.goesBack ? 1.25 : 2.2;
    if (isHopper && known.route == Route::Cudnn)
        return cudnnWork(rows, known.goesBack) * dropping;
    if (isHopper && known.route == Route::Flash)
        return flashWorkOnHopper(rows, known.goesBack) * dropping;
    return inTiles(rows) * (known.goesBack ? backwardShare : 1.0) * dropping;
}

} // namespace

std::optional<double> attentionWork(const Trace& trace, const TraceOp& op, const DeviceSpec& device)
{
    const auto known = std::ranges::find(fusedAttentions, trace.opNames[op.name].name, &FusedAttention::name);
    if (known == fusedAttentions.end())
        return std::nullopt;
    const auto arguments = trace.arguments(op);
    Rows rows{.queries = places(trace, arguments, known->query),
              .keys = places(trace, arguments, known->key)};
    if (rows.queries == 0 || rows.keys == 0 || known->causal >= arguments.size())
        return std::nullopt;
    const TraceTensor& query = *tensorAt(trace, arguments, known->query);
    const auto causal = trace.integers(arguments[known->causal]);
    rows.isCausal = !causal.empty() && causal.front() != 0;
    rows.headSize = static_cast<double>(trace.sizes(query).back());
    constexpr auto aligned = 8.0;
    rows.hasUnalignedBias =
        tensorAt(trace, arguments, known->bias) != nullptr && std::fmod(rows.keys, aligned) != 0;
    rows.drops = isAbove0(trace, arguments[known->dropout]);
    return workOf(rows, *known, isHalf(query.dtype), isHopper(device));
}

} // namespace stagecraft
