// Parameters, FLOPs and saved bytes of forms, against the library's models in Python on the meta device
// (tests/data/oracle/forms.py).
#include "tests/core/profile/oracle.h"

#include "core/forms/build_form.h"

#include <QTest>

using namespace stagecraft;
using namespace stagecraft::test;

class TestFormOracle : public QObject
{
    Q_OBJECT

private slots:
    void figuresAreTheLibrarys_data();
    void figuresAreTheLibrarys();
};

void TestFormOracle::figuresAreTheLibrarys_data()
{
    QTest::addColumn<QJsonObject>("row");
    const QJsonArray rows = readOracle("oracle/forms.json")["rows"].toArray();
    QVERIFY(!rows.isEmpty());
    for (const QJsonValue& row : rows)
        QTest::addRow("%s", qPrintable(row["name"].toString())) << row.toObject();
}

void TestFormOracle::figuresAreTheLibrarys()
{
    QFETCH(QJsonObject, row);
    const FormFamily* family = findFormFamily(row["family"].toString().toStdString());
    QVERIFY(family);
    Form form =
        row.contains("preset") ? *presetForm(row["preset"].toString().toStdString()) : usualForm(*family);
    const QJsonObject values = row["values"].toObject();
    for (auto value = values.begin(); value != values.end(); ++value) {
        const Result<void> set =
            setFormValue(form, value.key().toStdString(), value.value().toVariant().toString().toStdString());
        QVERIFY2(set.has_value(), set.has_value() ? "" : set.error().message.c_str());
    }
    const Result<Model> model = buildForm(form);
    QVERIFY2(model.has_value(), model.has_value() ? "" : model.error().message.c_str());
    QCOMPARE(static_cast<double>(parameterCount(*model)), row["parameters"].toDouble());
    const Result<Profile> profile = profileModel(*model, plainOptions(LoweringKind::Math));
    QVERIFY2(profile.has_value(), profile.has_value() ? "" : profile.error().message.c_str());
    const Figures expected{{"flops_forward", row["flops_forward"].toDouble()},
                           {"flops_total", row["flops_total"].toDouble()},
                           {"saved_bytes", row["saved_bytes"].toDouble()}};
    const QString faults = differences(profileFigures(profile->totals), expected);
    QVERIFY2(faults.isEmpty(), qPrintable(faults));
}

QTEST_APPLESS_MAIN(TestFormOracle)
#include "tst_form_oracle.moc"
