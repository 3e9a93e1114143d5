// What a file leaves to the person, and whether what the person says is that.
#include "core/script/open_choices.h"

#include <QtTest>

using namespace stagecraft;

namespace {

const std::string models = STAGECRAFT_TEST_DATA "/models/";
const InputType tensor{InputType::Kind::Tensor, "Tensor"};

QString reason(const Result<void>& checked)
{
    return checked.has_value() ? QString() : QString::fromStdString(checked.error().message);
}

} // namespace

class OpenChoicesTest : public QObject
{
    Q_OBJECT

private slots:
    void aScriptLeavesItsInputsOpen()
    {
        const std::string file = models + "small/torch-2.14/with-loss-scripted.pt";
        QVERIFY(mayLeaveChoices(file));
        const OpenChoices choices = openChoices(file).value();
        QVERIFY(choices.programs.empty() && !choices.hasOwnInputs);
        QCOMPARE(choices.arguments.size(), std::size_t{2});
        QCOMPARE(choices.arguments[0].name, std::string("ids"));
        QCOMPARE(choices.arguments[0].type, tensor);
        QVERIFY(!choices.arguments[0].hasDefault);
        QCOMPARE(choices.arguments[1].name, std::string("target"));
        QVERIFY(reason(checkRequest(choices, {})).contains("ids: say what it is"));
        QCOMPARE(reason(checkRequest(choices, {.inputs = {"i64[4,12]", "target=i64[4,12]"}})), QString());
        QVERIFY(reason(checkRequest(choices, {.inputs = {"i64[4,12]", "target=3"}}))
                    .contains("target: it is to be Tensor"));
        QVERIFY(
            !checkRequest(choices, {.program = "encoder", .inputs = {"i64[4,12]", "i64[4,12]"}}).has_value());
    }

    void aTracedFileHasItsOwn()
    {
        const OpenChoices choices = openChoices(models + "small/torch-2.14/with-loss-traced.pt").value();
        QVERIFY(choices.hasOwnInputs);
        QCOMPARE(reason(checkRequest(choices, {})), QString());
        QVERIFY(!checkRequest(choices, {.inputs = {"3"}}).has_value());
    }

    void aPackageLeavesItsProgramOpen()
    {
        const std::string file = models + "made/package/programs.pt2";
        QVERIFY(mayLeaveChoices(file));
        const OpenChoices choices = openChoices(file).value();
        QCOMPARE(choices.programs, (std::vector<std::string>{"encoder", "decoder"}));
        QVERIFY(!checkRequest(choices, {}).has_value());
        QVERIFY(!checkRequest(choices, {.program = "head"}).has_value());
        QVERIFY(!checkRequest(choices, {.program = "encoder", .inputs = {"f32[2]"}}).has_value());
        QVERIFY(checkRequest(choices, {.program = "decoder"}).has_value());
    }

    void otherFilesLeaveNothing()
    {
        for (const std::string& file : {models + "tiny/gpt2-tiny.pt2", models + "nowhere.pt"}) {
            QVERIFY(!mayLeaveChoices(file));
            const Result<OpenChoices> choices = openChoices(file);
            QVERIFY(!choices.has_value() || checkRequest(*choices, {}).has_value());
        }
    }

    void textsGoToTheirArguments()
    {
        const std::vector<ScriptArgument> arguments{{"x", tensor}, {"y", tensor}, {"mask", tensor, true}};
        const std::vector<std::string> inputs{"f32[2]", "mask = bool[2]", "other=f32[1]", "f32[3]"};
        QCOMPARE(argumentTexts(arguments, inputs),
                 (std::vector<std::string>{"f32[2]", "f32[3]", " bool[2]"}));
    }

    void inputsAreHeldAgainstTheirTypes_data()
    {
        QTest::addColumn<InputType>("type");
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("wrong"); // empty: it fits
        using Kind = InputType::Kind;
        const InputType number{Kind::Float, "float"}, truth{Kind::Truth, "bool"};
        const InputType list{Kind::List, "List[Tensor]", {tensor}};
        const InputType pair{Kind::Tuple, "Tuple[Tensor, float]", {tensor, number}};
        const InputType dict{Kind::Dict, "Dict[str, Tensor]", {tensor}};
        const InputType maybe{Kind::Optional, "Optional[Tensor]", {tensor}};
        QTest::newRow("tensor") << tensor << "f32[8,3]"
                                << "";
        QTest::newRow("number for a tensor") << tensor << "8"
                                             << "to be Tensor, as in f32[8,3,224,224]";
        QTest::newRow("no type") << tensor << "x32[8]"
                                 << "'x32' is no element type";
        QTest::newRow("nothing") << tensor << " "
                                 << "say what it is, as in f32[8,3,224,224]";
        QTest::newRow("named") << tensor << "y=f32[2]"
                               << "leave out 'y='";
        QTest::newRow("whole number for a float") << number << "2"
                                                  << "";
        QTest::newRow("text for a float") << number << "\"2\""
                                          << "to be float, as in 0.5";
        QTest::newRow("number for a truth") << truth << "1"
                                            << "to be bool, as in true";
        QTest::newRow("list") << list << "[f32[2], f32[3]]"
                              << "";
        QTest::newRow("empty list") << list << "[]"
                                    << "";
        QTest::newRow("tuple for a list") << list << "(f32[2], f32[3])"
                                          << "to be List[Tensor], as in [f32[";
        QTest::newRow("list of numbers") << list << "[1]"
                                         << "to be List[Tensor]";
        QTest::newRow("tuple") << pair << "(f32[2], 0.5)"
                               << "";
        QTest::newRow("too short") << pair << "(f32[2],)"
                                   << "to be Tuple[Tensor, float]";
        QTest::newRow("dict") << dict << "{\"a\": f32[2], \"b\" : f32[3]}"
                              << "";
        QTest::newRow("dict of numbers") << dict << "{\"a\": 1}"
                                         << "as in {\"key\": f32[8,3,224,224]}";
        QTest::newRow("twice") << dict << "{\"a\": f32[2], \"a\": f32[3]}"
                               << "stands there twice";
        QTest::newRow("no key") << dict << "{a: f32[2]}"
                                << "a key is a text";
        QTest::newRow("no end") << dict << "{\"a\": f32[2]"
                                << "'}' is missing";
        QTest::newRow("none") << maybe << "none"
                              << "";
        QTest::newRow("one") << maybe << "bool[2]"
                             << "";
        QTest::newRow("unsayable") << InputType{Kind::Other, "Device"} << "none"
                                   << "Device cannot be given from outside";
    }
    void inputsAreHeldAgainstTheirTypes()
    {
        QFETCH(InputType, type);
        QFETCH(QString, text);
        QFETCH(QString, wrong);
        const QString said = reason(checkInputText({"x", type}, text.toStdString()));
        QCOMPARE(said.isEmpty(), wrong.isEmpty());
        QVERIFY2(said.contains(wrong), qPrintable(said));
        QVERIFY2(!canBeSaid(type) || checkInputText({"x", type}, exampleOf(type)).has_value(), "the example");
    }

    void whatHasADefaultMayBeLeftOut()
    {
        QVERIFY(checkInputText({"x", tensor, true}, "").has_value());
        QVERIFY(!checkInputText({"x", tensor, true}, "8").has_value());
    }
};

QTEST_GUILESS_MAIN(OpenChoicesTest)
#include "tst_open_choices.moc"
