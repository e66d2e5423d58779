#!/usr/bin/env python3
"""Do fences name the tokens that they should?

tokens.py CRASHLIT COUNT SEED WORK: COUNT random programs with flushes that give tokens, groups, copies, branches on what is read and loops,
under examples/mechanisms/async. Enumerator and solver agree on them. For each outcome of the branches the program is written out as a
straight line, each flush and each wait with a tag of its own, under a model that names the pairs one by one, which are found here by going
along the line: its crash states with that outcome are those of the program. Some are the same line in two work-items. Pairs that are
wrong, a group more and the first token for the last, have to show in some programs.
"""
import itertools
import json
import os
import random
import shutil
import subprocess
import sys

PLACES, TOKENS, ASYNC = "xyz", "tu", "examples/mechanisms/async"
HEAD = ["  int t = 0, u = 0;"]
NEVER = "  if (0) { t = tpersist(x); u = t; }"  # so that both may have tokens, which is asked for where one is waited for


# ---- Programs: lists of (word, ..) ----

def draw(rng, length, flags, deep=0):
    body = []
    while len(body) < length:
        kind = rng.random()
        if kind < 0.24:
            body.append(("store", rng.choice(PLACES)))
        elif kind < 0.48:
            body.append(("flush", rng.choice(("t", "t", "u", None)), rng.choice(PLACES)))
        elif kind < 0.6:
            body.append(("commit",))
        elif kind < 0.75:
            body.append(("wait", rng.choice(TOKENS)))
        elif kind < 0.84:
            body.append(("group", rng.choice((0, 1, 1, 2))))
        elif kind < 0.9:
            body.append(("copy", *rng.choice((("t", "u"), ("u", "t"), ("t", "0")))))
        elif deep < 2 and flags and kind < 0.97:
            body.append(("if", rng.randrange(flags), draw(rng, rng.choice((1, 2)), flags, deep + 1), draw(rng, rng.choice((0, 1, 2)), flags, deep + 1)))
        elif deep == 0:
            body.append(("loop", draw(rng, rng.choice((1, 2)), 0, 2)))
    return body


def text(body, names, values, indent="  "):
    """Statements of the language, with the file's instructions."""
    lines = []
    for word, *rest in body:
        if word == "store":
            lines.append("*%s = %d;" % (names[rest[0]], next(values)))
        elif word == "flush":
            lines.append("%s(%s);" % ("%s = tpersist" % rest[0] if rest[0] else "apersist", names[rest[1]]))
        elif word == "if":
            lines += ["if (s%d) {" % rest[0]] + text(rest[1], names, values) + ["} else {"] + text(rest[2], names, values) + ["}"]
        elif word == "loop":
            lines += ["for (int i = 0; i < 2; i++) {"] + text(rest[0], names, values) + ["}"]
        else:
            lines.append({"commit": "acommit();", "wait": "await_token(%s);", "group": "await_group(%s);", "copy": "%s = %s;"}[word] % tuple(rest))
    return [indent + line for line in lines]


def numbered(body, values):
    """With the value of each store, which a loop stores twice."""
    made = []
    for word, *rest in body:
        if word == "store":
            made.append((word, rest[0], next(values)))
        elif word in ("if", "loop"):
            made.append((word, *(numbered(part, values) if isinstance(part, list) else part for part in rest)))
        else:
            made.append((word, *rest))
    return made


def straight(body, outcome):
    for word, *rest in body:
        if word == "if":
            yield from straight(rest[1] if outcome[rest[0]] else rest[2], outcome)
        elif word == "loop":
            yield from itertools.chain(straight(rest[0], outcome), straight(rest[0], outcome))
        else:
            yield (word, *rest)


def pairs(line, wrong):
    """Of each wait the flushes that it is for, by their numbers; and their count."""
    has, given, flushes, waits, commits = {"t": None, "u": None}, {}, 0, [], []
    for word, *rest in line:
        if word == "flush":
            if rest[0]:
                has[rest[0]] = flushes
                given.setdefault(rest[0], flushes)
            flushes += 1
        elif word == "copy":
            has[rest[0]] = has.get(rest[1])
        elif word == "commit":
            commits.append(flushes)
        elif word == "wait":
            token = given.get(rest[0]) if wrong else has[rest[0]]
            waits.append([] if token is None else [token])
        elif word == "group":
            old = commits[:max(0, len(commits) - rest[0] + wrong)]
            waits.append(list(range(old[-1])) if old else [])
    return waits, flushes


# ---- Tests ----

def test(name, uses, threads, flags, expect):
    """threads: statements and names of each that works; the last sets the flags."""
    own = ["nvm %s = 0;" % x for _, names in threads for x in names.values()]
    parameters = ", ".join("global int* %s" % x for _, names in threads for x in names.values())
    atomics = "".join(", global atomic_int* f%d" % f for f in range(flags))
    rows = ["OPENCL " + name, uses, "{ %s %s }" % (" ".join(own), " ".join("atomic_int f%d = 0;" % f for f in range(flags)))]
    reads = ["  int s%d = f%d.load(mo_acq, dev_scope);" % (f, f) for f in range(flags)]
    for t, (lines, _) in enumerate(threads):
        rows += ["P%d@wg %d (%s%s) {" % (t, t, parameters, atomics), *reads, *lines, "}"]
    if flags:
        rows += ["P%d@wg 9 (%s) {" % (len(threads), atomics[2:])] + ["  f%d.store(1, mo_rel, dev_scope);" % f for f in range(flags)] + ["}"]
    rows += ["crash exists (%s)" % (" \\/ ".join("0:s%d = 1" % f for f in range(flags)) or "true"), expect]
    return "\n".join(row for row in rows if row) + "\n"


def lines_of(line, names):
    flushes, waits = itertools.count(), itertools.count()
    for word, *rest in line:
        if word == "store":
            yield "  *%s = %d;" % (names[rest[0]], rest[1])
        elif word == "flush":
            yield "  __cm{p%d}(%s);" % (next(flushes), names[rest[1]])
        elif word in ("wait", "group"):
            yield "  __fence{w%d};" % next(waits)


def model(waits, flushes):
    rows = ['"pair by pair"'] + ["instructions CM['p%d]" % i for i in range(flushes)] + ["instructions F['w%d]" % i for i in range(len(waits))]
    found = ["[W & NVM]; ((po | hb) & line); [P%d]; po; [W%d]" % (p, w) for w, named in enumerate(waits) for p in named]
    return "\n".join(rows + ["let durable-before = " + ("\n  | ".join(found) or "0")]) + "\n"


def write(where, name, what):
    with open(os.path.join(where, name), "w", encoding="utf-8") as file:
        file.write(what)


def write_case(where, number, rng):
    """Names of the test, and of each outcome its straight line and one that is wrong."""
    flags = rng.choice((0, 1, 1, 2))
    twice = flags == 0 and rng.random() < 0.4
    end = rng.choice(([("wait", "t")], [("wait", "u")], [("commit",), ("group", 1)])) + [("store", "z")]
    body = numbered(draw(rng, 4 if twice else rng.choice((5, 7, 9)), flags) + end, itertools.count(1))
    whole = [{x: x for x in PLACES}] + [{x: x + "2" for x in PLACES}] * twice
    threads = [(HEAD + text(body, names, values_of(body)) + [NEVER.replace("(x)", "(%s)" % names["x"])], names) for names in whole]
    write(where, "t%d.litmus" % number, test("t%d" % number, 'uses "async.def"', threads, flags, "expect sc + ./async.cat : ok"))
    cases = []
    for outcome in itertools.product((0, 1), repeat=flags):
        line = list(straight(body, outcome))
        for wrong in (False, True):
            name = "t%d-%s%s" % (number, "".join(map(str, outcome)), "-wrong" * wrong)
            write(where, name + ".cat", model(*pairs(line, wrong)))
            write(where, name + ".litmus", test(name, "", [(list(lines_of(line, names)), names) for names in whole], flags,
                                                "expect sc + ./%s.cat : ok" % name))
        cases.append((outcome, "t%d-%s" % (number, "".join(map(str, outcome)))))
    return "t%d" % number, cases


def values_of(body):
    """Those of the stores in the order of the text."""
    for word, *rest in body:
        if word == "store":
            yield rest[1]
        for part in rest:
            if isinstance(part, list):
                yield from values_of(part)


# ---- Answers ----

def states(record, outcome):
    """Those in which the branches go so."""
    found = set()
    for state in record["crash_states"]:
        if all(state["0:s%d" % f] == value for f, value in enumerate(outcome)):
            found.add(tuple(sorted(state.items(), key=str)))
    return found


def main():
    crashlit, count, seed, work = os.path.abspath(sys.argv[1]), int(sys.argv[2]), sys.argv[3], os.path.join(os.path.abspath(sys.argv[4]), "tokens")
    shutil.rmtree(work, ignore_errors=True)
    os.makedirs(work)
    for name in ("async.def", "async.cat"):
        shutil.copy(os.path.join(ASYNC, name), work)
    cases = [write_case(work, number, random.Random("%s %d" % (seed, number))) for number in range(count)]
    found = subprocess.run([crashlit, "check", "-e", "enum", "--format", "json", "."], cwd=work, capture_output=True, text=True, check=False)
    records = {record["test"]: record for record in map(json.loads, found.stdout.splitlines()) if "crash_states" in record}
    passed, faults, told = 0, [], 0
    for name, outcomes in cases:
        for outcome, line in outcomes:
            if name not in records or line not in records:
                faults.append("%s has no answer: %s" % (line, found.stderr[:300]))
                continue
            has, wants = states(records[name], outcome), states(records[line], outcome)
            told += states(records[line + "-wrong"], outcome) != wants
            passed += has == wants
            if has != wants:
                faults.append("%s: more %s, less %s" % (line, sorted(has - wants, key=str)[:2], sorted(wants - has, key=str)[:2]))
    agree = subprocess.run([crashlit, "crosscheck", "-m", "sc", "-p", "./async.cat"] + [name + ".litmus" for name, _ in cases], cwd=work,
                           capture_output=True, text=True, check=False)
    if agree.returncode or told * 20 < passed:
        faults.append("engines: %s; %d wrong ones told of %d" % (agree.stdout[-400:], told, passed))
    print("\n".join(faults[:10] + ["%d wrong ones told" % told, "%d passed, %d failed" % (passed + 1, len(faults))]))
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
