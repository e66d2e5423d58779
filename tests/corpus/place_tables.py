"""place_tables.py CRASHLIT narrowest|repairs: `crashlit place` on the tests of litmus/, as the tables of docs/results/narrowest.md
and docs/results/repairs.md. place_tables.py CRASHLIT check [quick]: each row of these tables once more, or some that are soon known.

A test whose conditions only forbid (`~exists`, `forall`) says what must not be, so what it has beyond need is a finding. One that
asks for a state (`exists`) shows what may be, and a barrier that it can do without is there to show that it does not help; likewise
a state that it asks for in vain is nothing to be repaired.
"""
import concurrent.futures
import glob
import json
import os
import re
import subprocess
import sys

# Folder and pair; of other folders each test under the first pair that it is expected to be ok of.
PAPERS = (("spb", "hrf-direct", "epoch"), ("gpm", "sc", "gpm"), ("published", "sc", "gpm"), ("lin", "sc", "lin-adr"),
          ("lin", "sc", "lin-wpq"), ("sbrp", "sc", "sbrp"), ("strand", "sc", "strand"), ("kiln", "sc", "kiln"),
          ("recovery", "hrf-direct", "epoch"))
# The pair that a finding is about, where it is not the first that the test is violated under.
ABOUT = {"litmus/gpm/gpm16-fig8.litmus": ("sc", "gpm-ordered")}
NARROW = ("minimal as it is", "less will do", "shows what may be", "nothing open", "not ok as it is", "not known")
REPAIR = ("repaired", "cannot be", "asks what may be", "nothing open", "not known")
EXPECT = re.compile(r"^expect\s+(\S+)\s*\+\s*(\S+)\s*:\s*(\w+)", re.M)
CONDITION = re.compile(r"^\s*(?:final\s+|crash\s+|recovered\s+)?(~?exists|forall)\b", re.M)
# What accesses say that means nothing under a model.
SILENT = {"sc": ("order", "scope"), "tso": ("order", "scope"), "c11": ("scope",), "rc11": ("scope",)}
SECONDS = 8  # of a question, half of it of a filling
WORKERS = 2


def text_of(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def folders():
    """But for the tests that are minimal by the way they are made."""
    return sorted({os.path.basename(os.path.dirname(path)) for path in glob.glob("litmus/*/")} - {"generated"})


def first_pair(path, verdicts):
    return next(((visibility, persistency) for visibility, persistency, verdict in EXPECT.findall(text_of(path))
                 if verdict in verdicts), None)


def ask(crashlit, aim, path, pair, seconds=SECONDS, kinds=()):
    """The object of the answer, or None where nothing is open. Models of a test's own stand beside it."""
    names = [os.path.join(os.path.dirname(path), name) if name.endswith(".cat") else name for name in pair]
    call = [crashlit, "place", aim, "-f", "json", "--all", "--timeout", str(seconds / 2), "--total", str(seconds), "-m", names[0],
            "-p", names[1], *kinds, path]
    done = subprocess.run(call, capture_output=True, text=True)
    return json.loads(done.stdout) if done.stdout.strip() else None


def ask_all(crashlit, aim, questions, seconds=SECONDS):
    with concurrent.futures.ThreadPoolExecutor(WORKERS) as pool:
        return list(pool.map(lambda question: ask(crashlit, aim, *question, seconds), questions))


# ---- What is said of an answer ----


def changes(answer, filling):
    for choice, value in zip(answer["choices"], filling["values"]):
        if value == choice["present"] or choice["kind"] in SILENT.get(answer["model"], ()):
            continue
        lines = ", ".join(str(place["line"]) for place in choice["places"])
        was, now = choice["values"][choice["present"]], choice["values"][value]
        yield f"{lines}: " + (f"`{now}` is added" if was == "left out" else
                              f"`{was}` can go" if now == "left out" else f"`{was}` → `{now}`")


def ways(answer):
    found = list(dict.fromkeys("; ".join(changes(answer, filling)) for filling in answer["fillings"]))
    more = f"; and {len(found) - 2} more ways" if len(found) > 2 else ""
    return "; or ".join(found[:2]) + more


def is_known(answer):
    return answer["complete"] and not answer["open"] and answer.get("several") != "unknown"


def narrow_kind(answer, path):
    if answer is None or not answer["choices"]:
        return "nothing open"
    if "as_it_is" in answer:
        return "not known" if answer["as_it_is"]["reason"] == "unknown" else "not ok as it is"
    if not is_known(answer):
        return "not known"
    if not all(list(changes(answer, filling)) for filling in answer["fillings"]):
        return "minimal as it is"
    return "shows what may be" if "exists" in CONDITION.findall(text_of(path)) else "less will do"


def repair_kind(answer):
    if answer is None or not answer["choices"]:
        return "nothing open"
    if not is_known(answer):
        return "not known"
    return "repaired" if answer["fillings"] else "cannot be"


def conflict(answer):
    said = []
    for clash in answer["clashes"]:
        words = f": {clash['words']}" if clash["words"] else ""
        said.append((f"`{clash['condition']}` is " if clash["condition"] else "") + clash["reason"] + words)
    return "**none**: " + " against ".join(said or ["what stands against what is not known"])


def row(path, pair, answer, said=None):
    name = path.removeprefix("litmus/").removesuffix(".litmus")
    said = said or (ways(answer) if answer["fillings"] else conflict(answer))
    return f"| `{name}` | {' + '.join(pair)} | {said} | {answer['tried']} of {answer['total']} |"


def fault_row(crashlit, path, pair, answer, seconds=SECONDS):
    """Where nothing that may be added will do, execution barriers may."""
    if repair_kind(answer) == "repaired":
        return row(path, pair, answer)
    said = conflict(answer) if is_known(answer) else "not known"
    if answer.get("several") == "unknown":
        said = f"{conflict(answer)}; with several statements at one point not known"
    more = ask(crashlit, "--repair", path, pair, seconds, ("--kinds", "barrier"))
    said += ("" if more is None else "; with execution barriers not known" if not is_known(more) else
             f"; with execution barriers: {ways(more)}" if more["fillings"] else "; nor with execution barriers")
    return row(path, pair, answer, said)


# ---- Tables ----


def figures(kinds, counts, head):
    print(f"| {head} | " + " | ".join(kinds) + " |\n|" + "---|" * (len(kinds) + head.count("|") + 1))
    for key, numbers in counts.items():
        print(f"| {key} | " + " | ".join(str(numbers[kind]) for kind in kinds) + " |")


def print_rows(head, rows):
    print(f"\n| test | models | {head} | checked |\n|---|---|---|---|")
    print("\n".join(rows))


def narrowest(crashlit):
    questions, keys = [], []
    named = {paper[0] for paper in PAPERS}
    for folder, *pair in (*PAPERS, *((folder, None, None) for folder in folders() if folder not in named)):
        for path in sorted(glob.glob(f"litmus/{folder}/*.litmus")):
            own = pair if pair[0] else first_pair(path, ("ok",))
            if own:
                questions.append((path, tuple(own)))
                keys.append(f"`litmus/{folder}` | " + (" + ".join(pair) if pair[0] else "each its first"))
    counts, rows = {}, []
    for key, question, answer in zip(keys, questions, ask_all(crashlit, "--narrow", questions)):
        kind = narrow_kind(answer, question[0])
        counts.setdefault(key, dict.fromkeys(NARROW, 0))[kind] += 1
        if kind == "less will do":
            rows.append(row(*question, answer))
    figures(NARROW, counts, "tests | models")
    print_rows("line: what is there, and what will do", rows)


def faults():
    """The tests that docs/results/findings.md is about."""
    found, folder = set(), ""
    for line in text_of("docs/results/findings.md").splitlines():
        for told in re.findall(r"litmus/([\w-]+)", line) if line.startswith("| test |") or line[:1] != "|" else ():
            folder = told
        if line.startswith("| test |"):
            found |= {f"litmus/{folder}/{name}.litmus" for name in re.findall(r"`(?:litmus/[\w-]+/)?([\w-]+)(?:\.litmus)?`", line)}
    return {path for path in found if os.path.exists(path)}


def repairs(crashlit):
    counts, questions = {}, []
    for path in sorted(path for folder in folders() for path in glob.glob(f"litmus/{folder}/*.litmus")):
        pair = ABOUT.get(path) or first_pair(path, ("violated", "undefined"))
        if not pair:
            continue
        numbers = counts.setdefault(f"`{os.path.dirname(path)}`", dict.fromkeys(REPAIR, 0))
        asked = CONDITION.findall(text_of(path))
        if asked and set(asked) == {"exists"}:
            numbers["asks what may be"] += 1
        else:
            questions.append((path, pair))
    published, others = [], []
    for question, answer in zip(questions, ask_all(crashlit, "--repair", questions)):
        kind = repair_kind(answer)
        counts[f"`{os.path.dirname(question[0])}`"][kind] += 1
        if question[0] in faults() and kind != "nothing open":
            published.append(fault_row(crashlit, *question, answer))
        elif kind == "repaired":
            others.append(row(*question, answer))
    figures(REPAIR, counts, "tests")
    print_rows("smallest repair", published)
    print_rows("smallest repair", others)


# ---- Held against the documents ----


def documented(path, aim):
    for line in text_of(path).splitlines():
        found = re.match(r"\| `([\w+.-]+/[\w+.-]+)` \| (\S+) \+ (\S+) \| .* \| (\d+) of [^|]+ \|$", line)
        if found and "not known" not in line:
            yield line, aim, f"litmus/{found[1]}.litmus", (found[2], found[3]), int(found[4])


def check(crashlit, quick):
    rows = [*documented("docs/results/narrowest.md", "--narrow"), *documented("docs/results/repairs.md", "--repair")]
    if quick:
        rows = [row for row in rows if row[4] <= 20 and "execution barriers" not in row[0]][::6]
    passed = failed = 0
    for aim in ("--narrow", "--repair"):
        own = [row for row in rows if row[1] == aim]
        answers = ask_all(crashlit, aim, [row[2:4] for row in own], 20 * SECONDS)
        for (line, _, path, pair, _), answer in zip(own, answers):
            fault = aim == "--repair" and path in faults()
            now = ("nothing is open" if answer is None else fault_row(crashlit, path, pair, answer, 20 * SECONDS) if fault else
                   row(path, pair, answer))
            if now == line:
                passed += 1
            else:
                failed += 1
                print(f"in the document: {line}\nas it is:        {now}")
    if not rows:
        failed += 1
        print("no row was found in docs/results/narrowest.md or docs/results/repairs.md")
    print(f"{passed} passed, {failed} failed")
    return failed == 0


if __name__ == "__main__":
    if sys.argv[2] == "check":
        sys.exit(not check(sys.argv[1], sys.argv[3:] == ["quick"]))
    {"narrowest": narrowest, "repairs": repairs}[sys.argv[2]](sys.argv[1])
