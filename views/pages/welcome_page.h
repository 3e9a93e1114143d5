// WelcomePage: what the window shows before there is a model: drop, open, recent, examples, how to export.
#pragma once

#include <QString>
#include <QStringList>
#include <QWidget>

#include <utility>
#include <vector>

class QGridLayout;
class QLabel;
class QVBoxLayout;

namespace stagecraft {

// A bundled model, or what was worked on before.
struct GalleryCard
{
    QString path;
    QString title;    // "GPT-2"
    QString subtitle; // "Transformer, 124 M parameters"
    QString details;  // "494 ops"
    bool isUsable = true;
};

class WelcomePage : public QWidget
{
    Q_OBJECT

public:
    explicit WelcomePage(QWidget* parent = nullptr);

    // Newest first; all can be chosen.
    void setRecentFiles(const QStringList& paths);
    // Those of them that are not there any more, which cannot be chosen.
    void setMissingFiles(const QStringList& paths);
    // What was worked on last, newest first; what cannot be gone on with says why.
    void setSessions(const std::vector<GalleryCard>& cards);
    void setGallery(const std::vector<GalleryCard>& cards);
    // What to do, and the key for it.
    void setKeys(const std::vector<std::pair<QString, QString>>& keys);

signals:
    void openRequested();
    void newRequested(); // a model by its form
    void fileChosen(const QString& path);
    void sessionChosen(const QString& path); // to go on with

protected:
    void dragEnterEvent(QDragEnterEvent* event) override;
    void dragLeaveEvent(QDragLeaveEvent* event) override;
    void dropEvent(QDropEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    class DropTarget;
    void buildTarget();
    void buildLeft();
    void buildRight();
    void arrange();
    void orderFocus();

    QWidget* m_content;
    DropTarget* m_target;
    QGridLayout* m_columns;
    QWidget* m_left;
    QWidget* m_right;
    QLabel* m_continue; // the heading
    QVBoxLayout* m_sessions;
    QGridLayout* m_cards;
    QVBoxLayout* m_recent;
    QLabel* m_noRecent;
    QLabel* m_snippet;
    QGridLayout* m_keys;
    std::vector<QWidget*> m_sessionWidgets;
    std::vector<QWidget*> m_cardWidgets;
    std::vector<QWidget*> m_recentWidgets; // as the paths
    QStringList m_recentPaths;
    QWidget* m_new = nullptr;
    QWidget* m_copy = nullptr;
};

} // namespace stagecraft
