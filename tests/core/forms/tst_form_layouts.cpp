// Types, sizes, strides and offsets that forms give their tensors, against LibTorch's own.
#include "layout_faults.h"
#include "small_form.h"

#include "core/forms/build_form.h"

#include <QTest>

using namespace stagecraft;
using namespace stagecraft::test;

class TestFormLayouts : public QObject
{
    Q_OBJECT

private slots:
    void tensorsAreWhatLibTorchMakes_data();
    void tensorsAreWhatLibTorchMakes();
};

void TestFormLayouts::tensorsAreWhatLibTorchMakes_data()
{
    QTest::addColumn<QString>("family");
    QTest::addColumn<int>("dtype");
    for (const FormFamily& family : formFamilies())
        for (const int dtype : {0, 1})
            QTest::addRow("%s %d", family.name.c_str(), dtype)
                << QString::fromStdString(family.name) << dtype;
}

void TestFormLayouts::tensorsAreWhatLibTorchMakes()
{
    QFETCH(QString, family);
    QFETCH(int, dtype);
    Form form = smallForm(*findFormFamily(family.toStdString()));
    form.values["dtype"] = dtype;
    const Result<Model> model = buildForm(form);
    QVERIFY2(model.has_value(), model.has_value() ? "" : model.error().message.c_str());
    for (const std::int64_t batch : {2, 5}) {
        Bindings bindings{{"batch", batch}};
        if (model->graph.symbolRanges().contains("sequence"))
            bindings["sequence"] = 11;
        if (model->graph.symbolRanges().contains("target"))
            bindings["target"] = 7;
        const Result<std::vector<std::string>> faults = layoutFaults(*model, bindings);
        QVERIFY2(faults.has_value(), faults.has_value() ? "" : faults.error().message.c_str());
        for (const std::string& fault : *faults)
            qWarning("%s", fault.c_str());
        QCOMPARE(faults->size(), std::size_t(0));
    }
}

QTEST_APPLESS_MAIN(TestFormLayouts)
#include "tst_form_layouts.moc"
