// How a query that is being typed could go on.
#pragma once

#include "core/advise/node_query.h"

#include <string>
#include <string_view>
#include <vector>

namespace stagecraft {

struct QueryCompletion
{
    std::string text;  // the whole query, its last word completed
    std::string shown; // the last word alone; not fit to be shown as it is: it may be a name of the model
    std::string help;  // what the key asks, or how many ops there are: "36 ops"

    friend bool operator==(const QueryCompletion&, const QueryCompletion&) = default;
};

// At most `most`: what begins as the last word does before what has it somewhere, then what most ops have;
// stages in their order. All keys where no word is begun; none inside quotes, regular expressions, figures.
std::vector<QueryCompletion> completeQuery(const QuerySubject& subject, std::string_view text,
                                           std::size_t most = 14);

// What was probably meant by a query that finds nothing: each word, and each value of op:, module: and
// class:, that nothing has, replaced by the nearest name there is. Empty where none is near.
std::string correctedQuery(const QuerySubject& subject, std::string_view text);

} // namespace stagecraft
