"""mappings_judge.py: the promises of mappings (models/mappings), judged by refinement, against promises.list.

  mappings_judge.py judge CRASHLIT WORK COUNT SEED
    judge     of each line COUNT random programs, mapped, have to refine their source, or the test that the line names must not. Each
              promise has a line for one work-item and one for several. Wrong mappings have to be caught.
  mappings_judge.py draw PROGRAMS PRAGMA WORK-ITEMS FOLDER COUNT SEED

enum and smt are asked, and have to agree.
"""
import concurrent.futures
import glob
import os
import random
import re
import subprocess
import sys

sys.dont_write_bytecode = True  # beside the sources

import mappings_draw

REFINES, NOT = 0, 1  # statuses of `crashlit refines`
ANSWERS = {0: "refines", 1: "does not refine", 2: "an error", 3: "no answer", 4: "engines differ"}
ENGINES = ("enum", "smt")

# A mapping, a scheme, what stands in its place, the programs, and what that is.
WRONG = (
    ("lin", "gpu_pm strict clwb", "clwb(X); sfence(); pcommit(); sfence();", "sfence(); pcommit(); sfence();", "stores", "a flush left out"),
    ("lin", "gpu_pm strict clwb", "clwb(X); sfence(); pcommit(); sfence();", "sfence(); clwb(X); pcommit(); sfence();", "stores",
     "a fence before the flush"),
    ("lin", "gpu_pm strict clwb", "clwb(X);", "clwb(x);", "stores", "the flush of another location"),
    ("lin-adr", "gpu_pm strict wt", "st_wt(X, V); sfence();", "st_wt(X, V);", "stores", "a store through without its fence"),
    ("lin", "gpu_pm epoch cta clwb", "each stored X { clwb(X); }", "", "epochs", "an epoch's flushes left out"),
    ("lin-adr", "gpu_pm epoch cta l2wb", "l2wb(); sfence();", "sfence(); l2wb();", "epochs", "a fence before the L2 is written back"),
    ("lin", "gpu_pm epoch loop clwb", "each stored X { clwb(X); }", "", "loops", "a loop's flushes left out"),
    ("lin-adr", "gpu_pm epoch loop wt", "every N iterations", "every 3 iterations", "loops", "another scope than the pragma's"),
    ("lin", "gpu_pm epoch kernel", "l2wb();", "", "kernels", "the L2 not written back"),
    ("spb-gpm", "everywhere", "p_barrier_wi : gpm_persist();", "p_barrier_wi : ;", "spb", "a persist left out"),
    ("spb-lin", "everywhere", "p_barrier_wi : l2wb(); sfence(); pcommit(); sfence();", "p_barrier_wi : l2wb(); sfence();", "spb",
     "volatile queues not drained"),
    ("spb-sbrp", "everywhere", "p_barrier_wi : dFence();", "p_barrier_wi : ;", "spb", "a fence left out"),
    ("gpm-spb", "everywhere", "p_barrier_wi();", "", "gpm", "a barrier left out"),
    ("sbrp-spb", "everywhere", "instead of dFence : p_barrier_wi();", "instead of dFence : ;", "sbrp", "a barrier left out"),
    ("lin-spb", "everywhere", "p_barrier_wi();", "", "lin", "a barrier left out"),
    ("strict-px86", "everywhere", "clflushopt(X); mfence();", "mfence(); clflushopt(X);", "stores", "a flush behind its fence"),
)
WRONG_PROGRAMS = 40  # at most, until one does not refine


def run(arguments):
    done = subprocess.run(arguments, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, timeout=600)
    return done.returncode, done.stdout, done.stderr


def promises_of(text):
    """Of each scheme of a mapping's text: its pragma's words, or everywhere, and pairs of model pairs."""
    schemes = {}
    for pragma, body in re.findall(r"^(?:pragma (.*?)(?: scope \w+)? )?(?:everywhere )?\{\n(.*?)^\}", text, re.M | re.S):
        schemes[pragma or "everywhere"] = [("%s+%s" % (a, b), "%s+%s" % (c, d)) for a, b, c, d in re.findall(
            r"promises (\S+) \+ (\S+) under (\S+) \+ (\S+);", body)]
    return schemes


def mapping_text(name):
    with open("models/mappings/%s.map" % name, encoding="utf-8") as file:
        return file.read()


class Row:
    """A line of the list for one mapping."""

    def __init__(self, mapping, fields):
        self.mapping = mapping
        self.scheme, self.form, self.items, self.target, self.wanted = fields
        self.pragma = None if self.scheme == "everywhere" else self.scheme

    def pairs(self):
        promised = promises_of(mapping_text(self.mapping)).get(self.scheme, [])
        return [pair for pair in promised if self.target in ("*", pair[1].split("+")[1])]

    def __str__(self):
        return "%s, %s, %s, %s" % (self.mapping, self.scheme, self.form, self.items)


def read_rows():
    rows = []
    with open("tests/corpus/promises.list", encoding="utf-8") as file:
        for line in file:
            if not line.startswith("#"):
                mappings, *fields = [field.strip() for field in line.split(";")]
                rows += [Row(mapping, fields) for mapping in mappings.split()]
    return rows


class Judge:
    """Asks the program, and counts."""

    def __init__(self, crashlit, work):
        self.crashlit, self.work = crashlit, work
        self.passed, self.failed = 0, 0

    def tell(self, good, what):
        self.passed += bool(good)
        self.failed += not good
        if not good:
            print("failed: " + what)

    def question(self, name, text, mapping, pair):
        """How the test refines its source by each engine; None: the mapping refuses it."""
        source, target = (os.path.join(self.work, "%s-%s.litmus" % (name, part)) for part in ("source", "target"))
        with open(source, "w", encoding="utf-8") as file:
            file.write(text)
        status, mapped, _ = run([self.crashlit, "map", mapping, source])
        if status:
            return None
        with open(target, "w", encoding="utf-8") as file:
            file.write(mapped)
        return [run([self.crashlit, "refines", "-e", engine, "--format", "json", source, "--under", pair[0], target, "--under", pair[1]])[0]
                for engine in ENGINES]

    def programs(self, row, mapping, pair, count, seed):
        """Answers of random programs, each with its name; refused ones are left out."""
        for number in range(count):
            name = "%s-%s-%d" % (re.sub(r"\W+", "-", "%s %s %s %s" % (os.path.basename(mapping), row.scheme, row.items, pair[1])), seed, number)
            rng = random.Random("%s.%s.%s.%s.%d" % (row.form, row.pragma, row.items, seed, number))
            answer = self.question(name, mappings_draw.source(rng, row.form, row.pragma, row.items, "drawn"), mapping, pair)
            if answer is not None:
                yield name, answer

    def judge_row(self, row, pair, count, seed):
        """What was found, to be told."""
        told = []
        if row.wanted == "refines":
            answers = list(self.programs(row, row.mapping, pair, count, seed))
            told.append((len(answers) * 2 >= count, "%s under %s: %d programs of %d are taken" % (row, pair[1], len(answers), count)))
            wrong = [(name, answer) for name, answer in answers if answer != [REFINES] * len(ENGINES)]
            told += [(False, "%s under %s: %s: %s" % (row, pair[1], name, " and ".join(ANSWERS.get(one, str(one)) for one in answer)))
                     for name, answer in wrong]
            return told + [(True, "")] * (len(answers) - len(wrong))
        with open("litmus/mappings/%s.litmus" % row.wanted, encoding="utf-8") as file:
            text = re.sub(r"#pragma gpu_pm (?!end).*?(?= scope|$)", "#pragma %s" % row.pragma if row.pragma else "", file.read(), flags=re.M)
        if not row.pragma:
            text = re.sub(r"^.*#pragma.*\n|^ *$", "", text, flags=re.M)
        name = re.sub(r"\W+", "-", "%s %s" % (row, pair[1]))
        answer = self.question(name, text, row.mapping, pair)
        return [(answer == [NOT] * len(ENGINES), "%s under %s: %s should not refine: %s" % (row, pair[1], row.wanted, answer))]

    def complete(self, rows):
        """Has each promise a line for one work-item, and one for several, and each line a promise?"""
        for row in rows:
            self.tell(row.pairs(), "%s: the mapping promises nothing of this" % row)
        for path in sorted(glob.glob("models/mappings/*.map")):
            mapping = os.path.basename(path)[:-4]
            for scheme, promised in promises_of(mapping_text(mapping)).items():
                self.tell(promised, "%s, %s: promises something" % (mapping, scheme))
                for pair in promised:
                    for items in ("one", "several"):
                        lines = [row for row in rows if (row.mapping, row.scheme, row.items) == (mapping, scheme, items) and pair in row.pairs()]
                        self.tell(len(lines) == 1, "%s, %s under %s: %d lines of %s" % (mapping, scheme, pair[1], len(lines), items))

    def catch(self, wrong, seed):
        """A wrong mapping is to be seen on a program of one work-item."""
        number, (mapping, scheme, found, instead, form, what) = wrong
        text = mapping_text(mapping)
        head = "everywhere {" if scheme == "everywhere" else "pragma %s" % scheme
        at = next(match.end() for match in re.finditer(re.escape(head) + r"( scope \w+)?( \{)?\n", text))
        end = text.index("\n}", at)
        body = text[at:end]
        if found not in body:
            return [(False, "%s has no '%s'" % (mapping, found))]
        path = os.path.join(self.work, "wrong-%d.map" % number)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text[:at] + body.replace(found, instead) + text[end:])
        row = Row(mapping, (scheme, form, "one", "*", ""))
        for _, answer in self.programs(row, path, row.pairs()[0], WRONG_PROGRAMS, seed):
            if answer == [NOT] * len(ENGINES):
                return [(True, "")]
            if answer != [REFINES] * len(ENGINES):
                return [(False, "%s: %s: %s" % (mapping, what, answer))]
        return [(False, "%s: %s is not seen" % (mapping, what))]

    def all(self, jobs):
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            for told in pool.map(lambda job: job[0](*job[1:]), jobs):
                for good, what in told:
                    self.tell(good, what)


def judge(crashlit, work, count, seed):
    folder = os.path.join(work, "promises")
    os.makedirs(folder, exist_ok=True)
    judging, rows = Judge(crashlit, folder), read_rows()
    judging.complete(rows)
    jobs = [(judging.judge_row, row, pair, count, seed) for row in rows for pair in row.pairs()]
    judging.all(jobs + [(judging.catch, wrong, seed) for wrong in enumerate(WRONG)])
    print("%d passed, %d failed" % (judging.passed, judging.failed))
    return judging.failed


def draw(form, pragma, items, folder, count, seed):
    os.makedirs(folder, exist_ok=True)
    for number in range(count):
        rng = random.Random("%s.%s.%s.%s.%d" % (form, pragma, items, seed, number))
        with open(os.path.join(folder, "%d.litmus" % number), "w", encoding="utf-8") as file:
            file.write(mappings_draw.source(rng, form, None if pragma == "everywhere" else pragma, items, "drawn"))
    return 0


def main(command, *arguments):
    if command == "judge":
        crashlit, work, count, seed = arguments
        return judge(crashlit, work, int(count), seed)
    form, pragma, items, folder, count, seed = arguments
    return draw(form, pragma, items, folder, int(count), seed)


if __name__ == "__main__":
    sys.exit(1 if main(*sys.argv[1:]) else 0)
