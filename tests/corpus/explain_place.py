#!/usr/bin/env python3
"""Holds what `explain` says of a program's text to other commands.

Advice: its changes are those of a minimal filling of `place --repair` for the same test and model
pair, and where that has none there is no advice. Support: each instruction that is said to be needed
is left out of the file, or made narrower, and `check` then finds the state, or undefined behaviour.

Arguments: the program, a folder to work in, tests. Last line: N passed, N failed.
"""
import collections
import json
import pathlib
import subprocess
import sys

PROGRAM, WORK, TESTS = sys.argv[1], pathlib.Path(sys.argv[2]), sys.argv[3:]
LIMITS = ["--timeout", "10"]
counts = collections.Counter()


def judge(good, words):
    counts["passed" if good else "failed"] += 1
    if not good:
        print("failed:", words)


def lines(*arguments):
    """The JSON lines that a command prints."""
    run = subprocess.run([PROGRAM, *arguments, "-f", "json"], capture_output=True, text=True, check=False)
    return [json.loads(line) for line in run.stdout.splitlines()]


def pair(answer):
    return ["-m", answer["model"], "-p", answer["persistency"]]


def repaired(test, answer):
    """What `place --repair` answers; None when it met a limit."""
    answers = lines("place", "--repair", "--all", "--total", "4", *LIMITS, *pair(answer), test)
    return answers[0] if answers and answers[0]["complete"] and not answers[0]["open"] else None


def hold_fewest(advice, place, name):
    """No filling has fewer choices changed; place has those with the fewest first."""
    present = [choice["present"] for choice in place["choices"]]
    numbers = [sum(now != was for now, was in zip(filling["values"], present)) for filling in place["fillings"]]
    advised = [number for number, filling in zip(numbers, place["fillings"]) if filling["changes"] == advice["changes"]]
    judge(advised == [min(numbers)], f"{name}: {advised} changes, the fewest are {min(numbers)}")
    judge(numbers == sorted(numbers), f"{name}: place has another order")
    counts["fewest"] += 1


def hold_advice(test, answer):
    advice, name = answer["advice"], f"{test} {' '.join(pair(answer))} {answer['number']}"
    if advice["result"] == "unknown":
        counts["unknown"] += 1
        return
    place = repaired(test, answer)
    if not place:
        counts["without an answer of place"] += 1
        return
    fillings = [filling["changes"] for filling in place["fillings"]]
    if advice["result"] == "found" and advice["for"] == "test":
        judge(advice["changes"] in fillings, f"{name}: the advice is no minimal filling")
        counts["advice"] += 1
        if advice["fewest"]:
            hold_fewest(advice, place, name)
    else:
        judge(not fillings, f"{name}: there are minimal fillings, and none is advised")


def changed(text, needed):
    """The test with the instruction left out, or narrower; None when its words stand elsewhere."""
    rows = text.split("\n")
    if len(needed["places"]) != 1 or "," in needed["value"].partition("(")[0]:
        return None
    place = needed["places"][0]
    row, column = rows[place["line"] - 1], place["column"] - 1
    at = row.encode()[:column].decode(errors="replace")
    rest = row[len(at):]
    if needed["value"] not in rest or " in P" in needed["with"]:
        return None
    put = "" if needed["with"] == "left out" else needed["with"]
    if rest.index(needed["value"]) and needed["with"] == "left out":
        return None
    rows[place["line"] - 1] = at + rest.replace(needed["value"], put, 1)
    return "\n".join(rows)


def hold_needed(test, answer, needed):
    name = f"{test}:{needed['places'][0]['line']} {' '.join(pair(answer))} {answer['number']}"
    text = changed(pathlib.Path(test).read_text(), needed)
    if text is None or "|" in text.split("\n")[needed["places"][0]["line"] - 1]:
        counts["not written"] += 1
        return
    file = WORK / "changed.litmus"
    file.write_text(text)
    checked = lines("check", *LIMITS, *pair(answer), str(file))
    if not checked or "conditions" not in checked[0] or not checked[0]["conditions"]:
        counts["not read"] += 1  # what it names by a path is not beside it
        return
    verdict = checked[0]["conditions"][answer["number"] - 1]["verdict"]
    if needed["reason"] == "undefined":
        judge(bool(checked[0]["undefined"]), f"{name}: it is not undefined without")
        return
    reached = "ok" if answer["condition"].startswith("exists") else "violated"
    judge(verdict == reached, f"{name}: {verdict} without {needed['value']}")
    counts["lines"] += 1


def hold(test):
    for answer in lines("explain", *LIMITS, test):
        if "advice" in answer:
            hold_advice(test, answer)
        for needed in answer.get("support", {}).get("needed", []):
            hold_needed(test, answer, needed)


for path in TESTS:
    hold(path)
judge(counts["advice"] > 0, "no advice was held to anything")
judge(counts["lines"] > 0, "no line was left out")
print(", ".join(f"{count} {what}" for what, count in sorted(counts.items()) if what not in ("passed", "failed")))
print(f"{counts['passed']} passed, {counts['failed']} failed")
sys.exit(counts["failed"] > 0)
