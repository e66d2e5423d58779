"""campaign_commands.py: what the campaign (campaign.py) asks of each command: the table COMMANDS.

A batch is a folder of inputs and the command lines that get them. Each way to make one is a function of the batch that
returns its command lines.
"""
import collections
import glob
import json
import os
import re
import shutil
import subprocess

from campaign_inputs import (CALLS, CAT, DEFINITIONS, EDITED, KNOWN, LITMUS, MACHINE, MAPPED, MAPPING, MESSAGES, SKETCH,
                             USING, WEIGHTS, hostile_name, mutate, some_of, touch)

BATCH = 20


def put(folder, name, text):
    path = os.path.join(folder, name)
    with open(path, "wb") as file:
        file.write(text)
    return path


def names(folder, ending="cat"):
    """Of what is built in and comes from a folder."""
    found = [os.path.basename(path)[:-len(ending) - 1] for path in sorted(glob.glob("models/%s/*.%s" % (folder, ending)))]
    assert found, folder
    return found


MODELS, PERSISTENCIES, MACHINES = names("visibility"), names("persistency"), names("machines", "machine")
MAPPINGS = names("mappings", "map")


class Batch:
    """A folder of inputs, command lines, and how their output is read."""

    def __init__(self, rng, program, folder):
        self.rng, self.program, self.folder = rng, program, folder
        shutil.rmtree(folder, ignore_errors=True)
        os.makedirs(folder)
        self.gentle = self.chance(0.5)
        self.format, self.files, self.input, self.patience, self.kept = "text", [], b"", None, {}

    def chance(self, probability):
        return self.rng.random() < probability

    def make(self, row, way):
        """Of a row of the table."""
        self.row = row
        self.format = self.rng.choice(row.formats) if row.formats else "text"
        self.lines = way(self)

    # ---- Inputs ----

    def change(self, pool):
        return (touch if self.gentle else mutate)(self.rng, pool)

    def word(self, text):
        """As a word of a command line, now and then mutated."""
        if self.chance(0.05 if self.gentle else 0.25):
            text = self.change([text.encode()]).replace(b"\0", b"")[:5000].decode("utf-8", "surrogateescape")
        return text

    def sub(self, name):
        folder = os.path.join(self.folder, name)
        os.makedirs(folder, exist_ok=True)
        return folder

    def file(self, number, ending, pool, folder=b""):
        return put(self.sub(folder) if folder else self.folder, hostile_name(self.rng, number, ending), self.change(pool))

    def mutants(self, ending, pool, count=BATCH):
        return [self.file(i, ending, pool) for i in range(count)]

    def tests(self, count=BATCH):
        self.files = [self.file(i, b".litmus", LITMUS, b"t") for i in range(count)]
        return self.sub(b"t")

    def sample(self, count=3):
        return [put(self.sub(b"s"), b"%d.litmus" % i, self.rng.choice(LITMUS.sound)) for i in range(count)]

    def stream(self):
        """Tests on standard input, one behind the other."""
        texts = some_of(self.rng, [text for text in LITMUS.sound if len(text) < 2000], BATCH)
        self.input = self.change([b"\n".join(texts)])
        return "-"

    def ask(self, *arguments):
        """What the program prints, unmutated."""
        return subprocess.run([self.program, *arguments], capture_output=True, stdin=subprocess.DEVNULL).stdout

    def mutant_of(self, name, text):
        return put(self.folder, name, self.change([text]))

    # ---- Options ----

    def guards(self):
        return ["--timeout", self.rng.choice(["0.1"] * 7 + ["1"])] + ([] if os.environ.get("MEMORY_UNBOUNDED") else ["--memory", "600"])

    def jobs(self):
        return ["-j", str(self.rng.choice((1, 2, 3)))]

    def semantics(self):
        options = self.guards()
        if self.chance(0.4):
            options += ["--crash", self.rng.choice(("anywhere", "points", "end"))]
        if self.chance(0.2):
            options += ["--unroll", self.rng.choice("1234")]
        if self.chance(0.2):
            options += ["--recovery-crash", "--rounds", self.rng.choice("123")]
        return options

    def asking(self):
        """Of commands that answer with states: now and then whatever the engines do past some size, they do at once."""
        cpu = ["--timeout-cpu", self.rng.choice(("0.05", "1"))] if self.chance(0.1) else []
        return self.semantics() + cpu + (["--thresholds", "least"] if self.chance(0.3) else [])

    def policies(self):
        options = ["--unknown", self.rng.choice(("ok", "fail"))] if self.chance(0.3) else []
        if self.chance(0.1):
            options += ["--limits", put(self.folder, b"limits", self.change([b"timeout 0.1 *\ntimeout-cpu 0.1 t/?\n"]))]
        return options + (["-q"] if self.chance(0.2) else []) + (self.choices() if self.chance(0.2) else [])

    def cache(self):
        """The first run keeps answers, others of the batch may find them."""
        return ["--cache", os.path.join(self.folder, b"cache")] if self.chance(0.2) else []

    def choices(self):
        return ["--exclude", self.word("[0-2]*"), "--filter", self.word(self.rng.choice(("?/*.litmus", "tag:*")))][:self.rng.choice((2, 4))]

    def pair(self):
        return ["-m", self.rng.choice(MODELS), "-p", self.rng.choice(PERSISTENCIES)] if self.chance(0.4) else []

    def formats(self):
        """What is printed, and now and then a report in a file."""
        options = ["--format", self.format]
        if self.chance(0.2):
            options += ["--format", b"%s=%s" % (self.rng.choice(self.row.formats).encode(),
                                               os.path.join(self.folder, hostile_name(self.rng, 0, b".report")))]
        return options

    def written(self, *command):
        """-o FOLDER: into one that is there, with a list of what the command has written, mutated, and files of others."""
        if self.chance(0.3):
            return ["-o", os.path.join(self.folder, hostile_name(self.rng, 0, b""))]
        folder = self.sub(b"o")
        self.kept = {path: put(self.folder, path, b"kept\n") for path in (b"kept.litmus", b"kept.svg")}
        if command:
            self.ask(*command, "-o", folder)
        for path in glob.glob(os.path.join(glob.escape(folder), b"MANIFEST")):
            with open(path, "rb") as file:
                text = file.read() + b"../kept.litmus\n# with ../kept.svg\n"
            put(folder, b"MANIFEST", self.change([text]))
        return ["-o", folder]


# ---- Commands that take tests ----

def checks(batch):
    engine = batch.rng.choice("enum enum smt machine all auto".split())
    decide = ["--decide"] if batch.chance(0.3) and engine != "machine" else []
    asked = ["--property", batch.rng.choice(("race", "bounds,divergence", "robust", "race,robust,assert"))] if batch.chance(0.2) else []
    return [["check", *batch.formats(), "--engine", engine, *decide, *asked, *batch.policies(), *batch.cache(), *batch.asking(), *batch.jobs(), *batch.pair(), batch.tests()]]


def checks_certified(batch):
    """--certified only where there is a checker."""
    judged = batch.chance(0.5) and os.access(os.path.join(os.path.dirname(batch.program), "checker", "crashlit-check"), os.X_OK)
    folder = os.path.join(batch.folder, hostile_name(batch.rng, 0, b""))
    return [["check", "--format", batch.format, "--engine", batch.rng.choice("enum smt all auto".split()), "--certify", folder,
             *(["--certified"] if judged else []), *batch.asking(), *batch.jobs(), *batch.pair(), batch.tests()]]


def checks_models(batch):
    path = batch.file(1, b".cat", CAT)
    dump = ["--dump-ir"] if batch.chance(0.2) else []
    return [["check", "--format", batch.format, *dump, batch.rng.choice(("-m", "-p")), path, *batch.asking(), *batch.sample()]]


def checks_definitions(batch):
    path = batch.file(1, b".def", DEFINITIONS)
    tests = [put(batch.sub(b"s"), b"%d.litmus" % i, re.sub(rb"\nuses [^\n]*", b"", batch.rng.choice(USING))) for i in range(3)]
    return [["check", "--format", batch.format, "--uses", path, *batch.asking(), *batch.pair(), *tests]]


def checks_machines(batch):
    path = batch.file(1, b".machine", MACHINE)
    return [["check", "--format", batch.format, "--engine", "machine", "--machine", path, "--max-states", "20000", *batch.asking(),
             *batch.sample()]]


def checks_lists(batch):
    rows = b"\n".join(os.path.basename(path) for path in batch.sample(BATCH))
    return [["check", "--format", batch.format, *batch.asking(), b"@" + put(batch.sub(b"s"), b"list", batch.change([rows]))]]


def checks_again(batch):
    tests = batch.sample()
    earlier = batch.rng.choice(("--resume", "--known", "--frozen"))
    return [["check", "--format", batch.format, *batch.policies(), earlier,
             batch.mutant_of(b"old.jsonl", batch.ask("check", "--format", "json", *tests)), *tests]]


def lists(batch):
    return [["list", "--format", batch.format, *batch.choices(), *some_of(batch.rng, [batch.tests(), "litmus/spb", b"@" + put(batch.sub(b"s"), b"list", batch.change([b"*\n@list\n"]))], 3)]]


def checks_streams(batch):
    return [["check", "--format", batch.format, *batch.asking(), *batch.jobs(), *batch.pair(), batch.stream()]]


def blesses(batch):
    dry = ["--dry-run"] if batch.chance(0.3) else []
    return [["bless", *dry, "--engine", batch.rng.choice("enum auto machine".split()), *batch.semantics(), *batch.jobs(), *batch.pair(), batch.tests()]]


def crosschecks(batch):
    return [["crosscheck", *batch.asking(), *batch.pair(), batch.stream() if batch.chance(0.2) else batch.tests()]]


def explains(batch):
    cases = ["--cases"] if batch.chance(0.2) else []
    return [["explain", *cases, *batch.formats(), *batch.semantics(), *batch.pair(), batch.stream() if batch.chance(0.2) else batch.tests(BATCH // 2)]]


def compares(batch):
    return [["compare", *batch.formats(), "--models", batch.word("sc+epoch,hrf-direct+strict"), *batch.asking(),
             batch.stream() if batch.chance(0.2) else batch.tests()]]


def traces(batch):
    machine = batch.file(1, b".machine", MACHINE) if batch.chance(0.2) else batch.rng.choice("nvw-fifo bpfs ideal-sc".split())
    what = ["--condition", "1"] if batch.chance(0.7) else ["--state", batch.word("x=0,y=1")]
    return [["trace", *batch.formats(), *what, "--machine", machine, "--max-states", "20000", *batch.guards(), batch.tests()]]


def maps_source(batch):
    """A mapping, and a test that it may be for."""
    test = batch.rng.choice(MAPPED) if batch.chance(0.8) else batch.change(MAPPED)
    return batch.file(1, b".map", MAPPING), put(batch.folder, b"source.litmus", test)


def refines(batch):
    mapping, test = maps_source(batch)
    under = ["--under", "sc+epoch", "--under", batch.word("sc+" + batch.rng.choice(PERSISTENCIES))]
    what = ["--map", mapping] if batch.chance(0.5) else [batch.tests(5)]
    return [["refines", *batch.formats(), *batch.asking(), *under, test, *what]]


def maps(batch):
    return [["map", *maps_source(batch)] if batch.chance(0.7) else
            ["map", batch.rng.choice(MAPPINGS), batch.file(2, b".litmus", MAPPED)] for _ in range(4)]


def places(batch):
    sketches = batch.chance(0.7)
    line = ["place", *batch.formats(), *batch.semantics(), "--total", "1", *batch.pair()]
    if not sketches:
        line += ["--repair", "--kinds", batch.word("p_barrier,fence,barrier")] if batch.chance(0.5) else ["--narrow"]
    line += batch.rng.choice(([], ["--all"], ["--cheapest", "--weights", batch.file(9, b".weights", WEIGHTS)]))
    if batch.chance(0.4):
        line += batch.written()
    return [line + batch.mutants(b".litmus", SKETCH if sketches else LITMUS, 1 if batch.chance(0.7) else 3)]


def peers(batch):
    folder = batch.sub(b"s")
    tests = [put(folder, b"%d.litmus" % i, text) for i, text in enumerate(some_of(batch.rng, KNOWN, BATCH))]
    rows = b"".join(b"%s,%d\n" % (os.path.basename(path), batch.rng.randrange(2)) for path in tests)
    return [["peers", "--expected", batch.mutant_of(b"known.csv", rows), "-m", batch.rng.choice(MODELS), *batch.semantics(), folder]]


# ---- Commands that make programs ----

BOUND = "events=2,barriers=1,threads=2,locations=2,scopes=wg".split(",")
SHAPES = ["MP", "SB", "PodWW Rfe PBwg PodRW Crash", "PodWW Wse Crash", "Rfe PodRR Fre", "Tx PodWW Rfe Crash", "PodWW.wi Rfe.dev"]


def bound(batch):
    return ["--bound", batch.word(",".join(sorted(set(["events=2"] + some_of(batch.rng, BOUND, 3)))))]


def some_pairs(batch, count):
    known = ["%s+%s" % (batch.rng.choice(("sc", "hrf-direct", "rc11", "ptx")), batch.rng.choice(PERSISTENCIES)) for _ in range(count)]
    return [batch.word(pair) for pair in known]


def generates(batch):
    batch.patience = 2
    line = ["generate", "--format", batch.format, *batch.guards(), *bound(batch)]
    if batch.chance(0.4):
        line += ["--comprehensive", *some_pairs(batch, 1)]
    if batch.chance(0.3):
        line += ["--shard", batch.word("1/3")]
    if batch.chance(0.3):
        line += ["--name", batch.word("name")]
    if batch.chance(0.3):
        line += ["--resume", batch.mutant_of(b"old.jsonl", batch.ask("generate", "--format", "json", "--bound", "events=2"))]
    return [line]


def generates_shapes(batch):
    batch.patience, batch.format, lines = 2, "text", []
    for _ in range(4):
        words = batch.word(batch.rng.choice(SHAPES))
        shape = ["--shape", words] if batch.chance(0.6) else ["--shape-from", words, "--size", batch.rng.choice("2345")]
        expect = ["--expect", ",".join(some_pairs(batch, 2))] if batch.chance(0.3) else []
        lines.append(["generate", *batch.guards(), *expect, *shape])
    return lines


def generates_folders(batch):
    batch.patience, batch.format = 2, "text"
    shape = ["generate", "--shape-from", batch.rng.choice(SHAPES[2:5])]
    return [shape + batch.written(*shape)]


def searches(batch, command, line):
    if batch.chance(0.4):
        path = batch.mutant_of(b"old.jsonl", batch.ask(*line, "--format", "json"))
        line = line + ["--resume", path]
    return [line[:1] + ["--format", batch.format, "--total", "2", *batch.guards(), *batch.jobs()] + line[1:]]


def distinguishes(batch):
    models = some_pairs(batch, 2)
    if batch.chance(0.3):
        models[0] = batch.file(1, b".cat", CAT)
    return searches(batch, "distinguish", ["distinguish", *bound(batch), *models])


def distinguishes_mappings(batch):
    return searches(batch, "distinguish", ["distinguish", *bound(batch), "--map", batch.file(1, b".map", MAPPING), "sc+epoch",
                                           *some_pairs(batch, 1)])


def distinguishes_folders(batch):
    line = ["distinguish", "-e", "enum", "--bound", "events=2", "epoch", "strict"]
    return searches(batch, "distinguish", line + batch.written(*line))


def lattices(batch):
    models = some_of(batch.rng, ["epoch", "strict", "none", "buffered-epoch", "buffered-strict"], 3)
    if batch.chance(0.3):
        models.append(batch.file(1, b".cat", CAT))
    return searches(batch, "lattice", ["lattice", *bound(batch), *models])


def mutates(batch):
    models = [batch.file(i, b".cat", CAT) for i in range(2)] + some_of(batch.rng, ["none", "epoch", "buffered-strict", "nvw-fifo"], 1)
    models.append(batch.file(2, b".machine", MACHINE))
    return [["mutate", "--format", batch.format, "-j", batch.rng.choice("12"), *batch.guards(), *bound(batch), "-m", "sc", "--", model, *batch.sample()]
            for model in models]


def reviews(batch):
    old = batch.file(0, b".cat", CAT)
    new = [batch.file(i, b".cat", CAT) for i in range(1, 3)] + ["epoch", old]
    return [["review", "--format", batch.format, *batch.guards(), *batch.jobs(), *bound(batch), "-m", "sc", "--", old, model,
             *batch.sample()] for model in new]


def plays(batch):
    return [["hw", "run", "--launches", "2", *batch.guards(), *batch.jobs(), *batch.rng.choice(([], ["--weak"], ["--forget", "scopes"])), "--",
             batch.tests()]]


def judges(batch):
    tests = batch.sample()
    text = batch.ask("hw", "run", "--launches", "2", *tests)
    return [["hw", "judge", *batch.guards(), "-m", "sc", "-m", "ptx", "--", batch.mutant_of(b"%d.jsonl" % i, text), *tests] for i in range(4)]


# ---- Commands that take records ----

def records(batch):
    """Of some command that writes them."""
    return batch.ask(*batch.rng.choice((["check", *batch.sample()], ["check", *batch.sample()],
                                        ["distinguish", "--bound", "events=2", "epoch", "strict"],
                                        ["lattice", "--bound", "events=2", "epoch", "strict"],
                                        ["generate", "--bound", "events=2"])), "--format", "json")


def merges(batch):
    text = records(batch)
    old = put(batch.folder, b"old.jsonl", text)
    lines = []
    for i in range(4):
        new = batch.mutant_of(b"%d.jsonl" % i, text)
        line = ["merge", new] if batch.chance(0.5) else ["merge", old, new]
        line += ["--format", batch.format]
        if batch.chance(0.3):
            rows = b"\n".join(b"s/%d.litmus" % i for i in range(3))
            line += ["--manifest", b"@" + batch.mutant_of(b"%d.list" % i, rows)]
        lines.append(line)
    return lines


def diffs(batch):
    text = batch.ask("check", *batch.sample(), "--format", "json")
    old = put(batch.folder, b"old.jsonl", text)
    news = [batch.mutant_of(b"%d.jsonl" % i, text) for i in range(4)]
    return [["diff", "--format", batch.format, *batch.rng.choice(((old, new), (new, old)))] for new in news]


def reports(batch):
    text = batch.ask("check", *batch.asking(), *batch.sample(), "--format", "json")
    return [["report", "--format", batch.format, batch.mutant_of(b"%d.jsonl" % i, text)] for i in range(4)]


# ---- Commands that show what there is ----

def shows_models(batch):
    return [["models", "--format", batch.format, *(["-v"] if batch.chance(0.5) else []), *batch.mutants(b".cat", CAT)]]


def shows_machines(batch):
    return [["machines", "--format", batch.format, *(["-v"] if batch.chance(0.5) else []), *batch.mutants(b".machine", MACHINE)]]


def cites(batch):
    return [["cite", "--format", batch.format, batch.rng.choice(MODELS), *batch.mutants(b".cat", CAT), *batch.mutants(b".machine", MACHINE)]]


def shows_mappings(batch):
    return [["mappings", *(["-v"] if batch.chance(0.5) else []), *batch.mutants(b".map", MAPPING)]]


def lessons(batch):
    """What is told of one is not asked here, as that writes into the folder where the campaign runs."""
    number = batch.word(str(batch.rng.randrange(1, 16)))
    return [["lesson"], *(["lesson", *batch.guards(), "--", number, path] for path in batch.mutants(b".litmus", LITMUS, 4))]


def helps(batch):
    words = [batch.word(word) for word in some_of(batch.rng, list(COMMANDS) + MODELS + ["E", "E-lit-lost"], 3)]
    return [["help", "--", *words], ["help", "--words", "--", *words]]


def versions(batch):
    return [["version", "-v", "--format", batch.format], ["version", "--", batch.word("x")]]


# ---- A language server ----

def message(batch):
    """Of a session, or about a text that an editor may have."""
    if batch.chance(0.5):
        return batch.rng.choice(MESSAGES)
    if batch.chance(0.4):
        text = batch.change(EDITED)[:20000].decode("utf-8", "replace")
        return json.dumps({"jsonrpc": "2.0", "method": "textDocument/didOpen", "params": {"textDocument": {
            "uri": "file:///tmp/crashlit-none/a.litmus", "languageId": batch.rng.choice(("litmus", "cat")), "version": 1,
            "text": text}}}).encode()
    method = batch.rng.choice("hover completion definition codeLens codeAction documentSymbol".split())
    place = {"line": batch.rng.randrange(12), "character": batch.rng.randrange(30)}
    return json.dumps({"jsonrpc": "2.0", "id": batch.rng.randrange(100), "method": "textDocument/" + method, "params": {
        "textDocument": {"uri": "file:///tmp/crashlit-none/a.litmus"}, "position": place, "range": {"start": place, "end": place},
        "context": {"diagnostics": []}}}).encode()


def framed(batch, content, wrong):
    """With a header, which is wrong in length or form."""
    length = len(content)
    if wrong and batch.chance(0.5):
        length = batch.rng.choice((0, 1, length - 1, length + 1, -1, 1 << 25, 1 << 40, 1 << 64))
    head = b"Content-Length: %d\r\n\r\n" % length
    if wrong and batch.chance(0.5):
        head = batch.change([head, b"Content-Type: x\r\n" + head, head.replace(b"\r", b""), head.lower()])
    return head + content


def talks(batch):
    """A session; what a header leaves unclear ends it, so few have a wrong one, and that late."""
    batch.format = "lsp"
    opening = [text for text in MESSAGES if b'"initialize"' in text or b'"initialized"' in text][:2]
    closing = [b'{"jsonrpc":"2.0","id":"end","method":"shutdown"}', b'{"jsonrpc":"2.0","method":"exit"}']
    messages = opening if batch.chance(0.8) else []
    messages += [message(batch) if batch.chance(0.6) else batch.change([message(batch)]) for _ in range(BATCH)]
    messages += closing if batch.chance(0.5) else []
    fault = batch.rng.randrange(len(messages)) if batch.chance(0.4) else None
    batch.input = b"".join(framed(batch, text, i == fault) for i, text in enumerate(messages))
    if batch.chance(0.2):
        batch.input = batch.input[:batch.rng.randrange(len(batch.input))]
    put(batch.folder, b"input", batch.input)
    return [["lsp", *batch.semantics(), *batch.pair()]]


# ---- The library ----

def calls(batch):
    """As tests/fuzz/fuzz_api.c reads them; tests among them."""
    batch.program = os.path.join(os.path.dirname(batch.program), "tests/fuzz/replay_fuzz_api")
    return [[put(batch.folder, b"%d" % i, batch.change(CALLS if batch.chance(0.8) else LITMUS)) for i in range(BATCH)]]


Row = collections.namedtuple("Row", "statuses formats ways")


def row(statuses, formats, **ways):
    return Row(tuple(int(digit) for digit in statuses), formats.split(), [globals()[way] for way, count in ways.items() for _ in range(count)])


# Of each command its statuses (2 is everyone's, and wrong usage or input), what --format may say, and how often in a
# round each of the ways to make a batch of it comes.
COMMANDS = {
    "check": row("01345", "text herd json junit tap sarif html md dot tex svg cuts", checks=4, checks_certified=1, checks_models=2, checks_definitions=1, checks_machines=1,
                 checks_lists=1, checks_again=1, checks_streams=1),
    "list": row("0", "text tex", lists=1),
    "bless": row("013", "", blesses=1),
    "crosscheck": row("034", "", crosschecks=1),
    "explain": row("034", "text json sarif html dot tex svg cuts", explains=1),
    "refines": row("01345", "text herd json junit tap sarif html md dot tex svg cuts", refines=1),
    "place": row("0134", "text json sarif html svg dot tex", places=2),
    "generate": row("034", "text json", generates=1, generates_shapes=1, generates_folders=1),
    "compare": row("03", "text json html svg md tex", compares=1),
    "distinguish": row("0134", "text json html md svg dot tex", distinguishes=1, distinguishes_mappings=1, distinguishes_folders=1),
    "lattice": row("03", "text json html md svg dot tex", lattices=1),
    "review": row("0134", "text json html md", reviews=1),
    "hw": row("013", "", plays=1, judges=1),
    "mutate": row("0134", "text json sarif html md", mutates=1),
    "merge": row("01345", "text herd json junit tap sarif html md", merges=1),
    "report": row("0134", "text herd json junit tap sarif html md", reports=1),
    "diff": row("01", "text json md junit", diffs=1),
    "peers": row("013", "", peers=1),
    "models": row("0", "text json tex", shows_models=1),
    "machines": row("0", "text json", shows_machines=1),
    "cite": row("0", "text bibtex", cites=1),
    "map": row("0", "", maps=2),
    "mappings": row("0", "", shows_mappings=2),
    "trace": row("013", "text json html svg tex", traces=1),
    "lesson": row("013", "", lessons=1),
    "lsp": row("01", "", talks=2),
    "help": row("0", "", helps=1),
    "version": row("0", "text json", versions=1),
    "the library": row("0", "", calls=2),
}


def helped(program, *words):
    return subprocess.run([program, "help", *words], capture_output=True, text=True).stdout


def documented(program):
    """Of each command of the program, as it says itself: statuses, formats."""
    with open("src/ask/ask_commands.def") as file:
        rows = re.findall(r'^COMMAND\(\w+, "(\w+)",(.*?)"\)$', file.read(), re.M | re.S)
    helps = re.findall(r"^crashlit \[?(\w+)\b(.*?)^Exit status", helped(program, *[name for name, _ in rows]), re.M | re.S)
    formatted, found = [name for name, text in helps if "--format" in text], {}
    for name, text in rows:
        said = re.sub(r'"\s*"', "", text).rpartition('"')[2]
        formats = helped(program, "--words", name, "format").split() if name in formatted else []
        found[name] = tuple(int(digit) for digit in re.findall(r"(?:^|, )([0-9])\b", said)), formats
    return found


def table_faults(program):
    """Where the table is not what the program's own tables say."""
    found = documented(program)
    faults = ["campaign_commands.py has no row for '%s'" % name for name in found if name not in COMMANDS]
    for name, known in COMMANDS.items():
        if name in found and known.statuses != found[name][0]:
            faults.append("'%s' has the statuses %r, its row %r" % (name, found[name][0], known.statuses))
        if name in found and sorted(known.formats) != sorted(found[name][1]):
            faults.append("'%s' has the formats %r, its row %r" % (name, found[name][1], known.formats))
    return faults + ["'%s' is no command" % name for name in COMMANDS if name not in found and name != "the library"]
