"""refines.py PROGRAM COUNT SEED [FOLDER...]: what `crashlit refines` answers, held against the states that `crashlit check` lists.

All tests of the folders are listed under several model pairs. Then COUNT seeded questions: a source under one pair, and under another
pair that test itself and others that have non-volatile locations in common with it. The inclusion of crash states, recovered states
and final states is computed here, from the lists alone, projected on the common names, and the answers have to be these: by
either engine, listed and with --decide. The definition is that of docs/models/semantics.md, Refinement; where a list is not complete
the answer may be `unknown`, and else has to agree with what is known.
"""
import concurrent.futures
import json
import os
import random
import re
import resource
import subprocess
import sys

PAIRS = ["sc+strict", "sc+epoch", "sc+buffered-epoch", "sc+none", "sc+lin-wpq", "tso+px86", "hrf-direct+epoch"]
ENGINES = [["-e", "enum"], ["-e", "smt"], ["-e", "enum", "--decide"], ["-e", "smt", "--decide"]]
LIMIT = ["--timeout", "60"]
# What an answer may cost is processor time, which other work on the machine does not change; the other limit is for what hangs.
PROCESSOR_SECONDS = 20
LONGEST = ["--timeout", "900"]
OTHERS = 3
# What is asked about where no folder is named: listing all of litmus/ under seven pairs is what costs.
FOLDERS = ["spb", "px86", "recovery", "strand", "acknowledged", "transactions", "tags", "mappings"]
MOST_STATES = 500  # of a test that is asked about
NVM = re.compile(r"^nvm (?:\{.*?\})?(?:local |global\|local )?(?:atomic_)?(.+?) (\S+) = (-?\d+)(?: in the line of \S+)?$")


def limit_processor_time():
    resource.setrlimit(resource.RLIMIT_CPU, (PROCESSOR_SECONDS, PROCESSOR_SECONDS + 5))


def run(arguments, before=None):
    done = subprocess.run(arguments, stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=1800, preexec_fn=before)
    return done.returncode, done.stdout.decode("utf-8", "replace").splitlines()


def listed(crashlit, pair, folders):
    visibility, persistency = pair.split("+")
    arguments = ["--format", "json", "-j", "2", "-m", visibility, "-p", persistency]
    _, lines = run([crashlit, "check", *arguments, *LIMIT, *folders])
    records = [json.loads(line) for line in lines]
    return {record["file"]: record for record in records if "crash_states" in record}


def declared(crashlit, path):
    """Non-volatile locations by name: type and first value, as the program understood them."""
    _, lines = run([crashlit, "check", "--dump-ast", "-m", "sc", "-p", "none", "--crash", "end", "--decide", *LIMIT, path])
    end = next((i for i, line in enumerate(lines) if re.match(r"P\d+ sg ", line)), len(lines))
    matches = [(line, NVM.match(line)) for line in lines[:end] if line.startswith("nvm ")]
    assert all(match for _, match in matches), [line for line, match in matches if not match]
    return {match[2]: (match[1], match[3]) for _, match in matches}


def projected(states, names):
    return {tuple(state[name] for name in names) for state in states}


def held_against(kind, source):
    """The states of the source: one without recovery goes on with what a crash leaves."""
    if kind == "recovered" and not source["recovers"]:
        return source["crash_states"]
    return source[kind + "_states"]


def is_complete(record):
    return "doubt" not in record


def possible(kind, target, source, names):
    """The verdicts that the lists allow."""
    if target["undefined"]:
        return {"undefined"}
    if kind == "recovered" and (target.get("livelocks") or source.get("livelocks")):
        return {"error", "unknown"} if source["undefined"] or not is_complete(source) else {"error"}
    if source["undefined"]:
        return {"unknown"}
    states = target[kind + "_states"]
    outside = projected(states, names) - projected(held_against(kind, source), names)
    if outside:
        return {"violated"} if is_complete(source) else {"violated", "unknown"}
    if not states:
        return {"unknown"}
    return {"ok"} if is_complete(target) and is_complete(source) else {"ok", "unknown", "violated"}


def is_listed(kind, record, names):
    """Final states have what the test's own conditions mention: not all of the names, perhaps."""
    return kind != "final" or all(name in state for state in record["final_states"] for name in names)


class Tally:
    def __init__(self):
        self.passed = self.failed = self.late = 0
        self.verdicts = {}

    def hold(self, allowed, verdict, what):
        if verdict in allowed:
            self.passed += 1
            self.verdicts[verdict] = self.verdicts.get(verdict, 0) + 1
        else:
            self.failed += 1
            print(f"failed: {what}: {verdict}, from the lists {sorted(allowed)}")


def ask(crashlit, question, lists, names, tally):
    source, under, targets, pair = question
    for engine in ENGINES:
        _, lines = run([crashlit, "refines", "--format", "json", *LONGEST, *engine, source, "--under", under, *targets, "--under", pair],
                       limit_processor_time)
        records = {r["file"]: r for r in map(json.loads, lines) if "verdict" in r}
        for target in targets:
            common = [name for name in names[target] if name in names[source]]
            what = f"{target} under {pair} refines {source} under {under} by {' '.join(engine)}"
            if is_late(records.get(target, {})):
                tally.late += 1
                continue
            answers = {c["kind"]: c for c in records.get(target, {}).get("conditions", [])}
            kinds = ["crash", "final"] + ["recovered"] * lists[pair][target]["recovers"]
            for kind in kinds:
                if not (is_listed(kind, lists[pair][target], common) and is_listed(kind, lists[under][source], common)):
                    continue
                allowed = possible(kind, lists[pair][target], lists[under][source], common)
                tally.hold(allowed, answers.get(kind, {}).get("verdict", "nothing"), f"{what}: {kind}")


def is_late(record):
    """Did a limit end it? The lists have what it might have found."""
    reasons = [record.get("doubt"), record.get("reason")] + [condition.get("reason") for condition in record.get("conditions", [])]
    return any(reason and ("the time limit ran out" in reason or "CPU time limit exceeded" in reason) for reason in reasons)


def fits(names, other):
    common = [name for name in names if name in other]
    return common and all(names[name] == other[name] for name in common)


def is_small(lists, path):
    return all(path in lists[pair] and len(lists[pair][path]["crash_states"]) <= MOST_STATES for pair in PAIRS)


def main():
    crashlit, count, seed, *folders = sys.argv[1:]
    folders = folders or ["litmus/" + name for name in FOLDERS]
    chance = random.Random(int(seed))
    lists = {pair: listed(crashlit, pair, folders) for pair in PAIRS}
    tests = sorted(path for path in lists[PAIRS[0]] if is_small(lists, path))
    for records in lists.values():
        for record in records.values():
            record["recovers"] = "recovery_starts" in record["stats"]
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:  # each waits for a process
        names = dict(zip(tests, pool.map(lambda path: declared(crashlit, path), tests)))
    sources = [path for path in tests if names[path]]
    tally = Tally()
    for _ in range(int(count)):
        source = chance.choice(sources)
        others = [path for path in sources if path != source and fits(names[path], names[source])]
        targets = [source] + chance.sample(others, min(OTHERS, len(others)))
        ask(crashlit, (source, chance.choice(PAIRS), targets, chance.choice(PAIRS)), lists, names, tally)
    said = ", ".join(f"{number} {verdict}" for verdict, number in sorted(tally.verdicts.items()))
    print(f"{len(sources)} sources; answers: {said}; {tally.late} tests not compared, as a limit ended the answer")
    if tally.late * 10 > tally.passed:
        tally.failed += 1
        print("failed: too many answers were ended by a limit")
    missing = {"ok", "violated"} - set(tally.verdicts) if int(count) else set()
    if missing:
        tally.failed += 1
        print(f"failed: no answer is {' or '.join(sorted(missing))}, so nothing was told apart")
    print(f"{tally.passed} passed, {tally.failed} failed")
    return tally.failed > 0


if __name__ == "__main__":
    sys.exit(main())
