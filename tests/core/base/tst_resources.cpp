#include "core/base/resources.h"

#include <QtTest>

using namespace stagecraft;

class TestResources : public QObject
{
    Q_OBJECT

private slots:
    void theSourceTreeServesItsOwnBuild()
    {
        QVERIFY(std::filesystem::exists(resourceFolder() / "examples" / "gpt2.pt2"));
    }

    void theEnvironmentDecides()
    {
        qputenv("STAGECRAFT_RESOURCES", "/somewhere/else");
        QCOMPARE(resourceFolder(), std::filesystem::path("/somewhere/else"));
        qunsetenv("STAGECRAFT_RESOURCES");
    }

    void aBuildHasNoBundle()
    {
        QVERIFY(bundleFolder().empty());
        QCOMPARE(helperProgram("dot"), std::string("dot"));
    }
};

QTEST_GUILESS_MAIN(TestResources)
#include "tst_resources.moc"
