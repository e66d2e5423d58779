#!/usr/bin/env python3
"""checker_mutants.py CHECKER COUNT SEED WORK: what judges in crashlit-check, with one place turned round at a time.

Each mutant is asked about true certificates, and about false claims by seed and by hand. One that answers all as the checker
does has survived; checker_survivors.txt has those for which this is right, with the reason. COUNT: how many, 0 for all."""
import pathlib
import random
import re
import subprocess
import sys

import checker

JUDGING = ["rel", "bounds", "choice", "cuts", "decide", "certificate"]
ORDER = ["rel", "value", "lexer", "program", "parse", "cat", "run", "skeleton", "bounds", "choice", "cuts", "decide",
         "certificate", "make", "main"]
PAIRS = [("&&", "||"), (r"\|\|", "&&"), (" <= ", " < "), (" < ", " <= "), (" >= ", " > "), (" > ", " >= "), (" <> ", " = "),
         (r"\blow\b", "high"), (r"\bhigh\b", "low"), (r"\bfst\b", "snd"), (r"\bsnd\b", "fst"),
         (r"\bpossible\b", "certain"), (r"\bcertain\b", "possible"), (r"\blost\b", "kept"), (r"\bkept\b", "lost"),
         (r"\bland lnot\b", "land"), (r"\bland\b(?! lnot)", "lor"), (r"\blor\b", "land"),
         (r"Rel\.inter\b", "Rel.union"), (r"Rel\.union\b", "Rel.inter"), (r"Rel\.diff\b", "Fun.const"),
         (r"\(Rel\.inverse ", "(Fun.id "), (r"Rel\.closure\b", "Fun.id"), (r"\bfor_all\b", "exists"), (r"\bexists\b", "for_all"),
         (r"\bnot \(", "("), (r"\btrue\b", "false"), (r"\bfalse\b", "true"), (r" \+ 1\b", " + 0"),
         (r"\bif ", "if not @@ "), (r"\bwhen ", "when not @@ "), (r'"<"', '">"'), (r'">"', '"<"')]
LIMIT = 60  # seconds; an answer that takes longer is another one


def places(text):
    """Where what judges could be turned round, and to what; comments and texts are left alone."""
    hidden = re.sub(r"\(\*.*?\*\)", lambda m: re.sub(r"[^\n]", "_", m.group()), text, flags=re.S)
    for pattern, instead in PAIRS:
        for match in re.finditer(pattern, hidden):
            yield match.start(), match.end(), instead


def built(folder, module, text):
    """The program with a module that has another text; None: it is no program."""
    for name in ORDER[ORDER.index(module):]:
        (folder / f"{name}.ml").write_text(text if name == module else pathlib.Path(f"checker/{name}.ml").read_text())
    files = [f"{name}.ml" for name in ORDER[ORDER.index(module):]]
    objects = [f"{name}.cmx" for name in ORDER]
    for command in (["ocamlopt", "-w", "-a", "-c", *files], ["ocamlopt", "-o", "mutant", *objects]):
        if subprocess.run(command, cwd=folder, stderr=subprocess.DEVNULL).returncode:
            return None
    return folder / "mutant"


def answers(program, files):
    try:
        said = [subprocess.run([program, file], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, timeout=LIMIT,
                               errors="replace").stdout for file in files]
    except subprocess.TimeoutExpired:
        return None
    # Of what is refused the reason may differ.
    return [line.split("\t")[:3] if line.startswith("refused") else line for text in said for line in text.splitlines()]


def questions(program, count, seed, work):
    """Certificates of small tests; what is made of them by seed; those made by hand."""
    tests = sorted(str(path) for path in pathlib.Path("litmus").rglob("*.litmus"))[::9]
    with open(work / "certificates", "w") as out:
        subprocess.run([program, "--nodes", "300", "--make", *tests], stdout=out, stderr=subprocess.DEVNULL)
    rng = random.Random(seed)
    whole = [c for c in checker.certificates(work / "certificates") if c[-1] == "done"]
    with open(work / "true", "w") as out:
        out.write("".join("\n".join(c) + "\n" for c in whole))
    lies = [lie for lie in (checker.lie(rng, rng.choice(whole)) for _ in range(count)) if lie]
    with open(work / "lies", "w") as out:
        out.write("".join("\n".join(c) + "\n" for c in lies))
    with open("tests/corpus/lies/lies") as lines, open(work / "hand", "w") as out:
        out.write("".join(block.split("\n", 1)[1].rstrip("\n") + "\n" for block in lines.read().split("\n= ")[1:]))
    return [work / "true", work / "lies", work / "hand"]


def explained():
    path = pathlib.Path("tests/corpus/lies/survivors")
    return [line.split("\t")[0] for line in path.read_text().splitlines() if "\t" in line] if path.exists() else []


def main(program, count, seed, work):
    work = pathlib.Path(work)
    folder = work / "mutants"
    folder.mkdir(parents=True, exist_ok=True)
    files = questions(program, 1000, int(seed), work)
    built(folder, ORDER[0], pathlib.Path(f"checker/{ORDER[0]}.ml").read_text())
    right = answers(folder / "mutant", files)
    mutants = []
    for module in JUDGING:
        text = pathlib.Path(f"checker/{module}.ml").read_text()
        mutants += [(module, text, *place) for place in places(text)]
    if int(count) and int(count) < len(mutants):
        mutants = random.Random(int(seed)).sample(mutants, int(count))
    known, killed, survived, none = explained(), 0, 0, 0
    for module, text, start, end, instead in mutants:
        before = text.count("\n", 0, start)
        line = text.split("\n")[before]
        program = built(folder, module, text[:start] + instead + text[end:])
        if program is None:
            none += 1
        elif answers(program, files) != right:
            killed += 1
        else:
            column = start - (text.rfind("\n", 0, start) + 1)
            turned = line[:column] + instead + line[column + end - start:]
            if not any(reason in turned for reason in known):
                survived += 1
                print(f"{module}.ml:{before + 1}: {turned.strip()}", flush=True)
        # The module is right again, and what uses it is made anew with the next mutant.
        (folder / f"{module}.ml").write_text(text)
        for name in ORDER[ORDER.index(module):]:
            (folder / f"{name}.ml").write_text(pathlib.Path(f"checker/{name}.ml").read_text())
        subprocess.run(["ocamlopt", "-w", "-a", "-c", *[f"{n}.ml" for n in ORDER[ORDER.index(module):]]], cwd=folder)
    print(f"{killed + survived} mutants that are programs, {killed} killed, {survived} survived; {none} are no programs")
    return survived * 20 > killed + survived


if __name__ == "__main__":
    sys.exit(1 if main(*sys.argv[1:]) else 0)
