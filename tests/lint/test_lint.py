#!/usr/bin/env python3
"""Shows that lint.py finds what it claims to find."""
import unittest

import lint


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
        self.assertEqual(lint.functions(source), [(4, 4), (7, 10)])

    def test_braces_in_text_do_not_count(self):
        self.assertEqual(lint.functions('int a()\n{\n    f("{"); // {\n}\n'), [(2, 4)])

    def test_a_long_function_is_found(self):
        source = "int a()\n{\n" + "    b();\n" * 60 + "}\n"
        self.assertEqual(list(lint.check_length("core/x.cpp", source.splitlines(), source)),
                         ["core/x.cpp:2: a function of 62 lines, at most 60"])

    def test_a_long_file_is_found(self):
        self.assertEqual(list(lint.check_length("core/x.cpp", [""] * 501, "")), ["core/x.cpp: 501 lines, at most 500"])


if __name__ == "__main__":
    unittest.main()
