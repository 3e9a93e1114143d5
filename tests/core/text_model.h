// A model from the text form of a graph (core/graph/graph_text.h), without weights. A mistake in the text
// ends the test.
#pragma once

#include "core/load/model.h"
#include "tests/core/graph_text/graph_text_parser.h"

#include <QtGlobal>

#include <utility>

namespace stagecraft::test {

inline Model modelOf(const char* text)
{
    Result<Graph> graph = parseGraph(text);
    if (!graph.has_value())
        qFatal("%s", graph.error().message.c_str());
    return {.name = "test", .graph = std::move(graph).value()};
}

} // namespace stagecraft::test
