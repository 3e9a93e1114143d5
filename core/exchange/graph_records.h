// A graph as records with named fields: what all forms of a graph file are written from. For .cpp files, like
// nlohmann/json.hpp itself. README.md names the fields.
#pragma once

#include "core/exchange/graph_file.h"

#include <nlohmann/json.hpp>

#include <vector>

namespace stagecraft {

// Objects of texts, numbers and truths. Fields come in one order, whatever a record has of them.
struct GraphRecords
{
    std::vector<nlohmann::ordered_json> nodes;
    std::vector<nlohmann::ordered_json> edges;
};

GraphRecords graphRecords(const GraphSubject& subject);

} // namespace stagecraft
