// Plans under limits of models that are not like those of the gallery.
#include "tests/core/recomputed_plans.h"

using namespace stagecraft;
using namespace stagecraft::test;

namespace {

std::shared_ptr<const Model> architecture(const QString& name)
{
    return modelOf("../../architectures/" + name + ".pt2");
}

PartitionOptions limited(const std::shared_ptr<const Model>& model, double share)
{
    PartitionOptions options = optionsFor(RecomputeKind::None, 8);
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

    // Stages whose blocks share so much that they count less than nothing are weighed, too.
    void whatFitsNowhereIsSaid()
    {
        const auto model = architecture("perceiver-small");
        const auto plan = findRecomputedPlan(model, limited(model, 0.4), profiled, OverLimit::Refused);
        QVERIFY(plan.has_value() || plan.error().code == ErrorCode::Infeasible);
    }
};

QTEST_GUILESS_MAIN(TestRecomputedArchitectures)
#include "tst_recomputed_architectures.moc"
