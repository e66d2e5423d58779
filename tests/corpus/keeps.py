"""keeps.py: what machines keep beyond the models that they promise (docs/models/machines.md, What machines keep).

  keeps.py check CRASHLIT WORK PROGRAMS SEED [all]   every built-in machine under each of its pairs, on the tests of its mechanism (with
                                                     `all` on every test below litmus/) and on PROGRAMS random programs
  keeps.py ask CRASHLIT WORK MACHINE V+P TEST..      one machine on tests, or folders of them: every state without a kind

A kind is models/machines/keeps/KIND.cat, which a machine names in a comment, `# keeps KIND: reason`: order that it keeps and its models
do not ask for. It is added to the persistency model, and then, on every test,
  the model with all kinds allows what the machine shows, and nothing that the model alone forbids;
  what the model alone allows and the machine never shows, the model with all kinds forbids;
  and each kind is needed: without it some such state is allowed.
A machine that says `# sized as OTHER: reason` is the other one with less room: what it never shows, the other one shows, or the kinds of the other
one forbid. So that the check can fail, each model is weakened, a line of the contract at a time, and has to have states without a kind.
"""
import glob
import json
import os
import re
import shutil
import subprocess
import sys

sys.dont_write_bytecode = True  # beside the sources

import pipeline

KINDS = "models/machines/keeps"
STATES = ("crash_states", "final_states")
PAGE = "docs/models/machines.md"
HEAD = ("machine", "pair", "states allowed", "never shown", "of these, need the kind", "rules that are missed")
AT_ONCE = 200  # tests of one command
SOON, LATE = ("--timeout", "60"), ("--timeout", "300")  # of tests at large; of those that lack states, which have to be answered
MOST_STATES = ("--max-states", "200000")
ANSWERED = 0.9  # of the tests compared, with kinds: orders of all that a FIFO takes are many
CONTRACT = {"persist-before": "0", "durable-before": "0", "durable-after": "0", "persist-atomic": "[W & NVM]"}

# Tests of few whose reason is no order: operands of an operator are executed from the left.
APART = ("litmus/c11/operands.litmus",)
# Tests that are asked with `all` alone, as they take seconds, some with orders of all that is stored.
LARGE = ("litmus/published/scor-chain.litmus", "litmus/published/scor-chain-atom.litmus", "litmus/published/scor-chain-fenced.litmus",
         "litmus/published/db-insert.litmus", "litmus/published/db-insert-repaired.litmus", "litmus/gpm/gpm08-batch.litmus",
         "litmus/gpm/hcl-striped.litmus", "litmus/launch/recovery-kernel.litmus", "litmus/spb/btree-alg2-kr-3.litmus",
         "litmus/spb/btree-alg2-wg-3.litmus", "litmus/spb/btree-alg2-wi-3.litmus")


def in_transactions(text):
    """Of each work-item (the locations that it accesses inside of transactions, those outside)."""
    found, inside = [], False
    for line in text.splitlines():
        if re.match(r"P\d+\b", line):
            found.append((set(), set()))
            inside = False
        elif found and re.search("tx_begin|TX_START", line):
            inside = True
        elif found and re.search("tx_end|TX_COMMIT|TX_END|" + ABORT, line):
            inside = False
        elif found and line.startswith(" "):
            found[-1][not inside].update(re.findall(r"\b[xyzf]\b", line))
    return found


def mixed(text):
    """Is a location accessed inside of transactions and outside?"""
    found = in_transactions(text)
    return bool(set().union(*(inside for inside, _ in found)) & set().union(*(outside for _, outside in found)))


def shared(text):
    """Is a location accessed in transactions of two work-items?"""
    inside = [location for inside, _ in in_transactions(text) for location in inside]
    return len(inside) > len(set(inside))


# Kinds that are no order: what is missing in such programs has this reason.
ABORT = "tx_abort|TX_ABORT"
PROGRAMS = {"compare-exchange": lambda text: "compare_exchange" in text, "mixed-transactions": mixed, "shared-transactions": shared,
            "aborted-lines": lambda text: bool(re.search(ABORT, text)) and ("line {" in text or shared(text))}


class Machine:
    """A built-in machine, and what its file says of itself."""

    def __init__(self, crashlit, name):
        self.name = name
        with open("models/machines/%s.machine" % name) as file:
            text = file.read()
        self.kinds = re.findall(r"^# keeps ([\w-]+): \S", text, re.M)
        self.excused = re.findall(r"^# apart ([\w-]+): \S", text, re.M)
        self.like = (re.findall(r"^# sized as ([\w-]+): \S", text, re.M) or [None])[0]
        listed = subprocess.run([crashlit, "machines", name], stdout=subprocess.PIPE, text=True, check=True).stdout
        self.pairs = re.findall(r"([\w-]+) \+ ([\w-]+)", listed.splitlines()[0])


def all_machines(crashlit):
    names = [os.path.basename(path)[:-len(".machine")] for path in sorted(glob.glob("models/machines/*.machine"))]
    return {name: Machine(crashlit, name) for name in names}


def known(record):
    return "doubt" not in record and not record.get("undefined") and all(isinstance(record.get(kind), list) for kind in STATES)


def answers(crashlit, tests, *options):
    """Of each test that all is known of, and that is not undefined, its states, as (kind of states, state)."""
    found = {}
    for first in range(0, len(tests), AT_ONCE):
        status, out, err = pipeline.run([crashlit, "check", "--format", "json", "--states", "-j", "2", *options, *tests[first:first + AT_ONCE]])
        records = [json.loads(line) for line in out.splitlines()]
        if all(record["verdict"] == "error" for record in records):
            raise SystemExit("failed: %s (status %d)\n%s" % (" ".join(options), status, err[:3000]))
        for record in filter(known, records):
            found[record["file"]] = {(kind, tuple(sorted(state.items()))) for kind in STATES for state in record[kind]}
    return found


class Gap:
    """A machine under one pair of models: what these allow and it does not show."""

    def __init__(self, crashlit, work, machine, pair, tests):
        self.crashlit, self.work, self.machine, self.pair = crashlit, work, machine, pair
        tests = [test for test in tests if test not in APART]
        self.model = self.ask(pair[1], tests)
        self.shown = answers(crashlit, tests, "-e", "machine", "--machine", machine.name, *MOST_STATES, *SOON, "-m", pair[0], "-p", pair[1])
        self.compared = [test for test in tests if test in self.model and test in self.shown]
        self.of_corpus = [test for test in self.compared if test.startswith("litmus/")]
        self.missing = {(test, state) for test in self.compared for state in self.model[test] - self.shown[test]}
        self.lacking = sorted({test for test, _ in self.missing})
        self.allowed = sum(len(self.model[test]) for test in self.compared)

    def ask(self, persistency, tests, limits=SOON):
        return answers(self.crashlit, tests, "-e", "enum", *limits, "-m", self.pair[0], "-p", persistency, "-I", KINDS) if tests else {}

    def with_kinds(self, kinds, change=""):
        """A file of the persistency model, changed by some text, with kinds added."""
        path = os.path.join(self.work, "%s.%s.cat" % (self.machine.name, self.pair[1]))
        with open(path, "w") as file:
            file.write('"%s"\ninclude "%s.cat"\n%s\n' % (self.machine.name, self.pair[1], change))
            file.writelines('include "%s.cat"\n' % kind for kind in kinds)
        return path

    def allowed_with(self, kinds, states):
        """Those of the states that the pair with kinds allows, or that it is not known of."""
        if not kinds:
            return set(states)
        found = self.ask(self.with_kinds(kinds), self.lacking, LATE)
        return {(test, state) for test, state in states if test not in found or state in found[test]}

    def faults(self, kinds):
        """What is wrong with kinds, on all tests that they answer for."""
        strong = self.ask(self.with_kinds(kinds), self.compared)
        for what, of, sets in (("shown, and kinds forbid", self.shown, strong), ("allowed with kinds alone", strong, self.model)):
            found = {(test, state) for test in strong for state in of[test] - sets[test]}
            if found:
                yield "%s: %s" % (what, told(found))
        if len(strong) < ANSWERED * len(self.compared):
            yield "%d of %d tests answered with kinds" % (len(strong), len(self.compared))

    def explained(self):
        """({kind: the states that need it}, those of no kind)"""
        kinds, reasons = self.machine.kinds, {}
        bare = self.allowed_with(kinds, self.missing)
        for kind in kinds:
            reasons[kind] = self.allowed_with([other for other in kinds if other != kind], self.missing) - bare
        for name in self.machine.excused:
            reasons[name] = {(test, state) for test, state in bare if PROGRAMS[name](text_of(test))}
        return reasons, bare.difference(*(reasons[name] for name in self.machine.excused))


def text_of(test):
    with open(test) as file:
        return file.read()


def told(states):
    return "; ".join("%s: %s" % (test, " ".join("%s=%s" % column for column in state)) for test, (_, state) in sorted(states, key=str)[:5])


def model_text(name):
    """A persistency model's file, and those that it includes."""
    text = text_of((glob.glob("models/persistency/" + name) + glob.glob("models/" + name))[0])
    return text + "".join(map(model_text, re.findall(r'^include "([^"]+)"', text, re.M)))


def family_of(machine):
    return pipeline.family_of("%s + %s" % machine.pairs[0])


def folders_of(machine):
    return pipeline.CORPORA[family_of(machine)]


def tests_below(folders):
    return sorted(test for folder in folders for test in glob.glob("litmus/%s/**/*.litmus" % folder, recursive=True))


class Check:
    """All machines; counts what passes and what fails."""

    def __init__(self, crashlit, work, programs, seed, whole):
        self.crashlit, self.work, self.whole = crashlit, work, whole
        self.passed = self.failed = 0
        self.rows, self.gaps = [], {}
        self.machines = all_machines(crashlit)
        families = {family_of(machine) for machine in self.machines.values()}
        self.programs = {family: pipeline.draw_programs(os.path.join(work, family), family, programs, seed) for family in families}

    def verdict(self, good, text):
        self.passed, self.failed = self.passed + bool(good), self.failed + (not good)
        if not good:
            print("failed: " + text)

    def gap_of(self, machine, pair):
        tests = tests_below([""]) if self.whole else [test for test in tests_below(folders_of(machine)) if test not in LARGE]
        gap = self.gaps[machine.name, pair] = Gap(self.crashlit, self.work, machine, pair, tests + self.programs[family_of(machine)])
        self.verdict(gap.compared, "%s: nothing was compared" % machine.name)
        return gap

    def tell(self, gap, reasons, notices):
        """A line of what was compared, and of the tests of litmus/ a row of the table."""
        machine, pair = gap.machine.name, gap.pair
        print("%s under %s + %s: %d tests, %d states allowed, %d never shown: %s" % (
            machine, *pair, len(gap.compared), gap.allowed, len(gap.missing),
            ", ".join("%s %d" % (kind, len(states)) for kind, states in reasons.items()) or "of no kind"))
        corpus = set(gap.of_corpus)
        count = {kind: sum(test in corpus for test, _ in states) for kind, states in reasons.items()}
        self.rows.append((machine, "`%s` + `%s`" % pair, sum(len(gap.model[test]) for test in corpus), sum(test in corpus for test, _ in gap.missing),
                          " ".join("`%s` %d" % (kind, count[kind]) for kind in count if count[kind]), notices))

    def hold(self, machine, pair):
        """One pair of a machine with all room; the kinds that some state needs."""
        gap = self.gap_of(machine, pair)
        reasons, bare = gap.explained()
        faults = list(gap.faults(machine.kinds)) if machine.kinds else []
        self.verdict(not faults, "%s under %s + %s: %s" % (machine.name, *pair, "; ".join(faults)))
        self.verdict(not bare, "%s under %s + %s: allowed, never shown, of no kind: %s" % (machine.name, *pair, told(bare)))
        self.tell(gap, reasons, " ".join("`%s`" % name for name in self.noticed(gap)) if pair == machine.pairs[0] else "")
        return {kind for kind, states in reasons.items() if states}

    def hold_sized(self, machine, pair):
        """What a machine with less room never shows, the other one shows, or it is missing there too."""
        gap, other = self.gap_of(machine, pair), self.gaps[machine.like, pair]
        answered = [test for test in gap.compared if test in other.shown]  # the other one has more states, which may be too many
        self.verdict(len(answered) >= ANSWERED * len(gap.compared),
                     "%s: %s answers %d of %d tests" % (machine.name, machine.like, len(answered), len(gap.compared)))
        missing = {(test, state) for test, state in gap.missing if test in other.shown}
        sized = missing - other.missing
        bare = {(test, state) for test, state in sized if state not in other.shown[test]}
        self.verdict(not bare, "%s: never shown, nor by %s: %s" % (machine.name, machine.like, told(bare)))
        self.verdict(sized, "%s shows all that %s does, and is not said to be smaller" % (machine.name, machine.like))
        self.tell(gap, {machine.like: sized, "its kinds": missing - sized}, "")

    def noticed(self, gap):
        """The names of the contract without which the model has more states, some of them of no kind."""
        text = model_text(gap.pair[1] + ".cat")
        for name, default in CONTRACT.items():
            if not re.search(r"^let %s\b" % name, text, re.M):
                continue
            change = "let %s = %s" % (name, default)
            weak = gap.ask(gap.with_kinds([], change), gap.of_corpus)
            more = {(test, state) for test, states in weak.items() for state in states - gap.model[test]}
            strong = gap.ask(gap.with_kinds(gap.machine.kinds, change), sorted({test for test, _ in more}), LATE)
            if any(state in strong.get(test, ()) for test, state in more):
                yield name

    def check_blanket(self, gap):
        """A kind that forbids whatever it can is found out."""
        with open(os.path.join(self.work, "blanket.cat"), "w") as file:  # beside the models that include it
            file.write("let can-persist = 0\nlet persist-before = persist-before | (NVM * NVM)\n")
        faults = list(gap.faults(["blanket"]))
        self.verdict(faults, "%s: that nothing can be durable is taken for a kind" % gap.machine.name)

    def run(self):
        for machine in self.machines.values():
            if not machine.like:
                used = set.union(*(self.hold(machine, pair) for pair in machine.pairs))
                unused = set(machine.kinds + machine.excused * self.whole) - used  # of programs there are few here
                self.verdict(not unused, "%s names what no state needs: %s" % (machine.name, ", ".join(sorted(unused))))
        for machine in self.machines.values():
            for pair in machine.pairs if machine.like else ():
                self.hold_sized(machine, pair)
        self.check_blanket(self.gaps["gpm", ("sc", "gpm")])
        self.check_names()
        if not self.whole:
            self.check_table()
        print("%d passed, %d failed" % (self.passed, self.failed))
        return 1 if self.failed or not self.passed else 0

    def check_names(self):
        """Every kind that is there is named by a machine, and the other way round."""
        named = {kind for machine in self.machines.values() for kind in machine.kinds}
        texts = {os.path.basename(path)[:-len(".cat")]: text_of(path) for path in glob.glob(KINDS + "/*.cat")}
        there = set(texts).difference(*(re.findall(r'^include "([\w-]+)\.cat"', text, re.M) for text in texts.values()))
        self.verdict(named == there, "kinds that are named and not there, or there and not named: %s" % ", ".join(sorted(named ^ there)))

    def check_table(self):
        """The table of the page is as it is now; PROMOTE=1 makes it so."""
        head = "| %s |\n|%s\n" % (" | ".join(HEAD), "---|" * len(HEAD))
        table = head + "".join("| `%s` | %s |\n" % (row[0], " | ".join(map(str, row[1:]))) for row in self.rows)
        text = text_of(PAGE)
        changed = re.sub(re.escape(head) + r"(\|.*\n)*", lambda _: table, text)
        if os.environ.get("PROMOTE") == "1":
            with open(PAGE, "w") as file:
                file.write(changed)
            text = changed
        self.verdict(head in text and text == changed, "%s has another table: PROMOTE=1 make keeps, and read the difference" % PAGE)


def ask(crashlit, work, name, pair, *tests):
    machine = Machine(crashlit, name)
    tests = [test for place in tests for test in (sorted(glob.glob(place + "/**/*.litmus", recursive=True)) if os.path.isdir(place) else [place])]
    gap = Gap(crashlit, work, machine, tuple(pair.split("+")), tests)
    (reasons, bare), faults = gap.explained(), list(gap.faults(machine.kinds)) if machine.kinds else []
    print("%d tests, %d states allowed, %d never shown, %d of no kind" % (len(gap.compared), gap.allowed, len(gap.missing), len(bare)))
    for line in faults + ["%s: %d" % (kind, len(states)) for kind, states in reasons.items()]:
        print(line)
    for test in sorted({test for test, _ in bare}):
        print(told({found for found in bare if found[0] == test}))
    return 1 if faults or bare else 0


def main(command, crashlit, work, *arguments):
    work = os.path.join(work, "keeps")
    shutil.rmtree(work, ignore_errors=True)
    os.makedirs(work)
    if command == "ask":
        return ask(crashlit, work, *arguments)
    programs, seed, *extent = arguments
    return Check(crashlit, work, int(programs), seed, extent == ["all"]).run()


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
