#!/usr/bin/env python3
"""team.py CRASHLIT WORK COUNT: a mock project of a team that owns a model, and pull requests of six kinds.

The project has COUNT tests that `generate` makes, and a model of its own: the built-in buffered-epoch-individual with one
rule more. Expectations are what `bless` makes of a run. For each pull request the tool alone says what a reviewer
needs; what it says is held against what is derived here, by hand or by the built-in model."""
import collections
import glob
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time

PROGRAM, WORK, COUNT = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2]), int(sys.argv[3])
PROJECT = os.path.join(WORK, "team")
counts = collections.Counter()
figures = {}

MODEL = """ours "writes are durable in the order of barriers, and a work-item's own barrier stalls it"
include "individual.cat"
let persist-before = [NVW]; pmo; [NVW]
let durable-before = %s
"""
STALL = "[NVW]; po; [PB & WI]"
LONG = 16  # work-items of a test that takes minutes


def verdict(holds, what):
    counts[bool(holds)] += 1
    if not holds:
        print("failed:", what)


def put(path, text):
    with open(os.path.join(PROJECT, path), "w") as file:
        file.write(text)


def run(status, *words, figure=None):
    """What it prints; of a figure also its time."""
    with tempfile.TemporaryFile("w+") as out, tempfile.TemporaryFile("w+") as err:
        began = time.monotonic()
        child = subprocess.Popen([PROGRAM, *words], cwd=PROJECT, stdout=out, stderr=err, stdin=subprocess.DEVNULL)
        _, ended, usage = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(ended)
        if figure:
            figures[figure] = f"{time.monotonic() - began:.2f} s, {usage.ru_utime + usage.ru_stime:.2f} s of processor"
        out.seek(0)
        err.seek(0)
        verdict(child.returncode == status, f"`crashlit {' '.join(words)}` leaves with {status} (it was {child.returncode}): {err.read()[:300]}")
        return out.read()


def git(*words):
    who = ["-c", "user.name=a", "-c", "user.email=a@b", "-c", "commit.gpgsign=false"]
    return subprocess.run(["git", *who, *words], cwd=PROJECT, check=True, capture_output=True, text=True).stdout


def records(text):
    return [json.loads(line) for line in text.splitlines()]


def answers(text):
    return {record["file"]: record["verdict"] for record in records(text) if "verdict" in record}


def begin():
    """The project: its tests, with what the model says of each as the expectation."""
    shutil.rmtree(PROJECT, ignore_errors=True)
    os.makedirs(PROJECT)
    run(0, "generate", "--shape-from", "PodWW PodWR PodRW PodRR PBwi PBwg Rfe Fre Wse Crash", "--size", "5", "-o", "all")
    os.makedirs(os.path.join(PROJECT, "tests"))
    put("tests/ours.cat", MODEL % STALL)
    names = sorted(os.path.basename(path) for path in glob.glob(PROJECT + "/all/*.litmus"))
    step = max(1, len(names) // COUNT)
    for name in names[::step][:COUNT]:
        with open(f"{PROJECT}/all/{name}") as file:
            put("tests/" + name, file.read() + "expect sc + ours.cat : ok\n")
    shutil.rmtree(PROJECT + "/all")
    run(0, "bless", "-j", "2", "tests")
    git("init", "-q", "-b", "main")
    git("add", ".")
    git("commit", "-q", "-m", "the project")
    base = run(0, "check", "-j", "2", "--format", "json", "tests", figure=f"check of {COUNT} tests, -j 2")
    put("base.jsonl", base)
    return answers(base)


def request(name):
    """Each pull request is a branch of its own. The old model is had from git."""
    git("checkout", "-q", "-f", "main")
    git("clean", "-q", "-f", "-d", "tests")
    git("checkout", "-q", "-B", name)
    put("old.cat", git("show", "main:tests/ours.cat"))


def review(status, *words, figure=None):
    rows = records(run(status, "review", "-j", "2", "--bound", "events=2,barriers=1", "--format", "json", "--format", "html=review.html",
                       "--format", "md=review.md", *words, "old.cat", "tests/ours.cat", "tests", figure=figure))
    return {"rows": [row for row in rows if "changed" in row], "programs": [row for row in rows if "litmus" in row],
            "definitions": [row for row in rows if "definition" in row], "totals": rows[-1]}


def changed(told):
    return {row["file"]: (row["was"], row["verdict"]) for row in told["rows"] if row["changed"] == "verdict"}


def weakened(base):
    """Without its stall the model is the built-in buffered-epoch-individual, which says of each test what becomes of it. A
    rule less allows more, so that what was violated stays so. Two operations see it: a write, and a barrier that its
    work-item has passed before the write is durable."""
    request("weakened")
    put("tests/ours.cat", MODEL % "0")
    told = review(1, figure=f"review of {COUNT} tests, -j 2")
    built_in = answers(run(1, "check", "-j", "2", "-m", "sc", "-p", "buffered-epoch-individual", "--format", "json", "tests"))
    wanted = {file: ("ok", "violated") for file in base if base[file] == "ok" and built_in[file] == "violated"}
    verdict(wanted and changed(told) == wanted, f"{len(wanted)} verdicts change as the built-in model says ({len(changed(told))} did)")
    sizes = [row["size"] for row in told["rows"] if row["changed"] == "verdict"]
    verdict(sizes == sorted(sizes), "the smallest test stands first")
    verdict(told["totals"]["direction"] == "contained", "the new model contains the old one")
    verdict([row["definition"] for row in told["definitions"]] == ["durable-before"] and told["definitions"][0]["new"]["line"] == 4,
            "the rule that changed is named by its line")
    verdict([(row["line"], row["state"]) for row in told["programs"]] == [("x* | P0: st x; p_barrier.wi", "x = 0 /\\ 0:ended = 1")],
            f"the smallest program is a write and a barrier: {[row['line'] for row in told['programs']]}")
    with open(PROJECT + "/review.html") as page, open(PROJECT + "/review.md") as comment:
        shown = page.read().count("<figure")
        verdict(shown == min(len(wanted), 50) + 2, f"a picture of each test up to 50, and of the program two ({shown})")
        verdict(len(comment.read()) <= 65536, "the comment fits")
    told = run(1, "check", "-j", "2", "--format", "json", "tests")
    put("new.jsonl", told)
    lines = run(1, "diff", "base.jsonl", "new.jsonl", figure=f"diff of {COUNT} records").splitlines()
    verdict(len([line for line in lines if line.startswith("regressed")]) == len(wanted), "diff has as many regressions")
    run(1, "check", "-j", "2", "-q", "tests")
    # Accepted on purpose: bless writes these verdicts and no other, and then all is as expected.
    blessed = run(0, "bless", "-j", "2", "tests")
    verdict(len(re.findall("^[+]expect", blessed, re.M)) == len(wanted), "bless writes these lines and no other")
    run(0, "check", "-j", "2", "-q", "tests")


def strengthened(base):
    """A barrier of any scope stalls now. A rule more allows less, so that what was ok stays so. A write and a barrier of the
    work-group see it, beside another work-item with an operation, since alone the barrier is no wider than the work-item's.
    Which tests change is told by two runs of check as well."""
    request("strengthened")
    put("tests/ours.cat", MODEL % "[NVW]; po; [PB]")
    told = review(1)
    now = answers(run(1, "check", "-j", "2", "--format", "json", "tests"))
    wanted = {file: (base[file], now[file]) for file in base if base[file] != now[file]}
    verdict(wanted and changed(told) == wanted and set(wanted.values()) == {("violated", "ok")}, "verdicts change from violated to ok alone")
    verdict(told["totals"]["direction"] == "contains", "the old model contains the new one")
    verdict([(row["operations"], "P0: st x; p_barrier.wg | P1: " in row["line"]) for row in told["programs"]] == [(3, True)],
            f"the smallest program has the wider barrier: {[row['line'] for row in told['programs']]}")


def expectation(base):
    """The model is as it was: nothing changed by it. One test expects another verdict now, and that alone fails."""
    request("expectation")
    file = sorted(file for file in base if base[file] == "ok")[0]
    with open(f"{PROJECT}/{file}") as test:
        put(file, test.read().replace("ours.cat : ok", "ours.cat : violated"))
    told = review(0)
    verdict(told["totals"]["review"] == "no" and not told["rows"], "review says that nothing changed")
    new = run(1, "check", "-j", "2", "--format", "json", "tests")
    put("new.jsonl", new)
    lines = run(1, "diff", "base.jsonl", "new.jsonl").splitlines()
    verdict(lines[0].startswith(f"regressed {file} ") and " expected violated" in lines[0] and sum(line.startswith("regressed") for line in lines) == 1,
            f"diff names the test alone: {lines[:2]}")
    undone = run(1, "bless", "--dry-run", "tests")
    verdict(re.findall("^[-+]expect.*", undone, re.M) == ["-expect sc + ours.cat : violated", "+expect sc + ours.cat : ok"], "bless would undo it")


def faulty(base):
    """The new test lacks its end: an error at its line, and the others have their verdicts."""
    request("faulty")
    put("tests/new.litmus", "OPENCL new\n{ nvm x = 0; }\nP0 (global int* x) {\n  *x = ;\n}\ncrash ~exists (x = 1)\n")
    new = run(2, "check", "-j", "2", "--format", "json", "--format", "junit=junit.xml", "--format", "sarif=run.sarif", "tests")
    broken = [record for record in records(new) if record["verdict"] == "error"]
    verdict(len(broken) == 1 and broken[0]["file"] == "tests/new.litmus" and broken[0]["line"] == 4, "one record is an error, at line 4")
    verdict(len(records(new)) == len(base) + 1, "all others have their records")
    with open(PROJECT + "/junit.xml") as file:
        text = file.read()
        verdict(text.count("<testcase") == len(base) + 1 and text.count("<error") == 1, "JUnit has all cases, and one error")
    put("new.jsonl", new)
    told = run(2, "diff", "base.jsonl", "new.jsonl")
    verdict("tests/new.litmus" in told, "diff names it")
    told = review(2)
    verdict(told["totals"]["unread"] == 1 and told["totals"]["review"] == "no", "review counts it, and has nothing else to say")


def slow(base):
    """16 work-items of 60 accesses, each of others' locations: no listing ends in half a second. It is unknown whatever
    else runs, and hides nothing: one expectation that fails beside it makes the status 5."""
    request("slow")
    names = [f"x{i}" for i in range(LONG)]
    body = "\n".join(f"P{t} ({', '.join('atomic_int* ' + name for name in names)}) {{\n" + "".join(
        f"  atomic_store_explicit(x{(t + k) % LONG}, {k}, memory_order_relaxed);\n"
        f"  int r{k} = atomic_load_explicit(x{(t + k + 1) % LONG}, memory_order_relaxed);\n" for k in range(30)) + "}" for t in range(LONG))
    put("tests/slow.litmus", "C slow\n{" + " ".join(name + " = 0;" for name in names) + f"}}\n{body}\nexists (0:r0 = 3)\nexpect sc + ours.cat : ok\n")
    limit = ["--timeout-cpu", "0.5"]
    few = ["tests/slow.litmus", sorted(base)[0]]
    told = {jobs: answers(run(3, "check", "-j", jobs, *limit, "--format", "json", *few)) for jobs in ("2", "8")}
    verdict(told["2"] == told["8"] and told["2"]["tests/slow.litmus"] == "unknown", "it is unknown for -j 2 and -j 8")
    run(3, "check", *limit, "--unknown", "fail", *few)
    run(0, "check", *limit, "--unknown", "ok", *few)
    with open(f"{PROJECT}/{few[1]}") as test:
        text = test.read()
        put(few[1], text.replace("ours.cat : ok", "ours.cat : undefined").replace("ours.cat : violated", "ours.cat : undefined"))
    run(5, "check", *limit, "--unknown", "fail", *few)
    put("tests/ours.cat", MODEL % "0")
    told = records(run(1, "review", "-j", "2", "--timeout", "0.5", "--bound", "events=2,barriers=1", "--format", "json", "old.cat",
                       "tests/ours.cat", "tests/slow.litmus"))
    row = [row for row in told if "changed" in row]
    verdict([(row["file"], row["changed"]) for row in row] == [("tests/slow.litmus", "unknown")] and told[-1]["told_apart"] == "yes",
            "review names it, and what else is known counts")


def deleted(base):
    """A test that is gone is told, and permitted where its name is."""
    request("deleted")
    file = sorted(base)[len(base) // 2]
    os.remove(f"{PROJECT}/{file}")
    new = run(0, "check", "-j", "2", "--format", "json", "tests")
    put("new.jsonl", new)
    told = run(1, "diff", "base.jsonl", "new.jsonl")
    verdict(re.findall("^gone +(.*) under", told, re.M) == [file], "diff names the test that is gone")
    told = run(0, "diff", "--gone", os.path.basename(file), "base.jsonl", "new.jsonl")
    verdict(re.findall("^gone +(.*) under", told, re.M) == [file], "and does so where it may be gone")
    run(0, "merge", "base.jsonl")
    run(2, "merge", "--manifest", "tests", "base.jsonl")


def reports(base):
    """Behind --resume JUnit has all cases; the page has a size."""
    request("reports")
    with open(PROJECT + "/base.jsonl") as file:
        put("part.jsonl", "".join(line for number, line in enumerate(file) if number % 3))
    run(0, "check", "-j", "2", "--format", "json", "--format", "junit=junit.xml", "--resume", "part.jsonl", "tests")
    with open(PROJECT + "/junit.xml") as file:
        cases = file.read().count("<testcase")
        verdict(cases == len(base), f"JUnit behind --resume has all {len(base)} cases ({cases})")
        figures["JUnit behind --resume"] = f"{cases} of {len(base)} cases"
    run(0, "check", "-j", "2", "--format", "html=page.html", "tests", figure=f"check of {COUNT} tests as HTML, -j 2")
    figures["the page"] = f"{os.path.getsize(PROJECT + '/page.html') / 1e6:.1f} MB"
    run(0, "report", "--format", "sarif=run.sarif", "base.jsonl", figure=f"report of {COUNT} records as SARIF")


def main():
    base = begin()
    verdict(len(base) == COUNT and len(set(base.values())) == 2, f"{COUNT} tests, some ok and some violated: {collections.Counter(base.values())}")
    for kind in (weakened, strengthened, expectation, faulty, slow, deleted, reports):
        kind(base)
    for name, text in figures.items():
        print(f"{name}: {text}")
    print(f"{counts[True]} passed, {counts[False]} failed")
    return counts[False] > 0


sys.exit(main())
