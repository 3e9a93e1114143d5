// GraphDrawing: the graph laid out in the background, and which of its boxes are open.
//
// A model opens as a page (core/layout/opening.h) made for the view that shows it; another plan, or another
// view, makes another page until the person has opened a box. From then on only what the plan asks for moves.
#pragma once

#include "app/jobs/job.h"
#include "core/layout/layout_engine.h"
#include "core/layout/make_run_tree.h"
#include "core/layout/opening.h"
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
    // How many pixels the view has for a page.
    void setView(Size pixels);

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
    // What a page was made for.
    struct Occasion
    {
        std::size_t stageCount = 0;
        Size view;
        bool hasCosts = false;

        friend bool operator==(const Occasion&, const Occasion&) = default;
    };
    struct Drawn
    {
        Layout layout;
        Opening opening;
        Occasion occasion;
    };
    using Work = std::function<Result<Drawn>(const Progress&)>;
    Work work(const Subject& subject) const;
    void start();
    void take(Drawn drawn);

    std::function<Subject()> m_subject;
    std::shared_ptr<const Layout> m_layout;
    Expansion m_expansion;
    bool m_isChosen = false;               // the expansion, by the person
    std::optional<std::size_t> m_maxItems; // none: a page with every box closed
    RunTreeOptions m_treeOptions;
    Size m_view{860, 480};
    std::optional<Opening> m_opening;
    Occasion m_occasion;                    // of m_opening
    std::shared_ptr<LayoutEngine> m_engine; // used by the job alone
    QTimer m_delay;
    Job<Drawn> m_job;
};

} // namespace stagecraft
