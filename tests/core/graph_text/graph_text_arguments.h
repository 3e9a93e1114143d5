// Reads arguments of the text form. For the parser beside it.
#pragma once

#include "core/graph/graph_builder.h"
#include "tests/core/graph_text/graph_text_lines.h"

#include <unordered_map>

namespace stagecraft::graph_text {

class ArgumentParser
{
public:
    using Values = std::unordered_map<std::string, ValueId>;

    // All three must live as long as this.
    ArgumentParser(LineScanner& scanner, const GraphBuilder& builder, const Values& values)
        : m_scanner(scanner), m_builder(builder), m_values(values)
    {
    }

    Result<NamedArgument> parseNamed();
    Result<Argument> parse();

private:
    Result<Argument> parseWord();
    Result<Argument> parseCall(std::string_view word);
    Result<Argument> parseNumber();
    Result<Argument> parseRaw();
    Result<Argument> parseComplex();
    Result<ValueId> parseValue();
    Result<Argument> parseList(std::string_view kind);
    Result<Argument> listOf(std::string_view kind, const std::vector<Argument>& elements) const;
    bool areSizes(const std::vector<Argument>& elements) const;

    LineScanner& m_scanner;
    const GraphBuilder& m_builder;
    const Values& m_values;
};

} // namespace stagecraft::graph_text
