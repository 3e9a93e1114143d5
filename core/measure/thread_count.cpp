#include "core/measure/thread_count.h"

#include <ATen/Parallel.h>

namespace stagecraft {

ThreadCount::ThreadCount(int threads) : m_before(at::get_num_threads())
{
    if (threads > 0)
        at::set_num_threads(threads);
}

ThreadCount::~ThreadCount()
{
    at::set_num_threads(m_before);
}

} // namespace stagecraft
