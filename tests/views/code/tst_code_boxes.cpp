// The boxes in the code that list what a stage receives and sends, at any width.
#include "tests/views/sample_plan.h"
#include "views/code/code_view.h"

#include <Qsci/qsciscintilla.h>
#include <QtTest>

using namespace stagecraft;

class TestCodeBoxes : public QObject
{
    Q_OBJECT

private slots:
    void init();
    void allOfThemIsInSight();

private:
    // Where a line of a box ends, with the blanks that it has on either side.
    long endOf(int line, const QString& text) const
    {
        const QByteArray inBox = ' ' + text.toUtf8() + ' ';
        const long begin = m_editor->SendScintilla(QsciScintilla::SCI_GETLINEINDENTPOSITION, line);
        return m_editor->SendScintilla(QsciScintilla::SCI_POINTXFROMPOSITION, 0UL, begin) +
               m_editor->SendScintilla(QsciScintilla::SCI_TEXTWIDTH, 0UL, inBox.constData());
    }
    // Of the longest line of all boxes; 0: there is no box.
    long end() const
    {
        long end = 0;
        for (int line = 0; line < m_editor->lines(); ++line)
            if (const QString box = m_editor->annotation(line); !box.isEmpty())
                for (const QString& text : box.split('\n'))
                    end = std::max(end, endOf(line, text));
        return end;
    }

    Selection m_selection;
    std::unique_ptr<CodeView> m_view;
    QsciScintilla* m_editor = nullptr;
};

void TestCodeBoxes::init()
{
    const PlanView plan = sample::plan(4, 2);
    std::vector<StagePage> pages;
    for (const StageId stage : plan.cost->stages.ids())
        pages.push_back({sample::programOf(plan, stage), sample::codeOf(plan, stage)});
    m_view = std::make_unique<CodeView>(&m_selection);
    m_view->resize(700, 300);
    m_view->setPlan(plan);
    m_view->setPages(pages);
    m_view->show();
    m_editor = m_view->findChild<QsciScintilla*>();
}

void TestCodeBoxes::allOfThemIsInSight()
{
    QVERIFY(end() > 0);
    for (int width = 520; width > 300; width -= 7) {
        m_view->resize(width, 300);
        QTRY_VERIFY2(end() <= m_editor->viewport()->width(), qPrintable(QString::number(width)));
    }
}

QTEST_MAIN(TestCodeBoxes)
#include "tst_code_boxes.moc"
