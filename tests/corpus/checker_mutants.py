#!/usr/bin/env python3
"""checker_mutants.py CHECKER COUNT SEED WORK: what judges in crashlit-check, with one place turned round at a time.

Each mutant is asked about true certificates, and about false claims by seed and by hand. One that answers all as the checker
does has survived; tests/corpus/lies/survivors has those for which this is right, with the reason. COUNT: how many, 0 for all."""
import pathlib
import random
import re
import subprocess
import sys

import checker

JUDGING = ["rel", "bounds", "choice", "cuts", "question", "decide", "certificate"]
ORDER = ["rel", "value", "lexer", "program", "parse", "run", "skeleton", "cat", "bounds", "choice", "cuts", "question",
         "decide", "certificate", "make", "main"]
PAIRS = [("&&", "||"), (r"\|\|", "&&"), (" <= ", " < "), (" < ", " <= "), (" >= ", " > "), (" > ", " >= "), (" <> ", " = "),
         (r"\bLow\b", "High"), (r"\bHigh\b", "Low"), (r"\blow\b", "high"), (r"\bhigh\b", "low"),
         (r" = (?=\[\]|None|Some|-?\d|\")", " <> "), (r"\bfst\b", "snd"), (r"\bsnd\b", "fst"),
         (r"\bpossible\b", "certain"), (r"\bcertain\b", "possible"), (r"\blost\b", "kept"), (r"\bkept\b", "lost"),
         (r"\bland lnot\b", "land"), (r"\bland\b(?! lnot)", "lor"), (r"\blor\b", "land"),
         (r"Rel\.inter\b", "Rel.union"), (r"Rel\.union\b", "Rel.inter"), (r"Rel\.diff\b", "Fun.const"),
         (r"\(Rel\.inverse ", "(Fun.id "), (r"Rel\.closure\b", "Fun.id"), (r"\bfor_all\b", "exists"), (r"\bexists\b", "for_all"),
         (r"\bnot \(", "("), (r"\btrue\b", "false"), (r"\bfalse\b", "true"), (r" \+ 1\b", " + 0"),
         (r"\bif ", "if not @@ "), (r"\bwhen ", "when not @@ "), (r'"<"', '">"'), (r'">"', '"<"')]
LIMIT = 60  # seconds; an answer that takes longer is another one


def places(text):
    """Where what judges could be turned round, and to what; comments and texts are left alone."""
    hidden = re.sub(r'\(\*.*?\*\)|"[^"\n]* [^"\n]*"', lambda m: re.sub(r"[^\n]", "_", m.group()), text, flags=re.S)
    for pattern, instead in PAIRS:
        for match in re.finditer(pattern, hidden):
            yield match.start(), match.end(), instead


def ran(folder, *command):
    return subprocess.run(["ocamlopt", "-w", "-a", *command], cwd=folder, stderr=subprocess.DEVNULL).returncode == 0


def built(folder, module, text):
    """The program with a module that has another text; None: it is no program."""
    (folder / f"{module}.ml").write_text(text)
    objects = [f"{name}.cmx" for name in ORDER]
    # Modules know of each other no more than their types; where these change, all behind it are made anew.
    made = ran(folder, "-opaque", "-c", f"{module}.ml") and (
        ran(folder, "-o", "mutant", *objects)
        or ran(folder, "-opaque", "-c", *[f"{name}.ml" for name in ORDER[ORDER.index(module) + 1:]])
        and ran(folder, "-o", "mutant", *objects))
    return folder / "mutant" if made else None


def answer(program, file):
    try:
        said = subprocess.run([program, "--states", file], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, timeout=LIMIT,
                              errors="replace").stdout
    except subprocess.TimeoutExpired:
        return None
    # Of what is refused the reason may differ.
    return [line.split("\t")[:3] if line.startswith("refused") else line for line in said.splitlines()]


def questions(program, count, seed, work):
    """Certificates of small tests; what is made of them by seed; those made by hand."""
    with open(work / "certificates", "w") as out:
        for nodes, folder, step in ("300", "litmus", 9), ("3000", "tests/corpus/lies", 1):
            tests = sorted(pathlib.Path(folder).rglob("*.litmus"))[::step]
            subprocess.run([program, "--nodes", nodes, "--make", *tests], stdout=out, stderr=subprocess.DEVNULL)
    rng = random.Random(seed)
    whole = [c for c in checker.certificates(work / "certificates") if c[-1] == "done"]
    with open(work / "true", "w") as out:
        out.write("".join("\n".join(c) + "\n" for c in whole))
    lies = [lie for lie in (checker.lie(rng, rng.choice(whole)) for _ in range(count)) if lie]
    with open(work / "lies", "w") as out:
        out.write("".join("\n".join(c) + "\n" for c in lies))
    with open("tests/corpus/lies/lies") as lines, open(work / "hand", "w") as out:
        out.write("".join(block.split("\n", 1)[1].rstrip("\n") + "\n" for block in lines.read().split("\n= ")[1:]))
    return [work / "hand", work / "true", work / "lies"]


def explained():
    path = pathlib.Path("tests/corpus/lies/survivors")
    return [line.split("\t")[0] for line in path.read_text().splitlines() if "\t" in line] if path.exists() else []


def main(program, count, seed, work):
    if not pathlib.Path(program).exists():
        print("skipped: there is no OCaml (Debian: ocaml-nox) to build crashlit-check\n0 passed, 0 failed")
        return 0
    program = str(pathlib.Path(program).resolve())
    work = pathlib.Path(work)
    folder = work / "mutants"
    folder.mkdir(parents=True, exist_ok=True)
    files = questions(program, 1000, int(seed), work)
    def source(module):
        return pathlib.Path(f"checker/{module}.ml").read_text()

    for module in ORDER:
        (folder / f"{module}.ml").write_text(source(module))
    ran(folder, "-opaque", "-c", *[f"{module}.ml" for module in ORDER])
    program = built(folder, "main", source("main"))
    right = [answer(program, file) for file in files]
    if None in right:
        sys.exit("the checker itself takes too long")
    mutants = [(module, place) for module in JUDGING for place in places(source(module))]
    if int(count) and int(count) < len(mutants):
        mutants = sorted(random.Random(int(seed)).sample(mutants, int(count)), key=mutants.index)
    # In three rounds, each of every third place, so that a run that is cut short has looked everywhere.
    mutants = [mutant for start in range(3) for mutant in mutants[start::3]]
    known, killed, survived, right_so, none, last = explained(), 0, 0, 0, 0, JUDGING[0]
    for module, (start, end, instead) in mutants:
        if module != last:
            built(folder, last, source(last))
            last = module
            print(f"{killed} killed, {survived} survived, {none} no programs before {module}", flush=True)
        text = source(module)
        program = built(folder, module, text[:start] + instead + text[end:])
        if program is None:
            none += 1
        elif any(answer(program, file) != said for file, said in zip(files, right)):
            killed += 1
        else:
            first = text.rfind("\n", 0, start) + 1
            turned = (text[first:start] + instead + text[end:text.index("\n", end)]).strip()
            if any(place in turned for place in known):
                right_so += 1
            else:
                survived += 1
                print(f"{module}.ml:{text.count(chr(10), 0, start) + 1}: {turned}", flush=True)
    print(f"{killed + right_so + survived} mutants that are programs, {killed} killed, {right_so} live rightly, {survived} survived; "
          f"{none} are no programs")
    good = survived * 20 <= killed + survived
    print(f"{int(good)} passed, {int(not good)} failed")
    return not good


if __name__ == "__main__":
    sys.exit(1 if main(*sys.argv[1:]) else 0)
