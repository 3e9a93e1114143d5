// A job that only ends when it is asked to.
#pragma once

#include "app/jobs/job_queue.h"

#include <QTest>

namespace stagecraft {

inline void addLongJob(JobQueue& queue, bool& isAbandoned)
{
    queue.add(
        "A long job",
        [](const Progress& progress) -> JobQueue::Delivery {
            while (!progress.stopRequested())
                QTest::qSleep(1);
            return [] {};
        },
        [&isAbandoned] { isAbandoned = true; });
}

} // namespace stagecraft
