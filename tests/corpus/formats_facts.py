"""Prints a line for each result of a SARIF report: rule, kind, file, first place, second place,
and whether the source suppresses it. The second form prints numbers of the run. The third runs
a command and prints the largest resident set of it and its children, in KiB, to standard error.

    formats_facts.py results FILE.sarif
    formats_facts.py run FILE.sarif
    formats_facts.py peak COMMAND...
"""
import json
import resource
import subprocess
import sys
from urllib.parse import unquote_to_bytes


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
