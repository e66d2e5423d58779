"""mutate_models.py CRASHLIT SEED [COUNT]: `crashlit mutate` of built-in persistency models over litmus/. Of all, or of COUNT light ones
that SEED chooses.

A mutant that no test kills is equal up to the bound, or it is in tests/corpus/mutate.known with the reason why no test is there. A line
of this list whose mutant is killed by now, or equal, or gone is a fault.
"""
import json
import random
import subprocess
import sys

KNOWN = "tests/corpus/mutate.known"
# More than some seconds of a processor, with all of litmus/; looked at when all are.
HEAVY = {"epoch", "gpm", "gpm-ordered", "lin-lines", "px86", "px86-eadr", "px86-man", "px86-sync"}


def built_in(crashlit):
    lines = subprocess.run([crashlit, "models"], capture_output=True, text=True, check=True).stdout.splitlines()
    return [line.split()[1] for line in lines if line.startswith("persistency ")]


def known():
    """Per model what is said of which mutants: (rule, change)."""
    reasons = {}
    with open(KNOWN, encoding="utf-8") as file:
        for line in file:
            if not line.startswith("#"):
                model, rule, change, reason = line.rstrip("\n").split("\t")
                assert reason, line
                reasons.setdefault(model, set()).add((rule, change))
    return reasons


class Steps:
    passed = failed = 0

    def check(self, holds, what):
        if holds:
            self.passed += 1
        else:
            self.failed += 1
            print("FAILED: " + what)


def check_model(crashlit, model, allowed, steps):
    """Of places with one rule and one change the list means all. Its line names the model that is asked, as what it includes is changed, too."""
    done = subprocess.run([crashlit, "mutate", "--format", "json", model, "litmus"], capture_output=True, text=True)
    lines = [json.loads(line) for line in done.stdout.splitlines()]
    steps.check(done.returncode in (0, 1, 3) and lines, f"{model}: mutate left with {done.returncode}: {done.stderr}")
    alive = set()
    for mutant in lines:
        if mutant.get("fate") not in ("alive", "unknown"):
            continue
        key = (mutant["rule"], mutant["change"])
        alive.add(key)
        steps.check(key in allowed, f"{model}: no test kills {mutant['file']}:{mutant['line']}: {key[0]} | {key[1]}: "
                    + mutant.get("why", mutant.get("told_by", {}).get("litmus", "")))
    for key in allowed - alive:
        steps.check(False, f"{model}: {KNOWN} has a reason for {key[0]} | {key[1]}, which is not alive")
    if lines:
        totals = lines[-1]
        print(f"{model}: {totals['mutants']} mutants: {totals['killed']} killed, {totals['alive']} alive, {totals['equal']} equal, "
              f"{totals['unknown']} unknown; score {totals.get('score', 'none')}")


def main():
    crashlit, seed = sys.argv[1], int(sys.argv[2])
    models, allowed, steps = built_in(crashlit), known(), Steps()
    steps.check(len(models) > 1 and set(allowed) <= set(models), f"{KNOWN} names models that are none")
    if len(sys.argv) > 3:
        models = random.Random(seed).sample(sorted(set(models) - HEAVY), int(sys.argv[3]))
    for model in models:
        check_model(crashlit, model, allowed.get(model, set()), steps)
    print(f"{steps.passed} passed, {steps.failed} failed")
    return steps.failed > 0


if __name__ == "__main__":
    sys.exit(main())
