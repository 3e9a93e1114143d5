#!/usr/bin/env python3
"""Shows that lint.py finds what it claims to find."""
import unittest

import cpp_source
import house
import lint


def read(source, path="core/x.cpp"):
    return cpp_source.Source(path, source)


class Direction(unittest.TestCase):
    def faults(self, path, line):
        return list(lint.check_direction(path, [line]))

    def test_a_room_may_use_rooms_above_it(self):
        self.assertEqual(self.faults("core/load/x.cpp", '#include "core/graph/graph.h"'), [])

    def test_a_room_may_not_use_rooms_below_it(self):
        self.assertEqual(self.faults("core/load/x.cpp", '#include "core/stage/cut.h"'),
                         ["core/load/x.cpp:1: core/stage/cut.h: core/load must not include core/stage"])

    def test_rooms_within_rooms_have_an_order_too(self):
        self.assertEqual(self.faults("core/search/x.cpp", '#include "core/search/bound/bounds.h"'), [])
        self.assertTrue(self.faults("core/search/bound/x.cpp", '#include "core/search/search.h"'))
        self.assertTrue(self.faults("core/plan/x.cpp", '#include "core/search/search.h"'))
        self.assertTrue(self.faults("views/base/x.cpp", '#include "views/graph/graph_view.h"'))
        self.assertTrue(self.faults("app/document/x.cpp", '#include "app/window/docks.h"'))

    def test_every_folder_is_a_room(self):
        self.assertTrue(self.faults("core/partition/x.cpp", '#include "core/base/id.h"'))

    def test_core_does_not_know_views(self):
        self.assertTrue(self.faults("core/load/x.cpp", '#include "views/base/theme.h"'))

    def test_views_do_not_know_app(self):
        self.assertTrue(self.faults("views/base/x.cpp", '#include "app/document/document.h"'))

    def test_no_qt_in_core(self):
        self.assertTrue(self.faults("core/base/x.h", "#include <QString>"))

    def test_torch_only_in_sources_of_core(self):
        self.assertEqual(self.faults("core/run/x.cpp", "#include <ATen/ATen.h>"), [])
        self.assertTrue(self.faults("core/run/x.h", "#include <ATen/ATen.h>"))
        self.assertTrue(self.faults("app/x.cpp", "#include <torch/torch.h>"))


class Text(unittest.TestCase):
    def faults(self, path, line):
        return list(lint.check_text(path, [line]))

    def test_views_show_text_of_others_through_one_function(self):
        self.assertTrue(self.faults("views/x.cpp", "label->setText(QString::fromStdString(node.name));"))
        self.assertEqual(self.faults("views/base/plain_text.cpp", "return QString::fromStdString(text);"), [])

    def test_commands_print_where_it_is_made_harmless(self):
        self.assertTrue(self.faults("cli/x.cpp", 'std::printf("%s", name.c_str());'))
        self.assertEqual(self.faults("cli/x.cpp", 'printFormatted("%s", name.c_str());'), [])
        self.assertEqual(self.faults("cli/x.cpp", 'std::snprintf(text, sizeof text, "%g", value);'), [])
        self.assertEqual(self.faults("cli/x.cpp", 'std::fputs("cancelled", stderr);'), [])


class Length(unittest.TestCase):
    def test_counts_function_bodies_only(self):
        source = "namespace a {\nstruct B\n{\n    int c() const { return 1; }\n};\nint d(int e)\n{\n\n\n}\n}\n"
        self.assertEqual(lint.functions(read(source)), [(4, 4), (7, 10)])

    def test_braces_in_text_do_not_count(self):
        self.assertEqual(lint.functions(read('int a()\n{\n    f("{"); // {\n}\n')), [(2, 4)])

    def test_a_long_function_is_found(self):
        source = "int a()\n{\n" + "    b();\n" * 60 + "}\n"
        self.assertEqual(list(lint.check_length("core/x.cpp", source.splitlines(), read(source))),
                         ["core/x.cpp:2: a function of 62 lines, at most 60"])

    def test_a_long_file_is_found(self):
        self.assertEqual(list(lint.check_length("core/x.cpp", [""] * 501, read(""))), ["core/x.cpp: 501 lines, at most 500"])

    def test_says_which_comment_is_too_long(self):
        lines = ["// " + "x" * 107, "// " + "x" * 108]
        self.assertEqual(list(lint.check_length("core/x.cpp", lines, read(""))), ["core/x.cpp:2: 111 columns, at most 110"])


class Classes(unittest.TestCase):
    HEADER = """namespace stagecraft {
class A : public B
{
    Q_OBJECT

public:
    A(int one, std::function<void(int)> two) : m_one(one) {}
    int one() const { return m_one; }
    static constexpr int limit = 3;
    enum class Kind { One, Two };

signals:
    void changed();

private:
    struct Inner
    {
        int first = 0;
    };
    int m_one = f(1);
    std::function<void(int)> m_two;
    std::map<int, std::vector<A*>> m_three{{1, {}}};
    Job<int> m_four{m_queue}; // int m_none;
};
}
"""

    def test_fields_are_counted(self):
        classes = {found.name: found.fields for found in read(self.HEADER).classes}
        self.assertEqual(classes, {"A": ["m_one", "m_two", "m_three", "m_four"], "A::Inner": ["first"]})

    def test_a_class_is_as_long_as_all_its_functions_in_whatever_file(self):
        one = read("A::A()\n    : m_one(1)\n{\n}\n")
        other = read("std::vector<int> A::f(const B::C& c) const\n{\n    if (c) {\n    }\n}\nint B::f()\n{\n}\n")
        lengths = {found.name: lines for found, lines in cpp_source.class_lines([read(self.HEADER), one, other])}
        self.assertEqual(lengths["A"], 23 + 4 + 5)

    def test_large_classes_are_found(self):
        source = read("class A\n{\n" + "    int m_a;\n" * 501 + "};\n", "core/x.h")
        self.assertEqual(list(house.check_classes([source])),
                         ["core/x.h:1: A has 504 lines with its functions, at most 500",
                          "core/x.h:1: A has 501 fields, at most 26"])

    def test_two_classes_of_one_name_are_found(self):
        sources = [read("namespace stagecraft {\nclass A\n{\n};\n}\n", "core/a.h"),
                   read("namespace stagecraft {\nstruct A\n{\n};\n}\n", "core/b.h")]
        self.assertEqual(list(house.check_equal_names(sources)), ["core/b.h:2: A is another class already, in core/a.h:2"])

    def test_classes_in_unnamed_namespaces_may_be_called_alike(self):
        hidden = "namespace stagecraft {\nnamespace {\nclass A\n{\n};\n}\n}\n"
        self.assertEqual(list(house.check_equal_names([read(hidden), read(hidden)])), [])


class Names(unittest.TestCase):
    def faults(self, header, source):
        return list(house.check_unused_names([read(header, "core/x.h"), read(source)], lambda path: header.splitlines()))

    def test_a_function_that_no_product_calls_is_found(self):
        self.assertEqual(self.faults("int a(int b);\n", "int a(int b)\n{\n    return b;\n}\n"),
                         ['core/x.h:1: a is called by tests at most; delete it or say "for tests"'])

    def test_a_function_that_is_called_is_not(self):
        self.assertEqual(self.faults("int a(int b);\n", "int a(int b)\n{\n    return b;\n}\nint c = a(1);\n"), [])

    def test_what_says_that_it_is_for_tests_is_not(self):
        self.assertEqual(self.faults("// For tests.\nint a(int b);\nint c();\n", ""), [])


class Files(unittest.TestCase):
    TABLE = "| file | what it does |\n|---|---|\n| `a`, `b` | both |\n"

    def test_a_source_without_header_is_found(self):
        self.assertEqual(list(house.check_headers(["core/a.h", "core/a.cpp", "core/b.cpp"])),
                         ["core/b.cpp: has no header of its name"])

    def test_headers_that_include_each_other_are_found(self):
        self.assertEqual(list(house.check_circles({"a.h": {"b.h"}, "b.h": {"a.h"}, "c.h": {"a.h"}})),
                         ["a.h: includes itself over b.h"])

    def test_a_circle_over_sources_is_found(self):
        self.assertEqual(list(house.check_circles({"a.cpp": {"b.h"}, "b.h": {"c.h"}, "c.h": {"a.h"}, "a.h": set()})),
                         ["a: includes itself over b, c"])

    def test_a_source_may_include_what_builds_on_its_header(self):
        self.assertEqual(list(house.check_circles({"a.h": set(), "a.cpp": {"a.h", "part.h"}, "part.h": {"a.h"},
                                                   "part.cpp": {"part.h"}})), [])

    def test_a_table_that_is_as_the_folder_is_good(self):
        self.assertEqual(list(house.check_readme("R", self.TABLE, {"a", "b", "sub/c", "sub/"})), [])

    def test_a_table_that_names_what_is_not_there_is_found(self):
        self.assertEqual(list(house.check_readme("R", self.TABLE, {"a"})), ["R:3: there is no file b"])

    def test_a_table_that_lacks_a_file_is_found(self):
        self.assertEqual(list(house.check_readme("R", self.TABLE, {"a", "b", "c"})), ["R: says nothing of c"])


if __name__ == "__main__":
    unittest.main()
