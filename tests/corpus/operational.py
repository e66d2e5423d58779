"""operational.py PROGRAM WORK COUNT SEED: engines, with thresholds usual and least, against machines that execute programs step by step.

ALIKE: two or three work-items that run the same code on locations of their own, and contend for a counter and a shared location, beside one
whose stores multiply the crash states; recovery moves values between locations. Executions are interleavings, and a store becomes durable
in a step of its own, once what it has to follow is durable: under none the stores to its location before it; under epoch and buffered-epoch
what conflicts with an access or is before a barrier of its thread, in the order in which it was executed (Pelley, Chen, Wenisch: ISCA 2014,
persistent memory order), and under epoch a barrier waits for its thread's stores; under strict nobody executes behind a store, or looks at its
location, before it is durable.

PX86: the operational Px86 of Raad, Wickerson, Neiger, Vafeiadis (POPL 2020): a buffer a thread, from which what may overtake goes to memory and
to one persistent buffer; from there stores become durable in the order of their lines and behind flushes.

Each program is answered in several ways (WAYS), all states listed or conditions decided. Half of the conditions are of states that the machine
leaves, half of others. Each way's answer to a program is a comparison. Under each model both kinds of conditions have to be there.
"""
import itertools
import json
import os
import random
import subprocess
import sys

from mechanisms import LOCATIONS, keeps, px86_program, px86_text, reached, replaced, write_tests

LEAST = ["--thresholds", "least"]
WAYS = {"enum listed": ["-e", "enum", "--states"],
        "enum listed, least": ["-e", "enum", "--states"] + LEAST,
        "enum listed, least, no symmetry": ["-e", "enum", "--states", "--no-symmetry"] + LEAST,
        "smt listed, least": ["-e", "smt", "--states"] + LEAST,
        "default": [],
        "default, least": LEAST,
        "enum decided, least": ["-e", "enum", "--decide"] + LEAST,
        "smt decided, least": ["-e", "smt", "--decide"] + LEAST}
MOST_STATES = 40000     # of a machine; a program with more is passed over, and counted
NOTHING = frozenset()


# ---- ALIKE: a thread is a list of (guard, kind, ..); a guard is what the counter has to have given, or None. ----

def alike_body(rng):
    """The code of those that are alike; "own" is the work-item's own location."""
    guard = rng.choice((None, 0, 0, 1))
    value = lambda: rng.choice((1, 1, 2, "v"))
    inner = [("store", rng.choice(("own", "own", "s")), value()), ("barrier",), ("load", rng.choice(("own", "s"))),
             ("store", rng.choice(("own", "s")), value()), ("barrier",)]
    inner = [statement for statement in inner if rng.random() < 0.7]
    return [(None, "add")] + [(guard,) + statement for statement in inner]


def alike_program(rng):
    """Threads, and recovery: moves of a constant or a location's value to a location, where others have the values of guards."""
    count, stores = rng.choice(((2, 2), (2, 3), (3, 1)))
    body, beside = alike_body(rng), []
    for i in range(stores):
        beside += [(None, "store", "t[%d]" % i, 1)] + ([(None, "barrier")] if rng.random() < 0.3 else [])
    threads = [[tuple("a[%d]" % i if part == "own" else part for part in statement) for statement in body] for i in range(count)]
    places = ["a[%d]" % i for i in range(count)] + ["s", "r"]
    moves = [([(rng.choice(places), rng.choice((0, 1, 2))) for _ in range(rng.choice((0, 1, 2)))], rng.choice(places),
              rng.choice((1, 3, rng.choice(places)))) for _ in range(rng.choice((1, 2, 2)))]
    return threads + [beside], places + ["t[%d]" % i for i in range(stores)], moves


def recover(moves, state):
    state = dict(state)
    for guards, target, what in moves:
        if all(state[x] == value for x, value in guards):
            state[target] = state.get(what, what)
    return state


def after(state, t, access, place, writes):
    """What is before an access in the persistent memory order, and that order's part of the state behind it: of each thread
    what is before its last barrier, and before its place; of each location what its writes, and its reads, have before them, themselves
    among it."""
    fenced, passed, written, read = state
    before = fenced[t] | written.get(access, NOTHING) | (read.get(access, NOTHING) if writes else NOTHING)
    behind = before | ({place} if writes and access != "n" else NOTHING)
    table = dict(written if writes else read)
    table[access] = table.get(access, NOTHING) | behind
    return before, (fenced, replaced(passed, t, passed[t] | behind), table if writes else written, read if writes else table)


def frozen(tables):
    return tables[0], tables[1], frozenset(tables[2].items()), frozenset(tables[3].items())


class Alike:
    """A state has the threads' places and registers, the stores of each location in their order (number, value, and what has to be durable
    first), which stores are durable, how far the counter is, and the persistent memory order."""

    def __init__(self, program, model):
        self.threads, self.places, self.moves = program
        self.model = model

    def first(self):
        none = (NOTHING,) * len(self.threads)
        return ((0,) * len(self.threads), ((None, 0),) * len(self.threads), ((),) * len(self.places), NOTHING, 0, (none, none, NOTHING, NOTHING))

    def steps(self, state):
        places, registers, memory, durable, count, order = state
        for stores in memory:
            for number, _, before in stores:
                if number not in durable and before <= durable:
                    yield places, registers, memory, durable | {number}, count, order
        for t, thread in enumerate(self.threads):
            if places[t] < len(thread):
                yield from self.execute(state, t, thread[places[t]])

    def is_held_up(self, state, t, statement):
        places, _, memory, durable, _, _ = state
        pending = [store for x, stores in zip(self.places, memory) for store in stores if store[0] not in durable and
                   (store[0][0] == t or statement[1] in ("load", "store") and statement[2] == x)]
        mine = any(store[0][0] == t for store in pending)
        return self.model == "strict" and bool(pending) or self.model == "epoch" and statement[1] == "barrier" and mine

    def execute(self, state, t, statement):
        places, registers, memory, durable, count, order = state
        order = order[0], order[1], dict(order[2]), dict(order[3])
        here, on = (t, places[t]), replaced(places, t, places[t] + 1)
        given, value = registers[t]
        if statement[0] is not None and statement[0] != given:
            yield on, registers, memory, durable, count, frozen(order)
        elif self.is_held_up(state, t, statement):
            return
        elif statement[1] == "barrier":
            order = replaced(order[0], t, order[0][t] | order[1][t]), order[1], order[2], order[3]
            yield on, registers, memory, durable, count, frozen(order)
        elif statement[1] == "add":
            order = after(order, t, "n", here, True)[1]
            yield on, replaced(registers, t, (count, value)), memory, durable, count + 1, frozen(order)
        else:
            x = self.places.index(statement[2])
            stores = memory[x]
            before, order = after(order, t, statement[2], here, statement[1] == "store")
            if statement[1] == "load":
                registers = replaced(registers, t, (given, stores[-1][1] if stores else 0))
            else:
                before = before if self.model in ("epoch", "buffered-epoch") else frozenset(number for number, _, _ in stores)
                stored = value if statement[3] == "v" else statement[3]
                memory = replaced(memory, x, stores + ((here, stored, before),))
            yield on, registers, memory, durable, count, frozen(order)

    def left(self):
        """What a crash leaves, and what recovery makes of it; None: too much to look at."""
        states = reached(self.first(), self.steps, MOST_STATES)
        if states is None:
            return None
        crash = {tuple(([0] + [value for number, value, _ in stores if number in durable])[-1] for stores in memory)
                 for _, _, memory, durable, _, _ in states}
        back = [recover(self.moves, zip(self.places, state)) for state in crash]
        return {"crash": crash, "recovered": {tuple(state[x] for x in self.places) for state in back}}


ALIKE_TEXT = {"add": "o = n.fetch_add(1);", "barrier": "p_barrier_wi;", "load": "v = {2};", "store": "{2} = {3};"}


def alike_text(machine):
    threads, places, moves = machine.threads, machine.places, machine.moves
    sizes = {name: sum(x.startswith(name) for x in places) for name in "at"}
    rows = ["OPENCL operational", "{ nvm a[%d]; nvm s = 0; nvm r = 0; nvm t[%d]; atomic_int n = 0; }" % (sizes["a"], sizes["t"])]
    for t, thread in enumerate(threads):
        rows += ["P%d@wg %d {" % (t, t == len(threads) - 1), "  int o = 0; int v = 0;"]
        for statement in thread:
            text = ALIKE_TEXT[statement[1]].format(*statement)
            rows += ["  " + (text if statement[0] is None else "if (o == %d) { %s }" % (statement[0], text))]
        rows += ["}"]
    rows += ["recovery {"]
    for guards, target, what in moves:
        guard = " && ".join("%s == %d" % g for g in guards)
        rows += ["  " + ("if (%s) { %s = %s; }" if guards else "%s%s = %s;") % (guard, target, what)]
    return "\n".join(rows + ["}"]) + "\n"


# ---- PX86: events as in mechanisms.py. A state has places and registers, the threads' buffers, memory, the persistent buffer (a location
# and value, or a flush of a location), and what is durable. ----

class Px86:
    def __init__(self, program, _):
        self.threads, self.lines = program
        self.places = list(LOCATIONS)

    def first(self):
        nobody = ((),) * len(self.threads)
        zeros = tuple((x, 0) for x in LOCATIONS)
        return (0,) * len(self.threads), nobody, nobody, zeros, (), zeros

    def steps(self, state):
        places, registers, buffers, memory, pending, durable = state
        for i, entry in enumerate(pending):
            if not any(e[0] == "flush" or self.lines[e[1]] == self.lines[entry[1]] for e in pending[:i]):
                stored = durable if entry[0] == "flush" else tuple((x, entry[2] if x == entry[1] else v) for x, v in durable)
                yield places, registers, buffers, memory, pending[:i] + pending[i + 1:], stored
        for t, buffer in enumerate(buffers):
            for i, event in enumerate(buffer):
                if not any(keeps(e, event, self.lines, False) for e in buffer[:i]):
                    left = replaced(buffers, t, buffer[:i] + buffer[i + 1:])
                    yield (places, registers, left) + self.leave(event, memory, pending) + (durable,)
            if places[t] < len(self.threads[t]):
                yield from self.execute(state, t, self.threads[t][places[t]])

    def leave(self, event, memory, pending):
        """A store, or flush, becomes visible to all."""
        if event[0] in ("FO", "FL"):
            return memory, pending + (("flush", event[1]),)
        if event[0] == "SF":
            return memory, pending
        return tuple((x, event[2] if x == event[1] else v) for x, v in memory), pending + (("store", event[1], event[2]),)

    def execute(self, state, t, event):
        places, registers, buffers, memory, pending, durable = state
        on, buffer = replaced(places, t, places[t] + 1), buffers[t]
        if event[0] in ("MF", "U") and buffer:
            return
        if event[0] == "MF":
            yield on, registers, buffers, memory, pending, durable
        elif event[0] == "U":
            memory, pending = self.leave(event, memory, pending)
            yield on, registers, buffers, memory, pending, durable
        elif event[0] == "R":
            stores = [e[2] for e in buffer if e[0] == "W" and e[1] == event[1]]
            value = stores[-1] if stores else dict(memory)[event[1]]
            yield on, replaced(registers, t, registers[t] + ((event[2], value),)), buffers, memory, pending, durable
        else:
            if event[0] == "W" and isinstance(event[2], str):
                event = ("W", event[1], dict(registers[t])[event[2]])
            yield on, registers, replaced(buffers, t, buffer + (event,)), memory, pending, durable

    def left(self):
        states = reached(self.first(), self.steps, MOST_STATES)
        return states and {"crash": {tuple(v for _, v in state[5]) for state in states}}


def px86_start(machine):
    text = px86_text((machine.threads, machine.lines))
    return text[:text.index("crash")]


# ---- Comparison ----

def asked(rng, left, places):
    """Conditions, each with whether some state meets it."""
    rows = []
    for kind, states in left.items():
        some = sorted(states)
        values = [sorted({state[i] for state in some}) for i in range(len(places))]
        others = [tuple(map(rng.choice, values)) for _ in range(3)]
        for state in rng.sample(some, min(3, len(some))) + [state for state in others if state not in states]:
            text = " /\\ ".join("%s = %d" % pair for pair in zip(places, state))
            rows.append(("%s exists (%s)" % (kind, text), state in states))
    return rows


def answers(crashlit, model, way, folder):
    command = [crashlit, "check", "--format", "json", "-j", "2", "-m", model[0], "-p", model[1]] + WAYS[way] + [folder]
    done = subprocess.run(command, stdout=subprocess.PIPE, timeout=3000)
    records = [json.loads(line) for line in done.stdout.splitlines()]
    return {os.path.basename(record["file"]): record for record in records if "conditions" in record}


def states_of(told, places):
    """The states that a record has, as a list or in product form."""
    if isinstance(told, list):
        return {tuple(state[x] for x in places) for state in told}
    states = set()
    for boxes in itertools.product(*told["product"]):
        box = {x: values for part in boxes for x, values in part.items()}
        states.update(itertools.product(*(box[x] for x in places)))
    return states


def fault(record, left, rows, places, listed):
    """What an answer has otherwise than the machine, or None."""
    if record is None:
        return "no answer"
    for kind in left if listed else ():
        found = states_of(record[kind + "_states"], places)
        if found != left[kind]:
            return "%s states: machine alone %s, engine alone %s" % (kind, sorted(left[kind] - found), sorted(found - left[kind]))
    for (text, wanted), condition in zip(rows, record["conditions"]):
        if condition["verdict"] != ("ok" if wanted else "violated"):
            return "%s: %s, and the machine says %s" % (text, condition["verdict"], wanted)
    return None


def compare(crashlit, model, folder, machines, text, rng):
    """Returns how many answers agree, and how many do not."""
    lefts = [machine.left() for machine in machines]
    kept = [(machine, left, asked(rng, left, machine.places)) for machine, left in zip(machines, lefts) if left]
    folder = os.path.join(folder, model[1])
    write_tests(folder, [text(machine) + "\n".join(row for row, _ in rows) + "\n" for machine, _, rows in kept])
    passed = failed = 0
    for way in WAYS:
        records = answers(crashlit, model, way, folder)
        for number, (machine, left, rows) in enumerate(kept):
            wrong = fault(records.get("%05d.litmus" % number), left, rows, machine.places, "listed" in way)
            passed, failed = passed + (wrong is None), failed + (wrong is not None)
            if wrong:
                print("failed: %s, %s, %s/%05d.litmus: %s" % (model[1], way, folder, number, wrong))
    print("%s: %d programs of %d, each in %d ways" % (model[1], len(kept), len(machines), len(WAYS)))
    if {wanted for _, _, rows in kept for _, wanted in rows} != {True, False}:
        failed += 1
        print("failed: %s: no condition of a state that is left, or none of another" % model[1])
    return passed, failed


# Programs, machines of the models, and texts without conditions.
PARTS = {"alike": (alike_program, Alike, "sc", ("none", "buffered-epoch", "epoch", "strict"), alike_text),
         "px86": (px86_program, Px86, "tso", ("px86", "px86-sync"), px86_start)}


def main(crashlit, folder, count, seed):
    passed = failed = 0
    for name, (program, machine, visibility, models, text) in PARTS.items():
        programs = [program(random.Random("%s.%d.%d" % (name, seed, number))) for number in range(count)]
        for model in models:
            rng = random.Random("%s.%d" % (model, seed))
            good, bad = compare(crashlit, (visibility, model), os.path.join(folder, name), [machine(p, model) for p in programs], text, rng)
            passed, failed = passed + good, failed + bad
    print("%d passed, %d failed" % (passed, failed))
    return 1 if failed or not passed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], os.path.join(sys.argv[2], "operational"), int(sys.argv[3]), int(sys.argv[4])))
