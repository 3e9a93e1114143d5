// StageCutter: the work behind cutStages(). Follows every value that a stage reads back to where it comes
// from.
#pragma once

#include "core/base/progress.h"
#include "core/load/model.h"
#include "core/stage/cut_facts.h"
#include "core/stage/stage_program.h"

#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace stagecraft {

class StageCutter
{
public:
    // `partition` is of the model's graph and monotone. All must outlive the cutter.
    StageCutter(const Model& model, const Partition& partition, const CutFacts& facts);

    Result<std::vector<StageProgram>> cut(const Progress& progress);

private:
    using Stage = std::size_t;

    // What a stage is found to need.
    struct Draft
    {
        Table<ValueId, char> has; // tensors by first version, and numbers
        std::vector<ValueId> received;
        std::set<ValueId> modelInputs, parameters, buffers, constants;
        std::vector<SizeSource> sizes;
        std::set<NodeId> repeated;
        std::vector<ValueId> repeatedTensors;
        std::vector<NodeId> dropped;
        std::vector<StateUpdate> updates;
        std::vector<StateAlias> aliases;
    };

    Stage stageOf(NodeId node) const { return m_partition.stageOf[node].index(); }
    Stage lastStage() const { return m_partition.stageCount - 1; }
    const Value& valueOf(ValueId id) const { return m_graph[id]; }
    ValueKind kindOf(ValueId id) const { return m_facts.origins[id].kind; }
    const std::optional<NodeId>& producerOf(ValueId id) const { return m_facts.origins[id].producer; }

    // Storage that is written.
    void findWrittenInputs();
    void findViewsOfWritten();
    void sendOneOf(const WrittenStorage& written);
    void sendOneOf(ValueId set);
    bool isMadeBefore(ValueId tensor, Stage stage) const;
    bool isReadFrom(ValueId tensor, Stage stage) const;
    bool isWrittenIn(ValueId tensor, Stage stage) const;
    std::optional<Stage> madeIn(ValueId tensor) const;
    ValueId lastVersion(ValueId tensor, Stage stage) const;

    // Tensors that cannot be sent as they are.
    void findViewsThatCannotBeSent();
    void repeatIfNotSendable(ValueId value, Stage stage);
    ValueId repeatFromBase(ValueId value, Stage stage, std::optional<ValueId> sent = {});
    void repeatFromStorage(ValueId value, Stage stage);
    void repeatViewIn(ValueId tensor, Stage stage);
    void checkRepeatable(ValueId tensor, Stage stage);

    // Following needs.
    Result<void> followNodes(const Progress& progress);
    void followOutputs();
    void followUpdate(const OutputSpec& spec, ValueId value);
    void need(ValueId value, Stage stage);
    void needTensor(ValueId tensor, Stage stage);
    bool takeLocally(ValueId tensor, Stage stage);
    void repeatView(ValueId tensor, Stage stage);
    void needNumber(ValueId number, Stage stage);
    bool readFromTensorAtHand(ValueId number, Stage stage);
    void tieBuffers();
    bool isUpdated(const std::string& target) const;
    void placeUnusedState();
    void nameTiedState();
    void keepChecksOfWhatIsThere();
    bool isAvailable(ValueId value, Stage stage);

    StageProgram assemble(Stage stage) const;
    std::vector<StageInput> inputsOf(Stage stage) const;
    std::vector<ValueId> outputsOf(Stage stage) const;
    std::vector<ValueId> receivedVersions(Stage stage) const;
    void addStandIns(Stage stage, StageProgram& program) const;
    void addLayouts(StageProgram& program) const;

    void fail(const std::string& why);
    std::string nameOf(ValueId value) const { return "'" + valueOf(value).name + "'"; }

    const Model& m_model;
    const Graph& m_graph;
    const Partition& m_partition;
    const CutFacts& m_facts;
    const StorageUse& m_storage;
    std::unordered_map<ValueId, Stage> m_writtenIn; // of graph inputs: the first stage that writes them
    std::set<std::pair<ValueId, Stage>> m_repeatedViews;
    std::unordered_map<ValueId, Stage> m_viewedAgainIn; // the last stage that makes a view of it again
    std::map<ValueId, ValueId> m_tiedTo;                // of parameters and buffers, as CutFacts::tiedTo
    std::vector<std::pair<ValueId, Stage>> m_numbers;
    std::vector<Draft> m_drafts;
    std::optional<Error> m_error;
};

} // namespace stagecraft
