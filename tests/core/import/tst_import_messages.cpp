#include "core/import/import_messages.h"

#include <QtTest>

using namespace stagecraft;

class TestImportMessages : public QObject
{
    Q_OBJECT

private slots:
    void readsEachKind()
    {
        const Result<ImportMessage> version = readImportMessage(
            R"({"type": "started", "python": "3.11.7", "torch": "2.13.0", "program": "/bin/python"})");
        QCOMPARE(std::get<PythonVersion>(*version).torch, "2.13.0");
        const Result<ImportMessage> progress =
            readImportMessage(R"({"type": "progress", "text": "Tracing", "fraction": 0.5})");
        QCOMPARE(std::get<ImportProgress>(*progress).fraction, 0.5);
        const Result<ImportMessage> result = readImportMessage(
            R"({"type": "result", "how": "training mode", "parameters": 3, "parameter_bytes": 12,
                "structure_only": true, "inputs": [{"name": "x", "type": "float32[2]"}], "outputs": [],
                "notes": ["a"]})");
        const auto& model = std::get<ImportedModel>(*result);
        QCOMPARE(model.parameterBytes, 12);
        QVERIFY(model.structureOnly);
        QCOMPARE(model.inputs.front().type, "float32[2]");
    }

    void saysAFailureInOneLine()
    {
        const Result<ImportMessage> read = readImportMessage(
            R"({"type": "error", "kind": "data_dependent", "text": "tracing: it depends", "advice": "use where",
                "place": {"file": "m.py", "line": 7, "function": "forward", "code": "if x.sum() > 0:"},
                "tried": [{"how": "strict", "why": "no"}]})");
        const auto& failure = std::get<ImportFailure>(*read);
        QCOMPARE(failureText(failure), "tracing: it depends; in m.py, line 7: `if x.sum() > 0:`; use where");
        QCOMPARE(failure.tried.front().how, "strict");
        QCOMPARE(failureText({.kind = "usage", .text = "no"}), "no");
    }

    // A child may say anything.
    void refusesWhatIsNoMessage()
    {
        for (const char* line :
             {"", "hello", "[]", "{}", R"({"type": 3})", R"({"type": "other"})",
              R"({"type": "progress", "text": "a", "fraction": "b"})",
              R"({"type": "result", "how": "a", "inputs": 3})",
              R"({"type": "error", "kind": "a", "text": "b", "advice": "c", "place": []})"})
            QVERIFY2(!readImportMessage(line).has_value(), line);
    }
};

QTEST_GUILESS_MAIN(TestImportMessages)
#include "tst_import_messages.moc"
