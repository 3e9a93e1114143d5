// Ideas that the search can do without. All are had, but by who measures what one brings:
// bench_partition --without (tests/bench/results/ablation.md).
#pragma once

namespace stagecraft {

struct SearchFeatures
{
    bool light = true;         // reduce/light_groups.h: groups that go with a neighbour
    bool sinkable = true;      // ReducedGroup::sinkable
    bool cuts = true;          // bound/bounds.h: windows that minimum cuts narrow
    bool floating = true;      // ideals/ideal_lattice.h: groups that are not told apart
    bool shares = true;        // ideals/floating_cut.h: shares of the time of floating groups
    bool loads = true;         // ideals/floating_load.h: what floating groups cost a stage with direct sends
    bool fronts = true;        // ideals/lattice_sweep.h: memory limits without pairs
    bool halving = true;       // proofs between bound and plan, not only just below the plan
    bool noise = true;         // orders with noise
    bool climb = true;         // improve/hill_climb.h
    bool anneal = true;        // improve/anneal.h
    bool neighbourhood = true; // improve/large_neighbourhood.h
    bool unlimited = true;     // memory limits left out where they hold nobody back
};

} // namespace stagecraft
