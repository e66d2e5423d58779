"""mechanisms.py PROGRAM WORK COUNT SEED: the models of x86 and of Lin et al. against encodings that share nothing with them.

Px86 (Raad, Wickerson, Neiger, Vafeiadis: POPL 2020) is encoded as the paper defines it: every total order tso of all
events that keeps what its table of reorderings keeps, every set of stores that is closed under what nvo has to keep. The model
has partial orders and a choice instead. The memory that px86-sync leaves is that of px86 (Khyzha, Lahav: POPL 2021).

eADR is encoded as hardware (Owens, Sarkar, Sewell: TPHOLs 2009, with memory that survives): a store buffer for each thread, drained
from its oldest store on; mfence and locked operations wait until theirs is empty, and the latter store past it. A state has what
registers hold, too.

Lin et al. (PACT 2019) is encoded as hardware: an L2 for each device and a cache for the host (figure 1), from which lines move
to queues of the devices and on to memory, and threads with acknowledgements to wait for, one step at a time. All that it leaves
the model has to allow. The model may allow more where a clwb is not ordered with another thread's store, but seldom.

COUNT seeded random programs of two threads for each of the three. Each encoding is held to the other models as well,
which has to show differences: so the comparison can fail.
"""
import itertools
import json
import os
import random
import shutil
import subprocess
import sys

LOCATIONS = "xyz"

# ---- Px86: events are tuples, a kind and perhaps a location and a value ----

# What stays behind what: R read, W store, U read-modify-write, MF and SF fences, FO clwb and clflushopt, FL clflush.
PASSED = {("W", "R"), ("SF", "R"), ("FO", "R"), ("FL", "R"), ("FO", "W"), ("FO", "FO")}
WITHIN_A_LINE = {("W", "FO"), ("FO", "FL"), ("FL", "FO")}
MANUAL = {("R", "SF"), ("R", "FO"), ("R", "FL")}


def keeps(a, b, lines, manual):
    pair = (a[0], b[0])
    if pair in PASSED or manual and pair in MANUAL:
        return False
    return pair not in WITHIN_A_LINE or lines[a[1]] == lines[b[1]]


def orders(events, before):
    """All total orders of the events that contain a relation."""
    if not events:
        yield []
    for e in events:
        if not any((a, e) in before for a in events):
            for rest in orders([a for a in events if a != e], before):
                yield [e] + rest


def closed(durables, needs):
    for count in range(len(durables) + 1):
        for chosen in map(set, itertools.combinations(durables, count)):
            if all(a in chosen for a, b in needs if b in chosen):
                yield chosen


def source(read, order, what):
    """The store that a read returns, if any: the last in the order of what is before it there, or before it in its thread."""
    seen = [e for e in order if what[e][0] in ("W", "U") and what[e][1] == what[read][1] and
            (order.index(e) < order.index(read) or e[0] == read[0] and e[1] < read[1])]
    return seen[-1] if seen else None


def value_of(store, order, what):
    """A number, or what its thread has read into a register."""
    value = what[store][2]
    while isinstance(value, str):
        register = (store[0], value)
        read = next(e for e in order if what[e][0] == "R" and (e[0], what[e][2]) == register)
        store = source(read, order, what)
        value = what[store][2] if store else 0
    return value


def px86_states(threads, lines, manual=False):
    events = [(t, i) for t, program in enumerate(threads) for i in range(len(program))]
    what = {(t, i): threads[t][i] for t, i in events}
    before = {(a, b) for a in events for b in events
              if a[0] == b[0] and a[1] < b[1] and keeps(what[a], what[b], lines, manual)}
    states = set()
    for order in orders(events, before):
        durables = [e for e in order if what[e][0] in ("W", "U", "FO", "FL")]
        needs = {(a, b) for a, b in itertools.combinations(durables, 2)
                 if what[a][0] in ("FO", "FL") or lines[what[a][1]] == lines[what[b][1]]}
        for chosen in closed(durables, needs):
            memory = dict.fromkeys(LOCATIONS, 0)
            memory.update((what[e][1], value_of(e, order, what)) for e in order if e in chosen and what[e][0] in ("W", "U"))
            states.add(tuple(memory[x] for x in LOCATIONS))
    return states


# ---- eADR: a state has places, buffers, memory and registers ----

def eadr_execute(event, buffer, memory, registers):
    """Buffer, memory and registers after an event of a thread, or None where it waits."""
    kind = event[0]
    if kind in ("U", "MF") and buffer:
        return None
    if kind == "W":
        value = dict(registers)[event[2]] if isinstance(event[2], str) else event[2]
        return buffer + ((event[1], value),), memory, registers
    if kind in ("R", "U"):
        value = dict(memory + buffer)[event[1]]
        registers += (((event[2] if kind == "R" else "u%d" % event[2]), value),)
    if kind == "U":
        memory = tuple((x, event[2] if x == event[1] else value) for x, value in memory)
    return buffer, memory, registers


def eadr_steps(threads, state):
    memory, parts = state
    for t, (place, buffer, registers) in enumerate(parts):
        if buffer:
            drained = tuple((x, buffer[0][1] if x == buffer[0][0] else value) for x, value in memory)
            yield drained, replaced(parts, t, (place, buffer[1:], registers))
        done = eadr_execute(threads[t][place], buffer, memory, registers) if place < len(threads[t]) else None
        if done:
            yield done[1], replaced(parts, t, (place + 1, done[0], done[2]))


def reached(first, steps, most=float("inf")):
    """All states that steps lead to; None: more than `most`."""
    seen, open_states = {first}, [first]
    while open_states:
        for following in steps(open_states.pop()):
            if following not in seen:
                seen.add(following)
                open_states.append(following)
        if len(seen) > most:
            return None
    return seen


def registers_of(threads):
    return ["%d:%s" % (t, e[2] if e[0] == "R" else "u%d" % e[2]) for t, thread in enumerate(threads) for e in thread if e[0] in "RU"]


def eadr_states(threads):
    first = (tuple((x, 0) for x in LOCATIONS), ((0, (), ()),) * len(threads))
    states = set()
    for memory, parts in reached(first, lambda state: eadr_steps(threads, state)):
        held = dict(memory)
        held.update(("%d:%s" % (t, name), value) for t, part in enumerate(parts) for name, value in part[2])
        states.add(tuple(held.get(column) for column in list(LOCATIONS) + registers_of(threads)))
    return states


PX86_TEXT = {"W": "*{1} = {2};", "U": "int u{2} = atomic_exchange({1}, {2});", "R": "int {2} = *{1};", "MF": "mfence();",
             "SF": "sfence();", "FO": "{2}({1});", "FL": "clflush({1});"}


def px86_phrase(rng, numbers, registers):
    """A store and what may persist it, a read and what may persist what was read, or any event."""
    x, kind, number = rng.choice(LOCATIONS), rng.random(), next(numbers)
    value = rng.choice(registers) if registers and rng.random() < 0.5 else number
    flush = rng.choice((("FL", x), ("FO", x, "clwb"), ("FO", x, "clflushopt")))
    fence = rng.choice((("SF",), ("SF",), ("MF",), ("U", rng.choice(LOCATIONS), number)))
    if kind < 0.75:
        access = ("R", x, "r%d" % number) if kind < 0.2 else ("W", x, value)
        return rng.choice(([access], [access, flush], [access, flush, fence], [access, flush, fence]))
    return [rng.choice((("W", x, value), flush, fence))]


def px86_thread(rng, numbers, length):
    thread = []
    while len(thread) < length:
        thread += px86_phrase(rng, numbers, [e[2] for e in thread if e[0] == "R"])
    registers = [e[2] for e in thread[:length] if e[0] == "R"]
    return thread[:length] + [("W", rng.choice(LOCATIONS), rng.choice(registers + [next(numbers)]))]


def px86_program(rng):
    numbers = itertools.count(1)
    threads = [px86_thread(rng, numbers, length) for length in rng.choice(((3, 1), (3, 2), (4, 1)))]
    return threads, {"x": "x", "y": rng.choice("xy"), "z": "z"}


def px86_text(program, registers=()):
    threads, lines = program
    rows = ["C mechanism", 'uses "px86.def"', "{ nvm atomic_int x = 0; nvm atomic_int y = 0; nvm atomic_int z = 0; %s}" %
            ("line {x, y}; " if lines["y"] == "x" else "")]
    for t, thread in enumerate(threads):
        rows += ["P%d (atomic_int* x, atomic_int* y, atomic_int* z) {" % t] + ["  " + PX86_TEXT[e[0]].format(*e) for e in thread] + ["}"]
    return "\n".join(rows + ["crash exists (true)"] + ["crash exists (%s = %s)" % (r, r) for r in registers]) + "\n"


# ---- Lin et al.: a state has, per location, its versions and how many of them have come to a queue and to memory. A version is its
# value, the cache that it is dirty in ("host" or a device), and the device whose queue it comes to. Programs: threads, their
# sides (are they of the host, and their devices), and the locations of the host's memory, whose queues are durable. ----

def lin_moves(memory):
    """Versions that are together in a cache, or in a device's queues, move on together; those of others stay."""
    for x, (versions, queue, durable) in enumerate(memory):
        for k in range(queue + 1, len(versions)):
            if k + 1 == len(versions) or versions[k + 1][1] != versions[k][1]:
                yield memory[:x] + ((versions, k, durable),) + memory[x + 1:]
        for k in range(durable + 1, queue + 1):
            if k == queue or versions[k + 1][2] != versions[k][2]:
                yield memory[:x] + ((versions, queue, k),) + memory[x + 1:]


def latest(versions, most, part, who):
    """The last version of those up to a number whose cache (1) or device (2) is asked for; the initial one is nobody's."""
    return max((k for k in range(1, most + 1) if versions[k][part] == who), default=0)


def lin_owed(operation, side, memory, adr):
    """What an operation's acknowledgement waits for: a version that has come to the queue (1) or to memory (2)."""
    kind, everywhere = operation[0], range(len(memory))
    ends = [len(versions) - 1 for versions, _, _ in memory]
    if kind == "st_wt":
        x = LOCATIONS.index(operation[1])
        return {(2, x, ends[x])}
    if kind == "clwb":
        x = LOCATIONS.index(operation[1])
        return {(1, x, latest(memory[x][0], ends[x], 1, "host" if side[0] else side[1]))}
    if kind == "l2wb":
        return {(1, x, latest(memory[x][0], ends[x], 1, side[1])) for x in everywhere}
    if kind == "pcommit" and not adr:
        return {(2, x, latest(memory[x][0], memory[x][1], 2, side[1])) for x in everywhere}
    return set()


def lin_execute(operation, side, memory, owed, hosted, adr):
    """Memory and acknowledgements after an operation, or None where it waits."""
    if operation[0] == "sfence":
        met = all(memory[x][1 if adr or LOCATIONS[x] in hosted else level] >= version for level, x, version in owed)
        return (memory, frozenset()) if met else None
    if operation[0] in ("store", "st_wt"):
        x = LOCATIONS.index(operation[1])
        versions, queue, durable = memory[x]
        cache = "host" if side[0] or operation[1] in hosted else side[1]
        memory = memory[:x] + ((versions + ((operation[2], cache, side[1]),), queue, durable),) + memory[x + 1:]
    return memory, owed | lin_owed(operation, side, memory, adr)


def replaced(values, t, value):
    return values[:t] + (value,) + values[t + 1:]


def lin_steps(program, state, adr):
    threads, sides, hosted = program
    places, memory, owed = state
    for moved in lin_moves(memory):
        yield places, moved, owed
    left = [t for t in range(len(threads)) if places[t] < len(threads[t])]
    waiting = [t for t in left if threads[t][places[t]][0] == "barrier"]
    if len(waiting) == len(threads):
        yield tuple(place + 1 for place in places), memory, owed
    for t in left:
        operation = threads[t][places[t]]
        done = None if operation[0] == "barrier" else lin_execute(operation, sides[t], memory, owed[t], hosted, adr)
        if done:
            yield replaced(places, t, places[t] + 1), done[0], replaced(owed, t, done[1])


def lin_states(program, adr):
    threads, _, hosted = program
    first = ((0,) * len(threads), ((((0, "", ""),), 0, 0),) * len(LOCATIONS), (frozenset(),) * len(threads))
    survives = [adr or x in hosted for x in LOCATIONS]
    return {tuple(versions[queue if kept else durable][0] for (versions, queue, durable), kept in zip(memory, survives))
            for _, memory, _ in reached(first, lambda state: lin_steps(program, state, adr))}


LIN_TEXT = {"store": "*{1} = {2};", "st_wt": "st_wt({1}, {2});", "clwb": "clwb({1});", "l2wb": "l2wb();",
            "pcommit": "pcommit();", "sfence": "sfence();", "barrier": "barrier(CLK_GLOBAL_MEM_FENCE);"}


def lin_phrase(rng, value):
    """A store and what may persist it, what may persist others' stores, or any operation."""
    x, kind = rng.choice(LOCATIONS), rng.random()
    wait = [[], [("sfence",)], [("sfence",), ("pcommit",), ("sfence",)]][rng.choice((0, 1, 1, 2, 2))]
    if kind < 0.35:
        return [("store", x, value), ("clwb", x)] + wait
    if kind < 0.6:
        return [rng.choice((("clwb", x), ("clwb", x), ("l2wb",)))] + wait
    if kind < 0.7:
        return [("st_wt", x, value)] + wait[:1]
    return [rng.choice((("store", x, value), ("store", x, value), ("sfence",), ("pcommit",)))]


def lin_program(rng):
    """Two threads of one device, of two, or one of the host."""
    values, parts = itertools.count(1), rng.choice((1, 2, 2, 3))
    sides = ((False, 0), rng.choice(((False, 0), (False, 0), (False, 1), (True, 0), (True, 1))))
    threads = []
    for on_host, _ in sides:
        thread = []
        for part in range(parts):
            thread += [("barrier", part)] if part else []
            for _ in range(rng.choice((1, 2) if parts < 3 else (0, 1))):
                thread += lin_phrase(rng, next(values))
        thread += [("store", rng.choice(LOCATIONS), next(values))]
        threads.append([("store",) + o[1:] if on_host and o[0] == "st_wt" else o for o in thread])
    return threads, sides, rng.choice(("", "", "z"))


def lin_line(operation, t, together):
    """An operation as a statement; who is in no group with the other meets it by two flags."""
    if operation[0] == "barrier" and not together:
        part = operation[1]
        return "atomic_store_explicit(f%d%d, 1, mo_rel, all_scope); while (!atomic_load_explicit(f%d%d, mo_acq, all_scope));" % (
            t, part, 1 - t, part)
    return LIN_TEXT[operation[0]].format(*operation)


def lin_text(program):
    threads, sides, hosted = program
    together, flags = sides[0] == sides[1], ["f%d%d" % (t, o[1]) for t in range(2) for o in threads[t] if o[0] == "barrier"]
    rows = ["OPENCL mechanism", 'uses "lin.def"', "{ %s }" % " ".join(
        ["nvm%s %s = 0;" % ("{host}" if x in hosted else "", x) for x in LOCATIONS] + ["atomic_int %s = 0;" % f for f in flags])]
    parameters = ", ".join(["global int* " + x for x in LOCATIONS] + ["global atomic_int* " + f for f in flags])
    for t, (on_host, device) in enumerate(sides):
        place = "@sg %d" % t if together else "@kr %d, dev %d" % (t, device)
        rows += ["P%d%s%s (%s) {" % (t, "{cpu}" if on_host else "", place, parameters)]
        rows += ["  " + lin_line(o, t, together) for o in threads[t]] + ["}"]
    return "\n".join(rows + ["crash exists (true)"]) + "\n"


# ---- Comparison ----

def answers(crashlit, visibility, persistency, folder):
    """Crash states of each program, in the order of their numbers."""
    done = subprocess.run([crashlit, "check", "--format", "json", "-j", "2", "-m", visibility, "-p", persistency, folder],
                          stdout=subprocess.PIPE, timeout=800)
    records = [json.loads(line) for line in done.stdout.splitlines()]
    states = {record["file"]: {tuple(state.values()) for state in record["crash_states"]}
              for record in records if record.get("crash_states")}
    return [states.get(name) for name in sorted(states)]


def write_tests(folder, texts):
    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(folder)
    for number, text in enumerate(texts):
        with open(os.path.join(folder, "%05d.litmus" % number), "w") as file:
            file.write(text)


def compare(name, folder, wanted, found, exact):
    """Programs on which the model leaves out what the encoding leaves, or (exact) has more."""
    failed = int(len(found) != len(wanted))
    more = 0
    for number, (want, got) in enumerate(zip(wanted, found)):
        more += want < got
        if want - got or exact and want != got:
            failed += 1
            want, got = (sorted(some, key=str) for some in (want - got, got - want))
            print("failed: %s, %s/%05d.litmus: encoding alone %s, model alone %s" %
                  (name, folder, number, want, got))
    print("%s: %d programs, %d of them with more states in the model" % (name, len(wanted), more))
    return failed + (more > len(wanted) // 500)


def differ(name, wanted, found):
    """Another model has to be told from this encoding."""
    if wanted != found:
        return 0
    print("failed: nothing tells %s" % name)
    return 1


def compare_px86(crashlit, folder, programs):
    write_tests(folder, map(px86_text, programs))
    plain, manual = ([px86_states(*program, **how) for program in programs] for how in ({}, {"manual": True}))
    wanted = {"px86": plain, "px86-sync": plain, "px86-man": manual}
    failed = sum(compare(model, folder, wanted[model], answers(crashlit, "tso", model, folder), True) for model in wanted)
    return failed + differ("px86 from px86-man", plain, manual)


def compare_eadr(crashlit, folder, programs):
    write_tests(folder, [px86_text(program, registers_of(program[0])) for program in programs])
    wanted, others = [eadr_states(threads) for threads, _ in programs], answers(crashlit, "tso", "px86-sync", folder)
    failed = compare("px86-eadr", folder, wanted, answers(crashlit, "tso", "px86-eadr", folder), True)
    return failed + differ("px86-eadr from px86-sync", wanted, others)


def compare_lin(crashlit, folder, programs):
    write_tests(folder, map(lin_text, programs))
    wanted = {"lin-adr": [lin_states(p, True) for p in programs], "lin-wpq": [lin_states(p, False) for p in programs]}
    failed = sum(compare(model, folder, wanted[model], answers(crashlit, "sc", model, folder), False) for model in wanted)
    return failed + differ("lin-adr from lin-wpq", wanted["lin-adr"], wanted["lin-wpq"])


def main(crashlit, folder, count, seed):
    failed = 0
    for name, program, check in (("px86", px86_program, compare_px86), ("eadr", px86_program, compare_eadr), ("lin", lin_program, compare_lin)):
        programs = [program(random.Random("%s.%d.%d" % (name, seed, number))) for number in range(count)]
        failed += check(crashlit, os.path.join(folder, name), programs)
    print("%d passed, %d failed" % (6 * count - failed, failed))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], os.path.join(sys.argv[2], "mechanisms"), int(sys.argv[3]), int(sys.argv[4])))
