"""pipeline.py: machines that are pipelines (docs/machines.md) held against an interpreter of their files that shares nothing with them.

  pipeline.py compare|contain|all CRASHLIT WORK MACHINES PROGRAMS SEED
    compare  the interpreter's own tests; then the program's machines against it: the built-in ones on litmus/ and on random programs,
             and MACHINES random ones, with programs for each; and every fault has to show
    contain  what built-in machines show on PROGRAMS random programs each, against the models that they promise
  pipeline.py draw MECHANISM FOLDER COUNT SEED      COUNT random programs into a folder (gpm, lin, tx, sbrp, strand, px86, spb, source)
  pipeline.py states CRASHLIT MACHINE.machine TEST  the crash states that the interpreter finds, each on a line

The interpreter (pipeline_machine.py) explores all states by brute force. Of the program it takes the tests' code as --dump-ast prints it, and
what is compared: sets of crash states and of final states, which have to be equal.
"""
import glob
import json
import os
import random
import re
import shutil
import subprocess
import sys

sys.dont_write_bytecode = True  # beside the sources

import pipeline_draw
from pipeline_description import Description
from pipeline_machine import Machine
from pipeline_program import programs
import pipeline_tests

MOST_STATES = 1500  # of the interpreter; a program that has more is not compared
PROGRAMS = 4  # of each random machine
BUILTIN_PROGRAMS = 10  # of each built-in machine, besides litmus/
CORPORA = {"gpm": ("gpm", "published"), "lin": ("lin",), "tx": ("kiln", "helper-warps"), "sbrp": ("sbrp",), "strand": ("strand",),
           "px86": ("px86",), "spb": ("spb", "acknowledged", "launch")}
FAMILIES = {"gpm": "gpm", "lin": "lin", "kiln": "tx", "chen": "tx", "sbrp": "sbrp", "strand": "strand", "px86": "px86"}


def run(arguments):
    done = subprocess.run(arguments, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, timeout=1500)
    return done.returncode, done.stdout, done.stderr


def ask(crashlit, tests, *options):
    """Of each test its record and its program, or what is not known of it."""
    status, out, err = run([crashlit, "check", "--format", "json", "--dump-ast", *options, *tests])
    records = [json.loads(line) for line in out.splitlines()]
    if status == 2 and "--fault" in options and not records:
        return []
    found = programs(err[err.find("test "):] if "test " in err else "")
    if len(records) != len(tests) or len(found) != len(tests):
        raise SystemExit("failed: %s (status %d): %d records, %d programs of %d tests\n%s" %
                         (" ".join(options), status, len(records), len(found), len(tests), err[:2000]))
    return list(zip(tests, records, found))


def states_of(record, kind):
    found = record[kind] or []
    columns = list(found[0]) if found else []
    return columns, {tuple(state[column] for column in columns) for state in found}


class Comparison:
    """Counts what is compared; the first differences are shown."""

    def __init__(self, title):
        self.title, self.compared, self.left, self.states, self.failures, self.known = title, 0, 0, 0, [], {}

    def explored(self, key, description, program):
        """The machine and its states; None where there are too many, or something is not known."""
        if key not in self.known:
            machine = None if isinstance(program, str) else Machine(description, program)
            states = machine and machine.explore(MOST_STATES)
            self.known[key] = (machine, states) if states else None
        return self.known[key]

    def differs(self, key, description, test, record, program):
        """Are the states of a record others than the interpreter's? None: not compared."""
        explored = None if "doubt" in record else self.explored(key, description, program)
        if not explored:
            return None
        machine, states = explored
        crash_columns, crash = states_of(record, "crash_states")
        final_columns, final = states_of(record, "final_states")
        own_crash, own_final = machine.answer(states, crash_columns, final_columns)
        if not any(condition["kind"] != "final" for condition in record["conditions"]):
            own_crash = crash  # nothing asks for crash states
        if own_crash == crash and (own_final == final or program.filtered):
            return False
        return (test, "crash", crash_columns, sorted(own_crash - crash, key=str)[:4], sorted(crash - own_crash, key=str)[:4],
                "final", final_columns, sorted(own_final - final, key=str)[:4], sorted(final - own_final, key=str)[:4])

    def hold(self, key, description, test, record, program):
        difference = self.differs(key, description, test, record, program)
        if difference is None:
            self.left += 1
            return
        self.compared += 1
        self.states += len(self.known[key][1])
        if difference:
            self.failures.append(difference)

    def tell(self):
        """What there is to say; the number of failures."""
        print("%s: %d compared, %d not, %d states, %d differ" % (self.title, self.compared, self.left, self.states, len(self.failures)))
        for difference in self.failures[:3]:
            print("failed: %s: %s states of %s: interpreter alone %s, program alone %s; %s states of %s: %s, %s" % difference)
        if self.compared == 0:
            print("failed: %s: nothing was compared" % self.title)
        return len(self.failures) + (self.compared == 0)


def write(folder, texts):
    """Files of the texts in a fresh folder; their paths."""
    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(folder)
    paths = []
    for number, (ending, text) in enumerate(texts):
        paths.append(os.path.join(folder, "%05d.%s" % (number, ending)))
        with open(paths[-1], "w") as file:
            file.write(text)
    return paths


def draw_programs(folder, mechanism, count, seed):
    return write(folder, [("litmus", pipeline_draw.program(random.Random("%s.%s.%d" % (mechanism, seed, number)), mechanism,
                                                          "%s-%s-%d" % (mechanism, seed, number))) for number in range(count)])


def builtins():
    """Name and text of each built-in machine that is a pipeline."""
    for path in sorted(glob.glob("models/machines/*.machine")):
        with open(path) as file:
            text = file.read()
        if re.search(r"^machine *= *pipeline$", text, re.M):
            yield os.path.basename(path)[:-len(".machine")], text


def faults_of(crashlit):
    """Those that some built-in pipeline can be given."""
    listed = [run([crashlit, "machines", "-v", name])[1] for name, _ in builtins()]
    return sorted({fault for text in listed for fault in re.findall(r"^  (\S+)", text[text.find("\nFaults"):], re.M)})


def pair_options(promises):
    visibility, persistency = promises.split(",")[0].split("+")
    return ["-m", visibility.strip(), "-p", persistency.strip()]


def family_of(promises):
    persistency = promises.split(",")[0].split("+")[1].strip()
    return FAMILIES.get(persistency.split("-")[0], "spb")


def check_interpreter(crashlit, folder):
    """The interpreter's own tests. (passed, failed)"""
    expected = list(pipeline_tests.states_expected())
    tests = write(os.path.join(folder, "own"), [("litmus", text) for _, text, _, _, _ in expected])
    failed = 0
    for (machine, _, columns, wanted, why), (test, _, program) in zip(expected, ask(crashlit, tests, "-m", "sc", "-p", "none")):
        description = Machine(Description(machine), program)
        found, _ = description.answer(description.explore(MOST_STATES), columns, [])
        if found != wanted:
            failed += 1
            print("failed: %s (%s): missing %s, too many %s" % (program.name, why, sorted(wanted - found), sorted(found - wanted)))
    print("%d tests of the interpreter, %d failed" % (len(expected), failed))
    return len(expected) - failed, failed


def check_builtin(crashlit, folder, count, seed):
    """Each built-in machine on the corpora that its names stand for, and on random programs. (passed, failed)"""
    passed = failed = 0
    for name, text in builtins():
        description, comparison = Description(text), Comparison(name)
        family = family_of(description.promises)
        tests = sorted(test for corpus in CORPORA[family] for test in glob.glob("litmus/%s/*.litmus" % corpus))
        tests += draw_programs(os.path.join(folder, name), family, count, seed)
        for test, record, program in ask(crashlit, tests, "-e", "machine", "--machine", name, *pair_options(description.promises)):
            comparison.hold(test, description, test, record, program)
        passed, failed = passed + comparison.compared, failed + comparison.tell()
    return passed - failed, failed


class Drawn:
    """Random machines, each with some random programs."""

    def __init__(self, crashlit, folder, count, seed):
        self.crashlit, self.comparison = crashlit, Comparison("%d random machines (seed %s)" % (count, seed))
        texts = [("machine", pipeline_draw.machine(random.Random("machine.%s.%d" % (seed, number)))) for number in range(count)]
        self.machines = write(os.path.join(folder, "machines"), texts)
        self.descriptions = [Description(text) for _, text in texts]
        programs_drawn = draw_programs(os.path.join(folder, "drawn"), "drawn", PROGRAMS * count, seed)
        self.programs = [programs_drawn[PROGRAMS * number:PROGRAMS * (number + 1)] for number in range(count)]

    def answers(self, number, *options):
        machine = self.machines[number]
        return ask(self.crashlit, self.programs[number], "-e", "machine", "--machine", machine, "-m", "sc", "-p", "none", *options)

    def check(self):
        for number, description in enumerate(self.descriptions):
            for test, record, program in self.answers(number):
                self.comparison.hold(test, description, "%s %s" % (self.machines[number], test), record, program)
        failed = self.comparison.tell()
        return self.comparison.compared - failed, failed

    def shows(self, fault):
        """The first program on which a machine with this fault differs from the interpreter."""
        for number, description in enumerate(self.descriptions):
            for test, record, program in self.answers(number, "--fault", fault):  # none where it has no such block
                if test in self.comparison.known and self.comparison.differs(test, description, test, record, program):
                    return "%s %s" % (self.machines[number], test)
        return None

    def check_faults(self):
        passed = failed = 0
        for fault in faults_of(self.crashlit):
            found = self.shows(fault)
            print("fault %s: %s" % (fault, "seen by %s" % found if found else "failed: nothing shows it"))
            passed, failed = passed + bool(found), failed + (not found)
        return passed, failed


def contain(crashlit, folder, count, seed):
    """What each built-in machine shows, on random programs of its mechanism, is allowed by the model that it promises."""
    passed = failed = 0
    for name, text in builtins():
        promises = Description(text).promises
        draw_programs(os.path.join(folder, name), family_of(promises), count, seed)
        status, out, _ = run([crashlit, "crosscheck", "-j", "2", "-e", "machine", "--machine", name, "--max-states", "100000",
                              *pair_options(promises), os.path.join(folder, name)])
        summary = re.search(r"^Machines: (\d+) contained, (\d+) outside, (\d+) undefined, (\d+) partly.*$", out, re.M)
        contained, outside, undefined, partly = map(int, summary.groups()) if summary else (0, 1, 0, 0)
        print("%s under %s: %s" % (name, promises.split(",")[0], summary.group(0) if summary else "no summary"))
        # Programs that race are undefined, and few have more states than are kept; what is left has to be most.
        good = status in (0, 3) and outside == 0 and contained >= count * 0.6 and contained + undefined + partly == count
        if not good:
            print("failed: %s (status %d)\n%s" % (name, status, out[:3000]))
        passed, failed = passed + contained, failed + (not good)
    return passed, failed


def compare(crashlit, folder, count, seed):
    """The program's machines and the interpreter. (passed, failed)"""
    drawn = Drawn(crashlit, folder, count, seed)
    results = (check_interpreter(crashlit, folder), check_builtin(crashlit, folder, BUILTIN_PROGRAMS, seed), drawn.check(),
               drawn.check_faults())
    return tuple(sum(result[i] for result in results) for i in range(2))


def states(crashlit, path, test):
    with open(path) as file:
        description = Description(file.read())
    _, record, program = ask(crashlit, [test], *pair_options(description.promises))[0]
    machine = Machine(description, program)
    columns, _ = states_of(record, "crash_states")
    crash, _ = machine.answer(machine.explore(1000000), columns, [])
    print(" ".join(columns), *sorted(" ".join(map(str, row)) for row in crash), sep="\n")


def main(command, *arguments):
    if command == "draw":
        mechanism, folder, count, seed = arguments
        draw_programs(folder, mechanism, int(count), seed)
        return 0
    if command == "states":
        states(*arguments)
        return 0
    crashlit, work, count, programs_of_each, seed = arguments
    folder = os.path.join(work, "pipelines")
    done = [compare(crashlit, folder, int(count), seed)] if command in ("all", "compare") else []
    done += [contain(crashlit, os.path.join(folder, "contain"), int(programs_of_each), seed)] if command in ("all", "contain") else []
    passed, failed = (sum(result[i] for result in done) for i in range(2))
    print("%d passed, %d failed" % (passed, failed))
    return 1 if failed or not passed else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
