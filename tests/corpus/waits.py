"""waits.py PROGRAM WORK COUNT SEED: waits within waits, and what a crash shows of their registers, against an interleaver.

Work-items store, load, exchange, compute, branch, count and wait in loops up to three deep, under sc + none and on the machine
nvw-fifo. The interleaver here steps through all their states, each a memory, a place and registers for each work-item, so it
needs no bound and leaves no iteration out. What is computed takes effect with the access before it (semantics.md,
"Registers"). Its states have to be those of each engine; where a loop of an engine met its bound, they have to include them.
smt is asked about every third program, since lists of states take it long.

The programs get plain accesses to x here and there, and are asked again: is there a race? In the interleaver there is one where
two work-items are about to access x, one of them to store. All else is memory_order_seq_cst of one scope, so that is a race
of hrf-direct, too (Adve and Hill, ISCA 1990: races of sequentially consistent executions are all that there are).

Each program is asked once more, for a store behind its loops. Where the answer says that a work-item never gets past a loop, or
waits there in vain, it has to come to that loop in the interleaver, and never to leave it, and no execution ends. What is said of
stores to the location is counted.
"""
import json
import os
import random
import re
import shutil
import subprocess
import sys

LOCATIONS = "fgh"
ENGINES = (("enum", ["-m", "sc", "-p", "none"], 1), ("smt", ["-m", "sc", "-p", "none"], 3),
           ("machine", ["--machine", "nvw-fifo"], 1))  # and which part of the programs


# ---- Programs: a block is a list of statements, a statement a tuple ----

class Draw:
    def __init__(self, rng):
        self.rng = rng
        self.registers = []

    def register(self):
        if not self.registers or self.rng.random() < 0.4:
            self.registers.append("r%d" % len(self.registers))
            return self.registers[-1]
        return self.rng.choice(self.registers)

    def read(self):
        location, register = self.rng.choice(LOCATIONS), self.register()
        if self.rng.random() < 0.1:
            return ("fetch_xor", register, location, 1)
        if self.rng.random() < 0.1:
            return ("exchange", register, location, self.rng.choice((0, 1)))
        return ("load", register, location)

    def other_loop(self, depth):
        """One that counts its tries, that is left by a break, or that counts up to what was read."""
        kind = self.rng.choice(("tries", "break", "upto"))
        if kind == "tries":
            return (kind, self.register(), self.rng.choice((2, 3)), self.rng.choice(LOCATIONS), [self.statement(depth - 1)])
        read = self.read()
        if kind == "upto":
            self.registers.append("r%d" % len(self.registers))
            return (kind, self.registers[-1], read)
        return (kind, read, (read[1], "==", self.rng.choice((0, 1))), [self.statement(depth - 1)], [self.statement(depth - 1)])

    def loop(self, depth):
        if self.rng.random() < 0.25:
            return self.other_loop(depth)
        body = [self.statement(depth - 1) for _ in range(self.rng.choice((0, 1, 1, 2)))]
        if depth > 1 and self.rng.random() < 0.7:
            body.append(self.loop(depth - 1))
        read = self.read()
        body.append(read)
        if self.rng.random() < 0.3:
            body.append(("set", self.register(), self.rng.choice((1, 2))))
        test = (read[1], self.rng.choice(("==", "!=")), self.rng.choice((0, 1)))
        return ("do", body, test) if self.rng.random() < 0.8 else ("while", body, test)

    def statement(self, depth):
        kind = self.rng.random()
        if kind < 0.4:
            return ("set", self.register(), self.rng.choice((1, 2)))
        if kind < 0.7 or depth < 1:
            return self.read()
        if kind < 0.9:
            read = self.read()
            return ("if", read, (read[1], "==", 1), [self.statement(depth - 1)], [self.statement(depth - 1)])
        return ("store", self.rng.choice(LOCATIONS), self.rng.choice((0, 1)))


def program(rng):
    """Blocks and registers of each work-item: one that stores, and one or two that wait."""
    items = [([("store", rng.choice(LOCATIONS), rng.choice((0, 1))) for _ in range(rng.choice((1, 2, 2, 2, 3)))], [])]
    for _ in range(rng.choice((1, 1, 1, 2))):
        draw = Draw(rng)
        block = [draw.loop(rng.choice((1, 2, 2, 2, 3)))]
        if rng.random() < 0.4:
            block.append(draw.statement(0))
        items.append((block, draw.registers))
    return items


# ---- As a test ----

def text_of(block):
    rows = []
    for statement in block:
        kind = statement[0]
        if kind == "set":
            rows.append("%s = %d;" % statement[1:])
        elif kind == "load":
            rows.append("%s = %s.load(mo_sc, dev_scope);" % statement[1:])
        elif kind in ("exchange", "fetch_xor"):
            rows.append("%s = %s.%s(%d, mo_sc, dev_scope);" % (statement[1], statement[2], kind, statement[3]))
        elif kind == "store":
            rows.append("%s.store(%d, mo_sc, dev_scope);" % statement[1:])
        elif kind == "plain load":
            rows.append("%s = *x;" % statement[1])
        elif kind == "plain store":
            rows.append("*x = %d;" % statement[1])
        elif kind == "if":
            rows += text_of([statement[1]])
            rows.append("if (%s %s %d) { %s } else { %s }" % (*statement[2], " ".join(text_of(statement[3])),
                                                             " ".join(text_of(statement[4]))))
        elif kind == "do":
            rows.append("do { %s } while (%s %s %d);" % (" ".join(text_of(statement[1])), *statement[2]))
        elif kind == "tries":
            rows.append("%s = 0; while (%s < %d && !%s.load(mo_sc, dev_scope)) { %s = %s + 1; %s }" %
                        (statement[1], *statement[1:4], statement[1], statement[1], " ".join(text_of(statement[4]))))
        elif kind == "break":
            rows.append("while (1) { %s if (%s %s %d) break; %s }" %
                        (" ".join(text_of([statement[1]] + statement[3])), *statement[2], " ".join(text_of(statement[4]))))
        elif kind == "upto":
            rows += text_of([statement[2], ("set", statement[1], 0)])
            rows.append("while (%s != %s) { %s = %s + 1; }" % (statement[1], statement[2][1], statement[1], statement[1]))
        else:  # the body once, then the loop with its test first
            body = " ".join(text_of(statement[1]))
            rows.append("%s while (%s %s %d) { %s }" % (body, *statement[2], body))
    return rows


def test_of(items, condition):
    """Each condition of a loop stands on a line of its own."""
    names = LOCATIONS + "y"
    parameters = ", ".join(["global atomic_int* %s" % name for name in names] + ["global int* x"])
    atomics = " ".join(("nvm " if name == "y" else "") + "atomic_int %s = 0;" % name for name in names)
    rows = ["OPENCL waits", "{ %s int x = 0; }" % atomics]
    for number, (block, registers) in enumerate(items):
        declared = ["int %s;" % register for register in registers]
        rows.append("P%d@wg %d (%s) { %s }" % (number, number, parameters, "\n  ".join(declared + text_of(block))))
    return "\n".join(rows + ["crash " + condition]).replace("while (", "while (\n") + "\n"


# ---- The interleaver ----

def lower_tests(code, loops, tests, body):
    """A loop from here on: ("test", condition, place) goes on at the place where the condition is not met."""
    top, number, places = len(code), len(loops), []
    loops.append(None)
    for test in tests:
        if isinstance(test[0], tuple):
            code.append(test[0])
            test = test[1:]
        places.append((len(code), test))
        code.append(None)
    lower(body, code, loops)
    code.append(("jump", top))
    for place, test in places:
        code[place] = ("test", test, len(code))
    loops[number] = (top, len(code))


def lower_loop(statement, code, loops):
    kind, register = statement[:2]
    if kind == "while":
        lower(statement[1], code, loops)
        lower_tests(code, loops, [statement[2]], statement[1])
    elif kind == "do":
        top = len(code)
        lower(statement[1], code, loops)
        code += [("test", statement[2], len(code) + 2), ("jump", top)]
        loops.append((top, len(code)))
    elif kind == "tries":
        code.append(("set", register, 0))
        tests = [(register, "<", statement[2]), (("load", "%", statement[3]), "%", "==", 0)]
        lower_tests(code, loops, tests, [("add", register)] + statement[4])
    elif kind == "upto":
        lower([statement[2], ("set", register, 0)], code, loops)
        lower_tests(code, loops, [(register, "!=", statement[2][1])], [("add", register)])
    else:  # left by a break in its middle
        top, number = len(code), len(loops)
        loops.append(None)
        lower([register] + statement[3], code, loops)
        place = len(code)
        code.append(None)
        lower(statement[4], code, loops)
        code.append(("jump", top))
        code[place] = ("test", (statement[2][0], "!=", statement[2][2]), len(code))
        loops[number] = (top, len(code))


def lower(block, code, loops):
    """Instructions, and where the code of each loop begins and ends, in the order of their conditions in the text."""
    for statement in block:
        if statement[0] == "if":
            code.append(statement[1])
            branch = len(code)
            code.append(None)
            lower(statement[3], code, loops)
            code.append(None)
            code[branch] = ("test", statement[2], len(code))
            lower(statement[4], code, loops)
            code[code[branch][2] - 1] = ("jump", len(code))
        elif statement[0] in ("do", "while", "tries", "break", "upto"):
            lower_loop(statement, code, loops)
        else:
            code.append(statement)
    return code


def holds(test, registers):
    value = registers[test[0]]
    other = registers[test[2]] if isinstance(test[2], str) else test[2]
    return value < other if test[1] == "<" else (value == other) == (test[1] == "==")


def settle(code, place, registers, trail):
    """Goes on to the next access. The trail has all places on the way."""
    trail.append(place)
    while place < len(code) and code[place][0] in ("set", "add", "test", "jump"):
        row = code[place]
        place += 1
        if row[0] == "set":
            registers[row[1]] = row[2]
        elif row[0] == "add":
            registers[row[1]] += 1
        elif row[0] == "jump":
            place = row[1]
        elif not holds(row[1], registers):
            place = row[2]
        trail.append(place)
    return place, tuple(sorted(registers.items()))


def step(code, item, memory, trail):
    place, registers = item[0], dict(item[1])
    trail.append(place)
    row, after = code[place], dict(memory)
    if row[0] == "store":
        after[row[1]] = row[2]
    elif row[0] == "plain store":
        after["x"] = row[1]
    elif row[0] == "plain load":
        registers[row[1]] = after["x"]
    else:
        registers[row[1]] = after[row[2]]
        if row[0] == "exchange":
            after[row[2]] = row[3]
        elif row[0] == "fetch_xor":
            after[row[2]] ^= row[3]
    return settle(code, place + 1, registers, trail), tuple(sorted(after.items()))


class Reachable:
    """The values of `shown` in all states; per work-item the loops that it comes to, and leaves; whether all may end; whether x
    is raced for."""

    def __init__(self, items, shown):
        self.loops = [[] for _ in items]
        codes = [lower(block, [], loops) for (block, _), loops in zip(items, self.loops)]
        self.found, self.came, self.left, self.ends, self.races = set(), set(), set(), False, False
        begin = []
        for number, code in enumerate(codes):
            trail = []
            begin.append(settle(code, 0, {}, trail))
            self.note(number, trail)
        start = (tuple(begin), tuple((name, 0) for name in LOCATIONS + "yx"))
        seen, open_states = {start}, [start]
        while open_states:
            threads, memory = open_states.pop()
            self.found.add(tuple(dict(threads[thread][1]).get(register) for thread, register in shown))
            ahead = [code[item[0]][0] for item, code in zip(threads, codes) if item[0] < len(code)]
            self.races |= "plain store" in ahead and sum(kind.startswith("plain") for kind in ahead) > 1
            self.ends |= all(item[0] == len(code) for item, code in zip(threads, codes))
            for number, code in enumerate(codes):
                if threads[number][0] == len(code):
                    continue
                trail = []
                item, after = step(code, threads[number], memory, trail)
                self.note(number, trail)
                state = (threads[:number] + (item,) + threads[number + 1:], after)
                if state not in seen:
                    seen.add(state)
                    open_states.append(state)

    def note(self, number, trail):
        for loop, (begin, end) in enumerate(self.loops[number]):
            within = [begin <= place < end for place in trail]
            if any(within):
                self.came.add((number, loop))
            if any(a and not b for a, b in zip(within, within[1:])):
                self.left.add((number, loop))


# ---- Who waits in vain ----

def said_wrongly(text, words, items):
    """What the words say of loops, and of stores, that is not so."""
    states, rows, wrong = Reachable(items, []), text.split("\n"), []
    for number, line in re.findall(r"P(\d+) (?:never gets past its loop|waits in vain) at line (\d+)", words):
        first = next(i for i, row in enumerate(rows) if row.startswith("P%s@" % number))
        loop = (int(number), sum(row.endswith("while (") for row in rows[first:int(line) - 1]) - 1)
        if states.ends or loop not in states.came or loop in states.left:
            wrong.append("P%s line %s" % (number, line))
    for said, count in (("no work-item stores", 0), ("nothing else stores", 1), ("the only store", 1), ("the only other store", 2)):
        for name in re.findall(said + r" to (\w)\b(?! that)", words):
            if len(re.findall(r"\b%s\.(?:store|exchange|fetch)" % name, text)) != count:
                wrong.append("%s to %s" % (said, name))
    return wrong


def check_vain(crashlit, folder, programs):
    os.makedirs(folder)
    asked = {}
    for name, items in programs.items():
        items = items[:1] + [(block + [("store", "y", 1)], registers) for block, registers in items[1:]]
        asked[name] = (items, test_of(items, "~exists (y = 1)"))
        with open(os.path.join(folder, name), "w") as file:
            file.write(asked[name][1])
    answers = records(crashlit, "enum", ["-m", "sc", "-p", "epoch"], [os.path.join(folder, name) for name in asked])
    said = failed = 0
    for name, (items, text) in asked.items():
        words = answers[name]["words"]
        if answers[name]["conditions"][0].get("vacuous") != "waits":
            continue
        wrong = said_wrongly(text, words, items)
        said += 1
        failed += bool(wrong)
        if wrong:
            print("failed: %s/%s: %s: %s" % (folder, name, words, ", ".join(wrong)))
    print("%d of %d are said to wait in vain" % (said, len(asked)))
    return said - failed, failed


# ---- Races ----

def sown(rng, block, item, part):
    """The block with plain accesses in it: the first work-item mostly stores, the others mostly load."""
    rows = []
    for statement in block + [None]:
        if rng.random() < part:
            stores = rng.random() < (0.8 if item == 0 else 0.25)
            rows.append(("plain store", rng.choice((1, 2))) if stores else ("plain load", "p"))
        if statement:
            rows.append(tuple(sown(rng, piece, item, part) if isinstance(piece, list) else piece for piece in statement))
    return rows


def check_races(crashlit, folder, programs, seed):
    os.makedirs(folder)
    races = {}
    for name, items in programs.items():
        rng = random.Random("%d.%s" % (seed, name))
        part = rng.choice((0.1, 0.2, 0.3))
        items = [(sown(rng, block, item, part if item else 0.4), registers + ["p"])
                 for item, (block, registers) in enumerate(items)]
        races[name] = Reachable(items, []).races
        with open(os.path.join(folder, name), "w") as file:
            file.write(test_of(items, "exists (y = 0)"))
    told = failed = 0
    for engine, part in (("enum", 1), ("smt", 3)):
        names = sorted(races)[::part]
        answers = records(crashlit, engine, ["-m", "hrf-direct", "-p", "none"], [os.path.join(folder, name) for name in names])
        for name in names:
            verdict, doubt = answers[name]["verdict"], answers[name].get("doubt")
            wrong = (verdict == "undefined") != races[name] and not (races[name] and (doubt or verdict == "unknown"))
            told += verdict != "unknown" and not wrong
            failed += wrong
            if wrong:
                print("failed: %s, %s/%s: %s" % (engine, folder, name, "a race" if races[name] else "no race"))
    print("%d of %d programs race" % (sum(races.values()), len(races)))
    failed += told < len(races)
    return told, failed


# ---- The whole ----

def records(crashlit, engine, models, files):
    done = subprocess.run([crashlit, "check", "-e", engine, *models, "--states", "--format", "json", "-j", "2", "--timeout", "5",
                           *files], stdout=subprocess.PIPE, timeout=1500)
    return {os.path.basename(record["file"]): record for record in map(json.loads, done.stdout.splitlines())}


def main(crashlit, folder, count, seed):
    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(folder)
    wanted, programs = {}, {}
    for number in range(count):
        rng = random.Random("%d.%d" % (seed, number))
        items = program(rng)
        places = [(thread, register) for thread, item in enumerate(items) for register in item[1]]
        shown = sorted(rng.sample(places, min(len(places), rng.choice((2, 2, 3, 4)))))
        name = "%05d.litmus" % number
        with open(os.path.join(folder, name), "w") as file:
            file.write(test_of(items, "exists (%s)" % " /\\ ".join("%d:%s = 1" % place for place in shown)))
        wanted[name] = (Reachable(items, shown).found, ["%d:%s" % place for place in shown])
        programs[name] = items
    passed, failed = check_vain(crashlit, os.path.join(folder, "vain"), programs)
    told, wrong = check_races(crashlit, os.path.join(folder, "races"), programs, seed)
    passed, failed = passed + told, failed + wrong
    for engine, models, part in ENGINES:
        names = sorted(wanted)[::part]
        answers, exact, partial = records(crashlit, engine, models, [os.path.join(folder, name) for name in names]), 0, 0
        for name in names:
            record, (states, columns) = answers[name], wanted[name]
            if "crash_states" not in record:
                failed += 1
                print("failed: %s, %s/%s: no list" % (engine, folder, name))
                continue
            found = {tuple(state[column] for column in columns) for state in record["crash_states"]}
            whole = not record.get("doubt")
            if (found == states) if whole else found <= states:
                exact += whole
                partial += not whole
            else:
                failed += 1
                print("failed: %s, %s/%s: too many %s, missing %s" %
                      (engine, folder, name, sorted(map(str, found - states)), sorted(map(str, states - found))))
        print("%s: %d lists are the interleaver's, %d up to a bound are part of it" % (engine, exact, partial))
        failed += exact < len(names) // 2
        passed += exact + partial
    print("%d passed, %d failed" % (passed, failed))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], os.path.join(sys.argv[2], "waits"), int(sys.argv[3]), int(sys.argv[4])))
