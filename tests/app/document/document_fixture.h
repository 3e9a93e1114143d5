// A document with a small model open, as its tests begin.
#pragma once

#include "app/document/document.h"
#include "tests/patience.h"

namespace stagecraft {

inline const QString tinyModel = QStringLiteral(STAGECRAFT_TEST_DATA "/models/tiny/gpt2-tiny.pt2");

inline Document::Settings sampleSettings(const QString& dataFolder = {})
{
    Document::Settings settings;
    settings.devices = readDevices(STAGECRAFT_RESOURCES "/devices").value();
    settings.request.device = "a100-sxm-80gb";
    settings.request.plan.timeLimit = Seconds(1);
    settings.dataFolder = dataFolder.toStdString();
    return settings;
}

// Settled: profiled, split in four, drawn.
inline std::unique_ptr<Document> openedDocument(const QString& dataFolder = {})
{
    auto document = std::make_unique<Document>(sampleSettings(dataFolder));
    document->open(tinyModel.toStdString());
    if (!QTest::qWaitFor([&] { return document->hasModel() && document->isSettled(); }, patience))
        qFatal("the model does not open");
    return document;
}

} // namespace stagecraft
