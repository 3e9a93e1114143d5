// A graph as records with named fields: what all forms of a graph file are written from. For .cpp files, like
// nlohmann/json.hpp itself. README.md names the fields.
#pragma once

#include "core/exchange/overlay.h"
#include "core/profile/profile.h"

#include <nlohmann/json.hpp>

#include <vector>

namespace stagecraft {

// What is written. All of one graph; null: not known.
struct GraphSubject
{
    const Graph& graph;
    const Profile* profile = nullptr; // its sizes are those of bytes, too
    const Overlay* overlay = nullptr;
};

// Objects of texts, numbers and truths. Fields come in one order, whatever a record has of them.
struct GraphRecords
{
    std::vector<nlohmann::ordered_json> nodes;
    std::vector<nlohmann::ordered_json> edges;
};

GraphRecords graphRecords(const GraphSubject& subject);

} // namespace stagecraft
