"""shapes.py: tests that `crashlit generate` makes of cycles.

  shapes.py CRASHLIT FOLDER
    1. All cycles up to four edges of a list of words are those of an enumeration of its own, each once. Under sc with strict and
       buffered-strict persistency each is forbidden exactly when it is a cycle there, by the rule in `is_forbidden`.
    2. Shapes of shapes.list come to the verdicts that are derived there, and to the same by either engine.
    3. Each word of each vocabulary, and each dialect, makes tests that can be read.
    4. What is written with --expect is what both engines say; what they do not confirm is told, and not written.
    5. The same command makes the same bytes, a test's name makes the test, and a folder has what the stream has.
    6. The table of docs/using/shapes.md is that of --shape help.
    7. Cycles that other tools' tests have come to the answers known of these, where they are at hand.
"""
import collections
import glob
import itertools
import json
import os
import re
import shutil
import subprocess
import sys

passed = failed = 0


def expect(condition, what):
    global passed, failed
    if condition:
        passed += 1
    else:
        failed += 1
        print("FAILED: " + what)


def run(*arguments):
    done = subprocess.run([CRASHLIT, *arguments], capture_output=True, text=True)
    return done.returncode, done.stdout, done.stderr


def stream(text):
    """The tests of a stream, by their names in its order."""
    parts = re.split(r"^(?=(?:OPENCL|PTX) )", text, flags=re.M)[1:]
    return [(part.split(maxsplit=2)[1], part) for part in parts]


def verdicts(folder, visibility, persistency, *options):
    status, out, err = run("check", "-m", visibility, "-p", persistency, "--format", "json", *options, folder)
    expect("error" not in err, f"{folder} under {visibility} + {persistency}: {err[:300]}")
    return {record["test"]: record["verdict"] for record in map(json.loads, out.splitlines())}


# ---- 1. All cycles of a list ----

# Of an edge: where it may begin and where it ends, whether its location stays (s), moves (d) or may do either (-), whether it
# is in program order (p), communication within a work-item (i) or to another (e), leads nowhere (g), or is the crash (c).
EDGES = {"Rfe": ("W", "R", "s", "e"), "Fre": ("R", "W", "s", "e"), "Wse": ("W", "W", "s", "e"),
         "Rfi": ("W", "R", "s", "i"), "Fri": ("R", "W", "s", "i"), "Wsi": ("W", "W", "s", "i"),
         "Rmw": ("R", "W", "s", "p"), "Crash": ("RW", "W", "-", "c")}
for a, b in itertools.product("RW", "RW"):
    EDGES["Pod" + a + b] = (a, b, "d", "p")
    EDGES["Pos" + a + b] = (a, b, "s", "p")
    EDGES["Gap" + a + b] = (a, b, "d", "g")
LIST = "Pod** Pos** Rfe Fre Wse Rfi Fri Wsi Rmw Crash Gap**"


def closes(words):
    edges = [EDGES[word] for word in words]
    if any(edges[i - 1][1] not in edges[i][0] for i in range(len(edges))):
        return False
    crashes = [i for i, edge in enumerate(edges) if edge[3] == "c"]
    others = [edge for edge in edges if edge[3] in "eg"]
    changes = [edge for edge in edges if edge[2] != "s"]
    if len(crashes) > 1 or len(crashes) + len(others) == 0:
        return False
    if not crashes and len(others) == 1:
        return False  # it leads away, and nothing leads back
    if len(changes) == 1 and changes[0][2] == "d":
        return False  # it leads to another location, and nothing leads back
    if not changes and all(edge[3] in "ei" for edge in edges):
        return False  # communication alone
    if len(crashes) == 1 and len(changes) == 1 and edges[crashes[0] - 1][1] == "W":
        return False  # of one location, memory cannot show the later version without the earlier
    return True


def turned(words):
    """The least rotation: the same for all of a cycle."""
    return min(tuple(words[i:] + words[:i]) for i in range(len(words)))


def is_forbidden(words, buffered):
    """Under sc, with strict or buffered-strict persistency. po, rf, co and fr cannot go round. Without a crash a Gap is a place to
    begin at: all then happens in the order of the cycle. With one the last word is Crash, and the first access is what is lost.
    From there on to the end all is in one order, unless there is a Gap: then the last access may be first. A write at the end is
    durable after the lost one; a read, and any read of which the lost write comes before, waits for it only where it is unbuffered."""
    gaps = [i for i, word in enumerate(words) if word.startswith("Gap")]
    if words[-1] != "Crash":
        return not gaps
    ordered = words[: gaps[0]] if gaps else words[:-1]
    ends = [EDGES[word][1] for word in ordered]
    # An observer, who tells in which order writes are, is a read of theirs.
    if not buffered and ("R" in ends or "Wse" in ordered or "Wsi" in ordered):
        return True
    return not gaps and EDGES[words[-2]][1] == "W"


def all_cycles(folder):
    size = 4
    status, out, err = run("generate", "--shape-from", LIST, "--size", str(size), "-o", folder)
    expect(status == 0 and err.startswith("1642 tests, "), f"{LIST}: {err[:300]}")  # as many as this script makes
    with open(folder + "/MANIFEST") as file:
        names = [line[: -len(".litmus\n")] for line in file if not line.startswith("#")]
    found = collections.Counter(turned(name.split("+")) for name in names)
    expect(all(count == 1 for count in found.values()), "each cycle comes once")
    wanted = {turned(list(words)) for n in range(1, size + 1)
              for words in itertools.product(EDGES, repeat=n) if closes(words)}
    expect(set(found) == wanted, f"{len(found)} cycles, expected {len(wanted)}: {list(set(found) ^ wanted)[:5]}")
    for persistency in "strict", "buffered-strict":
        answers = verdicts(folder, "sc", persistency)
        expect(len(answers) == len(wanted), f"{len(answers)} answers under {persistency}")
        wrong = [name for name, verdict in answers.items()
                 if verdict != ("ok" if is_forbidden(name.split("+"), persistency == "buffered-strict") else "violated")]
        expect(not wrong, f"under sc + {persistency} {len(wrong)} verdicts are others: {wrong[:5]}")
        print(f"sc + {persistency}: {collections.Counter(answers.values())}")


# ---- 2. Verdicts by hand ----

def derived(folder):
    questions = collections.defaultdict(dict)
    with open("tests/corpus/shapes.list") as file:
        lines = [line.split(" : ") for line in (raw.strip() for raw in file) if line and not line.startswith("#")]
    for number, (shape, pairs) in enumerate(lines):
        shape = shape.strip()
        dialect, shape = ("PTX", shape[4:]) if shape.startswith("PTX ") else ("OPENCL", shape)
        status, out, err = run("generate", "--shape", shape, "--dialect", dialect)
        made = stream(out)
        expect(status == 0 and len(made) == 1, f"{shape}: {err[:300]}")
        for pair in pairs.split(", "):
            models, verdict = pair.split(" = ")
            questions[tuple(models.split(" + "))][number, made[0][0]] = shape, made[0][1], verdict.strip()
    for (visibility, persistency), tests in questions.items():
        for engine in "enum", "smt":
            # Two lines may be of one shape, so a folder for each model pair.
            place = f"{folder}/{visibility}+{persistency}"
            shutil.rmtree(place, ignore_errors=True)
            os.makedirs(place)
            for (number, name), (_, text, _) in tests.items():
                with open(f"{place}/{number}.litmus", "w") as file:
                    file.write(text)
            answers = verdicts(place, visibility, persistency, "-e", engine)
            for (_, name), (shape, _, verdict) in tests.items():
                expect(answers.get(name) == verdict,
                       f"{shape} under {visibility} + {persistency}: {engine} says {answers.get(name)}, derived is {verdict}")


# ---- 3. Words ----

def readable(folder):
    os.makedirs(folder)
    status, out, err = run("generate", "--shape", "help")
    rows = re.findall(r"^\| `([a-z0-9-]+)` \| ([^|]*) \|([^|]*)\|$", out, flags=re.M)
    expect(len(rows) > 5 and "oFence" in out, f"vocabularies: {rows}")
    edges = "PodWW Rfe Crash Nvm"
    lists = [("spb", "Pod** PosRW Rfe.* Wse Crash PB* Bwg Bkr.alone"), ("spb", "PodWR Dp* Rfe Fre Wse"),
             ("spb", "PodWW PodRW Rfe Wsi Fri Rfi Rmw Wse F*.wg Acq.* Crash"), ("spb", "Gap** Rfe.sg Sc AcqRel Rel Rmw Wse")]
    for vocabulary, own, names in rows:
        lists.append((vocabulary, f"{edges} PodRW {own} {names}".replace("`", "").replace("PB", "PB*")))
    for number, (vocabulary, words) in enumerate(lists):
        for dialect in "OPENCL", "PTX":
            status, out, err = run("generate", "--shape-from", words, "--size", "2" if "Crash" in words else "4",
                                   "--vocabulary", vocabulary, "--dialect", dialect, "-o", f"{folder}/{number}-{dialect}")
            expect(status == 0 and re.match(r"[1-9]", err), f"{vocabulary} {words} in {dialect}: {status} {err[:300]}")
    status, out, err = run("check", "-m", "sc", "-p", "none", "--decide", "--format", "json", folder)
    answers = collections.Counter(json.loads(line)["verdict"] for line in out.splitlines())
    print(f"tests of all words: {answers}")
    expect(sum(answers.values()) > 500 and set(answers) <= {"ok", "violated", "undefined"} and "error" not in err,
           f"tests of all words: {answers}, {err[:400]}")
    status, out, err = run("generate", "--shape", "PBwi PodWW Crash", "--vocabulary", "tx")
    expect(status == 2 and "expected a word of shapes or an instruction of 'tx'" in err, f"tx has no persist barriers: {err}")


# ---- 4. Expectations ----

def expectations(folder):
    pairs = "sc+epoch,sc+buffered-epoch,hrf-direct-relaxed+none"
    # All four are in shapes.list, but for the second line of each.
    wanted = {"PBwi+PodWW+Crash": {"sc + epoch : ok", "sc + buffered-epoch : ok", "hrf-direct-relaxed + none : violated"},
              "PBwi+PodWW+Rfe+Crash": {"sc + epoch : ok", "sc + buffered-epoch : violated", "hrf-direct-relaxed + none : violated"}}
    for shape, lines in wanted.items():
        status, out, err = run("generate", "--shape", shape, "--expect", pairs)
        found = set(re.findall(r"^expect (.*)$", out, flags=re.M))
        expect(status == 0 and found == lines and err == "1 test\n", f"--expect of {shape}: {found} {err}")
    status, out, err = run("generate", "--shape", "MP", "--expect", "sc+none", "--timeout", "0.0000001")
    expect(status == 3 and "expect sc" not in out and "nothing is expected of sc + none" in err,
           f"what is not confirmed is not written: {status} {out[-200:]} {err}")
    for wrong in "sc", "sc+", "sc+none,", "sc+nome", "./a.cat+none":
        status, out, err = run("generate", "--shape", "MP", "--expect", wrong)
        expect(status == 2 and "expect" in err and not out, f"--expect {wrong} is refused: {status} {err}")


# ---- 5. Names, streams, folders ----

def reproducible(folder):
    words = ("generate", "--shape-from", "Pod** Rfe Fre Crash PBwi Rel.dev", "--size", "4")
    first, second = run(*words), run(*words)
    tests = stream(first[1])
    expect(first == second and len(tests) > 100, f"the same bytes again, {len(tests)} tests")
    for name, text in tests[:: max(1, len(tests) // 20)]:
        status, out, err = run("generate", "--shape", name)
        expect(stream(out) == [(name, text)], f"{name} makes itself: {err}")
    piped = subprocess.run([CRASHLIT, "check", "-m", "sc", "-p", "strict", "--decide", "-"], input=first[1], capture_output=True, text=True)
    expect(f"{len(tests)} as expected, 0 otherwise, 0 files with errors" in piped.stdout, f"the stream is checked: {piped.stdout[-100:]} {piped.stderr[:200]}")
    run(*words, "-o", folder)
    same = all(open(f"{folder}/{name}.litmus").read() == text for name, text in tests)
    expect(same and len(glob.glob(folder + "/*.litmus")) == len(tests), "the folder has what the stream has")
    status, out, err = run("check", "-m", "sc", "-p", "strict", "--decide", f"@{folder}/MANIFEST")
    expect(f"{len(tests)} as expected, 0 otherwise, 0 files with errors" in out, "the manifest is a list: all are ok: " + out[-100:])
    long = " ".join(["PodWW Rel.dev Rfe.dev Acq.dev Frel.dev Facq.dev PodRW"] + ["Rel.dev Rfe.dev Acq.dev Frel.dev Facq.dev PodRW"] * 4 + ["Wse"])
    status, out, err = run("generate", "--shape", long, "-o", folder + "/long")
    files = os.listdir(folder + "/long") if status == 0 else []
    expect(len(files) == 2 and all(len(file) < 255 for file in files), f"a long name ends with a digest: {files} {err}")


# ---- 6. The document ----

def documented():
    status, out, err = run("generate", "--shape", "help")
    with open("docs/using/shapes.md") as file:
        text = file.read()
    for table in out.split("\n\n"):
        expect(table.strip() and table.strip() in text, "docs/using/shapes.md has the table of --shape help:\n" + table[:300])


# ---- 7. Others' tests ----

PEERS = [
    ("PTXv6_0", "PTX/Manual/MP-gpu", "Pl PodWW Rel.dev Rfe.wg Acq.dev PodRR Pl Fre.wg"),
    ("PTXv6_0", "PTX/Manual/MP-sys", "Pl PodWW Rel.all Rfe.wg Acq.all PodRR Pl Fre.wg"),
    ("PTXv6_0", "PTX/Manual/MP-cta-gpu", "Pl PodWW Rel.wg Rfe.wg Acq.dev PodRR Pl Fre.wg"),
    ("PTXv6_0", "PTX/Manual/MP-sys-fence", "Pl Far.all PodWW Rlx.all Rfe.wg Rlx.all Far.all PodRR Pl Fre.wg"),
    ("PTXv6_0", "PTX/Manual/SB+sc-cta", "Pl Fsc.wg PodWR Pl Fre.wg Pl Fsc.wg PodWR Pl Fre.wg"),
    ("PTXv6_0", "PTX/Manual/SB+sc-cta-outScope", "Pl Fsc.wg PodWR Pl Fre Pl Fsc.wg PodWR Pl Fre"),
    ("PTXv6_0", "PTX/Manual/SB+sc-gpu", "Pl Fsc.dev PodWR Pl Fre Pl Fsc.dev PodWR Pl Fre"),
    ("PTXv6_0", "PTX/Manual/SB+sc-sys-gpu", "Pl Fsc.all PodWR Pl Fre Pl Fsc.dev PodWR Pl Fre"),
    ("PTXv6_0", "PTX/Manual/SB+sc-sys", "Pl Fsc.all PodWR Pl Fre.all Pl Fsc.all PodWR Pl Fre.all"),
    ("PTXv6_0", "PTX/Manual/SB+acq_rel-cta", "Rel.wg Far.wg PodWR Acq.wg Fre.wg Rel.wg Far.wg PodWR Acq.wg Fre.wg"),
    ("OPENCL", "OPENCL/herd/MP", "Pl Fsc.all PodWW Rlx Rfe.wg Rlx PodRR Pl Fre.wg"),
    ("OPENCL", "OPENCL/herd/3LB", "Sc PodRW Sc Rfe.wg Sc PodRW Sc Rfe Sc PodRW Sc Rfe"),
    ("OPENCL", "OPENCL/overhauling/MP_ra_dev_broken", "Pl PodWW Rel.dev Rfe.all Acq.dev PodRR Pl Fre.all"),
    ("OPENCL", "OPENCL/overhauling/MP_ra_wg", "Pl PodWW Rel.wg Rfe Acq.wg PodRR Pl Fre"),
    ("OPENCL", "OPENCL/overhauling/IRIW_sc_dev", "Sc Rfe.wg Sc PodRR Sc Fre.wg Sc Rfe.wg Sc PodRR Sc Fre.wg"),
    ("OPENCL", "OPENCL/overhauling/IRIW_sc_wg",
     "Sc.wg Rfe.wg Sc.wg PodRR Sc.wg Fre.wg Sc.wg Rfe.wg Sc.wg PodRR Sc.wg Fre.wg"),
    ("OPENCL", "OPENCL/portedFromC11/manual/IRIW-sc-sc-acq-sc-acq-sc",
     "Sc Rfe.wg Acq PodRR Sc Fre.wg Sc Rfe.wg Acq PodRR Sc Fre.wg"),
    ("OPENCL", "OPENCL/portedFromC11/auto/lb", "Rlx PodRW Rlx Rfe.wg Rlx PodRW Rlx Rfe.wg"),
    ("OPENCL", "OPENCL/portedFromC11/manual/mp_fences", "Pl Frel.all PodWW Rlx Rfe.wg Rlx Facq.all PodRR Pl Fre.wg"),
    ("OPENCL", "OPENCL/portedFromC11/manual/mp_relacq", "Pl PodWW Rel Rfe.wg Acq PodRR Pl Fre.wg"),
    ("OPENCL", "OPENCL/portedFromC11/manual/mp_relaxed", "Pl PodWW Rlx Rfe.wg Rlx PodRR Pl Fre.wg"),
]


def peers(folder):
    others = "../shared/peers"
    if not os.path.isdir(others):
        print(f"skipped: there is no {others}")
        return
    os.makedirs(folder, exist_ok=True)
    for suite, path, shape in PEERS:
        with open(f"{others}/expected/{suite}.csv") as file:
            known = dict(line.strip().split(",") for line in file if "," in line)
        with open(f"{others}/litmus/{path}.litmus") as file:
            keyword = re.findall(r"^\s*(~exists|exists|forall)", file.read(), flags=re.M)[-1]
        # Conditions there name the cycle's state, or what forbids it.
        reachable = (known[f"litmus/{path}.litmus"] == "1") == (keyword == "exists")
        status, out, err = run("generate", "--shape", shape, "--dialect", "PTX" if suite.startswith("PTX") else "OPENCL")
        with open(folder + "/peer.litmus", "w") as file:
            file.write(out)
        model = "ptx" if suite.startswith("PTX") else "opencl"
        answer = list(verdicts(folder, model, "none").values())
        expect(answer == ["violated" if reachable else "ok"], f"{path} is reachable: {reachable}; {shape}: {answer} {err}")


CRASHLIT, WORK = sys.argv[1:]
shutil.rmtree(WORK, ignore_errors=True)
os.makedirs(WORK)
all_cycles(WORK + "/all")
derived(WORK + "/derived")
readable(WORK + "/words")
expectations(WORK)
reproducible(WORK + "/same")
documented()
peers(WORK + "/peers")
print(f"{passed} passed, {failed} failed")
sys.exit(failed != 0)
