// SourcePage: the line of the model's own Python source that an op comes from, as the exported program tells.
//
// The file is read where it is at hand: under the path that the program names, or in the folder of the model
// under the end of that path. Where it is not, the page says so, and shows the line that the export wrote
// down. Nothing is read but regular .py files of some megabytes.
#pragma once

#include "core/graph/graph.h"

#include <QString>
#include <QWidget>

#include <memory>
#include <optional>
#include <vector>

class QComboBox;
class QLabel;

namespace stagecraft {

class ReadOnlyEditor;

class SourcePage : public QWidget
{
    Q_OBJECT

public:
    explicit SourcePage(QWidget* parent = nullptr);

    // Where files are looked for that are not under their own path.
    void setFolder(const QString& folder);
    void setNode(std::shared_ptr<const Graph> graph, std::optional<NodeId> node);

    // What stands above the text: where the line is, or why it is not shown.
    QString message() const;
    // The file that is shown; empty where there is none.
    QString text() const;

private:
    void applyTheme();
    void showFrame();
    void say(const QString& text);

    QComboBox* m_frame;
    QLabel* m_message;
    ReadOnlyEditor* m_editor;
    QString m_folder;
    std::shared_ptr<const Graph> m_graph;
    std::optional<NodeId> m_node;
    std::vector<SourceFrame> m_frames; // innermost first
};

// The file that a frame names, if it is at hand: see SourcePage. Empty if not.
QString sourceFile(const SourceFrame& frame, const QString& folder);

} // namespace stagecraft
