#!/usr/bin/env python3
"""Who waits for ever? `property ends` against all interleavings.

ends.py CRASHLIT WORK COUNT SEED draws programs of two or three work-items that store, read, branch, wait for a
value and take what is free by an exchange. Under sc one waits for ever exactly where some interleaving comes to a
memory in which each has ended or waits, and somebody waits: what he reads there, he reads for ever. The enumerator
and the solver have to say which it is; a machine may find it, and never where there is none.
"""
import json
import os
import random
import subprocess
import sys

LOCATIONS = ["x", "y"]


def draw_step(draw):
    location, value = draw.choice(LOCATIONS), draw.randrange(3)
    return draw.choice([
        ("store", location, value),
        ("load", location, None),
        ("when", location, value),  # a store if the register has the value
        ("until", location, value),  # waits while the location has the value
        ("take", location, None),  # exchanges 1 until it finds 0
        ("take", location, None),
        ("store", location, 0),
    ])


def draw_program(draw):
    return [[draw_step(draw) for _ in range(draw.randrange(1, 5))] for _ in range(draw.randrange(2, 4))]


def text_of(step):
    kind, location, value = step
    return {
        "store": f"{location}.store({value});",
        "load": f"r = {location}.load();",
        "when": f"if (r == {value}) {{ {location}.store(1); }}",
        "until": f"while ({location}.load() == {value}) {{ }}",
        "take": f"while (atomic_exchange({location}, 1)) {{ }}",
    }[kind]


def write_test(path, name, program):
    lines = [f"OPENCL {name}", "{ atomic_int x = 0; atomic_int y = 0; }"]
    for number, steps in enumerate(program):
        lines += [f"P{number} (atomic_int* x, atomic_int* y) {{", "  int r = 0;"]
        lines += [f"  {text_of(step)}" for step in steps] + ["}"]
    with open(path, "w", encoding="utf-8") as file:
        file.write("\n".join(lines + ["property ends;", ""]))


def advance(step, memory, register):
    """How many steps further, and the memory and the register then; None: it waits."""
    kind, location, value = step
    if kind == "until":
        return (1, memory, register) if memory[location] != value else None
    if kind == "take":
        goes_on = memory[location] == 0
        return (int(goes_on), memory | {location: 1}, register) if memory[location] != 1 else None
    if kind == "load":
        return 1, memory, memory[location]
    if kind == "store":
        return 1, memory | {location: value}, register
    return 1, memory | {location: 1} if register == value else memory, register


def somebody_waits(program):
    """Is there an interleaving after which all have ended or wait, and somebody waits?"""
    start = ((0,) * len(program), (0,) * len(LOCATIONS), (0,) * len(program))
    known, left = {start}, [start]
    while left:
        places, values, registers = left.pop()
        memory, goes_on = dict(zip(LOCATIONS, values)), False
        for thread, steps in enumerate(program):
            after = places[thread] < len(steps) and advance(steps[places[thread]], memory, registers[thread])
            if not after:
                continue
            goes_on = True
            further, stored, register = after
            state = (places[:thread] + (places[thread] + further,) + places[thread + 1:],
                     tuple(stored[name] for name in LOCATIONS),
                     registers[:thread] + (register,) + registers[thread + 1:])
            if state not in known:
                known.add(state)
                left.append(state)
        if not goes_on and any(place < len(steps) for place, steps in zip(places, program)):
            return True
    return False


def verdict_of(crashlit, engine, path):
    command = [crashlit, "check", "--format", "json", "-e", engine, "-m", "sc", "-p", "strict", "--timeout", "60", path]
    output = subprocess.run(command, capture_output=True, text=True, check=False).stdout
    records = [json.loads(line) for line in output.splitlines() if line.startswith("{")]
    return next((record["verdict"] for record in records if "verdict" in record), "nothing")


def main():
    crashlit, work, count, seed = sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
    folder = os.path.join(work, "ends")
    os.makedirs(folder, exist_ok=True)
    draw = random.Random(seed)
    passed = failed = waiting = found = 0
    for number in range(count):
        program = draw_program(draw)
        path = os.path.join(folder, f"e{number}.litmus")
        write_test(path, f"e{number}", program)
        waits = somebody_waits(program)
        right = {"enum": {"violated" if waits else "ok"}, "smt": {"violated" if waits else "ok"},
                 "machine": {"violated", "unknown"} if waits else {"unknown"}}
        waiting += waits
        for engine, verdicts in right.items():
            verdict = verdict_of(crashlit, engine, path)
            found += engine == "machine" and verdict == "violated"
            passed += verdict in verdicts
            if verdict not in verdicts:
                failed += 1
                print(f"failed: {path}: {engine} says {verdict}, and it is {sorted(verdicts)}")
    enough = 0 < waiting < count and 2 * found > waiting
    passed, failed = passed + enough, failed + (not enough)
    print(f"in {waiting} of {count} programs somebody waits for ever; machines find {found} of these")
    print(f"{passed} passed, {failed} failed")
    return failed > 0


if __name__ == "__main__":
    sys.exit(main())
