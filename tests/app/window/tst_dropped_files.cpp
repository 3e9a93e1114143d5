#include "app/window/dropped_files.h"

#include <QtTest>

using namespace stagecraft;

class TestDroppedFiles : public QObject
{
    Q_OBJECT

private slots:
    void tellsWeightsFromModelsAndSteps()
    {
        QVERIFY(areWeights({"a.safetensors"}));
        QVERIFY(areWeights({"model-00001-of-00002.safetensors", "model-00002-of-00002.safetensors"}));
        QVERIFY(areWeights({"model.safetensors.index.json"}));
        QVERIFY(areWeights({"pytorch_model.bin", "head.pth"}));
        QVERIFY(!areWeights({}));
        QVERIFY(!areWeights({"model.pt2"}));
        QVERIFY(!areWeights({"model.pt"}));
        QVERIFY(!areWeights({"step.json"}));
        QVERIFY(!areWeights({"a.safetensors", "model.pt2"}));
    }
};

QTEST_GUILESS_MAIN(TestDroppedFiles)
#include "tst_dropped_files.moc"
