// Accuracy: how far a device file's times were from measured ones that it was not fitted to.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace stagecraft {

struct Accuracy
{
    std::string what;    // "whole models" or "operators"
    std::string against; // the table, by its source
    int cases = 0;
    double meanError = 0;  // mean of |predicted / measured - 1|
    double usualError = 0; // four of five cases are within it
    std::string of = {};   // what the cases are, where they are of one sort: "GPT pipelines in float16"
};

// "estimated, usually within 12 % (45 operators in float32)", "... (80 whole models: GPT pipelines in
// float16)"; where nothing was checked: "estimated, not
// checked against measurements". Whole models go before operators.
std::string accuracyText(const std::vector<Accuracy>& accuracy);

} // namespace stagecraft
