// What is asked of a document besides a plan.
#include "app/document/document.h"

#include "app/document/schedule_figures.h"
#include "app/document/selection_history.h"
#include "core/schedule/schedule_csv.h"
#include "core/stage/safetensors_writer.h"
#include "tests/app/document/document_fixture.h"
#include "views/plan/size_fields.h"

#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QSignalSpy>
#include <QTemporaryDir>

#include <algorithm>

using namespace stagecraft;

namespace {

// ownPlan() knows no stages: nodes of another stage may lie between two of a region.
bool runsAgain(const Graph& graph, const RecomputePlan& plan)
{
    Table<NodeId, std::vector<int>> expected(graph.nodeCount());
    for (std::size_t i = 0; i < plan.regions.size(); ++i)
        for (const NodeId node : plan.regions[i].nodes)
            expected[node] = {static_cast<int>(i)};
    return std::ranges::all_of(graph.nodes(), [&](NodeId node) {
        return graph.context(graph[node].context).recomputeRegions == expected[node];
    });
}

} // namespace

class TestDocumentAnalyses : public QObject
{
    Q_OBJECT

private slots:
    void whatIsRecomputedIsAStepOfUndo()
    {
        const auto document = openedDocument();
        const auto savedBytes = [&] { return document->state().profile->totals.savedBytes; };
        const auto codeRunsAgain = [&] {
            return !document->isCodeStale() &&
                   document->pages()[1].code->text.find("checkpoint(") != std::string::npos;
        };
        const Bytes before = savedBytes();
        QVERIFY(!codeRunsAgain());
        PlanRequest request = document->request();
        request.plan.recompute.kind = RecomputeKind::Full;
        document->setRequest(request);
        QTRY_VERIFY(document->isSettled());
        const RecomputePlan regions = document->request().plan.recompute.regions;
        QVERIFY(!regions.regions.empty());
        QVERIFY(savedBytes() < before);
        QVERIFY(runsAgain(document->model()->graph, regions));
        QVERIFY(evaluate(*document->state().problem, *document->state().partition).bottleneckTime ==
                document->state().cost->bottleneckTime);
        QTRY_VERIFY(codeRunsAgain());
        document->undoStack().undo();
        QCOMPARE(savedBytes(), before);
        QTRY_VERIFY(!document->isCodeStale() && !codeRunsAgain());
        QVERIFY(document->request().plan.recompute == RecomputePolicy());
        QVERIFY(runsAgain(document->model()->graph, {}));
        document->undoStack().redo();
        QVERIFY(runsAgain(document->model()->graph, regions));
    }

    void aRealStepGivesStatistics()
    {
        const auto document = openedDocument();
        QVERIFY(!document->planView().statistics);
        QSignalSpy changed(&document->analyses(), &DocumentAnalyses::statisticsChanged);
        document->analyses().gatherStatistics();
        QVERIFY(changed.wait(patience));
        const auto statistics = document->planView().statistics;
        QVERIFY(statistics);
        QVERIFY(!statistics->firstNonFinite);
        std::size_t gradients = 0;
        for (const ValueStatistics& value : statistics->values)
            gradients += value.backward && value.backward->standardDeviation > 0 ? 1 : 0;
        QVERIFY(gradients > 10);
    }

    void takesWeightsFromFiles()
    {
        const auto document = openedDocument();
        const QTemporaryDir folder;
        const std::filesystem::path path = folder.filePath("w.safetensors").toStdString();
        const std::shared_ptr<const Model> before = document->model();
        std::vector<NamedTensor> tensors;
        for (const std::string& name : before->weights.names())
            tensors.push_back({name, *before->weights.find(name)});
        const Progress progress;
        auto file = OutputFile::create(path, progress);
        QVERIFY(file.has_value());
        QVERIFY(writeSafetensors(*file, tensors, {}, progress).has_value());
        QVERIFY(file->close().has_value());

        QSignalSpy noticed(document.get(), &Document::noticed);
        document->attachWeights({path});
        QTRY_COMPARE(noticed.size(), 1);
        QVERIFY(document->model() != before);
        QVERIFY(document->model()->isReadFrom(path));
        QVERIFY(document->state().profile); // the plan is still there
        QTRY_VERIFY(document->drawing() && document->drawing()->graph == document->planView().graph);

        QSignalSpy failed(document.get(), &Document::failed);
        document->attachWeights({tinyModel.toStdString()});
        QTRY_COMPARE(failed.size(), 1);
    }

    void statisticsCanBeCancelled()
    {
        const auto document = openedDocument();
        QSignalSpy changed(&document->analyses(), &DocumentAnalyses::statisticsChanged);
        QSignalSpy failed(document.get(), &Document::failed);
        document->analyses().gatherStatistics();
        document->heavyQueue().cancelAll();
        QCOMPARE(changed.size(), 1);
        QVERIFY(!document->analyses().statistics());
        QVERIFY(failed.isEmpty());
    }

    void aPointOfTheCurveIsOneStepOfUndo()
    {
        const auto document = openedDocument();
        const Partition before = *document->state().partition;
        QVERIFY(!document->analyses().curve());
        document->analyses().computeCurve();
        QTRY_VERIFY(document->analyses().curve() && !document->analyses().isCurveRunning());
        QCOMPARE(document->analyses().curve()->points.size(), std::size_t{16});
        document->analyses().adoptPoint(2);
        QCOMPARE(document->request().plan.stageCount, std::size_t{2});
        QCOMPARE(document->state().partition->stageCount, std::size_t{2});
        QVERIFY(document->bound());
        const PlanCost fresh = evaluate(*document->state().problem, *document->state().partition);
        QVERIFY(qFuzzyCompare(fresh.bottleneckTime.value(), document->state().cost->bottleneckTime.value()));
        QVERIFY(document->analyses().curve()); // it goes over all numbers of stages
        document->undoStack().undo();
        QVERIFY(*document->state().partition == before);
        QCOMPARE(document->request().plan.stageCount, std::size_t{4});
        document->analyses().adoptPoint(99);
        QVERIFY(*document->state().partition == before);
        PlanRequest request = document->request();
        request.plan.microbatches *= 2;
        document->setRequest(request);
        QVERIFY(!document->analyses().curve()); // it was about something else
    }

    void aTradeOffIsOneStepOfUndo()
    {
        const auto document = openedDocument();
        DocumentAnalyses& search = document->analyses();
        const Partition before = *document->state().partition;
        search.seekTradeOffs();
        QVERIFY(search.isTradeOffsRunning());
        QTRY_VERIFY(search.tradeOffs());
        const std::vector<TradeOff> plans = *search.tradeOffs();
        QVERIFY(!plans.empty());
        for (std::size_t i = 0; i < plans.size(); ++i) {
            search.adoptTradeOff(i);
            QVERIFY(*document->state().partition == plans[i].solution.partition);
            QCOMPARE(document->state().cost->iteration.value(), plans[i].solution.cost.iteration.value());
            document->undoStack().undo();
            QVERIFY(*document->state().partition == before);
        }
        search.adoptTradeOff(plans.size()); // there is none
        QVERIFY(*document->state().partition == before);
        PlanRequest request = document->request();
        request.plan.microbatches *= 2;
        document->setRequest(request);
        QVERIFY(!search.tradeOffs()); // they were of another problem
        search.seekTradeOffs();
        QSignalSpy failed(document.get(), &Document::failed);
        document->heavyQueue().cancelAll();
        QVERIFY(!search.isTradeOffsRunning() && !search.tradeOffs() && failed.isEmpty());
    }

    void measuredTimesTakeThePlaceOfEstimates()
    {
        const auto document = openedDocument();
        DocumentAnalyses& source = document->analyses();
        const Seconds estimated = document->state().profile->totals.timeForward;
        source.measureTimes();
        QTRY_VERIFY(document->state().times && document->isSettled());
        const Profile& profile = *document->state().profile;
        for (const NodeCost& cost : profile.nodes)
            QCOMPARE(cost.origin, CostOrigin::Measured);
        const PlanCost fresh = evaluate(*document->state().problem, *document->state().partition);
        QCOMPARE(fresh.bottleneckTime.value(), document->state().cost->bottleneckTime.value());
        PlanRequest request = document->request();
        request.device = "l4"; // whatever the device, that is what was measured
        document->setRequest(request);
        QTRY_VERIFY(document->request().device == "l4" && document->isSettled());
        QCOMPARE(document->state().profile->nodes[NodeId(0)].origin, CostOrigin::Measured);
        document->undoStack().undo();
        document->undoStack().undo();
        QVERIFY(!document->state().times);
        QCOMPARE(document->state().profile->totals.timeForward.value(), estimated.value());
    }

    void measuringCanBeCancelled()
    {
        const auto document = openedDocument();
        DocumentAnalyses& source = document->analyses();
        QSignalSpy failed(document.get(), &Document::failed);
        source.measureTimes();
        document->heavyQueue().cancelAll();
        QTRY_VERIFY(document->isAtRest());
        QVERIFY(!document->state().times && failed.isEmpty());
    }

    void timesOfAFileAreReadOrRefused()
    {
        const auto document = openedDocument();
        const QTemporaryDir folder;
        const auto write = [&](const char* name, const QByteArray& text) {
            QFile file(folder.filePath(name));
            return file.open(QIODevice::WriteOnly) && file.write(text) == text.size();
        };
        const Node& node = document->model()->graph[NodeId(0)];
        QVERIFY(write("times.csv", "node,forward_us,backward_us\n" + QByteArray::fromStdString(node.name) +
                                       ",1000,2000\n"));
        QVERIFY(write("other.csv", "node,forward,backward\nnobody,1,2\n"));
        DocumentAnalyses& source = document->analyses();
        QSignalSpy failed(document.get(), &Document::failed);
        source.importTimes(folder.filePath("other.csv").toStdString());
        QTRY_COMPARE(failed.size(), 1);
        source.importTimes(folder.filePath("times.csv").toStdString());
        QTRY_VERIFY(document->state().times && document->isSettled());
        const NodeCost& cost = document->state().profile->nodes[NodeId(0)];
        QCOMPARE(cost.origin, CostOrigin::Imported);
        QCOMPARE(cost.forward.time.value(), 1e-3);
        QCOMPARE(document->state().profile->nodes[NodeId(1)].origin, CostOrigin::Estimated);
        document->analyses().useTimes("Estimate", nullptr);
        QTRY_VERIFY(!document->state().times && document->isSettled());
        QCOMPARE(document->state().profile->nodes[NodeId(0)].origin, CostOrigin::Estimated);
    }

    void adviceIsOfThePlanAndCanBeTaken()
    {
        const auto document = openedDocument();
        const std::vector<std::size_t> places = document->legalPositions(BoundaryId(0));
        document->drop(BoundaryId(0), places.back()); // a plan that is worth mending
        QTRY_VERIFY(document->isSettled());
        QVERIFY(!document->analyses().advice());
        document->analyses().seekAdvice();
        QVERIFY(document->analyses().isAdviceRunning());
        QTRY_VERIFY(document->isSettled());
        const auto advice = document->analyses().advice();
        QVERIFY(advice && !advice->suggestions.empty());
        QCOMPARE(advice->report.stage, document->state().cost->bottleneck);

        const PlanState before = document->state();
        const int steps = document->undoStack().count();
        for (std::size_t i = 0; i < advice->suggestions.size(); ++i) {
            const Suggestion& suggestion = advice->suggestions[i];
            document->analyses().applySuggestion(i);
            QCOMPARE(document->undoStack().count(), steps + 1);
            QVERIFY(*document->state().partition == suggestion.solution.partition);
            QCOMPARE(document->state().cost->bottleneckTime.value(),
                     suggestion.solution.cost.bottleneckTime.value());
            QCOMPARE(document->state().cost->iteration.value(), suggestion.solution.cost.iteration.value());
            QVERIFY(!document->analyses().advice()); // it was about another plan
            document->undoStack().undo();
            QVERIFY(document->state().partition == before.partition);
            QVERIFY(document->request() == before.request);
            QCOMPARE(document->analyses().advice(), advice);
        }
    }

    void theLargestBatchIsThatOfTheProfile()
    {
        const auto document = openedDocument();
        QVERIFY(!document->analyses().largestBatch());
        document->analyses().findLargestBatch();
        QVERIFY(document->analyses().isBatchRunning());
        QTRY_VERIFY(document->analyses().largestBatch());
        QVERIFY(*document->analyses().largestBatch());
        QVERIFY((*document->analyses().largestBatch())->batch > 0);
    }

    void sizesAreBoundAndMeasuredAnew()
    {
        Document document(sampleSettings());
        document.open(STAGECRAFT_TEST_DATA "/models/made/sizes.pt2");
        QTRY_VERIFY(document.hasModel() && document.isSettled());
        const std::vector<OpenSize> sizes = openSizes(document.model()->graph);
        QCOMPARE(sizes.size(), std::size_t(3));
        QCOMPARE(QString::fromStdString(sizes[0].place), QString("x[0]"));
        QCOMPARE(sizes[0].range, (SymbolRange{3, 64, 6}));
        QCOMPARE(QString::fromStdString(sizes[1].place), QString("n"));
        QCOMPARE(QString::fromStdString(sizes[2].place), QString("nonzero"));
        QVERIFY(sizes[2].isDataDependent && !sizes[1].isDataDependent);
        const Flops before = document.state().profile->totals.flopsForward;
        PlanRequest request = document.request();
        const std::int64_t exported = sizes.front().range.hint.value_or(2);
        request.profile.bindings = {{sizes.front().symbol, exported * 2}};
        document.setRequest(request);
        QTRY_VERIFY(document.isSettled());
        QVERIFY(document.request().profile.bindings == request.profile.bindings);
        QVERIFY(document.state().profile->totals.inputBytes > Bytes(0));
        QVERIFY(document.state().profile->totals.flopsForward >= before);
        QCOMPARE(document.state().profile->options.bindings.at(sizes.front().symbol), exported * 2);
        document.undoStack().undo();
        QVERIFY(document.request().profile.bindings.empty());
        // they are of this model alone
        document.undoStack().redo();
        document.open(tinyModel.toStdString());
        QTRY_VERIFY(document.hasModel() && document.isSettled());
        QVERIFY(document.request().profile.bindings.empty());
    }

    void theScheduleIsSavedInEachForm()
    {
        const auto document = openedDocument();
        const PlanState& state = document->state();
        const QTemporaryDir folder;
        const auto contentOf = [&](const QString& name) {
            QFile file(folder.filePath(name));
            return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
        };
        QVERIFY(saveSchedule(state, folder.filePath("step.csv").toStdString()).has_value());
        const QByteArray table = contentOf("step.csv");
        QCOMPARE(table.count("\r\n"), qsizetype{4}); // a line a device
        const auto read = parseScheduleCsv(table.toStdString());
        QVERIFY(read.has_value());
        QCOMPARE(read->stageCount, std::size_t{4});
        QCOMPARE(read->microbatches, state.problem->options.microbatches);

        QVERIFY(!table.contains("SEND"));
        const auto path = folder.filePath("sends.csv").toStdString();
        QVERIFY(saveSchedule(state, path, {CsvForm::ComputeComms, CsvWaits::Implied}).has_value());
        QVERIFY(contentOf("sends.csv").contains("0SEND_F0") && !contentOf("sends.csv").contains("WAIT"));
        QVERIFY(saveSchedule(state, path, {CsvForm::ComputeComms, CsvWaits::Written}).has_value());
        QVERIFY(contentOf("sends.csv").contains("0WAIT_SEND_F0"));

        QVERIFY(saveSchedule(state, folder.filePath("step.json").toStdString()).has_value());
        const QJsonObject trace = QJsonDocument::fromJson(contentOf("step.json")).object();
        QVERIFY(std::size_t(trace["traceEvents"].toArray().size()) > 8 * read->microbatches);

        const auto refused = saveSchedule(state, folder.filePath("step.txt").toStdString());
        QVERIFY(!refused.has_value() && refused.error().message.find("step.txt") != std::string::npos);
        QVERIFY(!QFile::exists(folder.filePath("step.txt")));
        QVERIFY(!saveSchedule(state, folder.filePath("missing/step.csv").toStdString()).has_value());
        PlanState withoutCosts = state;
        withoutCosts.problem.reset();
        QVERIFY(!saveSchedule(withoutCosts, folder.filePath("none.csv").toStdString()).has_value());
    }

    void aStepOfTheSelectionCanBeTakenBack()
    {
        Selection selection;
        SelectionHistory history(&selection);
        QVERIFY(!history.canGoBack());
        selection.setNodes({NodeId(1)});
        selection.setNodes({NodeId(2), NodeId(3)});
        selection.clear();
        selection.setNodes({NodeId(4)});
        QSignalSpy revealed(&selection, &Selection::revealRequested);
        history.goBack();
        QVERIFY(selection.nodes() == (std::vector{NodeId(2), NodeId(3)}));
        history.goBack();
        QVERIFY(selection.nodes() == std::vector{NodeId(1)});
        QCOMPARE(revealed.count(), 2);
        history.goForward();
        QVERIFY(selection.nodes() == (std::vector{NodeId(2), NodeId(3)}));
        selection.setNodes({NodeId(5)}); // a new way
        QVERIFY(!history.canGoForward());
        for (int i = 0; i < 9; ++i)
            history.goBack();
        QVERIFY(selection.nodes().empty());
        history.clear();
        QVERIFY(!history.canGoForward());
    }

    void whatWasSeenIsGoneBackToWithTheSelection()
    {
        Selection selection;
        SelectionHistory history(&selection);
        const auto seen = [](double zoom) { return GraphPlace{.zoom = zoom}; };
        std::vector<double> shown;
        connect(&history, &SelectionHistory::returned, this,
                [&](const GraphPlace& place) { shown.push_back(place.zoom); });
        // As a graph tells it, before it moves: once for the selection, once for the reveal.
        double zoom = 1;
        connect(&selection, &Selection::revealRequested, this, [&] { history.leave(seen(zoom + 0.5)); });
        history.leave(seen(1));
        selection.setNodes({NodeId(1)});
        history.leave(seen(2));
        history.leave(seen(3)); // the picture moved meanwhile
        selection.setNodes({NodeId(2)});
        zoom = 4;
        history.goBack();
        history.goBack();
        QCOMPARE(shown, (std::vector<double>{3, 1}));
        history.goForward();
        history.goForward();
        QCOMPARE(shown, (std::vector<double>{3, 1, 4.5, 4.5}));
        history.goBack();
        history.leave(std::nullopt); // nothing is drawn yet
        selection.setNodes({NodeId(7)});
        shown.clear();
        selection.disconnect(this);
        history.goBack();
        QVERIFY(shown.empty());
        QVERIFY(selection.nodes() == std::vector{NodeId(1)});
    }
};

QTEST_MAIN(TestDocumentAnalyses)
#include "tst_document_analyses.moc"
