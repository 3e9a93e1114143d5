// TensorSource: the same random tensors twice, for the CPU and for meta. Included by the cases' .cpp files,
// after Torch.
#pragma once

#include <cstdint>
#include <functional>
#include <random>
#include <string>
#include <utility>
#include <vector>

namespace at {
class Tensor;
}
namespace c10 {
enum class ScalarType : std::int8_t;
}

namespace stagecraft::test {

class TensorSource
{
public:
    TensorSource(std::uint64_t seed, bool onMeta);
    ~TensorSource();

    // A number from..to, the same on both devices.
    std::int64_t number(std::int64_t from, std::int64_t to);
    bool coin() { return number(0, 1) == 1; }
    // A batch size: mostly 1..4, now and then 0.
    std::int64_t batch();
    // A floating-point type; the same for all tensors of one run unless asked again.
    c10::ScalarType floatType();

    // A leaf that requires a gradient, in a random layout.
    at::Tensor tensor(std::vector<std::int64_t> sizes);
    // Row-major, as weights are.
    at::Tensor weight(std::vector<std::int64_t> sizes);
    // Without gradient, in a random layout; values 0..1.
    at::Tensor probabilities(std::vector<std::int64_t> sizes);
    at::Tensor plain(std::vector<std::int64_t> sizes, c10::ScalarType type);
    // Integers 0..bound-1.
    at::Tensor indices(std::vector<std::int64_t> sizes, std::int64_t bound);
    at::Tensor mask(std::vector<std::int64_t> sizes);

    const std::vector<at::Tensor>& leaves() const { return m_leaves; }
    bool onMeta() const { return m_onMeta; }

private:
    at::Tensor laidOut(const std::vector<std::int64_t>& sizes, c10::ScalarType type);

    std::mt19937_64 m_random;
    bool m_onMeta;
    c10::ScalarType m_type;
    std::vector<at::Tensor> m_leaves;
};

struct MetaKernelCase
{
    std::string name;
    std::function<std::vector<at::Tensor>(TensorSource&)> run;
};

// Of one tensor of four dimensions.
MetaKernelCase unary(const char* name, at::Tensor (*function)(const at::Tensor&));

std::vector<MetaKernelCase> decompositionCases();
std::vector<MetaKernelCase> layerCases();
std::vector<MetaKernelCase> lossCases();
std::vector<MetaKernelCase> mathCases();
std::vector<MetaKernelCase> visionCases();
std::vector<MetaKernelCase> writingCases();

} // namespace stagecraft::test
