// RecomputeTrade: for the stages as they are, what each memory that a stage may hold costs in time: the plans
// that recompute as little as it demands.
//
//     most memory, nothing runs again ─── points ─── least memory, all that may runs again
//
// Figures are estimates (core/recompute_choice.h); the plan of a point is traced when it is taken over.
#pragma once

#include "app/document/plan_state.h"
#include "app/document/recomputed_plans.h"
#include "app/jobs/answer.h"
#include "core/recompute_choice.h"
#include "views/plan/trade_slider.h"

#include <QObject>

namespace stagecraft {

class Document;

struct TradeOfMemory
{
    std::shared_ptr<const RecomputeChooser> chooser;
    std::vector<RecomputePlan> plans; // by point
    std::vector<TradePoint> points;   // memory rises, time falls
};
// One point: nothing can run again. Fails where cancelled, and where estimates are too far from what stages
// hold.
Result<TradeOfMemory> tradeOfMemory(std::shared_ptr<const RecomputeChooser> chooser,
                                    const Partition& partition, const Progress& progress = {});

class RecomputeTrade : public QObject
{
    Q_OBJECT

public:
    // The document and its queue outlive it.
    explicit RecomputeTrade(Document& document);

    // Null before seek(), and for other stages or another request until they are followed.
    std::shared_ptr<const TradeOfMemory> found() const;
    bool isRunning() const { return m_answer.isRunning(); }
    void seek();
    // Takes the plan of a point over: one step of undo.
    void adopt(std::size_t point);

signals:
    void changed(); // an answer is there, is looked for, or will not come

private:
    // What the points are of; what is recomputed now does not matter.
    struct Subject
    {
        std::shared_ptr<const Model> model;
        PlanRequest request;
        std::shared_ptr<const TimeOverrides> times;
        std::shared_ptr<const Substitutes> substitutes;
        Partition partition;

        bool hasSameChooser(const Subject& other) const;
        friend bool operator==(const Subject&, const Subject&) = default;
    };
    std::optional<Subject> subject() const; // none: there is nothing to ask
    void start(const Subject& asked);
    void follow();

    Document& m_document;
    Answer<TradeOfMemory, Subject> m_answer;
};

} // namespace stagecraft
