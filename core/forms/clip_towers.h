// The two towers of CLIP: patches of images, and tokens of texts. Vision-language models have the first.
#pragma once

#include "core/forms/decoder.h"

#include <vector>

namespace stagecraft {

inline const LibraryNames clipNames{"transformers.models.clip.modeling_clip.", "CLIP"};

struct TowerShape
{
    std::int64_t layers = 0;
    std::int64_t width = 0;
    std::int64_t heads = 0;
    std::int64_t inner = 0;
    double epsilon = 1e-5;
};

// By the values whose names begin so: "image-layers", "image-width".
TowerShape towerShape(const FormValues& values, const std::string& prefix, double epsilon);

struct ImageTower
{
    TowerShape shape;
    std::int64_t patch = 0;
};

// What each layer gives of images, [batch, patches + 1, width], the first of the class, behind what
// the first layer is given. In the module of the tower.
std::vector<ValueId> imageStates(Network& net, const ImageTower& tower, ValueId images);

struct TextTower
{
    TowerShape shape;
    std::int64_t vocabulary = 0;
    std::int64_t positions = 0;
};

// What the layers give of tokens, each of which sees those before it: [batch, time, width].
ValueId textStates(Network& net, const TextTower& tower, ValueId ids, const LayerPlace& place);

} // namespace stagecraft
