#include "core/profile/cost/multi_tensor.h"

#include "core/profile/cost/tensor_layout.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace stagecraft {

namespace {

// MultiTensorApply.cuh: depth_to_max_tensors, depth_to_max_blocks, kChunkSize.
constexpr std::array mostTensors{110, 64, 48, 36, 30};
constexpr double mostBlocks = 320;
constexpr double chunk = 65536;

// Fills launch after launch.
class Launches
{
public:
    explicit Launches(int most) : m_mostTensors(most) {}

    void add(double chunks)
    {
        if (chunks <= 0)
            return;
        ++m_tensors;
        while (chunks > 0) {
            const double taken = std::min(chunks, mostBlocks - m_blocks);
            chunks -= taken;
            m_blocks += taken;
            if (m_blocks == mostBlocks || (chunks == 0 && m_tensors == m_mostTensors))
                launch(chunks > 0);
        }
    }

    int count() const { return m_count + (m_blocks > 0 ? 1 : 0); }

private:
    void launch(bool tensorGoesOn)
    {
        ++m_count;
        m_blocks = 0;
        m_tensors = tensorGoesOn ? 1 : 0;
    }

    int m_mostTensors;
    int m_tensors = 0, m_count = 0;
    double m_blocks = 0;
};

// Lists of tensors that an operator is given, and the one that it gives where it is not in place.
std::vector<TraceArgument> tensorLists(const Trace& trace, const TraceOp& op)
{
    std::vector<TraceArgument> lists;
    for (const auto& arguments : {trace.arguments(op), trace.results(op)})
        for (const TraceArgument& argument : arguments)
            if (!trace.tensors(argument).empty())
                lists.push_back(argument);
    return lists;
}

} // namespace

bool isMultiTensor(std::string_view name)
{
    return name.starts_with("aten::_foreach_");
}

int multiTensorLaunches(const std::vector<double>& elements, std::size_t lists)
{
    Launches launches(mostTensors[std::clamp<std::size_t>(lists, 1, mostTensors.size()) - 1]);
    for (const double count : elements)
        launches.add(std::ceil(count / chunk));
    return launches.count();
}

KernelCycles multiTensorCycles(const Trace& trace, const TraceOp& op, const DeviceSpec& device)
{
    const std::vector<TraceArgument> lists = tensorLists(trace, op);
    if (lists.empty())
        return {};
    std::vector<double> elements;
    for (const TraceTensor& tensor : trace.tensors(lists.front()))
        elements.push_back(elementCount(trace, tensor));
    return {.apart = multiTensorLaunches(elements, lists.size()) * device.kernels.listLaunch *
                     device.multiprocessors};
}

} // namespace stagecraft
