// How the code of the stages differs between two plans, or before and after a boundary was moved.
//
//     12  12     def forward(self, linear):
//     13      -      relu = torch.ops.aten.relu.default(linear)
//         13  +      gelu = torch.ops.aten.gelu.default(linear)
//               ⋯ 120 lines alike
#pragma once

#include "views/code/code_text.h"

#include <QWidget>

#include <memory>
#include <optional>
#include <vector>

class QLabel;
class QTabBar;

namespace stagecraft {

class ReadOnlyEditor;

// One stage: a line that says how much differs, and the lines that do, each with some around it.
class DiffPage : public QWidget
{
    Q_OBJECT

public:
    explicit DiffPage(QWidget* parent = nullptr);

    // Either may be null: a stage that only one of them has. The names say which is which: "A", "before".
    void setTexts(const QString& beforeName, const StageCode* before, const QString& afterName,
                  const StageCode* after);
    // What is shown, with its signs, as `diff -u` would write the lines.
    QString text() const;

private:
    void applyTheme();
    void showLines();

    QLabel* m_summary;
    ReadOnlyEditor* m_editor;
    std::vector<DiffLine> m_lines;
};

// The code of all stages of a plan.
struct CodeVersion
{
    QString name;
    std::vector<std::shared_ptr<const StageCode>> stages; // null: not made yet
};

// A DiffPage with a tab for each stage that either has; a dot marks those whose code differs.
class CodeDiff : public QWidget
{
    Q_OBJECT

public:
    explicit CodeDiff(QWidget* parent = nullptr);

    // The stage that is shown stays, if there still is one.
    void setVersions(CodeVersion before, CodeVersion after);
    void showStage(StageId stage);
    std::optional<StageId> shownStage() const;

private:
    void showPage();

    QTabBar* m_tabs;
    DiffPage* m_page;
    QLabel* m_empty;
    CodeVersion m_before;
    CodeVersion m_after;
};

} // namespace stagecraft
