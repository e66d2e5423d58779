"""campaign.py PROGRAM WORK COUNT SEED: mutated inputs through the whole program.

Batches of tests, models, machines, mappings, lists and records are made of those of the tree by
mutation, get names that are hard to quote, and go through a command, an engine and a format
that the seed chooses; or mutated sequences of calls go through the library (fuzz_api). Whatever the input, the program has to

* leave with one of its documented statuses, of which 70 (internal error) is none here;
* end in time: every run has --timeout, and a batch a limit of its own;
* show nothing of a sanitizer, and nothing but UTF-8 without control characters;
* print a well-formed document of the format, and with json a record of every file.

A batch that fails is kept in WORK/found with the command line in a file `command`. The last line
has the sum: a batch is one check.
"""
import glob
import json
import os
import random
import re
import shutil
import subprocess
import sys
from xml.etree import ElementTree

BATCH = 20
LIMIT_SECONDS = 300
STATUSES = (0, 1, 2, 3, 4)
ALARMS = re.compile(rb"AddressSanitizer|LeakSanitizer|UndefinedBehavior|runtime error:|internal error|Assertion")
CONTROL = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]|\r(?!\n)") # but for CR LF


def read(path):
    with open(path, "rb") as file:
        return file.read()


def seeds(*patterns):
    found = [read(path) for pattern in patterns for path in sorted(glob.glob(pattern))]
    assert found, patterns
    return found


LITMUS = seeds("litmus/*/*.litmus", "tests/malformed/litmus/*.litmus", "tests/fuzz/seeds/litmus/*")
LITMUS += [read(path) for path in sorted(glob.glob("../shared/peers/litmus/*/*/*.litmus"))]
CAT = seeds("models/*.cat", "models/*/*.cat", "tests/malformed/cat/*.cat", "tests/fuzz/seeds/cat/*")
DEFINITIONS = seeds("models/definitions/*.def", "tests/malformed/litmus/*.def", "tests/fuzz/seeds/uses/*")
USING = [text for text in LITMUS if b"\nuses " in text]
MACHINE = seeds("models/machines/*.machine", "tests/malformed/machine/*.machine", "tests/fuzz/seeds/machine/*")
CALLS = seeds("tests/fuzz/seeds/api/*")
MAPPING = seeds("models/mappings/*.map", "tests/malformed/*/*.map", "tests/fuzz/seeds/mapping/*")
MAPPED = [text for text in LITMUS if b"pragma" in text or b"p_barrier" in text or b"sfence" in text]
WORDS = sorted(set(re.findall(rb"[A-Za-z_][A-Za-z_0-9.]*|[^\sA-Za-z_0-9]{1,2}", b"\n".join(LITMUS[::7] + CAT))))
NUMBERS = [b"0", b"-1", b"255", b"4096", b"65536", b"2147483647", b"2147483648", b"-2147483649",
           b"9223372036854775807", b"18446744073709551616", b"1" * 400, b"0x7fffffff", b"1e9", b"08"]
LONG = [b" ", b"\n", b"a", b"0", b"(", b"[", b"{", b"/", b"*", b"~", b"\xff", b"\x00", b"/* ", b"x /\\ ",
        b"if (1) ", b"\"", b"| ", b"; ", b"[a/"]


def flip(rng, text):
    at = rng.randrange(len(text) + 1)
    return text[:at] + bytes([rng.randrange(256)]) + text[at + rng.randrange(2):]


def cut(rng, text):
    return text[:rng.randrange(len(text) + 1)]


def drop(rng, text):
    a, b = sorted(rng.randrange(len(text) + 1) for _ in "ab")
    return text[:a] + text[min(b, a + rng.choice((1, 8, 200))):]


def lines(rng, text):
    rows = text.split(b"\n")
    a, b = rng.randrange(len(rows)), rng.randrange(len(rows))
    if rng.random() < 0.5:
        rows[a], rows[b] = rows[b], rows[a]
    else:
        rows[a:a] = [rows[b]] * rng.choice((1, 2, 70, 300))
    return b"\n".join(rows)


def word(rng, text):
    places = list(re.finditer(rb"[A-Za-z_][A-Za-z_0-9]*|\d+|[^\sA-Za-z_0-9]", text))
    if not places:
        return text
    place = rng.choice(places)
    new = rng.choice(NUMBERS if place.group().isdigit() and rng.random() < 0.8 else WORDS)
    return text[:place.start()] + new + text[place.end():]


def splice(rng, text, pool):
    other = rng.choice(pool)
    return text[:rng.randrange(len(text) + 1)] + other[rng.randrange(len(other) + 1):]


def stretch(rng, text):
    at = rng.randrange(len(text) + 1)
    return text[:at] + rng.choice(LONG) * rng.choice((300, 5000, 16390, 70000)) + text[at:]


def mutate(rng, pool):
    text = rng.choice(pool)
    for _ in range(rng.choice((0, 1, 1, 1, 2, 2, 3, 6))):
        kind = rng.random()
        if kind < 0.45:
            text = word(rng, text)
        elif kind < 0.6:
            text = flip(rng, text)
        elif kind < 0.7:
            text = drop(rng, text)
        elif kind < 0.8:
            text = lines(rng, text)
        elif kind < 0.87:
            text = splice(rng, text, pool)
        elif kind < 0.93:
            text = cut(rng, text)
        else:
            text = stretch(rng, text)
    return text[:256 << 10]


NAMES = [b"-o", b"a b", b"'", b'"', b"<x>&amp;", b"\x1b[31m", b"\xff\xfe", b"\xe2\x80\xae", b"$(id)", b"`id`",
         b";id", b"%s%n", b"\n", b"\t", b"#", b"@x", b"]]>", b"*", b"?", b"[a]", b"\\", b"\xc3\xa9", b"x" * 200,
         b"\x7f", b",", b"=", b"..", b"|"]


def hostile_name(rng, number, ending):
    name = b"%d" % number
    for _ in range(rng.choice((0, 1, 1, 2, 3))):
        name += rng.choice(NAMES)
    if rng.random() < 0.3:
        name = rng.choice([word for word in NAMES if word != b".."]) + name  # a hidden file is no test of a folder
    return (name if len(name) <= 200 else name[:197] + b"%03d" % number) + ending  # no two are cut to one


def put(folder, name, text):
    path = os.path.join(folder, name)
    with open(path, "wb") as file:
        file.write(text)
    return path



def names(folder):
    """Of the built-in models of a folder."""
    found = [os.path.basename(path)[:-len(".cat")] for path in sorted(glob.glob("models/%s/*.cat" % folder))]
    assert found, folder
    return found


MODELS, PERSISTENCIES = names("visibility"), names("persistency")
FORMATS = "text json json junit tap sarif html dot svg".split()


def some_options(rng):
    options = ["--timeout", "1", "-j", str(rng.choice((1, 2, 3)))]
    if not os.environ.get("MEMORY_UNBOUNDED"):
        options += ["--memory", "600"]
    if rng.random() < 0.4:
        options += ["--crash", rng.choice(("anywhere", "points", "end"))]
    if rng.random() < 0.2:
        options += ["--unroll", rng.choice("1234")]
    if rng.random() < 0.2:
        options += ["--recovery-crash", "--rounds", rng.choice("123")]
    return options


def asking(rng):
    """Options of commands that answer with states: now and then whatever the engines do past some size, they do at once."""
    return some_options(rng) + (["--thresholds", "least"] if rng.random() < 0.3 else [])


def some_pair(rng):
    return ["-m", rng.choice(MODELS), "-p", rng.choice(PERSISTENCIES)] if rng.random() < 0.4 else []


class Batch:
    """A folder of inputs, a command line, and how its output is read."""

    def __init__(self, rng, work, number):
        self.rng, self.folder = rng, os.path.join(work, "batch").encode()
        shutil.rmtree(self.folder, ignore_errors=True)
        os.makedirs(self.folder)
        self.number, self.format, self.files, self.program = number, "text", [], PROGRAM
        kinds = [self.checks] * 8 + [self.explains, self.crosschecks, self.traces, self.models, self.models,
                                     self.models, self.definitions, self.machines, self.mappings, self.lists, self.records, self.compares,
                                     self.calls, self.calls]
        self.arguments = rng.choice(kinds)()

    def tests(self, count=BATCH):
        folder = os.path.join(self.folder, b"t")
        os.makedirs(folder)
        self.files = [put(folder, hostile_name(self.rng, i, b".litmus"), mutate(self.rng, LITMUS)) for i in range(count)]
        return folder

    def sample(self, count=3):
        folder = os.path.join(self.folder, b"s")
        os.makedirs(folder)
        return [put(folder, b"%d.litmus" % i, self.rng.choice(LITMUS)) for i in range(count)]

    def checks(self):
        self.format = self.rng.choice(FORMATS)
        engine = self.rng.choice("enum enum smt machine all".split())
        decide = ["--decide"] if self.rng.random() < 0.3 and engine != "machine" else []
        return ["check", "--format", self.format, "--engine", engine, *decide, *asking(self.rng),
                *some_pair(self.rng), self.tests()]

    def explains(self):
        self.format = self.rng.choice("text json dot svg".split())
        return ["explain", "--format", self.format, *some_options(self.rng), *some_pair(self.rng), self.tests()]

    def crosschecks(self):
        return ["crosscheck", *asking(self.rng), *some_pair(self.rng), self.tests()]

    def compares(self):
        return ["compare", "--models", "sc+epoch,hrf-direct+strict", *asking(self.rng), self.tests()]

    def traces(self):
        machine = self.rng.choice("nvw-fifo bpfs ideal-sc".split())
        return ["trace", "--condition", "1", "--machine", machine, "--max-states", "20000", *some_options(self.rng),
                self.tests()]

    def models(self):
        self.format = self.rng.choice(FORMATS)
        path = put(self.folder, hostile_name(self.rng, 1, b".cat"), mutate(self.rng, CAT))
        dump = ["--dump-ir"] if self.rng.random() < 0.2 else []
        return ["check", "--format", self.format, *dump, self.rng.choice(("-m", "-p")), path, *asking(self.rng),
                *self.sample()]

    def definitions(self):
        self.format = self.rng.choice(FORMATS)
        path = put(self.folder, hostile_name(self.rng, 1, b".def"), mutate(self.rng, DEFINITIONS))
        folder = os.path.join(self.folder, b"s")
        os.makedirs(folder)
        tests = [put(folder, b"%d.litmus" % i, re.sub(rb"\nuses [^\n]*", b"", self.rng.choice(USING))) for i in range(3)]
        return ["check", "--format", self.format, "--uses", path, *asking(self.rng), *some_pair(self.rng), *tests]

    def machines(self):
        path = put(self.folder, hostile_name(self.rng, 1, b".machine"), mutate(self.rng, MACHINE))
        return ["check", "--engine", "machine", "--machine", path, "--max-states", "20000", *asking(self.rng),
                *self.sample()]

    def mappings(self):
        """A test that is mapped, and how it refines its source."""
        self.format = self.rng.choice(FORMATS)
        mapping = put(self.folder, hostile_name(self.rng, 1, b".map"), mutate(self.rng, MAPPING))
        test = put(self.folder, b"source.litmus", self.rng.choice(MAPPED) if self.rng.random() < 0.8 else mutate(self.rng, MAPPED))
        if self.rng.random() < 0.4:
            self.format = "text"
            return ["map", mapping, test]
        return ["refines", "--format", self.format, *asking(self.rng), test, "--under", "sc+epoch", "--map", mapping,
                "--under", "sc+" + self.rng.choice(PERSISTENCIES)]

    def calls(self):
        """Of the library, as tests/fuzz/fuzz_api.c reads them; tests among them."""
        self.program = os.path.join(os.path.dirname(PROGRAM), "tests/fuzz/replay_fuzz_api")
        return [put(self.folder, b"%d" % i, mutate(self.rng, CALLS if self.rng.random() < 0.8 else LITMUS)) for i in range(BATCH)]

    def lists(self):
        rows = b"\n".join(os.path.basename(path) for path in self.sample(BATCH))
        path = put(os.path.join(self.folder, b"s"), b"list", mutate(self.rng, [rows]))
        return ["check", *asking(self.rng), b"@" + path]

    def records(self):
        text = subprocess.run([PROGRAM, "check", "--format", "json", *self.sample()], capture_output=True).stdout
        old = put(self.folder, b"old.jsonl", text)
        new = put(self.folder, b"new.jsonl", mutate(self.rng, [text]))
        return self.rng.choice((["merge", new], ["merge", old, new], ["diff", old, new], ["diff", new, old],
                                ["check", "--resume", new, *self.sample_again()]))

    def sample_again(self):
        return sorted(glob.glob(os.path.join(self.folder, b"s", b"*")))


def well_formed_json(batch, text):
    records = [json.loads(line) for line in text.splitlines()]
    if batch.arguments[0] != "check" or not batch.files:
        return
    if "machine" in batch.arguments:  # a test that expects nothing of the machine is not asked
        return
    # Names of files with bytes that are no UTF-8 may be written in several ways; their count may not differ.
    assert len({record["file"] for record in records} - {"crashlit"}) == len(batch.files), "a file has no record"


def well_formed_tap(batch, text):
    assert text.startswith("TAP version 13\n"), "no version line"
    cases = re.findall(r"^(?:not )?ok (\d+)", text, re.M)
    assert [int(number) for number in cases] == list(range(1, len(cases) + 1)), "numbers of cases"
    assert re.search(r"^1\.\.%d( |$)" % len(cases), text, re.M), "plan"


def well_formed_xml(batch, text):
    if text:
        ElementTree.fromstring(text)


def well_formed_svg(batch, text):
    """One picture after the other, each an XML document, or none at all."""
    for picture in re.split(r"(?=<\?xml )", text):
        well_formed_xml(batch, picture)


def well_formed_dot(batch, text):
    done = subprocess.run(["gc", "-n"], input=text.encode(), capture_output=True)  # Graphviz's reader, and no layout
    assert b"rror" not in done.stderr, done.stderr[:300]


def well_formed_html(batch, text):
    assert text.lower().startswith("<!doctype html>") and text.rstrip().endswith("</html>"), "no page"
    assert "<script>x" not in text and "<x>&amp;" not in text.replace("&lt;x&gt;", ""), "a name is not escaped"


READERS = {"json": well_formed_json, "sarif": lambda batch, text: json.loads(text), "tap": well_formed_tap,
           "junit": well_formed_xml, "svg": well_formed_svg, "dot": well_formed_dot, "html": well_formed_html}


def faults(batch):
    try:
        done = subprocess.run([batch.program, *batch.arguments], capture_output=True, timeout=LIMIT_SECONDS,
                              stdin=subprocess.DEVNULL)
    except subprocess.TimeoutExpired:
        return ["not ended after %d s" % LIMIT_SECONDS]
    found = []
    if done.returncode not in STATUSES:
        found.append("status %d" % done.returncode)
    for name, stream in (("output", done.stdout), ("errors", done.stderr)):
        alarm = ALARMS.search(stream)
        if alarm:
            found.append("%s: %r" % (name, stream[max(0, alarm.start() - 80):alarm.end() + 200]))
        try:
            text = stream.decode()
            control = CONTROL.search(text)
            if control:
                found.append("%s: control character in %r" % (name, text[max(0, control.start() - 60):control.end() + 20]))
        except UnicodeDecodeError as error:
            found.append("%s: %s" % (name, error))
    try:
        READERS.get(batch.format, lambda batch, text: None)(batch, done.stdout.decode("utf-8", "replace"))
    except (AssertionError, ValueError, KeyError, ElementTree.ParseError) as error:
        found.append("%s: %s" % (batch.format, error))
    return found


def keep(batch, work, found):
    folder = os.path.join(work, "found", str(batch.number))
    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(os.path.dirname(folder), exist_ok=True)
    shutil.copytree(batch.folder.decode(), folder)
    words = " ".join(repr(os.fsdecode(word)) for word in batch.arguments)
    with open(os.path.join(folder, "command"), "w", errors="surrogateescape") as file:
        file.write(words + "\n" + "\n".join(found) + "\n")
    print("failed: batch %d (%s): %s" % (batch.number, folder, "; ".join(found)[:1500]), flush=True)


def main(work, count, seed):
    passed = failed = 0
    shutil.rmtree(os.path.join(work, "found"), ignore_errors=True)
    for number in range((count + BATCH - 1) // BATCH):
        batch = Batch(random.Random("%d.%d" % (seed, number)), work, number)
        found = faults(batch)
        if found:
            keep(batch, work, found)
            failed += 1
        else:
            passed += 1
    print("%d passed, %d failed" % (passed, failed))
    return 1 if failed or not passed else 0


if __name__ == "__main__":
    PROGRAM = os.path.abspath(sys.argv[1])
    sys.exit(main(os.path.abspath(sys.argv[2]), int(sys.argv[3]), int(sys.argv[4])))
