// KernelRates: what a device's libraries reach where a share of the peak for the whole class is not enough.
//
// Matrix products differ by element type (tensor cores or not), and products in batches run other kernels
// than single ones; convolutions in groups by how wide a group is; elementwise work by whether it reads
// across the order that it writes in.
#pragma once

#include "core/base/quantities.h"
#include "core/graph/dtype.h"
#include "core/profile/device/efficiency.h"

#include <map>
#include <vector>

namespace stagecraft {

// Of matrix products of one element type: the share of the peak that a large one reaches, and how its tiles
// go about it.
struct ProductRate
{
    double share = 1; // above 1 where the chip runs faster than the datasheet's clock
    TileLaw law;
    std::vector<MatrixTile> tiles = {}; // of its kernels, no convolution's; none: the device's
};

struct KernelRates
{
    std::map<DType, ProductRate> single;
    std::map<DType, ProductRate> batched; // none of a type: as the single ones

    // Of convolutions, over their FLOPs. One channel a group: of the vector units; these kernels do not use
    // tensor cores. A few channels: of the matrix units, which compute 16 channels where there are fewer.
    // More: of the matrix units, a product for each group.
    double depthwise = 0.22;
    double narrowGroups = 0.4;
    double wideGroups = 0.8;
    // Of what elementwise work reaches of the bandwidth, where it transposes what the cache cannot hold.
    double transposing = 0.28;
    // Of operators over lists of tensors, as optimizers have them: cycles of every multiprocessor that each
    // launch takes beside what it moves. 8 us on an H100 (median of 226 such operators of whole models,
    // tests/data/truth/README.md; their launches were as many as multiTensorLaunches() says).
    double listLaunch = 16e3;
    Bytes cache; // the last before memory; 0: not known
    // Are rows of products filled up to whole vectors before? Of what torch.compile makes; no file says it.
    bool fillsRows = false;

    // None: the device file has none of this type.
    const ProductRate* product(DType dtype, bool inBatches) const;
};

constexpr double widestNarrowGroup = 32;

} // namespace stagecraft
