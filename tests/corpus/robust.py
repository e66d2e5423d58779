#!/usr/bin/env python3
"""What does `property robust` flag of tests with a recovery, next to their own conditions?

robust.py CRASHLIT PATH... asks each test below the paths under hrf-direct + epoch and hrf-direct + strict, and then
for `robust` under hrf-direct + epoch.

* A state that breaks a `recovered` condition under epoch, and none does under strict, is one that strict does not
  leave, of what the condition mentions: `robust` is violated. (Unless the test observes something else.)
* Of the tests whose conditions hold `robust` flags none: a correct recovery leaves what strict leaves. That is no
  theorem, so one that is flagged has to be listed here with its reason.
"""
import json
import os
import subprocess
import sys
from collections import Counter

PAIR = ["-m", "hrf-direct", "-p"]
# Correct, and flagged: test, reason.
FLAGGED = {"logged-wg": "what is in a new leaf that no pointer leads to is left as it is"}


def tests_below(paths):
    found = []
    for path in paths:
        for folder, _, names in os.walk(path):
            found += [os.path.join(folder, name) for name in sorted(names) if name.endswith(".litmus")]
    return [path for path in found if has_recovery(path)]


def has_recovery(path):
    with open(path, encoding="utf-8") as file:
        text = file.read()
    return "\nrecovery" in text and "\nobserve" not in text


def ask(crashlit, tests, *options):
    command = [crashlit, "check", "--format", "json", "--timeout", "60", *options, *tests]
    lines = subprocess.run(command, capture_output=True, text=True, check=False).stdout.splitlines()
    records = [json.loads(line) for line in lines if line.startswith("{")]
    return {record["file"]: record for record in records if "file" in record and "verdict" in record}


def breaks_recovered(record):
    return any(one["kind"] == "recovered" and one["verdict"] == "violated" for one in record["conditions"])


def judge(own, strict, robust):
    """What is wrong with the three answers; None: nothing."""
    if robust["verdict"] == "violated" and own["verdict"] == "ok" and own["test"] not in FLAGGED:
        return "is right, and robust flags it"
    if breaks_recovered(own) and strict["verdict"] == "ok" and robust["verdict"] != "violated":
        return "is wrong by its persistency, and robust does not say so"
    return None


def main():
    crashlit, paths = sys.argv[1], sys.argv[2:]
    tests = tests_below(paths)
    own, strict = (ask(crashlit, tests, *PAIR, persistency) for persistency in ("epoch", "strict"))
    robust = ask(crashlit, tests, *PAIR, "epoch", "--property", "robust")
    passed = failed = 0
    kinds = Counter()
    for test in tests:
        answers = [answer.get(test) for answer in (own, strict, robust)]
        if None in answers:  # it has no meaning under this pair
            kinds["not asked"] += 1
            continue
        kinds["own {}, strict {}, robust {}".format(*(answer["verdict"] for answer in answers))] += 1
        fault = judge(*answers)
        passed += fault is None
        if fault:
            failed += 1
            print(f"failed: {test} {fault}")
    for kind, count in sorted(kinds.items()):
        print(f"{count:4} {kind}")
    enough = kinds["own violated, strict ok, robust violated"] > 10
    print(f"{passed + enough} passed, {failed + (not enough)} failed")
    return failed > 0 or not enough


if __name__ == "__main__":
    sys.exit(main())
