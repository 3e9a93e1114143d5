// SegmentExchange: what the run-time of a pipeline holds of what a stage exchanges with the others, where the
// stage is a segment k .. end of an order and values are relayed.
//
//     g0 g1 │k g2 g3 │end g4      received: crosses k       sent: crosses end, and its maker is inside
//                                 kept: has a keeper inside  passed on: crosses end, its maker is elsewhere
#pragma once

#include "core/search/reduce/reduction.h"

#include <vector>

namespace stagecraft {

class SegmentExchange
{
public:
    // `reduced` and `order` must outlive this.
    SegmentExchange(const ReducedProblem& reduced, const std::vector<ReducedGroupId>& order);

    // An empty segment in front of position `end`.
    void start(std::size_t end);
    // Takes in the group at position k, the one before those that were taken in.
    void extend(std::size_t k);
    // Of the segment as that stage, what evaluate() counts, as if the stage before had made all that it
    // receives.
    HeldBytes heldBy(std::size_t stage) const;

private:
    struct Crossing
    {
        Bytes forward, backward;
        Bytes letGo;   // of `forward`, where it is kept
        Bytes inFront; // likewise

        void add(const ReducedValue& value, int sign);
        Crossing without(const Crossing& other) const
        {
            return {forward - other.forward, backward - other.backward, {}, {}};
        }
    };
    struct Place // of a value along the order
    {
        std::size_t first = 0;
        std::size_t last = 0; // behind all where the model returns it
    };
    struct Inside // of a value, in the segment
    {
        std::size_t end = 0; // of the segment that this is said of
        bool isMade = false, isKept = false, isRead = false, isReceived = false; // and kept
    };

    void placeValues();
    void sumCuts();
    void enter(std::uint32_t value, ReducedGroupId group, std::size_t k);

    const ReducedProblem& m_reduced;
    const std::vector<ReducedGroupId>& m_order;
    std::vector<Place> m_places;
    std::vector<Crossing> m_cuts; // in front of each position, and behind all
    std::vector<Inside> m_inside;
    std::size_t m_begin = 0;
    std::size_t m_end = 0;
    Crossing m_keptIn, m_sentKept, m_sentOther, m_sentRead;
};

} // namespace stagecraft
