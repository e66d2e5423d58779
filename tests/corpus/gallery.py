#!/usr/bin/env python3
"""Does the gallery of mechanisms (examples/mechanisms) hold what it says?

gallery.py CRASHLIT COUNT SEED WORK, for each folder there:

* Enumerator and solver give each test the verdict of its `expect` lines; there are ten tests and more, each with a derivation.
* Each machine gives each test the verdict that binds it, and shows no state that a model does not allow which it promises. Each
  fault that it can have shows on some test, but for those that the README names.
* The README's table of tests is that of the tests. PROMOTE=1 writes it.
* The README's table of places: `A` in `B`: on each test of the folder what A allows B allows, and on the tests named it allows more.
  `A` beside `B`: on the first test named A allows more, on the second B. `A` by `M.map` in `B`: what the mapping makes of each
  test has under A no state that the test has not under B.
* `distinguish` finds on no program up to a bound that A allows more than B where the table has A in B, and in each folder with definitions
  but CXL0's, whose tags of places no program has, some row is told by a program with an instruction of theirs.
* The same on COUNT random programs with the folder's instructions: engines agree, machines are contained, and places hold.
"""
import json
import os
import random
import re
import subprocess
import sys

from pipeline_draw import PLAIN, Program

GALLERY = "examples/mechanisms"
LEAST_TESTS = 10
BOUND = "events=2,barriers=2,orders=na:acq:rel,scopes=wi:dev"
TESTS, PLACE, UNNOTICED = "## Tests", "## Place", "Faults that no test notices: "
# What random programs of a folder are made of, besides plain and atomic accesses of one scope.
COMMON = PLAIN._replace(scopes=("dev_scope",), wide=(), devices=1)
DRAWN = {
    "hops": COMMON._replace(fences=("ofence();", "ofence();", "dfence();")),
    "asap": COMMON._replace(fences=("ofence();", "ofence();", "dfence();")),
    "release": COMMON._replace(stores=("*{0} = {1};",) * 2 + ("atomic_store_explicit({0}, {1}, mo_rel, SCOPE);",) * 2),
    "arm": COMMON._replace(dialect="C", fences=("dmb_sy();", "dsb_sy();", "dsb_sy();"), flushes=("dc_cvap({0});",),
                           stores=("*{0} = {1};", "stlr({0}, {1});"), loads=("*{0}", "ldar({0})"), lines=True),
    "cxl0": COMMON._replace(fences=("GPF;",), flushes=("LFlush({0});", "LFlush({0});", "RFlush({0});"),
                            stores=("LStore({0}, {1});",) * 3 + ("RStore({0}, {1});", "MStore({0}, {1});"), loads=("*{0}",)),
    "async": COMMON._replace(fences=("acommit();", "acommit();", "await_all();", "await_group(1);", "await_group(2);", "u = t;") + ("await_token(t);", "await_token(u);") * 2,
                             flushes=("apersist({0});", "t = tpersist({0});", "u = tpersist({0});"),
                             lines=True),
}


class Step:
    def __init__(self, crashlit, count, seed, work):
        self.crashlit, self.count, self.seed, self.work = os.path.abspath(crashlit), count, seed, os.path.abspath(work)
        self.passed, self.faults = 0, []

    def hold(self, good, *said):
        if good:
            self.passed += 1
        else:
            self.faults.append(" ".join(map(str, said)))
            print("gallery:", self.faults[-1])

    def run(self, folder, *words):
        return subprocess.run([self.crashlit, *words], cwd=folder, capture_output=True, text=True, check=False)


def read(*path):
    with open(os.path.join(*path), encoding="utf-8") as file:
        return file.read()


def names(folder, ending):
    return sorted(name for name in os.listdir(folder) if name.endswith(ending))


# ---- Tests and their table ----

def expectations(text):
    """The verdicts of each pair, and of machines under it where a line says so."""
    found = {}
    for pair, label, verdict in re.findall(r"^expect ([^:\[]*?) *(\[machine\])? *: *(\w+)$", text, re.M):
        found.setdefault(" ".join(pair.split()), {})["machine" if label else ""] = verdict
    return found


def cell(verdicts):
    said = verdicts.get("", "")
    return said + (", machine %s" % verdicts["machine"] if "machine" in verdicts else "")


def table(folder):
    tests = {name: read(folder, name) for name in names(folder, ".litmus")}
    pairs = []
    for text in tests.values():
        pairs += [pair for pair in expectations(text) if pair not in pairs]
    pairs.sort(key=lambda pair: -sum(pair in expectations(text) for text in tests.values()))
    rows = ["| test | what it asks | %s |" % " | ".join("`%s`" % pair for pair in pairs), "|---" * (2 + len(pairs)) + "|"]
    for name, text in tests.items():
        title = re.search(r'^"(.*)"$', text, re.M).group(1)
        cells = [cell(expectations(text).get(pair, {})) for pair in pairs]
        rows.append("| `%s` | %s | %s |" % (name[:-len(".litmus")], title, " | ".join(cells)))
    return "\n".join(rows) + "\n"


def table_behind(text, heading):
    """Of a README: where the table behind the heading begins and ends."""
    begin = re.compile(r"^\|", re.M).search(text, text.index(heading)).start()
    end = re.compile(r"^(?!\|)", re.M).search(text, begin)
    return begin, end.start() if end else len(text)


def check_table(step, folder):
    path, text = os.path.join(folder, "README.md"), read(folder, "README.md")
    begin, end = table_behind(text, TESTS)
    if os.environ.get("PROMOTE"):
        with open(path, "w", encoding="utf-8") as file:
            file.write(text[:begin] + table(folder) + text[end:])
        return
    step.hold(text[begin:end] == table(folder), path, "has another table of tests: PROMOTE=1 make gallery")


def check_tests(step, folder):
    tests = names(folder, ".litmus")
    step.hold(len(tests) >= LEAST_TESTS, folder, "has", len(tests), "tests")
    for name in tests:
        step.hold(re.search(r"^// \S", read(folder, name), re.M), folder, name, "has no derivation")
    found = step.run(folder, "check", "-e", "all", "-q", ".")
    step.hold(found.returncode == 0, folder, "verdicts", found.stdout, found.stderr)


# ---- Machines ----

def faults_of(step, folder, machine):
    listed = step.run(folder, "machines", "-v", "./" + machine).stdout
    return re.findall(r"^  ([a-z][a-z-]*)  ", listed.split("Faults, for --fault:")[-1], re.M)


def check_machine(step, folder, machine):
    unnoticed = re.findall(r"`([^`]*)`", "".join(line for line in read(folder, "README.md").splitlines() if line.startswith(UNNOTICED)))
    cross = ("crosscheck", "-e", "machine", "--machine", "./" + machine)
    found = step.run(folder, "check", "-e", "machine", "--machine", "./" + machine, "-q", ".")
    step.hold(found.returncode == 0, folder, machine, "verdicts", found.stdout, found.stderr)
    found = step.run(folder, *cross, ".")
    step.hold(found.returncode == 0 and " 0 outside, 0 undefined, 0 partly" in found.stdout, folder, machine, found.stdout)
    for fault in faults_of(step, folder, machine):
        shows = step.run(folder, *cross, "--fault", fault, ".").returncode == 4
        step.hold(shows != ("%s: %s" % (machine, fault) in unnoticed), folder, machine, fault, "shows" if shows else "does not show")


# ---- Places ----

def claims(folder):
    """Rows of the table of places: (A, map or None, word, B, tests)."""
    text = read(folder, "README.md")
    begin, end = table_behind(text, PLACE)
    for row in text[begin:end].splitlines()[2:]:
        cells = [re.findall(r"`([^`]*)`", part) for part in row.split("|")[1:-1]]
        word = row.split("|")[2].strip()
        yield cells[0][0], cells[0][1] if len(cells[0]) > 1 else None, word, cells[2][0], cells[3]


def more_of(step, folder, first, second, tests):
    """By test: has the first pair more states, has the second? None: not known."""
    found = step.run(folder, "compare", "--format", "json", "--models", first.replace(" ", "") + "," + second.replace(" ", ""), *tests)
    sides = {}
    for line in found.stdout.splitlines():
        record = json.loads(line)
        if "sides" in record:
            more = [side["more"] for side in record["sides"]]
            known = all(answer["complete"] for answer in record["answers"]) and not any(side["undefined"] for side in record["sides"])
            sides[record["test"]] = tuple(one == "yes" for one in more) if known and set(more) <= {"yes", "no"} else None
    return sides


def check_claim(step, folder, claim, tests, drawn):
    first, mapping, word, second, told = claim
    if mapping:
        mapped = 0
        for test in tests:
            under = (test, "--under", second.replace(" ", ""), "--map", mapping, "--under", first.replace(" ", ""))
            found = step.run(folder, "refines", *under)
            mapped += found.returncode == 0
            refused = re.search(r"\[E-(lit-mapped|cli-refines)\]", found.stderr)  # it has no rule for it, or no NVM
            step.hold(found.returncode == 0 or refused, folder, test, first, mapping, word, second, found.stdout)
        step.hold(mapped >= LEAST_TESTS, folder, mapping, "maps", mapped, "tests")
        return
    sides = more_of(step, folder, first, second, tests)
    known = sum(side is not None for side in sides.values())
    step.hold(known == len(tests) or (drawn and known >= len(tests) / 2), folder, first, second, "are known of", known, "tests")
    if word == "in":
        more = [test for test, side in sides.items() if side and side[0]]
        step.hold(not more, folder, first, "is not in", second, more)
    step.hold(word in ("in", "beside"), folder, "knows no", word)
    wanted = [(test, 1) for test in told] if word == "in" else [(told[0], 0), (told[1], 1)]
    for test, which in wanted if not drawn else ():
        step.hold(sides.get(test) and sides[test][which], folder, test, "does not tell", first, "from", second)


# ---- All small programs ----

def check_small(step, folder):
    """Rows of one visibility model: of two the programs are many. Persist barriers that not all come to are left out."""
    uses, own = names(folder, ".def"), 0
    for first, mapping, word, second, _ in claims(folder):
        if mapping or first.split(" + ")[0] != second.split(" + ")[0]:
            continue
        words = [word for name in uses for word in ("--uses", name)]
        found = step.run(folder, "distinguish", "--defined", "--format", "json", "--bound", BOUND, *words, first.replace(" ", ""), second.replace(" ", ""))
        lines = [json.loads(line) for line in found.stdout.splitlines()]
        step.hold(found.returncode in (0, 1, 3) and lines, folder, first, second, "left with", found.returncode, found.stderr)
        more = [direction["found"] for direction in lines[-1]["directions"]] if lines else ["", ""]
        step.hold(word != "in" or more[0] != "yes", folder, first, "allows more than", second, "on a small program")
        own += "yes" in more and any('uses \\"%s\\"' % name in found.stdout for name in uses)
    step.hold(own > 0 or not uses or os.path.basename(folder) == "cxl0", folder, "has no row that an instruction of", uses, "tells")


# ---- Random programs ----

def with_tokens(thread):
    """A work-item's text with two registers for tokens, and without the waits for those that never have one."""
    for register, given in (("t", ("t = tpersist(",)), ("u", ("u = tpersist(", "u = t;"))):
        if not any(word in thread for word in given):
            thread = re.sub(r"^ *(await_token\(%s\)|u = %s);\n" % (register, register), "", thread, flags=re.M)
    return thread.replace("{\n", "{\n  int t = 0, u = 0;\n", 1)


class Drawn(Program):
    """CXL0: each location has an owner, each work-item a node. Asynchronous persists: each work-item has two tokens."""

    def __init__(self, rng, folder):
        self.nodes, self.tokens = folder == "cxl0", folder == "async"
        super().__init__(rng, DRAWN[folder], False)
        if self.nodes:
            self.places = [(t % 2, 0, 0) for t in range(self.count)]

    def text(self, title, conditions=None):
        text = super().text(title, conditions)
        if self.tokens:
            text = re.sub(r"^P\d.*?^}", lambda found: with_tokens(found.group()), text, flags=re.M | re.S)
        if self.nodes:
            for x in self.locations:
                text = text.replace("nvm atomic_int %s =" % x, "nvm{m%d} atomic_int %s =" % (self.rng.randrange(2), x))
            text = text.replace("nvm atomic_int f", "atomic_int f")
            text = re.sub(r"^P(\d)@", lambda found: "P%s{n%d}@" % (found.group(1), int(found.group(1)) % 2), text, flags=re.M)
        return text


def draw(step, folder):
    name, where = os.path.basename(folder), os.path.join(step.work, os.path.basename(folder))
    os.makedirs(where, exist_ok=True)
    for file in os.listdir(where):
        os.remove(os.path.join(where, file))
    for file in names(folder, (".cat", ".def", ".machine", ".map")):
        with open(os.path.join(where, file), "w", encoding="utf-8") as copy:
            copy.write(read(folder, file))
    uses = names(folder, ".def")
    for number in range(step.count):
        text = Drawn(random.Random("%s %s %s" % (step.seed, name, number)), name).text("random%d" % number)
        if uses:
            text = text.replace("\n", '\nuses "%s"\n' % uses[0], 1)
        with open(os.path.join(where, "random%d.litmus" % number), "w", encoding="utf-8") as file:
            file.write(text)
    return where


def check_drawn(step, folder):
    where = draw(step, folder)
    tests = names(where, ".litmus")
    for machine in names(where, ".machine"):
        for pair in re.search(r"^promises *= *(.*)$", read(where, machine), re.M).group(1).split(","):
            visibility, persistency = pair.split("+")
            models = ("-m", visibility.strip(), "-p", persistency.strip(), "--machine", "./" + machine)
            found = step.run(where, "crosscheck", "-e", "all", *models, "--timeout", "20", ".")
            step.hold(found.returncode in (0, 3) and " 0 outside" in found.stdout, where, machine, pair, found.stdout, found.stderr)
    for claim in claims(folder):
        if not claim[1]:
            check_claim(step, where, claim, tests, True)


def check_folder(step, folder):
    check_table(step, folder)
    check_tests(step, folder)
    for machine in names(folder, ".machine"):
        check_machine(step, folder, machine)
    for claim in claims(folder):
        check_claim(step, folder, claim, names(folder, ".litmus"), False)
    check_small(step, folder)
    if step.count:
        check_drawn(step, folder)


def main():
    crashlit, count, seed, work = sys.argv[1:5]
    step = Step(crashlit, int(count), seed, work)
    for name in sorted(os.listdir(GALLERY)):
        if os.path.isdir(os.path.join(GALLERY, name)):
            check_folder(step, os.path.join(GALLERY, name))
    print("%d passed, %d failed" % (step.passed, len(step.faults)))
    return 1 if step.faults else 0


if __name__ == "__main__":
    sys.exit(main())
