"""formats_executions.py RECORDS EXPLANATIONS: what executions of tests are as data, each derived in tests/corpus/formats.sh."""
import json
import sys
from xml.etree import ElementTree


def lines(path):
    with open(path, encoding="utf-8") as file:
        return [json.loads(line) for line in file]


def tell(execution, *fields):
    return [tuple(event.get(field) for field in fields) for event in execution["events"]]


def of(execution, fate):
    return [(event["access"], event["line"]) for event in execution["events"] if event["fate"] == fate]


lost, passed, race = lines(sys.argv[1])
near, bare = lines(sys.argv[2])[0], lines(sys.argv[2])[1]

(execution,) = lost["executions"]
assert (execution["kind"], execution["condition"]) == ("crash", 0)
assert execution["state"] == {"x": 1, "y": 0}
assert tell(execution, "thread", "line", "column", "kind", "location", "value", "order", "fate")[2:] == [
    (0, 3, 42, "W", "y", 1, "NA", "lost"), (0, 3, 50, "W", "x", 1, "NA", "durable")]
assert tell(execution, "thread", "line", "access", "value", "fate")[:2] == [
    (None, None, "W x", 0, "durable"), (None, None, "W y", 0, "durable")]
assert execution["relations"] == {} and execution["breaks"] == [] and "pictures" not in execution
assert [(gap["earlier"]["access"], gap["later"]["access"]) for gap in execution["missing"]] == [("W y", "W x")]
assert [(step["kind"], step.get("access")) for step in execution["steps"]] == [
    ("executes", "W y"), ("executes", "W x"), ("durable", "W x"), ("crash", None)]

(execution,) = passed["executions"]
assert (execution["kind"], execution["condition"], execution["state"]) == ("final", 0, {"1:a": 1, "1:b": 1})
assert tell(execution, "thread", "access", "value", "order", "scope") == [
    (0, "W x", 1, "NA", None), (0, "W f", 1, "SC", "DV"), (1, "R f", 1, "SC", "DV"), (1, "R x", 1, "NA", None)]
assert execution["relations"]["rf"] == [[0, 3], [1, 2]]
(picture,) = execution["pictures"]
assert ElementTree.fromstring(picture).tag.endswith("}svg")

undefined, state = race["executions"]
assert (undefined["kind"], undefined["state"], state["kind"]) == ("undefined", None, "final") and "condition" not in undefined
(step,) = [step for step in undefined["breaks"] if step["rule"] == "race"]
assert sorted(undefined["events"][end]["access"] for end in (step["from"], step["to"])) == ["R x", "W x"]
assert race["undefined"][0]["words"] == "race: P0's W x at line 3 and P1's R x at line 5"

(execution,) = near["executions"]
assert near["reachable"] is False and execution["excluded_by"] == [{"kind": "persist-before"}, {"kind": "durable-before"}]
assert of(execution, "lost") == [("W val0", 5)] and ("PB WI", 6) in of(execution, "executed") and ("W key0", 7) in of(execution, "durable")
assert {(step["rule"],) + tuple(execution["events"][end]["line"] for end in (step["from"], step["to"])) for step in execution["breaks"]} == {
    ("durable-before", 5, 6), ("persist-before", 5, 7)}
assert "executions" not in bare
(change,) = bare["advice"]["changes"]
assert (change["before"], change["line"], change["column"], change["end_line"], change["end_column"]) == (None, 6, 1, 6, 1)
assert change["text"] == "  p_barrier_wi;\n"
