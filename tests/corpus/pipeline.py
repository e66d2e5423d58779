"""pipeline.py: machines that are pipelines (docs/models/machines.md) held against an interpreter of their files that shares nothing with them.

  pipeline.py compare|contain|all CRASHLIT WORK MACHINES STATES PROGRAMS SEED
    compare  the interpreter's own tests; then the program's machines against it: the built-in ones on litmus/ and on random programs,
             and MACHINES random ones, with programs for each; and every fault has to show. What has more than STATES states
             for the interpreter is left out
    contain  what built-in machines show on PROGRAMS random programs each, against the models that they promise
  pipeline.py draw MECHANISM FOLDER COUNT SEED      COUNT random programs into a folder (gpm, lin, tx, sbrp, strand, px86, spb, source)
  pipeline.py asked FOLDER MACHINES PROGRAMS SEED   random machines, and random programs with conditions that ask for a part of what there is:
                                                    for these machines in FOLDER/drawn, for built-in ones in FOLDER/NAME
  pipeline.py states CRASHLIT MACHINE.machine TEST  the crash states that the interpreter finds, each on a line

The interpreter (pipeline_machine.py) explores all states by brute force. Of the program it takes the tests' code as --dump-ast
prints it, and the sets of crash states and of final states, which have to be equal to its own.
"""
import glob
import json
import multiprocessing
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

PROGRAMS = 4  # of each random machine
BUILTIN_PROGRAMS = 10  # of each built-in machine, besides litmus/
FAULTY_STATES = 20000  # a fault may leave a machine without what bounds it
CORPORA = {"gpm": ("gpm", "published"), "lin": ("lin",), "tx": ("kiln", "helper-warps"), "kiln": ("kiln", "helper-warps"), "sbrp": ("sbrp",), "strand": ("strand",),
           "px86": ("px86",), "spb": ("spb", "acknowledged", "launch")}
FAMILIES = {"gpm": "gpm", "lin": "lin", "kiln": "kiln", "chen": "tx", "sbrp": "sbrp", "strand": "strand", "px86": "px86"}


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
    return [(test, record, program if not has_given(test) else "initial values of registers")
            for test, record, program in zip(tests, records, found)]


def has_given(test):
    """Does the initial state of a test give registers values? The dump does not say them."""
    with open(test) as file:
        return bool(re.search(r"^[^P]*\{[^}]*\b\d+:\w+ *=", re.sub(r"//.*", "", file.read()), re.M))


def states_of(record, kind):
    found = record[kind] or []
    columns = list(found[0]) if found else []
    return columns, {tuple(state[column] for column in columns) for state in found}


class Question:
    """What the interpreter is asked of one test: the states that it finds, in the columns of a record, or None where there are too many."""

    def __init__(self, description, test, record, program, most):
        self.description, self.test, self.program, self.most = description, test, program, most
        self.record = record
        self.crash_columns, self.final_columns = (states_of(record, kind)[0] for kind in ("crash_states", "final_states"))
        self.answer = None

    def asked(self):
        if isinstance(self.program, str) or "doubt" in self.record:
            return None
        machine = Machine(self.description, self.program)
        states = machine.explore(self.most)
        return states and (len(states),) + machine.answer(states, self.crash_columns, self.final_columns)

    def differs(self, record):
        """How a record of the test differs from the answer; None: not at all, or there is nothing to compare."""
        if not self.answer or "doubt" in record:
            return None
        _, own_crash, own_final = self.answer
        crash, final = states_of(record, "crash_states")[1], states_of(record, "final_states")[1]
        if not any(condition["kind"] != "final" for condition in record["conditions"]):
            own_crash = crash  # nothing asks for crash states
        if own_crash == crash and (own_final == final or self.program.filtered):
            return None
        some = lambda rows: sorted(rows, key=str)[:4]
        return "%s: crash states of %s: interpreter alone %s, program alone %s; final states of %s: %s, %s" % (
            self.test, self.crash_columns, some(own_crash - crash), some(crash - own_crash),
            self.final_columns, some(own_final - final), some(final - own_final))


QUESTIONS = []


def answer_one(number):
    return QUESTIONS[number].asked()


def answer(questions):
    """By as many processes as there are processors; programs have functions, so questions go to them by fork alone."""
    QUESTIONS[:] = questions
    with multiprocessing.get_context("fork").Pool() as pool:
        for question, found in zip(questions, pool.map(answer_one, range(len(questions)), 8)):
            question.answer = found


def tell(title, questions):
    """Counts what is compared; the first differences are shown. (passed, failed)"""
    compared = [question for question in questions if question.answer]
    differences = [difference for difference in (question.differs(question.record) for question in compared) if difference]
    print("%s: %d compared, %d not, %d states, %d differ" % (title, len(compared), len(questions) - len(compared),
                                                             sum(question.answer[0] for question in compared), len(differences)))
    for difference in differences[:3]:
        print("failed: %s: %s" % (title, difference))
    if len(compared) * 2 < len(questions):
        print("failed: %s: less than half could be compared" % title)
        return len(compared) - len(differences), len(differences) + 1
    return len(compared) - len(differences), len(differences)


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


def draw_programs(folder, mechanism, count, seed, draw=pipeline_draw.program):
    return write(folder, [("litmus", draw(random.Random("%s.%s.%d" % (mechanism, seed, number)), mechanism,
                                          "%s-%s-%d" % (mechanism, seed, number))) for number in range(count)])


def draw_machines(folder, count, seed):
    """Their texts and paths."""
    texts = [pipeline_draw.machine(random.Random("machine.%s.%d" % (seed, number))) for number in range(count)]
    return texts, write(folder, [("machine", text) for text in texts])


def draw_asked(folder, machines, count, seed):
    draw_machines(os.path.join(folder, "machines"), machines, seed)
    draw_programs(os.path.join(folder, "drawn"), "drawn", count, seed, pipeline_draw.program_asked)
    for name, text in builtins():
        draw_programs(os.path.join(folder, name), family_of(Description(text).promises), count, seed, pipeline_draw.program_asked)


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
        found, _ = description.answer(description.explore(4000), columns, [])
        if found != wanted:
            failed += 1
            print("failed: %s (%s): missing %s, too many %s" % (program.name, why, sorted(wanted - found), sorted(found - wanted)))
    print("%d tests of the interpreter, %d failed" % (len(expected), failed))
    return len(expected) - failed, failed


def sum_of(results):
    return tuple(sum(result[i] for result in results) for i in range(2))


class Subject:
    """A machine of the program, built in or a file, with a pair of models and tests."""

    def __init__(self, crashlit, machine, text, pair, tests):
        self.crashlit, self.machine, self.description, self.pair, self.tests = crashlit, machine, Description(text), pair, tests
        self.questions = []

    def ask(self, *options):
        return ask(self.crashlit, self.tests, "-e", "machine", "--machine", self.machine, *pair_options(self.pair), *options)

    def question(self, most):
        self.questions = [Question(self.description, *about, most) for about in self.ask()]
        return self.questions

    def shows(self, fault):
        """The first test on which the machine with this fault differs from the interpreter."""
        for question, (_, record, _) in zip(self.questions, self.ask("--fault", fault, "--max-states", str(FAULTY_STATES))):  # none where it has no such block
            if question.differs(record):
                return question.test
        return None


def builtin_subjects(crashlit, folder, seed):
    """Each built-in machine on the tests that its names stand for, and on random programs."""
    for name, text in builtins():
        promises = Description(text).promises
        family = family_of(promises)
        tests = sorted(test for corpus in CORPORA[family] for test in glob.glob("litmus/%s/*.litmus" % corpus))
        tests += draw_programs(os.path.join(folder, name), family, BUILTIN_PROGRAMS, seed)
        yield Subject(crashlit, name, text, promises, tests)


def drawn_subjects(crashlit, folder, count, seed):
    """Random machines, each with some random programs."""
    texts, machines = draw_machines(os.path.join(folder, "machines"), count, seed)
    tests = draw_programs(os.path.join(folder, "drawn"), "drawn", PROGRAMS * count, seed)
    for number, (machine, text) in enumerate(zip(machines, texts)):
        yield Subject(crashlit, machine, text, "sc + none", tests[PROGRAMS * number:PROGRAMS * (number + 1)])


def check_faults(crashlit, subjects):
    results = []
    for fault in faults_of(crashlit):
        found = next((subject.machine + " " + test for subject in subjects for test in [subject.shows(fault)] if test), None)
        print("fault %s: %s" % (fault, "seen on %s" % found if found else "failed: nothing shows it"))
        results.append((bool(found), not found))
    return sum_of(results or [(0, 1)])


def held(crashlit, name, pair, tests, count):
    """What a machine shows on tests is allowed by a pair of models. (passed, failed)"""
    status, out, _ = run([crashlit, "crosscheck", "-j", "2", "-e", "machine", "--machine", name, "--max-states", "100000",
                          "--timeout", "20", *pair_options(pair), *tests])
    summary = re.search(r"^Machines: (\d+) contained, (\d+) outside, (\d+) undefined, (\d+) partly.*$", out, re.M)
    contained, outside, undefined, partly = map(int, summary.groups()) if summary else (0, 1, 0, 0)
    print("%s under %s: %s" % (name, pair, summary.group(0) if summary else "no summary"))
    # Programs that race are undefined, and few have more states than are kept; what is left has to be most.
    if status in (0, 3) and outside == 0 and contained >= count * 0.6 and partly <= max(1, count // 20):
        return contained, 0
    print("failed: %s (status %d)\n%s" % (name, status, out[:3000]))
    return contained, max(1, outside)


def contain(crashlit, folder, count, seed):
    """What each built-in machine shows, on random programs of its mechanism. (passed, failed)"""
    results = []
    for name, text in builtins():
        promises = Description(text).promises
        draw_programs(os.path.join(folder, name), family_of(promises), count, seed)
        for pair in promises.split(","):
            results.append(held(crashlit, name, pair.strip(), [os.path.join(folder, name)], count))
    return sum_of(results)


def compare(crashlit, folder, count, most, seed):
    """The program's machines and the interpreter. (passed, failed)"""
    known = list(builtin_subjects(crashlit, folder, seed))
    drawn = list(drawn_subjects(crashlit, folder, count, seed))
    answer([question for subject in known + drawn for question in subject.question(most)])
    results = [check_interpreter(crashlit, folder)] + [tell(subject.machine, subject.questions) for subject in known]
    results.append(tell("%d random machines (seed %s)" % (count, seed), [question for subject in drawn for question in subject.questions]))
    return sum_of(results + [check_faults(crashlit, drawn + known)])


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
    if command == "asked":
        folder, machines, count, seed = arguments
        draw_asked(folder, int(machines), int(count), seed)
        return 0
    if command == "states":
        states(*arguments)
        return 0
    crashlit, work, count, seed, *extent = arguments
    most, programs_of_each = (4000, 5000) if extent else (400, 100)
    folder = os.path.join(work, "pipelines")
    done = []
    if command != "contain":
        done.append(compare(crashlit, folder, int(count), most, seed))
    if command != "compare":
        done.append(contain(crashlit, os.path.join(folder, "contain"), programs_of_each, seed))
    passed, failed = sum_of(done)
    print("%d passed, %d failed" % (passed, failed))
    return 1 if failed or not passed else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
