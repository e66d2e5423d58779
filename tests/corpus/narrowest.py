"""narrowest.py CRASHLIT: `crashlit place --narrow` on the tests of papers, as the tables of docs/narrowest.md.

A test whose conditions only forbid (`~exists`, `forall`) says what must not be, so what it has beyond need is a finding. One that
asks for a state (`exists`) shows what may be, and a barrier that it can do without is there to show that it does not help. Under `sc` memory orders and scopes of accesses mean nothing, and
nothing is said of them.
"""
import glob
import json
import re
import subprocess
import sys

QUESTIONS = (("spb", "hrf-direct", "epoch"), ("gpm", "sc", "gpm"), ("published", "sc", "gpm"), ("lin", "sc", "lin-adr"),
             ("lin", "sc", "lin-wpq"), ("sbrp", "sc", "sbrp"), ("strand", "sc", "strand"), ("kiln", "sc", "kiln"),
             ("recovery", "hrf-direct", "epoch"))
KINDS = ("minimal as it is", "less will do", "shows what may be", "nothing open", "not ok as it is", "not known")


def ask(crashlit, path, model, persistency):
    """The object of the answer, or None where nothing is open."""
    call = [crashlit, "place", "--narrow", "-f", "json", "--all", "--timeout", "4", "--total", "8", "-m", model, "-p", persistency, path]
    done = subprocess.run(call, capture_output=True, text=True)
    return json.loads(done.stdout) if done.stdout.strip() else None


def shows(path):
    return re.search(r"^\s*(final|crash|recovered)?\s*exists\b", open(path).read(), re.M) is not None


def kind_of(answer, path):
    if answer is None:
        return "nothing open"
    if "as_it_is" in answer:
        return "not known" if answer["as_it_is"]["reason"] == "unknown" else "not ok as it is"
    if not answer["complete"] or answer["open"]:
        return "not known"
    if not all(list(changes(answer, filling)) for filling in answer["fillings"]):
        return "minimal as it is"
    return "shows what may be" if shows(path) else "less will do"


def changes(answer, filling):
    for choice, value in zip(answer["choices"], filling["values"]):
        if value == choice["present"] or (answer["model"] == "sc" and choice["kind"] in ("order", "scope")):
            continue
        lines = ", ".join(str(place["line"]) for place in choice["places"])
        was, now = choice["values"][choice["present"]], choice["values"][value]
        yield f"{lines}: `{was}` " + ("can go" if now == "left out" else f"→ `{now}`")


def table(crashlit, answer_of=ask):
    counts, found = {}, []
    for folder, model, persistency in QUESTIONS:
        key = (folder, model, persistency)
        counts[key] = dict.fromkeys(KINDS, 0)
        for path in sorted(glob.glob(f"litmus/{folder}/*.litmus")):
            answer = answer_of(crashlit, path, model, persistency)
            kind = kind_of(answer, path)
            counts[key][kind] += 1
            if kind == "less will do":
                found.append((path, model, persistency, answer))
    print("| tests | models | " + " | ".join(KINDS) + " |\n|" + "---|" * (2 + len(KINDS)))
    for (folder, model, persistency), numbers in counts.items():
        print(f"| `litmus/{folder}` | {model} + {persistency} | " + " | ".join(str(numbers[kind]) for kind in KINDS) + " |")
    print("\n| test | models | line: what is there, and what will do | checked |\n|---|---|---|---|")
    for path, model, persistency, answer in found:
        ways = list(dict.fromkeys("; ".join(changes(answer, filling)) for filling in answer["fillings"]))
        more = f"; and {len(ways) - 2} more ways" if len(ways) > 2 else ""
        name = path.removeprefix("litmus/").removesuffix(".litmus")
        print(f"| `{name}` | {model} + {persistency} | {'; or '.join(ways[:2])}{more} | {answer['tried']} of {answer['total']} |")


if __name__ == "__main__":
    table(sys.argv[1])
