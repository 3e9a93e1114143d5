// What NCCL takes of a device. Channels: NCCL 2.30, graph/paths.cc, ncclTopoGetNchannels.
#include "core/plan/communication_memory.h"

#include <QTest>

using namespace stagecraft;

namespace {

DeviceSpec deviceNamed(const std::string& id)
{
    return *readDevice(std::filesystem::path(STAGECRAFT_RESOURCES) / "devices" / (id + ".json"));
}

// A chain with a node in each stage; the first is read by the last, too.
struct Chain
{
    Chain(std::size_t stages, PartitionOptions options)
    {
        options.stageCount = stages;
        problem.options = options;
        partition = {stages, Table<NodeId, StageId>(stages, StageId(0))};
        problem.nodes = Table<NodeId, ProblemNode>(stages);
        for (std::size_t i = 0; i < stages; ++i) {
            partition.stageOf[NodeId(i)] = StageId(i);
            ProblemValue value;
            value.producer = NodeId(i);
            if (i + 1 < stages)
                value.readers.push_back(NodeId(i + 1));
            if (i == 0 && stages > 2)
                value.readers.push_back(NodeId(stages - 1));
            problem.values.push_back(value);
        }
    }

    std::size_t neighbours() const { return mostNeighbours(problem, partition); }

    PartitionProblem problem;
    Partition partition;
};

} // namespace

class TestCommunicationMemory : public QObject
{
    Q_OBJECT

private slots:
    void channelsGoByLinks()
    {
        QCOMPARE(communicationChannels(deviceNamed("h100-sxm")), 32);       // 21 links of 20.6 GB/s
        QCOMPARE(communicationChannels(deviceNamed("a100-sxm-80gb")), 32);  // 15 of 20
        QCOMPARE(communicationChannels(deviceNamed("v100-sxm2-32gb")), 16); // 7 of 20
        QCOMPARE(communicationChannels(deviceNamed("a100-pcie-80gb")), 2);
        QCOMPARE(communicationChannels(deviceNamed("l4")), 2);
        QCOMPARE(communicationChannels(deviceNamed("cpu")), 0);
    }

    void neighboursAreDevices()
    {
        QCOMPARE(Chain(1, {}).neighbours(), std::size_t(0));
        QCOMPARE(Chain(2, {}).neighbours(), std::size_t(1));
        QCOMPARE(Chain(5, {}).neighbours(), std::size_t(2));
        PartitionOptions direct;
        direct.send = SendKind::Direct;
        QCOMPARE(Chain(5, direct).neighbours(), std::size_t(2)); // the first one and the last one meet
        PartitionOptions looped;
        looped.schedule = ScheduleKind::Interleaved;
        looped.stagesPerDevice = 2;
        QCOMPARE(Chain(4, looped).neighbours(), std::size_t(1)); // two devices
    }

    void theNoteSaysHowMuch()
    {
        const Chain chain(4, {});
        QCOMPARE(
            communicationNote(deviceNamed("h100-sxm"), chain.problem, chain.partition),
            std::string("beside PyTorch's allocator NCCL takes up to 768 MiB of a device, 384 MiB for each "
                        "of 2 neighbours: no figure counts it"));
        QCOMPARE(communicationNote(deviceNamed("l4"), Chain(2, {}).problem, Chain(2, {}).partition),
                 std::string("beside PyTorch's allocator NCCL takes up to 24.0 MiB of a device, for its one "
                             "neighbour: no figure counts it"));
        QCOMPARE(communicationNote(deviceNamed("cpu"), chain.problem, chain.partition), std::string());
        QCOMPARE(communicationNote(deviceNamed("l4"), Chain(1, {}).problem, Chain(1, {}).partition),
                 std::string());
    }
};

QTEST_GUILESS_MAIN(TestCommunicationMemory)
#include "tst_communication_memory.moc"
