// Regions of torch.func.vmap and torch.func.jvp as exports have them.
#include "program_run.h"
#include "run_text.h"

#include <QtTest>

using namespace stagecraft;

namespace {

const NamedArray floats = arrayOf("f32", {2, 2}, {1, 2, 3, 4});

void addHostileJvp()
{
    const QString place = "torch._functorch.predispatch::";
    const QString open = "  none = " + place + "_jvp_increment_nesting() named open\n";
    const QString close = "  none = " + place + "_jvp_decrement_nesting() named close\n";
    const QString enter = "  none = " + place + "_enter_dual_level() named enter\n";
    const QString dual = "  %a : f32[2, 2] = " + place + "_make_dual(%x, ";
    QTest::newRow("jvp left open") << open << "is opened or closed where it is not the other";
    QTest::newRow("level left open") << enter << "is opened or closed where it is not the other";
    QTest::newRow("jvp not open") << close << "no jvp region is open here";
    QTest::newRow("closed as vmap") << open + "  none = " + place + "_vmap_decrement_nesting() named close\n"
                                    << "no vmap region is open here";
    QTest::newRow("two levels") << enter + "  none = " + place + "_enter_dual_level() named two\n"
                                << "a level of forward-mode derivatives is open already";
    QTest::newRow("no level") << "  none = " + place + "_exit_dual_level(level=0) named leave\n"
                              << "no level of forward-mode derivatives is open";
    QTest::newRow("outside a level") << open + dual + "%x, level=0)\n"
                                     << "forward AD level";
    QTest::newRow("level 3") << open + enter + dual + "%x, level=3)\n"
                             << "one level of forward-mode derivatives, 0, not 3";
    QTest::newRow("no tangent") << open + enter + dual + "level=0)\n"
                                << "is missing";
    QTest::newRow("another size") << open + enter +
                                         "  %s : f32[2] = aten::sum.dim_IntList(self %x, dim [0])\n" + dual +
                                         "%s, level=0)\n"
                                  << "different size";
}

} // namespace

class TestTransforms : public QObject
{
    Q_OBJECT

private slots:
    void nestedRegionsOfVmapRunInsideEachOther()
    {
        const std::string text = R"(graph nested
  input %x : f32[2, 2]
  none = torch._functorch.predispatch::_vmap_increment_nesting(2, "error") named outer
  %row : f32[2] = torch._functorch.predispatch::_add_batch_dim(%x, 0, 1)
  none = torch._functorch.predispatch::_vmap_increment_nesting(2, "error") named inner
  %one : f32[] = torch._functorch.predispatch::_add_batch_dim(%row, 0, 2)
  %twice : f32[] = aten::mul.Tensor(self %one, other 2)
  %rows : f32[2] = torch._functorch.predispatch::_remove_batch_dim(%twice, 2, 2, 0)
  none = torch._functorch.predispatch::_vmap_decrement_nesting() named inner_end
  %sum : f32[] = aten::sum.default(self %rows)
  %sums : f32[2] = torch._functorch.predispatch::_remove_batch_dim(%sum, 1, 2, 0)
  none = torch._functorch.predispatch::_vmap_decrement_nesting() named outer_end
  return %sums
)";
        QCOMPARE(outputsOf(runGraphText(text, {floats})), "f32[2] 6 14");
    }

    // f(x) = x * x along x: 2 * x * x, and of that, along 1, 4 * x.
    void nestedRegionsOfJvpRunInsideEachOther()
    {
        const std::string text = R"(graph nested
  input %x : f32[2, 2]
  %one : f32[2, 2] = aten::ones_like.default(self %x)
  none = torch._functorch.predispatch::_jvp_increment_nesting() named outer
  none = torch._functorch.predispatch::_enter_dual_level() named level
  %a : f32[2, 2] = torch._functorch.predispatch::_make_dual(%x, %one, level=0)
  none = torch._functorch.predispatch::_jvp_increment_nesting() named inner
  %b : f32[2, 2] = torch._functorch.predispatch::_make_dual(%a, %a, level=0)
  %square : f32[2, 2] = aten::mul.Tensor(self %b, other %b)
  %p : f32[2, 2], %t : f32[2, 2] = torch._functorch.predispatch::_unpack_dual(%square, level=0) named unpack
  %first : f32[2, 2] = torch._functorch.predispatch::_unwrap_for_grad(%t, 2)
  none = torch._functorch.predispatch::_jvp_decrement_nesting() named inner_end
  %q : f32[2, 2], %u : f32[2, 2] = torch._functorch.predispatch::_unpack_dual(%first, level=0) named again
  %value : f32[2, 2] = torch._functorch.predispatch::_unwrap_for_grad(%q, 1)
  %second : f32[2, 2] = torch._functorch.predispatch::_unwrap_for_grad(%u, 1)
  none = torch._functorch.predispatch::_exit_dual_level(level=0) named level_end
  none = torch._functorch.predispatch::_jvp_decrement_nesting() named outer_end
  return %value, %second
)";
        QCOMPARE(outputsOf(runGraphText(text, {floats})), "f32[2,2] 2 8 18 32; f32[2,2] 4 8 12 16");
    }

    void stepsOfTransformsThatDoNotFitAreRefused_data()
    {
        QTest::addColumn<QString>("steps");
        QTest::addColumn<QString>("message");
        const QString vmap = "torch._functorch.predispatch::_vmap_";
        const QString open = "  none = " + vmap + "increment_nesting(2, \"error\") named open\n";
        const QString close = "  none = " + vmap + "decrement_nesting() named close\n";
        const QString add = "  %a : f32[2] = torch._functorch.predispatch::_add_batch_dim(%x, ";
        const QString remove = "  %b : f32[2, 2] = torch._functorch.predispatch::_remove_batch_dim(%a, ";
        QTest::newRow("left open") << open << "is opened or closed where it is not the other";
        QTest::newRow("not open") << close << "no vmap region is open here";
        QTest::newRow("outside") << add + "0, 1)\n"
                                 << "the vmap region of level 1 is not the one";
        QTest::newRow("another level") << open + add + "0, 7)\n"
                                       << "the vmap region of level 7 is not the one";
        QTest::newRow("no such dimension") << open + add + "5, 1)\n"
                                           << "Dimension out of range";
        QTest::newRow("a negative number")
            << "  none = " + vmap + "increment_nesting(-3, \"error\") named open\n"
            << "vmap goes over -3 elements";
        QTest::newRow("other elements")
            << "  none = " + vmap + "increment_nesting(3, \"error\") named open\n" + add + "0, 1)\n"
            << "is not the 3 elements";
        QTest::newRow("many elements")
            << open + add + "0, 1)\n" + remove + "1, 4611686018427387904, 0)\n" + close
            << "vmap goes over 2 elements, not 4611686018427387904";
        QTest::newRow("unknown randomness")
            << "  none = " + vmap + "increment_nesting(2, \"any\") named open\n"
            << "randomness is 'error', 'same' or 'different'";
        QString deep;
        for (int i = 0; i < 40; ++i)
            deep +=
                "  none = " + vmap + "increment_nesting(2, \"error\") named open" + QString::number(i) + "\n";
        QTest::newRow("deep") << deep << "transforms are nested too deeply";
        addHostileJvp();
    }

    void stepsOfTransformsThatDoNotFitAreRefused()
    {
        QFETCH(QString, steps);
        QFETCH(QString, message);
        const std::string text =
            "graph hostile\n  input %x : f32[2, 2]\n" + steps.toStdString() + "  return %x\n";
        const QString said = outputsOf(runGraphText(text, {floats}));
        QVERIFY2(said.contains(message), qPrintable(said));
        // The next run finds no region open.
        QCOMPARE(outputsOf(runGraphText("graph next\n  input %x : f32[2, 2]\n  return %x\n", {floats})),
                 "f32[2,2] 1 2 3 4");
    }
};

QTEST_GUILESS_MAIN(TestTransforms)
#include "tst_transforms.moc"
