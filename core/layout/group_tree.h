// GroupTree: the nested groups that a graph's operators are drawn in.
//
// A group is a module; where a module runs too many operators of its own for one drawing (a model exported
// without module names runs them all in its root), it is cut into *parts* at narrow places: there, the
// fewest values are alive. Groups depend on the graph alone, so what a person opened stays open whatever
// becomes of the stages.
//
//     ""                                  ""
//     └─ layers.0                         ├─ part 0: 48 ops
//        ├─ self_attn: 21 ops             ├─ part 1: 60 ops
//        └─ mlp: 5 ops                    └─ ...
//
// For a page that a model opens with, two more kinds can be asked for: *loose* things, short runs of small
// ones between a module's large children ("conv1 ... maxpool"), and a module's *bookkeeping*
// (bookkeeping.h), wherever in it that stands. RunTreeOptions::dissolved says which groups get a box at all.
#pragma once

#include "core/graph/graph.h"

#include <optional>
#include <string>
#include <vector>

namespace stagecraft {

using GroupId = Id<struct GroupTag>;

enum class GroupKind : std::uint8_t { Module, Part, Loose, Bookkeeping };

struct Group
{
    ModuleId module = ModuleTree::root(); // if it is none itself: that of the group it is cut from
    std::optional<std::size_t> part;      // its number among those of its kind; none for modules
    GroupKind kind = GroupKind::Module;
    std::optional<GroupId> parent;
    int depth = 0; // 0 for the root group
};

struct GroupTree
{
    Table<GroupId, Group> groups;
    Table<NodeId, GroupId> groupOf; // the innermost one

    static constexpr GroupId root() { return GroupId(0); }
    // The groups from below the root down to `group`, outermost first.
    std::vector<GroupId> path(GroupId group) const;
    // Is `inner` the group `outer` or inside it?
    bool contains(GroupId outer, GroupId inner) const;
};

struct GroupTreeOptions
{
    // A module that runs more operators and child modules than this is cut into parts...
    std::size_t maxChildren = 240;
    // ...of so many.
    std::size_t minPart = 24;
    std::size_t maxPart = 72;
    // More parts than this are parts of parts; 0: however many there are.
    std::size_t maxParts = 0;
    // So many small things in a row are a group of loose ones, so many nodes of bookkeeping one; 0: none are.
    std::size_t minLoose = 0;
    std::size_t minBookkeeping = 0;
};

// For the window: with all that a page needs.
inline constexpr GroupTreeOptions pageGroups{.maxParts = 16, .minLoose = 3, .minBookkeeping = 3};

GroupTree makeGroupTree(const Graph& graph, const GroupTreeOptions& options = {});

} // namespace stagecraft
