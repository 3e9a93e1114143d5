// SplitMemory: what a node and all behind it hold in a backward pass in two parts. Of two nodes the
// difference is what those from one to the other have (memory/waiting_gradients.h).
#pragma once

#include "core/base/quantities.h"

namespace stagecraft {

struct SplitMemory
{
    // The gradients that arrive at it and that its weights' gradients are made of, whole storages. One that
    // several nodes read as it is counts at the first to go back. In one pass some gradients are added up in
    // place: what is read before and after counts twice, as the first is held then.
    Bytes waiting;
    Bytes read;       // what waits for it and nodes behind
    Bytes readBehind; // for nodes behind alone
    Bytes madeBehind; // what waits that nodes behind made, but for what goes past others that wait
    Bytes input;      // what waits that it and nodes behind made, and what it takes in the first part besides
    Bytes weight;     // `read`, and the gradients of its weights
};

} // namespace stagecraft
