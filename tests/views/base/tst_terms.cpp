// The engine's words in the language of the window: all of them, and nothing but them.
#include "core/forms/families.h"
#include "core/plan/request.h"
#include "core/plan/stage_labels.h"
#include "core/profile/memory_use.h"
#include "core/profile/profile_json.h"
#include "views/base/activity_terms.h"
#include "views/base/form_terms.h"
#include "views/base/terms.h"

#include <QDirIterator>
#include <QFile>
#include <QRegularExpression>
#include <QTest>
#include <QTranslator>

#include <set>

using namespace stagecraft;

namespace {

// Says of a text that it was asked for.
class Asked : public QTranslator
{
public:
    bool isEmpty() const override { return false; }
    QString translate(const char* context, const char* text, const char*, int) const override
    {
        return QLatin1String(context) == QLatin1String("Terms") ? '[' + QString::fromUtf8(text) + ']'
                                                                : QString();
    }
};

QString asked(std::string_view term)
{
    return '[' + QString::fromUtf8(term.data(), static_cast<qsizetype>(term.size())) + ']';
}

// Of types, optimizers, schedules and kernels: written alike in every language.
const QStringList properNames{"bfloat16 autocast",
                              "float16 autocast",
                              "float32",
                              "bfloat16",
                              "float16",
                              "SGD",
                              "Adam",
                              "AdamW",
                              "Adafactor",
                              "1F1B",
                              "GPipe",
                              "Interleaved 1F1B",
                              "Zero bubble (ZB1P)",
                              "Zero bubble, V (ZBV)",
                              "DualPipeV"};

} // namespace

class TestTerms : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase() { QVERIFY(QCoreApplication::installTranslator(&m_asked)); }

    void allThatARequestSaysIsTranslated()
    {
        for (const RequestField& field : requestFields()) {
            QCOMPARE(termText(field.title), asked(field.title));
            QCOMPARE(termText(field.help), asked(field.help));
            for (const FieldChoice& choice : field.choices ? field.choices() : std::vector<FieldChoice>{})
                if (!properNames.contains(
                        QString::fromUtf8(choice.title.data(), qsizetype(choice.title.size()))))
                    QCOMPARE(termText(choice.title), asked(choice.title));
        }
    }

    void soAreTheWordsOfForms()
    {
        std::set<std::string> words;
        for (const FormFamily& family : formFamilies()) {
            words.insert(family.group);
            for (const FormParameter& parameter : family.parameters) {
                words.insert(parameter.title);
                words.insert(parameter.unit);
                words.insert(parameter.choices.begin(), parameter.choices.end());
            }
        }
        for (const char* name : {"", "%", "float32", "bfloat16", "float16"}) // alike in every language
            words.erase(name);
        for (const std::string& word : words)
            QCOMPARE(termText(word), asked(word));
        words.insert("Multilayer perceptron"); // a family
        for (const char* known : formTerms())
            QVERIFY2(words.contains(known), known);
    }

    void soAreTheKindsOfMemoryAndThePasses()
    {
        for (std::size_t i = 0; i < memoryCategoryCount; ++i) {
            const auto name = categoryName(static_cast<MemoryCategory>(i));
            QCOMPARE(termText(name), asked(name));
        }
        for (const Phase phase : {Phase::Forward, Phase::Backward, Phase::Optimizer})
            QCOMPARE(termText(phaseName(phase)), asked(phaseName(phase)));
    }

    void soIsWhatTheEngineSaysItIsDoing()
    {
        const QRegularExpression said("\\b(?:step|report)\\(\\s*\"([A-Z][^\"]*)\"");
        std::set<std::string> activities;
        for (QDirIterator files(STAGECRAFT_TEST_DATA "/../../core", {"*.cpp"}, QDir::Files,
                                QDirIterator::Subdirectories);
             files.hasNext();) {
            QFile file(files.next());
            QVERIFY(file.open(QFile::ReadOnly));
            for (auto found = said.globalMatch(QString::fromUtf8(file.readAll())); found.hasNext();)
                activities.insert(found.next().captured(1).toStdString());
        }
        activities.erase("Searching "); // so many stages
        QVERIFY(activities.size() > 20 && activities.contains("Tracing"));
        for (const std::string& activity : activities)
            QCOMPARE(activityText(activity), asked(activity));
        QCOMPARE(activityText("Searching 12 stages"), "[Searching 12 stages]");
        QCOMPARE(activityText("torch 2.15"), "torch 2.15"); // of a child process
    }

    void aNameOfAModelIsNot()
    {
        QCOMPARE(termText("model.layers.4"), QString("model.layers.4"));
        QCOMPARE(termText("gradients\n"), QString("gradients\\u000a"));
    }

    // In English as the engine says it.
    void stagesAndBoundariesAreSaidByTheirNumbers()
    {
        const std::vector<StageId> stages{StageId(0), StageId(3), StageId(7)};
        QCOMPARE(stagesTerm(stages).toStdString(), stagesLabel(stages));
        QCOMPARE(stagesTerm({StageId(2)}).toStdString(), stagesLabel({StageId(2)}));
        QCOMPARE(boundaryTerm(BoundaryId(1)).toStdString(), boundaryLabel(BoundaryId(1)));
        PlanCost cost;
        cost.stages = Table<StageId, StageCost>(2);
        cost.devices = {DeviceCost{.stages = {StageId(0), StageId(1)}}};
        QCOMPARE(slowestTerm(cost).toStdString(), slowestLabel(cost));
    }

private:
    Asked m_asked;
};

QTEST_GUILESS_MAIN(TestTerms)
#include "tst_terms.moc"
