"""pipeline.py: machines that are pipelines (docs/machines.md) held against an interpreter of their files that shares nothing with them.

  pipeline.py check PROGRAM WORK COUNT SEED     the interpreter's own tests; the program's machines against it: the built-in ones on
                                                litmus/ and on random programs, and random ones; every fault has to show
  pipeline.py contain PROGRAM WORK COUNT SEED   what built-in machines show, on COUNT random programs each, against their models
  pipeline.py draw MECHANISM FOLDER COUNT SEED  COUNT random programs into a folder
  pipeline.py states PROGRAM MACHINE TEST       what the interpreter shows, each state on a line

The interpreter (pipeline_machine.py) explores all states by brute force. Of the program it takes the tests' code as --dump-ast prints it, and
what is compared: sets of crash states and of final states, which have to be equal.
"""
import json
import os
import random
import shutil
import subprocess
import sys

import pipeline_draw
from pipeline_description import Description
from pipeline_machine import Machine
from pipeline_program import programs
import pipeline_tests

MOST_STATES = 4000  # of the interpreter; a program that has more is not compared
FAMILIES = {"gpm": "gpm", "lin": "lin", "kiln": "tx", "chen": "tx", "sbrp": "sbrp", "strand": "strand", "px86": "px86"}


def run(arguments):
    done = subprocess.run(arguments, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, timeout=1500)
    return done.returncode, done.stdout, done.stderr


def ask(crashlit, tests, *options):
    """Of each test its record and its program, or what is not known of it."""
    status, out, err = run([crashlit, "check", "--format", "json", "--dump-ast", *options, *tests])
    records = [json.loads(line) for line in out.splitlines()]
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
        self.title, self.compared, self.left, self.states, self.failures = title, 0, 0, 0, []

    def hold(self, description, test, record, program, most=MOST_STATES):
        """Are the states of a record those of the interpreter? None: not compared."""
        if isinstance(program, str) or record["verdict"] == "unknown" or self.has_doubt(record):
            self.left += 1
            return None
        machine = Machine(description, program)
        states = machine.explore(most)
        if states is None:
            self.left += 1
            return None
        self.compared += 1
        self.states += len(states)
        crash_columns, crash = states_of(record, "crash_states")
        final_columns, final = states_of(record, "final_states")
        own_crash, own_final = machine.answer(states, crash_columns, final_columns)
        same = own_crash == crash and (own_final == final or program.filtered)
        if not same:
            self.failures.append((test, crash_columns, own_crash ^ crash, own_crash - crash, final_columns, own_final ^ final))
        return same

    def has_doubt(self, record):
        return any(condition["verdict"] == "unknown" for condition in record["conditions"])

    def tell(self):
        print("%s: %d compared, %d not, %d states of the interpreter, %d differ" %
              (self.title, self.compared, self.left, self.states, len(self.failures)))
        for test, columns, differ, own, final_columns, final in self.failures[:3]:
            print("failed: %s: crash states %s: interpreter alone %s, program alone %s; final states that differ %s %s" %
                  (test, columns, sorted(own, key=str)[:4], sorted(differ - own, key=str)[:4], final_columns, sorted(final, key=str)[:4]))


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


def builtins(crashlit):
    """Name, description and first pair of each built-in machine that is a pipeline."""
    found = []
    for line in run([crashlit, "machines"])[1].splitlines():
        name = line.split()[0]
        text = run([crashlit, "machines", "-v", name])[1]
        if "= pipeline" in text:
            body = text[:text.find("\nFaults")] if "\nFaults" in text else text
            found.append((name, body))
    return found


def pair_options(promises):
    visibility, persistency = promises.split(",")[0].split("+")
    return ["-m", visibility.strip(), "-p", persistency.strip()]


def family_of(promises):
    persistency = promises.split(",")[0].split("+")[1].strip()
    return FAMILIES.get(persistency.split("-")[0], "spb")


def check_interpreter(crashlit, folder):
    """The interpreter's own tests: how many fail."""
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
    return failed


def main(arguments):
    command = arguments[0]
    if command == "draw":
        draw_programs(arguments[2], arguments[1], int(arguments[3]), arguments[4])
        return 0
    if command == "check":
        failed = check_interpreter(arguments[1], os.path.join(arguments[2], "pipelines"))
        return 1 if failed else 0
    if command == "states":
        crashlit, path, test = arguments[1:]
        with open(path) as file:
            description = Description(file.read())
        _, record, program = ask(crashlit, [test], *pair_options(description.promises))[0]
        machine = Machine(description, program)
        columns, _ = states_of(record, "crash_states")
        crash, _ = machine.answer(machine.explore(1000000), columns, [])
        print(" ".join(columns), *sorted(" ".join(map(str, row)) for row in crash), sep="\n")
        return 0
    return 2


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
