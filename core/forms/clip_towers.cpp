#include "core/forms/clip_towers.h"

#include "core/forms/convolutions.h"

#include <cmath>

namespace stagecraft {

namespace {

// 0, 1, ... in a buffer that is not saved.
ValueId positionNumbers(Network& net, std::int64_t count)
{
    std::vector<double> numbers;
    for (std::int64_t i = 0; i < count; ++i)
        numbers.push_back(static_cast<double>(i));
    return net.buffer("position_ids", {1, count}, {InitialValues::Kind::Listed, 0, std::move(numbers)},
                      DType::I64, false);
}

ValueId towerAttention(Network& net, const TowerShape& shape, ValueId x, std::optional<ValueId> mask)
{
    const Network::Scope scope = net.enter("self_attn", clipNames.of("Attention"));
    const std::int64_t headWidth = shape.width / shape.heads;
    const Sizes sizes = net.sizes(x);
    const auto projected = [&](const char* path) {
        return linearLayer(net, path, x, shape.width, HasBias::Yes);
    };
    const auto heads = [&](ValueId of) {
        return transpose(net, view(net, of, {sizes[0], sizes[1], shape.heads, headWidth}), 1, 2);
    };
    const ValueId query = projected("q_proj");
    const ValueId key = projected("k_proj");
    const ValueId value = projected("v_proj");
    const ValueId asked = heads(query);
    const ValueId found = heads(key);
    const ValueId attended =
        scaledDotProductAttention(net, asked, found, heads(value),
                                  {.mask = mask, .scale = 1 / std::sqrt(static_cast<double>(headWidth))});
    const ValueId rows = reshape(net, transpose(net, attended, 1, 2), sizes);
    return linearLayer(net, "out_proj", rows, shape.width, HasBias::Yes);
}

ValueId towerLayer(Network& net, const TowerShape& shape, const std::string& path, ValueId x,
                   std::optional<ValueId> mask)
{
    const Network::Scope scope = net.enter(path, clipNames.of("EncoderLayer"));
    x = add(net, x, towerAttention(net, shape, layerNormLayer(net, "layer_norm1", x, shape.epsilon), mask));
    const ValueId normed = layerNormLayer(net, "layer_norm2", x, shape.epsilon);
    const ValueId fed = [&] {
        const Network::Scope inner = net.enter("mlp", clipNames.of("MLP"));
        const ValueId wide = linearLayer(net, "fc1", normed, shape.inner, HasBias::Yes);
        const ValueId active =
            activationLayer(net, "activation_fn", "transformers.activations.QuickGELUActivation", wide,
                            Activation::QuickGelu);
        return linearLayer(net, "fc2", active, shape.width, HasBias::Yes);
    }();
    return add(net, x, fed);
}

// x, and what each layer gives.
std::vector<ValueId> towerLayers(Network& net, const TowerShape& shape, ValueId x,
                                 std::optional<ValueId> mask)
{
    const Network::Scope scope = net.enter("encoder", clipNames.of("Encoder"));
    std::vector<ValueId> states{x};
    for (std::int64_t i = 0; i < shape.layers; ++i)
        states.push_back(towerLayer(net, shape, "layers." + std::to_string(i), states.back(), mask));
    return states;
}

ValueId imageEmbeddings(Network& net, const ImageTower& tower, ValueId images)
{
    const Network::Scope scope = net.enter("embeddings", clipNames.of("VisionEmbeddings"));
    const std::int64_t width = tower.shape.width;
    const ValueId made = convolutionLayer(net, "patch_embedding", images,
                                          {.channels = width, .kernel = tower.patch, .stride = tower.patch});
    const ValueId patches = transpose(net, flatten(net, made, 2), 1, 2);
    const ValueId first =
        expand(net, net.parameter("class_embedding", {width}), {net.sizes(images)[0], 1, width});
    const ValueId tokens = cat(net, {first, patches}, 1);
    const std::int64_t places = net.sizes(tokens)[1].constant();
    const ValueId numbers = positionNumbers(net, places);
    return add(net, tokens, embeddingLayer(net, "position_embedding", numbers, places, width));
}

} // namespace

TowerShape towerShape(const FormValues& values, const std::string& prefix, double epsilon)
{
    return {.layers = values[prefix + "layers"],
            .width = values[prefix + "width"],
            .heads = values[prefix + "heads"],
            .inner = values[prefix + "inner"],
            .epsilon = epsilon};
}

std::vector<ValueId> imageStates(Network& net, const ImageTower& tower, ValueId images)
{
    const ValueId embedded = imageEmbeddings(net, tower, images);
    const ValueId normed =
        layerNormLayer(net, "pre_layrnorm", embedded, tower.shape.epsilon); // the library's name
    return towerLayers(net, tower.shape, normed, {});
}

ValueId textStates(Network& net, const TextTower& tower, ValueId ids, const LayerPlace& place)
{
    const ValueId embedded = [&] {
        const Network::Scope scope = net.enter("embeddings", clipNames.of("TextEmbeddings"));
        const ValueId here = slice(net, positionNumbers(net, tower.positions), 1, 0, place.time);
        const ValueId words =
            embeddingLayer(net, "token_embedding", ids, tower.vocabulary, tower.shape.width);
        return add(net, words,
                   embeddingLayer(net, "position_embedding", here, tower.positions, tower.shape.width));
    }();
    const ValueId seen =
        expand(net, causalMask(net, place.time, {}), {place.batch, 1, place.time, place.time});
    return towerLayers(net, tower.shape, embedded, seen).back();
}

} // namespace stagecraft
