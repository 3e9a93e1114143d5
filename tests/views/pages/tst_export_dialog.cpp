#include "views/pages/export_dialog.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSignalSpy>
#include <QTreeWidget>
#include <QtTest>

#include <algorithm>

using namespace stagecraft;

class TestExportDialog : public QObject
{
    Q_OBJECT

private slots:
    void init();
    void listsFilesWithSizesBeforeWriting();
    void optionsFollowTheFields();
    void weightsAreInFilesOfASize();
    void theLossCanBeChosen();
    void aFunctionCanBeTheLoss();
    void aLossThatIsOpenIsAskedFor();
    void anOccupiedFolderNeedsATick();
    void aProblemStandsInPlaceOfTheFiles();
    void whileItRunsTheButtonCancels();
    void closingTheWindowCancelsAndCloses();
    void verificationPutsFailuresFirst();
    void saysWhatIsExportedOtherwise();

private:
    template <class Widget>
    Widget* labelled(const QString& text) const
    {
        for (auto* widget : m_dialog->findChildren<Widget*>())
            if (widget->text() == text)
                return widget;
        return nullptr;
    }
    QTreeWidget* list(const QString& spokenName) const
    {
        for (auto* widget : m_dialog->findChildren<QTreeWidget*>())
            if (widget->accessibleName() == spokenName)
                return widget;
        return nullptr;
    }
    bool says(const QString& text) const { return labelled<QLabel>(text) != nullptr; }

    std::unique_ptr<ExportDialog> m_dialog;
};

void TestExportDialog::init()
{
    m_dialog = std::make_unique<ExportDialog>();
    m_dialog->setFolder("/tmp/out");
    m_dialog->setFiles({{"manifest.json", Bytes(100)}, {"stage_0.py", Bytes(2048)}});
    m_dialog->show();
}

void TestExportDialog::listsFilesWithSizesBeforeWriting()
{
    QCOMPARE(list("Files that will be written")->topLevelItemCount(), 2);
    QCOMPARE(list("Files that will be written")->topLevelItem(1)->text(0), QString("stage_0.py"));
    QCOMPARE(list("Files that will be written")->topLevelItem(1)->text(1), QString("2.00 KiB"));
    QVERIFY(says("2 files, 2.10 KiB"));
    QSignalSpy exports(m_dialog.get(), &ExportDialog::exportRequested);
    labelled<QPushButton>("Export")->click();
    QCOMPARE(exports.count(), 1);
}

void TestExportDialog::optionsFollowTheFields()
{
    QSignalSpy changes(m_dialog.get(), &ExportDialog::optionsChanged);
    QCOMPARE(m_dialog->options().folder, std::filesystem::path("/tmp/out"));
    QCOMPARE(m_dialog->options().formats.size(), std::size_t{2});
    labelled<QCheckBox>("Python code and safetensors")->click();
    QCOMPARE(changes.count(), 1);
    QCOMPARE(m_dialog->options().formats, std::vector{StageFormat::Pt2});
    labelled<QCheckBox>(".pt2 of each stage")->click();
    QVERIFY(!labelled<QPushButton>("Export")->isEnabled()); // nothing would be written
    labelled<QCheckBox>("TorchScript of each stage")->click();
    QCOMPARE(m_dialog->options().formats, std::vector{StageFormat::TorchScript});
    QVERIFY(labelled<QPushButton>("Export")->isEnabled());
    QVERIFY(!m_dialog->verifyAfterwards()); // nothing that is run
    labelled<QCheckBox>("Python code and safetensors")->click();
    QVERIFY(m_dialog->verifyAfterwards());
}

void TestExportDialog::weightsAreInFilesOfASize()
{
    auto* size = m_dialog->findChild<QDoubleSpinBox*>();
    QCOMPARE(m_dialog->options().shardSize, usualShardSize);
    QSignalSpy changes(m_dialog.get(), &ExportDialog::optionsChanged);
    size->setValue(0.5);
    QCOMPARE(changes.count(), 1);
    QCOMPARE(m_dialog->options().shardSize, Bytes(500'000'000));
    size->setValue(0);
    QVERIFY(m_dialog->options().shardSize > Bytes(0)); // no file can hold nothing
    labelled<QCheckBox>("Python code and safetensors")->click();
    QVERIFY(!size->isEnabled());
}

void TestExportDialog::theLossCanBeChosen()
{
    const std::vector<ReturnedValue> returned{{"loss", ValueId(0), true, true},
                                              {"best", ValueId(1), false, true},
                                              {"logits", ValueId(2), true, false}};
    m_dialog->setLoss({LossOutput::Origin::Name, returned, 0});
    auto* losses = m_dialog->findChild<QComboBox*>();
    QStringList texts;
    for (int i = 0; i < losses->count(); ++i)
        texts << losses->itemText(i);
    QCOMPARE(texts, QStringList({"Output 'loss'", "Sum of output 'logits'",
                                 "Sum of all outputs (tests the stages, trains nothing)"}));
    QCOMPARE(m_dialog->options().lossOutput, "");
    QSignalSpy changes(m_dialog.get(), &ExportDialog::optionsChanged);
    losses->setCurrentIndex(1);
    QCOMPARE(m_dialog->options().lossOutput, "logits");
    losses->setCurrentIndex(2);
    QCOMPARE(m_dialog->options().lossOutput, "all");
    QCOMPARE(changes.count(), 2);
}

void TestExportDialog::aFunctionCanBeTheLoss()
{
    m_dialog->setLoss({LossOutput::Origin::Name,
                       {{"loss", ValueId(0), true, true}, {"logits", ValueId(1), true, false}},
                       0},
                      "logits");
    QCOMPARE(m_dialog->options().lossOutput, "logits"); // as the plan has it
    const auto boxes = m_dialog->findChildren<QComboBox*>();
    const auto function = std::ranges::find(boxes, QString("Function of the loss"), &QWidget::accessibleName);
    QVERIFY(function != boxes.end());
    QSignalSpy changes(m_dialog.get(), &ExportDialog::optionsChanged);
    (*function)->setCurrentIndex((*function)->findData("cross_entropy"));
    QCOMPARE(changes.count(), 1);
    QCOMPARE(m_dialog->options().lossFunction, "cross_entropy");
    QCOMPARE(m_dialog->options().lossOutput, "logits");
    QCOMPARE(boxes.front()->itemText(1), QString("Output 'logits'"));
    QCOMPARE(boxes.front()->count(), 2); // a scalar is fed to no function
    (*function)->setCurrentIndex(0);
    QCOMPARE(m_dialog->options().lossFunction, "");
}

void TestExportDialog::aLossThatIsOpenIsAskedFor()
{
    const std::vector<ReturnedValue> returned{{"a", ValueId(0), true, true}, {"b", ValueId(1), true, true}};
    m_dialog->setLoss({LossOutput::Origin::Unclear, returned, {}});
    auto* losses = m_dialog->findChild<QComboBox*>();
    QCOMPARE(losses->currentText(), "Choose the output that is the loss");
    QCOMPARE(losses->count(), 4);
    losses->setCurrentIndex(2);
    QCOMPARE(m_dialog->options().lossOutput, "b");
    m_dialog->setLoss({LossOutput::Origin::Untrained, returned, {}});
    QCOMPARE(losses->count(), 1);
}

void TestExportDialog::anOccupiedFolderNeedsATick()
{
    m_dialog->setFolderOccupied(true);
    QVERIFY(!labelled<QPushButton>("Export")->isEnabled());
    labelled<QCheckBox>("Replace the export that is in this folder")->click();
    QVERIFY(labelled<QPushButton>("Export")->isEnabled());
    m_dialog->setFolderOccupied(false);
    m_dialog->setFolderOccupied(true); // another folder: the tick was not for this one
    QVERIFY(!labelled<QPushButton>("Export")->isEnabled());
}

void TestExportDialog::aProblemStandsInPlaceOfTheFiles()
{
    m_dialog->setProblem("/tmp/out: not an export; choose another folder");
    QCOMPARE(list("Files that will be written")->topLevelItemCount(), 0);
    QVERIFY(says("/tmp/out: not an export; choose another folder"));
    QVERIFY(!labelled<QPushButton>("Export")->isEnabled());
}

void TestExportDialog::whileItRunsTheButtonCancels()
{
    QSignalSpy cancels(m_dialog.get(), &ExportDialog::cancelRequested);
    m_dialog->setProgress("Writing stage_0.safetensors", 0.3);
    QVERIFY(!labelled<QPushButton>("Export")->isEnabled());
    labelled<QPushButton>("Cancel")->click();
    QCOMPARE(cancels.count(), 1);
    QVERIFY(m_dialog->isVisible());
    m_dialog->setIdle();
    labelled<QPushButton>("Close")->click();
    QCOMPARE(cancels.count(), 1);
    QVERIFY(!m_dialog->isVisible());
}

void TestExportDialog::closingTheWindowCancelsAndCloses()
{
    QSignalSpy cancels(m_dialog.get(), &ExportDialog::cancelRequested);
    m_dialog->setProgress("Writing stage_0.safetensors", 0.3);
    m_dialog->close();
    QCOMPARE(cancels.count(), 1);
    QVERIFY(!m_dialog->isVisible());
}

void TestExportDialog::verificationPutsFailuresFirst()
{
    m_dialog->setExported({.folder = "/tmp/out", .files = {{"manifest.json", Bytes(100)}}});
    VerifyReport report;
    report.comparisons = {{.name = "output 0", .maxAbsolute = 2e-4, .maxRelative = 3e-6, .passed = true},
                          {.name = "w", .maxAbsolute = 0.25, .passed = false, .reason = "too far"}};
    m_dialog->setVerified(report);
    QCOMPARE(list("Comparison with the whole model")->topLevelItem(0)->text(0), QString("w"));
    QCOMPARE(list("Comparison with the whole model")->topLevelItem(0)->text(4), QString("differs"));
    QVERIFY(says("1 of 2 tensors differ from the whole model's"));
    QSignalSpy folders(m_dialog.get(), &ExportDialog::openFolderRequested);
    labelled<QPushButton>("Open folder")->click();
    QCOMPARE(folders.takeFirst()[0].toString(), QString("/tmp/out"));
    QCOMPARE(list("Comparison with the whole model")->topLevelItem(1)->text(3), QString("3.0e-06"));
    report.comparisons.pop_back();
    m_dialog->setVerified(report);
    QVERIFY(says(
        "The stages compute what the whole model computes; largest difference 2.0e-04, relative 3.0e-06"));
    report.withoutGradients = "aten::histc has no derivative in PyTorch";
    m_dialog->setVerified(report);
    QVERIFY(says(
        "The stages compute what the whole model computes; largest difference 2.0e-04, relative 3.0e-06\n"
        "Gradients were not compared: aten::histc has no derivative in PyTorch"));
}

void TestExportDialog::saysWhatIsExportedOtherwise()
{
    m_dialog->setNote("the stages relay");
    QVERIFY(labelled<QLabel>("the stages relay")->isVisible());
    m_dialog->setNote({});
    QVERIFY(!says("the stages relay"));
}

QTEST_MAIN(TestExportDialog)
#include "tst_export_dialog.moc"
