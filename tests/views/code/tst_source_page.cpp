#include "views/code/source_page.h"

#include <QComboBox>
#include <QTemporaryDir>
#include <Qsci/qsciscintilla.h>
#include <QtTest>

using namespace stagecraft;

class TestSourcePage : public QObject
{
    Q_OBJECT

private slots:
    void filesAreFoundUnderTheirPathOrInTheFolder();
    void otherFilesAreNotRead();
};

namespace {

void write(const QString& path, const char* text)
{
    QDir().mkpath(QFileInfo(path).path());
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(text);
}

} // namespace

void TestSourcePage::filesAreFoundUnderTheirPathOrInTheFolder()
{
    const QTemporaryDir folder;
    const QString own = folder.filePath("elsewhere/model.py");
    write(own, "x = 1\n");
    QCOMPARE(sourceFile({own.toStdString(), 1, "f", ""}, ""), own);
    QCOMPARE(sourceFile({"/nowhere/nets/model.py", 1, "f", ""}, ""), QString());
    write(folder.filePath("nets/model.py"), "x = 1\n");
    write(folder.filePath("model.py"), "x = 1\n");
    QCOMPARE(sourceFile({"/nowhere/nets/model.py", 1, "f", ""}, folder.path()),
             folder.filePath("nets/model.py"));
    QCOMPARE(sourceFile({"C/model.py", 1, "f", ""}, folder.path()), folder.filePath("model.py"));
}

// A model names what it likes: only Python files that lie where they are said to.
void TestSourcePage::otherFilesAreNotRead()
{
    const QTemporaryDir folder;
    write(folder.filePath("secret.txt"), "x\n");
    write(folder.filePath("above.py"), "x\n");
    QDir(folder.path()).mkdir("inside");
    QCOMPARE(sourceFile({folder.filePath("secret.txt").toStdString(), 1, "f", ""}, ""), QString());
    QCOMPARE(sourceFile({"../above.py", 1, "f", ""}, folder.filePath("inside")), QString());
    QCOMPARE(sourceFile({"/dev/zero", 1, "f", ""}, ""), QString());
    SourcePage page;
    page.setNode(nullptr, {});
    QVERIFY(page.message().startsWith("Select an op"));
    QVERIFY(!page.findChild<QsciScintilla*>()->isVisibleTo(&page));
    QCOMPARE(page.text(), QString());
}

QTEST_MAIN(TestSourcePage)
#include "tst_source_page.moc"
