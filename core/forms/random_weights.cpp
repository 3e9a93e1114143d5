#include "core/forms/random_weights.h"

#include <bit>
#include <cmath>
#include <cstring>
#include <memory>
#include <numbers>
#include <random>

namespace stagecraft {

namespace {

using Bytes8 = std::vector<std::byte>;

// Box and Muller's way: the same numbers with every library.
class NormalNumbers
{
public:
    explicit NormalNumbers(std::uint64_t seed) : m_engine(seed) {}

    double next()
    {
        const double radius = std::sqrt(-2 * std::log(uniform()));
        return radius * std::cos(2 * std::numbers::pi * uniform());
    }

private:
    // Above 0, up to 1.
    double uniform() { return static_cast<double>((m_engine() >> 11) + 1) / 9007199254740992.0; }

    std::mt19937_64 m_engine;
};

// The nearest number of 16 bits of which the upper ones are those of a float.
std::uint16_t brainFloat(float number)
{
    const auto bits = std::bit_cast<std::uint32_t>(number);
    return static_cast<std::uint16_t>((bits + 0x7fffU + ((bits >> 16) & 1U)) >> 16);
}

// Of normal numbers that are in range; smaller ones become 0.
std::uint16_t halfFloat(float number)
{
    const auto bits = std::bit_cast<std::uint32_t>(number) + 0x1000U;
    const auto sign = static_cast<std::uint16_t>((bits >> 16) & 0x8000U);
    const int exponent = static_cast<int>((bits >> 23) & 0xffU) - 127 + 15;
    if (exponent <= 0)
        return sign;
    return static_cast<std::uint16_t>(sign | (exponent << 10) | ((bits >> 13) & 0x3ffU));
}

template <class T>
void append(Bytes8& bytes, T number)
{
    const std::size_t end = bytes.size();
    bytes.resize(end + sizeof number);
    std::memcpy(bytes.data() + end, &number, sizeof number);
}

void append(Bytes8& bytes, DType dtype, double number)
{
    switch (dtype) {
    case DType::BF16:
        return append(bytes, brainFloat(static_cast<float>(number)));
    case DType::F16:
        return append(bytes, halfFloat(static_cast<float>(number)));
    case DType::I64:
        return append(bytes, static_cast<std::int64_t>(number));
    case DType::Bool:
        return append(bytes, static_cast<std::uint8_t>(number != 0));
    default:
        return append(bytes, static_cast<float>(number));
    }
}

std::shared_ptr<const Bytes8> filled(const TensorMeta& meta, const InitialValues& initial,
                                     NormalNumbers& numbers)
{
    const auto count = static_cast<std::size_t>(elementCount(meta, {}).value());
    auto bytes = std::make_shared<Bytes8>();
    bytes->reserve(count * static_cast<std::size_t>(itemSize(meta.dtype)));
    for (std::size_t i = 0; i < count; ++i) {
        double number = initial.scale;
        if (initial.kind == InitialValues::Kind::Normal)
            number *= numbers.next();
        else if (initial.kind == InitialValues::Kind::Listed)
            number = initial.listed[i];
        append(*bytes, meta.dtype, number);
    }
    return bytes;
}

} // namespace

Result<void> fillWhatNoFileHas(WrittenModel& written)
{
    Model& model = written.model;
    NormalNumbers none(0);
    for (const InputSpec& spec : model.signature.inputs) {
        const auto initial = written.initial.find(spec.target);
        if (spec.persistent || initial == written.initial.end() ||
            initial->second.kind == InitialValues::Kind::Normal)
            continue;
        const TensorMeta& meta = *model.graph[*spec.value].meta;
        const std::shared_ptr<const Bytes8> bytes = filled(meta, initial->second, none);
        STAGECRAFT_TRY(model.weights.addTensor(spec.target, meta, model.weights.addStorage(*bytes, bytes)));
    }
    return {};
}

Result<void> fillWithRandomWeights(WrittenModel& written, std::uint64_t seed, std::int64_t most)
{
    Model& model = written.model;
    Bytes size;
    for (const InputSpec& spec : model.signature.inputs)
        if (spec.isStored() && written.initial.contains(spec.target))
            size += byteSize(*model.graph[*spec.value].meta, {}).value();
    if (size.count() > most)
        return Error{ErrorCode::Unsupported, "its weights would take " + formatBytes(size) +
                                                 ", more than the " + formatBytes(Bytes(most)) +
                                                 " that are made; make it without weights"};
    WeightStore weights;
    NormalNumbers numbers(seed);
    for (const InputSpec& spec : model.signature.inputs) {
        const auto initial = written.initial.find(spec.target);
        if (!spec.isStored() || initial == written.initial.end())
            continue;
        const TensorMeta& meta = *model.graph[*spec.value].meta;
        const std::shared_ptr<const Bytes8> bytes = filled(meta, initial->second, numbers);
        const StorageKey storage = weights.addStorage(*bytes, bytes);
        STAGECRAFT_TRY(weights.addTensor(spec.target, meta, storage));
        for (const auto& [name, tied] : written.tied)
            if (tied == spec.target)
                STAGECRAFT_TRY(weights.addTensor(name, meta, storage));
    }
    model.weights = std::move(weights);
    return {};
}

} // namespace stagecraft
