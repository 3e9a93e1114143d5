// Operators that write in place, called on copies of what they write to. check_functionalized.py compares
// them with PyTorch.
#include "program_run.h"
#include "run_text.h"

#include <QtTest>

using namespace stagecraft;

namespace {

const NamedArray floats = arrayOf("f32", {2, 2}, {1, 2, 3, 4});

// One call with these arguments, of which the second result and the input are returned.
QString runCall(const std::string& call)
{
    return outputsOf(runGraphText("graph test\n  input %x : f32[2, 2]\n"
                                  "  %own : f32[2, 2], %new : f32[2, 2] = higher_order::" +
                                      call + " named call\n  return %new, %x\n",
                                  {floats}));
}

} // namespace

class TestFunctionalizedCall : public QObject
{
    Q_OBJECT

private slots:
    void writesToCopies()
    {
        QCOMPARE(runCall("auto_functionalized(operator(\"aten::add_.Tensor\"), self=%x, other=%x, alpha=2)"),
                 "f32[2,2] 3 6 9 12; f32[2,2] 1 2 3 4");
        QCOMPARE(
            runCall("auto_functionalized_v2(operator(\"aten::add_.Tensor\"), other=%x, _self_base_index=0, "
                    "_all_bases=[%x])"),
            "f32[2,2] 2 4 6 8; f32[2,2] 1 2 3 4");
    }

    void writesToPartsOfCopies_data()
    {
        QTest::addColumn<QString>("view");
        QTest::addColumn<QString>("written");
        QTest::newRow("the same") << "_self_alias=true"
                                  << "0 0 0 0";
        QTest::newRow("a slice") << "_self_slice_dim=1, _self_slice_start=1, _self_slice_end=2"
                                 << "1 0 3 0";
        QTest::newRow("strides") << "_self_size=[2], _self_stride=[2], _self_storage_offset=0"
                                 << "0 2 0 4";
    }

    void writesToPartsOfCopies()
    {
        QFETCH(QString, view);
        QFETCH(QString, written);
        QCOMPARE(runCall("auto_functionalized_v2(operator(\"aten::zero_.default\"), _self_base_index=0, " +
                         view.toStdString() + ", _all_bases=[%x])"),
                 "f32[2,2] " + written + "; f32[2,2] 1 2 3 4");
    }

    void whatDoesNotFitIsRefused_data()
    {
        QTest::addColumn<QString>("arguments");
        QTest::addColumn<QString>("message");
        const QString zero = "operator(\"aten::zero_.default\"), ";
        QTest::newRow("no operator") << "self=%x"
                                     << "of another higher-order operator is not run";
        QTest::newRow("unknown operator") << "operator(\"mylib::scan_.default\"), self=%x"
                                          << "the operator mylib::scan_.default is not known here";
        QTest::newRow("files") << "operator(\"aten::from_file.default\"), filename=\"a\""
                               << "reads or writes files";
        QTest::newRow("off limits") << "operator(\"aten::_cummax_helper.default\"), self=%x"
                                    << "is not for models";
        QTest::newRow("no index") << zero + "_all_bases=[%x]"
                                  << "argument '_self_base_index' is missing";
        QTest::newRow("another base") << zero + "_self_base_index=1, _all_bases=[%x]"
                                      << "_self_base_index is 1 of 1 bases";
        QTest::newRow("before the first") << zero + "_self_base_index=-1, _all_bases=[%x]"
                                          << "_self_base_index is -1 of 1 bases";
        QTest::newRow("no tensor") << zero + "_self_base_index=0, _all_bases=[none]"
                                   << "base 0 is no tensor";
        QTest::newRow("outside") << zero + "_self_base_index=0, _self_size=[9], _self_stride=[1], "
                                           "_self_storage_offset=0, _all_bases=[%x]"
                                 << "out of bounds";
        QTest::newRow("not numbers") << zero + "_self_base_index=0, _self_size=\"9\", _self_stride=[1], "
                                               "_self_storage_offset=0, _all_bases=[%x]"
                                     << "_self_size is no list of whole numbers";
        QTest::newRow("nothing written") << "operator(\"aten::zero_.default\")"
                                         << "argument 'self' is missing";
    }

    void whatDoesNotFitIsRefused()
    {
        QFETCH(QString, arguments);
        QFETCH(QString, message);
        const QString said = runCall("auto_functionalized_v2(" + arguments.toStdString() + ")");
        QVERIFY2(said.contains(message), qPrintable(said));
    }
};

QTEST_GUILESS_MAIN(TestFunctionalizedCall)
#include "tst_functionalized_call.moc"
