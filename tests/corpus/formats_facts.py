"""Prints a line for each result of a SARIF report: rule, kind, file, first place, second place,
and whether the source suppresses it. The second form prints numbers of the run. The third runs
a command and prints the largest resident set of it and its children, in KiB, to standard error. The
fourth prints the words of each picture's titles, and what of them lies outside of the picture, on
another line or on anything else; a character is taken for 0.6 of the size of the font wide. The fifth
reads the tests of a report in parts, and counts those whose part has no such place.

    formats_facts.py results FILE.sarif
    formats_facts.py run FILE.sarif
    formats_facts.py peak COMMAND...
    formats_facts.py titles FILE.svg
    formats_facts.py parts FOLDER < TESTS.json
"""
import json
import re
import resource
import subprocess
import sys
from urllib.parse import unquote_to_bytes
from xml.etree import ElementTree


def place(location):
    region = location["physicalLocation"].get("region")
    if not region:
        return "-"
    text = "%s:%s" % (region["startLine"], region.get("startColumn", "-"))
    return text + ("-%s" % region["endColumn"] if "endColumn" in region else "")


def print_result(result, rules):
    assert rules[result["ruleIndex"]]["id"] == result["ruleId"]
    where = result["locations"][0]
    name = unquote_to_bytes(where["physicalLocation"]["artifactLocation"]["uri"]).split(b"/")[-1]
    related = [place(other) for other in result.get("relatedLocations", [])]
    print(result["ruleId"], result["kind"], name.decode("latin-1").encode("unicode_escape").decode(), place(where),
          *related, *(["suppressed"] if result.get("suppressions") else []))


SVG = "{http://www.w3.org/2000/svg}"


def lowest_and_rest(element, down=0):
    """Level of each title's base line; of the upper edge of each box, path and other text."""
    titles, rest = [], []
    move = re.match(r"translate\(0 (\d+)\)", element.get("transform", ""))
    down += int(move.group(1)) if move else 0
    if "title" in element.get("class", "").split():
        titles.append((int(element.get("y")) + down, element))
    elif element.tag == SVG + "text":
        rest.append(int(element.get("y")) - 10 + down)
    elif element.tag == SVG + "rect" and element.get("class") != "paper":
        rest.append(int(element.get("y")) + down)
    elif element.tag == SVG + "path":
        rest += [int(y) + down for y in re.findall(r"[ML]-?\d+ (-?\d+)", element.get("d"))]
    for child in element:
        below = lowest_and_rest(child, down)
        titles += below[0]
        rest += below[1]
    return titles, rest


def print_titles(picture):
    titles, rest = lowest_and_rest(picture)
    levels = sorted(level for level, _ in titles)
    ends = [int(t.get("x")) + len(t.text) * int(t.get("font-size")) * 0.6 for _, t in titles]
    faults = ["outside"] * (max(ends) > int(picture.get("width")) - 8)
    faults += ["on another"] * any(b - a < 15 for a, b in zip(levels, levels[1:]))
    faults += ["on something"] * any(y < levels[-1] + 4 for y in rest)
    print(len(titles), "lines:", *[t.text for _, t in titles], *["(%s)" % fault for fault in faults])


if sys.argv[1] == "titles":
    for picture in ElementTree.parse(sys.argv[2]).iter(SVG + "svg"):
        if picture.get("class") == "picture":
            print_titles(picture)
    sys.exit(0)
if sys.argv[1] == "parts":
    tests = json.load(sys.stdin)["tests"]
    pages = {}
    for test in tests:
        if test[5] not in pages:
            with open("%s/part-%04d.html" % (sys.argv[2], test[5]), encoding="utf-8") as file:
                pages[test[5]] = set(re.findall(r'id="(t\d+)"', file.read()))
    print("%d tests, %d astray" % (len(tests), sum("t%d" % test[4] not in pages[test[5]] for test in tests)))
    sys.exit(0)

if sys.argv[1] == "peak":
    status = subprocess.run(sys.argv[2:]).returncode
    print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss, file=sys.stderr)
    sys.exit(status)

with open(sys.argv[2], encoding="utf-8") as file:
    run = json.load(file)["runs"][0]
if sys.argv[1] == "results":
    for entry in run["results"]:
        print_result(entry, run["tool"]["driver"]["rules"])
else:
    invocation = run["invocations"][0]
    print(run["tool"]["driver"]["name"], len(run["results"]), invocation["exitCode"],
          invocation["executionSuccessful"])
