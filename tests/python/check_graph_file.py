"""Do other programs read the graph that `graph` and `profile --format` write, and is it the model's?

    check_graph_file.py CLI MODEL.pt2

networkx reads GraphML, json and csv the others, Graphviz DOT. Operators and the edges between them are compared with
those of torch.export.load, figures with `profile --json`, an overlay's with the overlay.
"""
import csv
import io
import json
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import networkx
import torch

FIGURES = ["flops_forward", "flops_backward", "saved_bytes", "time_forward_s", "parameter_bytes"]


def run(*arguments):
    return subprocess.run(arguments, check=True, capture_output=True, text=True).stdout


def expect(holds, text):
    if not holds:
        sys.exit(f"check_graph_file: {text}")


def torch_edges(model):
    """Names of operators, and pairs of those of which one reads what the other makes, by way of getitem at most."""
    graph = torch.export.load(model).graph
    is_item = {n: "getitem" in str(n.target) for n in graph.nodes if n.op == "call_function"}

    def maker(node):
        return maker(node.args[0]) if is_item.get(node) else node

    names = {n.name for n, item in is_item.items() if not item}
    pairs = {(maker(source).name, node.name) for node, item in is_item.items() if not item for source in node.all_input_nodes}
    return names, {(a, b) for a, b in pairs if a in names}


def edges_of(nodes, edges):
    names = {node["id"]: node["name"] for node in nodes if node["kind"] == "operator"}
    return {(names[e["source"]], names[e["target"]]) for e in edges
            if e["kind"] == "data" and e["source"] in names and e["target"] in names}


def check_structure(cli, model, folder):
    names, pairs = torch_edges(model)
    document = json.loads(run(cli, "graph", model, "--format", "json"))
    found = {n["name"] for n in document["nodes"] if n["kind"] == "operator"}
    expect(found == names, f"operators differ: {sorted(found ^ names)[:5]}")
    expect(edges_of(document["nodes"], document["edges"]) == pairs, "edges differ from torch's")
    run(cli, "graph", model, "-o", str(folder / "g.graphml"))
    graph = networkx.read_graphml(folder / "g.graphml", force_multigraph=True)
    expect(graph.number_of_nodes() == len(document["nodes"]), "GraphML has other nodes than JSON")
    expect(graph.number_of_edges() == len(document["edges"]), "GraphML has other edges than JSON")
    expect(networkx.is_directed_acyclic_graph(graph), "GraphML has a circle")
    for node in document["nodes"]:
        expect({"id": node["id"], **graph.nodes[node["id"]]} == node, f"GraphML says other things of {node['name']}")
    tables = [list(csv.DictReader(io.StringIO(run(cli, "graph", model, "--format", form), newline="")))
              for form in ("csv", "edges-csv")]
    for table, part in zip(tables, ("nodes", "edges")):
        told = [{key: value for key, value in row.items() if value} for row in table]
        expect(told == [{key: str(value) for key, value in row.items() if str(value)} for row in document[part]],
               f"the table of {part} differs from JSON")
    if dot := shutil.which("dot"):
        run(cli, "graph", model, "--format", "dot", "-o", str(folder / "g.dot"))
        drawn = json.loads(run(dot, "-Tdot_json", str(folder / "g.dot")))
        expect(sum("cluster" not in o["name"] for o in drawn["objects"]) == len(document["nodes"]), "dot reads other nodes")
        expect(len(drawn["edges"]) == len(document["edges"]), "dot reads other edges")
    return document


def check_figures(cli, model, folder, name):
    overlay = folder / "overlay.json"
    overlay.write_text(json.dumps({"nodes": {name: {"heat": 41.5, "colour": "#d55e00", "note": 'say "<&>"'}}}))
    run(cli, "profile", model, "--format", "graphml", "-o", str(folder / "p.graphml"), "--overlay", str(overlay))
    graph = networkx.read_graphml(folder / "p.graphml", force_multigraph=True)
    by_name = {data["name"]: data for _, data in graph.nodes(data=True) if data["kind"] == "operator"}
    for row in json.loads(run(cli, "profile", model, "--by", "node", "--json"))["nodes"]:
        for figure in FIGURES:
            expect(by_name[row["name"]][figure] == row[figure], f"{row['name']}: {figure} differs from profile --json")
    told = by_name[name]
    expect((told["overlay_heat"], told["overlay_colour"], told["overlay_note"]) == (41.5, "#d55e00", 'say "<&>"'),
           "the overlay is not in GraphML")
    run(cli, "render", model, "--all", "-o", str(folder / "r.svg"), "--overlay", str(overlay))
    picture = (folder / "r.svg").read_text()
    expect("#d55e00" in picture and "heat 41.5" in picture, "the overlay is not in the picture")
    run(cli, "report", model, "--stages", "2", "-o", str(folder / "r.html"), "--overlay", str(overlay))
    expect("say &quot;&lt;&amp;&gt;&quot;" in (folder / "r.html").read_text(), "the overlay is not in the report")


def main():
    cli, model = sys.argv[1:]
    with tempfile.TemporaryDirectory() as folder:
        document = check_structure(cli, model, Path(folder))
        first = next(node["name"] for node in document["nodes"] if node["kind"] == "operator" and "linear" in node["target"])
        check_figures(cli, model, Path(folder), first)
    print(f"{model}: {len(document['nodes'])} nodes and {len(document['edges'])} edges are torch's in every format")


main()
