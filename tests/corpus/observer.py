"""observer.py PROGRAM WORK COUNT SEED: strict persistency against an observer.

Pelley's strict persistency takes recovery for one more observer of the volatile memory order: of two
locations that are written once each, the write to b alone may be durable just when a work-item that is
added to the test, reads b by an acquire, passes an SC fence and reads a, may find b new and a old. So the
crash states of buffered-strict are held to the final states of the same model with that observer: nothing
is shared by the two but the visibility model, and its visible-before is not looked at by the second.

COUNT seeded random programs of stores, loads, read-modify-writes and fences, for each visibility
model, two questions each. A pair of answers of which one is undefined or unknown is not compared.
"""
import json
import os
import random
import shutil
import subprocess
import sys

MODELS = "sc tso rc11 c11 opencl ptx hrf-direct hrf-indirect hrf-direct-relaxed hrf-indirect-relaxed".split()
WRITES = "mo_rlx mo_rel mo_sc".split()
READS = "mo_rlx mo_acq mo_sc".split()
FENCES = "mo_rel mo_acq mo_acq_rel mo_sc".split()
PARAMETERS = "(global atomic_int* x, global atomic_int* y, global atomic_int* f)"
FENCE = "atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE, %s, %s);"


def scope(rng):
    return "wg_scope" if rng.random() < 0.15 else "dev_scope"


def statement(rng, number):
    kind = rng.random()
    if kind < 0.35:
        return FENCE % (rng.choice(FENCES), scope(rng))
    if kind < 0.75:
        return "int r%d = %s.load(%s, %s);" % (number, rng.choice("xyf"), rng.choice(READS), scope(rng))
    if kind < 0.9:
        return "f.store(%d, %s, %s);" % (number + 1, rng.choice(WRITES), scope(rng))
    order = rng.choice("relaxed acquire release acq_rel seq_cst".split())
    return "int r%d = atomic_fetch_add_explicit(f, 1, memory_order_%s);" % (number, order)


def program(rng):
    """Statements of each work-item."""
    items = [[] for _ in range(rng.choice((2, 2, 3)))]
    for location in "xy":
        rng.choice(items).append("%s.store(1, %s, %s);" % (location, rng.choice(WRITES), scope(rng)))
    for number in range(rng.choice((1, 2, 3, 4, 5))):
        rng.choice(items).append(statement(rng, number))
    for item in items:
        rng.shuffle(item)
    return items


def text(name, items, conditions):
    lines = ["OPENCL " + name, "{ nvm x = 0; nvm y = 0; atomic_int f = 0; }"]
    for number, item in enumerate(items):
        lines += ["P%d@wg %d %s {" % (number, number, PARAMETERS)] + ["  " + row for row in item] + ["}"]
    return "\n".join(lines + conditions) + "\n"


def observed(items, new, old):
    observer = ["int a = %s.load(mo_acq, dev_scope);" % new, FENCE % ("mo_sc", "dev_scope"),
                "int b = %s.load(mo_acq, dev_scope);" % old]
    condition = "exists (%d:a = 1 /\\ %d:b = 0)" % (len(items), len(items))
    return text("observed", items + [observer], [condition])


def write(folder, name, content):
    with open(os.path.join(folder, name), "w") as file:
        file.write(content)


def write_tests(folder, count, seed):
    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(folder)
    for number in range(count):
        items = program(random.Random("%d.%d" % (seed, number)))
        crashes = ["crash exists (%s = 1 /\\ %s = 0)" % pair for pair in (("y", "x"), ("x", "y"))]
        write(folder, "%05d-crash.litmus" % number, text("crash", items, crashes))
        write(folder, "%05d-yx.litmus" % number, observed(items, "y", "x"))
        write(folder, "%05d-xy.litmus" % number, observed(items, "x", "y"))


def answers(crashlit, model, folder):
    """Verdicts of the conditions of each file."""
    done = subprocess.run([crashlit, "check", "--format", "json", "--decide", "-j", "2", "--timeout", "20", "-m", model,
                           "-p", "buffered-strict", folder], stdout=subprocess.PIPE, timeout=800)
    records = [json.loads(line) for line in done.stdout.splitlines()]
    return {os.path.basename(record["file"])[:-len(".litmus")]:
            [condition["verdict"] for condition in record["conditions"]] for record in records}


def main(crashlit, folder, count, seed):
    write_tests(folder, count, seed)
    passed = failed = 0
    for model in MODELS:
        verdicts = answers(crashlit, model, folder)
        agree = reachable = 0
        for number in range(count):
            crash = verdicts["%05d-crash" % number]
            for which, observer in enumerate(("yx", "xy")):
                pair = (crash[which], verdicts["%05d-%s" % (number, observer)][0])
                if pair[0] == pair[1] and pair[0] in ("ok", "violated"):
                    agree += 1
                    reachable += pair[0] == "ok"
                elif set(pair) == {"ok", "violated"}:
                    failed += 1
                    print("failed: %s, condition %d of %s/%05d-crash.litmus: crash %s, observer %s" %
                          (model, which + 1, folder, number, *pair))
        print("%s: %d agree, %d of them reachable" % (model, agree, reachable))
        failed += not 0 < reachable < agree or agree < count // 2
        passed += agree
    print("%d passed, %d failed" % (passed, failed))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], os.path.join(sys.argv[2], "observer"), int(sys.argv[3]), int(sys.argv[4])))
