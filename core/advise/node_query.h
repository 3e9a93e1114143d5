// NodeQuery: which operators a person looks for, as a text that the window and the command line both read.
//
//     relu                a word that name, operator, module path or class has somewhere, whatever the case
//     op:linear,matmul    one of several; op, module, class, name, dtype, shape, stage
//     module:layers.3     layers.3 and what is in it, not layers.30
//     shape:8x1024        a tensor that it makes has these sizes beside each other
//     stage:2-4           counted from 1
//     time>1ms  mem>=1 GiB  flops>1G  params>0      time, forward, backward, mem, made, params, flops
//     op:"add"            all of it: not addmm
//     /layers\.\d+/       a regular expression (core/base/bounded_regex.h) on what a word is looked for in
//     -op:view            not this
//
// All of them must hold.
#pragma once

#include "core/graph/graph.h"
#include "core/plan/partition.h"
#include "core/profile/profile.h"

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace stagecraft {

// What is asked about; null: not known yet.
struct QuerySubject
{
    const Graph& graph;
    const Profile* profile = nullptr;
    const Partition* partition = nullptr;
};

class NodeQuery
{
public:
    // Fails on what is no query, saying how to write it; every text is a query or a reason.
    static Result<NodeQuery> parse(std::string_view text);

    // Does it ask for nothing at all?
    bool isEmpty() const { return m_terms.empty(); }
    // In execution order; none for a query that is empty. Fails where it asks for what is not known yet, and
    // for stages that the plan does not have.
    Result<std::vector<NodeId>> find(const QuerySubject& subject) const;

    // Fails where the subject cannot say; else whether a node of it is meant.
    using Test = std::function<bool(const QuerySubject& subject, NodeId node)>;
    enum class Needs { Graph, Profile, Partition };
    struct Term
    {
        Test test;
        Needs needs = Needs::Graph;
        std::size_t lastStage = 0; // that it names, counted from 1
        bool isOpposite = false;
    };

private:
    std::vector<Term> m_terms;
};

// Nodes for a text, or why there are none to be had.
Result<std::vector<NodeId>> findNodes(const QuerySubject& subject, std::string_view text);

// A key of the language: what stands before the colon or the comparison.
struct QueryKey
{
    enum class Kind { Text, Figure };
    std::string_view name;
    Kind kind = Kind::Text;
    std::string_view help;
};
// In the order in which they are offered.
std::span<const QueryKey> queryKeys();

} // namespace stagecraft
