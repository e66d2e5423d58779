#!/usr/bin/env python3
"""certify_flaws.py CRASHLIT CHECKER OBJECTS WORK COUNT SEED: crashlit with planted flaws, and --certified.

Each flaw is a place of a source file that is changed; COUNT of them, from the SEED-th on. With it crashlit lists something
wrong of some of the tests, or is not certified where it is without. With --certified no list that is accepted is wrong, and some are accepted. OBJECTS
has the program's object files. COMPILE, LINK and LIBRARIES are words of the shell."""
import glob
import itertools
import json
import os
import subprocess
import sys

THRESHOLDS = (), ("--thresholds", "least")
STATES = ("final_states", "crash_states", "recovered_states")
FLAWS = [
    ("reads return no initial value", "enumerate/enum_search.c",
     "may_read(s, &fixed, w, read))", "!skeleton->events[w].init && may_read(s, &fixed, w, read))"),
    ("values along rf are not looked at", "enumerate/enum_search.c", "&& enum_constraints_hold(s) &&", "&&"),
    ("a listing leaves out states", "enumerate/enum_leaf.c",
     "    if (!enum_goal_met(state, states, s->row))\n        return true;\n    if (",
     "    if (!enum_goal_met(state, states, s->row) || (states->count > 1 && !cut))\n        return true;\n    if ("),
    ("a listing leaves out crash states", "enumerate/enum_leaf.c",
     "    if (!enum_goal_met(state, states, s->row))\n        return true;\n    if (",
     "    if (!enum_goal_met(state, states, s->row) || (states->count > 1 && cut))\n        return true;\n    if ("),
    ("nothing is undefined", "enumerate/enum_leaf.c", "    if (!waits_are_stuck(s))\n        return false;",
     "    if (!waits_are_stuck(s) || state->may_be_undefined)\n        return false;"),
    ("whoever waits goes on", "enumerate/enum_leaf.c", "    if (!waits_are_stuck(s))\n", "    if (exec_skeleton_ended(s->skeleton, EXEC_AT_AWAIT) != LIT_NONE)\n"),
    ("rule 1 of a cut is forgotten", "exec/exec_crash.c", "    if (rel_has(c->dim, k->executes_before, a, b))", "    if (!k)"),
    ("rule 2 of a cut is forgotten", "exec/exec_crash.c", "    if (lands || rel_has(c->dim, k->persist_before, a, b))", "    if (lands)"),
    ("rule 3 of a cut is forgotten", "exec/exec_crash.c", "    if (a_persists && rel_has(c->dim, k->durable_before, a, b))", "    if (!k)"),
    ("whatever is durable is so in order", "exec/exec_crash.c",
     "    if (lands || rel_has(c->dim, k->persist_before, a, b))", "    if (a < b || lands || rel_has(c->dim, k->persist_before, a, b))"),
    ("waits that never end are forgotten", "exec/exec_await.c", "    if (!all_may_hold(r, run, &all))\n", "    if (r)\n"),
    ("a failing iteration is not gone on from", "exec/exec_await.c",
     "        run->visits[l] = NULL;", "        run->visits[l] = run->visits[l];"),
    ("paths at a bound are forgotten", "exec/exec_run.c",
     "    if (run->bound || !runner->shows_registers) {\n        cut(runner, run, instr);\n", "    if (run->bound || !runner->shows_registers) {\n"),
    ("recovery is from some states alone", "engine/recovery.c",
     "    if (outcome_add_state(&r->starts, state)) {", "    if (r->list.count < 2 && outcome_add_state(&r->starts, state)) {"),
    ("crashes in recovery are forgotten", "engine/recovery.c",
     "i < answer->restarts.count && !r->stopped; i++", "i + 1 < answer->restarts.count && !r->stopped; i++"),
    ("locations of other first values are interchangeable", "exec/exec_renaming.c", " && a->init == b->init &&", " &&"),
    ("stores of other constants are interchangeable", "exec/exec_symmetry.c",
     "        if (instr_of(f, class, u, place, number)->value->value != first->value->value)", "        if (!first)"),
    ("symmetric executions are left out, and their states", "enumerate/enum_orbit.c",
     "void enum_add_orbit(struct enum_search *s, struct outcome_states *states,\n                    const struct exec_cut *cut)\n{",
     "void enum_add_orbit(struct enum_search *s, struct outcome_states *states,\n                    const struct exec_cut *cut)\n{\n    if (s)\n        return;"),
    ("products forget what excludes each other", "enumerate/enum_product.c",
     "            bits_set(row, columns->numbers[e]);", "            (void)row;"),
    ("cycles are not looked for", "cat/cat_eval.c",
     "    return cat_passes(", "    return check->test == CAT_ACYCLIC || cat_passes("),
    ("a choice adds nothing too soon", "enumerate/enum_cases.c", "    return !s->adds && !s->state->stopped;", "    return true;"),
    ("memories are alike to recovery that are not", "engine/recovery.c", "looked_at[i] ? start[i] : 0", "looked_at[i] && !start ? start[i] : 0"),
    ("images of trees keep their work-items", "enumerate/enum_images.c",
     "            m->threads[t] = exec_exchange_thread(&m->exchanges.items[i], m->threads[t]);", "            (void)m;"),
    ("images of executions are left out", "enumerate/enum_images.c",
     "shown->crash) || finals)", "shown->crash) && finals)"),
]


def run(program, *options):
    done = subprocess.run([program, "check", "-e", "enum", "--timeout", "20", "-f", "json", *options], capture_output=True, text=True)
    return {(r["file"], r["model"], r["persistency"]): r for r in map(json.loads, done.stdout.splitlines()) if "verdict" in r}


def states_of(told):
    """What is listed, as a list or in product form."""
    if isinstance(told, dict):
        boxes = [{name: values for part in parts for name, values in part.items()} for parts in itertools.product(*told["product"])]
        told = [dict(zip(box, values)) for box in boxes for values in itertools.product(*box.values())]
    return {json.dumps(state, sort_keys=True) for state in told}


def is_wrong(record, true):
    """Of what is undefined nothing is promised; up to the bound of a loop states and flags may lack."""
    if true is None or "undefined" in (record["verdict"], true["verdict"]):
        return true is None or record["verdict"] != true["verdict"]
    here, there = ([set(r.get("flags", []))] + [states_of(r.get(kind, [])) for kind in STATES] for r in (record, true))
    if "doubt" in record and "doubt" in true:
        return record["verdict"] not in ("unknown", true["verdict"]) or not all(a <= b for a, b in zip(here, there))
    return record["verdict"] != true["verdict"] or here != there


class Build:
    def __init__(self, objects, work):
        self.objects, self.work = objects, work
        os.makedirs(work, exist_ok=True)
        # The programs lie in folders below; beside these they look for models.
        os.makedirs(work + "/share/crashlit", exist_ok=True)
        if not os.path.exists(work + "/share/crashlit/models"):
            os.symlink(os.path.abspath("models"), work + "/share/crashlit/models")

    def make(self, number, checker, flaw):
        name, file, old, new = flaw
        with open("src/" + file) as source:
            text = source.read()
        if text.count(old) != 1:
            sys.exit("certify_flaws.py: '%s' stands %d times in %s" % (old, text.count(old), file))
        base = os.path.join(self.work, str(number))
        os.makedirs(base, exist_ok=True)
        with open(base + "/flaw.c", "w") as changed:
            changed.write(text.replace(old, new))
        command = "%s -w -c -o %s/flaw.o %s/flaw.c && %s -o %s/crashlit %s/cli/main.o %s/flaw.o %s/objects.a $LIBRARIES" % (
            os.environ["COMPILE"], base, base, os.environ["LINK"], base, self.objects, base, self.objects)
        subprocess.run(["sh", "-c", command], check=True)
        if not os.path.exists(base + "/crashlit-check"):
            os.symlink(os.path.abspath(checker), base + "/crashlit-check")
        return base + "/crashlit"


def tests_of():
    """Small ones of most kinds."""
    folders = ("spb/fig4*", "spb/a*", "recovery/[a-f]*", "hrf-relaxed/*", "tags/[a-f]*", "values/*")
    locks = ["litmus/locks/%s.litmus" % name for name in "cas-2 tas-2 tas-scope ttas-bare fail-race fail-nested fail-around cas-kept".split()]
    return sorted(path for name in folders for path in glob.glob("litmus/%s.litmus" % name)) + locks + ["litmus/retries/busy.litmus"]


def symmetric(work):
    """Programs whose work-items are interchangeable, or nearly so; of five work-items all states take long."""
    paths = [os.path.join(work, "%d.litmus" % number) for number in range(60)]
    for number, path in enumerate(paths):
        with open(path, "w") as file:
            subprocess.run(["awk", "-v", "seed=%d" % (100000 + number), "-f", "tests/corpus/draw.awk", "-f", "tests/corpus/symmetry.awk"],
                           stdout=file, check=True)
    return [path for path in paths if "\nP4@" not in open(path).read()]


def accepted(record):
    return record.get("certificate", {}).get("accepted", False)


def main(crashlit, checker, objects, work, count, seed):
    build = Build(objects, work)
    options = ["--states", *tests_of(), *symmetric(work)]
    sound = {thresholds: run(crashlit, *thresholds, "--certified", *options) for thresholds in THRESHOLDS}
    right = {thresholds: run(crashlit, *thresholds, *options) for thresholds in THRESHOLDS}
    most = sum(accepted(record) for records in sound.values() for record in records.values())
    passed = failed = 0
    for number in range(int(seed) - 1, int(seed) - 1 + min(int(count), len(FLAWS))):
        name = FLAWS[number % len(FLAWS)][0]
        program = build.make(number, checker, FLAWS[number % len(FLAWS)])
        wrong = certified = slipped = 0
        for thresholds, true in right.items():
            wrong += sum(is_wrong(record, true.get(key)) for key, record in run(program, *thresholds, *options).items())
            for key, record in run(program, *thresholds, "--certified", *options).items():
                certified += accepted(record)
                if accepted(record) and is_wrong(record, true.get(key)):
                    slipped += 1
                    print("%s: %s is accepted" % (name, " ".join(key)))
        good = slipped == 0 and certified > 0 and (wrong > 0 or certified < most) and 10 * most > 9 * len(right) * len(right[()])
        passed, failed = passed + good, failed + (not good)
        print("%s: %d wrong lists, %d certified, %d of them wrong" % (name, wrong, certified, slipped), flush=True)
    print("%d of %d lists are certified without a flaw" % (most, sum(map(len, right.values()))))
    print("%d passed, %d failed" % (passed, failed))
    return failed


if __name__ == "__main__":
    sys.exit(1 if main(*sys.argv[1:]) else 0)
