// GraphDrawing: the graph laid out in the background, and which of its boxes are open.
#pragma once

#include "app/jobs/job.h"
#include "core/layout/layout_engine.h"
#include "core/layout/make_run_tree.h"
#include "core/profile/profile.h"

#include <QTimer>

#include <chrono>
#include <functional>

namespace stagecraft {

class GraphDrawing : public QObject
{
    Q_OBJECT

public:
    // What is drawn.
    struct Subject
    {
        std::shared_ptr<const Graph> graph; // null: nothing
        std::shared_ptr<const GroupTree> groups;
        std::shared_ptr<const Partition> partition;
        std::shared_ptr<const Profile> profile; // null: not known yet
    };
    // The queue outlives it; `subject` is asked when drawing begins.
    GraphDrawing(JobQueue& queue, std::function<Subject()> subject);

    const std::shared_ptr<const Layout>& layout() const { return m_layout; }
    const Expansion& expansion() const { return m_expansion; }
    void setExpansion(const Expansion& expansion);
    void setDetail(std::size_t maxItems); // opens the most expensive boxes, so many items in all
    void setTreeOptions(const RunTreeOptions& options);

    void refresh(std::chrono::milliseconds delay = {}) { m_delay.start(delay); }
    bool isWaiting() const { return m_delay.isActive(); }
    void stopWaiting() { m_delay.stop(); }
    // Another model: nothing is open, nothing drawn.
    void forget();

signals:
    void changed();
    void failed(const stagecraft::Error& error);
    void noticed(const QString& message);

private:
    using Work = std::function<Result<Layout>(const Progress&)>;
    Work work(const Subject& subject) const;
    void start();
    void take(Layout layout);

    std::function<Subject()> m_subject;
    std::shared_ptr<const Layout> m_layout;
    Expansion m_expansion;
    bool m_isExpansionSettled = false; // chosen by the person, or by cost once costs were known
    std::size_t m_maxItems = 150;
    RunTreeOptions m_treeOptions;
    std::shared_ptr<LayoutEngine> m_engine; // used by the job alone
    QTimer m_delay;
    Job<Layout> m_job;
};

} // namespace stagecraft
