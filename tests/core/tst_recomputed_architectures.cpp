// Plans under limits of models that are not like those of the gallery.
#include "core/base/text.h"
#include "core/recompute_cuts.h"
#include "core/recompute_search.h"
#include "tests/core/recomputed_plans.h"

#include <QRegularExpression>
#include <QTest>

using namespace stagecraft;
using namespace stagecraft::test;

namespace {

std::shared_ptr<const Model> architecture(const QString& name)
{
    return modelOf("../../architectures/" + name + ".pt2");
}

PartitionOptions limited(const std::shared_ptr<const Model>& model, double share, std::size_t stages = 8)
{
    PartitionOptions options = optionsFor(RecomputeKind::None, stages);
    options.timeLimit = Seconds(2);
    options.microbatches = 8;
    options.runtime = PipelineRuntime::Torch214;
    const Bytes needed = largestPeak(found(model, options).found.solution.cost);
    options.memoryLimits = {Bytes(static_cast<std::int64_t>(share * needed.asDouble()))};
    options.recompute.kind = RecomputeKind::Auto;
    return options;
}

} // namespace

class TestRecomputedArchitectures : public QObject
{
    Q_OBJECT

private slots:
    // Its last product alone takes as long as four stages: nobody needs a search to know that.
    void whatFitsWithoutIsProven()
    {
        const auto model = architecture("bloom-560m");
        const Solution plan = found(model, limited(model, 0.6)).found.solution;
        QVERIFY(plan.cost.fits());
        QVERIFY(plan.bound.value >= plan.cost.bottleneckTime * 0.999);
    }

    // Of many stages that slicing takes for possible none is; of the bound's, too, unless it knows that
    // activations in place behind batch norms are kept with these. Of two towers the program has that first
    // whose weights leave less room to those in flight. Of what only the model's results need, one activation
    // is far behind what it reads, for what is made of it is larger. The table of a large vocabulary has a
    // gradient that the first stage has room for. What lies otherwise than what is sent is held beside it.
    // The decoder's table has room in the first stage alone: in the program's order it is below 0.79.
    void plansAreNearTheBound_data()
    {
        QTest::addColumn<QString>("model");
        QTest::addColumn<int>("stages");
        QTest::addColumn<double>("share");
        QTest::addColumn<double>("least"); // bound / plan
        QTest::newRow("60 %") << "efficientnet-v2-m" << 8 << 0.6 << 0.85;
        QTest::newRow("40 %") << "efficientnet-v2-m" << 8 << 0.4 << 0.95;
        QTest::newRow("towers, 80 %") << "clip-b-32" << 4 << 0.8 << 0.97;
        QTest::newRow("towers, 60 %") << "clip-b-32" << 4 << 0.6 << 0.85;
        QTest::newRow("towers in more stages, 60 %") << "clip-b-32" << 8 << 0.6 << 0.93;
        QTest::newRow("results beside the chain") << "channels-last" << 8 << 0.6 << 0.92;
        QTest::newRow("large vocabulary") << "gemma3-1b" << 4 << 0.6 << 0.98;
        QTest::newRow("columns are sent") << "vq-autoencoder" << 4 << 0.6 << 0.94;
        QTest::newRow("a decoder's table first") << "whisper-small" << 4 << 0.4 << 0.85;
    }
    void plansAreNearTheBound()
    {
        QFETCH(const QString, model);
        QFETCH(const int, stages);
        QFETCH(const double, share);
        QFETCH(const double, least);
        const auto opened = architecture(model);
        PartitionOptions options = limited(opened, share, static_cast<std::size_t>(stages));
        options.timeLimit = Seconds(6); // on any machine
        const Solution plan = found(opened, options).found.solution;
        QVERIFY(plan.cost.fits());
        const double ratio = plan.bound.value / plan.cost.bottleneckTime;
        QVERIFY2(ratio >= least, qPrintable(QString::number(ratio)));
    }

    // A check at the end of the program looks at what the first of two towers makes.
    void checksDoNotKeepStagesTogether()
    {
        const auto model = architecture("clip-b-32");
        const Result<RecomputeChooser> chooser = recomputeChooser(model, limited(model, 0.8, 4), profiled);
        QVERIFY(chooser.has_value());
        const PartitionProblem& none = chooser->ground().none;
        const RecomputedCuts cuts(*chooser, programOrder(none));
        const std::vector<std::size_t>& places = cuts.places();
        std::size_t widest = 0; // stretch without a place to cut
        for (std::size_t i = 1; i < places.size(); ++i)
            widest = std::max(widest, places[i] - places[i - 1]);
        QVERIFY2(widest < 50, qPrintable(QString::number(widest)));
        const auto cut = cuts.within({none.options.memoryLimits});
        QVERIFY(cut);
        const Result<void> checked = checkPartition(none, *cut);
        QVERIFY2(checked.has_value(), checked.has_value() ? "" : checked.error().message.c_str());
    }

    // Stages whose blocks share so much that they count less than nothing are weighed, too.
    void whatFitsNowhereIsSaid()
    {
        const auto model = architecture("perceiver-small");
        const auto plan = findRecomputedPlan(model, limited(model, 0.4), profiled, OverLimit::Refused);
        QVERIFY(plan.has_value() || plan.error().code == ErrorCode::Infeasible);
    }

    // More time is of no use there, and not asked for.
    void whatNoPlanKeepsIsProven()
    {
        const auto model = architecture("regnet-small");
        const auto plan = findRecomputedPlan(model, limited(model, 0.4), profiled, OverLimit::Refused);
        QVERIFY(!plan.has_value());
        const QString why = QString::fromStdString(plan.error().message);
        QVERIFY2(why.contains("it is proven that no plan keeps the memory limits"), qPrintable(why));
        QVERIFY2(!why.contains("allow more"), qPrintable(why));
    }

    // What would do lies between the two.
    void moreThanTheLimitsIsRefuted()
    {
        const auto model = architecture("channels-last");
        PartitionOptions options = limited(model, 0.6, 4);
        options.timeLimit = Seconds(6); // on any machine
        const auto plan = findRecomputedPlan(model, options, profiled, OverLimit::Refused);
        QVERIFY(!plan.has_value());
        const QString why = QString::fromStdString(plan.error().message).section("; even where", 0, 0);
        const QRegularExpression found(
            "holds at most ([0-9.]+) MiB on a device; no limit below ([0-9.]+) MiB");
        const QRegularExpressionMatch match = found.match(why);
        QVERIFY2(match.hasMatch(), qPrintable(why));
        QVERIFY2(match.captured(2).toDouble() > 2.4, qPrintable(why)); // the limit is 2.27 MiB
        QVERIFY2(match.captured(1).toDouble() < 3.2, qPrintable(why)); // without cuts for every block 3.55
    }

    // The cuts for every block recomputed lead to it: without them 1.19 GiB.
    void thePlanThatHoldsTheLeastIsShown()
    {
        const auto model = architecture("clip-b-32");
        PartitionOptions options = limited(model, 0.4, 4);
        options.timeLimit = Seconds(6); // on any machine
        const auto plan = findRecomputedPlan(model, options, profiled, OverLimit::Taken);
        QVERIFY(plan.has_value());
        QVERIFY(!plan->found.whyOverLimit.empty());
        const Bytes most = plan->found.solution.cost.peakMemory();
        QVERIFY2(most < Bytes(std::int64_t{720} << 20), formatBytes(most).c_str());
    }
};

QTEST_GUILESS_MAIN(TestRecomputedArchitectures)
#include "tst_recomputed_architectures.moc"
