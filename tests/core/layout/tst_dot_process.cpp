#include "core/layout/dot_process.h"

#include <QTemporaryDir>
#include <QtTest>

#include <stop_token>

using namespace stagecraft;
using namespace std::chrono_literals;

namespace {

constexpr const char* smallGraph = "digraph { a -> b }\n";

QString message(const Result<std::string>& plain)
{
    return plain.has_value() ? QString("ok") : QString::fromStdString(plain.error().message);
}

} // namespace

class TestDotProcess : public QObject
{
    Q_OBJECT

    QTemporaryDir m_folder;

    // A program that stands for dot and misbehaves.
    std::string script(const QString& name, const QByteArray& body)
    {
        QFile file(m_folder.filePath(name));
        if (!file.open(QIODevice::WriteOnly))
            qFatal("cannot write the script");
        file.write("#!/bin/sh\n" + body + "\n");
        file.setPermissions(QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
        return file.fileName().toStdString();
    }

private slots:
    void drawsOneGraphAfterAnother()
    {
        DotProcess dot;
        for (int i = 0; i < 20; ++i) {
            const Result<std::string> plain = dot.draw(smallGraph);
            QCOMPARE(message(plain), "ok");
            QVERIFY(plain->starts_with("graph 1 "));
            QVERIFY(plain->ends_with("\nstop\n"));
        }
    }

    void saysThatDotIsMissing()
    {
        DotProcess dot("no-such-program-as-dot");
        const Result<std::string> plain = dot.draw(smallGraph);
        QVERIFY(!plain.has_value());
        QCOMPARE(plain.error().code, ErrorCode::NotFound);
        QVERIFY(message(plain).contains("install Graphviz"));
    }

    void aComplaintIsAFailureAndTheNextGraphIsDrawn()
    {
        DotProcess dot;
        const Result<std::string> bad =
            dot.draw("digraph { a [label=\"long label\" fixedsize=true width=0.01] }\n");
        QVERIFY2(message(bad).contains("complained"), qPrintable(message(bad)));
        QCOMPARE(message(dot.draw(smallGraph)), "ok");
    }

    void textThatIsNoGraphIsAFailure()
    {
        DotProcess dot;
        QVERIFY(!dot.draw("digraph { a -> }\n", {}, 500ms).has_value());
        QCOMPARE(message(dot.draw(smallGraph)), "ok");
    }

    void aHangingChildIsKilled()
    {
        DotProcess dot(script("hang", "sleep 600"));
        QElapsedTimer timer;
        timer.start();
        const Result<std::string> plain = dot.draw(smallGraph, {}, 100ms);
        QVERIFY2(message(plain).contains("longer than 100 ms"), qPrintable(message(plain)));
        QVERIFY(timer.elapsed() < 300'000);
    }

    void aChildThatEndsIsAFailure()
    {
        DotProcess dot(script("end", "exit 1"));
        QVERIFY2(message(dot.draw(smallGraph)).contains("ended"), "the child ended at once");
        DotProcess loud(script("loud", "echo out of memory >&2; exit 1"));
        QVERIFY2(message(loud.draw(smallGraph)).contains("out of memory"), "its last words are passed on");
    }

    void aLotOfTextGoesBothWays()
    {
        std::string text = "digraph {\n";
        for (int i = 0; i < 1000; ++i)
            text += std::string(500, 'a') + std::to_string(i) + "\n";
        DotProcess dot;
        const Result<std::string> plain = dot.draw(text + "}\n", {}, 30s);
        QCOMPARE(message(plain), "ok");
        QVERIFY(plain->size() > 500'000);
    }

    void aCancelIsHeardAtOnce()
    {
        DotProcess dot(script("hang", "sleep 30"));
        std::stop_source stop;
        stop.request_stop();
        const Result<std::string> plain = dot.draw(smallGraph, Progress(stop.get_token()), 30s);
        QVERIFY(!plain.has_value());
        QCOMPARE(plain.error().code, ErrorCode::Cancelled);
    }
};

QTEST_GUILESS_MAIN(TestDotProcess)
#include "tst_dot_process.moc"
