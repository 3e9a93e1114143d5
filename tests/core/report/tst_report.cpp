// The page of a report as text; tests/python/check_report.py opens it in a browser.
#include "core/report/report.h"

#include "core/plan/sources/partition_json.h"
#include "core/report/html_text.h"
#include "core/workflow.h"
#include "tests/core/text_model.h"

#include <QCryptographicHash>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QRegularExpression>
#include <QTest>

using namespace stagecraft;

namespace {

// Three layers whose weights are given, so that there is something to keep and to send.
constexpr const char* layers = R"(graph layers
  input %x : f32[64, 256]
  param %w0 "w0" : f32[256, 256]
  param %w1 "w1" : f32[256, 256]
  param %w2 "w2" : f32[256, 256]
  %a : f32[64, 256] = aten::linear.default(%x, %w0)
  %b : f32[64, 256] = aten::relu.default(%a)
  %c : f32[64, 256] = aten::linear.default(%b, %w1)
  %d : f32[64, 256] = aten::relu.default(%c)
  %e : f32[64, 256] = aten::linear.default(%d, %w2)
  return %e
)";

struct Sample
{
    Model model;
    Profile profile;
    PartitionProblem problem;
    Solution solution;
    std::vector<std::string> notes;

    ReportSubject subject() const
    {
        return {.model = model,
                .profile = profile,
                .problem = problem,
                .solution = solution,
                .notes = notes,
                .version = "9.9"};
    }
};

Sample sampleOf(Model model, PartitionOptions asked = {.stageCount = 2})
{
    ProfileOptions options;
    options.device = findDevice(readDevices(STAGECRAFT_RESOURCES "/devices").value(), "l4").value();
    Profile profile = traceAndProfile(model, options).value();
    PartitionProblem problem = planProblem(model, profile, std::move(asked)).value();
    Solution solution = findPlan(problem).value().solution;
    return {std::move(model), std::move(profile), std::move(problem), std::move(solution), {}};
}

QString pageOf(const Sample& sample)
{
    const Result<std::string> page = reportPage(sample.subject());
    return page.has_value() ? QString::fromStdString(*page) : QString::fromStdString(page.error().message);
}

// What stands between the tags of the only element that begins so.
QString contentOf(const QString& page, const QString& begin, const QString& end)
{
    if (page.count(begin) != 1)
        return {};
    const qsizetype from = page.indexOf(begin) + begin.size();
    return page.mid(from, page.indexOf(end, from) - from);
}

QJsonValue dataOf(const QString& page)
{
    const QString text =
        contentOf(page, "<script type=\"application/json\" id=\"report-data\">", "</script>");
    return QJsonDocument::fromJson(text.toUtf8()).object();
}

QString policyHashOf(const QString& text)
{
    const QByteArray hash = QCryptographicHash::hash(text.toUtf8(), QCryptographicHash::Sha256);
    return "'sha256-" + hash.toBase64() + "'";
}

} // namespace

class TestReport : public QObject
{
    Q_OBJECT

private slots:
    // On the page, not in its data alone.
    void howFarOffTimesAreIsSaidBesideTheStep()
    {
        const Sample sample = sampleOf(test::modelOf(layers));
        const QString page = pageOf(sample);
        const QString card = contentOf(page, "<dt>Step</dt>", "</dd>");
        QVERIFY2(card.contains("estimated, usually within"), qPrintable(card));
    }

    void figuresAreThoseOfThePlan()
    {
        const Sample sample = sampleOf(test::modelOf(layers));
        QJsonObject expected =
            QJsonDocument::fromJson(QByteArray::fromStdString(partitionJson(sample.problem, sample.solution)))
                .object();
        const QJsonValue data = dataOf(pageOf(sample));
        QCOMPARE(data["plan"]["iteration_s"], expected["iteration_s"]);
        QCOMPARE(data["plan"]["boundaries"], expected["boundaries"]);
        QCOMPARE(data["plan"]["devices"], expected["devices"]);
        QCOMPARE(data["nodes"]["name"].toArray().size(), 5);
        QCOMPARE(data["plan"]["stages"].toArray().size(), 2);
        double time = 0;
        for (const char* column : {"forward_s", "backward_input_s", "backward_weight_s"})
            for (const QJsonValue& value : data["nodes"][column].toArray())
                time += value.toDouble();
        double planned = 0;
        for (const QJsonValue& stage : data["plan"]["stages"].toArray())
            planned += stage["forward_s"].toDouble() + stage["backward_input_s"].toDouble() +
                       stage["backward_weight_s"].toDouble();
        QVERIFY2(qAbs(time / planned - 1) < 1e-5, qPrintable(QString("%1 and %2").arg(time).arg(planned)));
    }

    void theTimelineHasEveryAction()
    {
        const Sample sample = sampleOf(test::modelOf(layers), {.stageCount = 2, .microbatches = 6});
        const QJsonValue schedule = dataOf(pageOf(sample))["schedule"];
        QCOMPARE(schedule["shown_s"], schedule["step_s"]);
        for (const QJsonValue& device : schedule["devices"].toArray())
            QCOMPARE(device["actions"].toArray().size(), 9 * 12);
    }

    void ofALongStepTheBeginningIsShownAndSaysSo()
    {
        const Sample sample = sampleOf(test::modelOf(layers), {.stageCount = 2, .microbatches = 5000});
        const QString page = pageOf(sample);
        const QJsonValue schedule = dataOf(page)["schedule"];
        QVERIFY(schedule["shown_s"].toDouble() < 0.5 * schedule["step_s"].toDouble());
        qsizetype actions = 0;
        for (const QJsonValue& device : schedule["devices"].toArray())
            actions += device["actions"].toArray().size() / 9;
        QVERIFY2(actions > 7000 && actions <= 8000, qPrintable(QString::number(actions)));
        QVERIFY2(page.size() < 1500000, qPrintable(QString::number(page.size())));
    }

    void onlyItsOwnScriptAndStyleMayRun()
    {
        const QString page = pageOf(sampleOf(test::modelOf(layers)));
        const QString policy =
            contentOf(page, "<meta http-equiv=\"Content-Security-Policy\" content=\"", "\"");
        const QString script = contentOf(page, "<script>", "</script>");
        const QString style = contentOf(page, "<style>", "</style>");
        QVERIFY(script.size() > 1000 && style.size() > 1000);
        QVERIFY2(policy.startsWith("default-src 'none'; "), qPrintable(policy));
        QVERIFY2(policy.contains("script-src " + policyHashOf(script) + ";"), qPrintable(policy));
        QVERIFY2(policy.contains("style-src " + policyHashOf(style) + ";"), qPrintable(policy));
        QVERIFY2(!policy.contains("unsafe"), qPrintable(policy));
        static const QRegularExpression address("https?://(?!www\\.w3\\.org/2000/svg)");
        QVERIFY(!page.contains(address));
    }

    void namesBecomeNeitherMarkupNorScript()
    {
        Model model = test::modelOf(layers);
        const std::string hostile =
            "</script><script>alert(1)</script><img src=x onerror=\"alert('2')\">&amp;"
            "<!--\u2028\u202e\x1b[31m{{data}}";
        model.name = hostile;
        Sample sample = sampleOf(std::move(model));
        sample.notes = {hostile};
        for (ProblemNode& node : sample.problem.nodes)
            node.module = hostile; // where a stage begins
        const QString page = pageOf(sample);
        QCOMPARE(page.count("<script"), 2);
        QCOMPARE(page.count("</script"), 2);
        QCOMPARE(page.count("<img"), 0);
        QCOMPARE(page.count("<!--"), 0);
        for (const QChar unseen : {QChar(0x2028), QChar(0x202e), QChar(0x1b)})
            QVERIFY(!page.contains(unseen));
        const QString shown = dataOf(page)["model"]["name"].toString();
        QVERIFY2(shown.startsWith("</script><script>alert(1)</script>"), qPrintable(shown));
        QVERIFY2(shown.endsWith("\\u2028\\u202e\\u001b[31m{{data}}"), qPrintable(shown));
    }

    void textsAreHarmlessWhereverTheyStand()
    {
        QCOMPARE(htmlText("a<b>&\"c'\n"), "a&lt;b&gt;&amp;&quot;c&#39;\\u000a");
        QCOMPARE(scriptJson({{"a", "</script>&\u2028\u00e9\n"}}),
                 R"({"a":"\u003c/script\u003e\u0026\u2028\u00e9\n"})");
        QCOMPARE(policyHash(""), "'sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU='");
        QCOMPARE(shellWord("gpt2.pt2"), "gpt2.pt2");
        QCOMPARE(shellWord("a b"), "'a b'");
        QCOMPARE(shellWord("it's; rm -rf $HOME"), "'it'\\''s; rm -rf $HOME'");
        QCOMPARE(shellWord(""), "''");
    }

    void theSameSubjectMakesTheSamePage()
    {
        const Sample sample = sampleOf(test::modelOf(layers));
        QCOMPARE(pageOf(sample), pageOf(sample));
    }
};

QTEST_MAIN(TestReport)
#include "tst_report.moc"
