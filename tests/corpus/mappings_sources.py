"""mappings_sources.py: the promises of mappings (models/mappings), judged on the tests of litmus/, against sources.list.

  mappings_sources.py CRASHLIT COUNT SEED [MAPPING..]
    of each promise of these mappings, or of all, so many at random of the tests that the list has, and of all others (0: all of
    both), as far as the mapping takes them. Each refines its source, or says nothing of it, unless the list has it as a counterexample. With all of them, the table in
    docs/models/mappings.md has to say no more than was found

enum and smt are asked, and have to agree; smt is not asked of tests that the list has as slow.
"""
import collections
import concurrent.futures
import glob
import json
import os
import random
import re
import sys

sys.dont_write_bytecode = True  # beside the sources

from mappings_judge import ENGINES, mapping_text, promises_of, run

TIMEOUT = "180"
TABLE = "docs/models/mappings.md"
# What an answer can be. Nothing is said of a source that has no non-volatile memory, or that is undefined, never ends or never
# recovers, or has more rounds of recovery or of a loop than are looked at.
REFINES, VIOLATED, UNDEFINED, LIVELOCK, SILENT = "refines", "does not refine", "is undefined", "never recovers", "says nothing"
# What the list says of a test.
REASONS = (*"ABCDEFG", "undefined", "slow")
SILENCE = re.compile(r"vacuous: |the loop at line \d+ met its unroll bound|crashes in recovery leave new states")


def answer(status, out, err):
    """Of a question what the answer is, or the text of one that was not expected."""
    if status == 2:
        return SILENT if "so there is nothing to compare" in err else err[:400]
    if status == 0:
        return REFINES
    record = json.loads(out.splitlines()[0])
    reasons = [record.get("doubt")] + [condition.get("reason") for condition in record["conditions"]]
    verdicts = {condition["verdict"] for condition in record["conditions"]} | {record["verdict"]}
    if "violated" in verdicts:
        return VIOLATED
    if "undefined" in verdicts:
        return UNDEFINED
    if "error" in verdicts:
        return LIVELOCK
    if any(reason and SILENCE.match(reason.replace("of the source: ", "")) for reason in reasons):
        return SILENT
    return "%s: %s" % (record["verdict"], "; ".join(reason for reason in reasons if reason))


class Listed:
    """sources.list: what does not refine, and what smt is not asked."""

    def __init__(self, path):
        self.known = collections.defaultdict(dict)  # of a mapping and a target: of tests the letter or 'slow'
        with open(path, encoding="utf-8") as file:
            for line in file:
                if line.strip() and not line.startswith("#"):
                    mappings, target, what, tests = (field.strip() for field in line.split(";"))
                    for mapping in mappings.split():
                        for test in tests.split():
                            self.known[mapping, target][test] = what

    def strays(self, asked):
        """The lines' parts that nobody is asked about."""
        for (mapping, target), tests in self.known.items():
            found = {test for (its, pair), its_tests in asked.items() if mapping in ("*", its) and target in ("*", pair[1].split("+")[1])
                     for test in its_tests}
            yield from ("%s; %s; %s; %s" % (mapping, target, what, test) for test, what in tests.items()
                        if test not in found or what not in REASONS)

    def of(self, mapping, pair):
        found = dict(self.known["*", "*"])
        found.update(self.known[mapping, "*"])
        found.update(self.known[mapping, pair[1].split("+")[1]])
        return found


def pragmas(text):
    """The pragmas of a test, without scopes and ends."""
    found = re.findall(r"pragma \"?(gpu_pm[^\n\"|]*)", text)
    return {re.sub(r" +scope *=? *\d+", "", " ".join(pragma.split())) for pragma in found} - {"gpu_pm end"}


def promised(mapping, text):
    """The pairs that a mapping promises of a test: those that all its pragmas promise."""
    schemes = promises_of(mapping_text(mapping))
    if "everywhere" in schemes:
        return schemes["everywhere"]
    used = [schemes[pragma] for pragma in pragmas(text) if pragma in schemes]
    return [pair for pair in used[0] if all(pair in other for other in used)] if used else []


class Sources:
    def __init__(self, crashlit, listed):
        self.crashlit, self.listed = crashlit, listed
        self.passed, self.failed = 0, 0
        self.counts = collections.defaultdict(collections.Counter)  # of a mapping and a pair

    def tell(self, good, what):
        self.passed += bool(good)
        self.failed += not good
        if not good:
            print("failed: " + what)

    def ask(self, mapping, pair, test, engine):
        return answer(*run([self.crashlit, "refines", "-e", engine, "--timeout", TIMEOUT, "--format", "json", "litmus/%s.litmus" % test,
                            "--under", pair[0], "--map", mapping, "--under", pair[1]]))

    def of_source(self, pair, test):
        """The verdict on the source itself, which is undefined though a property asks about that."""
        visibility, persistency = pair[0].split("+")
        _, out, _ = run([self.crashlit, "check", "-m", visibility, "-p", persistency, "--format", "json", "litmus/%s.litmus" % test])
        record = json.loads(out.splitlines()[0])
        return "undefined" if record["undefined"] else record["verdict"]

    def judge(self, question):
        mapping, pair, test = question
        known = self.listed.of(mapping, pair).get(test)
        engines = ENGINES[:1] if known == "slow" else ENGINES
        answers = {self.ask(mapping, pair, test, engine) for engine in engines}
        for found, verdict in ((UNDEFINED, "undefined"), (LIVELOCK, "error")):
            if answers == {found} and self.of_source(pair, test) == verdict:
                answers = {SILENT}
        return question, known, answers

    def count(self, question, known, answers):
        mapping, pair, test = question
        what = "%s by %s under %s + %s" % (test, mapping, *pair[1].split("+"))
        if len(answers) > 1:
            self.tell(False, "%s: engines differ: %s" % (what, answers))
            return
        found = answers.pop()
        self.counts[mapping, pair][found] += 1
        if known in (None, "slow"):
            self.tell(found in (REFINES, SILENT), "%s: %s" % (what, found))
        else:
            self.tell(found == (UNDEFINED if known == "undefined" else VIOLATED), "%s should be %s: %s" % (what, known, found))

    def asked(self):
        """Of a mapping and a pair the tests of which it promises something."""
        tests = sorted(path[len("litmus/"):-len(".litmus")] for path in glob.glob("litmus/*/*.litmus"))
        asked = collections.defaultdict(list)
        for mapping in sorted(os.path.basename(path)[:-4] for path in glob.glob("models/mappings/*.map")):
            for test in tests:
                with open("litmus/%s.litmus" % test, encoding="utf-8") as file:
                    for pair in promised(mapping, file.read()):
                        asked[mapping, pair].append(test)
        return asked

    def questions(self, asked, count, rng):
        for (mapping, pair), found in asked.items():
            listed = self.listed.of(mapping, pair)
            halves = [test for test in found if test in listed and listed[test] != "slow"], [test for test in found if test not in listed]
            few = [test for half in halves for test in rng.sample(half, min(count, len(half)))]
            yield from ((mapping, pair, test) for test in (few if count else found))

    def is_counterexample(self, question):
        mapping, pair, test = question
        return self.listed.of(mapping, pair).get(test, "slow") != "slow"

    def is_taken(self, question):
        return run([self.crashlit, "map", question[0], "litmus/%s.litmus" % question[2]])[0] == 0


def check_table(sources, asked):
    """The rows of the table, of these mappings or of all: mapping, target, how many refine, do not, are undefined, say nothing."""
    with open(TABLE, encoding="utf-8") as file:
        rows = {(mapping, source, target): [int(number) for number in numbers.split("|")] for mapping, source, target, numbers in re.findall(
            r"^\| `([\w-]+)` \| `(\w+ \+ [\w-]+)` \| `(\w+ \+ [\w-]+)` \| ([\d |]+\d) \|", file.read(), re.M)}
    for (mapping, pair), counts in sorted(sources.counts.items()):
        found = [counts[what] for what in (REFINES, VIOLATED, UNDEFINED, SILENT)]
        said = rows.pop((mapping, *(models.replace("+", " + ") for models in pair)), None)
        good = said and said[0] <= found[0] and said[1:3] == found[1:3] and said[3] <= found[3]
        sources.tell(good, "%s has %s for %s, %s under %s, found %s" % (TABLE, said, mapping, *pair, found))
        print("%s, %s under %s: %d refine, %d do not, %d are undefined, %d say nothing" % (mapping, *pair, *found))
    rows = [row for row in rows if not asked or row[0] in asked]
    sources.tell(not rows, "%s has rows of nothing: %s" % (TABLE, rows))


def main(crashlit, count, seed, *mappings):
    sources = Sources(crashlit, Listed("tests/corpus/sources.list"))
    asked = sources.asked()
    strays = list(sources.listed.strays(asked))
    sources.tell(not strays, "sources.list has what nobody is asked about: %s" % strays)
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        questions = [question for question in sources.questions(asked, int(count), random.Random(seed))
                     if not mappings or question[0] in mappings]
        taken = []
        for question, good in zip(questions, pool.map(sources.is_taken, questions)):
            if good:
                taken.append(question)
            elif sources.is_counterexample(question):
                sources.tell(False, "%s is listed, and %s does not take it" % (question[2], question[0]))
        for judged in pool.map(sources.judge, taken):
            sources.count(*judged)
    if not int(count):
        check_table(sources, mappings)
    print("%d passed, %d failed" % (sources.passed, sources.failed))
    return sources.failed


if __name__ == "__main__":
    sys.exit(1 if main(*sys.argv[1:]) else 0)
