// More architectures, beyond the gallery: grouped and depthwise convolutions, window attention, a mixture of
// experts, a state-space scan, shared key heads, two towers. tests/data/architectures/README.md says how the
// reference figures were counted.
#include "oracle.h"

#include "core/load/open_model.h"

#include <QDir>
#include <QTest>

using namespace stagecraft;
using namespace stagecraft::test;

class TestArchitectures : public QObject
{
    Q_OBJECT

private slots:
    void equalsTheCount_data();
    void equalsTheCount();
};

void TestArchitectures::equalsTheCount_data()
{
    QTest::addColumn<QString>("model");
    QTest::addColumn<QString>("route");
    const QDir folder(STAGECRAFT_TEST_DATA "/architectures");
    for (const QString& file : folder.entryList({"*.json"})) {
        const QString model = file.chopped(5);
        const QJsonObject routes = readOracle("architectures/" + file)["exported"].toObject();
        for (const QString& route : routes.keys())
            QTest::newRow(qPrintable(model + ' ' + route)) << model << route;
    }
}

void TestArchitectures::equalsTheCount()
{
    QFETCH(QString, model);
    QFETCH(QString, route);
    const auto opened =
        openModel((QString(STAGECRAFT_TEST_DATA "/architectures/") + model + ".pt2").toStdString());
    QVERIFY2(opened.has_value(), opened.has_value() ? "" : opened.error().message.c_str());
    const auto profile = profileModel(*opened, plainOptions(loweringOf(route)));
    QVERIFY2(profile.has_value(), profile.has_value() ? "" : profile.error().message.c_str());

    const QJsonObject oracle = readOracle("architectures/" + model + ".json");
    Figures expected = expectedFigures(oracle["exported"].toObject()[route].toObject());
    expected["parameters"] = oracle["parameters"].toDouble();
    expected["parameter_bytes"] = oracle["parameter_bytes"].toDouble();
    QString wrong = differences(profileFigures(profile->totals), expected);
    for (const std::string& note : noteTexts(*profile))
        wrong += "\n  " + QString::fromStdString(note);
    QVERIFY2(wrong.isEmpty(), qPrintable(wrong));
}

QTEST_GUILESS_MAIN(TestArchitectures)
#include "tst_architectures.moc"
